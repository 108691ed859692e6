"""Runs a command with a Redis cluster of three nodes for as long as it takes: REDIS_PORTS holds their ports."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../servers/redis"))
from redis_server import Cluster  # noqa: E402

with Cluster() as cluster:
    ports = ",".join(str(server.port) for server in cluster.servers)
    sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, "REDIS_PORTS": ports}).returncode)
