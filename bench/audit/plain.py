"""What one would write without keyfall: python3 plain.py FILE PARTITIONS

A loop over the lines with `json` and the murmur2 of kafka-python, which is pure Python. It counts the records that are not
where the Java client puts their keys, and does nothing else that `keyfall audit` does.
"""

import json
import sys

from kafka.partitioner.default import murmur2


def main():
    path, partitions = sys.argv[1], int(sys.argv[2])
    records = unpinned = misplaced = 0
    with open(path, "rb") as lines:
        for line in lines:
            record = json.loads(line)
            records += 1
            key = record["key"]
            if key is None:
                unpinned += 1
            elif (murmur2(key.encode()) & 0x7FFFFFFF) % partitions != record["partition"]:
                misplaced += 1
    print(f"{records} records, {unpinned} without a key, {misplaced} misplaced")


main()
