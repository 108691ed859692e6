//! A fixed number of slots, a power of two: the low bits of the hash.

/// The slot of `hash` among `slots`, a power of two.
///
/// ```
/// assert_eq!(keyfall_core::map::slots::slot(0xffff, 16384), 16383);
/// ```
#[inline]
pub fn slot(hash: u16, slots: u16) -> u16 {
    debug_assert!(slots.is_power_of_two());
    hash & (slots - 1)
}
