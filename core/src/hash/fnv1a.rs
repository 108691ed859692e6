//! FNV-1a, by Fowler, Noll and Vo.
//!
//! Spec: <https://www.rfc-editor.org/rfc/rfc9923>.
//! Check values: 32 bits of `""` `0x811c9dc5`, of `"foobar"` `0xbf9cf968`.

/// FNV-1a, 32 bits.
///
/// ```
/// use keyfall_core::hash::fnv1a::fnv1a_32;
/// assert_eq!(fnv1a_32(b""), 0x811c_9dc5);
/// assert_eq!(fnv1a_32(b"foobar"), 0xbf9c_f968);
/// ```
#[inline]
pub fn fnv1a_32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |h, byte| (h ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
