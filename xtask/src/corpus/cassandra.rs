//! Cassandra: single columns and composites of text and blobs.

use keyfall_core::OwnedKey;

use super::keys::{self, Random, bytes, text};
use super::{Corpus, Data, params};

pub(super) fn fill(corpus: &mut Corpus, data: &Data) {
    let none = [params([])];
    let mut add = |keys: Vec<OwnedKey>| corpus.cross(keys, &none);
    add(vec![OwnedKey::Null, bytes(*b""), text("")]);
    add(data.mined.keys("murmur3-x64-128"));
    add(composites());
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

fn composites() -> Vec<OwnedKey> {
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
    if i % 2 == 0 { text(random.ascii(len)) } else { bytes(random.bytes(len)) }
}
