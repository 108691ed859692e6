//! The verdict on one record.

use keyfall_core::{Coord, Key, KeyError, Outcome, Placer, Value, Why};

use crate::attribution;
use crate::report::Report;
use crate::tally::Tally;

/// A record as it was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// Where it stands in the input, from 1.
    pub line: u64,
    /// Its key.
    pub key: Key<'a>,
    /// Whether the key stood there as plain text, as which many dumps write a null key: `null`.
    pub bare: bool,
    /// Where it was found.
    pub found: Coord,
    /// Its offset within its place.
    pub offset: Option<u64>,
    /// Its time, in milliseconds since 1970-01-01 UTC.
    pub time: Option<i64>,
    /// Who wrote it.
    pub producer: Option<&'a str>,
}

impl<'a> Record<'a> {
    /// A record of which nothing is known but its key and where it was found.
    pub fn new(line: u64, key: Key<'a>, found: Coord) -> Self {
        Record { line, key, bare: false, found, offset: None, time: None, producer: None }
    }
}

/// What became of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is where the scheme puts its key.
    Placed,
    /// It is elsewhere.
    Misplaced {
        /// Where the scheme puts its key.
        expected: Coord,
    },
    /// The client chooses the place freely: a null key, most often.
    Unpinned(Why),
    /// Nobody can tell.
    Undecidable(Doubt),
    /// The system or client takes no such key.
    Rejected(Why),
    /// It was found in a place that does not exist: the params are not the ones that it was written with.
    OutOfRange {
        /// How many places there are.
        places: u32,
    },
    /// The key is malformed in keyfall's terms, such as a word where `--key-type integer` was said.
    Malformed(KeyError),
}

/// Why nobody can tell where a key belongs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// Its text has U+FFFD, which tools write in place of bytes that are not UTF-8.
    Replacement,
    /// It is the bare text `null`, as which tools write a null key.
    NullText,
    /// The scheme refuses: it cannot be computed outside of the system.
    Refused(Why),
}

/// A placer, and every other function of its system, which may be the one that misplaced a record.
#[derive(Debug)]
pub struct Auditor {
    placer: Placer,
    pub(crate) suspects: Vec<Placer>,
    counts_lone_surrogates: bool,
}

impl Auditor {
    /// An auditor against `placer`.
    pub fn new(placer: Placer) -> Auditor {
        let suspects = attribution::suspects(&placer);
        let counts_lone_surrogates = placer.scheme().lone_surrogates.is_some();
        Auditor { placer, suspects, counts_lone_surrogates }
    }

    /// The placer.
    pub fn placer(&self) -> &Placer {
        &self.placer
    }

    /// An empty tally.
    pub fn tally(&self) -> Tally {
        Tally::default()
    }

    /// Judges a record and counts it.
    #[inline]
    pub fn add(&self, tally: &mut Tally, record: &Record<'_>) -> Verdict {
        let verdict = self.judge(record);
        let suspects = match verdict {
            Verdict::Misplaced { .. } => self.suspects_of(record),
            _ => 0,
        };
        if self.counts_lone_surrogates && has_lone_surrogate(record.key) {
            tally.lone_surrogates += 1;
        }
        tally.add(record, &verdict, suspects);
        verdict
    }

    fn judge(&self, record: &Record<'_>) -> Verdict {
        // First of all: if the count is wrong, whatever is said of this key is wrong too.
        if let (Some(places), Coord::Index(found)) = (self.placer.places(), &record.found)
            && *found >= places
        {
            return Verdict::OutOfRange { places };
        }
        if let Some(doubt) = doubt(record.key, record.bare) {
            return Verdict::Undecidable(doubt);
        }
        match self.placer.place(record.key) {
            Ok(Outcome::Placed(place)) if place.at == record.found => Verdict::Placed,
            Ok(Outcome::Placed(place)) => Verdict::Misplaced { expected: place.at },
            Ok(Outcome::Unpinned(why)) => Verdict::Unpinned(why),
            Ok(Outcome::Rejected(why)) => Verdict::Rejected(why),
            Ok(Outcome::Refused(why)) => Verdict::Undecidable(Doubt::Refused(why)),
            Err(error) => Verdict::Malformed(error),
        }
    }

    /// The suspects that put the record where it was found, a bit each.
    fn suspects_of(&self, record: &Record<'_>) -> u64 {
        let puts_it_there = |suspect: &Placer| match suspect.place(record.key) {
            Ok(Outcome::Placed(place)) => place.at == record.found,
            _ => false,
        };
        let bits = self.suspects.iter().enumerate().map(|(bit, suspect)| u64::from(puts_it_there(suspect)) << bit);
        bits.fold(0, |all, bit| all | bit)
    }

    /// What a tally of this auditor's says.
    pub fn report(&self, tally: &mut Tally) -> Report {
        tally.settle();
        Report::new(self, tally)
    }
}

/// Whether a key's text, or that of a component, is no Unicode.
fn has_lone_surrogate(key: Key<'_>) -> bool {
    match key {
        Key::Utf16(units) => char::decode_utf16(units.iter().copied()).any(|c| c.is_err()),
        Key::Tuple(keys) => keys.iter().any(|key| has_lone_surrogate(*key)),
        _ => false,
    }
}

