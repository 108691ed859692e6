"""aiokafka's default partitioner. A str key is handed over as UTF-8: the client itself takes bytes alone."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
import aiokafka  # noqa: E402
from aiokafka.partitioner import DefaultPartitioner  # noqa: E402

default = DefaultPartitioner()


def place(params, keys):
    partitions = list(range(oracle.count(params, most=100000)))

    def one(_, key):
        data = oracle.to_bytes(key)
        return oracle.observe(lambda: default(data, partitions, partitions), 1 if data else oracle.REPEATS)
    return oracle.each(one)(params, keys)


oracle.serve("aiokafka", aiokafka.__version__, {"kafka/kafka-python": place})
