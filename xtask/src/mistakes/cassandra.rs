//! Mistakes of ports of Cassandra's partitioners.

use keyfall_core::hash::murmur3_x64_128::{murmur3_x64_128, murmur3_x64_128_signed_tail};
use keyfall_core::{OwnedKey, Scheme};
use md5::{Digest, Md5};

use super::{Answer, Mistake, Subject};

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let mut table = composites();
    table.extend(typed());
    if scheme.function == "murmur3-signed-tail-token" {
        table.extend(murmur3());
    }
    if scheme.function == "md5-abs-token" {
        table.push(md5("sign-mask", "the digest is unsigned", |digest| digest as u128));
        table.push(md5("sign-mask", "the sign bit is cleared", |digest| digest as u128 & i128::MAX as u128));
    }
    table
}

/// What is hashed of a key that is one column of text or bytes, or a composite of those.
pub(super) fn bytes(subject: &Subject<'_>) -> Option<Vec<u8>> {
    if !subject.is_placed() {
        return None;
    }
    match &subject.key {
        OwnedKey::Tuple(parts) => joined(parts, true, u16::to_be_bytes, true),
        key => part(key),
    }
}

fn part(key: &OwnedKey) -> Option<Vec<u8>> {
    match key {
        OwnedKey::Bytes(bytes) => Some(bytes.clone()),
        OwnedKey::Text(text) => Some(text.as_bytes().into()),
        OwnedKey::Utf16(units) => String::from_utf16(units).ok().map(String::into_bytes),
        _ => None,
    }
}

/// Components as one; null is taken as empty.
fn joined(parts: &[OwnedKey], single_is_bare: bool, length: fn(u16) -> [u8; 2], end: bool) -> Option<Vec<u8>> {
    if let ([single], true) = (parts, single_is_bare) {
        return part(single);
    }
    let mut all = Vec::new();
    for key in parts {
        let bytes = if *key == OwnedKey::Null { Vec::new() } else { part(key)? };
        all.extend(length(bytes.len() as u16));
        all.extend(bytes);
        if end {
            all.push(0);
        }
    }
    Some(all)
}

pub(super) fn composites() -> Vec<Mistake> {
    let as_one = |what, join: fn(&[OwnedKey]) -> Option<Vec<u8>>| {
        Mistake::answer("composite", what, move |s| match &s.key {
            OwnedKey::Tuple(parts) => Some(s.place(&OwnedKey::Bytes(join(parts)?))),
            _ => None,
        })
    };
    vec![
        as_one("components are joined without their lengths", |parts| {
            parts.iter().map(part).collect::<Option<Vec<_>>>().map(|parts| parts.concat())
        }),
        as_one("no zero byte ends a component", |parts| joined(parts, true, u16::to_be_bytes, false)),
        as_one("lengths are little-endian", |parts| joined(parts, true, u16::to_le_bytes, true)),
        as_one("a single component is framed too", |parts| joined(parts, false, u16::to_be_bytes, true)),
        as_one("a null component is empty, a length is cut to 16 bits", |parts| {
            joined(parts, true, u16::to_be_bytes, true)
        }),
    ]
}

/// Mistakes with CQL values: another value of the same column, or one of another type, is placed.
fn typed() -> Vec<Mistake> {
    let instead = |flag, what, instead: fn(&str, &str) -> Option<OwnedKey>| {
        Mistake::answer(flag, what, move |s| {
            let other = |key: &OwnedKey| match key {
                OwnedKey::Typed(ty, value) => instead(ty, value),
                _ => None,
            };
            match &s.key {
                OwnedKey::Tuple(parts) => {
                    let others: Vec<Option<OwnedKey>> = parts.iter().map(other).collect();
                    others.iter().any(Option::is_some).then(|| {
                        let parts = others.into_iter().zip(parts).map(|(new, old)| new.unwrap_or_else(|| old.clone()));
                        s.place(&OwnedKey::Tuple(parts.collect()))
                    })
                }
                key => Some(s.place(&other(key)?)),
            }
        })
    };
    vec![
        instead("key-serializer", "a value is serialized as its text", |ty, value| {
            (!matches!(ty, "text" | "varchar" | "ascii")).then(|| OwnedKey::Text(value.into()))
        }),
        instead("key-serializer", "an integer has another width", |ty, value| match ty {
            "tinyint" | "smallint" | "int" => Some(OwnedKey::Typed("bigint".into(), value.into())),
            "bigint" => Some(OwnedKey::Typed("varint".into(), value.into())),
            _ => None,
        }),
        instead("key-serializer", "a float is a double", |ty, value| {
            (ty == "float").then(|| OwnedKey::Typed("double".into(), value.into()))
        }),
        instead("type-coercion", "zeros at the end of a decimal are cut", |ty, value| {
            let cut = value.strip_suffix('0')?.trim_end_matches('0').trim_end_matches('.');
            (ty == "decimal" && value.contains('.')).then(|| OwnedKey::Typed(ty.into(), cut.into()))
        }),
        instead("type-coercion", "-0.0 is 0.0", |ty, value| {
            (matches!(ty, "float" | "double") && value == "-0.0").then(|| OwnedKey::Typed(ty.into(), "0.0".into()))
        }),
        instead("collection", "the elements of a set stay in the order given, twice where given twice", |ty, value| {
            let element = ty.strip_prefix("frozen<set<")?;
            let list = format!("[{}]", value.trim_start_matches('{').trim_end_matches('}'));
            Some(OwnedKey::Typed(format!("frozen<list<{element}"), list))
        }),
        Mistake::shape("collection", "the entries of a map stay in the order given", |s| match &s.key {
            OwnedKey::Typed(ty, value) => ty.starts_with("frozen<map<") && value.contains(", "),
            _ => false,
        }),
    ]
}

