//! Kafka: one corpus for every partitioner, and typed keys.

use keyfall_conform::vectors::ParamsJson;
use keyfall_core::{OwnedKey, Scheme};
use serde_json::json;

use super::keys::{self, Random};
use super::{Corpus, Data, params};

/// Counts that go round: mostly no powers of two, as those hide a missing mask.
const ROUND: [u64; 17] = [12, 10, 7, 3, 100, 6, 16, 1000, 9, 5, 50, 24, 11, 36, 2, 60, 17];

/// Counts that a few keys are asked about one by one.
const SWEEP: [u64; 30] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 20, 24, 30, 32, 48, 50, 64, 96, 100, 127, 128, 500, 1000, 1024,
    10_000,
];

fn partitions(counts: &[u64]) -> Vec<ParamsJson> {
    counts.iter().map(|n| params([("partitions", *n)])).collect()
}

pub(super) fn fill(corpus: &mut Corpus, scheme: &Scheme, data: &Data) {
    let some = partitions(&[2, 3, 7, 10, 12, 100]);
    let (empty, null) = (keys::bytes(*b""), OwnedKey::Null);
    // One partition shows nothing about a key that may go anywhere.
    corpus.cross([null, empty, keys::text("")], &some);
    // No key decides anything here, and each costs dozens of tries.
    if matches!(scheme.function, "random" | "process-random") {
        corpus.spread(keys::everyday(&mut Random::new(1)).into_iter().take(30), &some);
        return;
    }
    if scheme.param("int_bits").is_ok() {
        let narrow = |params: ParamsJson| [params, [("int_bits".to_string(), json!(32))].into()].into_iter().flatten();
        let narrow: Vec<ParamsJson> = partitions(&ROUND).into_iter().map(|p| narrow(p).collect()).collect();
        corpus.spread(keys::everyday(&mut Random::new(9)), &narrow);
    }
    if scheme.param("ignore_keys").is_ok() {
        for (ignored, key) in [(true, "user:1"), (true, "order-1001"), (true, ""), (false, "user:1")] {
            let mut params = params([("partitions", 12)]);
            params.insert("ignore_keys".into(), json!(ignored));
            corpus.add(keys::text(key), params);
        }
    }
    let round = partitions(&ROUND);
    let ends = partitions(&[1, 3, 7, 10, 12, 16]);
    for hash in ["murmur2-9747b28c", "fnv1a-32", "crc32", "java-hash-code", "xxh32"] {
        corpus.cross(data.mined.keys(hash), &ends);
    }
    if scheme.id.starts_with("kafka/debezium-") {
        corpus.cross(data.mined.keys("murmur3-x64-64-draft"), &ends);
        corpus.spread(rows(&mut Random::new(10)), &round);
    }
    let sweep = [keys::text("user:42"), keys::text("ключ"), keys::bytes([0x80, 0xff, 0x00, 0x7f, 0x81])];
    corpus.cross(sweep, &partitions(&SWEEP));
    corpus.spread(keys::text_lengths(&mut Random::new(2)), &round);
    corpus.spread(keys::byte_lengths(&mut Random::new(3)), &round);
    corpus.spread(keys::single_bytes(), &round);
    corpus.spread(keys::high_bit_in_tail(4), &round);
    corpus.spread(keys::multibyte_texts(), &round);
    corpus.spread(keys::with_nul(), &round);
    corpus.spread(keys::not_utf8(&mut Random::new(4)), &round);
    corpus.spread(keys::lone_surrogates(), &round);
    corpus.spread(keys::utf16_pairs(), &round);
    corpus.spread(keys::everyday(&mut Random::new(5)), &round);
    corpus.spread(keys::long(&mut Random::new(6)), &round);
    corpus.spread(typed(), &round);
}

/// Fields of a row, several at once, null ones among them.
fn rows(random: &mut Random) -> Vec<OwnedKey> {
    let (a, b, null) = (keys::text("a"), keys::text("b"), OwnedKey::Null);
    let int = |n: i32| keys::typed("integer", n.to_string());
    let mut rows = vec![
        vec![a.clone()],
        vec![a.clone(), b.clone()],
        vec![b.clone(), a.clone()],
        vec![a.clone(), a.clone()],
        vec![a.clone(), null.clone()],
        vec![null.clone(), a.clone()],
        vec![null.clone()],
        vec![null.clone(), null.clone()],
        vec![null.clone(), b, null.clone(), a],
        vec![keys::text(""), null.clone()],
        vec![keys::text(""), keys::text("")],
        vec![keys::bytes([]), keys::text("")],
        vec![int(i32::MAX), int(0)],
        vec![int(i32::MAX), int(1)],
        vec![int(i32::MAX), int(i32::MAX)],
        vec![int(i32::MIN), int(-1)],
        vec![int(i32::MIN), int(i32::MIN)],
        vec![int(-1), int(0)],
        vec![int(-1), keys::typed("long", "-1"), null],
        vec![int(1), keys::text("1"), keys::bytes(*b"1"), keys::typed("boolean", "true")],
        vec![keys::typed("double", "0.0"), keys::typed("double", "-0.0")],
    ];
    for _ in 0..40 {
        let id = random.below(1 << 33);
        rows.push(vec![keys::typed("long", id.to_string()), keys::text(random.ascii(12))]);
        rows.push(vec![keys::text(format!("ключ-{id}")), keys::bytes(random.bytes(9)), int(id as i32)]);
    }
    let names = ["id", "product", "region", "note"];
    let named = |row: &Vec<OwnedKey>| {
        OwnedKey::Fields(names.iter().map(|name| name.to_string()).zip(row.iter().cloned()).collect())
    };
    let mut keys: Vec<OwnedKey> = rows.iter().map(named).collect();
    keys.extend(rows.into_iter().map(OwnedKey::Tuple));
    keys
}

/// Keys of the Java client's serializers.
fn typed() -> Vec<OwnedKey> {
    let mut keys = Vec::new();
    let mut add = |ty: &str, values: &[&str]| keys.extend(values.iter().map(|value| keys::typed(ty, *value)));
    add("short", &["0", "1", "-1", "42", "256", "32767", "-32768"]);
    add("integer", &["0", "1", "-1", "42", "255", "65536", "16909060", "2147483647", "-2147483648"]);
    add(
        "long",
        &["0", "1", "-1", "42", "255", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808"],
    );
    add("float", &["0.0", "-0.0", "1.0", "-1.5", "0.1", "3.4028235e38", "1e-45", "NaN", "Infinity", "-Infinity"]);
    add(
        "double",
        &["0.0", "-0.0", "1.0", "-1.5", "0.1", "1.7976931348623157e308", "5e-324", "NaN", "Infinity", "-Infinity"],
    );
    add("uuid", &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"]);
    add("uuid", &["ffffffff-ffff-ffff-ffff-ffffffffffff", "123E4567-E89B-12D3-A456-426614174000"]);
    add("boolean", &["true", "false"]);
    add("string", &["", "user:42", "42", "ключ"]);
    add("bytes", &["", "00", "00ff", "0000002a"]);
    add("void", &[""]);
    keys
}
