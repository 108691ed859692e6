//! Mistakes of ports of Debezium's PartitionRouting: in the hash of a field, in the sum, and in how it becomes a partition.

use keyfall_core::hash::java_hash_code::{
    boolean_hash_code, byte_buffer_hash_code, bytes_hash_code, double_hash_code, float_hash_code, long_hash_code,
    string_hash_code,
};
use keyfall_core::hash::murmur3_x64_64_draft::murmur3_x64_64_draft;
use keyfall_core::hash::murmur3_x64_128::murmur3_x64_128;
use keyfall_core::map::modulo;
use keyfall_core::{OwnedKey, Scheme};

use super::kafka::{Hashed, MapFunction, WRONG_HASH_CODES};
use super::{AT_AN_END, Answer, Mistake, Subject, keys};

const SEED: i32 = 9001;

const MASKED_OR_ZERO: MapFunction = MapFunction {
    right: |h, n| modulo::masked(or_zero(h) as i32, n).into(),
    wrong: &[
        ("sign-mask", "the sum is unsigned, no bit is cleared", |h, n| modulo::unsigned(or_zero(h), n).into()),
        ("floor-modulo", "a negative remainder is left negative", |h, n| i64::from(h as i32) % i64::from(n)),
        ("floor-modulo", "the absolute value is taken", |h, n| modulo::abs_of_remainder(or_zero(h) as i32, n).into()),
        ("int-minimum", "2147483647 is not replaced by 0", |h, n| modulo::masked(h as i32, n).into()),
    ],
};

/// 2147483647 and -1 are 0.
fn or_zero(h: u32) -> u32 {
    if h & 0x7fff_ffff == 0x7fff_ffff { 0 } else { h }
}

/// A value of a row that is not null.
enum Field {
    Text(Vec<u16>),
    Bytes(Vec<u8>),
    /// The type's name, and the value as text.
    Typed(String, String),
}

impl Field {
    fn new(key: &OwnedKey) -> Option<Field> {
        Some(match key {
            OwnedKey::Bytes(bytes) => Field::Bytes(bytes.clone()),
            OwnedKey::Typed(ty, _) if ty == "void" => return None,
            OwnedKey::Typed(ty, text) if ty == "string" => Field::Text(text.encode_utf16().collect()),
            OwnedKey::Typed(ty, hex) if ty == "bytes" => {
                let pairs =
                    hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
                Field::Bytes(pairs.collect::<Option<_>>()?)
            }
            OwnedKey::Typed(ty, value) => Field::Typed(ty.clone(), value.clone()),
            text => Field::Text(keys::units(text)?),
        })
    }

    /// A value of one of the integer types.
    fn integer(&self) -> Option<i64> {
        match self {
            Field::Typed(ty, value) if matches!(ty.as_str(), "short" | "integer" | "long") => value.parse().ok(),
            _ => None,
        }
    }

    fn hash_code(&self) -> i32 {
        match self {
            Field::Text(units) => string_hash_code(units.iter().copied()),
            Field::Bytes(bytes) => byte_buffer_hash_code(bytes),
            Field::Typed(ty, value) => {
                let value = value.as_str();
                let known = match ty.as_str() {
                    "long" => value.parse().map(long_hash_code).ok(),
                    "float" => value.parse().map(float_hash_code).ok(),
                    "double" => value.parse().map(double_hash_code).ok(),
                    "boolean" => value.parse().map(boolean_hash_code).ok(),
                    _ => value.parse().ok(),
                };
                known.unwrap_or_default()
            }
        }
    }

    /// Text as UTF-8, `?` for a lone surrogate.
    fn utf8(&self) -> Option<Vec<u8>> {
        let Field::Text(units) = self else { return None };
        Some(char::decode_utf16(units.iter().copied()).map(|c| c.unwrap_or('?')).collect::<String>().into_bytes())
    }
}

/// The fields of a row that got a partition, null for those without a value.
fn row(subject: &Subject<'_>) -> Vec<Option<Field>> {
    match &subject.key {
        OwnedKey::Tuple(parts) => parts.iter().map(Field::new).collect(),
        OwnedKey::Fields(fields) => fields.iter().map(|(_, key)| Field::new(key)).collect(),
        one => vec![Field::new(one)],
    }
}

/// The fields of a row that got a partition, without the null ones.
fn fields(subject: &Subject<'_>) -> Option<Vec<Field>> {
    subject.is_placed().then(|| row(subject).into_iter().flatten().collect())
}

/// The hash of a field; none where the mistake does not touch it.
type Wrong = fn(&Field) -> Option<i32>;

/// The same, made for a scheme.
type WrongIn = dyn Fn(&Field) -> Option<i32>;

