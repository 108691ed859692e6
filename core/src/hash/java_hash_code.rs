//! Java's hash codes: of strings, byte arrays and byte buffers `31 * h + x`, in 32 bits; of wide numbers both halves, xored.
//!
//! Spec: <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/String.html#hashCode()>,
//! <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Arrays.html#hashCode(byte%5B%5D)>,
//! <https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Long.html#hashCode(long)>; a byte buffer's is
//! unspecified: <https://github.com/openjdk/jdk/blob/jdk-17-ga/src/java.base/share/classes/java/nio/X-Buffer.java.template>.
//! Check value: the spec's formula; `"ab"` is 97 * 31 + 98 = 3105, as a byte buffer 4096 (Java 17 and 25).

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

/// `ByteBuffer.hashCode`: it starts at 1 and goes from the last byte to the first.
///
/// ```
/// use keyfall_core::hash::java_hash_code::byte_buffer_hash_code;
/// assert_eq!(byte_buffer_hash_code(b"ab"), 4096);
/// assert_eq!(byte_buffer_hash_code(&[0xff, 0x61, 0x62]), 126975);
/// ```
#[inline]
pub fn byte_buffer_hash_code(bytes: &[u8]) -> i32 {
    bytes.iter().rev().fold(1i32, |h, byte| h.wrapping_mul(31).wrapping_add((*byte as i8).into()))
}

/// `Long.hashCode`: both halves, xored.
///
/// ```
/// use keyfall_core::hash::java_hash_code::long_hash_code;
/// assert_eq!([long_hash_code(42), long_hash_code(-1), long_hash_code(1 << 32)], [42, 0, 1]);
/// ```
#[inline]
pub fn long_hash_code(n: i64) -> i32 {
    (n ^ n >> 32) as i32
}

/// `Float.hashCode`: its bits; every NaN is the one NaN.
#[inline]
pub fn float_hash_code(n: f32) -> i32 {
    if n.is_nan() { 0x7fc0_0000 } else { n.to_bits() as i32 }
}

/// `Double.hashCode`: both halves of its bits, xored; every NaN is the one NaN.
#[inline]
pub fn double_hash_code(n: f64) -> i32 {
    long_hash_code(if n.is_nan() { 0x7ff8_0000_0000_0000 } else { n.to_bits() as i64 })
}

/// `Boolean.hashCode`.
#[inline]
pub fn boolean_hash_code(value: bool) -> i32 {
    if value { 1231 } else { 1237 }
}
