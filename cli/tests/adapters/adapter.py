"""An adapter for tests: adapter.py MODE [SCHEME]. It places as MODE says, or fails in that way."""

import json
import os
import subprocess
import sys
import time
import zlib


def murmur2(data):
    """kafka-clients' Utils.murmur2."""
    h = 0x9747B28C ^ len(data)
    for at in range(0, len(data) - len(data) % 4, 4):
        k = int.from_bytes(data[at : at + 4], "little") * 0x5BD1E995 & 0xFFFFFFFF
        h = h * 0x5BD1E995 & 0xFFFFFFFF ^ (k ^ k >> 24) * 0x5BD1E995 & 0xFFFFFFFF
    tail = data[len(data) - len(data) % 4 :]
    if tail:
        h = (h ^ int.from_bytes(tail, "little")) * 0x5BD1E995 & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0x5BD1E995 & 0xFFFFFFFF
    return h ^ h >> 15


def place(key, count, mode):
    if key is None:
        return {"outcome": "unpinned", "why": "sticky"}
    if "hex" in key:
        data = bytes.fromhex(key["hex"])
    elif "text" in key:
        data = key["text"].encode("utf-8", "replace")
    else:
        return {"outcome": "error", "why": "this client takes bytes and text alone"}
    if mode == "crc32":
        return {"outcome": "placed", "place": zlib.crc32(data) % count}
    h = murmur2(data)
    if mode == "abs" and h >> 31:
        # The absolute value of the remainder.
        return {"outcome": "placed", "place": ((1 << 32) - h) % count}
    return {"outcome": "placed", "place": (h & 0x7FFFFFFF) % count}


def say(message):
    print(json.dumps(message), flush=True)


def main():
    mode = sys.argv[1]
    scheme = sys.argv[2] if len(sys.argv) > 2 else "kafka/java"
    if mode == "early":
        print("Welcome to the adapter!", flush=True)
    if "ADAPTER_PIDS" in os.environ:
        # A program of its own, which holds the pipes and would go on for long.
        child = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
        with open(os.environ["ADAPTER_PIDS"], "a") as pids:
            print(os.getpid(), child.pid, file=pids)
    if mode == "slow-start":
        time.sleep(600)
    if mode == "ended":
        sys.exit("no client here")
    batches = 0
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "start":
            version = 2 if mode == "version" else 1
            say({"version": version, "name": mode, "client_version": "1.0", "language": "python", "schemes": [scheme]})
            if mode == "deaf":
                time.sleep(600)
        elif request["cmd"] == "stop":
            if mode == "stays":
                time.sleep(600)
            break
        else:
            batches += 1
            seq, keys = request["seq"], request["keys"]
            if mode == "hang":
                time.sleep(600)
            if mode == "drip":
                for byte in json.dumps({"seq": seq, "skipped": "x" * 600}):
                    sys.stdout.write(byte)
                    sys.stdout.flush()
                    time.sleep(0.2)
            if mode == "crash" and batches == 2:
                sys.exit("Traceback: the client has lost its mind")
            if mode == "wrong-seq":
                seq += 1
            if mode == "wrong-count":
                keys = keys[1:]
            if mode == "not-json":
                print("place: 7", flush=True)
            if mode == "long-line":
                sys.stdout.write("x" * (17 << 20))
                sys.stdout.flush()
            if mode == "gigabyte":
                for _ in range(1 << 10):
                    sys.stdout.write("x" * (1 << 20))
                with open(os.environ["ADAPTER_PIDS"] + ".written", "w"):
                    pass
            if mode == "closed":
                os.close(1)
                time.sleep(600)
            if mode == "noise":
                for _ in range(1 << 2):
                    sys.stderr.write("x" * (1 << 20) + "\n")
            if mode == "two-lines" and batches == 1:
                say({"seq": seq, "skipped": "once"})
            if mode == "both":
                say({"seq": seq, "skipped": "x", "error": "y"})
                continue
            if mode == "moved":
                say({"seq": seq, "outcomes": [{"outcome": "moved"} for _ in keys]})
                continue
            if mode == "nowhere":
                say({"seq": seq, "outcomes": [{"outcome": "placed"} for _ in keys]})
                continue
            if set(request["params"]) != {"partitions"}:
                say({"seq": seq, "skipped": "this client knows partitions alone"})
                continue
            count = request["params"]["partitions"]
            say({"seq": seq, "outcomes": [place(key, count, mode) for key in keys]})


main()
