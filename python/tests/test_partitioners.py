"""Partitioners, against what kafka-python's own one says and against the vectors of every scheme of Kafka."""

import pytest
from kafka import KafkaProducer
from kafka.partitioner import DefaultPartitioner

import keyfall
from keyfall.partitioners import Partitioner


def bytes_cases(scheme):
    for case in keyfall.vectors(scheme)["cases"]:
        key = case["key"]
        if isinstance(key, dict) and "hex" in key and case["outcome"] == "placed" and set(case["params"]) == {"partitions"}:
            yield bytes.fromhex(key["hex"]), case["params"]["partitions"], case["place"]


@pytest.mark.parametrize("scheme", ["kafka/java", "kafka/librdkafka-consistent-random", "kafka/sarama-hash"])
def test_keys_go_where_the_vectors_say(scheme):
    place = Partitioner(scheme)
    cases = [case for case in bytes_cases(scheme) if case[1] <= 4096]
    assert len(cases) > 100
    for key, count, expected in cases:
        assert place(key, range(count), range(count)) == expected, (key, count)


def test_a_null_key_goes_to_a_partition_with_a_leader():
    place = Partitioner()
    assert {place(None, range(12), [3, 7]) for _ in range(100)} == {3, 7}
    assert place(None, range(12), []) in range(12)


def test_a_null_key_is_placed_where_the_scheme_places_it():
    assert {Partitioner("kafka/librdkafka-consistent")(None, range(12), [3]) for _ in range(10)} == {0}


def test_the_count_is_the_topics_at_each_call():
    place = Partitioner()
    assert [place(b"100:48069", range(n), range(n)) for n in (12, 1, 12)] == [9, 0, 9]


def test_what_cannot_be_used_is_told_at_once():
    for scheme, params, said in [
        ("kafka/jav", {}, "kafka/java"),
        ("redis/cluster", {}, "no scheme of Kafka"),
        ("kafka/java", {"shards": 3}, "shards"),
    ]:
        with pytest.raises(keyfall.KeyfallError, match=said):
            Partitioner(scheme, **params)


class Cluster:
    """What kafka-python's producer knows of its topics."""

    def __init__(self, count, available):
        self.count, self.available = count, available

    def topics(self):
        return {"t"}

    def partitions_for_topic(self, topic):
        return set(range(self.count)) if topic == "t" else None

    def available_partitions_for_topic(self, topic):
        return set(self.available) if topic == "t" else None


def test_as_the_client_itself():
    theirs, ours = DefaultPartitioner(), Partitioner()
    for count in (1, 7, 12, 1000):
        cluster = Cluster(count, range(count))
        for key in [b"", b"a", "ключ".encode(), bytes(range(256)), b"100:48069"]:
            asked = ("t", key, key, b"", b"", cluster)
            assert ours.partition(*asked) == theirs.partition(*asked), (key, count)
    assert {ours.partition("t", None, None, b"", b"", Cluster(12, [3])) for _ in range(10)} == {3}
    with pytest.raises(ValueError, match="topic other is not in"):
        ours.partition("other", b"a", b"a", b"", b"", Cluster(12, [3]))


def test_the_producer_asks_it_as_its_own(recwarn):
    producer = KafkaProducer.__new__(KafkaProducer)  # Without a broker: its choice of a partition alone.
    producer.config, producer._metadata = {"partitioner": Partitioner()}, Cluster(12, range(12))
    assert producer._partition("t", None, "100:48069", b"", b"100:48069", b"") == 9
    assert not recwarn.list
