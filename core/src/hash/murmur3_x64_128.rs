//! MurmurHash3 x64 128, by Austin Appleby, and Cassandra's variant of it.
//!
//! Spec: <https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp>; Cassandra's:
//! <https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/utils/MurmurHash.java>, whose tail
//! bytes are Java's signed bytes, widened with their sign.
//! Check value: SMHasher's verification value `0x6384BA69` (see the test); Cassandra's: byte `80` is
//! -5284281814142962636, where the textbook function gives 7017059463262962058.

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

#[inline]
fn fmix(mut k: u64) -> u64 {
    k = (k ^ (k >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    k = (k ^ (k >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

#[inline]
fn scramble1(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

#[inline]
fn scramble2(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

/// `widen` says what a tail byte is worth: the only thing that the two variants disagree on.
#[inline]
fn hash(bytes: &[u8], seed: u64, widen: impl Fn(u8) -> u64) -> [u64; 2] {
    let (mut h1, mut h2) = (seed, seed);
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let block = u128::from_le_bytes(*block);
        h1 ^= scramble1(block as u64);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= scramble2((block >> 64) as u64);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    // A byte that is widened with its sign also changes the bits above its own place: hence xor, not or.
    let word = |bytes: &[u8]| bytes.iter().enumerate().fold(0, |k, (i, byte)| k ^ widen(*byte) << (8 * i));
    if tail.len() > 8 {
        h2 ^= scramble2(word(&tail[8..]));
    }
    if !tail.is_empty() {
        h1 ^= scramble1(word(&tail[..tail.len().min(8)]));
    }
    let len = bytes.len() as u64;
    h1 ^= len;
    h2 ^= len;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    h1 = fmix(h1);
    h2 = fmix(h2);
    h1 = h1.wrapping_add(h2);
    [h1, h2.wrapping_add(h1)]
}

/// The textbook MurmurHash3 x64 128 of `bytes`: its two 64-bit halves. The spec's seed has 32 bits; callers with
/// 64-bit seeds exist.
///
/// ```
/// use keyfall_core::hash::murmur3_x64_128::murmur3_x64_128;
/// assert_eq!(murmur3_x64_128(&[0x80], 0)[0] as i64, 7017059463262962058);
/// ```
#[inline]
pub fn murmur3_x64_128(bytes: &[u8], seed: u64) -> [u64; 2] {
    hash(bytes, seed, u64::from)
}

/// Cassandra's MurmurHash3 x64 128: tail bytes are sign-extended.
///
/// ```
/// use keyfall_core::hash::murmur3_x64_128::murmur3_x64_128_signed_tail;
/// assert_eq!(murmur3_x64_128_signed_tail(&[0x80], 0)[0] as i64, -5284281814142962636);
/// ```
#[inline]
pub fn murmur3_x64_128_signed_tail(bytes: &[u8], seed: u64) -> [u64; 2] {
    hash(bytes, seed, |byte| byte as i8 as i64 as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn to_bytes([h1, h2]: [u64; 2]) -> [u8; 16] {
        (u128::from(h2) << 64 | u128::from(h1)).to_le_bytes()
    }

    /// SMHasher's `VerificationTest`: keys 0..n of lengths 0..=255, seed 256 - n, hashed together.
    #[test]
    fn smhasher_verification_value() {
        let hashes: Vec<u8> = (0..=255u8)
            .flat_map(|n| {
                let key: Vec<u8> = (0..n).collect();
                to_bytes(murmur3_x64_128(&key, 256 - u64::from(n)))
            })
            .collect();
        assert_eq!(murmur3_x64_128(&hashes, 0)[0] as u32, 0x6384_BA69);
    }

    proptest! {
        #[test]
        fn the_variants_agree_without_high_bits_in_the_tail(mut bytes: Vec<u8>, seed: u64) {
            let tail = bytes.len() / 16 * 16;
            bytes[tail..].iter_mut().for_each(|byte| *byte &= 0x7f);
            prop_assert_eq!(murmur3_x64_128(&bytes, seed), murmur3_x64_128_signed_tail(&bytes, seed));
        }
    }
}
