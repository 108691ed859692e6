//! Mistakes of ports of Kafka's partitioners: in the hash, and in how it becomes a partition.

use keyfall_core::hash::java_hash_code::bytes_hash_code;
use keyfall_core::hash::murmur2_float::murmur2_float;
use keyfall_core::hash::{crc32::crc32, fnv1a::fnv1a_32, murmur2::murmur2, xxh32::xxh32};
use keyfall_core::map::modulo;
use keyfall_core::{OwnedKey, Scheme};

use super::{Answer, Mistake, Subject, keys};

const SEED: u32 = 0x9747_b28c;

/// A hash over the bytes of a key; none where it does not touch them.
type Hash = fn(&[u8]) -> Option<u32>;
/// Hash to partition; a mistaken one may be negative.
type Map = fn(u32, u32) -> i64;

/// A hash function, and its wrong versions: flag, what is done, the hash.
struct HashFunction {
    right: fn(&[u8]) -> u32,
    wrong: &'static [(&'static str, &'static str, Hash)],
}

/// A map, and its wrong versions.
struct MapFunction {
    right: Map,
    wrong: &'static [(&'static str, &'static str, Map)],
}

const MURMUR2: HashFunction = HashFunction {
    right: |key| murmur2(key, SEED),
    wrong: &[
        ("seed", "the seed is 0", |key| Some(murmur2(key, 0))),
        ("signed-tail", "tail bytes are sign-extended", |key| Some(Murmur2 { sign_extend: true, ..RIGHT }.hash(key))),
        ("tail-length", "the tail is left out", |key| Some(Murmur2 { tail: false, ..RIGHT }.hash(key))),
        ("block-boundary", "a last full block is left to the tail", |key| {
            Some(Murmur2 { last_block: false, ..RIGHT }.hash(key))
        }),
        ("float-arithmetic", "products are floating-point numbers", |key| {
            Some(Murmur2 { multiply: float_product, ..RIGHT }.hash(key))
        }),
        ("float-arithmetic", "products and the number of blocks are floating-point numbers", |key| {
            Some(murmur2_float(key, SEED) as u32)
        }),
        ("int-width", "integers are of 64 bits and never cut", |key| Some(murmur2_of_64_bits(key) as u32)),
    ],
};

const MURMUR2_FLOAT: HashFunction = HashFunction {
    right: |key| murmur2_float(key, SEED) as u32,
    wrong: &[
        ("float-arithmetic", "integers are exact", |key| Some(murmur2(key, SEED))),
        ("seed", "the seed is 0", |key| Some(murmur2_float(key, 0) as u32)),
    ],
};

const CRC32: HashFunction = HashFunction {
    right: crc32,
    wrong: &[
        ("seed", "the register starts at 0", |key| Some(!crc32_register(0, key, false))),
        ("seed", "the register is not complemented at the end", |key| Some(!crc32(key))),
        ("int-width", "the register is shifted with its sign", |key| Some(!crc32_register(!0, key, true))),
    ],
};

const FNV1A: HashFunction = HashFunction {
    right: fnv1a_32,
    wrong: &[
        ("seed", "the offset basis is 0", |key| Some(fnv1a(0, key, u32::from, u32::wrapping_mul))),
        ("signed-tail", "bytes are sign-extended", |key| {
            Some(fnv1a(BASIS, key, |byte| byte as i8 as u32, u32::wrapping_mul))
        }),
        ("float-arithmetic", "products are floating-point numbers", |key| {
            Some(fnv1a(BASIS, key, u32::from, float_product))
        }),
    ],
};

const XXH32: HashFunction = HashFunction {
    right: |key| xxh32(key, 0),
    wrong: &[("seed", "the seed is murmur2's", |key| Some(xxh32(key, SEED)))],
};

const MASKED: MapFunction = MapFunction {
    right: |h, n| modulo::masked(h as i32, n).into(),
    wrong: &[
        ("sign-mask", "the hash is unsigned, no bit is cleared", |h, n| modulo::unsigned(h, n).into()),
        ("floor-modulo", "a negative remainder is left negative", |h, n| i64::from(h as i32) % i64::from(n)),
        ("floor-modulo", "the absolute value is taken", |h, n| modulo::abs_of_remainder(h as i32, n).into()),
        ("sign-mask", "the hash is signed, no bit is cleared, the modulo is floored", |h, n| {
            modulo::floored(h as i32, n).into()
        }),
    ],
};

