"""redis/cluster: CLUSTER KEYSLOT of a running redis-server in cluster mode."""
import os
import signal
import sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
from redis_server import Connection, ReplyError, Server  # noqa: E402

PIPELINE = 500


def command(key):
    if isinstance(key, str):
        try:
            key = key.encode("utf-8")
        except UnicodeEncodeError:
            raise oracle.Unsupported("a server takes bytes: a lone surrogate has none")
    if key is not None and not isinstance(key, bytes):
        raise oracle.Unsupported("a server takes bytes")
    return [b"CLUSTER", b"KEYSLOT", key]


def ask(commands):
    with Connection(server.port) as connection:
        try:
            replies = connection.ask(commands)
        except ReplyError as failure:
            replies = [failure]
    return [oracle.rejected(str(each)) if isinstance(each, ReplyError) else oracle.placed(each) for each in replies]


def keyslot(params, keys):
    outcomes = oracle.each(lambda _, key: {"command": command(key)})(params, keys)
    pending = [outcome for outcome in outcomes if "command" in outcome]
    null = [outcome for outcome in pending if outcome["command"][2] is None]
    keyed = [outcome for outcome in pending if outcome["command"][2] is not None]
    # The server closes a connection that sends it a null, so each goes alone.
    for chunk in [[each] for each in null] + [keyed[i:i + PIPELINE] for i in range(0, len(keyed), PIPELINE)]:
        for outcome, answer in zip(chunk, ask([each["command"] for each in chunk])):
            outcome.clear()
            outcome.update(answer)
    return outcomes


signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
with Server() as server:
    oracle.serve("redis", server.version(), {"redis/cluster": keyslot})
