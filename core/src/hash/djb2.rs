//! djb2, by Daniel J. Bernstein, with addition.
//!
//! Spec: <http://www.cse.yorku.ca/~oz/hash.html>.
//! Check value: of `"hello"` `261238937`, from the spec's own program.

/// djb2 over UTF-16 code units, in 32 bits: `h = 33 h + unit` from 5381 on. `h` is where it starts, so that several texts
/// can be hashed as one.
///
/// ```
/// use keyfall_core::hash::djb2::{djb2_units, START};
/// assert_eq!(djb2_units(START, "hello".encode_utf16()), 261238937);
/// ```
#[inline]
pub fn djb2_units(h: u32, units: impl IntoIterator<Item = u16>) -> u32 {
    units.into_iter().fold(h, |h, unit| h.wrapping_mul(33).wrapping_add(unit.into()))
}

/// The hash of the empty text.
pub const START: u32 = 5381;
