"""redis/cluster: CLUSTER KEYSLOT of a running server in cluster mode, or what three nodes of a running cluster say.

    adapter.py PROGRAM NAME-VERSION [cluster]

In a cluster every node is sent GET of every key. One takes it; the other two answer MOVED with the key's slot and the
address of the one that does, or else there is no answer.
"""
import os
import re
import signal
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
from redis_server import Cluster, Connection, ReplyError, Server  # noqa: E402

PIPELINE = 500
MOVED = re.compile(r"MOVED (\d+) (\S+)")


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
    nodes = {"127.0.0.1:%d" % node.port: ask(node.port, [[b"GET", key] for key in keys]) for node in server.servers}
    return [owner(dict(zip(nodes, replies))) for replies in zip(*nodes.values())]


def owner(replies):
    """The outcome of one key from the reply of each node."""
    errors = {address: str(reply) for address, reply in replies.items() if isinstance(reply, ReplyError)}
    took = [address for address in replies if address not in errors]
    moved = {match.groups() if match else error for error in errors.values() for match in [MOVED.fullmatch(error)]}
    if len(took) == 1 and len(moved) == 1:
        (slot, address), = moved
        if address == took[0]:
            return dict(oracle.placed(int(slot)), owner=address)
    if not took and len(set(errors.values())) == 1 and "MOVED" not in errors[address := next(iter(errors))]:
        return oracle.rejected(errors[address])
    return oracle.error("the nodes disagree: %r" % errors)


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
