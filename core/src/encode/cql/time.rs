//! The texts of `date`, `time` and `timestamp`, as Cassandra 4.0 and later read them.
//!
//! Spec: <https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html#timestamps>; where it is silent,
//! `SimpleDateSerializer`, `TimeSerializer` and `TimestampSerializer` in
//! <https://github.com/apache/cassandra/tree/trunk/src/java/org/apache/cassandra/serializers>.

/// Takes parts off the front of a text.
struct Reader<'t>(&'t str);

impl<'t> Reader<'t> {
    fn eat(&mut self, c: char) -> Option<()> {
        self.0 = self.0.strip_prefix(c)?;
        Some(())
    }

    /// All digits that stand here.
    fn digits(&mut self) -> &'t str {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits
    }

    /// A number of any length, up to `max`.
    fn number(&mut self, max: i64) -> Option<i64> {
        self.digits().parse().ok().filter(|n| *n <= max)
    }

    /// A number of exactly two digits, up to `max`.
    fn two(&mut self, max: i64) -> Option<i64> {
        let two = self.0.get(..2)?;
        let mut two = Reader(two);
        let n = two.number(max)?;
        self.0 = &self.0[2..];
        two.end().map(|()| n)
    }

    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar, whose year 0 exists.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years are counted from March: the leap day is then a year's last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719,468 days from 0000-03-01 to 1970-01-01.
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `yyyy-mm-dd`: four digits of year, or a minus and at least four, or a plus and more than four.
fn iso_date(reader: &mut Reader<'_>) -> Option<(i64, i64, i64)> {
    let sign = if reader.eat('-').is_some() {
        -1
    } else if reader.eat('+').is_some() {
        1
    } else {
        0
    };
    let digits = reader.digits();
    let length = match sign {
        0 => digits.len() == 4,
        1 => (5..=10).contains(&digits.len()),
        _ => (4..=10).contains(&digits.len()),
    };
    let year = digits.parse::<i64>().ok().filter(|year| length && *year <= 999_999_999)?;
    if sign < 0 && year == 0 {
        return None;
    }
    reader.eat('-')?;
    let month = reader.two(12).filter(|month| *month > 0)?;
    reader.eat('-')?;
    let day = reader.two(31).filter(|day| *day > 0)?;
    Some((if sign < 0 { -year } else { year }, month, day))
}

/// Whether a text is the raw integer that all three types also take.
pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The unsigned day, 2^31 = 1970-01-01, of a date or of itself.
pub(super) fn date(text: &str) -> Option<u32> {
    if is_integer(text) {
        return text.parse::<i64>().ok()?.try_into().ok();
    }
    let mut reader = Reader(text);
    let (year, month, day) = iso_date(&mut reader)?;
    reader.end()?;
    if day > days_in_month(year, month) {
        return None;
    }
    u32::try_from(days(year, month, day) + (1 << 31)).ok()
}

/// A day's nanoseconds.
pub(super) const DAY: i64 = 86_400_000_000_000;

/// The nanoseconds since midnight of `hh:mm:ss[.fffffffff]`, or of themselves.
pub(super) fn time(text: &str) -> Option<i64> {
    if is_integer(text) {
        return text.parse().ok().filter(|n| (0..DAY).contains(n));
    }
    let mut reader = Reader(text.trim_matches(|c: char| c <= ' '));
    let hours = reader.number(23)?;
    reader.eat(':')?;
    let minutes = reader.number(59)?;
    reader.eat(':')?;
    let seconds = reader.number(59)?;
    let nanos = match reader.eat('.') {
        None => 0,
        Some(()) => fraction(reader.digits(), 9).filter(|(_, digits)| *digits > 0)?.0,
    };
    reader.end()?;
    Some(((hours * 60 + minutes) * 60 + seconds) * 1_000_000_000 + nanos)
}

