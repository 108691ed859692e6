//! JSON lines. The fields are those of `kcat -J`, unless other names are given.

use std::borrow::Cow;
use std::io::{self, Read};
use std::str::FromStr;

use anyhow::bail;
use jiff::Timestamp;
use keyfall_audit::Record;
use keyfall_core::wire::{self, PlaceJson};
use keyfall_core::{Coord, Domain, Key, KeyError, OwnedKey, Scheme, Typed, Value};
use memchr::memchr;
use serde::de::IgnoredAny;

use super::lines::Lines;
use super::members::{self, Members, Trouble, Value as Json, Values, unescape};
use crate::options::{KeyArgs, KeyFormat};

/// What the fields are called.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Fields of a line")]
pub(crate) struct Fields {
    /// The key: a string, null, or a KEY object such as {"hex":"00ff"}
    #[arg(long, value_name = "NAME", default_value = "key")]
    key_field: String,
    /// The place where the record was found
    #[arg(long, value_name = "NAME", default_value = "partition")]
    place_field: String,
    /// Its offset there [default: offset, if there is one; '' for none]
    #[arg(long, value_name = "NAME")]
    offset_field: Option<String>,
    /// Its time, in milliseconds since 1970 or as RFC 3339 has it [default: ts, if there is one; '' for none]
    #[arg(long, value_name = "NAME")]
    time_field: Option<String>,
    /// Who wrote it [default: producer, if there is one; '' for none]
    #[arg(long, value_name = "NAME")]
    producer_field: Option<String>,
    /// Audit this topic alone, where kcat's lines are of several
    #[arg(long, value_name = "NAME")]
    topic: Option<String>,
}

/// Where each field is among a line's values.
const KEY: usize = 0;
const PLACE: usize = 1;
const OFFSET: usize = 2;
const TIME: usize = 3;
const PRODUCER: usize = 4;
const TOPIC: usize = 5;

impl Fields {
    /// The names, in the order above.
    fn names(&self) -> [&str; 6] {
        // JSON cannot hold this one as it stands: no line has the field.
        const NONE: &str = "\0";
        fn optional<'n>(name: &'n Option<String>, default: &'static str) -> &'n str {
            match name.as_deref() {
                Some("") => NONE,
                given => given.unwrap_or(default),
            }
        }
        [
            &self.key_field,
            &self.place_field,
            optional(&self.offset_field, "offset"),
            optional(&self.time_field, "ts"),
            optional(&self.producer_field, "producer"),
            "topic",
        ]
    }

    /// Fails if the first line lacks a field that it must have. The others are fine without: absent fields stay absent.
    fn check(&self, first: &[u8]) -> anyhow::Result<()> {
        let there = members::names(first).unwrap_or_default();
        let asked = |name: &Option<String>| name.as_ref().is_some_and(|name| !name.is_empty());
        let needed = [
            ("--key-field", KEY, true),
            ("--place-field", PLACE, true),
            ("--offset-field", OFFSET, asked(&self.offset_field)),
            ("--time-field", TIME, asked(&self.time_field)),
            ("--producer-field", PRODUCER, asked(&self.producer_field)),
            ("--topic", TOPIC, self.topic.is_some()),
        ];
        for (option, field, needed) in needed {
            let name = self.names()[field];
            if needed && !there.iter().any(|there| there == name) {
                let there =
                    if there.is_empty() { "it has none".into() } else { format!("it has {}", there.join(", ")) };
                bail!("the first line has no field {name:?} ({option}): {there}");
            }
        }
        Ok(())
    }

    /// Whether the first line is one that kcat wrote: then each line names its topic.
    fn are_kcats(&self, first: &Values<'_, '_>) -> bool {
        let own = self.key_field == "key" && self.place_field == "partition" && self.offset_field.is_none();
        own && first.get(OFFSET).is_some() && matches!(first.get(TOPIC), Some(Json::String(_)))
    }
}

/// A line that is no record, and why.
#[derive(Debug)]
pub(crate) enum Bad {
    /// It cannot be read.
    Line(String),
    /// Its key cannot be read. What is said may show the key.
    Key(KeyError),
}

impl From<String> for Bad {
    fn from(why: String) -> Bad {
        Bad::Line(why)
    }
}

impl From<KeyError> for Bad {
    fn from(error: KeyError) -> Bad {
        Bad::Key(error)
    }
}

/// How an input ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// All of it was read.
    Whole,
    /// It could not be read further.
    Broken(io::Error),
}