/// Mistakes with what is hashed by its hash code, whichever function comes after.
const WRONG_OBJECTS: &[(&str, &str, Wrong)] = &[
    ("key-serializer", "bytes are hashed from the first to the last", |field| match field {
        Field::Bytes(bytes) => Some(bytes_hash_code(bytes)),
        _ => None,
    }),
    ("signed-tail", "bytes are unsigned", |field| match field {
        Field::Bytes(bytes) => {
            Some(bytes.iter().rev().fold(1i32, |h, byte| h.wrapping_mul(31).wrapping_add((*byte).into())))
        }
        _ => None,
    }),
    ("type-coercion", "a long is cut to its low half", |field| field.integer().map(|n| n as i32)),
    ("type-coercion", "a whole number is a double", |field| field.integer().map(|n| double_hash_code(n as f64))),
    ("type-coercion", "a boolean is 1 or 0", |field| match field {
        Field::Typed(ty, value) if ty == "boolean" => Some((value == "true").into()),
        _ => None,
    }),
];

/// Mistakes with text that murmur hashes.
const WRONG_TEXTS: &[(&str, &str, Wrong)] = &[
    ("seed", "the seed is 0", |field| Some(high(murmur3_x64_64_draft(&field.utf8()?, 0)))),
    ("seed", "the published MurmurHash3 x64 128 is taken", |field| {
        Some(high(murmur3_x64_128(&field.utf8()?, SEED as u64)[0]))
    }),
    ("int-width", "the low 32 bits are taken", |field| Some(murmur3_x64_64_draft(&field.utf8()?, SEED) as i32)),
    ("signed-tail", "tail bytes are unsigned", |field| {
        Some(high(Draft { sign_extend: false, ..RIGHT }.hash(&field.utf8()?)))
    }),
    ("tail-length", "the tail is left out", |field| Some(high(Draft { tail: false, ..RIGHT }.hash(&field.utf8()?)))),
    ("block-boundary", "the multipliers are the same in every block", |field| {
        Some(high(Draft { multipliers: false, ..RIGHT }.hash(&field.utf8()?)))
    }),
    ("utf8", "each UTF-16 unit is taken as one byte", |field| murmur_of(field, keys::low_bytes)),
    ("utf8", "characters beyond U+FFFF are two surrogates of three bytes each", |field| murmur_of(field, keys::cesu8)),
    ("utf16", "text is hashed by its hashCode, as other values are", |field| {
        field.utf8().map(|_| murmur_of_code(field.hash_code()))
    }),
];

/// The hash of a text as other bytes.
fn murmur_of(field: &Field, instead: fn(&OwnedKey) -> Option<OwnedKey>) -> Option<i32> {
    let Field::Text(units) = field else { return None };
    let OwnedKey::Bytes(bytes) = instead(&OwnedKey::Utf16(units.clone()))? else { return None };
    Some(high(murmur3_x64_64_draft(&bytes, SEED)))
}

fn high(hash: u64) -> i32 {
    (hash >> 32) as i32
}

fn murmur_of_code(hash_code: i32) -> i32 {
    high(murmur3_x64_64_draft(&hash_code.to_le_bytes(), SEED))
}

fn murmur(field: &Field) -> i32 {
    match field.utf8() {
        Some(bytes) => high(murmur3_x64_64_draft(&bytes, SEED)),
        None => murmur_of_code(field.hash_code()),
    }
}

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let is_murmur = scheme.function == "debezium-murmur-sum";
    let right: fn(&Field) -> i32 = if is_murmur { murmur } else { Field::hash_code };
    let mut table = Vec::new();
    // Adds a mistake in the hash of one field; the others are as they should be.
    let mut in_a_field = |flag, what, wrong: Box<WrongIn>| {
        table.push(Mistake::answer(flag, what, move |s| {
            let fields = fields(s)?;
            let hashes: Vec<Option<i32>> = fields.iter().map(&wrong).collect();
            if hashes.iter().all(Option::is_none) {
                return None;
            }
            let hashes = hashes.into_iter().zip(&fields).map(|(wrong, field)| wrong.unwrap_or_else(|| right(field)));
            place(s, hashes.fold(0, i32::wrapping_add))
        }));
    };
    for (flag, what, wrong) in WRONG_OBJECTS {
        in_a_field(flag, what, Box::new(move |field| wrong(field).map(if is_murmur { murmur_of_code } else { |h| h })));
    }
    if is_murmur {
        for (flag, what, wrong) in WRONG_TEXTS {
            in_a_field(flag, what, Box::new(wrong));
        }
    } else {
        // Those with bytes are among the mistakes above; text and bytes have one rule each.
        let texts = WRONG_HASH_CODES.iter().filter(|(flag, ..)| !matches!(*flag, "signed-tail" | "key-serializer"));
        for (flag, what, wrong) in texts {
            in_a_field(
                flag,
                what,
                Box::new(|field| match field {
                    Field::Text(units) => wrong(&Hashed::Units(units.clone())).map(|h| h as i32),
                    _ => None,
                }),
            );
        }
    }
    let sum = move |s: &Subject<'_>| Some(fields(s)?.iter().map(right).fold(0, i32::wrapping_add));
    for (flag, what, wrong) in MASKED_OR_ZERO.wrong {
        table.push(Mistake::answer(flag, what, move |s| {
            Some(Answer::at(wrong(sum(s)? as u32, s.number("partitions")?)))
        }));
    }
    table.push(Mistake::answer("int-minimum", AT_AN_END, move |s| Answer::at_an_end(sum(s)?)));
    table.extend(composites(right));
    table
}

