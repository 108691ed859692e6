"""The partitioner of ScyllaDB's CDC log tables, transcribed: the server cannot be had here.

Read in scylladb/scylladb (36b57f3432cb34e20df27a7bc90ff16b4ecb043f): cdc/cdc_partitioner.cc, to_token, and dht/token.hh,
normalize. The first column of the partition key is looked at, and a log table has no more.
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402

VERSION = "master, 36b57f3432cb"
MINIMUM = -2**63            # raw() of minimum_token()


def place(_, key):
    if not isinstance(key, (bytes, str)):
        raise oracle.Unsupported("a stream id is a blob")
    data = oracle.to_bytes(key)
    if len(data) != 16:     # 2 * sizeof(int64_t)
        token = MINIMUM
    else:
        token, = struct.unpack(">q", data[:8])
        token = 2**63 - 1 if token == MINIMUM else token
    return oracle.placed(str(token), token)


oracle.serve("scylladb", VERSION, {"scylla/cdc": oracle.each(place)})
