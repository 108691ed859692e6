"""What becomes of the servers that oracles start when a port is taken, when they hang, and when their owner is killed.

    python3 -m unittest discover oracles/servers

The servers here are scripts: no download, no JVM.
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "guard"), str(HERE / "kafka"), str(HERE / "redis")]
import broker  # noqa: E402
import guarded  # noqa: E402
import redis_server  # noqa: E402

HANG = ["sh", "-c", "sleep 600"]

# Takes the port that it is told as Kafka is (a file of properties) or as Redis is (--port), and answers as far as
# Redis is asked when it has started.
FAKE = r"""
import re, socket, sys
if "--port" in sys.argv:
    port, folder = (sys.argv[sys.argv.index(option) + 1] for option in ("--port", "--dir"))
else:
    port, folder = re.search(r"listeners=PLAINTEXT://127.0.0.1:(\d+)", open(sys.argv[1]).read())[1], ""
server = socket.create_server(("127.0.0.1", int(port)))
print("Kafka Server started", flush=True)
while True:
    with server.accept()[0] as connection:
        while data := connection.recv(4096):
            reply = b"$13\r\nprocess_id:1\n\r\n" if b"INFO" in data else b"*2\r\n$3\r\ndir\r\n$%d\r\n%s\r\n" % (len(folder), folder.encode())
            connection.sendall(reply)
"""


def group(leader):
    """The processes of a group that live."""
    living = []
    for entry in Path("/proc").iterdir():
        try:
            state, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        if int(of) == leader and state != "Z":
            living.append(int(entry.name))
    return living


class Hangs(guarded.Guarded):
    seconds = 0.3
    attempts = 1

    def command(self, folder):
        return HANG

    def is_up(self):
        return False


class Servers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.fake = Path(self.folder.name, "fake")
        self.fake.write_text("#!%s\n%s" % (sys.executable, FAKE))
        self.fake.chmod(0o755)
        # Where the servers keep their data.
        patch = mock.patch.object(tempfile, "tempdir", self.folder.name)
        patch.start()
        self.addCleanup(patch.stop)
        self.started = []
        spawn = subprocess.Popen

        def popen(*args, **kwargs):
            process = spawn(*args, **kwargs)
            self.started.append(process.pid)
            return process
        patch = mock.patch.object(subprocess, "Popen", popen)
        patch.start()
        self.addCleanup(patch.stop)

    def java(self, run):
        return mock.patch.multiple(
            broker, java=lambda main, *args: ["true"] if "StorageTool" in main else [*run, *args], memory_folder=lambda: None)

    def taken_at_first(self, module):
        """A port that is free when it is looked for, and taken by the time that the server wants it."""
        taken = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(taken.close)
        free, first = module.free_ports, [taken.getsockname()[1]]
        return mock.patch.object(module, "free_ports", lambda count: first + free(count - 1) if first and not self.started else free(count))

    def assert_nothing_is_left(self):
        self.assertTrue(self.started)
        deadline = time.monotonic() + 10
        while left := [pid for leader in self.started for pid in group(leader)] + [
                path.name for path in Path(self.folder.name).iterdir() if path != self.fake]:
            self.assertLess(time.monotonic(), deadline, left)
            time.sleep(0.05)

    def test_a_broker_whose_port_is_taken_gets_another(self):
        with self.java([str(self.fake)]), self.taken_at_first(broker), mock.patch("sys.stderr"):
            with broker.Broker() as running:
                port = int(running.bootstrap.partition(":")[2])
                self.assertIn(port, listening(self.started[-1]))
        self.assertEqual(len(self.started), 2)
        self.assert_nothing_is_left()

    def test_a_redis_whose_port_is_taken_gets_another(self):
        with self.taken_at_first(redis_server), redis_server.Server(str(self.fake), seconds=5):
            pass
        self.assertEqual(len(self.started), 2)
        self.assert_nothing_is_left()

    def test_a_broker_that_hangs_is_given_up(self):
        with self.java(HANG), mock.patch.multiple(broker, START_SECONDS=0.3, ATTEMPTS=1):
            with self.assertRaisesRegex(broker.BrokerFailed, "its port was not open"), broker.Broker():
                pass
        self.assert_nothing_is_left()

    def test_a_redis_that_hangs_is_given_up(self):
        self.fake.write_text("#!/bin/sh\nexec sleep 600\n")
        with self.assertRaisesRegex(redis_server.Failure, "no server answers"):
            redis_server.Server(str(self.fake), seconds=0.3, attempts=1)
        self.assert_nothing_is_left()

    def test_a_guarded_server_that_hangs_is_given_up(self):
        with self.assertRaisesRegex(guarded.ServerFailed, "was not up"), Hangs():
            pass
        self.assert_nothing_is_left()

    def test_a_guarded_server_that_ends_at_once_is_told_with_its_log(self):
        class Ends(Hangs):
            def command(self, folder):
                return ["sh", "-c", "echo no such heap; exit 1"]
        with self.assertRaisesRegex(guarded.ServerFailed, "no such heap"), Ends():
            pass
        self.assert_nothing_is_left()

    def test_a_guarded_server_is_started_again_where_its_port_was_taken(self):
        class Second(Hangs):
            attempts = 2

            def is_up(self):
                return len(started) == 2
        started = self.started
        with mock.patch("sys.stderr"), Second() as server:
            self.assertTrue(server.is_alive())
        self.assertEqual(len(self.started), 2)
        self.assert_nothing_is_left()

    def test_a_server_goes_with_an_owner_that_is_killed(self):
        owners = {
            "broker": "broker.java = lambda main, *args: ['true'] if 'StorageTool' in main else ['%s', *args]\n"
                      "broker.memory_folder = lambda: None\n"
                      "server = broker.Broker().__enter__()\nleader = server._process.pid",
            "guarded": "class Up(guarded.Guarded):\n    def command(self, folder):\n        return ['sh', '-c', 'sleep 600']\n"
                       "    def is_up(self):\n        return True\n"
                       "server = Up().__enter__()\nleader = server._process.pid  # %s",
            "redis_server": "server = redis_server.Server('%s')\nleader = server.process.pid",
        }
        for module, start in owners.items():
            code = "import sys, tempfile\nsys.path[:0] = %r\ntempfile.tempdir = %r\nimport %s\n%s\nprint(leader, flush=True)\nsys.stdin.read()" % (
                sys.path[:3], self.folder.name, module, start % self.fake)
            with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
                leader = int(owner.stdout.readline())
                self.assertTrue(group(leader))
                owner.send_signal(signal.SIGKILL)
            self.started.append(leader)
            self.assert_nothing_is_left()


def listening(leader):
    """The ports on which processes of a group listen."""
    inodes = {}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A":
            inodes["socket:[%s]" % fields[9]] = int(fields[1].partition(":")[2], 16)
    ports = set()
    for pid in group(leader):
        for handle in Path("/proc/%d/fd" % pid).iterdir():
            ports.add(inodes.get(os.readlink(handle)))
    return ports


if __name__ == "__main__":
    unittest.main()