/// At most nine digits of a fraction in units of 10^-`places`, cut there; and how many digits there are.
fn fraction(digits: &str, places: usize) -> Option<(i64, usize)> {
    if digits.len() > 9 {
        return None;
    }
    let padded = digits.bytes().chain(core::iter::repeat(b'0')).take(places);
    Some((padded.fold(0, |n, digit| n * 10 + i64::from(digit - b'0')), digits.len()))
}

/// The milliseconds since the epoch of a point in time, or of themselves. What the server reads it as depends on the
/// server's own zone where the text has none; here that is UTC.
pub(super) fn timestamp(text: &str) -> Option<i64> {
    if is_integer(text) {
        return text.parse().ok();
    }
    let (days, millis, zone) = with_time(text).or_else(|| date_alone(text))?;
    let offset = offset(zone)?;
    // In 128 bits: one summand may be out of range where the sum is not.
    i64::try_from(i128::from(days) * 86_400_000 + i128::from(millis) - i128::from(offset)).ok()
}

/// A date of a timestamp. A day that its month does not have is its last day: 2023-02-31 is 2023-02-28.
fn lenient_days(year: i64, month: i64, day: i64) -> i64 {
    days(year, month, day.min(days_in_month(year, month)))
}

/// `y-M-d H:m[:s[.fff]]` with digits at will: the days, the milliseconds of the day, and what follows.
fn with_time(text: &str) -> Option<(i64, i64, &str)> {
    let mut reader = Reader(text);
    let year = reader.number(999_999_999).filter(|year| *year > 0)?;
    reader.eat('-')?;
    let month = reader.number(12).filter(|month| *month > 0)?;
    reader.eat('-')?;
    let day = reader.number(31).filter(|day| *day > 0)?;
    reader.eat(' ').or_else(|| reader.eat('T'))?;
    let hours = reader.number(24)?;
    reader.eat(':')?;
    let minutes = reader.number(59)?;
    let (mut seconds, mut millis) = (0, 0);
    if reader.eat(':').is_some() {
        seconds = reader.number(59)?;
        if reader.eat('.').is_some() {
            millis = fraction(reader.digits(), 3)?.0;
        }
    }
    let millis = ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis;
    // 24:00 is the midnight that ends the day.
    (millis <= 86_400_000).then_some((lenient_days(year, month, day), millis, reader.0))
}

fn date_alone(text: &str) -> Option<(i64, i64, &str)> {
    let mut reader = Reader(text);
    let (year, month, day) = iso_date(&mut reader)?;
    Some((lenient_days(year, month, day), 0, reader.0))
}

