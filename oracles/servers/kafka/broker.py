"""A real Kafka broker for as long as it is needed: one KRaft node, loopback only, its data in a temporary folder.

    with Broker() as broker:
        ... broker.bootstrap ...          # "127.0.0.1:40123"

    python3 broker.py                     # prints the address, runs until standard input ends or a signal comes
    python3 broker.py COMMAND ARG...      # runs COMMAND with KAFKA_BOOTSTRAP set, ends with its status

Run build.sh first. However this process ends, the broker ends and its data is removed: see ../guard/guard.sh.
"""

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORACLES = HERE.parent.parent
VERSION = "4.1.1"  # build.sh fetches it

CLUSTER_ID = "AAAAAAAAQACAAAAAAAAAAQ"

STARTED = b"Kafka Server started"  # what it logs, if it is told to
TELL = "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info"
START_SECONDS = 90
STOP_SECONDS = 30  # longer than ../guard/guard.sh waits before it kills
MEMORY = "/dev/shm"
ROOM = 2 << 30  # bytes; no run has come near it
ATTEMPTS = 3  # another process may take a free port before the broker does


class BrokerFailed(Exception):
    pass


def java(main_class, *args):
    """The command that runs a class of the broker's jars or of our own."""
    return ["sh", str(ORACLES / "java" / "run.sh"), "17", "servers/kafka", f"kafka-broker-{VERSION}", main_class, *args]


class Broker:
    """Starts on entering, stops on leaving. `bootstrap` is the address for clients."""

    def __enter__(self):
        self._log = tempfile.TemporaryFile()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._start()
                return self
            except BaseException as failure:
                self._stop()
                if not isinstance(failure, BrokerFailed) or attempt == ATTEMPTS:
                    self._log.close()
                    raise
                print(f"the Kafka broker did not start, trying again: {failure}", file=sys.stderr)

    def __exit__(self, *_):
        self._stop()
        self._log.close()

    def wait(self):
        """Waits until it ends, and returns the end of its log."""
        self._process.wait()
        return self._log_tail()

    def _start(self):
        self._process = None
        self._folder = tempfile.TemporaryDirectory(
            prefix="kafka-broker-", dir=memory_folder(), ignore_cleanup_errors=True
        )
        folder = Path(self._folder.name)
        port, controller_port = free_ports(2)
        self.bootstrap = f"127.0.0.1:{port}"

        properties = folder / "server.properties"
        properties.write_text(
            (HERE / "server.properties")
            .read_text()
            .replace("@DATA@", str(folder / "data"))
            .replace("@CONTROLLER_PORT@", str(controller_port))
            .replace("@PORT@", str(port))
        )
        format_storage = java("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(properties))
        run = java("kafka.Kafka", str(properties))
        script = f"{shlex.join(format_storage)} && exec {shlex.join(run)}"
        self._process = subprocess.Popen(
            ["sh", str(HERE.parent / "guard/guard.sh"), str(folder), "sh", "-c", script],
            env={**os.environ, "JVM_FLAGS": f"{os.environ.get('JVM_FLAGS', '')} {TELL}"},
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        self._wait_for_port(port)

    def _wait_for_port(self, port):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise BrokerFailed(f"it ended before its port was open:\n{self._log_tail()}")
            # Its own word first: another process may have taken the port, and would answer as well.
            if STARTED in self._read_log():
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    return
                except OSError:
                    pass
            time.sleep(0.1)
        raise BrokerFailed(f"its port was not open after {START_SECONDS} s:\n{self._log_tail()}")

    def _read_log(self):
        # The broker writes where this file's position is: that must not move.
        return os.pread(self._log.fileno(), os.fstat(self._log.fileno()).st_size, 0)

    def _log_tail(self):
        return "\n".join(self._read_log().decode(errors="replace").splitlines()[-20:])

    def _stop(self):
        if self._process is not None:
            self._process.stdin.close()  # the guard stops the broker
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
        self._folder.cleanup()


def memory_folder():
    """A file system in memory, where there is one with room: on a disk, each new partition waits for it several times."""
    try:
        return MEMORY if shutil.disk_usage(MEMORY).free >= ROOM else None
    except OSError:
        return None


def free_ports(count):
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def main(command):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with Broker() as broker:
        if command:
            return subprocess.call(command, env={**os.environ, "KAFKA_BOOTSTRAP": broker.bootstrap})
        print(broker.bootstrap, flush=True)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
