"""Where the records of a real client lie on a real broker.

    adapter.py CLIENT ARG...              # the adapter in clients/CLIENT, run with these arguments

A broker is started, and the client's own adapter with the broker's address. That adapter is asked to `produce` the keys.
One consumer, librdkafka's for every client, then reads back whatever is new in the topic, and the answer for a key is the
partition in which its record lies. README.md says more.
"""
import functools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import confluent_kafka  # noqa: E402
import oracle_helper as oracle  # noqa: E402
from broker import ORACLES, VERSION, Broker, BrokerFailed  # noqa: E402
from confluent_kafka.admin import AdminClient, NewTopic, OffsetSpec  # noqa: E402

MOST = 2000             # partitions of a topic; a small broker creates them in seconds
START_SECONDS = 60
BATCH_SECONDS = 240

# Bytes of value after which a client takes another partition for records without a key.
STICKY = {"franz-go": 64 << 10, "kafka-java": 16 << 10, "kafka-python": 16 << 10}

# Schemes that pin no key at all. Under the others, only a null or an empty key may lie anywhere.
UNPINNED = {"kafka/librdkafka-random"}


class Failed(Exception):
    pass


class Deadline:
    def __init__(self, seconds):
        self.seconds = seconds
        self.end = time.monotonic() + seconds

    def left(self):
        left = self.end - time.monotonic()
        if left <= 0:
            raise Failed("not done within %d s" % self.seconds)
        return left


class Client:
    """The adapter of a client, started when it is first asked, and again when it has ended."""
    # It must not outlive this process, even one that is killed while the client writes.
    tied = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []

    def __init__(self, name, arguments, bootstrap):
        self.name = name
        self.command = [*self.tied, "sh", str(ORACLES / "clients" / name / "run.sh"), *arguments]
        self.environment = {**os.environ, "KAFKA_BOOTSTRAP": bootstrap}
        self.process = None
        self.asked = 0

    def start(self):
        return self.ask({"cmd": "start", "version": 1}, Deadline(START_SECONDS))

    def produce(self, request, deadline):
        self.asked += 1
        reply = self.ask({"cmd": "produce", "seq": self.asked, **request}, deadline)
        if "skipped" in reply:
            raise oracle.Skipped(reply["skipped"])
        if "error" in reply:
            raise Failed("%s: %s" % (self.name, reply["error"]))
        return self.asked, reply["outcomes"]

    def ask(self, request, deadline):
        if self.process is None:
            self.process = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        limit = threading.Timer(deadline.left(), self.process.kill)
        limit.start()
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        finally:
            limit.cancel()
        try:
            return json.loads(answer)
        except ValueError:
            status = self.stop()
            deadline.left()
            raise Failed("%s ended with status %d and %r" % (self.name, status, answer[:200]))

    def kill(self):
        if self.process is not None:
            self.process.kill()

    def stop(self):
        """Its exit status, or minus the signal that ended it."""
        process, self.process = self.process, None
        if process is not None:
            try:
                process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return process.returncode


class Topics:
    """A topic for each number of partitions, and one consumer of them all."""

    def __init__(self, bootstrap):
        settings = {"bootstrap.servers": bootstrap, "log_level": 2}
        self.admin = AdminClient(settings)
        self.producer = confluent_kafka.Producer(settings)
        self.consumer = confluent_kafka.Consumer(
            {**settings, "group.id": "oracle", "enable.auto.commit": False, "fetch.wait.max.ms": 10})
        self.read = {}  # topic: the offsets up to which its partitions were read

    def of(self, partitions, deadline):
        """Each partition of a new topic gets one record: to one that is not ready yet some clients' batches come out of
        order, and are then retried for minutes."""
        topic = "of-%d" % partitions
        if topic not in self.read:
            self.admin.create_topics([NewTopic(topic, partitions, 1)])[topic].result(deadline.left())
            for partition in range(partitions):
                self.producer.produce(topic, b"0/0/", partition=partition)
            if self.producer.flush(deadline.left()):
                raise Failed("%s did not come up" % topic)
            self.consumer.list_topics(topic, deadline.left())   # it would look by itself, a second later
            self.read[topic] = [0] * partitions
            for _ in self.records(topic, deadline):
                pass
        return topic

    def records(self, topic, deadline):
        """(seq, index, key, partition) of each record that was not read before."""
        read = self.read[topic]
        latest = {confluent_kafka.TopicPartition(topic, partition): OffsetSpec.latest() for partition in range(len(read))}
        ends = list(read)
        for place, future in self.admin.list_offsets(latest).items():
            ends[place.partition] = future.result(deadline.left()).offset
        self.consumer.assign([confluent_kafka.TopicPartition(topic, partition, offset)
                              for partition, offset in enumerate(read) if offset < ends[partition]])
        while missing := sum(ends) - sum(read):
            for message in self.consumer.consume(min(missing, 10000), min(deadline.left(), 1)):
                if message.error():
                    raise Failed("consumer: %s" % message.error())
                read[message.partition()] += 1
                seq, index, _ = message.value().split(b"/", 2)
                yield int(seq), int(index), message.key(), message.partition()
        self.consumer.unassign()


