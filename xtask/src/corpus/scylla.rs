//! ScyllaDB: shards of a node, and stream ids of CDC.

use keyfall_conform::vectors::ParamsJson;
use keyfall_core::{OwnedKey, Scheme};

use super::keys::{self, Random, bytes, text};
use super::{Corpus, Data, cassandra, params};

pub(super) fn fill(corpus: &mut Corpus, scheme: &Scheme, data: &Data) {
    if scheme.id == "scylla/murmur3" { shards(corpus, data) } else { streams(corpus) }
}

fn shards(corpus: &mut Corpus, data: &Data) {
    let of = |shards: u64| params([("shards", shards)]);
    let ignoring = |shards: u64, bits: u64| params([("shards", shards), ("msb_ignore", bits)]);
    let round: Vec<ParamsJson> = vec![
        of(7),
        of(12),
        ignoring(5, 0),
        ignoring(3, 1),
        of(2),
        ignoring(14, 20),
        of(30),
        ignoring(7, 12),
        of(1),
        ignoring(9, 40),
        of(64),
        of(255),
        ignoring(10, 0),
    ];
    // Tokens at the ends of their range.
    corpus.cross(data.mined.keys("murmur3-x64-128"), &round);
    corpus.cross([text("user:42"), bytes([0x80]), text("ключ"), text("日本語 😀")], &round);
    // A driver has another token for the empty key than the server.
    let empty = |key: &OwnedKey| matches!(key, OwnedKey::Tuple(parts) if *parts == [text("")]);
    corpus.spread(cassandra::composites().into_iter().filter(|key| !empty(key)), &round);
    let plain = [
        keys::text_lengths(&mut Random::new(2)),
        keys::byte_lengths(&mut Random::new(3)),
        keys::single_bytes(),
        keys::high_bit_in_tail(16),
        keys::multibyte_texts(),
        keys::with_nul(),
        keys::not_utf8(&mut Random::new(4)),
        keys::utf16_pairs(),
        keys::everyday(&mut Random::new(5)),
    ];
    corpus.spread(plain.into_iter().flatten(), &round);
}

/// Ids of 16 bytes, whose first 8 are a token, and what is longer or shorter.
fn streams(corpus: &mut Corpus) {
    let none = [params([])];
    let mut random = Random::new(9);
    let id = |token: i64, rest: Vec<u8>| bytes([token.to_be_bytes().to_vec(), rest].concat());
    for token in [i64::MIN, i64::MIN + 1, -1, 0, 1, 256, i64::MAX - 1, i64::MAX] {
        for rest in [0, 1, 7, 8, 9] {
            corpus.cross([id(token, random.bytes(rest))], &none);
        }
    }
    corpus.cross((0..40).map(|len| bytes(random.bytes(len))), &none);
    corpus.cross((0..140).map(|_| bytes(random.bytes(16))), &none);
    corpus.cross((1..=24).map(|len| text(random.ascii(len))), &none);
    let texts = ["ключключ", "ключ", "日本語 日本語", "😀😀😀😀", "😀😀", "abcd\0efgh-ijk\0\0\0", "naïve café 1234"];
    corpus.cross(texts.map(text), &none);
    corpus.cross(keys::not_utf8(&mut Random::new(4)), &none);
    corpus.cross(keys::with_nul(), &none);
    corpus.cross([bytes([b"\xff\xfe".as_slice(), b"0123456789abcd"].concat())], &none);
    corpus.cross([OwnedKey::Utf16("ключключ".encode_utf16().collect())], &none);
}
