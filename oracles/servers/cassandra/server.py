"""A real Cassandra server: one node, one JVM, loopback only.

    with Server("5.0.9", "Murmur3Partitioner") as server:
        cassandra.cluster.Cluster([server.host], port=server.port, ...)
"""
import shutil
import socket
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guard"))
from guarded import ORACLES, Guarded, free_ports, jars, java  # noqa: E402

EXPORTED = ["java.base/jdk.internal.misc", "java.base/jdk.internal.ref", "java.base/sun.nio.ch", "java.sql/java.sql",
            "java.management.rmi/com.sun.jmx.remote.internal.rmi", "java.rmi/sun.rmi.registry", "java.rmi/sun.rmi.server"]
OPENED = ["java.base/" + name for name in (
    "java.lang", "java.lang.module", "java.lang.reflect", "java.io", "java.math", "java.net", "java.nio", "java.util",
    "java.util.concurrent", "java.util.concurrent.atomic", "jdk.internal.loader", "jdk.internal.math",
    "jdk.internal.module", "jdk.internal.ref", "jdk.internal.reflect", "jdk.internal.util.jar", "sun.nio.ch",
)] + ["jdk.management/com.sun.management.internal"]


class Server(Guarded):
    host = "127.0.0.1"

    def __init__(self, version, partitioner):
        self.version = version
        self.partitioner = partitioner

    def command(self, folder):
        self.port, storage, ssl, jmx = free_ports(4)
        old = self.version.startswith("3.")
        settings = (HERE / "cassandra.yaml").read_text()
        for name, value in {"PARTITIONER": self.partitioner, "FOLDER": folder, "PORT": self.port, "STORAGE_PORT": storage,
                            "SSL_PORT": ssl, "SEED_PORT": "" if old else ":%d" % storage}.items():
            settings = settings.replace("@%s@" % name, str(value))
        new = not self.version.startswith(("3.", "4.0."))
        settings += "commitlog_sync_period%s: 10000%s\n" % (("", "ms") if new else ("_in_ms", ""))
        config = folder / "conf"
        config.mkdir()
        (config / "cassandra.yaml").write_text(settings)
        shutil.copy(HERE / "logback.xml", config)

        libraries = ["cassandra-all-" + self.version] + (["cassandra-thrift-" + self.version] if old else [])
        flags = ["-ea", "-Xss512k", "-Dcassandra.storagedir=%s" % folder, "-Dcassandra.config=file://%s/cassandra.yaml" % config,
                 "-Dlogback.configurationFile=file://%s/logback.xml" % config, "-Dcassandra.jmx.local.port=%d" % jmx,
                 "-Dcassandra.skip_wait_for_gossip_to_settle=0", "-Dcassandra.superuser_setup_delay_ms=0",
                 "-Dcassandra.ring_delay_ms=1000", "-Djdk.attach.allowAttachSelf=true",
                 "-Dio.netty.tryReflectionSetAccessible=true"]
        for option, packages in (("--add-exports", EXPORTED), ("--add-opens", OPENED)):
            for package in packages:
                flags += [option, package + "=ALL-UNNAMED"]
        if not self.version.startswith("5."):
            agent, = (ORACLES / "target/java/lib" / libraries[0]).glob("jamm-*.jar")
            flags.append("-javaagent:%s" % agent)
        if old:
            flags.append("-Djava.security.manager=allow")
        return [*java(17, *flags), "-cp", ":".join([str(config), *jars(*libraries)]),
                "org.apache.cassandra.service.CassandraDaemon"]

    def is_up(self):
        try:
            socket.create_connection((self.host, self.port), timeout=1).close()
            return True
        except OSError:
            return False
