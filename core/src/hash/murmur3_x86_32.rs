//! MurmurHash3 x86 32, by Austin Appleby.
//!
//! Spec: <https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp>.
//! Check value: SMHasher's verification value `0xB0F57EE3` (see the test).

const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;

#[inline]
fn mix(h: u32, k: u32) -> u32 {
    (h ^ scramble(k)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

#[inline]
fn scramble(k: u32) -> u32 {
    k.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2)
}

#[inline]
fn finish(mut h: u32, len: u32) -> u32 {
    h ^= len;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// MurmurHash3 x86 32 of `bytes` with `seed`.
///
/// ```
/// use keyfall_core::hash::murmur3_x86_32::murmur3_x86_32;
/// assert_eq!(murmur3_x86_32(b"", 1), 0x514e_28b7);
/// ```
#[inline]
pub fn murmur3_x86_32(bytes: &[u8], seed: u32) -> u32 {
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut h = blocks.iter().fold(seed, |h, block| mix(h, u32::from_le_bytes(*block)));
    if !tail.is_empty() {
        let k = tail.iter().rev().fold(0, |k, byte| k << 8 | u32::from(*byte));
        h ^= scramble(k);
    }
    finish(h, bytes.len() as u32)
}

/// MurmurHash3 x86 32 over UTF-16 code units, two little-endian bytes each, without writing them down first.
///
/// ```
/// use keyfall_core::hash::murmur3_x86_32::{murmur3_x86_32, murmur3_x86_32_units};
/// assert_eq!(murmur3_x86_32_units("né".encode_utf16(), 0), murmur3_x86_32(b"n\0\xe9\0", 0));
/// ```
#[inline]
pub fn murmur3_x86_32_units(units: impl IntoIterator<Item = u16>, seed: u32) -> u32 {
    let mut units = units.into_iter();
    let (mut h, mut len) = (seed, 0u32);
    while let Some(low) = units.next() {
        match units.next() {
            Some(high) => {
                h = mix(h, u32::from(low) | u32::from(high) << 16);
                len = len.wrapping_add(4);
            }
            None => {
                h ^= scramble(low.into());
                len = len.wrapping_add(2);
            }
        }
    }
    finish(h, len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// SMHasher's `VerificationTest`: keys 0..n of lengths 0..=255, seed 256 - n, hashed together.
    #[test]
    fn smhasher_verification_value() {
        let hashes: Vec<u8> = (0..=255u8)
            .flat_map(|n| {
                let key: Vec<u8> = (0..n).collect();
                murmur3_x86_32(&key, 256 - u32::from(n)).to_le_bytes()
            })
            .collect();
        assert_eq!(murmur3_x86_32(&hashes, 0), 0xB0F5_7EE3);
    }

    proptest! {
        #[test]
        fn units_are_little_endian_bytes(units: Vec<u16>, seed: u32) {
            let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            prop_assert_eq!(murmur3_x86_32_units(units.iter().copied(), seed), murmur3_x86_32(&bytes, seed));
        }
    }
}
