"""pykafka's hashing partitioner. A str key is handed over as UTF-8: the client itself takes bytes alone."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
import pykafka  # noqa: E402
from pykafka.partitioners import HashingPartitioner  # noqa: E402

hashing = HashingPartitioner()


def place(params, keys):
    partitions = list(range(oracle.count(params, most=100000)))

    def one(_, key):
        data = oracle.to_bytes(key)
        try:
            return hashing(partitions, data)
        except ValueError as failure:
            raise oracle.Rejected(oracle.reason(failure))
    return oracle.each(one)(params, keys)


oracle.serve("pykafka", pykafka.__version__, {"kafka/pykafka-hashing": place})
