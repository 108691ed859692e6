//! Redis: keys with braces of every shape.

use keyfall_core::OwnedKey;

use super::keys::{self, Random};
use super::{Corpus, Data, params};

pub(super) fn fill(corpus: &mut Corpus, data: &Data) {
    let none = [params([])];
    let mut add = |keys: Vec<OwnedKey>| corpus.cross(keys, &none);
    add(vec![OwnedKey::Null, keys::bytes(*b""), keys::text("")]);
    add(data.mined.keys("crc16-xmodem"));
    add(hash_tags());
    add(keys::text_lengths(&mut Random::new(2)));
    add(keys::byte_lengths(&mut Random::new(3)));
    add(keys::single_bytes());
    add(keys::multibyte_texts());
    add(keys::with_nul());
    add(keys::not_utf8(&mut Random::new(4)));
    add(keys::lone_surrogates());
    add(keys::utf16_pairs());
    add(keys::everyday(&mut Random::new(5)));
    add(keys::long(&mut Random::new(6)));
}

fn hash_tags() -> Vec<OwnedKey> {
    let shapes = [
        "{user:1}:cart",
        "{user:1}:profile",
        "user:1",
        "cart:{user:1}",
        "a{user:1}b",
        "{}",
        "{}a",
        "a{}",
        "a{}b",
        "{",
        "}",
        "{{",
        "}}",
        "}{",
        "{a",
        "a}",
        "a}b",
        "a{b",
        "}a{b}",
        "a}b{c}",
        "{{a}}",
        "{{a}b}",
        "{{}}",
        "{{}a}",
        "{a{b}c}",
        "{a}{b}",
        "a{b}c{d}e",
        "{}{a}",
        "foo{}{bar}",
        "foo{{bar}}zap",
        "foo{bar}{zap}",
        "a{}b{c}",
        "{}}",
        "{}}a{b}",
        "{a}}",
        "{a}b}",
        "a{b}}",
        "{ }",
        "{ a }",
        "{\t}",
        "{a}\n",
        "{\0}",
        "\0{a}",
        "{a\0b}",
        "{ключ}:1",
        "ключ{a}",
        "{é}",
        "{😀}x",
        "{1}",
        "{123}",
        "{}123",
        "user:{{tag}:1",
        "'1':{'i3':1}",
        "{'1':{'i3':1}}",
        "{user1000}.following",
        "{user1000}.followers",
        "[a]",
        "(a)",
        "<a>",
        "{a}{",
        "{a}{}",
        "}{a}",
        "}{a",
        "}}{a}",
        "{a{",
        "{a{}",
        "{a{}}",
        "{\\}}",
        "\\{a}",
        "{a,b}",
        "{a}:{b}:{c}",
        "{a b}",
    ];
    let mut tags: Vec<OwnedKey> = shapes.into_iter().map(keys::text).collect();
    let raw: [&[u8]; 8] = [
        b"{\xff}",
        b"{\xff}a",
        b"\xff{a}",
        b"{\x80}{a}",
        b"\x81{A\x81}",
        b"{\x9b\xf7}\xea",
        b"{\xc3}\xa9",
        b"{\xfb\xfd}",
    ];
    tags.extend(raw.map(keys::bytes));
    // The tag, or what stands around it, is long.
    tags.push(keys::text(format!("{{{}}}x", "t".repeat(300))));
    tags.push(keys::text(format!("{}{{t}}{}", "a".repeat(300), "b".repeat(300))));
    tags
}
