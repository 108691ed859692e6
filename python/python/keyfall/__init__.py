"""Where does this key fall? Placement of keys in hash-partitioned systems, bit for bit.

>>> from keyfall import Placer
>>> Placer("kafka/java", partitions=12).place("100:48069")
9
"""

from ._keyfall import KeyfallError, Placer, Refused, Rejected, __version__

__all__ = ["KeyfallError", "Placer", "Refused", "Rejected", "__version__"]
