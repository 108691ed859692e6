"""keyfall's golden vectors."""

from __future__ import annotations

from . import _keyfall

# Not from typing, whose import costs more than all of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_unpacked: dict[str, Any] = {}


def _all() -> dict[str, Any]:
    if not _unpacked:
        import json
        import lzma

        _unpacked.update(json.loads(lzma.decompress(_keyfall.packed_vectors())))
    return _unpacked


def vectors(scheme: str | None = None, /) -> dict[str, Any]:
    """The golden vectors of a scheme, computed by the real systems, as their file has them; without one, all, by scheme.

    They are CC0: take them to test a client of your own. About 0.3 MB are unpacked to 20 MB when first asked for.
    """
    if scheme is None:
        return dict(_all())
    try:
        found: dict[str, Any] = _all()[scheme]
    except KeyError:
        raise _keyfall.KeyfallError(f"there are no vectors of {scheme}; of these there are: {', '.join(_all())}") from None
    return found


def schemes() -> list[dict[str, Any]]:
    """All schemes: id, system, function, client, whether it is that client's default, setting, rule, unit, domain, params."""
    import json

    listed: list[dict[str, Any]] = json.loads(_keyfall.schemes_json())
    return listed
