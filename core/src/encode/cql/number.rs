//! `varint` and `decimal`: integers of any length, in two's complement.
//!
//! Spec: <https://github.com/apache/cassandra/blob/trunk/doc/native_protocol_v5.spec>, sections 5.8 and 5.24.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::encode::composite::MAX_KEY;

/// The most digits of an integer that a key has room for: ten to this power has more than [`MAX_KEY`] bytes. The time
/// that the conversion takes is quadratic, so it has to end somewhere.
const MAX_DIGITS: usize = MAX_KEY * 5 / 2;

/// The integer has too many digits for any partition key.
#[derive(Debug, PartialEq)]
pub(super) struct TooLong;

/// Appends the shortest two's complement form, big-endian, of the integer with these decimal digits.
pub(super) fn varint(
    negative: bool,
    digits: impl Iterator<Item = u8> + Clone,
    out: &mut Vec<u8>,
) -> Result<(), TooLong> {
    let mut digits = digits.map(|digit| u64::from(digit - b'0')).skip_while(|digit| *digit == 0);
    let count = digits.clone().count();
    if count <= 38 {
        let magnitude = digits.fold(0, |n: u128, digit| n * 10 + u128::from(digit));
        let negative = negative && magnitude > 0;
        twos_complement(negative, &(magnitude - u128::from(negative)).to_be_bytes(), out);
        return Ok(());
    }
    if count > MAX_DIGITS {
        return Err(TooLong);
    }
    // As many digits a step as a limb holds; least significant limb first.
    let mut limbs: Vec<u64> = Vec::with_capacity(count / 19 + 1);
    let mut left = count;
    while left > 0 {
        let step = if left % 19 == 0 { 19 } else { left % 19 };
        left -= step;
        let mut carry = digits.by_ref().take(step).fold(0, |n, digit| n * 10 + digit);
        for limb in &mut limbs {
            let wide = u128::from(*limb) * u128::from(10u64.pow(step as u32)) + u128::from(carry);
            (*limb, carry) = (wide as u64, (wide >> 64) as u64);
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    if negative {
        for limb in &mut limbs {
            let borrow = *limb == 0;
            *limb = limb.wrapping_sub(1);
            if !borrow {
                break;
            }
        }
    }
    let bytes: Vec<u8> = limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect();
    twos_complement(negative, &bytes, out);
    Ok(())
}

/// Appends the shortest form of a non-negative integer's bytes, or of the negative integer `-1 - bytes`: its
/// complement.
pub(super) fn twos_complement(negative: bool, bytes: &[u8], out: &mut Vec<u8>) {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let bytes = &bytes[zeros..];
    let flip = if negative { 0xff } else { 0 };
    // The first bit is the sign's.
    if bytes.first().is_none_or(|byte| *byte >= 0x80) {
        out.push(flip);
    }
    out.extend(bytes.iter().map(|byte| byte ^ flip));
}

/// Whether an integer's bytes are below zero.
fn is_negative(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|byte| *byte >= 0x80)
}

/// By value, of two shortest forms.
pub(super) fn compare_varints(a: &[u8], b: &[u8]) -> Ordering {
    match (is_negative(a), is_negative(b)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (true, true) => b.len().cmp(&a.len()).then_with(|| a.cmp(b)),
        (false, false) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
    }
}

/// By value, of two serialized decimals: 1.0 and 1.00 are equal.
pub(super) fn compare_decimals(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (Decimal::of(a), Decimal::of(b));
    a.sign.cmp(&b.sign).then_with(|| {
        // Digits without trailing zeros compare like text once the first ones stand at the same place.
        let magnitudes = a.exponent.cmp(&b.exponent).then_with(|| a.digits.cmp(&b.digits));
        if a.sign < 0 { magnitudes.reverse() } else { magnitudes }
    })
}

/// `sign * 0.digits * 10^exponent`, the digits without zeros at either end; zero has none and exponent 0.
struct Decimal {
    sign: i8,
    exponent: i64,
    digits: Vec<u8>,
}

impl Decimal {
    fn of(bytes: &[u8]) -> Decimal {
        let (scale, unscaled) = bytes.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let negative = is_negative(unscaled);
        let mut digits = decimal_digits(unscaled);
        let exponent = digits.len() as i64 - i64::from(i32::from_be_bytes(*scale));
        let zeros = digits.iter().rev().take_while(|digit| **digit == 0).count();
        digits.truncate(digits.len() - zeros);
        if digits.is_empty() {
            return Decimal { sign: 0, exponent: 0, digits };
        }
        Decimal { sign: if negative { -1 } else { 1 }, exponent, digits }
    }
}

/// The decimal digits, as numbers and without leading zeros, of an integer's magnitude.
fn decimal_digits(bytes: &[u8]) -> Vec<u8> {
    const STEP: u64 = 1_000_000_000;
    let negative = is_negative(bytes);
    let flip = if negative { 0xff } else { 0 };
    // Most significant limb first.
    let mut limbs: Vec<u32> =
        bytes.rchunks(4).rev().map(|chunk| chunk.iter().fold(0, |n, byte| n << 8 | u32::from(byte ^ flip))).collect();
    if negative {
        // The magnitude is one more than the complement.
        let full = limbs.iter().rev().take_while(|limb| **limb == u32::MAX).count();
        let first = limbs.len() - full;
        limbs[first..].fill(0);
        // There is one: the sign's bit is clear in the complement's first limb.
        limbs[first - 1] += 1;
    }
    let mut digits = Vec::new();
    let mut top = 0;
    while top < limbs.len() {
        let mut rest = 0;
        for limb in &mut limbs[top..] {
            let wide = rest << 32 | u64::from(*limb);
            (*limb, rest) = ((wide / STEP) as u32, wide % STEP);
        }
        for _ in 0..9 {
            digits.push((rest % 10) as u8);
            rest /= 10;
        }
        top += limbs[top..].iter().take_while(|limb| **limb == 0).count();
    }
    let zeros = digits.iter().rev().take_while(|digit| **digit == 0).count();
    digits.truncate(digits.len() - zeros);
    digits.reverse();
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec;
    use proptest::prelude::*;

    fn bytes(text: &str) -> Vec<u8> {
        let digits = text.trim_start_matches('-');
        let mut out = Vec::new();
        varint(digits.len() < text.len(), digits.bytes(), &mut out).unwrap();
        out
    }

    fn text(bytes: &[u8]) -> String {
        let digits: String = decimal_digits(bytes).iter().map(|digit| char::from(b'0' + digit)).collect();
        match (digits.as_str(), is_negative(bytes)) {
            ("", _) => "0".into(),
            (digits, true) => format!("-{digits}"),
            (digits, false) => digits.into(),
        }
    }

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19.
    #[test]
    fn varints_of_the_server() {
        for (text, expect) in [
            ("0", &[0][..]),
            ("-0", &[0]),
            ("-1", &[0xff]),
            ("127", &[0x7f]),
            ("128", &[0, 0x80]),
            ("-128", &[0x80]),
            ("-129", &[0xff, 0x7f]),
            ("255", &[0, 0xff]),
            ("256", &[1, 0]),
            ("-256", &[0xff, 0]),
            ("00012", &[12]),
            ("340282366920938463463374607431768211456", &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ] {
            assert_eq!(bytes(text), expect, "{text}");
        }
    }

    /// Negative integers whose last limbs are zero, which random ones never are.
    #[test]
    fn whole_limbs_read_back() {
        for integer in ["-4294967296", "-18446744073709551616", "-340282366920938463463374607431768211456"] {
            assert_eq!(text(&bytes(integer)), integer);
        }
    }

    #[test]
    fn integers_that_no_key_has_room_for_are_not_converted() {
        // A digit is more than 3.32 bits.
        const { assert!(MAX_DIGITS * 332 / 800 > MAX_KEY) };
        let read = |digit, count| varint(false, core::iter::repeat_n(digit, count), &mut Vec::new());
        assert_eq!(read(b'1', MAX_DIGITS + 1), Err(TooLong));
        // Zeros in front do not count.
        assert_eq!(read(b'0', MAX_DIGITS + 1), Ok(()));
    }

    fn minimal(bytes: &[u8]) -> bool {
        match bytes {
            [] => false,
            [0, next, ..] => *next >= 0x80,
            [0xff, next, ..] => *next < 0x80,
            _ => true,
        }
    }

    proptest! {
        #[test]
        fn small_varints_are_the_integers_own_bytes(n: i128) {
            let bytes = bytes(&n.to_string());
            prop_assert!(minimal(&bytes));
            let mut wide = if n < 0 { vec![0xff; 17] } else { vec![0; 17] };
            let at = 17 - bytes.len();
            wide[at..].copy_from_slice(&bytes);
            prop_assert_eq!(&wide[1..], &n.to_be_bytes()[..]);
        }

        #[test]
        fn long_varints_are_minimal_and_read_back(text_in in "-?[1-9][0-9]{0,120}") {
            let bytes = bytes(&text_in);
            prop_assert!(minimal(&bytes));
            prop_assert_eq!(text(&bytes), text_in);
        }

        #[test]
        fn bytes_read_back(mut bytes_in in proptest::collection::vec(any::<u8>(), 1..60)) {
            while !minimal(&bytes_in) {
                bytes_in.remove(0);
            }
            prop_assert_eq!(bytes(&text(&bytes_in)), bytes_in);
        }

        #[test]
        fn varints_compare_by_value(a: i64, b: i64) {
            prop_assert_eq!(compare_varints(&bytes(&a.to_string()), &bytes(&b.to_string())), a.cmp(&b));
        }

        #[test]
        fn decimals_compare_by_value(a in -10_000i64..10_000, b in -10_000i64..10_000, s in 0i32..4, t in 0i32..4) {
            let decimal = |n: i64, scale: i32| {
                let mut out = scale.to_be_bytes().to_vec();
                out.extend(bytes(&n.to_string()));
                out
            };
            let value = |n: i64, scale: i32| n * 10i64.pow(4 - scale as u32);
            prop_assert_eq!(compare_decimals(&decimal(a, s), &decimal(b, t)), value(a, s).cmp(&value(b, t)));
        }
    }
}
