"""Runs every vector: each key as a KEY dict, and as the Python value that it stands for where there is one."""

import base64
import json
import os
import pathlib

import keyfall
import pytest

ROOT = pathlib.Path(os.environ.get("KEYFALL_VECTORS") or pathlib.Path(__file__).parents[2] / "vectors")
FILES = sorted(path for path in ROOT.glob("*/*.json") if path.parent.name not in ("data", "runs"))


class Number(str):
    """A number as it was written: among a key's fields 1.0 is not 1."""


def plain(value, fields=False):
    """``value`` with numbers as Python has them; among fields they keep their text."""
    match value:
        case Number():
            return {"type": "number", "value": str(value)} if fields else json.loads(value)
        case {"utf16": list(units)}:
            return {"utf16": plain(units)}
        case {"fields": dict(inner), **rest} if not rest:
            return {"fields": plain(inner, fields=True)}
        case dict():
            return {name: plain(item, fields) for name, item in value.items()}
        case list():
            return [plain(item, fields) for item in value]
    return value


def forms(key):
    """Every way to write a key in Python."""
    yield key
    match key:
        case {"hex": text}:
            yield bytes.fromhex(text)
            yield bytearray.fromhex(text)
            yield memoryview(bytes.fromhex(text))
        case {"base64": text}:
            yield base64.b64decode(text)
        case {"text": text}:
            yield text
        case {"utf16": units}:
            yield b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "surrogatepass")


def placed(placer, key):
    try:
        place = placer.place(key)
    except keyfall.Rejected:
        return "rejected", None
    except keyfall.Refused:
        return "refused", None
    except keyfall.KeyfallError:
        return "error", None
    return ("unpinned" if place is None else "placed"), place


def is_token(text):
    return isinstance(text, str) and text.removeprefix("-").isdecimal()


def differences(placer, case, tokens):
    for key in forms(case["key"]):
        got = placer.outcome(key)
        for name in ("outcome", "place", "hash", "owner"):
            wanted = case.get(name)
            if (name in case or name == "place") and (type(got.get(name)), got.get(name)) != (type(wanted), wanted):
                yield f"outcome({key!r}): {name} is {got.get(name)!r}, expected {wanted!r}"
        wanted = case.get("place")
        wanted = case["outcome"], int(wanted) if tokens and wanted is not None else wanted
        got = placed(placer, key)
        if got != wanted or type(got[1]) is not type(wanted[1]):
            yield f"place({key!r}) is {got!r}, expected {wanted!r}"


def test_there_are_vectors():
    assert FILES, f"no vector files <system>/<variant>.json in {ROOT}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_vectors(path, counts):
    vectors = plain(json.loads(path.read_text("utf-8"), parse_int=Number, parse_float=Number))
    assert vectors["format"] == 1
    # Places over 53 bits are strings in JSON and ints here; places that are bytes are strings in both.
    tokens = all(is_token(case["place"]) for case in vectors["cases"] if "place" in case)
    failures = []
    for case in vectors["cases"]:
        try:
            placer = keyfall.Placer(vectors["scheme"], **case.get("params", {}))
            found = list(differences(placer, case, tokens))
        except Exception as error:
            found = [repr(error)]
        counts["failed" if found else "passed"] += 1
        failures += [f"case {case['id']} {case.get('params', {})}: {what}" for what in found]
    assert not failures, f"{len(failures)} differences:\n" + "\n".join(failures[:40])
