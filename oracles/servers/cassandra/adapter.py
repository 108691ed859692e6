"""What token() of a running Cassandra says of the rows that it has stored.

    adapter.py VERSION

For each list of types there is a table with a partition key of these; a key is inserted as the CQL literals that a person
would write, which the server reads, and the token of the stored row is selected. A partitioner is a server's own: one is
started for the partitioner that is asked about, and ended for the next.
"""
import os
import re
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../python")]
import oracle_helper as oracle  # noqa: E402
from cassandra import InvalidRequest  # noqa: E402
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile  # noqa: E402
from cassandra.concurrent import execute_concurrent  # noqa: E402
from cassandra.policies import WhiteListRoundRobinPolicy  # noqa: E402
from cassandra.protocol import ConfigurationException, SyntaxException  # noqa: E402
from cassandra.query import SimpleStatement  # noqa: E402
from server import Server  # noqa: E402

PARTITIONERS = {
    "cassandra/murmur3": "Murmur3Partitioner",
    "cassandra/random": "RandomPartitioner",
    "cassandra/byte-ordered": "ByteOrderedPartitioner",
    "cassandra/order-preserving": "OrderPreservingPartitioner",
}
NUMBERS = {"cassandra/murmur3", "cassandra/random"}

QUOTED = {"ascii", "text", "varchar", "inet"}
QUOTED_UNLESS_INTEGER = {"date", "time", "timestamp"}
COLLECTION = re.compile("(list|set|map|udt)<")

# What the server says of a key that it does not take, as opposed to a literal that it cannot read.
NOT_TAKEN = re.compile("Invalid null value|Key may not be empty|Key length of|longer than maximum")
EMPTY = "Key may not be empty"
NO_TABLE = (InvalidRequest, ConfigurationException, SyntaxException)


def typed(column):
    """(type, literal) of one column."""
    if column is None:
        return "blob", "null"
    if isinstance(column, bytes):
        return "blob", "0x" + column.hex()
    if isinstance(column, str):
        return "text", quoted(column)
    if isinstance(column, oracle.Typed):
        name, value = column
        if name in QUOTED or name in QUOTED_UNLESS_INTEGER and not re.fullmatch("-?[0-9]+", value):
            return name, quoted(value)
        return name, utf8(value)
    raise oracle.Unsupported("no column holds a tuple or fields")


def quoted(text):
    return "'%s'" % utf8(text).replace("'", "''")


