"""Writes JSON lines in the form of `kcat -C -J` to standard output: python3 make_lines.py LINES > FILE

200,000 distinct keys, drawn at random with a fixed seed, in 12 partitions. A hundredth of the records is where CRC-32
puts them (librdkafka's default) and not murmur2 (the Java client's), a hundredth has no key.
"""

import json
import random
import sys
import zlib

from kafka.partitioner.default import murmur2

KEYS = 200_000
PARTITIONS = 12


def main():
    lines = int(sys.argv[1])
    random.seed(3)
    keys = [f"customer-{number:06}" for number in range(KEYS)]
    java = [(murmur2(key.encode()) & 0x7FFFFFFF) % PARTITIONS for key in keys]
    crc32 = [zlib.crc32(key.encode()) % PARTITIONS for key in keys]
    offsets = [0] * PARTITIONS
    ts = 1_777_701_600_000
    for number in range(lines):
        # Every key is there, however few lines are asked for beyond their number.
        at = number if number < KEYS else random.randrange(KEYS)
        chance = random.random()
        key, partition = keys[at], java[at]
        if chance < 0.01:
            partition = crc32[at]
        elif chance < 0.02:
            key, partition = None, at % PARTITIONS
        ts += random.randrange(20)
        order = {"order": f"o-{number:07}", "amount": f"{random.randrange(10_000) / 100:.2f}", "currency": "EUR"}
        record = {
            "topic": "orders",
            "partition": partition,
            "offset": offsets[partition],
            "tstype": "create",
            "ts": ts,
            "broker": 1,
            "key": key,
            "payload": json.dumps(order, separators=(",", ":")),
        }
        offsets[partition] += 1
        print(json.dumps(record, separators=(",", ":")))


main()
