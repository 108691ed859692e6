//! Java's hash codes of strings and byte arrays: `31 * h + x`, in 32 bits.
//!
//! Spec: <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/String.html#hashCode()> and
//! <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Arrays.html#hashCode(byte%5B%5D)>.
//! Check value: the spec's formula; `"ab"` is 97 * 31 + 98 = 3105.

/// `String.hashCode`, over UTF-16 code units.
///
/// ```
/// use keyfall_core::hash::java_hash_code::string_hash_code;
/// assert_eq!(string_hash_code("ab".encode_utf16()), 3105);
/// ```
#[inline]
pub fn string_hash_code(units: impl IntoIterator<Item = u16>) -> i32 {
    units.into_iter().fold(0i32, |h, unit| h.wrapping_mul(31).wrapping_add(unit.into()))
}

/// `Arrays.hashCode(byte[])`: it starts at 1, and bytes are signed.
///
/// ```
/// use keyfall_core::hash::java_hash_code::bytes_hash_code;
/// assert_eq!(bytes_hash_code(&[]), 1);
/// assert_eq!(bytes_hash_code(&[0xff]), 31 - 1);
/// ```
#[inline]
pub fn bytes_hash_code(bytes: &[u8]) -> i32 {
    bytes.iter().fold(1i32, |h, byte| h.wrapping_mul(31).wrapping_add((*byte as i8).into()))
}
