"""Hold a partitioner against the contract of a fleet, in a test of your own.

    from keyfall.testing import check_partitioner

    def test_orders():
        check_partitioner(lambda key, partitions: my_partitioner(key, partitions), "orders")

What is expected comes from ``keyfall.lock.json``, which ``keyfall contract lock`` writes beside ``keyfall.toml`` and ``keyfall
contract check`` holds in step with it. It is looked for in the current folder and those above it.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Case", "cases", "check_partitioner"]

_LOCK = "keyfall.lock.json"
_SHOWN = 5
_INTEGERS = {"short", "integer", "long", "tinyint", "smallint", "int", "bigint", "int2", "int4", "int8"}


class Case(NamedTuple):
    """A fixture of a contract, and what is expected of it."""

    dataset: str
    scheme: str
    #: ``None``, ``bytes``, ``str`` or, of a typed key, ``int`` or ``bool``; a ``dict`` as it stands in the lock for others.
    key: Any
    params: dict[str, Any]
    #: ``placed``, ``unpinned``, ``rejected`` or ``refused``.
    outcome: str
    #: Where it falls, if it is placed: a number, or a text where places pass 2**53.
    place: int | str | None


def _find(lock: str | os.PathLike[str] | None) -> Path:
    if lock is not None:
        return Path(lock)
    here = Path.cwd()
    for folder in [here, *here.parents]:
        if (folder / _LOCK).is_file():
            return folder / _LOCK
    raise FileNotFoundError(f"no {_LOCK} in {here} or above it: run `keyfall contract lock`")


def _key(key: Any) -> Any:
    if not isinstance(key, dict):
        return key
    if set(key) == {"type", "value"}:
        kind, value = key["type"], key["value"]
        if kind in _INTEGERS:
            return int(value)
        if kind in ("string", "text", "varchar"):
            return value
        if kind == "boolean":
            return value == "true"
        if kind == "bytes":
            return bytes.fromhex(value)
        return None if kind == "void" else key
    form, value = next(iter(key.items()))
    if form == "hex":
        return bytes.fromhex(value)
    if form == "base64":
        return base64.b64decode(value)
    if form == "text":
        return value
    if form == "utf16":
        return b"".join(unit.to_bytes(2, "little") for unit in value).decode("utf-16-le", "surrogatepass")
    return key


def cases(dataset: str, lock: str | os.PathLike[str] | None = None) -> Iterator[Case]:
    """The fixtures of a dataset, for a test that is written case by case.

    Raises ``KeyError`` where the contract has no such dataset, ``ValueError`` for a lock of another format.
    """
    path = _find(lock)
    locked = json.loads(path.read_text(encoding="utf-8"))
    if locked.get("format") != 1:
        raise ValueError(f"{path}: format {locked.get('format')}, known is 1")
    datasets = locked["datasets"]
    if dataset not in datasets:
        raise KeyError(f"{path}: no dataset {dataset}; there are {', '.join(datasets)}")
    scheme = datasets[dataset]["scheme"]
    for case in datasets[dataset]["cases"]:
        yield Case(dataset, scheme, _key(case["key"]), case["params"], case["outcome"], case.get("place"))


def _wrong(case: Case, partitioner: Callable[..., Any]) -> str | None:
    """What is wrong with what the partitioner does with a case."""
    try:
        got = partitioner(case.key, **case.params)
    except Exception as error:
        if case.outcome == "rejected":
            return None
        return f"raised {type(error).__name__}: {error}"
    if case.outcome == "rejected":
        return f"got {got!r}, and is to be rejected: raise an exception"
    # A bool is an int to Python, and no place.
    if isinstance(got, bool) or str(got) != str(case.place):
        return f"expected {case.place}, got {got!r}"
    return None


def check_partitioner(
    partitioner: Callable[..., Any], dataset: str, lock: str | os.PathLike[str] | None = None
) -> None:
    """Calls ``partitioner(key, **params)``, so ``partitioner(key, partitions=12)``, for each fixture of a dataset.

    Raises ``AssertionError`` that shows the keys which it does not put where the contract has them. Keys that the client
    chooses freely for (the null key, most often) are not asked.
    """
    __tracebackhide__ = True  # pytest shows the test's own line
    asked = [case for case in cases(dataset, lock) if case.outcome in ("placed", "rejected")]
    if not asked:
        raise AssertionError(f"{dataset}: no fixtures to ask about: write some into keyfall.toml, then `keyfall contract lock`")
    found = [(case, wrong) for case in asked if (wrong := _wrong(case, partitioner)) is not None]
    if found:
        lines = [f"{dataset}: {asked[0].scheme}: {len(found)} of {len(asked)} keys are not where they belong"]
        for case, wrong in found[:_SHOWN]:
            params = ", ".join(f"{name}={value}" for name, value in case.params.items())
            lines.append(f"  {case.key!r} with {params or 'no params'}: {wrong}")
        if len(found) > _SHOWN:
            lines.append(f"  and {len(found) - _SHOWN} more")
        lines.append("`keyfall verify --contract keyfall.toml -- ADAPTER` tells whose function that is, and what to set")
        raise AssertionError("\n".join(lines))
