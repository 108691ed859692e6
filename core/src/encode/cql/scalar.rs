//! Values without parts: text or an integer -> bytes.
//!
//! Spec: <https://github.com/apache/cassandra/blob/trunk/doc/native_protocol_v5.spec>, section 5.

use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};
use core::str::FromStr;

use super::number::{self, TooLong};
use super::time;
use super::types::Scalar;

/// Why a text is no value of its type.
#[derive(Debug, PartialEq)]
pub(super) enum Bad {
    /// It is not; this is what is allowed.
    Not(&'static str),
    /// No partition key has room for it.
    TooLong,
}

impl From<TooLong> for Bad {
    fn from(_: TooLong) -> Self {
        Bad::TooLong
    }
}

/// What values of a type look like, as messages say it.
fn allowed(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Ascii => "characters from U+0000 to U+007F",
        Scalar::BigInt => "a whole number from -9223372036854775808 to 9223372036854775807",
        Scalar::Blob => "0x and an even number of hex digits",
        Scalar::Boolean => "true or false",
        Scalar::Date => {
            "yyyy-mm-dd from -5877641-06-23 to +5881580-07-11 (years beyond 9999 have a plus), \
             or the day as a number from 0 to 4294967295 (2147483648 is 1970-01-01)"
        }
        Scalar::Decimal => "a decimal number such as 1.50 or -1e3, whose exponent and scale have 32 bits",
        Scalar::Double | Scalar::Float => {
            "a decimal number that a double has room for, such as 1.5 or -1e3, NaN, Infinity or -Infinity"
        }
        Scalar::Inet => "an IPv4 or IPv6 address (host names are not looked up)",
        Scalar::Int => "a whole number from -2147483648 to 2147483647",
        Scalar::SmallInt => "a whole number from -32768 to 32767",
        Scalar::Text => "text",
        Scalar::Time => "hh:mm:ss[.fffffffff], or the nanoseconds as a number from 0 to 86399999999999",
        Scalar::Timestamp => {
            "yyyy-mm-dd[ hh:mm[:ss[.fff]]], perhaps with Z, +hhmm or +hh:mm, \
             or the milliseconds as a number of 64 bits (other names of zones are not known here)"
        }
        Scalar::TimeUuid => "32 hex digits in groups of 8-4-4-4-12, the third group beginning with 1 (version 1)",
        Scalar::TinyInt => "a whole number from -128 to 127",
        Scalar::Uuid => "32 hex digits in groups of 8-4-4-4-12",
        Scalar::Varint => "a whole number",
    }
}

/// Appends the bytes of a value that is given as text.
pub(super) fn text(scalar: Scalar, text: &str, out: &mut Vec<u8>) -> Result<(), Bad> {
    let bad = || Bad::Not(allowed(scalar));
    match scalar {
        Scalar::Text => out.extend_from_slice(text.as_bytes()),
        Scalar::Ascii if text.is_ascii() => out.extend_from_slice(text.as_bytes()),
        Scalar::Ascii => return Err(bad()),
        Scalar::TinyInt | Scalar::SmallInt | Scalar::Int | Scalar::BigInt => {
            // The server takes no plus.
            let n = if text.starts_with('+') { None } else { text.parse().ok() };
            return int(scalar, n.ok_or_else(bad)?, out);
        }
        Scalar::Varint if time::is_integer(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            number::varint(digits.len() < text.len(), digits.bytes(), out)?;
        }
        Scalar::Varint => return Err(bad()),
        Scalar::Decimal => {
            let Number { negative, whole, fraction, exponent } = number(text).ok_or_else(bad)?;
            let exponent = exponent.ok_or_else(bad)?;
            let scale = fraction.len() as i64 - i64::from(exponent);
            out.extend_from_slice(&i32::try_from(scale).map_err(|_| bad())?.to_be_bytes());
            number::varint(negative, whole.bytes().chain(fraction.bytes()), out)?;
        }
        // Java has one NaN, and drops its sign.
        Scalar::Float => {
            let special = [f32::from_bits(0x7fc0_0000), f32::INFINITY, f32::NEG_INFINITY];
            out.extend_from_slice(&float(text, special).ok_or_else(bad)?.to_be_bytes());
        }
        Scalar::Double => {
            let special = [f64::from_bits(0x7ff8_0000_0000_0000), f64::INFINITY, f64::NEG_INFINITY];
            out.extend_from_slice(&float(text, special).ok_or_else(bad)?.to_be_bytes());
        }
        Scalar::Boolean => out.push(match () {
            () if text.eq_ignore_ascii_case("true") => 1,
            () if text.eq_ignore_ascii_case("false") => 0,
            () => return Err(bad()),
        }),
        Scalar::Uuid => out.extend_from_slice(&uuid(text).ok_or_else(bad)?),
        Scalar::TimeUuid => {
            let uuid = uuid(text).filter(|uuid| uuid[6] >> 4 == 1);
            out.extend_from_slice(&uuid.ok_or_else(bad)?);
        }
        Scalar::Blob => {
            let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).ok_or_else(bad)?;
            let (pairs, []) = digits.as_bytes().as_chunks::<2>() else { return Err(bad()) };
            for pair in pairs {
                out.push(hex(*pair).ok_or_else(bad)?);
            }
        }
        // The empty text is the empty value.
        Scalar::Inet | Scalar::Timestamp if text.is_empty() => {}
        Scalar::Inet => inet(text, out).ok_or_else(bad)?,
        Scalar::Date => out.extend_from_slice(&time::date(text).ok_or_else(bad)?.to_be_bytes()),
        Scalar::Time => out.extend_from_slice(&time::time(text).ok_or_else(bad)?.to_be_bytes()),
        Scalar::Timestamp => out.extend_from_slice(&time::timestamp(text).ok_or_else(bad)?.to_be_bytes()),
    }
    Ok(())
}

