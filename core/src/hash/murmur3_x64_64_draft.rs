//! An early draft of MurmurHash3 x64, cut to its first 64 bits: other start values, multipliers and rotations than the
//! published function, multipliers that change with each block, and tail bytes that are Java's signed bytes.
//!
//! Spec: <https://github.com/infinispan/infinispan/blob/main/commons/all/src/main/java/org/infinispan/commons/hash/MurmurHash3.java>
//! (`MurmurHash3_x64_64`), which others have copied.
//! Check value: byte `80` with seed 9001 is -7799890595751330603, by Debezium's copy of that class.

#[inline]
fn fmix(mut k: u64) -> u64 {
    k = (k ^ (k >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    k = (k ^ (k >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

/// The state between two blocks.
struct State {
    h: [u64; 2],
    c: [u64; 2],
}

impl State {
    #[inline]
    fn mix(&mut self, k1: u64, k2: u64) {
        let ([h1, h2], [c1, c2]) = (&mut self.h, &mut self.c);
        *h1 = (*h1 ^ k1.wrapping_mul(*c1).rotate_left(23).wrapping_mul(*c2)).wrapping_add(*h2);
        *h2 = h2.rotate_left(41);
        *h2 = (*h2 ^ k2.wrapping_mul(*c2).rotate_left(23).wrapping_mul(*c1)).wrapping_add(*h1);
        *h1 = h1.wrapping_mul(3).wrapping_add(0x52dc_e729);
        *h2 = h2.wrapping_mul(3).wrapping_add(0x3849_5ab5);
        *c1 = c1.wrapping_mul(5).wrapping_add(0x7b7d_159c);
        *c2 = c2.wrapping_mul(5).wrapping_add(0x6bce_6396);
    }
}

/// The first 64 bits of the draft. The seed is widened with its sign, as Java does.
///
/// ```
/// use keyfall_core::hash::murmur3_x64_64_draft::murmur3_x64_64_draft;
/// assert_eq!(murmur3_x64_64_draft(&[0x80], 9001) as i64, -7799890595751330603);
/// ```
#[inline]
pub fn murmur3_x64_64_draft(bytes: &[u8], seed: i32) -> u64 {
    let seed = seed as i64 as u64;
    let mut state = State {
        h: [0x9368_e53c_2f6a_f274 ^ seed, 0x586d_cd20_8f7c_d3fd ^ seed],
        c: [0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f],
    };
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        let block = u128::from_le_bytes(*block);
        state.mix(block as u64, (block >> 64) as u64);
    }
    if !tail.is_empty() {
        // A byte that is widened with its sign also changes the bits above its own place: hence xor, not or.
        let widen = |byte: u8| byte as i8 as i64 as u64;
        let word = |bytes: &[u8]| bytes.iter().enumerate().fold(0, |k, (i, byte)| k ^ widen(*byte) << (8 * i));
        let (first, second) = tail.split_at(tail.len().min(8));
        state.mix(word(first), word(second));
    }
    let [mut h1, mut h2] = state.h;
    h2 ^= bytes.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    fmix(h1).wrapping_add(fmix(h2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// As `MurmurHash3_x64_64` of debezium-core 3.4.0.Final says.
    #[test]
    fn values_of_the_class_that_was_copied() {
        for (key, seed, hash) in [
            ("", 9001, 382790725146443516),
            ("", 0, -7781342737886326986),
            ("", -1, -7674404019578773199),
            ("a", 9001, -4807114191796128249),
            ("0123456789abcdef", 9001, 115527693218944276),
            ("0123456789abcdefg", 0, -1871388256156595717),
            ("ключ", -1, 7605632532975522840),
        ] {
            assert_eq!(murmur3_x64_64_draft(key.as_bytes(), seed) as i64, hash, "{key:?}, seed {seed}");
        }
    }

    /// Keys 0..n of lengths 0..=255, seed 256 - n, summed up as `31 * sum + hash`: every tail and its signs.
    #[test]
    fn all_lengths_summed_up() {
        let sum = (0..=255u8).fold(0u64, |sum, n| {
            let key: Vec<u8> = (0..n).collect();
            sum.wrapping_mul(31).wrapping_add(murmur3_x64_64_draft(&key, 256 - i32::from(n)))
        });
        assert_eq!(sum as i64, -7360906267450881600);
    }
}