/// Records in lines of JSON.
pub(crate) struct JsonLines<'a, R> {
    lines: Lines<R>,
    fields: &'a Fields,
    keys: &'a KeyArgs,
    scheme: &'static Scheme,
}

impl<'a, R: Read> JsonLines<'a, R> {
    /// Records of `reader`, found in places of `scheme`.
    pub(crate) fn new(reader: R, fields: &'a Fields, keys: &'a KeyArgs, scheme: &'static Scheme) -> Self {
        JsonLines { lines: Lines::new(reader), fields, keys, scheme }
    }

    /// The number of the last line that was read.
    pub(crate) fn line(&self) -> u64 {
        self.lines.number()
    }

    /// Calls `f` with each line's number and record, or with what is wrong with it. Empty lines are passed over.
    ///
    /// Fails if `f` does, and if the first line lacks fields or lines are of several topics.
    pub(crate) fn each(
        &mut self,
        mut f: impl FnMut(u64, Result<&Record<'_>, Bad>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Ending> {
        let names = self.fields.names();
        let bytes = names.map(str::as_bytes);
        let reading = Reading { names, keys: self.keys, scheme: self.scheme };
        let mut members = Members::default();
        let mut spans = Default::default();
        let mut topic = self.fields.topic.as_ref().map(|topic| topic.as_bytes().to_vec());
        let mut is_first = true;
        let max = self.lines.max();
        loop {
            let line = match self.lines.next() {
                Ok(None) => return Ok(Ending::Whole),
                Ok(Some(line)) => line,
                Err(error) => return Ok(Ending::Broken(error)),
            };
            let number = line.number;
            let Some(mut text) = line.bytes else {
                f(number, Err(Bad::Line(format!("longer than {} MiB", max >> 20))))?;
                continue;
            };
            if number == 1 {
                text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
            }
            text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let values = match members.find(text, &bytes, &mut spans) {
                Ok(values) => values,
                Err(Trouble::Twice(at)) => {
                    f(number, Err(Bad::Line(format!("the field {:?} stands twice", names[at]))))?;
                    continue;
                }
                Err(Trouble::Malformed) => {
                    f(number, Err(Bad::Line(why_malformed(text))))?;
                    continue;
                }
            };
            if is_first {
                is_first = false;
                self.fields.check(text)?;
                if topic.is_none() && self.fields.are_kcats(&values) {
                    topic = values.get(TOPIC).and_then(|topic| topic.inside().map(<[u8]>::to_vec));
                }
            }
            if let (Some(topic), Some(Json::String(other))) = (&topic, values.get(TOPIC))
                && topic != other
            {
                if self.fields.topic.is_some() {
                    continue;
                }
                let (topic, other) = (String::from_utf8_lossy(topic), String::from_utf8_lossy(other));
                bail!("line {number} is of topic {other}, those before it of {topic}: choose one with --topic");
            }
            reading.record(number, &values, &mut f)?;
        }
    }
}

/// What serde_json says of a line that is no object.
fn why_malformed(line: &[u8]) -> String {
    if line.first() != Some(&b'{') {
        return "not a JSON object".into();
    }
    match serde_json::from_slice::<IgnoredAny>(line) {
        // The line is the only one that it sees.
        Err(error) => format!("not JSON: {}", error.to_string().replace(" at line 1 column", " at column")),
        Ok(_) => "nested too deeply".into(),
    }
}

/// How values are read.
struct Reading<'a> {
    names: [&'a str; 6],
    keys: &'a KeyArgs,
    scheme: &'static Scheme,
}

impl Reading<'_> {
    /// Reads a line's values and calls `f` with the record, or with what is wrong with it.
    #[inline]
    fn record(
        &self,
        line: u64,
        values: &Values<'_, '_>,
        f: &mut impl FnMut(u64, Result<&Record<'_>, Bad>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.try_record(line, values, &mut |record| f(line, Ok(record))).unwrap_or_else(|bad| f(line, Err(bad)))
    }

    #[inline]
    fn try_record(
        &self,
        line: u64,
        values: &Values<'_, '_>,
        f: &mut impl FnMut(&Record<'_>) -> anyhow::Result<()>,
    ) -> Result<anyhow::Result<()>, Bad> {
        let producer = values.get(PRODUCER).map_or(Ok(None), |value| self.producer(value))?;
        let mut record = Record::new(line, Key::Null, self.place(values.get(PLACE))?);
        record.offset = values.get(OFFSET).map_or(Ok(None), |value| self.offset(value))?;
        record.time = values.get(TIME).map_or(Ok(None), |value| self.time(value))?;
        record.producer = producer.as_deref();
        let key = self.key(values.get(KEY))?;
        match &key {
            ReadKey::Bare(text) => {
                record.bare = true;
                record.key = match &self.keys.key_type {
                    None => Key::Text(text),
                    Some(ty) => Key::Typed(Typed { ty, value: Value::Text(text) }),
                };
            }
            ReadKey::Bytes(bytes) => record.key = Key::Bytes(bytes),
            ReadKey::Owned(key) => {
                return Ok(key.with(|key| {
                    let mut record = record;
                    record.key = key;
                    f(&record)
                }));
            }
        }
        Ok(f(&record))
    }

    #[inline]
    fn key<'l>(&self, value: Option<Json<'l>>) -> Result<ReadKey<'l>, Bad> {
        let Some(value) = value else {
            return Err(Bad::Line(format!("no field {:?} (a null key is written out)", self.names[KEY])));
        };
        let bare = match value {
            Json::Null => return Ok(ReadKey::Owned(OwnedKey::Null)),
            Json::Object(object) => {
                let object = std::str::from_utf8(object).map_err(|e| KeyError::new(e.to_string()))?;
                return Ok(ReadKey::Owned(wire::parse_key(object)?));
            }
            Json::Array => return Err(KeyError::new("an array is no key: a string, null or a KEY object is").into()),
            Json::String(inside) => string(inside)?,
            // A dump may have written the text "42" so.
            Json::Number(_) | Json::Bool(_) => ReadKey::Bare(value.text().unwrap_or_default()),
        };
        match (bare, self.keys.key_format, &self.keys.key_type) {
            (key, KeyFormat::Text, None) | (key @ ReadKey::Bare(_), KeyFormat::Text, _) => Ok(key),
            (ReadKey::Bare(text), ..) => Ok(ReadKey::Owned(self.keys.read(&text)?)),
            _ => {
                Err(KeyError::new("a string that is not UTF-8, which this --key-type or --key-format cannot be").into())
            }
        }
    }

