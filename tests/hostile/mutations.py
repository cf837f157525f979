"""How a sound input is spoilt: bytes, lines, cells, values and the members of a zip, by a seed and nothing else."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

TEXTS = [
    "", " ", "NaN", "-1", "0", "1e9", "1e400", "9" * 30, "9" * 5000, "0x" + "f" * 5000, "inf", "03-apr", "7,5", "=1+1",
    '"', "'", "\0", "\r", "\n", "\t", "x" * 5000, "x" * 200_000, "🜲", "\u202e", "\x1b[31m", "[", "[" * 999, "{" * 999,
    "]]", "'''", '"""', "true", "{}", "[]", "1979-05-27", "2000-01-01T00:00:00Z", "#N/A", "_", ";;;", "../../evil",
    "/etc/passwd", "CON", "a\\b", "<script>", "$x^2$", "%s{0}", "é", "-", "\ufeff", "all", "*", "?" * 50, "a.b.c.d",
    "rules.x", "attacker.damage", "0.1", "-0", "1_000", "+1",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2, 10**6, 10**18, 10**30, 2**63, -(2**63), 0.5, -0.5, 1e308, -1e308, 5e-324, "", "x",
    "../../evil", "x" * 5000, "\0", "\ud800", "=1+1", [], {}, [[]], [1], ["x"], [None], {"x": 1}, {"": {}},
    [[[[[[1]]]]]], ["x"] * 1000, list(range(1000)), "0" * 64,
]  # fmt: skip
TOML_VALUES = [
    "true", "-1", "0", "1", "99", "1e400", "nan", "-inf", "0.5", '""', '"x"', "[]", "{}", "[1]", '["x"]', "[[1]]",
    "{a = 1}", "1979-05-27", "07:32:00", "9223372036854775808", '"../../evil"', '["x", 1]', '[""]', "[true]",
    '"\\u0000"', '"all"', '["*"]',
]  # fmt: skip

Mutation = Callable[[bytes, random.Random], bytes]


def mutate(data: bytes, kinds: list[Mutation], chance: random.Random) -> bytes:
    """Return data spoilt in one to three ways."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        data = chance.choice(kinds)(data, chance)
    return data


def flip(data: bytes, chance: random.Random) -> bytes:
    spoilt = bytearray(data or b"x")
    for _ in range(chance.choice([1, 1, 4, 32])):
        spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
    return bytes(spoilt)


def cut(data: bytes, chance: random.Random) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return chance.choice([data[:start], data[start:], data[:start] + data[end:], data[:end] + data[start:]])


def insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(TEXTS).encode(errors="surrogatepass") + data[at:]


def lines(data: bytes, chance: random.Random) -> bytes:
    rows = data.split(b"\n")
    one, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    match chance.randrange(4):
        case 0:
            rows[one], rows[other] = rows[other], rows[one]
        case 1:
            del rows[one]
        case 2:
            rows.insert(one, rows[other])
        case _:
            rows[one] = chance.choice(TEXTS).encode(errors="surrogatepass")
    return b"\n".join(rows)


def cells(data: bytes, chance: random.Random) -> bytes:
    """Change, swap, drop or add cells of a CSV file."""
    rows = [row.split(b",") for row in data.split(b"\n")]
    row, other = chance.choice(rows), chance.choice(rows)
    at, there = chance.randrange(len(row)), chance.randrange(len(other))
    match chance.randrange(4):
        case 0:
            row[at] = chance.choice(TEXTS).encode(errors="surrogatepass")
        case 1:
            row[at], other[there] = other[there], row[at]
        case 2:
            del row[at]
        case _:
            row.insert(at, other[there])
    return b"\n".join(b",".join(row) for row in rows)


def toml_values(data: bytes, chance: random.Random) -> bytes:
    """Give a key of a TOML file a value of another type, another name, or another table."""
    rows = data.split(b"\n")
    keyed = [place for place, row in enumerate(rows) if b" = " in row or row.startswith(b"[")]
    if not keyed:
        return insert(data, chance)
    at = chance.choice(keyed)
    key, equals, value = rows[at].partition(b" = ")
    match chance.randrange(4) if equals else 4:
        case 0 | 1:
            rows[at] = key + b" = " + chance.choice(TOML_VALUES).encode()
        case 2:
            rows[at] = chance.choice([b"x", b'""', b"a.b.c", key + b".x", b'"../x"']) + equals + value
        case 3:
            rows[at] = key + equals + rows[chance.choice(keyed)].partition(b" = ")[2]
        case _:
            rows[at] = chance.choice(
                [b"[x]", b"[[x]]", b"[" + key, key[1:-1], b"[a.b.c.d]", b"[[" + key.strip(b"[]") + b"]]"]
            )
    return b"\n".join(rows)


def json_values(data: bytes, chance: random.Random) -> bytes:
    """Change, drop or rename a value anywhere in a JSON file."""
    try:
        content = json.loads(data)
    except ValueError:
        return flip(data, chance)
    holders = _holders(content)
    if not holders:
        return json.dumps(chance.choice(VALUES)).encode()
    holder = chance.choice(holders)
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    match chance.randrange(5):
        case 0 | 1 | 2:
            holder[key] = chance.choice(VALUES)
        case 3:
            del holder[key]
        case _ if isinstance(holder, dict):
            holder[str(chance.choice(TEXTS))[:300]] = holder.pop(key)
        case _:
            other = chance.choice(holders)
            holder[key] = json.loads(json.dumps(other))
    return json.dumps(content).encode()


def _holders(content: Any) -> list[Any]:
    """Return every list and dict that holds anything, itself included."""
    if not isinstance(content, dict | list) or not content:
        return []
    inner = content.values() if isinstance(content, dict) else content
    return [content, *(holder for part in inner for holder in _holders(part))]


def members(data: bytes, chance: random.Random) -> bytes:
    """Spoil, drop, swap or rename members of a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as old:
            parts = {name: old.read(name) for name in old.namelist()}
    except Exception:
        return flip(data, chance)
    names = [name for name in parts if parts[name]]
    one, other = chance.choice(names), chance.choice(names)
    match chance.randrange(6):
        case 0 | 1 | 2:
            parts[one] = chance.choice([_xml, flip, cut, insert])(parts[one], chance)
        case 3:
            del parts[one]
        case 4:
            parts[one], parts[other] = parts[other], parts[one]
        case _:
            parts[chance.choice(["x.xml", "../../evil", "xl/sharedStrings.xml", other])] = parts.pop(one)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name, part in parts.items():
            new.writestr(name, part)
    return content.getvalue()


def _xml(data: bytes, chance: random.Random) -> bytes:
    """Change the text between two tags, or within quotation marks."""
    mark = chance.choice([b">", b'"'])
    parts = data.split(mark)
    at = chance.randrange(len(parts))
    tail = parts[at].partition(b"<")[2] if mark == b">" else b""
    text = chance.choice(["9" * 20, "-1", "", "x", "1e400", "=1", "0", "A1:XFD1048576", "ZZZ99", "t", "2000-01-01"])
    parts[at] = text.encode() + (b"<" + tail if tail else b"")
    return mark.join(parts)


BYTES: list[Mutation] = [flip, cut, insert]
CSV: list[Mutation] = [*BYTES, lines, cells, cells, cells]
TOML: list[Mutation] = [*BYTES, lines, toml_values, toml_values, toml_values]
JSON: list[Mutation] = [flip, cut, json_values, json_values, json_values, json_values]
ZIP: list[Mutation] = [flip, cut, members, members, members]
