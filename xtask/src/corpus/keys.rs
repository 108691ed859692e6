//! Keys by shape, for every system: each function is one shape that some port has got wrong.

use keyfall_core::OwnedKey;

/// SplitMix64: the corpus must be the same for ever, which no library's generator promises.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(super) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }

    pub(super) fn ascii(&mut self, len: usize) -> String {
        const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_./";
        (0..len).map(|_| char::from(ALPHABET[self.below(ALPHABET.len() as u64) as usize])).collect()
    }

    fn uuid(&mut self) -> String {
        let hex: String = self.bytes(16).iter().map(|byte| format!("{byte:02x}")).collect();
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
    }
}

pub(super) fn bytes(bytes: impl Into<Vec<u8>>) -> OwnedKey {
    OwnedKey::Bytes(bytes.into())
}

pub(super) fn text(text: impl Into<String>) -> OwnedKey {
    OwnedKey::Text(text.into())
}

pub(super) fn typed(ty: &str, value: impl Into<String>) -> OwnedKey {
    OwnedKey::Typed(ty.into(), value.into())
}

/// Every length from 1 to 64, as text.
pub(super) fn text_lengths(random: &mut Random) -> Vec<OwnedKey> {
    (1..=64).map(|len| text(random.ascii(len))).collect()
}

/// Every length from 1 to 64, as bytes of any value.
pub(super) fn byte_lengths(random: &mut Random) -> Vec<OwnedKey> {
    (1..=64).map(|len| bytes(random.bytes(len))).collect()
}

/// Every single byte.
pub(super) fn single_bytes() -> Vec<OwnedKey> {
    (0..=255).map(|byte| bytes([byte])).collect()
}

/// One byte of 0x80 at each place of the tail after none or one block of `block` bytes; all others are ASCII.
pub(super) fn high_bit_in_tail(block: usize) -> Vec<OwnedKey> {
    let mut keys = Vec::new();
    for full in [0, block] {
        for tail in 1..block {
            for at in 0..tail {
                let mut key = vec![b'k'; full + tail];
                key[full + at] = 0x80;
                keys.push(bytes(key));
            }
        }
    }
    keys
}

/// Multi-byte UTF-8, of two, three and four bytes a character, at every alignment.
pub(super) fn multibyte_texts() -> Vec<OwnedKey> {
    let mut keys: Vec<OwnedKey> = [
        "é",
        "ß",
        "ключ",
        "заказ:42",
        "日本語",
        "한국어",
        "नमस्ते",
        "مفتاح",
        "מפתח",
        "ญี่ปุ่น",
        "😀",
        "👩‍👩‍👧‍👦",
        "🇺🇦",
        "naïve café",
        "thingäöüÄÖÜ",
        "e\u{301}",
        "İstanbul",
        "ﬁ",
        "\u{feff}bom",
        "\u{80}",
        "\u{7ff}",
        "\u{800}",
        "\u{ffff}",
        "\u{fffd}",
        "\u{10000}",
        "\u{10ffff}",
        "key-ÿ",
        "Ω",
        "user:José",
        "a\u{200b}b",
        "ａｂｃ",
        "x😀",
        "xx😀",
        "xxx😀",
        "x日",
        "xx日",
        "xé",
        "xxé",
        "xxxé",
    ]
    .into_iter()
    .map(text)
    .collect();
    // The same text, a character longer each time: the multi-byte characters cross every block boundary.
    let all: Vec<char> = "aé日😀bя漢🎉".chars().cycle().take(24).collect();
    keys.extend((1..=all.len()).map(|len| text(all[..len].iter().collect::<String>())));
    keys
}

/// NUL at the start, in the middle, at the end, alone.
pub(super) fn with_nul() -> Vec<OwnedKey> {
    let texts =
        ["\0", "\0\0", "a\0", "\0a", "a\0b", "ab\0cd", "user\x001", "user:1\0", "abcd\0efgh", "k\0\0\0", "\0\0\0\0k"];
    let zeros = [3, 4, 5, 8, 15, 16, 17, 32].map(|len| bytes(vec![0; len]));
    texts.into_iter().map(|key| bytes(key.as_bytes())).chain(texts.into_iter().map(text)).chain(zeros).collect()
}