const ABS: MapFunction = MapFunction {
    right: |h, n| modulo::abs_of_remainder(h as i32, n).into(),
    wrong: &[
        ("sign-mask", "the sign bit is cleared", |h, n| modulo::masked(h as i32, n).into()),
        ("floor-modulo", "the hash is unsigned", |h, n| modulo::unsigned(h, n).into()),
        ("floor-modulo", "the modulo is floored", |h, n| modulo::floored(h as i32, n).into()),
        ("int-minimum", "INT_MIN is negated before the modulo", |h, n| {
            i64::from((h as i32).wrapping_abs()) % i64::from(n)
        }),
    ],
};

const UNSIGNED: MapFunction = MapFunction {
    right: |h, n| modulo::unsigned(h, n).into(),
    wrong: &[
        ("sign-mask", "the sign bit is cleared", |h, n| modulo::masked(h as i32, n).into()),
        ("floor-modulo", "the hash is cast to a signed integer, the absolute value is taken", |h, n| {
            modulo::abs_of_remainder(h as i32, n).into()
        }),
        ("sign-mask", "the hash is cast to a signed integer, the modulo is floored", |h, n| {
            modulo::floored(h as i32, n).into()
        }),
    ],
};

const ABS_OR_ZERO: MapFunction = MapFunction {
    right: |h, n| i64::from((h as i32).checked_abs().unwrap_or(0)) % i64::from(n),
    wrong: &[
        ("sign-mask", "the sign bit is cleared", |h, n| modulo::masked(h as i32, n).into()),
        ("floor-modulo", "the modulo is floored", |h, n| modulo::floored(h as i32, n).into()),
        ("int-minimum", "INT_MIN is negated", |h, n| i64::from((h as i32).wrapping_abs()) % i64::from(n)),
    ],
};

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let mut table = match scheme.function {
        "random" | "process-random" => return Vec::new(),
        "murmur2-masked-modulo" => [blocks(), over_bytes(&MURMUR2, &MASKED)].into_iter().flatten().collect(),
        "murmur2-unsigned-modulo" => over_bytes(&MURMUR2, &UNSIGNED),
        "murmur2-float-masked-modulo" => over_bytes(&MURMUR2_FLOAT, &MASKED),
        "crc32-modulo" => over_bytes(&CRC32, &UNSIGNED),
        "crc32-abs-modulo" => over_bytes(&CRC32, &ABS),
        "fnv1a-abs-modulo" => over_bytes(&FNV1A, &ABS),
        "fnv1a-masked-modulo" => over_bytes(&FNV1A, &MASKED),
        "fnv1a-unsigned-modulo" => over_bytes(&FNV1A, &UNSIGNED),
        "xxh32-modulo" => {
            let mut table = over_bytes(&XXH32, &UNSIGNED);
            table.extend(xxh32_shapes());
            table
        }
        "hash-code-masked-modulo" => hash_code(&MASKED),
        "hash-code-abs-modulo" | "group-id-hash-code" => hash_code(&ABS_OR_ZERO),
        _ => Vec::new(),
    };
    if scheme.records {
        table.extend(keys::serializers(SERIALIZERS.iter().any(|client| scheme.id.starts_with(client))));
    }
    if scheme.default && scheme.records {
        let java = scheme.function != "murmur2-masked-modulo";
        table.push(keys::peers_default(if java { "kafka/java" } else { "kafka/librdkafka-consistent-random" }));
    }
    if let Some((_, other)) = OTHER_VERSION.iter().find(|(id, _)| *id == scheme.id) {
        table
            .push(Mistake::answer("version", "the rule is another version's", |s| s.place_as(other, s.params.clone())));
    }
    if scheme.param("int_bits").is_ok() {
        table.push(Mistake::answer("int-width", "int has the other width", |s| {
            let mut params = s.params.clone();
            let other = if s.number("int_bits") == Some(32) { "64" } else { "32" };
            params.set("int_bits", other);
            s.place_as(s.scheme.id, params)
        }));
    }
    if scheme.param("ignore_keys").is_ok() {
        table.push(Mistake::answer("parameter-interaction", "partitioner.ignore.keys is not looked at", |s| {
            s.place_as(s.scheme.id, s.params_without("ignore_keys"))
        }));
    }
    table
}

/// Clients that have serializers for numbers.
const SERIALIZERS: &[&str] = &["kafka/java", "kafka/librdkafka-"];

