"""Where a running node of Elasticsearch or OpenSearch puts documents.

    adapter.py elasticsearch|opensearch VERSION [split|shrink|upgraded]

An index is made with the params' counts, the keys are indexed in bulk, and a search that explains itself names the shard
of each document. Its place is never computed here, nor is the number of routing shards: the server has its own rule.

split      the documents are indexed into fewer shards, and looked for after the index has been split
shrink     the documents are indexed into more shards, and looked for after the index has been shrunk
upgraded   the indices were made by 8.19.21, and this version has opened them: an index keeps its rule
"""
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../python")]
import oracle_helper as oracle  # noqa: E402
from node import GUARD, Node, RequestFailed  # noqa: E402

MOST_SHARDS = 130   # one node with a small heap takes no more in reasonable time
MOST_RESIZED = 50   # nor more than these, where each is another index's
ROUNDS = 4          # of documents with one id that are split or shrunk, each round an index
OLD = "8.19.21"

LEGACY, MODULO, OPENSEARCH = "elasticsearch/legacy", "elasticsearch/modulo", "opensearch/routing"
BY_FIELDS = {"elasticsearch/time-series": "time_series", "elasticsearch/logsdb": "logsdb"}
FIRST_TIME = 1717200000000      # of documents that have a time, a second later each
SETTINGS = {"shards": "number_of_shards", "routing_shards": "number_of_routing_shards",
            "routing_partition_size": "routing_partition_size"}

# What the old version is asked to make beforehand, as nothing is known yet of what will be asked.
PREPARED = ([{"shards": shards} for shards in (1, 2, 3, 5, 6, 7, 9, 10, 12, 16)]
            + [{"shards": shards, "routing_shards": n} for shards, n in ((2, 30), (5, 30), (6, 24), (3, 96), (10, 1000))]
            + [{"shards": shards, "routing_partition_size": size} for shards, size in ((6, 2), (6, 3), (10, 4), (5, 639))]
            + [{"shards": 10, "routing_shards": 30, "routing_partition_size": 7}])


# A document that is split goes where its stored id or routing value belongs, in which a lone surrogate is another
# character: into another shard than it is looked for in, or into none.
NOT_ITS_OWN = oracle.error("a split has only the stored text, without the lone surrogate")


def document(key):
    """(routing, id) of a key."""
    routing, id = key if type(key) is tuple and len(key) == 2 else (None, key)
    return text(routing), text(id)


def text(part):
    if isinstance(part, bytes):
        try:
            return part.decode("utf-8")
        except UnicodeDecodeError:
            raise oracle.Unsupported("an id is text: these bytes are no UTF-8")
    if part is None or isinstance(part, str):
        return part
    raise oracle.Unsupported("an id is text")


def as_stored(id):
    """An id as the index has it: of a lone surrogate it keeps no trace, so that two ids become one."""
    return id.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def factors(n):
    return [factor for factor in range(2, n + 1) if n % factor == 0]


def dimension(value):
    """A field's value as JSON."""
    if isinstance(value, bytes):
        value = text(value)
    if isinstance(value, oracle.Typed):
        if value.type not in ("number", "bool"):
            raise oracle.Unsupported("JSON has no %s" % value.type)
        return value.value
    if value is None or isinstance(value, str):
        return json.dumps(value)
    raise oracle.Unsupported("a dimension is text, a number or a boolean")


def dimensions(key):
    if key is None:
        return {"outcome": "refused", "why": "there is no document"}
    if not isinstance(key, dict):
        raise oracle.Unsupported("a document is named fields")
    return {"fields": {name: dimension(value) for name, value in key.items()}}


