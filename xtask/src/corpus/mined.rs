//! Keys mined so that their hash is at an end of its range: INT_MIN, -1, 0, INT_MAX. They are kept as data, since the
//! search for them takes minutes; core's hashes choose them, and the oracles alone say where they fall.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use keyfall_core::OwnedKey;
use keyfall_core::hash::java_hash_code::string_hash_code;
use keyfall_core::hash::xxh32::xxh32;
use keyfall_core::hash::{crc16, crc32, fnv1a, murmur2, murmur3_x64_64_draft, murmur3_x64_128, murmur3_x86_32};
use keyfall_core::wire::{KeyJson, parse_key};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A 32-bit hash over ASCII text, and the values that are looked for.
struct Target {
    name: &'static str,
    hash: fn(&[u8]) -> u32,
    values: &'static [u32],
}

const ENDS: &[u32] = &[0x8000_0000, 0xffff_ffff, 0, 0x7fff_ffff];

/// The one that is inverted.
const MURMUR3: &str = "murmur3-x64-128";

const TARGETS: &[Target] = &[
    Target { name: "murmur2-9747b28c", hash: |key| murmur2::murmur2(key, 0x9747_b28c), values: ENDS },
    Target { name: "fnv1a-32", hash: fnv1a::fnv1a_32, values: ENDS },
    Target { name: "crc32", hash: crc32::crc32, values: ENDS },
    Target { name: "xxh32", hash: |key| xxh32(key, 0), values: ENDS },
    Target {
        name: "java-hash-code",
        hash: |key| string_hash_code(key.iter().map(|byte| u16::from(*byte))) as u32,
        values: ENDS,
    },
    Target {
        name: "murmur3-x86-32-utf16",
        hash: |key| murmur3_x86_32::murmur3_x86_32_units(key.iter().map(|byte| u16::from(*byte)), 0),
        values: ENDS,
    },
    Target {
        name: "murmur3-x64-64-draft",
        hash: |key| (murmur3_x64_64_draft::murmur3_x64_64_draft(key, 9001) >> 32) as u32,
        values: ENDS,
    },
    // The ends of the slots, with and without the bits above them.
    Target {
        name: "crc16-xmodem",
        hash: |key| crc16::crc16_xmodem(key).into(),
        values: &[0, 0x3fff, 0x4000, 0x7fff, 0x8000, 0xffff],
    },
];

/// A line of the file.
#[derive(Deserialize)]
struct Row<'a> {
    hash_function: String,
    hash: String,
    #[serde(borrow)]
    key: &'a RawValue,
}

/// The mined keys: hash function, hash, key.
pub(crate) struct Mined(Vec<(String, i64, OwnedKey)>);

impl Mined {
    fn file() -> PathBuf {
        crate::root().join("vectors/corpus/mined.jsonl")
    }

    pub(crate) fn load() -> anyhow::Result<Mined> {
        let file = Mined::file();
        let text = fs::read_to_string(&file)
            .with_context(|| format!("{}: `cargo xtask vectors mine` writes it", file.display()))?;
        let rows = text.lines().map(|line| {
            let row: Row<'_> = serde_json::from_str(line)?;
            Ok((row.hash_function, row.hash.parse()?, parse_key(row.key.get())?))
        });
        Ok(Mined(rows.collect::<anyhow::Result<_>>()?))
    }

    /// The keys mined for a hash function.
    pub(super) fn keys(&self, hash_function: &str) -> Vec<OwnedKey> {
        self.0.iter().filter(|(name, ..)| name == hash_function).map(|(.., key)| key.clone()).collect()
    }

