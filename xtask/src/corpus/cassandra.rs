//! Cassandra: single columns and composites, of text, blobs and CQL values.

use keyfall_core::OwnedKey;

use super::keys::{self, Random, bytes, text};
use super::{Corpus, Data, params};

pub(super) fn fill(corpus: &mut Corpus, data: &Data) {
    let none = [params([])];
    let mut add = |keys: Vec<OwnedKey>| corpus.cross(keys, &none);
    add(vec![OwnedKey::Null, bytes(*b""), text("")]);
    add(data.mined.keys("murmur3-x64-128"));
    add(composites());
    add(typed());
    add(typed_composites());
    add(keys::text_lengths(&mut Random::new(2)));
    add(keys::byte_lengths(&mut Random::new(3)));
    add(keys::single_bytes());
    add(keys::high_bit_in_tail(16));
    add(keys::multibyte_texts());
    add(keys::with_nul());
    add(keys::not_utf8(&mut Random::new(4)));
    add(keys::lone_surrogates());
    add(keys::utf16_pairs());
    add(keys::everyday(&mut Random::new(5)));
    add(keys::long(&mut Random::new(6)).into_iter().filter(shorter_than_limit).collect());
    // The longest key that a server takes, and the shortest that it does not.
    add(vec![text("k".repeat(65_535)), text("k".repeat(65_536))]);
}

fn shorter_than_limit(key: &OwnedKey) -> bool {
    !matches!(key, OwnedKey::Text(text) if text.len() > 65_535)
}

pub(super) fn composites() -> Vec<OwnedKey> {
    let pairs = [
        ("a", "b"),
        ("ab", "c"),
        ("a", "bc"),
        ("abc", ""),
        ("", "abc"),
        ("", ""),
        ("b", "a"),
        ("user", "42"),
        ("ключ", "日本語"),
        ("a\0", "b"),
        ("a", "\0b"),
        ("tenant-1", "2024-02-29"),
    ];
    let mut tuples: Vec<Vec<OwnedKey>> = pairs.map(|(a, b)| vec![text(a), text(b)]).into();
    tuples.extend([
        vec![text("alone")],
        vec![bytes([0x80])],
        vec![text("")],
        vec![OwnedKey::Null],
        vec![text("a"), text("b"), text("c")],
        vec![text("a"), bytes([0x80]), text("")],
        vec![text(""), text(""), text("")],
        vec![bytes([0]), bytes([0, 0])],
        vec![bytes([0, 0]), bytes([0])],
        vec![bytes([0xff]), bytes([0x80, 0xff])],
        vec![bytes(vec![0xfe; 256]), text("x")],
        vec![text("x"), bytes(vec![0xfe; 255])],
        vec![text("a"), OwnedKey::Null],
        vec![OwnedKey::Null, text("a")],
        vec![OwnedKey::Null, OwnedKey::Null],
        vec![text("x"), text("k".repeat(65_536))],
    ]);
    let mut random = Random::new(7);
    for parts in 2..=6 {
        for _ in 0..6 {
            tuples.push((0..parts).map(|i| random_part(&mut random, i)).collect());
        }
    }
    tuples.into_iter().map(OwnedKey::Tuple).collect()
}

fn random_part(random: &mut Random, i: usize) -> OwnedKey {
    let len = random.below(12) as usize;
    if i.is_multiple_of(2) { text(random.ascii(len)) } else { bytes(random.bytes(len)) }
}

