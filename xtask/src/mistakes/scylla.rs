//! Mistakes of ports of ScyllaDB's sharding, and of the partitioner of its CDC log tables.

use keyfall_core::hash::murmur3_x64_128::{murmur3_x64_128, murmur3_x64_128_signed_tail};
use keyfall_core::schemes::cassandra::token;
use keyfall_core::schemes::scylla::shard;
use keyfall_core::{OwnedKey, Scheme};

use super::cassandra;
use super::{Answer, Mistake, Subject};

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    match scheme.id {
        "scylla/murmur3" => shards(),
        _ => streams(scheme.id == "scylla/cdc"),
    }
}

/// The token, the shards and the ignored bits of a key of text or bytes.
fn parts(subject: &Subject<'_>) -> Option<(Vec<u8>, u32, u32)> {
    let bytes = cassandra::bytes(subject)?;
    Some((bytes, subject.number("shards")?, subject.number("msb_ignore").unwrap_or(12)))
}

fn shards() -> Vec<Mistake> {
    let hash = |flag, what, hash: fn(&[u8]) -> Option<i64>| {
        Mistake::answer(flag, what, move |s| {
            let (bytes, shards, ignored) = parts(s)?;
            Some(Answer::at(shard(hash(&bytes)?, shards, ignored)))
        })
    };
    let map = |flag, what, map: fn(i64, u32, u32) -> i64| {
        Mistake::answer(flag, what, move |s| {
            let (bytes, shards, ignored) = parts(s)?;
            Some(Answer::at(map(token(&bytes), shards, ignored)))
        })
    };
    // Nobody who is asked takes a null component.
    let mut table = cassandra::composites();
    table.retain(|mistake| !mistake.what.contains("null"));
    table.extend([
        hash("signed-tail", "tail bytes are unsigned, as in the textbook", |key| {
            Some(murmur3_x64_128(key, 0)[0] as i64)
        }),
        hash("seed", "the seed is not 0", |key| Some(murmur3_x64_128_signed_tail(key, 0x9747_b28c)[0] as i64)),
        hash("tail-length", "the tail is left out", |key| Some(cassandra::first_blocks(key, key.len() / 16))),
        hash("block-boundary", "a last full block is left to the tail", |key| {
            let whole = !key.is_empty() && key.len().is_multiple_of(16);
            whole.then(|| cassandra::first_blocks(key, key.len() / 16 - 1))
        }),
        map("sign-mask", "the token is not made unsigned first", |token, shards, ignored| {
            ((u128::from((token as u64) << ignored) * u128::from(shards)) >> 64) as i64
        }),
        map("floor-modulo", "the shard is the token modulo the shards", |token, shards, _| {
            token.rem_euclid(shards.into())
        }),
        map("parameter-interaction", "no bits are left out", |token, shards, _| shard(token, shards, 0).into()),
        map("parameter-interaction", "always 12 bits are left out", |token, shards, _| shard(token, shards, 12).into()),
    ]);
    table.push(Mistake::answer("int-minimum", "-2^63 is not replaced", |s| {
        let (bytes, shards, ignored) = parts(s)?;
        let hash = murmur3_x64_128_signed_tail(&bytes, 0)[0] as i64;
        (!bytes.is_empty() && hash == i64::MIN).then(|| Answer::at(shard(hash, shards, ignored)))
    }));
    table.push(Mistake::answer("range-boundary", "the least and the greatest token belong to no shard", |s| {
        let (bytes, ..) = parts(s)?;
        [i64::MIN, i64::MAX].contains(&token(&bytes)).then(|| Answer::without_place("error"))
    }));
    table
}

fn streams(server: bool) -> Vec<Mistake> {
    let bytes = |subject: &Subject<'_>| match &subject.key {
        OwnedKey::Bytes(bytes) => Some(bytes.clone()),
        OwnedKey::Text(text) => Some(text.as_bytes().to_vec()),
        OwnedKey::Utf16(units) => String::from_utf16(units).ok().map(String::into_bytes),
        _ => None,
    };
    let first = move |subject: &Subject<'_>| -> Option<i64> {
        let bytes = bytes(subject)?;
        let taken = if server { bytes.len() == 16 } else { bytes.len() >= 8 };
        bytes.first_chunk().filter(|_| taken).map(|first| i64::from_be_bytes(*first))
    };
    let mut table = vec![
        Mistake::answer("int-minimum", "-2^63 is not replaced", move |s| Some(Answer::token(first(s)?))),
        Mistake::answer("key-serializer", "the first 8 bytes are little-endian", move |s| {
            Some(Answer::token(first(s)?.swap_bytes()))
        }),
        Mistake::answer("sign-mask", "the token is unsigned", move |s| Some(Answer::token(first(s)? as u64))),
        Mistake::answer("client-default", "the key is hashed, as of any other table", move |s| {
            Some(Answer::token(token(&bytes(s)?)))
        }),
    ];
    let other = if server { "scylla/cdc-driver" } else { "scylla/cdc" };
    table.push(Mistake::answer("block-boundary", "another length is taken for a stream id's", move |s| {
        s.place_as(other, s.params.clone())
    }));
    table
}
