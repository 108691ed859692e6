"""redis/cluster: CLUSTER KEYSLOT of a running server in cluster mode, or what three nodes of a running cluster say.

    adapter.py PROGRAM NAME-VERSION [cluster]

In a cluster every node is sent GET of every key, and the slot is the one that MOVED names.
"""
import os
import signal
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
from redis_server import Cluster, Connection, ReplyError, Server  # noqa: E402

PIPELINE = 500


def to_bytes(key):
    if isinstance(key, str):
        try:
            key = key.encode("utf-8")
        except UnicodeEncodeError:
            raise oracle.Unsupported("a server takes bytes: a lone surrogate has none")
    if key is not None and not isinstance(key, bytes):
        raise oracle.Unsupported("a server takes bytes")
    return key


def ask(port, commands):
    with Connection(port) as connection:
        try:
            return connection.ask(commands)
        except ReplyError as failure:
            return [failure]


def keyslots(keys):
    replies = ask(server.port, [[b"CLUSTER", b"KEYSLOT", key] for key in keys])
    return [oracle.rejected(str(each)) if isinstance(each, ReplyError) else oracle.placed(each) for each in replies]


def owners(keys):
    return [oracle.rejected(found) if isinstance(found, str) else dict(oracle.placed(found[0]), owner=found[1])
            for found in server.find(keys)]


def scheme(params, keys):
    outcomes = oracle.each(lambda _, key: {"key": to_bytes(key)})(params, keys)
    pending = [outcome for outcome in outcomes if "key" in outcome]
    null = [outcome for outcome in pending if outcome["key"] is None]
    keyed = [outcome for outcome in pending if outcome["key"] is not None]
    # The server closes a connection that sends it a null, so each goes alone.
    for chunk in [[each] for each in null] + [keyed[i:i + PIPELINE] for i in range(0, len(keyed), PIPELINE)]:
        for outcome, answer in zip(chunk, place([each["key"] for each in chunk])):
            outcome.clear()
            outcome.update(answer)
    return outcomes


program, name, *cluster = sys.argv[1:]
options = {"has_cluster_port": not name.startswith("redis-6")}
place, start = (owners, Cluster) if cluster else (keyslots, Server)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
with start(program, **options) as server:
    oracle.serve(name.partition("-")[0], server.version(), {"redis/cluster": scheme})
