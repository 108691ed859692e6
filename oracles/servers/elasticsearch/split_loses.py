"""What a split does to documents whose id has a lone surrogate.

    split_loses.py elasticsearch|opensearch VERSION         # after build.sh with the same arguments

Forty such documents and forty others are indexed into 2 shards, which are split into 16. Told are how many are there, and how
many of each forty a GET by id finds, before and after.
"""
import json
import sys

from node import Node

IDS = ["a%d\ud83d" % n for n in range(40)] + ["b%d" % n for n in range(40)]


def look(node, index):
    node.ask("POST", "/%s/_refresh" % index)
    found = [document.get("found", False) for document in
             node.ask("POST", "/_mget", {"docs": [{"_index": index, "_id": id} for id in IDS]})["docs"]]
    return "%d documents, found %d of 40 and %d of 40" % (
        node.ask("GET", "/%s/_count" % index)["count"], sum(found[:40]), sum(found[40:]))


def main(system, version):
    with Node(system, version) as node:
        node.ask("PUT", "/before", {"settings": {"index": {
            "number_of_shards": 2, "number_of_routing_shards": 16, "number_of_replicas": 0}}})
        node.ask("POST", "/_bulk", "".join(
            "%s\n{}\n" % json.dumps({"index": {"_index": "before", "_id": id}}) for id in IDS))
        print("before:", look(node, "before"))
        node.ask("PUT", "/before/_settings", {"index.blocks.write": True})
        node.ask("PUT", "/before/_split/after", {"settings": {"index.number_of_shards": 16}})
        node.ask("GET", "/_cluster/health/after?wait_for_status=yellow&timeout=60s")
        print("after:", look(node, "after"))


if __name__ == "__main__":
    main(*sys.argv[1:])
