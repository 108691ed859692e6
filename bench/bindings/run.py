"""Measures keyfall's Python package beside what people use instead, in one run.

    python run.py [--write README.md]

All calls are timed in turn, round after round, and the least time of all rounds counts: the machine may be busy with other
things. With --write the table of that file is replaced.
"""

import argparse
import array
import pathlib
import sys
import timeit

import keyfall
import mmh3
import numpy
from cassandra import cmurmur3
from kafka.partitioner.default import murmur2 as kafka_python_murmur2
from redis.crc import key_slot

LENGTHS = (4, 8, 16, 36, 256, 1024)
ROUNDS = 15
COLUMN = 4096


def calls(length):
    """Name -> (statement's function, how many keys one call places, how many calls a timing)."""
    key = bytes((i * 37 + 11) % 256 for i in range(length)).replace(b"{", b"_")
    keys = [key[:-1] + bytes([i % 100]) for i in range(COLUMN)]
    array_of_keys = numpy.array([b"\x01" * length] * COLUMN, dtype=f"S{length}")
    data, offsets = b"".join(keys), array.array("q", range(0, COLUMN * length + 1, length))
    placer = keyfall.Placer("kafka/java", partitions=12)
    place, java, slot, token = placer.place, keyfall.kafka_java, keyfall.redis_slot, keyfall.cassandra_token
    mmh3_hash, slow, redis, cassandra = mmh3.hash, kafka_python_murmur2, key_slot, cmurmur3.murmur3
    few = max(20, 4000 // length)
    return {
        "kafka-python murmur2": (lambda n: timeit.timeit("slow(key)", globals={"slow": slow, "key": key}, number=n), 1, few),
        "mmh3.hash": (lambda n: timeit.timeit("f(key)", globals={"f": mmh3_hash, "key": key}, number=n), 1, 20000),
        "keyfall.kafka_java": (lambda n: timeit.timeit("f(key, 12)", globals={"f": java, "key": key}, number=n), 1, 20000),
        "Placer.place": (lambda n: timeit.timeit("f(key)", globals={"f": place, "key": key}, number=n), 1, 20000),
        "place_many, list": (lambda n: timeit.timeit(lambda: placer.place_many(keys), number=n), COLUMN, 5),
        "place_many, NumPy": (lambda n: timeit.timeit(lambda: placer.place_many(array_of_keys), number=n), COLUMN, 5),
        "place_offsets": (lambda n: timeit.timeit(lambda: placer.place_offsets(data, offsets), number=n), COLUMN, 5),
        "redis-py key_slot": (lambda n: timeit.timeit("f(key)", globals={"f": redis, "key": key}, number=n), 1, 5000),
        "keyfall.redis_slot": (lambda n: timeit.timeit("f(key)", globals={"f": slot, "key": key}, number=n), 1, 20000),
        "cassandra-driver cmurmur3": (lambda n: timeit.timeit("f(key)", globals={"f": cassandra, "key": key}, number=n), 1, 20000),
        "keyfall.cassandra_token": (lambda n: timeit.timeit("f(key)", globals={"f": token, "key": key}, number=n), 1, 20000),
    }


def measure(length):
    """Nanoseconds a key, by name."""
    all_calls = calls(length)
    times = {name: [] for name in all_calls}
    for _ in range(ROUNDS):
        for name, (timed, keys, number) in all_calls.items():
            times[name].append(timed(number) / number / keys * 1e9)
    return {name: min(rounds) for name, rounds in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=pathlib.Path)
    write = parser.parse_args().write
    measured = {length: measure(length) for length in LENGTHS}
    names = list(measured[16])
    table = ["| ns a key | " + " | ".join(f"{length} B" for length in LENGTHS) + " |", "| --- |" + " ---: |" * len(LENGTHS)]
    for name in names:
        table.append(f"| {name} | " + " | ".join(f"{measured[length][name]:,.1f}" for length in LENGTHS) + " |")
    at = measured[16]
    slow = at["kafka-python murmur2"]
    ratios = [
        ("a single call, as fast as kafka-python's murmur2", slow / at["keyfall.kafka_java"], "at least 40"),
        ("a single call by a placer, as fast as kafka-python's murmur2", slow / at["Placer.place"], "at least 40"),
        ("a single call, the time of mmh3's", at["keyfall.kafka_java"] / at["mmh3.hash"], "at most 1.3"),
        ("a list, as fast as kafka-python's murmur2", slow / at["place_many, list"], "at least 120"),
        ("buffers, as fast as kafka-python's murmur2", slow / at["place_offsets"], "at least 300"),
        ("a slot, as fast as redis-py's", at["redis-py key_slot"] / at["keyfall.redis_slot"], "at least 2.5"),
    ]
    table += ["", "| keys of 16 bytes | times | wanted |", "| --- | ---: | --- |"]
    table += [f"| {what} | {ratio:,.2f} | {wanted} |" for what, ratio, wanted in ratios]
    text = "\n".join(table) + "\n"
    print(text)
    if write:
        begin, end = "<!-- table: written by run.py -->\n", "<!-- /table -->\n"
        readme = write.read_text("utf-8")
        before, rest = readme.split(begin)
        _, after = rest.split(end)
        write.write_text(before + begin + text + end + after, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
