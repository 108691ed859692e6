"""kafka-python's partitioners. A str key is handed over as UTF-8: the client itself takes bytes alone."""
import functools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
import kafka  # noqa: E402
from kafka.errors import MessageSizeTooLargeError  # noqa: E402
from kafka.partitioner import DefaultPartitioner  # noqa: E402
from kafka.version import __version__ as version  # noqa: E402

MOST = 100000
PROCESSES = 32
LEGACY = """
import json, sys
from kafka.partitioner.hashed import LegacyPartitioner
partitions, keys = json.load(sys.stdin)
partitioner = LegacyPartitioner(range(partitions))
print(json.dumps([partitioner.partition(None if key is None else bytes.fromhex(key)) for key in keys]))
"""
default = DefaultPartitioner()


class Cluster:
    """The metadata that a producer hands to a partitioner of kafka-python 3: one topic, all of it available."""

    def __init__(self, partitions):
        self.partitions = set(range(partitions))

    def topics(self):
        return {"t"}

    def partitions_for_topic(self, topic):
        return self.partitions

    available_partitions_for_topic = partitions_for_topic


def partitioner(partitions):
    if hasattr(default, "partition"):
        cluster = Cluster(partitions)
        return lambda key: default.partition("t", key, key, b"", b"", cluster)
    listed = list(range(partitions))
    return lambda key: default(key, listed, listed)


def place(params, keys):
    ask = partitioner(oracle.count(params, most=MOST))

    def one(_, key):
        data = oracle.to_bytes(key)
        return oracle.observe(lambda: ask(data), 1 if data else oracle.REPEATS)
    return oracle.each(one)(params, keys)


def place_hashed(params, keys):
    """LegacyPartitioner in several processes: hash() of a key is another in each."""
    partitions = oracle.count(params, most=MOST)
    outcomes = oracle.each(lambda _, key: {"key": oracle.to_bytes(key)})(params, keys)
    asked = [outcome for outcome in outcomes if "key" in outcome]
    request = json.dumps([partitions, [None if each["key"] is None else each["key"].hex() for each in asked]])
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    runs = [json.loads(subprocess.run([sys.executable, "-c", LEGACY], input=request, stdout=subprocess.PIPE,
                                      env=environment, text=True, check=True).stdout) for _ in range(PROCESSES)]
    for outcome, places in zip(asked, zip(*runs)):
        outcome.clear()
        outcome.update(oracle.placed(places[0]) if len(set(places)) == 1 else
                       {"outcome": "refused", "why": "another place in another process"})
    return outcomes


@functools.cache
def producer():
    return kafka.KafkaProducer(bootstrap_servers=os.environ["KAFKA_BOOTSTRAP"])


def send(topic, records):
    """By one producer with default settings."""
    def attempt(call):
        try:
            return call()
        except MessageSizeTooLargeError as failure:
            return oracle.rejected(oracle.reason(failure))
        except Exception as failure:
            return oracle.error("delivery: %s" % oracle.reason(failure))

    sent = [attempt(lambda: producer().send(topic, value=value, key=key)) for key, value in records]
    delivered = [one if isinstance(one, dict) else attempt(lambda: one.get(oracle.DELIVERY_SECONDS)) for one in sent]
    return [one if isinstance(one, dict) else None for one in delivered]


schemes = {"kafka/kafka-python": place}
if not hasattr(default, "partition"):
    schemes["kafka/kafka-python-hashed"] = place_hashed
oracle.serve("kafka-python", version, schemes, producers={"kafka/kafka-python": oracle.Producer(send)})
