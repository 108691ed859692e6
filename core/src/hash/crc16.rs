//! CRC-16/XMODEM: polynomial `0x1021`, initial value 0, not reflected.
//!
//! Spec: <https://reveng.sourceforge.io/crc-catalogue/16.htm#crc.cat.crc-16-xmodem>; Redis names it in its cluster
//! specification, <https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#appendix-a-crc16-reference-implementation-in-ansi-c>.
//! Check value: `"123456789"` is `0x31C3`.

/// `TABLES[k]`: what a byte does to the register that `k` more bytes shift after it.
static TABLES: [[u16; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = shift((byte as u16) << 8);
        let mut k = 0;
        while k < 8 {
            tables[k][byte] = crc;
            crc = shift(crc);
            k += 1;
        }
        byte += 1;
    }
    tables
};

/// Eight steps of the register.
const fn shift(mut crc: u16) -> u16 {
    let mut bit = 0;
    while bit < 8 {
        crc = if crc & 0x8000 != 0 { crc << 1 ^ 0x1021 } else { crc << 1 };
        bit += 1;
    }
    crc
}

/// CRC-16/XMODEM of `bytes`, by tables, eight bytes at a time.
///
/// ```
/// use keyfall_core::hash::crc16::crc16_xmodem;
/// assert_eq!(crc16_xmodem(b"123456789"), 0x31C3);
/// ```
#[inline]
pub fn crc16_xmodem(bytes: &[u8]) -> u16 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let crc = eights.iter().fold(0, |crc: u16, [a, b, c, d, e, f, g, h]| {
        let [high, low] = crc.to_be_bytes();
        TABLES[7][usize::from(a ^ high)]
            ^ TABLES[6][usize::from(b ^ low)]
            ^ TABLES[5][usize::from(*c)]
            ^ TABLES[4][usize::from(*d)]
            ^ TABLES[3][usize::from(*e)]
            ^ TABLES[2][usize::from(*f)]
            ^ TABLES[1][usize::from(*g)]
            ^ TABLES[0][usize::from(*h)]
    });
    rest.iter().fold(crc, |crc, byte| crc << 8 ^ TABLES[0][usize::from((crc >> 8) as u8 ^ byte)])
}

/// CRC-16/XMODEM bit by bit, as the spec has it: what [`crc16_xmodem`] is tested against.
///
/// ```
/// assert_eq!(keyfall_core::hash::crc16::crc16_xmodem_plain(b"123456789"), 0x31C3);
/// ```
pub fn crc16_xmodem_plain(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| shift(crc ^ u16::from(*byte) << 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tables_are_plain(bytes: Vec<u8>) {
            prop_assert_eq!(crc16_xmodem(&bytes), crc16_xmodem_plain(&bytes));
        }
    }
}
