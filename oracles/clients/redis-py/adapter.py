"""Where the cluster clients of redis-py, valkey-py and redis-py-cluster look for keys: their keyslot(), which encodes as
a command does.

    adapter.py redis|valkey|rediscluster
"""
import importlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402

name = sys.argv[1]
client = importlib.import_module(name)
exceptions = importlib.import_module("redis.exceptions" if name == "rediscluster" else name + ".exceptions")


def keyslot():
    if name == "rediscluster":
        from rediscluster.nodemanager import NodeManager
        return NodeManager(startup_nodes=[{"host": "127.0.0.1", "port": 1}]).keyslot
    # Without a node to connect to; what keyslot() needs beside is the encoder of a connection with default settings.
    cluster_class = next(getattr(client, each) for each in ("RedisCluster", "ValkeyCluster") if hasattr(client, each))
    connections = importlib.import_module(name + ".connection").ConnectionPool()
    cluster = cluster_class.__new__(cluster_class)
    cluster.encoder = connections.get_encoder()
    return cluster.keyslot


ask = keyslot()


def place(_, key):
    if key is not None and not isinstance(key, (bytes, str)):
        raise oracle.Unsupported("this client takes bytes and text")
    try:
        return ask(key)
    except (exceptions.DataError, UnicodeEncodeError) as failure:
        raise oracle.Rejected(oracle.reason(failure))


oracle.serve("redis-py-cluster" if name == "rediscluster" else name + "-py", client.__version__,
             {"redis/cluster": oracle.each(place)})
