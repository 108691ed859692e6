"""Makes the example dump: a topic that two clients write, which do not agree where a key belongs.

The Java producer writes orders from 06:00 on. At 10:00 a librdkafka producer joins in, for the same customers; from then
on each order goes through one or the other. Both keep their default partitioner: murmur2 in Java, CRC32 in librdkafka.
kcat then dumps the topic. Run by make_example.sh; argument: the folder for the two files.
"""

import json
import random
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

import confluent_kafka
from confluent_kafka.admin import AdminClient, NewTopic

from broker import Broker, java

TOPIC = "orders"
PARTITIONS = 12
ORDERS = 10_000
CUSTOMERS = 1_500
NULL_KEYS = 0.02
SEED = 20260502

BEGIN = datetime(2026, 5, 2, 6, tzinfo=timezone.utc)
JOIN = datetime(2026, 5, 2, 10, tzinfo=timezone.utc)
END = datetime(2026, 5, 2, 14, tzinfo=timezone.utc)
MINUTE_MILLIS = 60_000  # the writers run side by side within a minute, and wait for each other at its end


def millis(moment):
    return int(moment.timestamp() * 1000)


def make_customers(rng):
    """Made-up customer keys of several shapes, the most active one first."""
    words = ["žluťoučký", "клиент", "客户", "お客様", "müşteri", "고객", "πελάτης", "ลูกค้า", "𝒦𝓊𝓃𝒹𝑒", "👤"]
    customers = set()
    while len(customers) < CUSTOMERS:
        number = rng.randrange(10_000)
        shape = rng.random()
        if shape < 0.55:
            customer = f"customer-{number:04}"
        elif shape < 0.75:
            customer = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        elif shape < 0.92:
            customer = f"buyer{number}@example.{rng.choice(['com', 'org', 'net'])}"
        else:
            customer = f"{rng.choice(words)}-{number}"
        customers.add(customer)
    customers = sorted(customers)
    rng.shuffle(customers)
    return customers


def make_orders(rng):
    """(time, key, value) in the order of time."""
    customers = make_customers(rng)
    activity = [1 / rank for rank in range(1, CUSTOMERS + 1)]  # Zipf's law
    times = sorted(rng.randrange(millis(BEGIN), millis(END)) for _ in range(ORDERS))
    for number, ts in enumerate(times, 1):
        key = None if rng.random() < NULL_KEYS else rng.choices(customers, activity)[0]
        cents = round(rng.lognormvariate(8.3, 0.9))
        value = {
            "order": f"o-{number:06}",
            "amount": f"{cents // 100}.{cents % 100:02}",
            "currency": rng.choices(["EUR", "USD", "GBP", "JPY"], [60, 25, 10, 5])[0],
        }
        yield ts, key, json.dumps(value, separators=(",", ":"))


class JavaWriter:
    def __init__(self, bootstrap):
        self._process = subprocess.Popen(
            java("oracle.kafkabroker.OrderWriter", bootstrap, TOPIC),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self.name = f"kafka-clients-{self._process.stdout.readline().strip()}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._process.communicate(timeout=30)
        finally:
            self._process.kill()

    def begin(self, orders):
        for ts, key, value in orders:
            print(json.dumps({"ts": ts, "key": key, "value": value}), file=self._process.stdin)
        print(file=self._process.stdin, flush=True)

    def finish(self, orders):
        return [tuple(map(int, self._process.stdout.readline().split())) for _ in orders]


class LibrdkafkaWriter:
    def __init__(self, bootstrap):
        self._producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap})
        self.name = f"librdkafka-{confluent_kafka.libversion()[0]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._producer.close()

    def begin(self, orders):
        self._written = [None] * len(orders)
        for index, (ts, key, value) in enumerate(orders):
            self._producer.produce(TOPIC, value, key, timestamp=ts, on_delivery=self._note(index))

    def finish(self, orders):
        if self._producer.flush(30):
            sys.exit("librdkafka did not deliver in 30 s")
        return self._written

    def _note(self, index):
        def delivered(error, message):
            if error:
                sys.exit(f"librdkafka did not deliver: {error}")
            self._written[index] = (message.partition(), message.offset())

        return delivered


def write_orders(bootstrap, rng):
    """Writes all orders; returns {(partition, offset): (writer's name, order)}, as the broker told the writers."""
    written = {}
    with JavaWriter(bootstrap) as java_writer, LibrdkafkaWriter(bootstrap) as librdkafka_writer:
        minutes = {}
        for order in make_orders(rng):
            writer = librdkafka_writer if order[0] >= millis(JOIN) and rng.random() < 0.5 else java_writer
            minute = minutes.setdefault(order[0] // MINUTE_MILLIS, {java_writer: [], librdkafka_writer: []})
            minute[writer].append(order)
        for minute in minutes.values():
            for writer, orders in minute.items():
                writer.begin(orders)
            for writer, orders in minute.items():
                places = writer.finish(orders)
                written.update((place, (writer.name, order)) for place, order in zip(places, orders, strict=True))
    return written


def expected_partitions(keys):
    """{key: where kafka-clients puts it}"""
    answer = subprocess.run(
        java("oracle.kafkabroker.Expected", str(PARTITIONS)),
        input="".join(key.hex() + "\n" for key in keys),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return dict(zip(keys, map(int, answer.split()), strict=True))


def dump(bootstrap):
    """The whole topic, byte for byte as kcat prints it."""
    return subprocess.run(
        ["kcat", "-C", "-J", "-q", "-e", "-o", "beginning", "-b", bootstrap, "-t", TOPIC],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        timeout=120,
        check=True,
    ).stdout


def make_truth(lines, written):
    """One line a record of the dump; fails unless the dump is exactly what was written."""
    records = [json.loads(line) for line in lines]
    keys = sorted({record["key"].encode() for record in records if record["key"] is not None})
    expected = expected_partitions(keys)
    for record in records:
        place = record["partition"], record["offset"]
        writer, order = written.pop(place)
        if order != (record["ts"], record["key"], record["payload"]):
            sys.exit(f"the dump has {record}, but {writer} wrote {order}")
        yield {
            "partition": place[0],
            "offset": place[1],
            "writer": writer,
            "expected": None if record["key"] is None else expected[record["key"].encode()],
        }
    if written:
        sys.exit(f"{len(written)} orders are missing from the dump")


def create_topic(bootstrap):
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1)])[TOPIC].result(30)


def main(folder):
    with Broker() as broker:
        create_topic(broker.bootstrap)
        written = write_orders(broker.bootstrap, random.Random(SEED))
        dumped = dump(broker.bootstrap)
    truth = list(make_truth(dumped.decode().split("\n")[:-1], written))

    folder.mkdir(exist_ok=True)
    (folder / "orders.jsonl").write_bytes(dumped)
    with (folder / "orders.truth.jsonl").open("w") as file:
        for line in truth:
            print(json.dumps(line, separators=(",", ":")), file=file)
    print(f"wrote {len(truth)} records to {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
