"""A ring of three nodes with several tokens each: what it says of itself, and where it says that keys belong.

    build.sh 5.0.9 && target/venv/cassandra-server/bin/python make_ring.py 5.0.9 FOLDER

Writes cassandra-VERSION.* of core/tests/topologies: the rows of system.local and system.peers as cqlsh's SELECT JSON has
them, nodetool ring and describering, and the first endpoint that nodetool getendpoints names for some keys.
"""
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import server
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import WhiteListRoundRobinPolicy
from guarded import free_ports, jars, java

KEYS = ["user:%d" % i for i in range(60)]


class Node(server.Server):
    seconds = 240

    def __init__(self, version, host, native, storage):
        super().__init__(version, "Murmur3Partitioner")
        self.host, self.native, self.storage = host, native, storage

    def command(self, folder):
        command = super().command(folder)
        config = folder / "conf/cassandra.yaml"
        settings = config.read_text()
        for pattern, value in (("num_tokens: .*", "num_tokens: 4"),
                               ("listen_address: .*", "listen_address: " + self.host),
                               ("rpc_address: .*", "rpc_address: " + self.host),
                               ("(?m)^storage_port: .*", "storage_port: %d" % self.storage),
                               ("native_transport_port: .*", "native_transport_port: %d" % self.native),
                               ('seeds: "[^"]*"', 'seeds: "127.0.0.1:%d"' % self.storage)):
            settings, count = re.subn(pattern, value, settings)
            assert count == 1, pattern
        config.write_text(settings)
        self.port = self.native
        self.jmx, = (flag.partition("=")[2] for flag in command if flag.startswith("-Dcassandra.jmx.local.port="))
        return command

    def nodetool(self, *arguments):
        flags = [part for option, packages in (("--add-exports", server.EXPORTED), ("--add-opens", server.OPENED))
                 for package in packages for part in (option, package + "=ALL-UNNAMED")]
        # Without a configuration its log goes to where its answer does.
        run = subprocess.run([*java(17, *flags), "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener",
                              "-cp", ":".join(jars("cassandra-all-" + self.version)), "org.apache.cassandra.tools.NodeTool",
                              "-h", "127.0.0.1", "-p", self.jmx, *arguments], capture_output=True, text=True, check=True)
        return "".join(line for line in run.stdout.splitlines(True) if " DEBUG " not in line)


version, folder = sys.argv[1], Path(sys.argv[2])
native, storage = free_ports(2)
first, second, third = (Node(version, "127.0.0.%d" % n, native, storage) for n in (1, 2, 3))
with first, second, third:
    time.sleep(5)
    profile = ExecutionProfile(load_balancing_policy=WhiteListRoundRobinPolicy([first.host]), request_timeout=60)
    cluster = Cluster([first.host], port=native, execution_profiles={EXEC_PROFILE_DEFAULT: profile})
    session = cluster.connect()
    for keyspace, replicas in (("one", 1), ("two", 2)):
        session.execute("CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': %d}" % (
            keyspace, replicas))
    session.execute("CREATE TABLE one.t (k text PRIMARY KEY)")
    time.sleep(3)
    forms = {
        "rows": "".join("%s\n" % row[0] for table in ("local", "peers") for row in session.execute(
            "SELECT JSON * FROM system." + table)),
        "ring": first.nodetool("ring"),
        "describering": first.nodetool("describering", "one"),
        "describering-two-replicas": first.nodetool("describering", "two"),
        "endpoints": "".join("%s\n" % json.dumps({"key": key, "owner": first.nodetool(
            "getendpoints", "one", "t", key).split()[0]}) for key in KEYS),
    }
    cluster.shutdown()
for form, text in forms.items():
    Path(folder, "cassandra-%s.%s" % (version, form)).write_text(text)