def utf8(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise oracle.Unsupported("a server takes bytes: a lone surrogate has none")
    return text


def columns(key):
    parts = key if type(key) is tuple else (key,)     # Typed is one too
    if not parts:
        raise oracle.Unsupported("a partition key has at least one column")
    types, literals = zip(*map(typed, parts))
    return {"types": types, "literals": literals}


def split(fields):
    """The parts between commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(fields):
        depth += {"<": 1, ">": -1}.get(char, 0)
        if char == "," and depth == 0:
            parts.append(fields[start:at])
            start = at + 1
    return parts + [fields[start:]]


class Tables:
    """The tables of one running server."""

    def __init__(self, server):
        self.server = server
        profile = ExecutionProfile(WhiteListRoundRobinPolicy([server.host]), request_timeout=120)
        self.cluster = Cluster([server.host], port=server.port, protocol_version=4, connect_timeout=60,
                               schema_metadata_enabled=False, token_metadata_enabled=False,
                               execution_profiles={EXEC_PROFILE_DEFAULT: profile})
        self.session = self.cluster.connect()
        self.session.execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.session.set_keyspace("ks")
        self.tables = {}
        self.user_types = {}
        self.rows = 0

    def close(self):
        self.cluster.shutdown()

    def type(self, name):
        """A key's type, frozen as every key is. A user type is spelled with its fields: udt<street:text,zip:int>."""
        while (start := name.rfind("udt<")) >= 0:
            end = next(at for at in range(start, len(name)) if name[start:at + 1].count("<") == name[start:at + 1].count(">") > 0)
            fields = name[start + 4:end]
            if fields not in self.user_types:
                self.user_types[fields] = "u%d" % len(self.user_types)
                self.session.execute("CREATE TYPE %s (%s)" % (
                    self.user_types[fields], ", ".join(field.replace(":", " ", 1) for field in split(fields))))
            name = name[:start] + self.user_types[fields] + name[end + 1:]
        return name

    def table(self, types):
        """The table's name; an exception of the server where it makes no such table."""
        if types not in self.tables:
            name = "t%d" % len(self.tables)
            own = ["frozen<%s>" % self.type(each) if COLLECTION.match(each) else self.type(each) for each in types]
            names = ["k%d" % i for i in range(len(types))]
            try:
                self.session.execute("CREATE TABLE %s (%s, n int, PRIMARY KEY ((%s), n))" % (
                    name, ", ".join(map(" ".join, zip(names, own))), ", ".join(names)))
                self.tables[types] = name, ", ".join(names)
            except NO_TABLE as failure:
                self.tables[types] = failure
        table = self.tables[types]
        if isinstance(table, Exception):
            raise table
        return table

    def tokens(self, types, literals):
        """What token() says, or an outcome, of each key of these types."""
        try:
            table, names = self.table(types)
        except NO_TABLE as failure:
            if any("vector<" in each for each in types) and not self.server.version.startswith("5."):
                raise oracle.Unsupported("no vectors before 5.0")
            raise oracle.Rejected(message(failure))
        first, self.rows = self.rows, self.rows + len(literals)
        inserts = [SimpleStatement("INSERT INTO %s (%s, n) VALUES (%s, %d)" % (table, names, ", ".join(each), first + i))
                   for i, each in enumerate(literals)]
        written = execute_concurrent(self.session, [(insert, ()) for insert in inserts], concurrency=32,
                                     raise_on_first_error=False)
        stored = dict(self.session.execute("SELECT n, token(%s) FROM %s" % (names, table)))
        said = []
        for i, ((success, failure), literal) in enumerate(zip(written, literals)):
            if success:
                said.append(stored[first + i])
            elif not NOT_TAKEN.search(str(failure)):
                said.append(oracle.error(message(failure)))
            elif EMPTY in str(failure):
                # It stores no such row, and yet has a token for it.
                row = self.session.execute("SELECT token(%s) FROM %s LIMIT 1" % (", ".join(literal), table)).one()
                said.append(oracle.error("no row to ask beside") if row is None else row[0])
            else:
                said.append(oracle.rejected(message(failure)))
        return said


def message(failure):
    found = re.search('message="(.*)"', str(failure))
    return (found.group(1) if found else str(failure))[:300]


class Placer:
    def __init__(self, version):
        self.version = version
        self.scheme = None
        self.server = None
        self.tables = None

    def start(self, scheme):
        if self.scheme == scheme and self.server.is_alive():
            return
        self.stop()
        self.server = Server(self.version, PARTITIONERS[scheme]).__enter__()
        self.tables = Tables(self.server)
        self.scheme = scheme

    def stop(self):
        if self.tables:
            self.tables.close()
        if self.server:
            self.server.stop()
        self.scheme = self.server = self.tables = None

    def place(self, scheme, params, keys):
        self.start(scheme)
        outcomes = oracle.each(lambda _, key: columns(key))(params, keys)
        by_types = {}
        for outcome in outcomes:
            if "types" in outcome:
                by_types.setdefault(outcome["types"], []).append(outcome)
        for types, group in by_types.items():
            try:
                said = self.tables.tokens(types, [each["literals"] for each in group])
            except oracle.Rejected as failure:
                said = [oracle.rejected(str(failure))] * len(group)
            except oracle.Unsupported as failure:
                said = [oracle.error(str(failure))] * len(group)
            for outcome, token in zip(group, said, strict=True):
                outcome.clear()
                outcome.update(token if isinstance(token, dict) else placed(scheme, token))
        return outcomes


def placed(scheme, token):
    place = token.hex() if isinstance(token, bytes) else str(token)
    return oracle.placed(place, place if scheme in NUMBERS else None)


def main(version):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    placer = Placer(version)
    try:
        placer.start("cassandra/murmur3")
        release, = placer.tables.session.execute("SELECT release_version FROM system.local").one()
        oracle.serve("cassandra", release, {scheme: lambda params, keys, scheme=scheme: placer.place(scheme, params, keys)
                                            for scheme in PARTITIONERS}, "java")
    finally:
        placer.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
