"""Audits of tables."""

from __future__ import annotations

from . import _keyfall

# Not from typing, whose import costs more than all of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The names that the command line has for them, and whether they must be there.
_FIELDS = {"key": "key", "place": "partition", "offset": "offset", "time": "ts", "producer": "producer"}


def fields(named: Mapping[str, str | None]) -> tuple[list[str | None], list[bool]]:
    """The names of the five columns, and which of them must be there: those that were named."""
    names, required = [], []
    for field, default in _FIELDS.items():
        name = named[field]
        names.append(default if name is None else name or None)
        required.append(field in ("key", "place") or bool(name))
    return names, required


def audit(
    table: Any,
    scheme: str,
    /,
    *,
    key_field: str | None = None,
    place_field: str | None = None,
    offset_field: str | None = None,
    time_field: str | None = None,
    producer_field: str | None = None,
    key_type: str | None = None,
    random_sample: bool = False,
    **params: Any,
) -> dict[str, Any]:
    """Which records of ``table`` are not where ``scheme`` puts their keys, since when, and whose work that is.

    ``table`` is what has ``__arrow_c_stream__``: of pyarrow, polars, pandas or DuckDB. Its columns are called ``key``,
    ``partition`` and, where there are any, ``offset``, ``ts`` and ``producer``, unless other names are given; ``""`` leaves
    one of the last three out. Times are timestamps or milliseconds since 1970. The report is the one that
    ``keyfall audit --format json`` prints.
    """
    import json

    found = _keyfall.Audit(scheme, **params)
    names, required = fields(
        {"key": key_field, "place": place_field, "offset": offset_field, "time": time_field, "producer": producer_field}
    )
    found.add(table, names, required, key_type)
    report: dict[str, Any] = json.loads(found.report(random_sample=random_sample))
    return report
