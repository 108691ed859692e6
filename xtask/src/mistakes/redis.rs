//! Mistakes of ports of Redis Cluster's slots, and of its clients': which part of a key is hashed.

use keyfall_core::hash::crc16::crc16_xmodem;
use keyfall_core::schemes::redis::tag;
use keyfall_core::{OwnedKey, Scheme};

use super::{Answer, Mistake, Subject};

/// What of a key is hashed: what, and the part.
type Tag = fn(&[u8]) -> &[u8];

/// Ways to find it. Each is the mistake of a port of the other schemes.
const TAGS: &[(&str, Tag, &[&str])] = &[
    ("the tag is found as the server does", tag, &["redis/cluster", "redis/go-redis"]),
    ("the tag is found as cluster-key-slot does", past_empty, &["redis/ioredis"]),
    (
        "the first } of the key counts, before the { too",
        |key| not_empty(key, between(key, find(key, b'{'), |key, open| find(key, b'}').filter(|at| *at > open))),
        &["redis/redisson"],
    ),
    (
        "the last { and the last } count",
        |key| match find_last(key, b'}').and_then(|close| Some((find_last(&key[..close], b'{')?, close))) {
            Some((open, close)) => &key[open + 1..close],
            None => key,
        },
        &["redis/enterprise"],
    ),
    ("hash tags are not known", |key| key, &[]),
    ("an empty tag is hashed", |key| between(key, find(key, b'{'), |key, open| find_from(key, b'}', open)), &[]),
    (
        "the last { counts",
        |key| not_empty(key, between(key, find_last(key, b'{'), |key, open| find_from(key, b'}', open))),
        &[],
    ),
    (
        "the last } counts",
        |key| not_empty(key, between(key, find(key, b'{'), |key, open| find_last(key, b'}').filter(|at| *at > open))),
        &[],
    ),
    (
        "a } right after the { is a part of the tag",
        |key| not_empty(key, between(key, find(key, b'{'), |key, open| find_from(key, b'}', open + 1))),
        &[],
    ),
    (
        "the braces are hashed too",
        |key| match (find(key, b'{'), tag(key)) {
            (Some(open), tag) if tag.len() < key.len() => &key[open..open + tag.len() + 2],
            _ => key,
        },
        &[],
    ),
];

/// What stands after the first `{`, a `}` right after it left out, and before the next `}`.
fn past_empty(key: &[u8]) -> &[u8] {
    let Some(open) = find(key, b'{') else { return key };
    let start = open + if key.get(open + 1) == Some(&b'}') { 2 } else { 1 };
    match find_from(key, b'}', start - 1) {
        Some(close) => &key[start..close],
        None => key,
    }
}

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let is_own = |owners: &[&str]| owners.contains(&scheme.id);
    let (_, own, _) = TAGS.iter().find(|(.., owners)| is_own(owners)).expect("every scheme has a way to find the tag");
    let others = TAGS.iter().filter(|(.., owners)| !is_own(owners));
    let mut table: Vec<Mistake> = others
        .map(|(what, wrong, _)| Mistake::answer("hash-tag", what, |s| Some(slot(crc16_xmodem(wrong(hashed(s)?))))))
        .collect();
    table.push(Mistake::answer("seed", "the register starts at 0xffff", move |s| {
        Some(slot(crc16_register(0xffff, own(hashed(s)?))))
    }));
    table.push(Mistake::shape("range-boundary", "the first and the last slot", move |s| {
        s.is_placed() && bytes(s).is_some_and(|key| matches!(crc16_xmodem(own(key)) % 16384, 0 | 16383))
    }));
    table.push(Mistake::answer("range-boundary", "there are 16383 slots", move |s| {
        let hash = crc16_xmodem(own(hashed(s)?));
        // A port with this mistake is noticed everywhere; what the flag is for are the ends.
        (hash % 16384 >= 16382).then(|| Answer::at(hash % 16383))
    }));
    table
}

fn slot(hash: u16) -> Answer {
    Answer::at(hash % 16384)
}

fn bytes<'s>(subject: &'s Subject<'_>) -> Option<&'s [u8]> {
    match &subject.key {
        OwnedKey::Bytes(bytes) => Some(bytes),
        OwnedKey::Text(text) => Some(text.as_bytes()),
        _ => None,
    }
}

/// The bytes of a key that is hashed: an empty one may have no slot.
fn hashed<'s>(subject: &'s Subject<'_>) -> Option<&'s [u8]> {
    bytes(subject).filter(|_| subject.is_placed())
}

fn find(key: &[u8], brace: u8) -> Option<usize> {
    key.iter().position(|byte| *byte == brace)
}

fn find_last(key: &[u8], brace: u8) -> Option<usize> {
    key.iter().rposition(|byte| *byte == brace)
}

fn find_from(key: &[u8], brace: u8, after: usize) -> Option<usize> {
    Some(after + 1 + find(key.get(after + 1..)?, brace)?)
}

/// What stands after `open` and before the place that `close` finds; the whole key where either is none.
fn between(key: &[u8], open: Option<usize>, close: impl Fn(&[u8], usize) -> Option<usize>) -> &[u8] {
    match open.and_then(|open| Some((open, close(key, open)?))) {
        Some((open, close)) => &key[open + 1..close],
        None => key,
    }
}

fn not_empty<'k>(key: &'k [u8], tag: &'k [u8]) -> &'k [u8] {
    if tag.is_empty() { key } else { tag }
}

fn crc16_register(start: u16, bytes: &[u8]) -> u16 {
    bytes.iter().fold(start, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_mistaken_is_right() {
        assert_eq!(crc16_register(0, b"123456789"), crc16_xmodem(b"123456789"));
        let right: Tag = |key| not_empty(key, between(key, find(key, b'{'), |key, open| find_from(key, b'}', open)));
        for key in ["{user:1}:cart", "{}a", "a{}b{c}", "}{a}", "{{a}}", "{a", "a}b{c}d", ""] {
            assert_eq!(right(key.as_bytes()), tag(key.as_bytes()), "{key}");
        }
        for (key, tag) in [("foo{}{bar}", "{bar"), ("a{}b{c}", "b{c"), ("{}}", ""), ("{}", "{}"), ("{a}b", "a")] {
            assert_eq!(past_empty(key.as_bytes()), tag.as_bytes(), "{key}");
        }
    }
}