/// Schemes that are two versions of one client's rule.
const OTHER_VERSION: &[(&str, &str)] = &[
    ("kafka/scala-0.8.0", "kafka/scala-0.8.2"),
    ("kafka/scala-0.8.2", "kafka/scala-0.8.0"),
    ("kafka/kafkajs", "kafka/kafkajs-legacy"),
    ("kafka/kafkajs-legacy", "kafka/kafkajs"),
];

fn partitions(subject: &Subject<'_>) -> Option<u32> {
    subject.number("partitions")
}

/// The bytes that are hashed, where the answer is what the hash makes of them.
fn hashed(subject: &Subject<'_>) -> Option<Vec<u8>> {
    if subject.is_placed() { keys::wire_bytes(subject) } else { None }
}

/// Mistakes in a hash over bytes, and in its map.
fn over_bytes(hash: &'static HashFunction, map: &'static MapFunction) -> Vec<Mistake> {
    let mut table = Vec::new();
    for (flag, what, wrong) in hash.wrong {
        table.push(Mistake::answer(flag, what, |s| Some(Answer::at((map.right)(wrong(&hashed(s)?)?, partitions(s)?)))));
    }
    for (flag, what, wrong) in map.wrong {
        table.push(Mistake::answer(flag, what, |s| Some(Answer::at(wrong((hash.right)(&hashed(s)?), partitions(s)?)))));
    }
    table.push(Mistake::shape("int-minimum", "a hash at an end of its range", |s| {
        hashed(s).is_some_and(|bytes| is_at_an_end((hash.right)(&bytes)))
    }));
    table
}

fn is_at_an_end(hash: u32) -> bool {
    [i32::MIN, -1, 0, i32::MAX].contains(&(hash as i32))
}

fn blocks() -> Vec<Mistake> {
    vec![Mistake::shape("block-boundary", "a length around a limit of counters", |s| {
        hashed(s).is_some_and(|bytes| matches!(bytes.len(), 255..=257 | 65_536..))
    })]
}

fn xxh32_shapes() -> Vec<Mistake> {
    let len = |s: &Subject<'_>| hashed(s).map_or(0, |bytes| bytes.len());
    vec![
        Mistake::shape("tail-length", "bytes after the last word", move |s| len(s) % 4 != 0),
        Mistake::shape("block-boundary", "a length around a stripe of 16 bytes", move |s| {
            len(s) >= 15 && matches!(len(s) % 16, 15 | 0 | 1)
        }),
    ]
}