/// A mistake in RandomPartitioner's token, which is a digest's absolute value.
fn md5(flag: &'static str, what: &'static str, token: fn(i128) -> u128) -> Mistake {
    Mistake::answer(flag, what, move |s| {
        let bytes = bytes(s).filter(|bytes| !bytes.is_empty())?;
        Some(Answer::token(token(i128::from_be_bytes(Md5::digest(bytes).into()))))
    })
}

fn murmur3() -> Vec<Mistake> {
    let hash = |flag, what, hash: fn(&[u8]) -> Option<i64>| {
        Mistake::answer(flag, what, move |s| {
            let bytes = bytes(s).filter(|bytes| !bytes.is_empty())?;
            let hash = hash(&bytes)?;
            Some(Answer::token(if hash == i64::MIN { i64::MAX } else { hash }))
        })
    };
    let token = |s: &Subject<'_>| -> Option<i64> { s.case.place.as_ref()?.to_string().parse().ok() };
    vec![
        hash("signed-tail", "tail bytes are unsigned, as in the textbook", |key| {
            Some(murmur3_x64_128(key, 0)[0] as i64)
        }),
        hash("seed", "the seed is not 0", |key| Some(murmur3_x64_128_signed_tail(key, 0x9747_b28c)[0] as i64)),
        hash("tail-length", "the tail is left out", |key| Some(first_blocks(key, key.len() / 16))),
        hash("block-boundary", "a last full block is left to the tail", |key| {
            key.len().is_multiple_of(16).then(|| first_blocks(key, key.len() / 16 - 1))
        }),
        Mistake::shape("block-boundary", "the longest key, and one byte more", |s| {
            part(&s.key).is_some_and(|key| key.len() >= 65_535)
        }),
        Mistake::answer("int-minimum", "-2^63 is not replaced", |s| {
            let bytes = bytes(s).filter(|bytes| !bytes.is_empty())?;
            Some(Answer::token(murmur3_x64_128_signed_tail(&bytes, 0)[0] as i64))
        }),
        Mistake::shape("int-minimum", "a token at an end of its range", move |s| {
            token(s).is_some_and(|token| [-1, 0, i64::MAX].contains(&token))
        }),
        Mistake::answer("range-boundary", "the least and the greatest token belong to no range", move |s| {
            [i64::MIN, i64::MAX].contains(&token(s)?).then(|| Answer::without_place("error"))
        }),
        Mistake::answer("empty-key", "the empty key has the token 0, as in drivers", |s| {
            bytes(s)?.is_empty().then(|| Answer::token(0))
        }),
    ]
}

/// The hash that sees `blocks` blocks of the key and no tail, but knows its length: a key of so many blocks has the same
/// state, and the length enters at the end.
pub(super) fn first_blocks(key: &[u8], blocks: usize) -> i64 {
    let (h1, h2) = state(&key[..16 * blocks]);
    finish(h1, h2, key.len() as u64)
}

/// The state after whole blocks, by MurmurHash3's own steps.
fn state(blocks: &[u8]) -> (u64, u64) {
    const C1: u64 = 0x87c3_7b91_1142_53d5;
    const C2: u64 = 0x4cf5_ad43_2745_937f;
    blocks.as_chunks::<16>().0.iter().fold((0u64, 0u64), |(mut h1, mut h2), block| {
        let block = u128::from_le_bytes(*block);
        h1 ^= (block as u64).wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= ((block >> 64) as u64).wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
        (h1, h2)
    })
}

fn finish(h1: u64, h2: u64, len: u64) -> i64 {
    let fmix = |k: u64| {
        let k = (k ^ (k >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let k = (k ^ (k >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        k ^ (k >> 33)
    };
    let (h1, h2) = (h1 ^ len, h2 ^ len);
    let h1 = h1.wrapping_add(h2);
    let h2 = h2.wrapping_add(h1);
    fmix(h1).wrapping_add(fmix(h2)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mistaken_is_right() {
        for blocks in 0..5 {
            let key: Vec<u8> = (0..16 * blocks).map(|i| (i * 37) as u8).collect();
            assert_eq!(first_blocks(&key, blocks), murmur3_x64_128(&key, 0)[0] as i64);
        }
        let parts = [OwnedKey::Text("ab".into()), OwnedKey::Bytes(vec![])];
        assert_eq!(joined(&parts, true, u16::to_be_bytes, true).unwrap(), b"\0\x02ab\0\0\0\0");
    }
}