    #[inline]
    fn place(&self, value: Option<Json<'_>>) -> Result<Coord, String> {
        let Some(value) = value else { return Err(format!("no field {:?}", self.names[PLACE])) };
        if let (Json::Number(digits), Domain::Index) = (value, self.scheme.domain)
            && let Some(index) = decimal(digits)
        {
            return Ok(Coord::Index(index));
        }
        let text = value.text();
        let place = text.as_ref().and_then(|text| PlaceJson::Text(text.to_string()).coord(self.scheme.domain));
        place.ok_or_else(|| format!("{:?} is {}, no {}", self.names[PLACE], value.shown(), self.scheme.unit))
    }

    #[inline]
    fn offset(&self, value: Json<'_>) -> Result<Option<u64>, String> {
        let wrong = || format!("{:?} is {}, no whole number from 0", self.names[OFFSET], value.shown());
        match value {
            Json::Null => Ok(None),
            Json::Number(digits) | Json::String(digits) => decimal(digits).map(Some).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }

    #[inline]
    fn time(&self, value: Json<'_>) -> Result<Option<i64>, String> {
        let milliseconds = match value {
            Json::Null => return Ok(None),
            Json::Number(digits) => decimal(digits),
            Json::String(text) => decimal(text).or_else(|| Some(parsed::<Timestamp>(text)?.as_millisecond())),
            _ => None,
        };
        match milliseconds {
            // With -1 Kafka says that a record has no time.
            Some(-1) => Ok(None),
            Some(milliseconds) => Ok(Some(milliseconds)),
            None => {
                let (name, shown) = (self.names[TIME], value.shown());
                Err(format!("{name:?} is {shown}, neither milliseconds since 1970 nor a time as RFC 3339 has it"))
            }
        }
    }

    #[inline]
    fn producer<'l>(&self, value: Json<'l>) -> Result<Option<Cow<'l, str>>, String> {
        match value {
            Json::Null => Ok(None),
            value => match value.text() {
                Some(text) => Ok(Some(text)),
                None => Err(format!("{:?} is {}, no text", self.names[PRODUCER], value.shown())),
            },
        }
    }
}

