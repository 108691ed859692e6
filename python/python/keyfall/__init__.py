"""Where does this key fall? Placement of keys in hash-partitioned systems, bit for bit.

>>> import keyfall
>>> keyfall.Placer("kafka/java", partitions=12).place("100:48069")
9
>>> keyfall.kafka_java(b"100:48069", 12)
9
"""

from . import _keyfall
from ._audit import audit
from ._forms import typed
from ._keyfall import *  # the direct functions: the registry says which there are
from ._keyfall import KeyfallError, Placer, Refused, Rejected, __version__
from ._vectors import schemes, vectors

__all__ = [
    "KeyfallError",
    "Placer",
    "Refused",
    "Rejected",
    "__version__",
    "audit",
    "schemes",
    "typed",
    "vectors",
    *_keyfall.DIRECT,
]
