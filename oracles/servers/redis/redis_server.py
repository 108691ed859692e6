"""Starting, asking and stopping Redis servers: standard library only.

    with Server() as server:                        # or Server("valkey-server")
        slots = Connection(server.port).ask([[b"CLUSTER", b"KEYSLOT", key] for key in keys])
    with Cluster() as cluster:                      # three servers, all slots assigned
        ports = [server.port for server in cluster.servers]

A server runs in cluster mode on free loopback ports, in a folder of its own and in a process group of its own. The
group's leader is a shell that waits on a pipe from this process, so the server and its folder go with this process, however it ends.
"""
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

MOVED = re.compile(r"MOVED (\d+) (\S+)")
SUPERVISOR = '"$@" 1>&2 0</dev/null & read -r line; kill "$!"; wait; rm -rf "$0"'


class Failure(Exception):
    pass


class ReplyError(Exception):
    """An error reply of the server."""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


class Server:
    def __init__(self, program="redis-server", options=(), seconds=20, attempts=3, has_cluster_port=True):
        """`has_cluster_port`: from 7.0 on the port of the cluster's bus can be chosen; before, it is 10000 higher."""
        self.process = None
        if shutil.which(program) is None:
            raise Failure("no %s on PATH" % program)
        for attempt in range(attempts):
            self.port, bus_port = free_ports(2)
            if not has_cluster_port and self.port > 55535:
                self.port -= 10000
            self.folder = tempfile.mkdtemp(prefix="keyfall-redis-")
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", SUPERVISOR, self.folder, program, "--port", str(self.port),
                 *(["--cluster-port", str(bus_port)] if has_cluster_port else []),
                 "--bind", "127.0.0.1", "--dir", self.folder, "--cluster-enabled", "yes",
                 "--cluster-config-file", "nodes.conf", "--save", "", "--appendonly", "no", "--daemonize", "no",
                 "--loglevel", "warning", *options],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
            try:
                return self.wait(seconds)
            except BaseException as failure:
                self.stop()
                if not isinstance(failure, Failure) or attempt == attempts - 1:
                    raise

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                with Connection(self.port, 1) as connection:
                    if ("process_id:" in connection.ask([[b"INFO", b"server"]])[0].decode()
                            and self.folder in connection.ask([[b"CONFIG", b"GET", b"dir"]])[0][1].decode()):
                        return
            except (OSError, EOFError, ReplyError):
                pass
            time.sleep(0.02)
        raise Failure("no server answers on port %d" % self.port)

    def version(self):
        with Connection(self.port) as connection:
            info = dict(line.split(":", 1) for line in connection.ask([[b"INFO", b"server"]])[0].decode().splitlines()
                        if ":" in line)
        return info.get("valkey_version", info["redis_version"])

    def stop(self):
        """Asked to end, then the whole process group is killed."""
        process, self.process = self.process, None
        if process is None:
            return
        process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Cluster:
    """Three masters without replicas, made by redis-cli, that agree on who has which slots."""

    def __init__(self, program="redis-server", cli="redis-cli", seconds=60, has_cluster_port=True):
        self.servers = []
        try:
            for _ in range(3):
                self.servers.append(Server(program, has_cluster_port=has_cluster_port))
            addresses = ["127.0.0.1:%d" % server.port for server in self.servers]
            made = subprocess.run([cli, "--cluster", "create", *addresses, "--cluster-replicas", "0", "--cluster-yes"],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds)
            if made.returncode != 0:
                raise Failure("redis-cli made no cluster: %s%s" % (made.stdout, made.stderr))
            self.wait(seconds)
        except BaseException:
            self.stop()
            raise

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            seen = []
            for server in self.servers:
                with Connection(server.port) as connection:
                    info, slots = connection.ask([[b"CLUSTER", b"INFO"], [b"CLUSTER", b"SLOTS"]])
                seen.append((b"cluster_state:ok" in info, sorted((first, last, node[1]) for first, last, node in slots)))
            if seen[0][0] and len(seen[0][1]) == 3 and seen.count(seen[0]) == 3:
                return
            time.sleep(0.1)
        raise Failure("the cluster did not come up: %r" % seen)

    def find(self, keys):
        """Each key's (slot, address of its node), or the error of all nodes. Every node is sent GET of every key: one
        takes it, and the other two answer MOVED with the same slot and with its address; else that is a Failure."""
        nodes = {}
        for server in self.servers:
            with Connection(server.port) as connection:
                try:
                    replies = connection.ask([[b"GET", key] for key in keys])
                except ReplyError as failure:
                    replies = [failure]
            nodes["127.0.0.1:%d" % server.port] = replies
        return [self._found(dict(zip(nodes, replies))) for replies in zip(*nodes.values())]

    @staticmethod
    def _found(replies):
        errors = {address: str(reply) for address, reply in replies.items() if isinstance(reply, ReplyError)}
        moved = {match.groups() if match else error for error in errors.values() for match in [MOVED.fullmatch(error)]}
        took = [address for address in replies if address not in errors]
        if len(moved) == 1:
            (one,) = moved
            if isinstance(one, str) and not took:
                return one
            if not isinstance(one, str) and took == [one[1]]:
                return int(one[0]), one[1]
        raise Failure("the nodes disagree: %r" % replies)

    def version(self):
        return self.servers[0].version()

    def stop(self):
        for server in self.servers:
            server.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Connection:
    """Raw RESP 2; keys are bytes, None is a null bulk string."""

    def __init__(self, port, seconds=60):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        self.file = self.socket.makefile("rb")

    def ask(self, commands):
        """The replies to pipelined commands; an error reply is returned as a ReplyError, or raised when it is the only one."""
        parts = []
        for command in commands:
            parts.append(b"*%d\r\n" % len(command))
            parts += [b"$-1\r\n" if each is None else b"$%d\r\n%s\r\n" % (len(each), each) for each in command]
        self.socket.sendall(b"".join(parts))
        replies = [self.reply() for _ in commands]
        if len(replies) == 1 and isinstance(replies[0], ReplyError):
            raise replies[0]
        return replies

    def reply(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise EOFError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b":":
            return int(rest)
        if kind == b"+":
            return rest
        if kind == b"-":
            return ReplyError(rest.decode("utf-8", "replace"))
        if kind in b"$*" and rest == b"-1":
            return None
        if kind == b"$":
            data = self.file.read(int(rest) + 2)
            return data[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        raise Failure("not a reply: %r" % line)

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
