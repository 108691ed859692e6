const SEED: u32 = 0x9747_b28c;

pub fn partition(key: &[u8], partitions: u32) -> u32 {
    (murmur2(key) & 0x7fff_ffff) % partitions
}

fn murmur2(key: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut h = SEED ^ key.len() as u32;
    let words = key.chunks_exact(4);
    let tail = words.remainder();
    for word in words {
        let k = u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_mul(M);
        h = h.wrapping_mul(M) ^ (k ^ k >> 24).wrapping_mul(M);
    }
    if !tail.is_empty() {
        for (i, byte) in tail.iter().enumerate() {
            h ^= u32::from(*byte) << (8 * i);
        }
        h = h.wrapping_mul(M);
    }
    h = (h ^ h >> 13).wrapping_mul(M);
    h ^ h >> 15
}
