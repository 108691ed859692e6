package main

import "encoding/binary"

const seed uint32 = 0x9747b28c

func partition(key []byte, partitions int) int {
	return int(murmur2(key)&0x7fffffff) % partitions
}

func murmur2(key []byte) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := binary.LittleEndian.Uint32(key) * m
		h = h*m ^ (k^k>>24)*m
	}
	if len(key) > 0 {
		for i, b := range key {
			h ^= uint32(b) << (8 * i)
		}
		h *= m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
