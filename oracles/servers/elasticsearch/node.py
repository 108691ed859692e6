"""A real node of Elasticsearch or OpenSearch, and its HTTP port. Standard library only.

    with Node("elasticsearch", "8.19.21") as node:
        node.ask("PUT", "/index", {"settings": {...}})
"""
import http.client
import json
import shutil
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "guard"))
from guarded import GUARD, ORACLES, Guarded, free_ports, jars, java  # noqa: E402, F401

LIB = ORACLES / "target/java/lib"


class RequestFailed(Exception):
    """An answer that is no success: its status and its reason."""

    def __init__(self, status, answer):
        error = answer.get("error", answer)
        reason = error.get("reason") if isinstance(error, dict) else error
        super().__init__("%d: %s" % (status, reason))
        self.status = status


class Node(Guarded):
    def __init__(self, system, version, data=None):
        """`data` is a folder to keep its data in, beyond its end; otherwise it goes with the node."""
        self.system = system
        self.version = version
        self.major = int(version.partition(".")[0])
        self.data = data
        self.connection = None

    @property
    def has_types(self):
        """Whether a document still has a type."""
        return self.system == "elasticsearch" and self.major < 7

    def command(self, folder):
        home = folder / "home"
        for name in ("config", "modules", "plugins", "lib", "logs"):
            (home / name).mkdir(parents=True)
        server, netty = ("%s%s-%s" % (self.system, part, self.version) for part in ("", "-node"))
        modern = self.system == "elasticsearch" and self.major >= 8
        if modern:
            self._module(home / "modules/transport-netty4", LIB / netty)
        self.port, = free_ports(1)
        old = self.system == "elasticsearch" and self.major < 7
        settings = {
            "path.data": self.data or folder / "data",
            "cluster.name": "oracle", "node.name": "oracle", "discovery.type": "single-node",
            "transport.type": "netty4", "http.type": "netty4", "network.host": "127.0.0.1",
            "http.port": self.port, "transport.tcp.port" if old else "transport.port": 0,
            "processors" if old else "node.processors": 1,
            "cluster.routing.allocation.disk.threshold_enabled": "false",
        }
        if self.major != 5 or self.system == "opensearch":
            settings["cluster.max_shards_per_node"] = 100000
        classes = [str(ORACLES / "target/java/build" / module / "classes") for module in ("search-node", "oracle-helper")]
        path = classes + jars("oracle-helper", server, *([] if modern else [netty]))
        jdk = 25 if self.major >= (8 if self.system == "elasticsearch" else 3) else 17
        flags = ["--add-opens", "java.base/java.lang=ALL-UNNAMED", "--add-opens", "java.base/java.nio=ALL-UNNAMED",
                 "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED"]
        if jdk == 25:
            flags += ["--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"]
        else:
            flags += ["-Djava.security.manager=allow"]
        return [*java(jdk, *flags),
                "-Des.path.home=%s" % home, "-Des.path.conf=%s" % (home / "config"),
                "-cp", ":".join(path), "oracle.searchnode.SearchNode", str(home),
                *("%s=%s" % setting for setting in settings.items())]

    @staticmethod
    def _module(module, library):
        """From 8 a module is a folder with its jars and its description, which the jar brings. Its Java module is left
        out: the jar would have to be found by the server's own module path."""
        module.mkdir()
        for pattern in ("transport-netty4-*.jar", "netty-*.jar", "elasticsearch-ssl-config-*.jar"):
            for jar in library.glob(pattern):
                shutil.copy(jar, module)
        with zipfile.ZipFile(next(module.glob("transport-netty4-*.jar"))) as jar:
            name, = (name for name in jar.namelist() if name.endswith("plugin-descriptor.properties"))
            lines = jar.read(name).decode().splitlines()
        (module / "plugin-descriptor.properties").write_text(
            "\n".join(line for line in lines if not line.startswith("modulename")))

    def is_up(self):
        try:
            answer = self.ask("GET", "/_cluster/health?wait_for_status=yellow&timeout=5s")
            return answer["number_of_nodes"] == 1
        except (OSError, http.client.HTTPException, RequestFailed, ValueError):
            return False

    def ask(self, method, path, body=None):
        """The answer, as JSON. A body is JSON, or text that is sent as it stands (lines of a bulk)."""
        lines = isinstance(body, str)
        data = None if body is None else (body if lines else json.dumps(body)).encode()
        for attempt in (1, 2):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=240)
                self.connection.request(method, path, data, {"Content-Type": "application/x-ndjson" if lines else "application/json"})
                response = self.connection.getresponse()
                content = response.read()
                break
            except (OSError, http.client.HTTPException):
                self.connection = None      # one that the server has closed meanwhile
                if attempt == 2 or not self.is_alive():
                    raise
        answer = json.loads(content or b"{}")
        if response.status >= 300:
            raise RequestFailed(response.status, answer)
        return answer

    def stop(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None
        super().stop()