/// Mistakes with several fields, or with a null one among them.
fn composites(right: fn(&Field) -> i32) -> Vec<Mistake> {
    let several = |s: &Subject<'_>| fields(s).filter(|fields| fields.len() > 1);
    let has_null = |s: &Subject<'_>| {
        matches!(s.key, OwnedKey::Tuple(_) | OwnedKey::Fields(_)) && row(s).iter().any(Option::is_none)
    };
    vec![
        Mistake::answer("composite", "hashes are combined as 31 * h + x, so that their order counts", move |s| {
            place(s, several(s)?.iter().map(right).fold(1, |h: i32, x| h.wrapping_mul(31).wrapping_add(x)))
        }),
        Mistake::answer("composite", "the first field alone is hashed", move |s| place(s, right(&several(s)?[0]))),
        Mistake::answer("composite", "a row with a null field has no partition", move |s| {
            has_null(s).then(|| Answer::without_place("unpinned"))
        }),
        Mistake::answer("composite", "a row of null fields has a sum of 0", move |s| {
            (has_null(s) && !s.is_placed()).then(|| Answer::at(0))
        }),
    ]
}

fn place(subject: &Subject<'_>, sum: i32) -> Option<Answer> {
    Some(Answer::at((MASKED_OR_ZERO.right)(sum as u32, subject.number("partitions")?)))
}

/// The draft of murmur3 x64 with one part wrong.
struct Draft {
    sign_extend: bool,
    tail: bool,
    multipliers: bool,
}

const RIGHT: Draft = Draft { sign_extend: true, tail: true, multipliers: true };

impl Draft {
    fn hash(&self, key: &[u8]) -> u64 {
        let seed = SEED as u64;
        let (mut h1, mut h2) = (0x9368_e53c_2f6a_f274 ^ seed, 0x586d_cd20_8f7c_d3fd ^ seed);
        let (mut c1, mut c2) = (0x87c3_7b91_1142_53d5_u64, 0x4cf5_ad43_2745_937f_u64);
        let mut mix = |k1: u64, k2: u64| {
            h1 ^= k1.wrapping_mul(c1).rotate_left(23).wrapping_mul(c2);
            h1 = h1.wrapping_add(h2);
            h2 = h2.rotate_left(41) ^ k2.wrapping_mul(c2).rotate_left(23).wrapping_mul(c1);
            h2 = h2.wrapping_add(h1);
            h1 = h1.wrapping_mul(3).wrapping_add(0x52dc_e729);
            h2 = h2.wrapping_mul(3).wrapping_add(0x3849_5ab5);
            if self.multipliers {
                c1 = c1.wrapping_mul(5).wrapping_add(0x7b7d_159c);
                c2 = c2.wrapping_mul(5).wrapping_add(0x6bce_6396);
            }
        };
        let (blocks, tail) = key.as_chunks::<16>();
        for block in blocks {
            let block = u128::from_le_bytes(*block);
            mix(block as u64, (block >> 64) as u64);
        }
        if self.tail && !tail.is_empty() {
            let widen = |byte: u8| if self.sign_extend { byte as i8 as u64 } else { byte.into() };
            let word = |bytes: &[u8]| bytes.iter().enumerate().fold(0, |k, (i, byte)| k ^ widen(*byte) << (8 * i));
            let (first, second) = tail.split_at(tail.len().min(8));
            mix(word(first), word(second));
        }
        let fmix = |mut k: u64| {
            k = (k ^ (k >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
            k = (k ^ (k >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            k ^ (k >> 33)
        };
        h2 ^= key.len() as u64;
        h1 = h1.wrapping_add(h2);
        h2 = h2.wrapping_add(h1);
        fmix(h1).wrapping_add(fmix(h2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The variant is right where nothing in it is wrong.
    #[test]
    fn what_is_not_mistaken_is_right() {
        for len in 0..40u8 {
            let key: Vec<u8> = (0..len).map(|i| i.wrapping_mul(37).wrapping_add(200)).collect();
            assert_eq!(RIGHT.hash(&key), murmur3_x64_64_draft(&key, SEED));
        }
    }
}