class Placer:
    def __init__(self, node, mode):
        self.node = node
        self.mode = mode
        self.round = 0
        self.prepared = set()

    # Indices

    def name(self, params):
        return "-".join(["of", *("%s%s" % (name[8:9] or "n", value) for name, value in sorted(params.items()))])

    def prepare(self):
        for params in PREPARED:
            self.create(self.name(params), params)
            self.prepared.add(self.name(params))

    def create(self, name, params, more=({}, {})):
        """`more` are further settings and fields."""
        settings = {"number_of_replicas": 0, "translog.durability": "async"}
        for param, value in params.items():
            settings[SETTINGS[param]] = value
        settings.update(more[0])
        numbers = {"round": {"type": "integer"}, "n": {"type": "integer"}}
        mapping = {"dynamic": False, "properties": {**numbers, **more[1]}}
        if params.get("routing_partition_size", 1) > 1:
            mapping["_routing"] = {"required": True}
        body = {"settings": {"index": settings}, "mappings": {"doc": mapping} if self.node.has_types else mapping}
        try:
            self.node.ask("PUT", "/" + name, body)
        except RequestFailed as failure:
            raise oracle.Skipped("no index is made with %s: %s" % (json.dumps(params), failure))

    def before_resize(self, params):
        """The params of the index that becomes one with these params when it is split or shrunk."""
        shards = params["shards"]
        if shards > MOST_RESIZED:
            raise oracle.Skipped("an index of %d shards is not made here" % shards)
        # Both keep the number of routing shards, which is the target's default if it is not given: the server says it.
        routing_shards = params.get("routing_shards") or self.default_routing_shards(shards)
        if self.mode == "split":
            sources = [shards // factor for factor in factors(shards)]
            if 1 in sources and "routing_shards" in params:
                sources.remove(1)       # from one shard the number of routing shards is computed anew
        else:
            sources = [shards * factor for factor in (2, 3, 5) if routing_shards % (shards * factor) == 0]
        sources = [source for source in sources if source <= MOST_RESIZED]
        if not sources:
            raise oracle.Skipped("nothing is %s into %d of %d shards" % (self.mode, shards, routing_shards))
        before = {**params, "shards": sources[0]}
        if sources[0] > 1:
            before["routing_shards"] = routing_shards
        return before

    def default_routing_shards(self, shards):
        self.create("default", {"shards": shards})
        state = self.node.ask("GET", "/_cluster/state/metadata/default")
        self.node.ask("DELETE", "/default")
        return state["metadata"]["indices"]["default"]["routing_num_shards"]

    def resize(self, source, target, params):
        self.node.ask("PUT", "/%s/_settings" % source, {"index.blocks.write": True})
        settings = {"index.number_of_shards": params["shards"], "index.blocks.write": None}
        try:
            self.node.ask("PUT", "/%s/_%s/%s" % (source, self.mode, target), {"settings": settings})
        except RequestFailed as failure:
            raise oracle.Skipped("%s: %s" % (self.mode, failure))
        self.node.ask("GET", "/_cluster/health/%s?wait_for_status=yellow&wait_for_no_relocating_shards=true&timeout=60s" % target)

    # Documents

    def place(self, scheme, params, keys):
        params = dict(params)
        unknown = set(params) - set(SETTINGS) - {"index_major"}
        if unknown:
            raise oracle.Skipped("unknown params: %s" % sorted(unknown))
        major = params.pop("index_major", None)
        own = self.node.major if self.node.has_types else None
        if major != own:
            raise oracle.Skipped("this node makes no such index")
        if major == 5 and "routing_shards" in params:
            raise oracle.Skipped("5.6 has no such setting")
        if oracle.count(params, "shards") > MOST_SHARDS:
            raise oracle.Skipped("an index of %d shards is not made here" % params["shards"])

        outcomes = oracle.each(lambda _, key: {"document": document(key)})(params, keys)
        rounds = []     # of documents whose ids differ
        for index, outcome in enumerate(outcomes):
            routing, id = outcome.get("document", (None, None))
            if id is None:
                if "document" in outcome:
                    outcomes[index] = {"outcome": "refused", "why": "the server makes an id of its own"}
                continue
            for each in rounds:
                if as_stored(id) not in each:
                    break
            else:
                each = {}
                rounds.append(each)
            each[as_stored(id)] = (index, routing, id)

        for found in self.ask_rounds(params, [list(each.values()) for each in rounds]):
            for index, outcome in found.items():
                outcomes[index] = outcome
        return outcomes

    def place_by_fields(self, scheme, params, keys):
        """One index for each set of names: all of them are its dimensions."""
        params = dict(params)
        if params.pop("index_version", None) != ".".join(self.node.version.split(".")[:2]):
            raise oracle.Skipped("this node makes no such index")
        if oracle.count(params, "shards") > MOST_SHARDS:
            raise oracle.Skipped("an index of %d shards is not made here" % params["shards"])
        outcomes = oracle.each(lambda _, key: dimensions(key))(params, keys)
        by_names = {}
        for n, outcome in enumerate(outcomes):
            if "fields" in outcome:
                names = tuple(sorted(outcome["fields"])) or ("absent",)
                by_names.setdefault(names, []).append((n, outcome["fields"]))
        for names, documents in by_names.items():
            try:
                self.create("fields", params, self.by_fields(BY_FIELDS[scheme], names))
                for n, outcome in self.index_fields("fields", documents).items():
                    outcomes[n] = outcome
            finally:
                self.delete("fields")
        return outcomes

    @staticmethod
    def by_fields(mode, names):
        """Settings and fields of an index that is routed by these names."""
        if mode == "time_series":
            settings = {"time_series": {"start_time": "2024-01-01T00:00:00Z", "end_time": "2025-01-01T00:00:00Z"}}
            field = {"type": "keyword", "time_series_dimension": True}
        else:
            # The codec that a log index has by itself is not in the artifact.
            settings = {"codec": "default", "logsdb": {"route_on_sort_fields": True},
                        "sort": {"field": list(names), "order": ["asc"] * len(names)}}
            field = {"type": "keyword"}
        return ({"mode": mode, "routing_path": list(names), **settings},
                {"@timestamp": {"type": "date"}, **{name: field for name in names}})

    def index_fields(self, name, documents):
        self.round += 1
        lines = []
        for n, fields in documents:
            source = {"@timestamp": str(FIRST_TIME + 1000 * n), "round": str(self.round), "n": str(n), **fields}
            lines += [json.dumps({"create": {"_index": name}}),
                      "{%s}" % ",".join("%s:%s" % (json.dumps(field), value) for field, value in source.items())]
        answer = self.node.ask("POST", "/_bulk?refresh=true", "\n".join(lines) + "\n")
        outcomes = {}
        for (n, _), item in zip(documents, answer["items"], strict=True):
            if item["create"]["status"] == 400:
                outcomes[n] = oracle.rejected(item["create"]["error"]["reason"])
            elif item["create"]["status"] >= 300:
                raise RequestFailed(item["create"]["status"], item["create"])
        return {**outcomes, **self.find(name, [n for n, _ in documents if n not in outcomes])}

    def ask_rounds(self, params, rounds):
        if self.mode in ("split", "shrink"):
            before = self.before_resize(params)
            for each in rounds[ROUNDS:]:
                yield {index: oracle.error("so many documents of one id are not asked about") for index, *_ in each}
            for each in rounds[:ROUNDS]:
                try:
                    self.create("source", before)
                    outcomes = self.index("source", each)
                    self.node.ask("POST", "/source/_flush")
                    self.resize("source", "target", params)
                    outcomes.update(self.find("target", [index for index, *_ in each if index not in outcomes]))
                    if self.mode == "split":
                        outcomes.update({index: NOT_ITS_OWN for index, routing, id in each
                                         if any(part and as_stored(part) != part for part in (routing, id))})
                    yield outcomes
                finally:
                    self.delete("source")
                    self.delete("target")
            return
        name = self.name(params)
        if self.mode == "upgraded" and name not in self.prepared:
            raise oracle.Skipped("%s has made no such index" % OLD)
        try:
            if self.mode != "upgraded":
                self.create(name, params)
            for each in rounds:
                outcomes = self.index(name, each)
                yield {**outcomes, **self.find(name, [index for index, *_ in each if index not in outcomes])}
        finally:
            if self.mode != "upgraded":
                self.delete(name)

    def delete(self, name):
        try:
            self.node.ask("DELETE", "/" + name)
        except RequestFailed:
            pass    # it was not made

    def index(self, name, documents):
        """Writes documents, each (n, routing, id); the outcomes of those that were not taken."""
        self.round += 1
        outcomes = self.bulk(name, documents)
        self.node.ask("POST", "/%s/_refresh" % name)
        return outcomes

    def bulk(self, name, documents):
        lines = []
        for n, routing, id in documents:
            action = {"_index": name, "_id": id}
            if self.node.has_types:
                action["_type"] = "doc"
            if routing is not None:
                action["routing"] = routing
            lines += [json.dumps({"index": action}), json.dumps({"round": self.round, "n": n})]
        try:
            answer = self.node.ask("POST", "/_bulk", "\n".join(lines) + "\n")
        except RequestFailed as failure:
            # Some ids fail the whole request.
            if failure.status != 400:
                raise
            if len(documents) == 1:
                return {documents[0][0]: oracle.rejected(str(failure))}
            half = len(documents) // 2
            return {**self.bulk(name, documents[:half]), **self.bulk(name, documents[half:])}
        outcomes = {}
        for (n, *_), item in zip(documents, answer["items"], strict=True):
            item = item["index"]
            if item["status"] == 400:
                outcomes[n] = oracle.rejected(item["error"]["reason"])
            elif item["status"] >= 300:
                raise RequestFailed(item["status"], item)
        return outcomes

    def find(self, name, wanted):
        answer = self.node.ask("POST", "/%s/_search" % name, {
            "explain": True, "size": max(len(wanted), 1), "query": {"term": {"round": self.round}}})
        if answer["_shards"]["failed"] or answer["timed_out"]:
            raise RuntimeError("a search failed: %s" % json.dumps(answer["_shards"]))
        found = {}
        for hit in answer["hits"]["hits"]:
            n = hit["_source"]["n"]
            if n in found:
                raise RuntimeError("document %d lies in two shards" % n)
            found[n] = oracle.placed(int(hit["_shard"].rpartition("[")[2].rstrip("]")))
        return {n: found.get(n) or oracle.error("the document is lost: no shard has it") for n in wanted}


def held_folder():
    """A folder that goes with this process, however it ends."""
    folder = tempfile.mkdtemp(prefix="keyfall-data-")
    subprocess.Popen(["sh", str(GUARD), folder, "sleep", "infinity"], stdin=subprocess.PIPE,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    return folder


def schemes(system, major, mode):
    if system == "opensearch":
        return [OPENSEARCH]
    by_fields = list(BY_FIELDS) if major >= 8 and not mode else []
    return [MODULO if major >= 9 and mode != "upgraded" else LEGACY] + by_fields


def main(system, version, mode=""):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    data, prepared = None, set()
    if mode == "upgraded":
        data = held_folder()
        with Node(system, OLD, data) as old:
            placer = Placer(old, mode)
            placer.prepare()
            prepared = placer.prepared
    with Node(system, version, data) as node:
        placer = Placer(node, mode)
        placer.prepared = prepared
        about, = node.ask("GET", "/_nodes")["nodes"].values()
        oracle.serve("%s node" % system, about["version"],
                     {scheme: functools.partial(placer.place_by_fields if scheme in BY_FIELDS else placer.place, scheme)
                      for scheme in schemes(system, node.major, mode)}, "java")


if __name__ == "__main__":
    main(*sys.argv[1:])
