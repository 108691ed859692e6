//! Modulo, in the ways that clients have of making a signed hash fit. `n` is at least 1 and below 2^31.

/// `hash % n`, unsigned.
///
/// ```
/// assert_eq!(keyfall_core::map::modulo::unsigned(u32::MAX, 12), 3);
/// ```
#[inline]
pub fn unsigned(hash: u32, n: u32) -> u32 {
    hash % n
}

/// `(hash & 0x7fffffff) % n`: the sign bit is cleared, which is not the absolute value.
///
/// ```
/// assert_eq!(keyfall_core::map::modulo::masked(-1, 12), 7);
/// ```
#[inline]
pub fn masked(hash: i32, n: u32) -> u32 {
    (hash as u32 & 0x7fff_ffff) % n
}

/// `abs(hash % n)`: the remainder of a signed division, made positive. Equals `abs(hash) % n`, for INT_MIN too if that
/// absolute value is taken as 2^31.
///
/// ```
/// assert_eq!(keyfall_core::map::modulo::abs_of_remainder(-14, 12), 2);
/// ```
#[inline]
pub fn abs_of_remainder(hash: i32, n: u32) -> u32 {
    hash.unsigned_abs() % n
}

/// `hash` modulo `n`, floored: never negative.
///
/// ```
/// assert_eq!(keyfall_core::map::modulo::floored(-14, 12), 10);
/// ```
#[inline]
pub fn floored(hash: i32, n: u32) -> u32 {
    // 64 bits: n can be a u32 that no i32 holds.
    i64::from(hash).rem_euclid(i64::from(n)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_are_below_n(hash: i32, n in 1..=i32::MAX as u32) {
            for place in [unsigned(hash as u32, n), masked(hash, n), abs_of_remainder(hash, n), floored(hash, n)] {
                prop_assert!(place < n);
            }
        }

        #[test]
        fn abs_of_remainder_is_what_its_name_says(hash: i32, n in 1..=i32::MAX) {
            prop_assert_eq!(abs_of_remainder(hash, n as u32), (hash % n).unsigned_abs());
        }

        #[test]
        fn masked_and_unsigned_agree_on_powers_of_two(hash: i32, bits in 0..=30u32) {
            prop_assert_eq!(masked(hash, 1 << bits), unsigned(hash as u32, 1 << bits));
        }
    }
}
