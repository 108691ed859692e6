//! xxHash, 32 bits, by Yann Collet.
//!
//! Spec: <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>.
//! Check value: `""` with seed 0 is `0x02CC5D05`, given by the spec's authors' reference implementation.

const P: [u32; 5] = [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D, 0x27D4_EB2F, 0x1656_67B1];

#[inline]
fn round(lane: u32, word: u32) -> u32 {
    lane.wrapping_add(word.wrapping_mul(P[1])).rotate_left(13).wrapping_mul(P[0])
}

/// xxHash32 of `bytes` with `seed`.
///
/// ```
/// use keyfall_core::hash::xxh32::xxh32;
/// assert_eq!(xxh32(b"", 0), 0x02CC_5D05);
/// ```
pub fn xxh32(bytes: &[u8], seed: u32) -> u32 {
    let (stripes, rest) = bytes.as_chunks::<16>();
    let mut h = if stripes.is_empty() {
        seed.wrapping_add(P[4])
    } else {
        let start = seed.wrapping_add(P[0]);
        let mut lanes = [start.wrapping_add(P[1]), seed.wrapping_add(P[1]), seed, seed.wrapping_sub(P[0])];
        for stripe in stripes {
            let (words, _) = stripe.as_chunks::<4>();
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = round(*lane, u32::from_le_bytes(*word));
            }
        }
        let turns = [1, 7, 12, 18];
        lanes.iter().zip(turns).fold(0u32, |h, (lane, turn)| h.wrapping_add(lane.rotate_left(turn)))
    };
    h = h.wrapping_add(bytes.len() as u32);
    let (words, tail) = rest.as_chunks::<4>();
    for word in words {
        h = h.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(P[2])).rotate_left(17).wrapping_mul(P[3]);
    }
    for byte in tail {
        h = h.wrapping_add(u32::from(*byte).wrapping_mul(P[4])).rotate_left(11).wrapping_mul(P[0]);
    }
    h = (h ^ (h >> 15)).wrapping_mul(P[1]);
    h = (h ^ (h >> 13)).wrapping_mul(P[2]);
    h ^ (h >> 16)
}