/// Appends the bytes of a value that is given as an integer: what its decimal text would give.
#[inline]
pub(super) fn int(scalar: Scalar, n: i64, out: &mut Vec<u8>) -> Result<(), Bad> {
    fn within<T: TryFrom<i64>>(scalar: Scalar, n: i64) -> Result<T, Bad> {
        T::try_from(n).map_err(|_| Bad::Not(allowed(scalar)))
    }
    match scalar {
        Scalar::TinyInt => out.extend_from_slice(&within::<i8>(scalar, n)?.to_be_bytes()),
        Scalar::SmallInt => out.extend_from_slice(&within::<i16>(scalar, n)?.to_be_bytes()),
        Scalar::Int => out.extend_from_slice(&within::<i32>(scalar, n)?.to_be_bytes()),
        Scalar::BigInt | Scalar::Timestamp => out.extend_from_slice(&n.to_be_bytes()),
        Scalar::Date => out.extend_from_slice(&within::<u32>(scalar, n)?.to_be_bytes()),
        Scalar::Time if (0..time::DAY).contains(&n) => out.extend_from_slice(&n.to_be_bytes()),
        Scalar::Varint | Scalar::Decimal => {
            if scalar == Scalar::Decimal {
                out.extend_from_slice(&[0; 4]);
            }
            // The complement of a negative integer's bytes is that of `-1 - n`.
            number::twos_complement(n < 0, &(if n < 0 { !n } else { n }).to_be_bytes(), out);
        }
        Scalar::Float => out.extend_from_slice(&(n as f32).to_be_bytes()),
        Scalar::Double => out.extend_from_slice(&(n as f64).to_be_bytes()),
        _ => return Err(Bad::Not(allowed(scalar))),
    }
    Ok(())
}

/// The parts of CQL's number: an integer, perhaps with a point and digits after it, perhaps with an exponent.
struct Number<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    /// None where it is none that fits.
    exponent: Option<i32>,
}

fn number(text: &str) -> Option<Number<'_>> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()),
        None => (unsigned, Some(0)),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let negative = unsigned.len() < text.len();
    (!whole.is_empty() && digits(whole) && digits(fraction)).then_some(Number { negative, whole, fraction, exponent })
}

/// A float, given its type's NaN and infinities. Finite literals round to the nearest, which beyond the largest float is
/// Infinity; but a literal that a double has no room for is no number since 4.0, of a float neither.
fn float<F: FromStr>(text: &str, [nan, infinity, minus_infinity]: [F; 3]) -> Option<F> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if unsigned.eq_ignore_ascii_case("nan") {
        return Some(nan);
    }
    if unsigned.eq_ignore_ascii_case("infinity") {
        return Some(if unsigned.len() < text.len() { minus_infinity } else { infinity });
    }
    number(text)?;
    text.parse::<f64>().ok().filter(|n| n.is_finite())?;
    text.parse().ok()
}

fn hex(pair: [u8; 2]) -> Option<u8> {
    let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
    Some((high? << 4 | low?) as u8)
}

fn uuid(text: &str) -> Option<[u8; 16]> {
    let text = text.as_bytes();
    if text.len() != 36 || [8, 13, 18, 23].iter().any(|at| text[*at] != b'-') {
        return None;
    }
    let mut uuid = [0; 16];
    let starts = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
    for (byte, at) in uuid.iter_mut().zip(starts) {
        *byte = hex([text[at], text[at + 1]])?;
    }
    Some(uuid)
}

