//! Mistakes of ports of Kafka's partitioners: in the hash, and in how it becomes a partition.

use keyfall_core::hash::java_hash_code::bytes_hash_code;
use keyfall_core::hash::murmur2::{murmur2, murmur2_signed_tail};
use keyfall_core::hash::murmur2_float::murmur2_float;
use keyfall_core::hash::{crc32::crc32, fnv1a::fnv1a_32, xxh32::xxh32};
use keyfall_core::map::modulo;
use keyfall_core::{OwnedKey, Scheme};
use sha1::{Digest, Sha1};

use super::{AT_AN_END, Answer, Mistake, Subject, debezium, keys};

const SEED: u32 = 0x9747_b28c;

/// A hash over the bytes of a key; none where it does not touch them.
type Hash = fn(&[u8]) -> Option<u32>;
/// Hash to partition; a mistaken one may be negative.
pub(super) type Map = fn(u32, u32) -> i64;

/// A hash function, and its wrong versions: flag, what is done, the hash.
struct HashFunction {
    right: fn(&[u8]) -> u32,
    wrong: &'static [(&'static str, &'static str, Hash)],
}

/// A map, and its wrong versions.
pub(super) struct MapFunction {
    pub(super) right: Map,
    pub(super) wrong: &'static [(&'static str, &'static str, Map)],
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
        ("block-boundary", "the length is counted in one byte", |key| {
            Some(Murmur2 { length: |len| len as u8 as u32, ..RIGHT }.hash(key))
        }),
        ("block-boundary", "the length is counted in two bytes", |key| {
            Some(Murmur2 { length: |len| len as u16 as u32, ..RIGHT }.hash(key))
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

const MURMUR2_SIGNED_TAIL: HashFunction = HashFunction {
    right: |key| murmur2_signed_tail(key, SEED),
    wrong: &[
        ("signed-tail", "tail bytes are unsigned, as in the textbook", |key| Some(murmur2(key, SEED))),
        ("seed", "the seed is 0", |key| Some(murmur2_signed_tail(key, 0))),
        ("tail-length", "the tail is left out", |key| Some(Murmur2 { tail: false, ..RIGHT }.hash(key))),
        ("block-boundary", "a last full block is left to the tail", |key| {
            Some(Murmur2 { last_block: false, sign_extend: true, ..RIGHT }.hash(key))
        }),
        ("float-arithmetic", "products are floating-point numbers", |key| {
            Some(Murmur2 { multiply: float_product, sign_extend: true, ..RIGHT }.hash(key))
        }),
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
    wrong: &[
        ("seed", "the seed is murmur2's", |key| Some(xxh32(key, SEED))),
        ("tail-length", "bytes after the last word are left out", |key| {
            Some(Xxh32 { tail: false, ..RIGHT_XXH32 }.hash(key))
        }),
        ("block-boundary", "a last full stripe is left to the words", |key| {
            Some(Xxh32 { last_stripe: false, ..RIGHT_XXH32 }.hash(key))
        }),
    ],
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

const OR_ONE: MapFunction = MapFunction {
    right: |h, n| i64::from((h & 0x7fff_ffff).max(1) % n),
    wrong: &[
        ("sign-mask", "the hash is unsigned, no bit is cleared", |h, n| modulo::unsigned(h.max(1), n).into()),
        ("floor-modulo", "the absolute value is taken", |h, n| {
            modulo::unsigned((h as i32).unsigned_abs().max(1), n).into()
        }),
        ("int-minimum", "0 is not replaced by 1", |h, n| modulo::masked(h as i32, n).into()),
    ],
};

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let mut table = match scheme.function {
        "random" | "process-random" => return Vec::new(),
        "murmur2-masked-modulo" => over_bytes(&MURMUR2, &MASKED),
        "murmur2-signed-tail-masked-modulo" => over_bytes(&MURMUR2_SIGNED_TAIL, &MASKED),
        "murmur2-unsigned-modulo" => over_bytes(&MURMUR2, &UNSIGNED),
        "murmur2-float-masked-modulo" => over_bytes(&MURMUR2_FLOAT, &MASKED),
        "crc32-modulo" => over_bytes(&CRC32, &UNSIGNED),
        "crc32-abs-modulo" => over_bytes(&CRC32, &ABS),
        "fnv1a-abs-modulo" => over_bytes(&FNV1A, &ABS),
        "fnv1a-masked-modulo" => over_bytes(&FNV1A, &MASKED),
        "fnv1a-unsigned-modulo" => over_bytes(&FNV1A, &UNSIGNED),
        "xxh32-modulo" => over_bytes(&XXH32, &UNSIGNED),
        "crc32-low-bytes-abs-modulo" => low_bytes(),
        "sha1-modulo" => sha1(),
        "hash-code-masked-modulo" => hash_code(&MASKED, as_they_are),
        "hash-code-abs-modulo" | "group-id-hash-code" => hash_code(&ABS_OR_ZERO, as_they_are),
        "hash-code-or-one-modulo" => hash_code(&OR_ONE, as_text),
        "debezium-hash-code-sum" | "debezium-murmur-sum" => debezium::table(scheme),
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
    // Before 2.3 there was Java's hash alone.
    ("kafka/debezium-murmur", "kafka/debezium-java"),
];

fn partitions(subject: &Subject<'_>) -> Option<u32> {
    subject.number("partitions")
}

/// The bytes that are hashed, where the answer is what the hash makes of them.
fn hashed(subject: &Subject<'_>) -> Option<Vec<u8>> {
    if subject.is_placed() { keys::wire_bytes(subject) } else { None }
}

/// Mistakes in a hash over the bytes on the wire, and in its map.
fn over_bytes(hash: &'static HashFunction, map: &'static MapFunction) -> Vec<Mistake> {
    over(hash, map, hashed)
}

/// Mistakes in a hash over what `hashed` makes of a key, and in its map.
fn over(
    hash: &'static HashFunction,
    map: &'static MapFunction,
    hashed: fn(&Subject<'_>) -> Option<Vec<u8>>,
) -> Vec<Mistake> {
    let mut table = Vec::new();
    for (flag, what, wrong) in hash.wrong {
        table.push(Mistake::answer(flag, what, move |s| {
            Some(Answer::at((map.right)(wrong(&hashed(s)?)?, partitions(s)?)))
        }));
    }
    for (flag, what, wrong) in map.wrong {
        table.push(Mistake::answer(flag, what, move |s| {
            Some(Answer::at(wrong((hash.right)(&hashed(s)?), partitions(s)?)))
        }));
    }
    table.push(Mistake::answer("int-minimum", AT_AN_END, move |s| Answer::at_an_end((hash.right)(&hashed(s)?) as i32)));
    table
}

/// A CRC-32 over the low byte of each UTF-16 unit of a text.
fn low_bytes() -> Vec<Mistake> {
    fn low(s: &Subject<'_>) -> Option<Vec<u8>> {
        let units = if s.is_placed() { text_units(&s.key)? } else { return None };
        Some(units.into_iter().map(|unit| unit as u8).collect())
    }
    let mut table = over(&CRC32, &ABS, low);
    table.push(Mistake::answer("utf16", "bytes of UTF-8 are hashed", |s| {
        text_units(&s.key)?;
        Some(Answer::at((ABS.right)(crc32(&hashed(s)?), partitions(s)?)))
    }));
    table
}

/// SHA-1 as one integer.
fn sha1() -> Vec<Mistake> {
    let digest = |s: &Subject<'_>| hashed(s).map(Sha1::digest);
    let modulo = |bytes: &[u8], n: u32| {
        Answer::at(bytes.iter().fold(0u64, |rest, byte| (rest << 8 | u64::from(*byte)) % u64::from(n)) as u32)
    };
    vec![
        Mistake::answer("int-width", "the digest is cut to its last 64 bits", move |s| {
            Some(modulo(&digest(s)?[12..], partitions(s)?))
        }),
        Mistake::answer("int-width", "the digest is cut to its first 32 bits", move |s| {
            Some(modulo(&digest(s)?[..4], partitions(s)?))
        }),
    ]
}

fn text_units(key: &OwnedKey) -> Option<Vec<u16>> {
    match key {
        OwnedKey::Text(text) => Some(text.encode_utf16().collect()),
        OwnedKey::Utf16(units) => Some(units.clone()),
        _ => None,
    }
}

/// What a client hashes: the units of a text, or bytes.
pub(super) enum Hashed {
    Units(Vec<u16>),
    Bytes(Vec<u8>),
}

fn as_they_are(key: &OwnedKey) -> Option<Hashed> {
    match key {
        OwnedKey::Bytes(bytes) => Some(Hashed::Bytes(bytes.clone())),
        text => text_units(text).map(Hashed::Units),
    }
}

fn as_text(key: &OwnedKey) -> Option<Hashed> {
    match key {
        OwnedKey::Bytes(bytes) => Some(Hashed::Units(String::from_utf8_lossy(bytes).encode_utf16().collect())),
        text => text_units(text).map(Hashed::Units),
    }
}

fn string_hash(units: impl IntoIterator<Item = u32>) -> u32 {
    units.into_iter().fold(0u32, |h, unit| h.wrapping_mul(31).wrapping_add(unit))
}

impl Hashed {
    fn hash_code(&self) -> u32 {
        match self {
            Hashed::Units(units) => string_hash(units.iter().map(|unit| u32::from(*unit))),
            Hashed::Bytes(bytes) => bytes_hash_code(bytes) as u32,
        }
    }

    fn units(&self) -> Option<&[u16]> {
        match self {
            Hashed::Units(units) => Some(units),
            Hashed::Bytes(_) => None,
        }
    }

    /// The text, where it has no lone surrogates.
    fn text(&self) -> Option<String> {
        String::from_utf16(self.units()?).ok()
    }
}

/// A flag, what a port does, and its hash.
pub(super) type WrongHashCode = (&'static str, &'static str, fn(&Hashed) -> Option<u32>);

pub(super) const WRONG_HASH_CODES: &[WrongHashCode] = &[
    ("utf16", "code points are hashed, not UTF-16 units", |key| Some(string_hash(key.text()?.chars().map(u32::from)))),
    ("utf16", "bytes of UTF-8 are hashed", |key| Some(string_hash(key.text()?.bytes().map(u32::from)))),
    ("float-arithmetic", "the sum is a floating-point number", |key| {
        let sum = key.units()?.iter().fold(0f64, |h, unit| h * 31.0 + f64::from(*unit));
        // As JavaScript's ToInt32 does.
        sum.is_finite().then(|| (sum % 4_294_967_296.0) as u32)
    }),
    ("seed", "a text starts at 1, as a byte array does", |key| {
        Some(key.units()?.iter().fold(1u32, |h, unit| h.wrapping_mul(31).wrapping_add((*unit).into())))
    }),
    ("signed-tail", "bytes are unsigned", |key| match key {
        Hashed::Bytes(bytes) => {
            Some(bytes.iter().fold(1u32, |h, byte| h.wrapping_mul(31).wrapping_add((*byte).into())))
        }
        Hashed::Units(_) => None,
    }),
    ("key-serializer", "a text is hashed as the byte array that it becomes", |key| {
        Some(bytes_hash_code(key.text()?.as_bytes()) as u32)
    }),
];

/// Mistakes in Java's hash code, of what `hashed` makes of a key.
fn hash_code(map: &'static MapFunction, hashed: fn(&OwnedKey) -> Option<Hashed>) -> Vec<Mistake> {
    let hashed = move |s: &Subject<'_>| if s.is_placed() { hashed(&s.key) } else { None };
    let mut table = Vec::new();
    for (flag, what, wrong) in WRONG_HASH_CODES {
        table.push(Mistake::answer(flag, what, move |s| {
            Some(Answer::at((map.right)(wrong(&hashed(s)?)?, partitions(s)?)))
        }));
    }
    for (flag, what, wrong) in map.wrong {
        table.push(Mistake::answer(flag, what, move |s| {
            Some(Answer::at(wrong(hashed(s)?.hash_code(), partitions(s)?)))
        }));
    }
    table.push(Mistake::answer("int-minimum", AT_AN_END, move |s| Answer::at_an_end(hashed(s)?.hash_code() as i32)));
    table
}

/// murmur2 with one part wrong.
struct Murmur2 {
    multiply: fn(u32, u32) -> u32,
    sign_extend: bool,
    tail: bool,
    last_block: bool,
    length: fn(usize) -> u32,
}

const RIGHT: Murmur2 =
    Murmur2 { multiply: u32::wrapping_mul, sign_extend: false, tail: true, last_block: true, length: |len| len as u32 };

impl Murmur2 {
    fn hash(&self, key: &[u8]) -> u32 {
        const M: u32 = 0x5bd1_e995;
        let multiply = self.multiply;
        let (mut blocks, tail) = key.as_chunks::<4>();
        if tail.is_empty() && !self.last_block {
            blocks = &blocks[..blocks.len().saturating_sub(1)];
        }
        let mut h = SEED ^ (self.length)(key.len());
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

/// xxHash 32, seed 0, with one part wrong.
struct Xxh32 {
    tail: bool,
    last_stripe: bool,
}

const RIGHT_XXH32: Xxh32 = Xxh32 { tail: true, last_stripe: true };

impl Xxh32 {
    fn hash(&self, key: &[u8]) -> u32 {
        const P: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];
        let left = !self.last_stripe && !key.is_empty() && key.len().is_multiple_of(16);
        let (stripes, rest) = key.split_at(key.len() / 16 * 16 - if left { 16 } else { 0 });
        let mut lanes = [P[0].wrapping_add(P[1]), P[1], 0, P[0].wrapping_neg()];
        for stripe in stripes.as_chunks::<16>().0 {
            for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<4>().0) {
                *lane = u32::from_le_bytes(*word).wrapping_mul(P[1]).wrapping_add(*lane);
                *lane = lane.rotate_left(13).wrapping_mul(P[0]);
            }
        }
        let merged = lanes.iter().zip([1, 7, 12, 18]).fold(0u32, |h, (lane, by)| h.wrapping_add(lane.rotate_left(by)));
        let mut h = if stripes.is_empty() { P[4] } else { merged }.wrapping_add(key.len() as u32);
        let (words, tail) = rest.as_chunks::<4>();
        for word in words {
            h = u32::from_le_bytes(*word).wrapping_mul(P[2]).wrapping_add(h).rotate_left(17).wrapping_mul(P[3]);
        }
        for byte in tail.iter().filter(|_| self.tail) {
            h = u32::from(*byte).wrapping_mul(P[4]).wrapping_add(h).rotate_left(11).wrapping_mul(P[0]);
        }
        h = (h ^ h >> 15).wrapping_mul(P[1]);
        h = (h ^ h >> 13).wrapping_mul(P[2]);
        h ^ h >> 16
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
            assert_eq!(RIGHT_XXH32.hash(&key), xxh32(&key, 0));
            assert_eq!(fnv1a(BASIS, &key, u32::from, u32::wrapping_mul), fnv1a_32(&key));
            assert_eq!(!crc32_register(!0, &key, false), crc32(&key));
        }
    }
}
