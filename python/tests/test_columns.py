"""Columns: lists, NumPy, Arrow; what they hold is what single calls say."""

import array
import base64
import json
import mmap

import hypothesis.strategies as st
import keyfall
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from test_vectors import FILES, plain

ROWS = ["100:48069", None, "", "x" * 30, "ключ"]
STATUS = {"placed": 0, "unpinned": 1, "rejected": 2, "refused": 3, "error": 4}


@pytest.fixture
def java():
    return keyfall.Placer("kafka/java", partitions=12)


def singly(placer, keys):
    outcomes = [placer.outcome(key) for key in keys]
    return [placer.place(key) if o["outcome"] == "placed" else None for key, o in zip(keys, outcomes)], [
        STATUS[o["outcome"]] for o in outcomes
    ]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        iter,
        lambda keys: pa.array(keys),
        lambda keys: pa.array(["-", *keys]).slice(1),
        lambda keys: pa.array(keys, pa.large_string()),
        lambda keys: pa.array(keys, pa.string_view()),
        lambda keys: pa.array([None if k is None else k.encode() for k in keys], pa.binary()),
        lambda keys: pa.chunked_array([keys[:2], keys[2:]]),
        lambda keys: pa.table({"k": keys}),
        lambda keys: pl.Series(keys),
        lambda keys: pd.Series(keys, dtype=pd.ArrowDtype(pa.string())),
        lambda keys: np.array(keys, dtype=object),
    ],
)
def test_a_column_is_its_keys(java, make):
    places, status = java.place_many(make(ROWS), status=True)
    wanted = singly(java, ROWS)
    to_list = lambda column: column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    got = [None if place is np.ma.masked or place is pd.NA else place for place in to_list(places)]
    assert (got, [int(s) for s in to_list(status)]) == wanted


@pytest.mark.parametrize("dtype", ["S", "U"])
def test_numpy_gives_a_masked_array(java, dtype):
    keys = np.array(["100:48069", "", "b"], dtype=dtype)
    places = java.place_many(keys)
    assert isinstance(places, np.ma.MaskedArray) and places.dtype == np.uint32
    assert places.tolist() == [9, 9, java.place("b")]
    masked = np.ma.MaskedArray(keys, mask=[False, True, False])
    assert java.place_many(masked).tolist() == [9, None, java.place("b")]
    assert java.place_many(keys[::2]).tolist() == [9, java.place("b")]
    lone = np.array(["a\ud83d"])
    assert java.place_many(lone).tolist() == [java.place(b"a?")]


def test_integers_and_typed_columns(java):
    long = [java.place(keyfall.typed("long", n)) for n in (1, -1)]
    assert java.place_many(np.array([1, -1])).tolist() == java.place_many(pa.array([1, -1])).to_pylist() == long
    short = [java.place(keyfall.typed("short", n)) for n in (1, -1)]
    assert java.place_many([1, -1], key_type="short") == short
    assert java.place_many(pa.array([1, -1]), key_type="short").to_pylist() == short


def test_wide_places_are_ints_and_bytes_are_text():
    random, ordered = keyfall.Placer("cassandra/random"), keyfall.Placer("cassandra/byte-ordered")
    assert random.place_many([b"a", b""]) == [random.place(b"a"), -1]
    assert random.place_many(np.array([b"a", b"b"])).tolist() == [random.place(b"a"), random.place(b"b")]
    assert random.place_many(pa.array([b"a"])).to_pylist() == [str(random.place(b"a"))]
    assert ordered.place_many(pa.array([b"\0\xff"])).to_pylist() == ordered.place_many([b"\0\xff"]) == ["00ff"]


def test_composite_keys():
    placer = keyfall.Placer("cassandra/murmur3")
    tuple_ = placer.place(("a", keyfall.typed("int", 1), b"\0"))
    assert tuple_ == placer.place({"tuple": [{"text": "a"}, {"type": "int", "value": "1"}, {"hex": "00"}]})


def test_buffers(java):
    places, status = java.place_offsets(b"100:48069", array.array("i", [0, 9, 9]), status=True)
    assert (array.array("I", bytes(places)).tolist(), list(status)) == ([9, 9], [0, 0])
    assert java.place_offsets(b"100:48069", array.array("q", [0, 9, 9])) == places
    for offsets, said in [([0, 5, 2], "before"), ([0, 10], "beyond"), ([-1, 3], "negative")]:
        with pytest.raises(keyfall.KeyfallError, match=said):
            java.place_offsets(b"100:48069", array.array("i", offsets))
    with pytest.raises(TypeError, match="int32 or int64"):
        java.place_offsets(b"a", b"ab")


