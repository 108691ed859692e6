"""The Python drivers of Cassandra and ScyllaDB: a column is written by the driver's type, the routing key composed by a
statement, the token that of the driver's token class. ScyllaDB's driver also tells the shard.

    adapter.py PACKAGE
"""
import decimal
import importlib.metadata
import os
import sys
import uuid

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402
from cassandra.cqltypes import lookup_casstype  # noqa: E402
from cassandra.metadata import BytesToken, MD5Token, Murmur3Token  # noqa: E402
from cassandra.query import SimpleStatement  # noqa: E402

# The driver's type of a CQL type, and what makes of a text what a user would bind.
TYPES = {
    "tinyint": ("ByteType", int), "smallint": ("ShortType", int), "int": ("Int32Type", int), "bigint": ("LongType", int),
    "varint": ("IntegerType", int), "decimal": ("DecimalType", decimal.Decimal), "float": ("FloatType", float),
    "double": ("DoubleType", float), "boolean": ("BooleanType", {"true": True, "false": False}.__getitem__),
    "ascii": ("AsciiType", str), "text": ("UTF8Type", str), "varchar": ("UTF8Type", str),
    "blob": ("BytesType", lambda text: bytes.fromhex(text[2:])), "uuid": ("UUIDType", uuid.UUID),
    "timeuuid": ("TimeUUIDType", uuid.UUID), "inet": ("InetAddressType", str), "timestamp": ("DateType", int),
}
SERVERS = "the driver leaves it to the server to refuse this"


def component(column):
    if isinstance(column, oracle.Typed):
        if column.type not in TYPES:
            raise oracle.Unsupported("values of %s are not bound here" % column.type)
        name, read = TYPES[column.type]
        try:
            value = read(column.value)
        except (ValueError, ArithmeticError):
            raise oracle.Unsupported("Python reads no %s in this" % column.type)
    elif isinstance(column, bytes):
        name, value = "BytesType", column
    elif isinstance(column, str):
        name, value = "UTF8Type", column
    else:
        raise oracle.Unsupported(SERVERS)
    try:
        return lookup_casstype(name).serialize(value, 4)
    except UnicodeEncodeError:
        raise oracle.Unsupported("a lone surrogate has no UTF-8")


def routing_key(key):
    parts = [component(column) for column in (key if type(key) is tuple else (key,))]
    if not parts or sum(map(len, parts)) + 3 * (len(parts) - 1) > 65535:
        raise oracle.Unsupported(SERVERS)
    # As a bound statement does with the columns of its partition key.
    return b"".join(SimpleStatement("")._key_parts_packed(parts)) if len(parts) > 1 else parts[0]


def token(kind):
    def place(_, key):
        value = kind.from_key(routing_key(key)).value
        return oracle.placed(value.hex(), None) if kind is BytesToken else oracle.placed(str(value), value)
    return oracle.each(place)


def shard(params, keys):
    from cassandra.shard_info import ShardingInfo
    if params.get("tablets"):
        raise oracle.Skipped("a driver asks the cluster for its tablets")
    info = ShardingInfo("0", str(oracle.count(params, "shards")), "org.apache.cassandra.dht.Murmur3Partitioner",
                        "biased-token-round-robin", str(params.get("msb_ignore", 12)), "", "")
    return oracle.each(lambda _, key: info.shard_id_from_token(Murmur3Token.from_key(routing_key(key)).value))(params, keys)


schemes = {"cassandra/murmur3": token(Murmur3Token), "cassandra/random": token(MD5Token),
           "cassandra/byte-ordered": token(BytesToken)}
if sys.argv[1] == "scylla-driver":
    schemes["scylla/murmur3"] = shard
oracle.serve(sys.argv[1], importlib.metadata.version(sys.argv[1]), schemes)