/// What speaks against taking a key as it stands.
fn doubt(key: Key<'_>, bare: bool) -> Option<Doubt> {
    let of_text = |text: &str| match text {
        "null" if bare => Some(Doubt::NullText),
        // Most keys are ASCII, and that is seen faster.
        text if !text.is_ascii() && text.contains(char::REPLACEMENT_CHARACTER) => Some(Doubt::Replacement),
        _ => None,
    };
    match key {
        Key::Text(text) => of_text(text),
        Key::Typed(typed) => match typed.value {
            Value::Text(text) => of_text(text),
            _ => None,
        },
        Key::Utf16(units) => units.contains(&0xfffd).then_some(Doubt::Replacement),
        Key::Tuple(keys) => keys.iter().find_map(|key| doubt(*key, bare)),
        Key::Fields(fields) => fields.iter().find_map(|(_, key)| doubt(*key, bare)),
        Key::Null | Key::Bytes(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::{OwnedKey, Typed, params, wire};

    fn judge(scheme: &str, key: Key<'_>, bare: bool, found: u32) -> Verdict {
        let params = if scheme.starts_with("redis") {
            params! {}
        } else {
            params! { partitions: 12 }
        };
        let auditor = Auditor::new(Placer::new(scheme, params).unwrap());
        auditor.judge(&Record { bare, ..Record::new(1, key, Coord::Index(found)) })
    }

    #[test]
    fn placed_and_misplaced() {
        let key = Key::Bytes(b"100:48069");
        assert_eq!(judge("kafka/java", key, false, 9), Verdict::Placed);
        assert_eq!(judge("kafka/java", key, false, 8), Verdict::Misplaced { expected: Coord::Index(9) });
    }

    #[test]
    fn no_place_is_never_misplaced() {
        assert!(matches!(judge("kafka/java", Key::Null, false, 3), Verdict::Unpinned(_)));
        assert!(matches!(judge("kafka/librdkafka-consistent-random", Key::Text(""), false, 3), Verdict::Unpinned(_)));
        assert!(matches!(judge("redis/cluster", Key::Null, false, 3), Verdict::Rejected(_)));
        let word = Key::Typed(Typed { ty: "integer", value: Value::Text("x") });
        assert!(matches!(judge("kafka/java", word, false, 3), Verdict::Malformed(_)));
    }

    #[test]
    fn keys_with_a_lone_surrogate_are_counted_where_that_matters() {
        let lone = [0x61, 0xd83d];
        let pair = [0xd83d, 0xde00];
        let routed = [Key::Text("r"), Key::Utf16(&lone)];
        let keys = [Key::Utf16(&lone), Key::Utf16(&pair), Key::Text("a"), Key::Tuple(&routed), Key::Null];
        let counted = |scheme: &str, params| {
            let auditor = Auditor::new(Placer::new(scheme, params).unwrap());
            let (mut tally, mut other) = (auditor.tally(), auditor.tally());
            for key in keys {
                auditor.add(&mut tally, &Record::new(1, key, Coord::Index(0)));
            }
            other.merge(&tally);
            auditor.report(&mut other).lone_surrogates.map(|lone| lone.records)
        };
        assert_eq!(counted("elasticsearch/legacy", params! { shards: 5 }), Some(2));
        assert_eq!(counted("opensearch/routing", params! { shards: 5 }), Some(2));
        assert_eq!(counted("kafka/java", params! { partitions: 12 }), None);
    }

    #[test]
    fn a_place_out_of_range_comes_first() {
        assert_eq!(judge("kafka/java", Key::Null, false, 12), Verdict::OutOfRange { places: 12 });
        assert_eq!(judge("kafka/java", Key::Text("\u{fffd}"), false, 15), Verdict::OutOfRange { places: 12 });
    }

    #[test]
    fn damage_is_seen_in_text_alone() {
        for (json, bare, damaged) in [
            (r#"{"text":"a\ufffdb"}"#, false, true),
            (r#"{"type":"string","value":"\ufffd"}"#, false, true),
            (r#"{"utf16":[65533]}"#, false, true),
            (r#"{"tuple":[{"text":"a"},{"text":"\ufffd"}]}"#, false, true),
            (r#"{"fields":{"a":"\ufffd"}}"#, false, true),
            // Bytes are what they are.
            (r#"{"hex":"efbfbd"}"#, false, false),
            (r#"{"text":"null"}"#, true, true),
            (r#"{"type":"string","value":"null"}"#, true, true),
            // A form that has a null of its own means the text.
            (r#"{"text":"null"}"#, false, false),
            (r#"{"text":"Null"}"#, true, false),
            (r#"{"text":"ключ"}"#, true, false),
            ("null", true, false),
        ] {
            let key: OwnedKey = wire::parse_key(json).unwrap();
            assert_eq!(key.with(|key| doubt(key, bare)).is_some(), damaged, "{json} bare={bare}");
        }
    }
}
