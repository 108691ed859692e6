//! Elasticsearch and OpenSearch: ids, routing values, and the counts of an index.

use keyfall_conform::vectors::ParamsJson;
use keyfall_core::{OwnedKey, Scheme};
use serde_json::json;

use super::keys::{self, Random, bytes, text};
use super::{Corpus, Data, params};

/// Shards that go round, mostly no powers of two.
const ROUND: [u64; 12] = [6, 5, 3, 10, 7, 12, 1, 2, 100, 16, 9, 50];
/// Shards that a few keys are asked about one by one: below 1024 and around its divisors.
const SWEEP: [u64; 26] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20, 24, 31, 32, 33, 64, 100, 128, 500, 512, 513, 1000];

pub(super) fn fill(corpus: &mut Corpus, scheme: &Scheme, data: &Data) {
    match scheme.function {
        "murmur3-dimensions" => dimensions(corpus),
        "djb2-utf16-abs-modulo" => djb(corpus),
        _ => documents(corpus, scheme, data),
    }
}

/// Indices that are routed by the fields of a document.
fn dimensions(corpus: &mut Corpus) {
    let index = |version: &str, numbers: &[(&str, u64)]| -> ParamsJson {
        let numbers = numbers.iter().map(|(name, n)| ((*name).to_string(), json!(n)));
        numbers.chain([("index_version".to_string(), json!(version))]).collect()
    };
    let of = |shards: &[u64]| -> Vec<ParamsJson> {
        let versions = ["8.19", "9.5"];
        shards.iter().flat_map(|n| versions.map(|version| index(version, &[("shards", *n)]))).collect()
    };
    let host = |value: OwnedKey| fields([("host", value)]);
    corpus.cross([OwnedKey::Null, fields([]), host(OwnedKey::Null), host(text(""))], &of(&[1, 3, 6]));
    corpus.cross(field_sets(), &of(&[5, 6, 100]));
    let texts = [
        keys::text_lengths(&mut Random::new(2)),
        keys::multibyte_texts(),
        keys::with_nul().into_iter().filter(|key| matches!(key, OwnedKey::Text(_))).collect(),
        keys::lone_surrogates(),
        keys::utf16_pairs(),
    ];
    corpus.cross(texts.into_iter().flatten().map(host), &of(&[6, 7]));
    corpus.spread(keys::everyday(&mut Random::new(5)).into_iter().map(host), &of(&[5, 3, 10, 2, 12]));
    corpus.spread(documents_in_any_order(), &of(&[5, 6, 7, 10]));
    let counted: Vec<ParamsJson> = [(5, 30), (6, 24), (3, 96)]
        .into_iter()
        .flat_map(|(n, all)| ["8.19", "9.5"].map(|v| index(v, &[("shards", n), ("routing_shards", all)])))
        .collect();
    corpus.cross(field_sets().into_iter().take(12), &counted);
}

