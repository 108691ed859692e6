"""A partitioner for kafka-python and aiokafka that places keys as another client does.

>>> from keyfall.partitioners import Partitioner
>>> java = Partitioner("kafka/java")
>>> java(b"100:48069", list(range(12)), list(range(12)))
9

confluent-kafka needs none: ``{"partitioner": "murmur2_random"}`` is Java's.
"""

import random
from collections.abc import Sequence
from typing import Any

from ._keyfall import KeyfallError, Placer

__all__ = ["Partitioner"]


class Partitioner:
    """What ``KafkaProducer(partitioner=...)`` and ``AIOKafkaProducer(partitioner=...)`` take: kafka-python 1 to 3, aiokafka.

    The count of partitions is the topic's, at each call. Where the scheme leaves the client the choice (a null key), any
    partition with a leader is taken; if none has one, any partition. ``KeyfallError`` is raised for a scheme or params that
    cannot be used, ``Rejected`` at a call for a key that the scheme does not take.
    """

    def __init__(self, scheme: str = "kafka/java", **params: object) -> None:
        if not scheme.startswith("kafka/"):
            raise KeyfallError(f"{scheme} is no scheme of Kafka: a partitioner needs one, such as kafka/java")
        self._scheme, self._params = scheme, params
        self._placers: dict[int, Placer] = {}
        self._placer(1)  # What cannot be used is told here, not when the first record is sent.

    def _placer(self, count: int) -> Placer:
        if count not in self._placers:
            self._placers[count] = Placer(self._scheme, partitions=count, **self._params)
        return self._placers[count]

    def __call__(self, key: bytes | None, all_partitions: Sequence[int], available: Sequence[int]) -> int:
        """As kafka-python up to 2 and aiokafka ask."""
        place = self._placer(len(all_partitions)).place(key)
        return random.choice(list(available or all_partitions)) if place is None else place

    def partition(
        self, topic: str, key: Any, serialized_key: bytes | None, value: Any, serialized_value: bytes | None, cluster: Any
    ) -> int:
        """As kafka-python from 3 on asks."""
        every = cluster.partitions_for_topic(topic)
        if not every:
            raise ValueError(f"topic {topic} is not in the cluster's metadata")
        return self(serialized_key, list(every), list(cluster.available_partitions_for_topic(topic) or ()))


try:
    from kafka.partitioner import Partitioner as _Theirs
except ImportError:
    pass
else:
    # kafka-python 3 asks otherwise whatever is not of its own class.
    if hasattr(_Theirs, "register"):
        _Theirs.register(Partitioner)
