//! A murmur2 as JavaScript computes it when it is written with plain numbers: products are doubles that lose their low
//! bits above 2^53, bit operations wrap to 32 bits, and a block count of `length / 4` is fractional, so that a last,
//! incomplete block is hashed as a block and then once more as the tail.
//!
//! Spec: the rule of <https://github.com/tulios/kafkajs/issues/357>; the numbers are those of
//! <https://tc39.es/ecma262/#sec-toint32> and of IEEE 754 doubles.
//! Check value: `"100:48069"` with seed `0x9747b28c` is 1713501762, reported in that issue.

const M: f64 = 0x5bd1_e995_u32 as f64;

/// ECMAScript's ToInt32 of a number whose magnitude is below 2^63: the products here are below 2^62.
fn to_int32(number: f64) -> i32 {
    number as i64 as i32
}

fn shift_xor(h: f64, by: u32) -> f64 {
    let h = to_int32(h);
    f64::from(h ^ (h as u32 >> by) as i32)
}

/// murmur2 of `bytes` with `seed`, in floating point.
///
/// ```
/// use keyfall_core::hash::murmur2_float::murmur2_float;
/// assert_eq!(murmur2_float(b"100:48069", 0x9747_b28c), 1713501762);
/// ```
pub fn murmur2_float(bytes: &[u8], seed: u32) -> i32 {
    let byte = |i: usize| i32::from(bytes.get(i).copied().unwrap_or(0));
    let mut h = f64::from((seed ^ bytes.len() as u32) as i32);
    for i in (0..bytes.len()).step_by(4) {
        // The top byte's shift makes a negative number where its high bit is set; the sum is exact.
        let sum = f64::from(byte(i))
            + f64::from(byte(i + 1) << 8)
            + f64::from(byte(i + 2) << 16)
            + f64::from(byte(i + 3) << 24);
        let k = shift_xor(sum * M, 24) * M;
        h = f64::from(to_int32(h * M) ^ to_int32(k));
    }
    let tail = bytes.len() & !3;
    if tail < bytes.len() {
        let rest = (tail..bytes.len()).fold(0, |word, i| word | byte(i) << (8 * (i - tail)));
        h = f64::from(to_int32(h) ^ rest) * M;
    }
    h = shift_xor(h, 13) * M;
    to_int32(shift_xor(h, 15))
}
