//! CRC-32 (ISO-HDLC, as in zlib): reflected polynomial `0xEDB88320`.
//!
//! Spec: <https://reveng.sourceforge.io/crc-catalogue/17plus.htm#crc.cat.crc-32-iso-hdlc>.
//! Check value: `"123456789"` is `0xCBF43926`.

/// CRC-32 of `bytes`, by `crc32fast`.
///
/// ```
/// use keyfall_core::hash::crc32::crc32;
/// assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
/// ```
#[inline]
pub fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// CRC-32 bit by bit, as the spec has it: what [`crc32`] is tested against.
///
/// ```
/// assert_eq!(keyfall_core::hash::crc32::crc32_plain(b"123456789"), 0xCBF4_3926);
/// ```
pub fn crc32_plain(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fast_is_plain(bytes: Vec<u8>) {
            prop_assert_eq!(crc32(&bytes), crc32_plain(&bytes));
        }
    }
}