/// Bytes that are not UTF-8: lone, truncated, overlong, surrogates, Latin-1, integers, UUIDs.
pub(super) fn not_utf8(random: &mut Random) -> Vec<OwnedKey> {
    let shapes: [&[u8]; 18] = [
        b"\xff",
        b"\xfe\xff",
        b"\x80",
        b"\xc3",
        b"\xc3\x28",
        b"\xe2\x82",
        b"\xf0\x9f\x98",
        b"\xc0\x80",
        b"\xed\xa0\x80",
        b"\xed\xa0\xbd\xed\xb8\x80",
        b"\xf5\x80\x80\x80",
        b"caf\xe9",
        b"ab\xffcd",
        b"key\x80\x81\x82",
        b"\xff\xff\xff\xff",
        b"\x7f\xff\xff\xff",
        b"\x80\0\0\0",
        b"\xff\xff\xff\xff\xff\xff\xff\xff",
    ];
    let mut keys: Vec<OwnedKey> = shapes.into_iter().map(bytes).collect();
    keys.extend((0..10).map(|_| bytes(random.bytes(16))));
    keys
}

/// UTF-16 text with surrogates that have no partner.
pub(super) fn lone_surrogates() -> Vec<OwnedKey> {
    let shapes: [&[u16]; 12] = [
        &[0xd800],
        &[0xdfff],
        &[0xd83d],
        &[0xde00],
        &[0x61, 0xd83d],
        &[0xd83d, 0x61],
        &[0xde00, 0xd83d],
        &[0x61, 0xd83d, 0x62],
        &[0xd83d, 0xd83d, 0xde00],
        &[0xd83d, 0xde00, 0xde00],
        &[0x6b, 0x65, 0x79, 0xdbff, 0x31],
        &[0xd800, 0xd800, 0xd800],
    ];
    shapes.into_iter().map(|units| OwnedKey::Utf16(units.into())).collect()
}

/// UTF-16 text that is well formed.
pub(super) fn utf16_pairs() -> Vec<OwnedKey> {
    ["a", "key", "ключ", "x😀", "日本語"].iter().map(|text| OwnedKey::Utf16(text.encode_utf16().collect())).collect()
}

/// What people use as keys.
pub(super) fn everyday(random: &mut Random) -> Vec<OwnedKey> {
    let mut keys: Vec<String> = [
        "user:1",
        "user:42",
        "order-1001",
        "tenant/7/user/9",
        "alice@example.com",
        "2024-02-29",
        "2024-02-29T23:59:59Z",
        "192.0.2.1",
        "2001:db8::1",
        "{\"id\":1}",
        "\"quoted\"",
        "true",
        "null",
        "NULL",
        "None",
        "0",
        "-1",
        "007",
        "1.0",
        "1e3",
        "3.141592653589793",
        "9007199254740993",
        "18446744073709551616",
        " ",
        " key",
        "key ",
        "\t",
        "\n",
        "key\n",
        "Key",
        "KEY",
        "a,b",
        "a|b",
        "a/b",
        "%20",
        "+",
        "undefined",
        "NaN",
        "[object Object]",
        "b'key'",
    ]
    .into_iter()
    .map(Into::into)
    .collect();
    keys.extend((0..40).map(|_| random.uuid()));
    keys.extend((0..30).map(|_| format!("user:{}", random.below(100_000))));
    keys.extend((0..20).map(|_| random.below(1 << 40).to_string()));
    keys.into_iter().map(text).collect()
}

/// Lengths around the limits of one-byte, signed and two-byte counters.
pub(super) fn long(random: &mut Random) -> Vec<OwnedKey> {
    let mut keys: Vec<OwnedKey> =
        [127, 128, 129, 255, 256, 257, 511, 512, 513, 1000, 1024, 4096].map(|len| text(random.ascii(len))).into();
    keys.extend([255, 1001].map(|len| bytes(random.bytes(len))));
    keys.push(text("k".repeat(70_000)));
    keys
}
