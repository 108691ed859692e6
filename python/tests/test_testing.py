"""keyfall.testing, over a lock of the example fleet and one with every kind of key."""

import json
import zlib
from pathlib import Path

import pytest

from keyfall import KeyfallError, Placer
from keyfall.testing import cases, check_partitioner

LOCK = Path(__file__).parents[2] / "examples/fleet/keyfall.lock.json"


def java(key, partitions):
    return Placer("kafka/java", partitions=partitions).place(key)


def crc32(key, partitions):
    return zlib.crc32(key if isinstance(key, bytes) else key.encode()) % partitions


def write(folder, dataset):
    lock = folder / "keyfall.lock.json"
    lock.write_text(json.dumps({"format": 1, "datasets": {"d": dataset}}))
    return lock


def case(key, outcome="placed", place=None, **params):
    return {"id": 1, "key": key, "params": params, "outcome": outcome, "place": place, "flags": [], "sources": []}


def test_a_partitioner_that_keeps_the_contract():
    check_partitioner(java, "orders", LOCK)


def test_one_that_does_not():
    with pytest.raises(AssertionError) as failure:
        check_partitioner(crc32, "orders", LOCK)
    lines = str(failure.value).splitlines()
    assert lines[0] == "orders: kafka/java: 6 of 6 keys are not where they belong"
    assert lines[1] == "  'user:42' with partitions=12: expected 1, got 10"


def test_the_lock_is_found_above(monkeypatch):
    monkeypatch.chdir(LOCK.parent / "services")
    check_partitioner(java, "orders")
    assert [case.outcome for case in cases("orders")].count("unpinned") == 1


def test_no_lock(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="keyfall contract lock"):
        check_partitioner(java, "orders")


def test_what_is_handed_over(tmp_path):
    keys = [{"hex": "00ff"}, {"base64": "AP8="}, {"text": "é"}, {"utf16": [55357, 97]}, {"type": "long", "value": "-1"},
            {"type": "string", "value": "s"}, {"type": "bytes", "value": "00"}, {"type": "boolean", "value": "false"},
            {"type": "uuid", "value": "0-0"}, {"tuple": [{"text": "a"}]}]
    lock = write(tmp_path, {"scheme": "a/b", "cases": [case(key, place=0, partitions=3) for key in keys]})
    seen = []

    def partitioner(key, partitions):
        seen.append(key)
        return 0

    check_partitioner(partitioner, "d", lock)
    assert seen == [b"\x00\xff", b"\x00\xff", "é", "\ud83da", -1, "s", b"\x00", False,
                    {"type": "uuid", "value": "0-0"}, {"tuple": [{"text": "a"}]}]


def test_outcomes(tmp_path):
    lock = write(tmp_path, {"scheme": "a/b", "cases": [
        case({"text": "far"}, place="9223372036854775807"), case(None, "unpinned"), case({"text": ""}, "rejected")]})

    def partitioner(key):
        if key == "":
            raise KeyfallError("empty")
        return {"far": 2**63 - 1}[key]

    check_partitioner(partitioner, "d", lock)
    for wrong, said in [
        (lambda key: 2**63 - 1, "'' with no params: got 9223372036854775807, and is to be rejected"),
        (lambda key: True, "expected 9223372036854775807, got True"),
        (lambda key: 1 / 0, "raised ZeroDivisionError"),
        (lambda key: None, "got None"),
    ]:
        with pytest.raises(AssertionError) as failure:
            check_partitioner(wrong, "d", lock)
        assert said in str(failure.value)


def test_a_lock_that_cannot_be_asked(tmp_path):
    with pytest.raises(KeyError, match="no dataset payments; there are orders"):
        check_partitioner(java, "payments", LOCK)
    with pytest.raises(AssertionError, match="no fixtures"):
        check_partitioner(java, "d", write(tmp_path, {"scheme": "a/b", "cases": [case(None, "unpinned")]}))
    lock = tmp_path / "other.json"
    lock.write_text('{"format": 2}')
    with pytest.raises(ValueError, match="format 2"):
        check_partitioner(java, "d", lock)
