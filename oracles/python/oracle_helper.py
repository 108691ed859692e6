"""The oracle protocol for adapters written in Python: JSON lines on stdin and stdout, standard library only.

    import oracle_helper as oracle
    oracle.serve("client", "1.2.3", {"system/scheme": oracle.each(place_one)})

A scheme is a function (params, keys) -> outcomes. A decoded key is None, bytes, str (text and utf16, lone surrogates
kept), Typed, a tuple of keys or a dict of keys. `each` makes a scheme of a function (params, key) -> place or outcome
that may raise Rejected, Refused or Unsupported.

A Producer also answers `produce`, with which servers/kafka has the client write to a running broker: its README.md.
"""
import base64
import collections
import json
import os
import sys

REPEATS = 64
DELIVERY_SECONDS = 60
Typed = collections.namedtuple("Typed", "type value")


class Rejected(Exception):
    """The client does not take this key."""


class Refused(Exception):
    """Nobody outside the system can compute this."""


class Unsupported(Exception):
    """This adapter has no way to hand this key to the client."""


class Skipped(Exception):
    """This source does not answer such a request at all."""


class Malformed:
    def __init__(self, why):
        self.why = why


def decode(key):
    if key is None:
        return None
    if isinstance(key, dict):
        if set(key) == {"type", "value"}:
            return Typed(key["type"], key["value"])
        if len(key) == 1:
            (form, value), = key.items()
            if form == "hex":
                return bytes.fromhex(value)
            if form == "base64":
                return base64.b64decode(value, validate=True)
            if form == "text":
                return value
            if form == "utf16":
                units = b"".join(unit.to_bytes(2, "little") for unit in value)
                return units.decode("utf-16-le", "surrogatepass")
            if form == "tuple":
                return tuple(decode(part) for part in value)
            if form == "fields":
                return {name: decode(part) if isinstance(part, dict) else part for name, part in value.items()}
    raise ValueError("not a key: %s" % json.dumps(key)[:200])


def try_decode(key):
    try:
        return decode(key)
    except Exception as error:
        return Malformed(reason(error))


def placed(place, hash=None):
    outcome = {"outcome": "placed", "place": place}
    if hash is not None:
        outcome["hash"] = str(hash)
    return outcome


def unpinned(why):
    return {"outcome": "unpinned", "why": why}


def rejected(why):
    return {"outcome": "rejected", "why": why}


def error(why):
    return {"outcome": "error", "why": why}


def reason(exception):
    text = "%s: %s" % (type(exception).__name__, exception)
    return text.encode("utf-8", "backslashreplace").decode()[:300]


def seen(places):
    """The outcome of one key placed several times by one client."""
    if len(set(places)) == 1:
        return placed(places[0])
    return unpinned("one key, placed again, landed in another place")


def observe(ask, repeats=REPEATS):
    return seen([ask() for _ in range(repeats)])


def to_bytes(key):
    """The bytes (or None) of a key for a client that takes bytes; text is UTF-8."""
    if isinstance(key, Typed):
        if key.type == "bytes":
            return bytes.fromhex(key.value)
        if key.type == "void":
            return None
        if key.type == "string":
            key = key.value
    if key is None or isinstance(key, bytes):
        return key
    if isinstance(key, str):
        try:
            return key.encode("utf-8")
        except UnicodeEncodeError as failure:
            raise Rejected(reason(failure))
    raise Unsupported("this client has no serializer for %s" % (key.type if isinstance(key, Typed) else "such a key"))


def answer(ask, *args):
    """One outcome from a function that returns a place or an outcome, or raises."""
    try:
        result = ask(*args)
    except Rejected as failure:
        return rejected(str(failure))
    except Refused as failure:
        return {"outcome": "refused", "why": str(failure)}
    except Unsupported as failure:
        return error(str(failure))
    return result if isinstance(result, dict) else placed(result)


def each(ask):
    def scheme(params, keys):
        return [error(key.why) if isinstance(key, Malformed) else answer(ask, params, key) for key in keys]
    return scheme


def count(params, name="partitions", most=2**31 - 1):
    value = params.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise Skipped("%s must be between 1 and %d" % (name, most))
    return value


class Producer:
    """`send(topic, [(key, value), ...])` writes bytes to the broker whose address is in KAFKA_BOOTSTRAP and waits until
    all are there; it returns None for each, or the outcome where it was not written."""

    def __init__(self, send, to_bytes=to_bytes):
        self.send = send
        self.to_bytes = to_bytes

    def answer(self, request):
        keys = [try_decode(key) for key in request["keys"]]
        outcomes = each(lambda _, key: {"outcome": "produced", "key": self.to_bytes(key)})({}, keys)
        records = {index: (outcome.pop("key"), value(request, index))
                   for index, outcome in enumerate(outcomes) if "key" in outcome}
        for index, failure in zip(records, self.send(request["topic"], list(records.values()))):
            outcomes[index] = failure or outcomes[index]
        return outcomes


def value(request, index):
    """The value of a record says which one it is."""
    return b"%d/%d/" % (request["seq"], index) + bytes(request["fill"])


def serve(name, client_version, schemes, language="python", producers={}, decode=try_decode):
    """Answers until stop or the end of stdin. Whatever else writes to stdout is sent to stderr."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)

    def send(message):
        out.write(json.dumps(message, ensure_ascii=True, separators=(",", ":")) + "\n")
        out.flush()

    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        request = json.loads(line)
        command = request.get("cmd")
        if command == "start":
            send({"version": 1, "name": name, "client_version": client_version, "language": language,
                  "schemes": list(schemes)})
        elif command == "stop":
            break
        elif command in ("place", "produce"):
            reply = {"seq": request.get("seq")}
            scheme = (schemes if command == "place" else producers).get(request.get("scheme"))
            if scheme is None:
                reply["skipped"] = "no such scheme here"
            else:
                try:
                    if command == "place":
                        reply["outcomes"] = scheme(request.get("params") or {}, [decode(key) for key in request["keys"]])
                    else:
                        reply["outcomes"] = scheme.answer(request)
                except Skipped as skipped:
                    reply["skipped"] = str(skipped)
                except Exception as failure:
                    reply["error"] = reason(failure)
            send(reply)
        else:
            send({"seq": request.get("seq"), "error": "unknown command"})