fn fields<const N: usize>(fields: [(&str, OwnedKey); N]) -> OwnedKey {
    OwnedKey::Fields(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

/// Two to four fields of four names, seldom in the order of these.
fn documents_in_any_order() -> Vec<OwnedKey> {
    let mut random = Random::new(11);
    let mut document = || {
        let mut names = vec!["host", "pod", "region", "zone"];
        let count = 2 + random.below(3);
        let fields = (0..count).map(|_| {
            let name = names.remove(random.below(names.len() as u64) as usize);
            let len = 1 + random.below(12) as usize;
            (name.to_string(), text(random.ascii(len)))
        });
        OwnedKey::Fields(fields.collect())
    };
    (0..80).map(|_| document()).collect()
}

/// Several names, kinds of values, and orders.
fn field_sets() -> Vec<OwnedKey> {
    let number = |n: &str| keys::typed("number", n);
    let boolean = |b: &str| keys::typed("bool", b);
    vec![
        fields([("host", text("a")), ("pod", text("b"))]),
        fields([("pod", text("b")), ("host", text("a"))]),
        fields([("host", text("b")), ("pod", text("a"))]),
        fields([("host", text("web-1")), ("o.x", text("1")), ("region", text("eu"))]),
        fields([("region", text("eu")), ("o.x", text("1")), ("host", text("web-1"))]),
        fields([("host", text("web-1")), ("o.x", OwnedKey::Null), ("region", text("eu"))]),
        fields([("b", text("1")), ("B", text("1")), ("a", text("1")), ("_a", text("1"))]),
        fields([("a.b", text("x")), ("ab", text("y"))]),
        // The order of UTF-8 is not that of UTF-16 here.
        fields([("\u{ff21}", text("x")), ("\u{10400}", text("y"))]),
        fields([("хост", text("ключ")), ("ポッド", text("😀"))]),
        fields([("host", number("1"))]),
        fields([("host", number("1.0"))]),
        fields([("host", text("1.0"))]),
        fields([("host", number("1e3"))]),
        fields([("host", number("1000"))]),
        fields([("host", number("-0"))]),
        fields([("host", number("-0.0"))]),
        fields([("host", number("12345678901234567890123"))]),
        fields([("host", number("9007199254740993"))]),
        fields([("host", boolean("true")), ("pod", number("-7.50"))]),
        fields([("host", boolean("false"))]),
        fields([("host", text("false"))]),
        fields([("host", text("x".repeat(1000)))]),
    ]
}

/// Ids, and types with ids, of 1.x.
fn djb(corpus: &mut Corpus) {
    let shards = |counts: &[u64]| counts.iter().map(|n| params([("shards", *n)])).collect::<Vec<ParamsJson>>();
    let tuple = |ty: &str, id: &str| OwnedKey::Tuple(vec![text(ty), text(id)]);
    corpus.cross([OwnedKey::Null, text(""), bytes(*b"")], &shards(&[1, 3, 6]));
    corpus.cross([text("1"), text("user:42"), text("ключ"), text("😀x")], &shards(&SWEEP));
    let pairs = [("doc", "1"), ("do", "c1"), ("user", "42"), ("", "1"), ("тип", "ключ"), ("1", "doc"), ("doc", "")];
    corpus.cross(pairs.map(|(ty, id)| tuple(ty, id)), &shards(&[5, 6, 7, 100]));
    corpus.cross([OwnedKey::Tuple(vec![text("doc"), OwnedKey::Null])], &shards(&[5]));
    corpus.spread(ids(), &shards(&ROUND));
    corpus.spread(ids_at_the_limit(), &shards(&[3, 6, 10]));
}

fn documents(corpus: &mut Corpus, scheme: &Scheme, data: &Data) {
    let shards = |counts: &[u64]| counts.iter().map(|n| params([("shards", *n)])).collect::<Vec<ParamsJson>>();
    let round = shards(&ROUND);
    let few = shards(&[1, 3, 6, 10]);
    corpus.cross([OwnedKey::Null, text(""), bytes(*b"")], &few);
    corpus.cross(data.mined.keys("murmur3-x86-32-utf16"), &shards(&[1, 2, 3, 5, 6, 7, 10, 12]));
    let sweep = [text("1"), text("user:42"), text("ключ"), text("😀x")];
    corpus.cross(sweep, &shards(&SWEEP));
    corpus.spread(ids(), &round);
    // One count that every id is asked about.
    corpus.cross(ids(), &few[2..3]);
    corpus.spread(routed(), &round);
    corpus.spread(ids_at_the_limit(), &few);

    let mut counts: Vec<ParamsJson> =
        [(2, 30), (5, 30), (6, 24), (3, 3), (3, 96), (4, 1024), (1, 5), (1, 1), (5, 640), (10, 1000), (7, 7 * 512)]
            .map(|(shards, routing_shards)| params([("shards", shards), ("routing_shards", routing_shards)]))
            .into();
    if scheme.param("index_major").is_ok() {
        for major in [5, 6] {
            counts.extend([1, 3, 5, 6, 10].map(|n| params([("shards", n), ("index_major", major)])));
            counts.push(params([("shards", 5), ("index_major", major), ("routing_shards", 30)]));
            // Each id of an index of that age once: a running node of that version is asked about these.
            if scheme.system() == "elasticsearch" {
                let round = [5, 3, 6, 10, 7].map(|n| params([("shards", n), ("index_major", major)]));
                corpus.spread(ids(), &round);
            }
        }
    }
    corpus.cross(everyday(8), &counts);
    corpus.cross(data.mined.keys("murmur3-x86-32-utf16"), &counts[..4]);

    let partitioned: Vec<ParamsJson> = [(6, 2), (6, 3), (6, 5), (10, 4), (2, 2), (1, 3), (5, 639), (6, 1)]
        .map(|(shards, size)| params([("shards", shards), ("routing_partition_size", size)]))
        .into_iter()
        .chain([params([("shards", 10), ("routing_shards", 30), ("routing_partition_size", 7)])])
        .collect();
    corpus.cross(tuples(data), &partitioned);
    // Without a routing value such an index takes no document.
    corpus.cross([text("1"), OwnedKey::Tuple(vec![text(""), text("1")])], &partitioned);
}

fn everyday(n: usize) -> Vec<OwnedKey> {
    keys::everyday(&mut Random::new(5)).into_iter().step_by(5).take(n).collect()
}

fn ids() -> Vec<OwnedKey> {
    let single: Vec<OwnedKey> = (0..=255u16).map(|unit| OwnedKey::Utf16(vec![unit])).collect();
    // A unit whose high byte has its top bit set, as the odd one at the end.
    let high_tail = [0x8000, 0x80ff, 0xbfff, 0xff00, 0xffff].map(|unit| [vec![unit], vec![0x61, 0x62, unit]]);
    [
        keys::text_lengths(&mut Random::new(2)),
        single,
        high_tail.into_iter().flatten().map(OwnedKey::Utf16).collect(),
        keys::multibyte_texts(),
        keys::with_nul(),
        keys::not_utf8(&mut Random::new(4)),
        keys::lone_surrogates(),
        keys::utf16_pairs(),
        keys::everyday(&mut Random::new(5)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// (routing, id).
fn routed() -> Vec<OwnedKey> {
    let parts = |routing: OwnedKey, id: &str| OwnedKey::Tuple(vec![routing, text(id)]);
    let mut keys = vec![
        parts(text("user1"), "1"),
        parts(text("user1"), "2"),
        parts(text("x,y"), "1"),
        parts(text(""), "1"),
        parts(OwnedKey::Null, "1"),
        parts(text("ключ"), "日本語"),
        parts(text("r"), ""),
        OwnedKey::Tuple(vec![text("r"), OwnedKey::Null]),
        OwnedKey::Tuple(vec![OwnedKey::Utf16(vec![0xd83d]), text("1")]),
        OwnedKey::Tuple(vec![text("1"), OwnedKey::Utf16(vec![0xd83d])]),
    ];
    // A routing value has no limit of 512 bytes.
    keys.extend([511, 513, 1000].map(|len| parts(text("r".repeat(len)), "1")));
    keys
}

fn tuples(data: &Data) -> Vec<OwnedKey> {
    let parts = |routing: OwnedKey, id: OwnedKey| OwnedKey::Tuple(vec![routing, id]);
    let mut keys: Vec<OwnedKey> =
        [("user1", "1"), ("user1", "2"), ("user1", "3"), ("ключ", "日本語"), ("a", "user:42")]
            .map(|(routing, id)| parts(text(routing), text(id)))
            .into();
    // The routing's hash at the end of its range, so that adding the id's offset wraps; and the id's.
    for mined in data.mined.keys("murmur3-x86-32-utf16") {
        keys.push(parts(mined.clone(), text("1")));
        keys.push(parts(mined.clone(), text("17")));
        keys.push(parts(text("user1"), mined));
    }
    keys
}

/// Ids around 512 bytes of UTF-8, which is not 512 characters.
fn ids_at_the_limit() -> Vec<OwnedKey> {
    let mut ids: Vec<OwnedKey> = [255, 256, 511, 512, 513, 1000].map(|len| text("i".repeat(len))).into();
    ids.extend([256, 257].map(|len| text("é".repeat(len))));
    ids.extend([170, 171].map(|len| text("日".repeat(len))));
    ids.extend([128, 129].map(|len| text("😀".repeat(len))));
    let mut lone = vec![0x61; 511];
    lone.push(0xd83d);
    ids.push(OwnedKey::Utf16(lone.clone()));
    lone.push(0x61);
    ids.push(OwnedKey::Utf16(lone));
    ids
}