    /// Finds the keys that the file does not have yet, and writes it.
    pub(crate) fn mine() -> anyhow::Result<()> {
        let mut mined = Mined::load().unwrap_or(Mined(Vec::new()));
        for target in TARGETS {
            let missing: Vec<u32> = target
                .values
                .iter()
                .copied()
                .filter(|value| !mined.has(target.name, i64::from(*value as i32)))
                .collect();
            for (value, key) in search(target.hash, &missing) {
                mined.0.push((target.name.into(), (value as i32).into(), OwnedKey::Text(key)));
            }
        }
        for value in [i64::MIN, -1, 0, i64::MAX] {
            if !mined.has(MURMUR3, value) {
                mined.0.push((MURMUR3.into(), value, OwnedKey::Text(invert_murmur3_x64_128(value))));
            }
        }
        let mut out = String::new();
        for (name, hash, key) in &mined.0 {
            let key = key.with(|key| KeyJson(key).to_string());
            writeln!(out, r#"{{"hash_function": "{name}", "hash": "{hash}", "key": {key}}}"#)?;
        }
        fs::create_dir_all(Mined::file().parent().expect("it is in a folder"))?;
        fs::write(Mined::file(), out)?;
        Ok(())
    }

    fn has(&self, hash_function: &str, hash: i64) -> bool {
        self.0.iter().any(|(name, h, _)| name == hash_function && *h == hash)
    }
}

/// The first `key-N` for each of the values.
fn search(hash: fn(&[u8]) -> u32, values: &[u32]) -> Vec<(u32, String)> {
    let mut found: Vec<Option<String>> = vec![None; values.len()];
    let mut key = b"key-0".to_vec();
    while found.contains(&None) {
        let got = hash(&key);
        if let Some(at) = values.iter().position(|value| *value == got)
            && found[at].is_none()
        {
            found[at] = Some(String::from_utf8_lossy(&key).into_owned());
        }
        count_up(&mut key);
    }
    values.iter().copied().zip(found.into_iter().flatten()).collect()
}

/// The next number after the dash.
fn count_up(key: &mut Vec<u8>) {
    for digit in key.iter_mut().rev() {
        match digit {
            b'9' => *digit = b'0',
            b'-' => break,
            _ => {
                *digit += 1;
                return;
            }
        }
    }
    key.insert(b"key-".len(), b'1');
}

/// A key of 16 printable characters whose first 64 bits of MurmurHash3 x64 128, seed 0, are `value`: the function is
/// inverted from there and any second half, until the bytes are printable.
fn invert_murmur3_x64_128(value: i64) -> String {
    const LEN: u64 = 16;
    let inverse = |odd: u64| (0..6).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
    let (c1, c2) = (inverse(0x87c3_7b91_1142_53d5), inverse(0x4cf5_ad43_2745_937f));
    let (f1, f2, fifth) = (inverse(0xff51_afd7_ed55_8ccd), inverse(0xc4ce_b9fe_1a85_ec53), inverse(5));
    let unmix = |k: u64| {
        let k = (k ^ (k >> 33)).wrapping_mul(f2);
        let k = (k ^ (k >> 33)).wrapping_mul(f1);
        k ^ (k >> 33)
    };
    for second in 0u64.. {
        let second = second.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let (h1, h2) = (unmix((value as u64).wrapping_sub(second)), unmix(second));
        let h2 = h2.wrapping_sub(h1);
        let h1 = h1.wrapping_sub(h2) ^ LEN;
        let h2 = h2 ^ LEN;
        let h2 = h2.wrapping_sub(0x3849_5ab5).wrapping_mul(fifth).wrapping_sub(h1).rotate_right(31);
        let h1 = h1.wrapping_sub(0x52dc_e729).wrapping_mul(fifth).rotate_right(27);
        let k1 = h1.wrapping_mul(c2).rotate_right(31).wrapping_mul(c1);
        let k2 = h2.wrapping_mul(c1).rotate_right(33).wrapping_mul(c2);
        let key = [k1.to_le_bytes(), k2.to_le_bytes()].concat();
        if key.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/".contains(byte)) {
            debug_assert_eq!(murmur3_x64_128::murmur3_x64_128(&key, 0)[0] as i64, value);
            return String::from_utf8_lossy(&key).into_owned();
        }
    }
    unreachable!("2^64 tries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_up() {
        let mut key = b"key-8".to_vec();
        count_up(&mut key);
        assert_eq!(key, b"key-9");
        count_up(&mut key);
        assert_eq!(key, b"key-10");
        let mut key = b"key-199".to_vec();
        count_up(&mut key);
        assert_eq!(key, b"key-200");
    }

    #[test]
    fn what_was_mined_has_the_hash_that_it_is_kept_for() {
        for (name, hash, key) in Mined::load().unwrap().0 {
            let OwnedKey::Text(key) = key else { panic!("{key:?}") };
            let got = match TARGETS.iter().find(|target| target.name == name) {
                Some(target) => i64::from((target.hash)(key.as_bytes()) as i32),
                None => murmur3_x64_128::murmur3_x64_128(key.as_bytes(), 0)[0] as i64,
            };
            assert_eq!(got, hash, "{name}: {key}");
        }
    }
}
