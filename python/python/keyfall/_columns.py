"""Columns of keys: a list for a list, an array for NumPy, Arrow for Arrow."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from . import _keyfall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ArrowColumn:
    """A column that hands itself over by Arrow's PyCapsule interface: ``pyarrow.array(column)``, ``polars.Series(column)``."""

    def __init__(self, chunk: _keyfall.ArrowColumn) -> None:
        self._chunk = chunk

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._chunk.__arrow_c_array__(requested_schema)

    def __len__(self) -> int:
        return len(self._chunk)


def place_many(
    placer: _keyfall.Placer, keys: Any, *, status: bool = False, key_type: str | None = None
) -> Any:
    """The body of ``Placer.place_many``."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(keys, numpy.ndarray):
        places, statuses = _numpy(numpy, placer, keys, key_type)
    elif isinstance(keys, (str, bytes, bytearray, dict)):
        raise TypeError(f"place_many takes a column of keys, not one key ({type(keys).__name__}): place takes that")
    elif not isinstance(keys, (list, tuple)) and (arrow := placer._place_arrow(keys, key_type)) is not None:
        places, statuses = _arrow(keys, *arrow)
    elif isinstance(keys, Iterable):
        places, statuses = placer._place_list(keys if isinstance(keys, list) else list(keys), key_type)
    else:
        raise TypeError(
            "place_many takes a list or another iterable of keys, a NumPy array, or what has __arrow_c_array__ or "
            f"__arrow_c_stream__ (pyarrow, polars, pandas, DuckDB), not {type(keys).__name__}"
        )
    return (places, statuses) if status else places


def _numpy(numpy: Any, placer: _keyfall.Placer, keys: Any, key_type: str | None) -> tuple[Any, Any]:
    if keys.ndim != 1:
        raise TypeError(f"an array of keys has one dimension, not {keys.ndim}")
    if keys.dtype.kind == "O":
        data = keys.filled(None) if numpy.ma.isMaskedArray(keys) else keys
        places, status = placer._place_list(data.tolist(), key_type)
        status = numpy.frombuffer(bytearray(status), dtype=numpy.uint8)
        return _array(numpy, placer, places, status), status
    mask = None
    if numpy.ma.isMaskedArray(keys):
        mask = numpy.ascontiguousarray(numpy.ma.getmaskarray(keys)).view(numpy.uint8)
        keys = keys.data
    dtype = keys.dtype.newbyteorder("=")
    match dtype.kind:
        case "S":
            kind = "S"
        case "U":
            kind = "U"
        case "i" | "u" if dtype.itemsize == 4 and dtype.kind == "i":
            kind = "i"
        case "i" | "u":
            if dtype.kind == "u" and dtype.itemsize == 8 and keys.size and int(keys.max()) > 2**63 - 1:
                raise ValueError("an integer key over 63 bits has no column type: give it as typed text")
            dtype, kind = numpy.dtype(numpy.int64), "l"
        case _:
            raise TypeError(f"an array of keys holds bytes (S), text (U), integers or objects, not {keys.dtype}")
    keys = numpy.ascontiguousarray(keys, dtype=dtype)
    width = dtype.itemsize
    if width == 0:
        # Only empty keys.
        mask = numpy.zeros(keys.size, numpy.uint8) if mask is None else mask
        empty = [None if masked else (b"" if kind == "S" else "") for masked in mask.tolist()]
        places, status = placer._place_list(empty, key_type)
        status = numpy.frombuffer(bytearray(status), dtype=numpy.uint8)
        return _array(numpy, placer, places, status), status
    places, status = placer._place_fixed(keys.view(numpy.uint8), kind, width, mask, key_type)
    status = numpy.frombuffer(status, dtype=numpy.uint8)
    return _array(numpy, placer, places, status), status


def _array(numpy: Any, placer: _keyfall.Placer, places: Any, status: Any) -> Any:
    if isinstance(places, bytearray):
        data = numpy.frombuffer(places, dtype=numpy.uint32 if placer.domain == "index" else numpy.int64)
    elif placer.domain in ("u128", "bytes"):
        data = numpy.empty(len(places), dtype=object)
        data[:] = places
    else:
        dtype = numpy.uint32 if placer.domain == "index" else numpy.int64
        data = numpy.array([0 if place is None else place for place in places], dtype=dtype)
    return numpy.ma.MaskedArray(data, mask=status != 0)


def _arrow(keys: Any, chunks: list[tuple[Any, Any]], stream: bool) -> tuple[Any, Any]:
    """The library's own type where it is a known one; otherwise one column, or a list of chunks."""
    columns = [[ArrowColumn(place) for place, _ in chunks], [ArrowColumn(status) for _, status in chunks]]
    library = type(keys).__module__.split(".")[0]
    if library in ("pyarrow", "duckdb", "pandas") and (pyarrow := _imported("pyarrow")) is not None:
        arrays = [[pyarrow.array(column) for column in part] for part in columns]
        if not stream:
            return arrays[0][0], arrays[1][0]
        types = [None if part else pyarrow.uint8() for part in arrays]
        places, status = (pyarrow.chunked_array(part, type=type) for part, type in zip(arrays, types))
        if library == "pandas":
            pandas = sys.modules["pandas"]
            index = getattr(keys, "index", None)
            return tuple(
                pandas.Series(part, index=index, dtype=pandas.ArrowDtype(part.type)) for part in (places, status)
            )
        return places, status
    if library == "polars":
        polars = sys.modules["polars"]
        made = [[polars.Series(column) for column in part] for part in columns]
        empty = polars.Series([], dtype=polars.UInt8)
        places, status = (polars.concat(part, rechunk=True) if part else empty for part in made)
        return places, status
    if not stream:
        return columns[0][0], columns[1][0]
    return columns[0], columns[1]


def _imported(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        return None