class Placer:
    def __init__(self, client, bootstrap):
        self.client = client
        self.topics = Topics(bootstrap)

    def place(self, scheme, params, keys):
        partitions = oracle.count(params)
        if partitions > MOST:
            raise oracle.Skipped("a topic of %d partitions is not created here" % partitions)
        deadline = Deadline(BATCH_SECONDS)
        topic = self.topics.of(partitions, deadline)
        outcomes = [None] * len(keys)       # of keys that were not written
        places = [[] for _ in keys]         # the partition of each record of a key
        on_wire = [None] * len(keys)
        written = [0] * len(keys)
        sent = {}                           # seq: the indexes of its keys

        def write(indexes, fill):
            seq, answers = self.client.produce(
                {"scheme": scheme, "params": params, "topic": topic, "keys": [keys[index] for index in indexes],
                 "fill": fill}, deadline)
            sent[seq] = indexes
            for index, answer in zip(indexes, answers, strict=True):
                written[index] += 1
                if answer["outcome"] != "produced":
                    outcomes[index] = answer

        def read():
            for seq, at, key, partition in self.topics.records(topic, deadline):
                if seq in sent:     # if not, it is late: its batch has failed
                    places[sent[seq][at]].append(partition)
                    on_wire[sent[seq][at]] = key

        write(list(range(len(keys))), 0)
        read()
        open_keys = [index for index, found in enumerate(places)
                     if found and (not on_wire[index] or scheme in UNPINNED or params.get("ignore_keys"))]
        if partitions == 1:
            for index in open_keys:
                outcomes[index] = oracle.error("with one partition nothing can be observed")
        elif open_keys:
            shuffled = random.Random(1)     # a client that takes two partitions in turns would give two keys one each
            for _ in range(oracle.REPEATS - 1):
                write(shuffled.sample(open_keys, len(open_keys)), STICKY.get(self.client.name, 0))
            read()

        for index, found in enumerate(places):
            if outcomes[index] is None:
                outcomes[index] = (oracle.seen(found) if len(found) == written[index] else
                                   oracle.error("%d records were written and %d found" % (written[index], len(found))))
        return outcomes


def end_with(broker, client, done):
    """Without its broker the adapter is of no use."""
    log = broker.wait()
    if not done.is_set():
        print("the broker has ended:\n%s" % log, file=sys.stderr, flush=True)
        client.kill()
        os._exit(1)


def main(name, *arguments):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    done = threading.Event()
    try:
        with Broker() as broker:
            client = Client(name, arguments, broker.bootstrap)
            threading.Thread(target=end_with, args=(broker, client, done), daemon=True).start()
            try:
                hello = client.start()
                placer = Placer(client, broker.bootstrap)
                oracle.serve("kafka-%s/%s" % (VERSION, hello["name"]), hello["client_version"],
                             {scheme: functools.partial(placer.place, scheme) for scheme in hello["schemes"]},
                             hello["language"], decode=lambda key: key)
            finally:
                done.set()
                client.stop()
    except (BrokerFailed, Failed) as failure:
        sys.exit("%s: %s" % (type(failure).__name__, failure))


if __name__ == "__main__":
    main(*sys.argv[1:])
