"""The standard hashing policy of Redis Enterprise and Redis Cloud, transcribed: no such server can be had here.

Read in redis/docs (0fe68e7f2730e003693d7a52b99311918b2d8dd9): content/operate/rc/databases/configuration/clustering.md,
"Standard hashing policy" and the regular expressions that implement it (PCRE_ANCHORED; a later rule counts where an earlier
one does not match). Two things are not told, and taken: that the hash is that of the cluster specification, which the one
slot that was reported in public confirms (redis/redis#6027), and that `.` matches a line feed, too.
"""
import binascii
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))
import oracle_helper as oracle  # noqa: E402

VERSION = "docs, 0fe68e7f2730"
RULES = [re.compile(rule, re.DOTALL) for rule in (rb".*{(?P<tag>.*)}.*", rb"(?P<tag>.*)")]


def place(_, key):
    data = oracle.to_bytes(key)
    if data is None:
        raise oracle.Rejected("no null keys")
    match = next(match for match in (rule.match(data) for rule in RULES) if match)
    return binascii.crc_hqx(match["tag"], 0) % 16384


oracle.serve("redis-enterprise", VERSION, {"redis/enterprise": oracle.each(place)})
