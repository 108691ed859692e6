"""The hash partitioner of the Kafka output of Elastic's Beats, transcribed: its Go module cannot be fetched here.

Read in elastic/beats (05989d1078b6a4d41bab329e024eb23d218e5be5): libbeat/outputs/kafka/partition.go, makeHashPartitioner and
hash2Partition. The key is what the `key` format of the output gives; where the format fails, the key is null.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402

VERSION = "main, 05989d1078b6"


def fnv1a(key):
    """hash/fnv.New32a of Go"""
    h = 0x811c9dc5
    for byte in key:
        h = (h ^ byte) * 0x01000193 & 0xffffffff
    return h


def place(params, key):
    partitions = oracle.count(params)
    data = oracle.to_bytes(key)
    if data is None:
        return oracle.observe(lambda: random.randrange(partitions))  # generator.Intn(int(numPartitions))
    return (fnv1a(data) & 0x7fffffff) % partitions  # int32(hash) & 0x7FFFFFFF


oracle.serve("elastic-beats", VERSION, {"kafka/elastic-beats-hash": oracle.each(place)})
