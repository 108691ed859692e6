"""ruby-kafka's Partitioner, transcribed: no Ruby gem can be fetched here.

Read in zendesk/ruby-kafka v1.5.1 (3eba5b40ca94dd9894502308909a8dce264bbd8c): lib/kafka/partitioner.rb, crc32_hash.rb,
murmur2_hash.rb; and in what the last requires, ksss/digest-murmurhash (9b58db06cb894fc61f23ecb8aa3b561c73602ee5):
ext/digest/murmurhash/2.c, rawdigest. No partition_key is given; it would stand in for the key. Compared once with both
sources run by Ruby 3.1.2 on x86-64: 5,000 random keys of up to 23 bytes at seven counts, no difference.
"""
import os
import random
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402

VERSION = "1.5.1"
MASK = 0xffffffff


def crc32(key):
    """Zlib.crc32(value)"""
    return zlib.crc32(key)


def murmur2(key):
    """Digest::MurmurHash2.rawdigest(value, [0x9747b28c].pack("L")) & 0x7fffffff

    The last one to three bytes are read through a `const char *`. Where C's char is signed, as on x86-64, a byte from 0x80
    on is sign-extended: this is no longer Java's murmur2. (On Linux for ARM char is unsigned, and it is.)
    """
    h = 0x9747b28c ^ len(key)
    whole = len(key) // 4 * 4
    for (k,) in struct.iter_unpack("<I", key[:whole]):
        k = k * 0x5bd1e995 & MASK
        k ^= k >> 24
        k = k * 0x5bd1e995 & MASK
        h = h * 0x5bd1e995 & MASK ^ k
    tail = struct.unpack("%db" % (len(key) - whole), key[whole:])
    for index in reversed(range(len(tail))):
        h ^= tail[index] << 8 * index & MASK
    if tail:
        h = h * 0x5bd1e995 & MASK
    h ^= h >> 13
    h = h * 0x5bd1e995 & MASK
    h ^= h >> 15
    return h & 0x7fffffff


def scheme(digest):
    def place(params, key):
        partitions = oracle.count(params)
        data = oracle.to_bytes(key)
        if data is None:
            return oracle.observe(lambda: random.randrange(partitions))  # rand(partition_count)
        return digest(data) % partitions
    return oracle.each(place)


oracle.serve("ruby-kafka", VERSION, {"kafka/ruby-kafka": scheme(crc32), "kafka/ruby-kafka-murmur2": scheme(murmur2)})
