from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final, type_check_only

__all__ = ["__version__", "Placer", "KeyfallError", "Rejected", "Refused"]

__version__: str

_Key: TypeAlias = str | bytes | bytearray | memoryview | dict[str, Any] | None

@type_check_only
class _Outcome(TypedDict):
    outcome: Literal["placed", "unpinned", "rejected", "refused", "error"]
    place: NotRequired[int | str]
    hash: NotRequired[str]
    owner: NotRequired[str]
    why: NotRequired[str]

class KeyfallError(ValueError):
    """A scheme, param or key that cannot be used."""

class Rejected(KeyfallError):
    """The system or client does not take this key."""

class Refused(KeyfallError):
    """The place cannot be computed outside the system."""

@final
class Placer:
    """A scheme, such as ``kafka/java``, bound to its params: ``Placer("kafka/java", partitions=12)``."""

    def __new__(cls, scheme: str, /, **params: Any) -> Placer: ...
    def place(self, key: _Key, /) -> int | str | None:
        """Where ``key`` falls: an int, or a str where places are bytes; None where the client chooses freely."""

    def outcome(self, key: _Key, /) -> _Outcome:
        """What becomes of ``key``: ``outcome`` and, where there are any, ``place``, ``hash``, ``owner``, ``why``."""

    @property
    def scheme(self) -> str:
        """The scheme's id."""
