//! MurmurHash2, 32 bits, by Austin Appleby.
//!
//! Spec: <https://github.com/aappleby/smhasher/blob/master/src/MurmurHash2.cpp>.
//! Check value: `"21"` with seed `0x9747b28c` is -973932308, published in Kafka's `UtilsTest.testMurmur2`.

const M: u32 = 0x5bd1_e995;

/// `widen` says what a tail byte is worth: the only thing that the two variants disagree on.
#[inline]
fn hash(bytes: &[u8], seed: u32, widen: impl Fn(u8) -> u32) -> u32 {
    let mut h = seed ^ bytes.len() as u32;
    let (blocks, tail) = bytes.as_chunks::<4>();
    for block in blocks {
        let mut k = u32::from_le_bytes(*block).wrapping_mul(M);
        k ^= k >> 24;
        h = h.wrapping_mul(M) ^ k.wrapping_mul(M);
    }
    if !tail.is_empty() {
        for (i, byte) in tail.iter().enumerate() {
            h ^= widen(*byte) << (8 * i);
        }
        h = h.wrapping_mul(M);
    }
    h ^= h >> 13;
    h = h.wrapping_mul(M);
    h ^ (h >> 15)
}

/// MurmurHash2 of `bytes` with `seed`.
///
/// ```
/// use keyfall_core::hash::murmur2::murmur2;
/// assert_eq!(murmur2(b"21", 0x9747_b28c) as i32, -973932308);
/// ```
#[inline]
pub fn murmur2(bytes: &[u8], seed: u32) -> u32 {
    hash(bytes, seed, u32::from)
}

/// MurmurHash2 as C code computes it that reads the tail through a `char *` where a char is signed: tail bytes are
/// sign-extended.
///
/// ```
/// use keyfall_core::hash::murmur2::{murmur2, murmur2_signed_tail};
/// assert_eq!(murmur2_signed_tail(b"ascii", 7), murmur2(b"ascii", 7));
/// assert_ne!(murmur2_signed_tail(&[0x80], 7), murmur2(&[0x80], 7));
/// ```
#[inline]
pub fn murmur2_signed_tail(bytes: &[u8], seed: u32) -> u32 {
    hash(bytes, seed, |byte| byte as i8 as i32 as u32)
}