/// Mistakes in Java's hash code.
fn hash_code(map: &'static MapFunction) -> Vec<Mistake> {
    /// The units of a text key; none for others.
    fn units(s: &Subject<'_>) -> Option<Vec<u16>> {
        match &s.key {
            OwnedKey::Text(text) => Some(text.encode_utf16().collect()),
            OwnedKey::Utf16(units) => Some(units.clone()),
            _ => None,
        }
    }
    fn bytes<'s>(s: &'s Subject<'_>) -> Option<&'s [u8]> {
        match &s.key {
            OwnedKey::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
    fn string(units: impl IntoIterator<Item = u32>) -> u32 {
        units.into_iter().fold(0u32, |h, unit| h.wrapping_mul(31).wrapping_add(unit))
    }
    let mut table = Vec::new();
    let mut add = |flag, what, hash: fn(&Subject<'_>) -> Option<u32>| {
        table.push(Mistake::answer(flag, what, move |s| {
            if s.is_placed() { Some(Answer::at((map.right)(hash(s)?, partitions(s)?))) } else { None }
        }));
    };
    add("utf16", "code points are hashed, not UTF-16 units", |s| {
        let text = String::from_utf16(&units(s)?).ok()?;
        Some(string(text.chars().map(u32::from)))
    });
    add("utf16", "bytes of UTF-8 are hashed", |s| {
        let text = String::from_utf16(&units(s)?).ok()?;
        Some(string(text.bytes().map(u32::from)))
    });
    add("float-arithmetic", "the sum is a floating-point number", |s| {
        let sum = units(s)?.iter().fold(0f64, |h, unit| h * 31.0 + f64::from(*unit));
        // As JavaScript's ToInt32 does.
        sum.is_finite().then(|| (sum % 4_294_967_296.0) as u32)
    });
    add("seed", "a text starts at 1, as a byte array does", |s| {
        Some(units(s)?.iter().fold(1u32, |h, unit| h.wrapping_mul(31).wrapping_add((*unit).into())))
    });
    add("signed-tail", "bytes are unsigned", |s| {
        Some(bytes(s)?.iter().fold(1u32, |h, byte| h.wrapping_mul(31).wrapping_add((*byte).into())))
    });
    add("key-serializer", "a text is hashed as the byte array that it becomes", |s| {
        units(s)?;
        Some(bytes_hash_code(&keys::wire_bytes(s)?) as u32)
    });
    let right = |s: &Subject<'_>| match units(s) {
        Some(units) => Some(string(units.into_iter().map(u32::from))),
        None => bytes(s).map(|bytes| bytes_hash_code(bytes) as u32),
    };
    for (flag, what, wrong) in map.wrong {
        table.push(Mistake::answer(flag, what, move |s| {
            if s.is_placed() { Some(Answer::at(wrong(right(s)?, partitions(s)?))) } else { None }
        }));
    }
    table.push(Mistake::shape("int-minimum", "a hash at an end of its range", move |s| {
        s.is_placed() && right(s).is_some_and(is_at_an_end)
    }));
    table
}

/// murmur2 with one part wrong.
struct Murmur2 {
    multiply: fn(u32, u32) -> u32,
    sign_extend: bool,
    tail: bool,
    last_block: bool,
}

const RIGHT: Murmur2 = Murmur2 { multiply: u32::wrapping_mul, sign_extend: false, tail: true, last_block: true };

impl Murmur2 {
    fn hash(&self, key: &[u8]) -> u32 {
        const M: u32 = 0x5bd1_e995;
        let multiply = self.multiply;
        let (mut blocks, tail) = key.as_chunks::<4>();
        if tail.is_empty() && !self.last_block {
            blocks = &blocks[..blocks.len().saturating_sub(1)];
        }
        let mut h = SEED ^ key.len() as u32;
        for block in blocks {
            let mut k = multiply(u32::from_le_bytes(*block), M);
            k ^= k >> 24;
            h = multiply(h, M) ^ multiply(k, M);
        }
        if self.tail && !tail.is_empty() {
            for (i, byte) in tail.iter().enumerate() {
                let wide = if self.sign_extend { *byte as i8 as u32 } else { (*byte).into() };
                h ^= wide << (8 * i);
            }
            h = multiply(h, M);
        }
        h ^= h >> 13;
        h = multiply(h, M);
        h ^ (h >> 15)
    }
}

fn murmur2_of_64_bits(key: &[u8]) -> u64 {
    const M: u64 = 0x5bd1_e995;
    let (blocks, tail) = key.as_chunks::<4>();
    let mut h = u64::from(SEED) ^ key.len() as u64;
    for block in blocks {
        let mut k = u64::from(u32::from_le_bytes(*block)).wrapping_mul(M);
        k ^= k >> 24;
        h = h.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    if !tail.is_empty() {
        for (i, byte) in tail.iter().enumerate() {
            h ^= u64::from(*byte) << (8 * i);
        }
        h = h.wrapping_mul(M);
    }
    h ^= h >> 13;
    h = h.wrapping_mul(M);
    h ^ (h >> 15)
}

/// A product as a language has it whose only numbers are doubles: rounded to 53 bits, then cut to 32.
pub(super) fn float_product(a: u32, b: u32) -> u32 {
    (f64::from(a) * f64::from(b) % 4_294_967_296.0) as u32
}

const BASIS: u32 = 0x811c_9dc5;

fn fnv1a(basis: u32, key: &[u8], widen: fn(u8) -> u32, multiply: fn(u32, u32) -> u32) -> u32 {
    key.iter().fold(basis, |h, byte| multiply(h ^ widen(*byte), 0x0100_0193))
}

fn crc32_register(start: u32, key: &[u8], arithmetic: bool) -> u32 {
    let table =
        |byte: u8| (0..8).fold(u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 });
    key.iter().fold(start, |crc, byte| {
        let shifted = if arithmetic { (crc as i32 >> 8) as u32 } else { crc >> 8 };
        shifted ^ table(crc as u8 ^ byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variants are right where nothing in them is wrong.
    #[test]
    fn what_is_not_mistaken_is_right() {
        for len in 0..40u8 {
            let key: Vec<u8> = (0..len).map(|i| i.wrapping_mul(37).wrapping_add(200)).collect();
            assert_eq!(RIGHT.hash(&key), murmur2(&key, SEED));
            assert_eq!(fnv1a(BASIS, &key, u32::from, u32::wrapping_mul), fnv1a_32(&key));
            assert_eq!(!crc32_register(!0, &key, false), crc32(&key));
        }
    }
}