@pytest.mark.parametrize("keys", ["a", b"a", {"hex": "00"}, 5, np.array([[b"a"]]), np.array([1.5]), pa.array([1.5])])
def test_what_is_no_column(java, keys):
    with pytest.raises(TypeError, match="place_many takes|an array of keys|Arrow column"):
        java.place_many(keys)


def test_a_key_over_two_gib_is_an_error(java):
    with mmap.mmap(-1, 2**31) as zeros, pytest.raises(keyfall.KeyfallError, match="no system takes more than 2147483647"):
        java.place(memoryview(zeros))


@given(st.lists(st.one_of(st.none(), st.binary(), st.text(st.characters()))))
def test_lists_agree_with_single_calls(keys):
    placer = keyfall.Placer("kafka/java", partitions=12)
    places, status = placer.place_many(keys, status=True)
    assert (places, list(status)) == singly(placer, keys)


@given(st.one_of(st.binary(), st.text(st.characters()), st.integers(), st.none(), st.floats(), st.lists(st.binary())))
def test_direct_functions_never_crash(key):
    for call, placer in [
        (lambda key: keyfall.kafka_java(key, 12), keyfall.Placer("kafka/java", partitions=12)),
        (keyfall.redis_slot, keyfall.Placer("redis/cluster")),
        (keyfall.cassandra_token, keyfall.Placer("cassandra/murmur3")),
    ]:
        try:
            wanted = placer.place(key)
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error)):
                call(key)
        else:
            assert call(key) == wanted


def test_direct_functions_say_what_is_allowed():
    assert keyfall.kafka_java(b"100:48069", partitions=12) == 9
    assert keyfall.kafka_java(None, 12) is None
    for partitions in (0, -1, 2**31, 2**70, 1.5, "many"):
        with pytest.raises(keyfall.KeyfallError, match="from 1 to 2147483647"):
            keyfall.kafka_java(b"a", partitions)
    for call in (keyfall.kafka_java, lambda: keyfall.kafka_java(b"a"), lambda: keyfall.redis_slot(b"a", 1)):
        with pytest.raises(TypeError, match="takes"):
            call()


def test_vectors_are_the_files():
    everything = keyfall.vectors()
    for path in FILES:
        assert everything[f"{path.parent.name}/{path.stem}"] == json.loads(path.read_text("utf-8"))
    with pytest.raises(keyfall.KeyfallError, match="there are no vectors of kafka/jva"):
        keyfall.vectors("kafka/jva")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_vectors_by_the_column(path):
    vectors = plain(json.loads(path.read_text("utf-8")))
    by_params = {}
    for case in vectors["cases"]:
        key = case["key"]
        match key:
            case {"hex": text}:
                key = bytes.fromhex(text)
            case {"base64": text}:
                key = base64.b64decode(text)
            case None:
                pass
            case _:
                continue
        by_params.setdefault(json.dumps(case.get("params", {})), []).append((key, case["outcome"]))
    for params, cases in by_params.items():
        placer = keyfall.Placer(vectors["scheme"], **json.loads(params))
        keys = [key for key, _ in cases]
        listed, status = placer.place_many(keys, status=True)
        assert list(status) == [STATUS[outcome] for _, outcome in cases]
        arrow = placer.place_many(pa.array(keys, pa.binary())).to_pylist()
        assert [None if p is None else str(p) for p in listed] == [None if p is None else str(p) for p in arrow]


def test_an_audit_is_the_command_lines_report():
    table = pa.table({"key": ["100:48069", "100:48069", None], "partition": [9, 3, 5], "offset": [0, 1, 2]})
    report = keyfall.audit(table, "kafka/java", partitions=12)
    assert (report["records"], report["keyed"], report["misplaced"], report["unpinned"]) == (3, 2, 1, 1)
    assert report["onset"] == [{"place": 3, "offset": 1}]
    assert keyfall.audit(pl.DataFrame(table), "kafka/java", partitions=12) == report
    with pytest.raises(keyfall.KeyfallError, match='no column "k": it has key, partition, offset'):
        keyfall.audit(table, "kafka/java", partitions=12, key_field="k")
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        keyfall.audit([1], "kafka/java", partitions=12)