/// Four bytes for IPv4, also where it is mapped into IPv6 (`::ffff:1.2.3.4`): Java's `InetAddress` makes it IPv4.
fn inet(text: &str, out: &mut Vec<u8>) -> Option<()> {
    if let Some(v4) = ipv4(text) {
        out.extend_from_slice(&v4);
    } else {
        let v6: Ipv6Addr = text.parse().ok()?;
        match v6.to_ipv4_mapped() {
            Some(v4) => out.extend_from_slice(&v4.octets()),
            None => out.extend_from_slice(&v6.octets()),
        }
    }
    Some(())
}

/// One to four decimal parts, each a byte but the last, which fills what is left: `1.2` is `1.0.0.2`. Zeros in front do
/// not make it octal.
fn ipv4(text: &str) -> Option<[u8; 4]> {
    if text.len() > 15 {
        return None;
    }
    let parts = text.split('.').count() as u32;
    let mut address = 0u64;
    for (i, part) in (1..).zip(text.split('.')) {
        if !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let n: u64 = part.parse().ok()?;
        let bits = if i < parts { 8 } else { 8 * 5u32.checked_sub(parts)? };
        address = address.checked_shl(bits).filter(|_| n >> bits == 0)? | n;
    }
    Some(Ipv4Addr::from_bits(address as u32).octets())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use core::fmt::Write;
    use proptest::prelude::*;

    fn bytes(scalar: Scalar, value: &str) -> Result<String, Bad> {
        let mut out = Vec::new();
        text(scalar, value, &mut out)?;
        let mut hex = String::new();
        out.iter().for_each(|byte| write!(hex, "{byte:02x}").unwrap());
        Ok(hex)
    }

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19 (`nan` and `infinity` in other cases: from 4.0).
    #[test]
    fn values_of_the_server() {
        use Scalar::*;
        for (scalar, value, expect) in [
            (Int, "-1", "ffffffff"),
            (Int, "01", "00000001"),
            (Int, "-0", "00000000"),
            (BigInt, "9223372036854775807", "7fffffffffffffff"),
            (SmallInt, "-32768", "8000"),
            (TinyInt, "127", "7f"),
            (Varint, "-129", "ff7f"),
            (Decimal, "0", "0000000000"),
            (Decimal, "1.0", "000000010a"),
            (Decimal, "1.00", "0000000264"),
            (Decimal, "-1.5", "00000001f1"),
            (Decimal, "1e3", "fffffffd01"),
            (Decimal, "1E+3", "fffffffd01"),
            (Decimal, "1.0e-3", "000000040a"),
            (Decimal, "-0", "0000000000"),
            (Decimal, "0e5", "fffffffb00"),
            (Decimal, "1.", "0000000001"),
            (Decimal, "00.50", "0000000232"),
            (Decimal, "123456789012345678901234567890.123", "0000000306163e665beb7ca6a2e1a64244cb"),
            (Decimal, "1e2147483647", "8000000101"),
            (Decimal, "1e-2147483647", "7fffffff01"),
            (Float, "-0", "80000000"),
            (Float, "nan", "7fc00000"),
            (Float, "-NaN", "7fc00000"),
            (Float, "-infinity", "ff800000"),
            (Float, "1e39", "7f800000"),
            (Float, "1e-46", "00000000"),
            (Float, "3.4028235e38", "7f7fffff"),
            (Float, "16777217", "4b800000"),
            (Float, "1.17549435E-38", "00800000"),
            (Double, "0.1", "3fb999999999999a"),
            (Double, "4.9e-324", "0000000000000001"),
            (Double, "NaN", "7ff8000000000000"),
            (Double, "123456789012345678901234567890", "45f8ee90ff6c373e"),
            (Boolean, "tRuE", "01"),
            (Boolean, "false", "00"),
            (Uuid, "123E4567-E89B-12D3-A456-426614174000", "123e4567e89b12d3a456426614174000"),
            (TimeUuid, "123e4567-e89b-12d3-0456-426614174000", "123e4567e89b12d30456426614174000"),
            (Blob, "0x", ""),
            (Blob, "0X00aF", "00af"),
            (Ascii, "\u{7f}", "7f"),
            (Text, "😀", "f09f9880"),
            (Inet, "", ""),
            (Inet, "127.0.0.1", "7f000001"),
            (Inet, "010.0.0.1", "0a000001"),
            (Inet, "1.2.3", "01020003"),
            (Inet, "1.65536", "01010000"),
            (Inet, "1", "00000001"),
            (Inet, "4294967295", "ffffffff"),
            (Inet, "::", "00000000000000000000000000000000"),
            (Inet, "::ffff:1.2.3.4", "01020304"),
            (Inet, "::ffff:102:304", "01020304"),
            (Inet, "::1.2.3.4", "00000000000000000000000001020304"),
            (Inet, "2001:DB8::8", "20010db8000000000000000000000008"),
            (Timestamp, "", ""),
        ] {
            assert_eq!(bytes(scalar, value).as_deref(), Ok(expect), "{scalar:?} {value:?}");
        }
    }

    /// Refused by cassandra-all 5.0.9, 4.1.10 and 4.0.19; all but 1e309 by 3.11.19 too.
    #[test]
    fn what_is_no_value() {
        use Scalar::*;
        for (scalar, value) in [
            (Int, "2147483648"),
            (Int, "+1"),
            (Int, "1.0"),
            (Int, ""),
            (Int, "0x01"),
            (Int, "--1"),
            (BigInt, "9223372036854775808"),
            (TinyInt, "128"),
            (Varint, "1.0"),
            (Varint, "-"),
            (Varint, ""),
            (Decimal, ".5"),
            (Decimal, "+1"),
            (Decimal, "1e"),
            (Decimal, "1e+"),
            (Decimal, "1e+-5"),
            (Decimal, "NaN"),
            (Decimal, "1e2147483648"),
            (Decimal, "1e-2147483648"),
            (Decimal, "0.1e-2147483647"),
            (Decimal, "1e99999999999999999999"),
            (Float, "1f"),
            (Float, "inf"),
            (Float, "+1"),
            (Float, "1e400"),
            (Float, "1e+-5"),
            (Double, "1e309"),
            (Double, "0x1"),
            (Double, ""),
            (Boolean, "1"),
            (Boolean, "t"),
            (Uuid, "123e4567e89b12d3a456426614174000"),
            (Uuid, "123e4567-e89b-12d3-a456-42661417400"),
            (Uuid, "123e4567-e89b-12d3-a456-42661417400g"),
            (Uuid, "123e4567-e89b-12d3-a456-4266141740é"),
            (TimeUuid, "123e4567-e89b-42d3-a456-426614174000"),
            (Blob, "0x0"),
            (Blob, "00"),
            (Blob, "0x0g"),
            (Blob, ""),
            (Ascii, "é"),
            (Inet, "256.0.0.1"),
            (Inet, "1.2.65536"),
            (Inet, "1.2.3."),
            (Inet, "1..2"),
            (Inet, "4294967296"),
            (Inet, "1.2.3.4.5"),
            (Inet, "1.2.3.4 "),
            (Inet, "1.2.3.+4"),
            (Inet, "0x01020304"),
            (Inet, "::ffff:1.2.3"),
            (Inet, "1::2::3"),
            (Inet, "example.com"),
        ] {
            assert_eq!(bytes(scalar, value), Err(Bad::Not(allowed(scalar))), "{scalar:?} {value:?}");
        }
    }

    #[test]
    fn integers_of_columns_are_in_range() {
        let mut out = Vec::new();
        for (scalar, n) in [
            (Scalar::TinyInt, 128),
            (Scalar::SmallInt, -32769),
            (Scalar::Int, 1 << 31),
            (Scalar::Date, -1),
            (Scalar::Date, 1 << 32),
            (Scalar::Time, time::DAY),
            (Scalar::Time, -1),
            (Scalar::Text, 1),
            (Scalar::Boolean, 1),
            (Scalar::Uuid, 1),
        ] {
            assert_eq!(int(scalar, n, &mut out), Err(Bad::Not(allowed(scalar))), "{scalar:?} {n}");
        }
    }

    proptest! {
        #[test]
        fn an_integer_is_its_text(n: i64, small in -200i64..200) {
            use Scalar::*;
            for scalar in [TinyInt, SmallInt, Int, BigInt, Varint, Decimal, Float, Double, Date, Time, Timestamp] {
                for n in [n, small, 0] {
                    let (mut from_int, mut from_text) = (Vec::new(), Vec::new());
                    prop_assert_eq!(
                        int(scalar, n, &mut from_int),
                        text(scalar, &n.to_string(), &mut from_text),
                        "{:?} {}", scalar, n
                    );
                    prop_assert_eq!(from_int, from_text, "{:?} {}", scalar, n);
                }
            }
        }

        #[test]
        fn no_text_panics(value in r"([-+.:eEx0-9a-fé]|0x|NaN|infinity){0,40}") {
            use Scalar::*;
            for scalar in [TinyInt, BigInt, Varint, Decimal, Float, Double, Boolean, Uuid, TimeUuid, Blob, Inet, Ascii] {
                let _ = bytes(scalar, &value);
            }
        }
    }
}
