"""What the package promises beside the vectors."""

import threading

import keyfall
import pytest
from keyfall import KeyfallError, Placer, Refused, Rejected


@pytest.fixture
def java():
    return Placer("kafka/java", partitions=12)


def test_a_place_is_an_int(java):
    assert java.place("100:48069") == java.place(b"100:48069") == 9
    assert type(java.place(b"")) is int
    assert Placer("cassandra/murmur3").place(b"\x80") == -5284281814142962636


def test_an_unpinned_key_is_none(java):
    assert java.place(None) is None
    outcome = java.outcome(None)
    assert outcome["outcome"] == "unpinned" and outcome["why"]


def test_an_outcome_is_the_machine_interfaces(java):
    assert java.outcome("100:48069") == {"outcome": "placed", "place": 9, "hash": "1009543857"}
    assert java.outcome({"hex": "0"})["outcome"] == "error"


def test_errors_are_value_errors_and_say_why():
    assert issubclass(Rejected, KeyfallError) and issubclass(Refused, KeyfallError)
    assert issubclass(KeyfallError, ValueError)
    with pytest.raises(Rejected, match="never null"):
        Placer("cassandra/murmur3").place(None)
    with pytest.raises(Refused, match="makes an id up"):
        Placer("elasticsearch/legacy", shards=5).place(None)


@pytest.mark.parametrize(
    ("scheme", "params", "said"),
    [
        ("kafka/jva", {}, "did you mean kafka/java"),
        ("kafka/java", {}, "partitions is missing"),
        ("kafka/java", {"partitions": 0}, "from 1 to 2147483647"),
        ("kafka/java", {"partitions": -3}, "from 1 to 2147483647"),
        ("kafka/java", {"partitions": "many"}, "from 1 to 2147483647"),
        ("kafka/java", {"partitions": 12.0}, "from 1 to 2147483647"),
        ("kafka/java", {"partitions": None}, "partitions"),
        ("kafka/java", {"partitions": 12, "shards": 3}, "unknown param shards"),
        ("elasticsearch/legacy", {"shards": 5, "routing_shards": 7}, "not a multiple"),
    ],
)
def test_placers_that_cannot_be(scheme, params, said):
    with pytest.raises(KeyfallError, match=said):
        Placer(scheme, **params)


@pytest.mark.parametrize("key", [42, 1.5, True, ["a"], {"a"}, object(), memoryview(b"abcd").cast("i")])
def test_what_is_no_key(java, key):
    with pytest.raises(TypeError, match="a key is str, bytes"):
        java.place(key)


@pytest.mark.parametrize("key", [{}, {"hex": "0"}, {"hex": 5}, {"nonsense": "x"}, {"hex": "00", "text": "a"}])
def test_malformed_keys_say_what_is_allowed(java, key):
    with pytest.raises(KeyfallError):
        java.place(key)


def test_lone_surrogates_stay_utf16_units(java):
    elasticsearch = Placer("elasticsearch/modulo", shards=1009)
    assert elasticsearch.place("a\ud83d") == elasticsearch.place({"utf16": [0x61, 0xD83D]})
    assert elasticsearch.place("\ud83d\ude00") == elasticsearch.place("\U0001f600")
    assert java.place("a\ud83d") == java.place(b"a?")


def test_integers_of_other_libraries_are_params():
    class Twelve:
        def __index__(self):
            return 12

    assert Placer("kafka/java", partitions=Twelve()).place("100:48069") == 9


def test_threads_share_a_placer(java):
    wanted = [java.place(str(n)) for n in range(1000)]
    got = [None] * 4

    def run(i):
        got[i] = [java.place(str(n)) for n in range(1000)]

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [wanted] * 4


def test_a_placer_says_what_it_is(java):
    assert java.scheme == "kafka/java"
    assert repr(java) == "<keyfall.Placer kafka/java>"
    assert keyfall.__version__