/// A key as it was read.
enum ReadKey<'l> {
    /// Plain text.
    Bare(Cow<'l, str>),
    /// A string whose bytes are not UTF-8.
    Bytes(Cow<'l, [u8]>),
    /// A key of another form.
    Owned(OwnedKey),
}

/// What a JSON string is as a key. kcat writes the bytes of keys as they are: a string that is not UTF-8 is bytes.
#[inline(always)]
fn string(inside: &[u8]) -> Result<ReadKey<'_>, KeyError> {
    let bytes = match memchr(b'\\', inside).is_some() {
        false => Cow::Borrowed(inside),
        true => Cow::Owned(unescape(inside).map_err(|e| KeyError::new(e.to_string()))?),
    };
    match bytes {
        Cow::Borrowed(bytes) => Ok(match std::str::from_utf8(bytes) {
            Ok(text) => ReadKey::Bare(Cow::Borrowed(text)),
            Err(_) => ReadKey::Bytes(Cow::Borrowed(bytes)),
        }),
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(ReadKey::Bare(Cow::Owned(text))),
            Err(not_text) => match std::str::from_utf8(inside) {
                // It is the escapes that are not: lone surrogates.
                Ok(inside) => wire::parse_key(&format!("{{\"text\":\"{inside}\"}}")).map(ReadKey::Owned),
                Err(_) => Ok(ReadKey::Bytes(Cow::Owned(not_text.into_bytes()))),
            },
        },
    }
}

impl<'l> Json<'l> {
    /// A string's inside.
    fn inside(self) -> Option<&'l [u8]> {
        match self {
            Json::String(inside) => Some(inside),
            _ => None,
        }
    }

    /// A string, or the source text of a number or boolean.
    fn text(self) -> Option<Cow<'l, str>> {
        match self {
            Json::String(inside) => match string(inside) {
                Ok(ReadKey::Bare(text)) => Some(text),
                _ => None,
            },
            Json::Number(source) => std::str::from_utf8(source).ok().map(Cow::Borrowed),
            Json::Bool(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
            Json::Null | Json::Object(_) | Json::Array => None,
        }
    }

    /// As messages show it.
    fn shown(self) -> String {
        match self {
            Json::Null => "null".into(),
            Json::Object(_) => "an object".into(),
            Json::Array => "an array".into(),
            Json::String(_) => self.text().map_or("a string that is not UTF-8".into(), |text| format!("{text:?}")),
            Json::Number(_) | Json::Bool(_) => self.text().unwrap_or_default().into_owned(),
        }
    }
}

/// Reads a value from its text.
#[inline]
fn parsed<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Reads a whole number; faster if it is up to 16 digits alone, such as a time in milliseconds.
#[inline]
fn decimal<T: FromStr + TryFrom<u64>>(text: &[u8]) -> Option<T> {
    let number = match (text.first_chunk(), text.last_chunk()) {
        // The last eight have some of the first ones again.
        (Some(first), Some(last)) if text.len() <= 16 => {
            let more = text.len() as u32 - 8;
            let last = if more == 0 { Some(0) } else { eight_digits(last, 8 - more) };
            eight_digits(first, 0).zip(last).map(|(first, last)| first * 10u64.pow(more) + last)
        }
        (None, _) if !text.is_empty() => {
            let (mut number, mut digits) = (0, true);
            for byte in text {
                let digit = byte.wrapping_sub(b'0');
                digits &= digit <= 9;
                number = 10 * number + u64::from(digit);
            }
            digits.then_some(number)
        }
        _ => None,
    };
    match number {
        Some(number) => T::try_from(number).ok(),
        None => parsed(text),
    }
}

/// The number that eight digits are, without the first `skipped` of them: pairs, fours and eights of them put together at
/// once.
#[inline]
fn eight_digits(text: &[u8; 8], skipped: u32) -> Option<u64> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let digits = u64::from_le_bytes(*text) ^ (EACH * 0x30);
    if (digits.wrapping_add(EACH * 0x76) | digits) & (EACH * 0x80) != 0 {
        return None;
    }
    let digits = digits & (u64::MAX << (8 * skipped));
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    Some((fours * 10_000 + (fours >> 32)) & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decimal_is_what_parse_says(text in "[0-9]{0,24}|-?[0-9]{0,20}|[0-9]{0,17}[/:+ x\u{e9}][0-9]{0,17}") {
            prop_assert_eq!(decimal::<u64>(text.as_bytes()), text.parse().ok());
            prop_assert_eq!(decimal::<u32>(text.as_bytes()), text.parse().ok());
            prop_assert_eq!(decimal::<i64>(text.as_bytes()), text.parse().ok());
        }
    }
}
