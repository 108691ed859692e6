"""librdkafka, through the confluent-kafka wheel: its exported partitioners, and its producer where a key may be unpinned.

A null or empty key, and every key of the random partitioner, goes through confluent_kafka.Producer to librdkafka's own
mock cluster, and the delivery report says where it went. The exported partitioner functions answer every other key;
their random branches need a topic handle and are never called.
"""
import ctypes
import functools
import glob
import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
import confluent_kafka  # noqa: E402
from confluent_kafka.serialization import DoubleSerializer, IntegerSerializer  # noqa: E402

PARTITIONERS = ["random", "consistent", "consistent_random", "murmur2", "murmur2_random", "fnv1a", "fnv1a_random"]
SERIALIZERS = {"integer": (int, IntegerSerializer()), "double": (float, DoubleSerializer())}
MOST_MOCKED = 10000     # partitions of a topic of the mock cluster
STICKY = 0.011          # seconds; longer than the default sticky.partitioning.linger.ms

wheel = os.path.dirname(os.path.dirname(confluent_kafka.__file__))
(library,) = glob.glob(os.path.join(wheel, "confluent_kafka.libs", "librdkafka-*.so*"))
rd = ctypes.CDLL(library)
for function, result, arguments in [
    ("rd_kafka_version_str", ctypes.c_char_p, []),
    ("rd_kafka_conf_new", ctypes.c_void_p, []),
    ("rd_kafka_new", ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]),
    ("rd_kafka_mock_cluster_new", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_int]),
    ("rd_kafka_mock_cluster_bootstraps", ctypes.c_char_p, [ctypes.c_void_p]),
    ("rd_kafka_mock_topic_create", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int]),
] + [("rd_kafka_msg_partitioner_" + name, ctypes.c_int32,
      [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p])
     for name in PARTITIONERS]:
    getattr(rd, function).restype = result
    getattr(rd, function).argtypes = arguments


class Mock:
    """One mock cluster, a topic for each count, a producer for each partitioner."""
    cluster = None
    topics = set()
    producers = {}

    @classmethod
    def topic(cls, partitions):
        if cls.cluster is None:
            why = ctypes.create_string_buffer(512)
            handle = rd.rd_kafka_new(0, rd.rd_kafka_conf_new(), why, 512)
            cls.cluster = handle and rd.rd_kafka_mock_cluster_new(handle, 1)
            if not cls.cluster:
                raise RuntimeError("no mock cluster: %s" % why.value.decode())
        name = "t%d" % partitions
        if name not in cls.topics:
            if partitions > MOST_MOCKED:
                raise oracle.Unsupported("no topic of %d partitions in the mock cluster" % partitions)
            code = rd.rd_kafka_mock_topic_create(cls.cluster, name.encode(), partitions, 1)
            if code:
                raise RuntimeError("rd_kafka_mock_topic_create: %d" % code)
            cls.topics.add(name)
        return name

    @classmethod
    def producer(cls, partitioner):
        if partitioner not in cls.producers:
            cls.producers[partitioner] = confluent_kafka.Producer({
                "bootstrap.servers": rd.rd_kafka_mock_cluster_bootstraps(cls.cluster).decode(),
                "partitioner": partitioner, "linger.ms": 0})
        return cls.producers[partitioner]

    @classmethod
    def produce(cls, partitioner, partitions, keys):
        """The partition of each key in the delivery report, after one produce() each."""
        topic = cls.topic(partitions)   # before the producer: it starts the cluster
        return write(cls.producer(partitioner), topic, [(key, b"") for key in keys])


