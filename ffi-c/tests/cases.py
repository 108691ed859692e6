"""Writes vector files as lines that a C program reads without a JSON library.

    cases.py VECTORS > cases.tsv

One case a line, tab-separated; "-" is absent:
scheme, id, params, key (both as JSON), the key in hex or "null" where it is null, bytes, text or UTF-16, which of these
it is, outcome, place (as JSON), hash, owner.
"""

import base64
import json
import pathlib
import sys


class Number(str):
    """A number as it was written: among a key's fields 1.0 is not 1."""


def dump(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{dump(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return json.dumps(value)


def key_bytes(key):
    """The key in hex and its form."""
    match key:
        case None:
            return "null", "bytes"
        case {"hex": text}:
            return text, "bytes"
        case {"base64": text}:
            return base64.b64decode(text).hex(), "bytes"
        case {"text": str(text)} if not isinstance(text, Number):
            # JSON can spell a lone surrogate, which UTF-8 cannot.
            units = text.encode("utf-16-le", "surrogatepass")
            try:
                return text.encode().hex(), "text"
            except UnicodeEncodeError:
                return units.hex(), "utf16"
        case {"utf16": units}:
            return b"".join(int(unit).to_bytes(2, "little") for unit in units).hex(), "utf16"
    return "-", "-"


def files(root):
    """The vector files: vectors/<system>/<variant>.json."""
    found = sorted(path for path in pathlib.Path(root).glob("*/*.json") if path.parent.name not in ("data", "runs"))
    return found or sys.exit(f"no vector files <system>/<variant>.json in {root}")


def lines(path):
    vectors = json.loads(path.read_text("utf-8"), parse_int=Number, parse_float=Number)
    if vectors["format"] != "1":
        sys.exit(f"{path}: format {vectors['format']} is not known here, only 1")
    for case in vectors["cases"]:
        place = case.get("place")
        yield (
            vectors["scheme"],
            case["id"],
            dump(case.get("params", {})),
            dump(case["key"]),
            *key_bytes(case["key"]),
            case["outcome"],
            place if isinstance(place, Number) else "-" if place is None else json.dumps(place, ensure_ascii=False),
            case.get("hash", "-"),
            case.get("owner", "-"),
        )


def main(root):
    for path in files(root):
        for line in lines(path):
            sys.stdout.buffer.write("\t".join(line).encode() + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