/// The milliseconds that a zone is ahead of UTC: nothing, `Z`, `+01`, `+0100`, `+01:00`, each perhaps after a space, and
/// after one also `UTC` and `GMT`. Other names depend on a database of zones.
fn offset(zone: &str) -> Option<i64> {
    if zone.is_empty() {
        return Some(0);
    }
    let spaced = zone.strip_prefix(' ');
    let zone = spaced.unwrap_or(zone);
    if zone == "Z" || spaced.is_some() && matches!(zone, "UTC" | "GMT") {
        return Some(0);
    }
    let mut reader = Reader(zone);
    let sign = if reader.eat('-').is_some() { -1 } else { reader.eat('+').map(|()| 1)? };
    let hours = reader.two(18)?;
    let colon = reader.eat(':').is_some();
    let minutes = if reader.0.is_empty() && !colon { 0 } else { reader.two(59)? };
    reader.end()?;
    let minutes = hours * 60 + minutes;
    (minutes <= 18 * 60).then_some(sign * minutes * 60_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19.
    #[test]
    fn dates_of_the_server() {
        for (text, expect) in [
            ("0", 0),
            ("007", 7),
            ("2147483647", 0x7fff_ffff),
            ("4294967295", 0xffff_ffff),
            ("1970-01-01", 0x8000_0000),
            ("2024-02-29", 0x8000_4d46),
            ("2000-02-29", 0x8000_2b08),
            ("0400-02-29", 0x7ff7_4044),
            ("0000-01-01", 0x7ff5_0558),
            ("0000-02-29", 0x7ff5_0593),
            ("-0001-01-01", 0x7ff5_03eb),
            ("-0004-02-29", 0x7ff4_ffde),
            ("0001-01-01", 0x7ff5_06c6),
            ("1582-10-10", 0x7ffd_d788),
            ("9999-12-31", 0x802c_c0a0),
            ("+10000-01-01", 0x802c_c0a1),
            ("+02024-01-01", 0x8000_4d0b),
            ("-10000-01-01", 0x7fbd_4a0f),
            ("+5881580-07-11", 0xffff_ffff),
            ("-5877641-06-23", 0),
        ] {
            assert_eq!(date(text), Some(expect), "{text}");
        }
    }

    /// Refused by cassandra-all 5.0.9, 4.1.10 and 4.0.19.
    #[test]
    fn what_is_no_date() {
        for text in [
            "4294967296",
            "-1",
            "+5",
            "2023-02-29",
            "1900-02-29",
            "0100-02-29",
            "2024-2-9",
            "24-02-09",
            "10000-01-01",
            "+2024-01-01",
            "-1-01-01",
            "-0000-01-01",
            "+5881580-07-12",
            "-5877641-06-22",
            "2024-13-01",
            "2024-00-01",
            "2024-01-00",
            "2024-01-01T00:00",
            " 2024-01-01",
            "2024-01-01 ",
            "+1000000000-01-01",
            "",
            "-",
            "2024-é1-01",
        ] {
            assert_eq!(date(text), None, "{text:?}");
        }
    }

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19.
    #[test]
    fn times_of_the_server() {
        for (text, expect) in [
            ("0", 0),
            ("86399999999999", DAY - 1),
            ("00:00:00", 0),
            ("23:59:59", 0x4e94_55b4_3600),
            ("1:2:3", 0x0362_d417_ae00),
            ("001:002:003", 0x0362_d417_ae00),
            (" 01:02:03 ", 0x0362_d417_ae00),
            ("01:02:03.1", 0x0362_da0d_8f00),
            ("01:02:03.123456789", 0x0362_db73_7b15),
            ("12:00:00.000000001", 0x274a_48a7_8001),
        ] {
            assert_eq!(time(text), Some(expect), "{text}");
        }
        for text in [
            "86400000000000",
            "-1",
            "24:00:00",
            "23:59:60",
            "23:60:00",
            "01:02",
            "01:02:03.",
            "01:02:03.1234567890",
            "-1:02:03",
            "01:02:03Z",
            "",
            "01: 02:03",
        ] {
            assert_eq!(time(text), None, "{text:?}");
        }
    }

    /// Values of cassandra-all 5.0.9, 4.1.10 and 4.0.19.
    #[test]
    fn timestamps_of_the_server() {
        for (text, expect) in [
            ("-1", -1),
            ("9223372036854775807", i64::MAX),
            ("2024-02-29", 0x018d_f229_2800),
            ("2024-02-29 12:34", 0x018d_f4db_76c0),
            ("2024-02-29T12:34:56", 0x018d_f4dc_5180),
            ("2024-02-29 12:34:56.7", 0x018d_f4dc_543c),
            ("2024-02-29 12:34:56.789123456", 0x018d_f4dc_5495),
            ("2024-02-29 12:34:56.", 0x018d_f4dc_5180),
            ("2024-02-29 12:34:56.Z", 0x018d_f4dc_5180),
            ("2024-02-29T12:34Z", 0x018d_f4db_76c0),
            ("2024-02-29 12:34:56 Z", 0x018d_f4dc_5180),
            ("2024-02-29 12:34:56 UTC", 0x018d_f4dc_5180),
            ("2024-02-29 12:34:56+01", 0x018d_f4a5_6300),
            ("2024-02-29 12:34:56 +0100", 0x018d_f4a5_6300),
            ("2024-02-29 12:34:56+01:00", 0x018d_f4a5_6300),
            ("2024-02-29 12:34:56-0230", 0x018d_f565_a5c0),
            ("2024-02-29 12:34:56-18:00", 0x018d_f8b9_1680),
            ("2024-02-29+01:00", 0x018d_f1f2_3980),
            ("2024-02-29 Z", 0x018d_f229_2800),
            ("2024-2-9 1:2:3", 0x018d_8b62_c6f8),
            ("2024-02-29 0012:034:056", 0x018d_f4dc_5180),
            ("2024-02-30", 0x018d_f229_2800),
            ("2023-02-29 00:00", 0x0186_9551_a000),
            ("2024-04-31 00:00", 0x018f_2c4d_1400),
            ("2024-02-29 24:00:00.0", 0x018d_f74f_8400),
            ("0000-01-01", 0xffff_c775_90fb_a000_u64 as i64),
            ("0001-01-01", 0xffff_c77c_edd3_2800_u64 as i64),
            ("-0001-01-01Z", 0xffff_c76e_394a_7400_u64 as i64),
            ("1-1-1 0:0", 0xffff_c77c_edd3_2800_u64 as i64),
            ("1582-10-04", 0xffff_f4e2_c0be_b800_u64 as i64),
            ("+10000-01-01", 0xe677_d21f_dc00),
            ("10000-1-1 0:0", 0xe677_d21f_dc00),
            ("1969-12-31 23:59:59.9999", -1),
            ("292278994-08-17 07:12:55.807", i64::MAX),
            ("-292275055-05-17", 0x8000_0000_018c_5c00_u64 as i64),
        ] {
            assert_eq!(timestamp(text), Some(expect), "{text}");
        }
    }

    /// Refused by cassandra-all 5.0.9, 4.1.10 and 4.0.19.
    #[test]
    fn what_is_no_timestamp() {
        for text in [
            "9223372036854775808",
            "",
            "2024-02-29 12:34:56.7891234567",
            "2024-02-29t12:34:56",
            "2024-02-29T12:34:56z",
            "2024-02-29 12:34:56+1",
            "2024-02-29 12:34:56+010",
            "2024-02-29 12:34:56+01:0",
            "2024-02-29 12:34:56+01:00:30",
            "2024-02-29 12:34:56+1801",
            "2024-02-29 12:34+01:60",
            "2024-02-29 12:34:56UTC",
            "2024-02-29 12:34:56 UTC+1",
            "2024-02-29 12:34:56 Z ",
            "2024-2-9",
            "2024-02-32",
            "2024-02-00 00:00",
            "2024-13-01 00:00",
            "2024-00-01 00:00",
            "2024-02-29 25:00",
            "2024-02-29 24:01",
            "2024-02-29 24:00:00.001",
            "2024-02-29 23:59:60",
            "2024-02-29 12:60",
            "2024-02-29 12:34.5",
            "2024-02-29 12:34:",
            "2024-02-29 12",
            "2024-02-29T",
            "0-1-1 0:0",
            "-1-1-1 0:0",
            "+10000-1-1 0:0",
            "10000-01-01",
            "24-02-29",
            "2024-060",
            " 2024-02-29",
            "292278994-08-17 07:12:55.808",
            "-292275055-05-16",
            "1000000000-1-1 0:0",
        ] {
            assert_eq!(timestamp(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn days_follow_each_other(year in -300_000i64..300_000, month in 1i64..13) {
            let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
            prop_assert_eq!(days(next_year, next, 1) - days(year, month, 1), days_in_month(year, month));
        }

        #[test]
        fn no_text_panics(text in "[-+0-9TZ:. é]{0,40}") {
            let _ = (date(&text), time(&text), timestamp(&text));
        }
    }
}
