"""Where confluent-kafka puts keys, with the configuration of service.py: they are produced to librdkafka's own mock
cluster, and the delivery report says where each went."""
import ctypes
import glob
import os
import time

import confluent_kafka

import oracle_helper as oracle
import service

MOST = 10_000           # partitions of a topic of the mock cluster
STICKY = 0.011          # seconds; longer than the default sticky.partitioning.linger.ms

(library,) = glob.glob(os.path.join(os.path.dirname(confluent_kafka.__file__), "../confluent_kafka.libs/librdkafka-*.so*"))
rd = ctypes.CDLL(library)
for name in ["conf_new", "new", "mock_cluster_new"]:
    getattr(rd, "rd_kafka_" + name).restype = ctypes.c_void_p
rd.rd_kafka_mock_cluster_bootstraps.restype = ctypes.c_char_p
handle = rd.rd_kafka_new(0, ctypes.c_void_p(rd.rd_kafka_conf_new()), None, ctypes.c_size_t(0))
cluster = ctypes.c_void_p(rd.rd_kafka_mock_cluster_new(ctypes.c_void_p(handle), 1))
producer = confluent_kafka.Producer({"linger.ms": 0, **service.PRODUCER,
                                     "bootstrap.servers": rd.rd_kafka_mock_cluster_bootstraps(cluster).decode()})
topics = set()


def produce(topic, keys):
    """The place of each key, or the outcome where the client does not take it."""
    places = [oracle.error("not delivered")] * len(keys)

    def delivered(index):
        def report(failure, message):
            places[index] = oracle.rejected(str(failure)) if failure else message.partition()
        return report

    for index, key in enumerate(keys):
        while True:
            try:
                producer.produce(topic, value=b"", key=key, on_delivery=delivered(index))
                break
            except BufferError:
                producer.poll(0.1)
        producer.poll(0)
    producer.flush(60)
    return places


def place(params, keys):
    partitions = oracle.count(params, most=MOST)
    topic = "t%d" % partitions
    if topic not in topics:
        rd.rd_kafka_mock_topic_create(cluster, topic.encode(), partitions, 1)
        topics.add(topic)
    outcomes = oracle.each(lambda _, key: {"key": oracle.to_bytes(key)})(params, keys)
    asked = [outcome for outcome in outcomes if "key" in outcome]
    seen = [[] for _ in asked]
    for turn in range(oracle.REPEATS):
        # A key may be unpinned where it is null or empty: it is produced until it lands in a second place.
        again = [i for i, outcome in enumerate(asked)
                 if turn == 0 or not outcome["key"] and all(place == seen[i][0] for place in seen[i])]
        if not again:
            break
        if turn:
            time.sleep(STICKY)
        for i, where in zip(again, produce(topic, [asked[i]["key"] for i in again])):
            seen[i].append(where)
    for outcome, places in zip(asked, seen):
        outcome.clear()
        outcome.update(places[0] if isinstance(places[0], dict) else oracle.seen(places))
    return outcomes


oracle.serve(service.NAME, confluent_kafka.libversion()[0], {service.SCHEME: place})
