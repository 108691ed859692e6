"""Where kafka-python puts keys, with the configuration of service.py: its partitioner is called as its producer does."""
import kafka
from kafka.version import __version__ as version

import oracle_helper as oracle
import service

config = {**kafka.KafkaProducer.DEFAULT_CONFIG, **service.PRODUCER}
partitioner = config["partitioner"]


class Cluster:
    """The metadata that a producer hands to its partitioner: one topic, all of it available."""

    def __init__(self, partitions):
        self.partitions = set(range(partitions))

    def topics(self):
        return {"topic"}

    def partitions_for_topic(self, topic):
        return self.partitions

    available_partitions_for_topic = partitions_for_topic


def place(params, keys):
    cluster = Cluster(oracle.count(params, most=100_000))

    def one(_, key):
        data = oracle.to_bytes(key)
        return oracle.observe(lambda: partitioner.partition("topic", key, data, b"", b"", cluster),
                              1 if data else oracle.REPEATS)
    return oracle.each(one)(params, keys)


oracle.serve(service.NAME, version, {service.SCHEME: place})
