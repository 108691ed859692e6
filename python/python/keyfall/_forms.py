"""Keys of other forms than text and bytes, as the machine interface writes them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def typed(type: str, value: Any, /) -> dict[str, Any]:
    """A key of a type of the system's own, such as ``typed("bigint", 42)``.

    ``value`` is an int, a float, a bool, bytes or whatever ``str()`` writes as the type's own text: a UUID, a Decimal.
    """
    if value is None:
        raise TypeError("a typed value is never None: the null key is None itself")
    if isinstance(value, bool):
        return {"type": type, "value": "true" if value else "false"}
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"type": type, "value": bytes(value).hex()}
    return {"type": type, "value": str(value)}


def components(keys: tuple[Any, ...], /) -> list[Any]:
    """The components of a composite key."""
    return [_component(key) for key in keys]


def _component(key: Any) -> Any:
    match key:
        case None | dict():
            return key
        case str():
            try:
                key.encode()
            except UnicodeEncodeError:
                units = key.encode("utf-16-le", "surrogatepass")
                return {"utf16": [int.from_bytes(units[i : i + 2], "little") for i in range(0, len(units), 2)]}
            return {"text": key}
        case bytes() | bytearray() | memoryview():
            return {"hex": bytes(key).hex()}
        case tuple():
            return {"tuple": components(key)}
    raise TypeError(
        "a component of a key is str, bytes, bytearray, memoryview, None, a tuple or a dict such as "
        f'{{"type": "bigint", "value": "42"}} (keyfall.typed writes it), not {type(key).__name__}'
    )