def write(producer, topic, records):
    """The partition of each (key, value) in the delivery report, or an outcome where it was not delivered."""
    where = [None] * len(records)

    def delivered(index):
        def report(failure, message):
            if failure is None and message.key() != records[index][0]:
                failure = "the key was %r on the wire" % message.key()
            where[index] = message.partition() if failure is None else oracle.error("delivery: %s" % failure)
        return report

    for index, (key, value) in enumerate(records):
        while where[index] is None:
            try:
                producer.produce(topic, value=value, key=key, on_delivery=delivered(index))
                break
            except BufferError:
                producer.poll(0.1)
            except Exception as failure:
                where[index] = oracle.rejected(oracle.reason(failure))
        producer.poll(0)
    if producer.flush(oracle.DELIVERY_SECONDS):
        raise RuntimeError("messages were not delivered in %d s" % oracle.DELIVERY_SECONDS)
    return where


def observe(partitioner, partitions, keys):
    """Each key produced until it lands in a second place, at most 64 times."""
    places = [[] for _ in keys]
    outcomes = [None] * len(keys)
    asked = list(range(len(keys)))
    for turn in range(oracle.REPEATS):
        for index, place in zip(asked, Mock.produce(partitioner, partitions, [keys[index] for index in asked])):
            if isinstance(place, dict):
                outcomes[index] = place
            else:
                places[index].append(place)
                if place != places[index][0] or turn == oracle.REPEATS - 1:
                    outcomes[index] = oracle.seen(places[index])
        asked = [index for index in asked if outcomes[index] is None]
        if not asked:
            break
        time.sleep(STICKY)
    return outcomes


def to_bytes(key):
    if isinstance(key, oracle.Typed) and key.type in SERIALIZERS:
        parse, serialize = SERIALIZERS[key.type]
        try:
            return serialize(parse(key.value), None)
        except Exception as failure:
            raise oracle.Rejected(oracle.reason(failure))
    return oracle.to_bytes(key)


def scheme(partitioner):
    call = getattr(rd, "rd_kafka_msg_partitioner_" + partitioner)

    def place(params, keys):
        partitions = oracle.count(params)
        produced = {}

        def one(_, key):
            data = to_bytes(key)
            if not data or partitioner == "random":
                Mock.topic(partitions)
                produced.setdefault(data, None)
                return oracle.error("produced below") | {"key": data}
            return call(None, data, len(data), partitions, None, None)

        outcomes = oracle.each(one)(params, keys)
        if produced:
            produced = dict(zip(produced, observe(partitioner, partitions, list(produced))))
        return [produced[outcome["key"]] if "key" in outcome else outcome for outcome in outcomes]
    return place


def producer(partitioner):
    """All other settings at their defaults."""
    connect = functools.cache(lambda: confluent_kafka.Producer(
        {"bootstrap.servers": os.environ["KAFKA_BOOTSTRAP"], "partitioner": partitioner}))

    def send(topic, records):
        return [place if isinstance(place, dict) else None for place in write(connect(), topic, records)]
    return oracle.Producer(send, to_bytes)


def selftest():
    """The exported functions against the producer: the same keys, the same partitions."""
    source = random.Random(1)
    for partitioner in PARTITIONERS[1:]:
        for partitions in (1, 2, 3, 7, 12, 100, 1000):
            keys = [bytes([byte]) for byte in range(256)] + [b"\0", b"a\0b", b"k" * 100000]
            keys += [source.randbytes(source.randint(1, 40)) for _ in range(500)]
            call = getattr(rd, "rd_kafka_msg_partitioner_" + partitioner)
            direct = [call(None, key, len(key), partitions, None, None) for key in keys]
            if direct != Mock.produce(partitioner, partitions, keys):
                sys.exit("%s, %d partitions: the function and the producer differ" % (partitioner, partitions))
            print("%s, %d partitions: %d keys agree" % (partitioner, partitions, len(keys)), file=sys.stderr)


if sys.argv[1:] == ["--selftest"]:
    selftest()
else:
    schemes = {"kafka/librdkafka-" + name.replace("_", "-"): name for name in PARTITIONERS}
    oracle.serve("librdkafka-python", rd.rd_kafka_version_str().decode(),
                 {name: scheme(partitioner) for name, partitioner in schemes.items()},
                 producers={name: producer(partitioner) for name, partitioner in schemes.items()})