/// CQL values: each type at its ends, and what two literals have in common or not.
const TYPED: &[(&str, &[&str])] = &[
    ("tinyint", &["0", "1", "-1", "127", "-128"]),
    ("smallint", &["0", "1", "-1", "256", "32767", "-32768"]),
    ("int", &["0", "1", "-1", "42", "16909060", "2147483647", "-2147483648"]),
    ("bigint", &["0", "1", "-1", "42", "4294967296", "9223372036854775807", "-9223372036854775808"]),
    ("varint", &["0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "65536", "9223372036854775808"]),
    (
        "varint",
        &[
            "-9223372036854775809",
            "340282366920938463463374607431768211456",
            "-340282366920938463463374607431768211457",
        ],
    ),
    ("decimal", &["0", "0.0", "1", "1.0", "1.00", "-1.5", "10", "1E+1", "1e10", "1E-10", "0.1", "123456789.123456789"]),
    ("decimal", &["-0.000000000000000000001", "99999999999999999999999999999.99"]),
    (
        "float",
        &["0", "0.0", "-0.0", "1", "1.0", "-1.5", "0.1", "3.4028235e38", "1e-45", "NaN", "Infinity", "-Infinity"],
    ),
    ("double", &["0", "0.0", "-0.0", "1", "1.0", "-1.5", "0.1", "1.7976931348623157e308", "5e-324", "NaN", "Infinity"]),
    ("double", &["-Infinity", "9007199254740993"]),
    ("boolean", &["true", "false"]),
    ("ascii", &["a", "user:42", ""]),
    ("text", &["a", "user:42", "ключ", "it's", "日本語 😀", "", "42"]),
    ("varchar", &["user:42", "ключ"]),
    ("blob", &["0x", "0x00", "0x00ff", "0x80", "0xCAFE"]),
    ("uuid", &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"]),
    ("uuid", &["ffffffff-ffff-ffff-ffff-ffffffffffff", "123E4567-E89B-12D3-A456-426614174000"]),
    ("timeuuid", &["123e4567-e89b-12d3-a456-426614174000", "d2177dd0-eaa2-11de-a572-001b779c76e3"]),
    (
        "inet",
        &[
            "127.0.0.1",
            "192.0.2.1",
            "255.255.255.255",
            "::1",
            "2001:db8::1",
            "2001:0db8:0:0:0:0:0:1",
            "::ffff:192.0.2.1",
        ],
    ),
    ("date", &["1970-01-01", "1969-12-31", "2024-02-29", "0001-01-01", "9999-12-31", "0", "2147483648", "4294967295"]),
    ("time", &["00:00:00", "12:34:56", "23:59:59.999999999", "0", "86399999999999"]),
    ("timestamp", &["0", "-1", "1709208000000", "2024-02-29T12:00:00Z", "2024-02-29 12:00:00+0000", "2024-02-29"]),
    ("timestamp", &["2024-02-29T12:00:00.123Z", "2024-02-29T14:00:00+0200", "1969-12-31T23:59:59.999Z"]),
    ("duration", &["1d"]),
    ("counter", &["1"]),
    ("frozen<list<int>>", &["[]", "[1]", "[1, 2]", "[2, 1]", "[1, 1]"]),
    ("frozen<list<text>>", &["['a', 'b']", "['b', 'a']", "['']"]),
    ("frozen<set<int>>", &["{}", "{1}", "{1, 2}", "{2, 1}", "{2, 1, 2}", "{-1, 1}", "{300, 2, -300}"]),
    ("frozen<set<text>>", &["{'a', 'b'}", "{'b', 'a'}", "{'b', 'a', 'b'}", "{'ключ', 'a', 'Z'}"]),
    ("frozen<set<uuid>>", &["{123e4567-e89b-12d3-a456-426614174000, 00000000-0000-4000-8000-000000000000}"]),
    ("frozen<map<text,int>>", &["{}", "{'a': 1}", "{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}"]),
    ("frozen<map<int,text>>", &["{2: 'b', 1: 'a'}", "{1: 'a', 2: 'b'}", "{-1: 'm', 1: 'p'}"]),
    ("frozen<map<text,frozen<list<int>>>>", &["{'b': [2, 1], 'a': []}"]),
    ("frozen<tuple<int,text>>", &["(1, 'a')", "(1, null)", "(null, 'a')", "(1, '')"]),
    ("frozen<tuple<int,frozen<set<int>>>>", &["(1, {3, 2})", "(1, null)"]),
    (
        "frozen<udt<street:text,zip:int>>",
        &["{street: 's', zip: 1}", "{zip: 1, street: 's'}", "{street: 's'}", "{zip: 1}"],
    ),
    ("vector<int,3>", &["[1, 2, 3]", "[-1, 0, 2147483647]"]),
    ("vector<float,2>", &["[1.5, -0.5]"]),
    ("vector<tinyint,3>", &["[1, 2, 3]"]),
    ("vector<text,2>", &["['a', 'ключ']", "['', '']"]),
];

fn typed() -> Vec<OwnedKey> {
    TYPED.iter().flat_map(|(ty, values)| values.iter().map(|value| keys::typed(ty, *value))).collect()
}

fn typed_composites() -> Vec<OwnedKey> {
    let typed = keys::typed;
    vec![
        vec![typed("int", "1"), typed("text", "a")],
        vec![typed("text", "a"), typed("int", "1")],
        vec![typed("int", "1"), typed("int", "256")],
        vec![typed("bigint", "1"), typed("int", "256")],
        vec![typed("uuid", "123e4567-e89b-12d3-a456-426614174000"), typed("date", "2024-02-29")],
        vec![typed("text", "tenant"), typed("timestamp", "2024-02-29T12:00:00Z"), typed("int", "7")],
        vec![typed("frozen<set<int>>", "{2, 1}"), typed("text", "a")],
        vec![typed("frozen<tuple<int,text>>", "(1, 'a')"), typed("decimal", "1.0")],
        vec![typed("blob", "0x"), typed("text", "")],
        vec![typed("int", "1")],
        vec![typed("frozen<list<int>>", "[1, 2]")],
        vec![typed("int", "1"), OwnedKey::Null],
        vec![typed("duration", "1d"), typed("int", "1")],
        vec![text("a"), typed("varint", "-129"), bytes([0x80])],
    ]
    .into_iter()
    .map(OwnedKey::Tuple)
    .collect()
}
