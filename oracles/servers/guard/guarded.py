"""A server for as long as it is needed: a process group of its own, its data in a temporary folder, loopback only.

    class Node(Guarded):
        def command(self, folder): ...      # what runs in it; asked again for each attempt
        def is_up(self): ...                # whether it answers: asked until it does

    with Node() as node: ...

However this process ends, the server ends and its data is removed: see guard.sh.
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GUARD = Path(__file__).resolve().parent / "guard.sh"
ORACLES = Path(__file__).resolve().parent.parent.parent
STOP_SECONDS = 30   # longer than guard.sh waits before it kills


class ServerFailed(Exception):
    pass


class Guarded:
    seconds = 120   # to come up
    attempts = 3    # another process may take a free port before the server does

    def command(self, folder):
        raise NotImplementedError

    def is_up(self):
        raise NotImplementedError

    def __enter__(self):
        for attempt in range(1, self.attempts + 1):
            try:
                self._start()
                return self
            except BaseException as failure:
                self.stop()
                if not isinstance(failure, ServerFailed) or attempt == self.attempts:
                    raise
                print("the server did not start, trying again: %s" % failure, file=sys.stderr)

    def __exit__(self, *_):
        self.stop()

    def _start(self):
        self._log = tempfile.TemporaryFile()
        self._folder = tempfile.TemporaryDirectory(prefix="keyfall-server-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            ["sh", str(GUARD), self._folder.name, *self.command(Path(self._folder.name))],
            stdin=subprocess.PIPE, stdout=self._log, stderr=self._log, start_new_session=True)
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            if self._process.poll() is not None:
                raise ServerFailed("it ended before it was up:\n%s" % self.log_tail())
            if self.is_up():
                return
            time.sleep(0.1)
        raise ServerFailed("it was not up after %d s:\n%s" % (self.seconds, self.log_tail()))

    def is_alive(self):
        return self._process is not None and self._process.poll() is None

    def log_tail(self):
        # The server writes where this file's position is: that must not move.
        log = os.pread(self._log.fileno(), os.fstat(self._log.fileno()).st_size, 0)
        return "\n".join(log.decode(errors="replace").splitlines()[-30:])

    _process = None

    def stop(self):
        process, self._process = self._process, None
        if process is None:
            return
        process.stdin.close()   # the guard stops the server
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self._folder.cleanup()
        self._log.close()


def free_ports(count):
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def java(version, *flags):
    """The lowest JDK of at least this version, with what all these servers are given."""
    home = subprocess.run(["sh", str(ORACLES / "java/jdk.sh"), str(version)], check=True, capture_output=True, text=True)
    return [home.stdout.strip() + "/bin/java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-Dfile.encoding=UTF-8", "-Duser.timezone=UTC", "-Duser.language=en", *flags]


def jars(*libraries):
    """A class path of folders below target/java/lib."""
    return [str(ORACLES / "target/java/lib" / library / "*") for library in libraries]
