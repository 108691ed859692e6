//! The report: the documented JSON form.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use keyfall_core::Coord;
use keyfall_core::wire::{KeyJson, PlaceJson, params_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::auditor::{Auditor, Record};
use crate::interval::clopper_pearson;
use crate::tally::Tally;

/// The level of confidence of intervals.
const LEVEL: f64 = 0.95;

/// What an audit found. `records` is the sum of `keyed`, `unpinned`, `undecidable`, `rejected` and `malformed`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The version of this form.
    pub format: u32,
    /// Whether all of the input was read and understood.
    pub complete: bool,
    /// The scheme.
    pub scheme: &'static str,
    /// Its params.
    pub params: Map<String, Value>,
    /// All records.
    pub records: u64,
    /// Those that the scheme places.
    pub keyed: u64,
    /// Those for which the client chooses a place freely.
    pub unpinned: u64,
    /// Those of which nobody can tell: the dump may have damaged their keys, or the scheme refuses.
    pub undecidable: u64,
    /// Those whose keys the system or client does not take.
    pub rejected: u64,
    /// Those that could not be read, or are in places that do not exist.
    pub malformed: u64,
    /// Those that are not where the scheme puts them.
    pub misplaced: u64,
    /// Misplaced records per keyed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Keys that lie in two or more places, whatever the scheme.
    pub split_keys: SplitKeys,
    /// Distinct keys, without null, unpinned and undecidable ones.
    pub distinct_keys: u64,
    /// What the share of misplaced keys is in all that this input is a random sample of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Which other functions put misplaced records where they were found, highest first.
    pub attribution: Vec<Attribution>,
    /// Misplaced records that no other function puts there.
    pub unattributed: u64,
    /// The first misplaced record of each place.
    pub onset: Vec<Onset>,
    /// Whether places are missing in `onset`, as there are too many.
    #[serde(skip_serializing_if = "is_false")]
    pub onset_cut: bool,
    /// Misplaced records by producer, highest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub producers: Vec<Producer>,
    /// By how much a producer's count may be too low.
    #[serde(skip_serializing_if = "is_zero")]
    pub producers_missed: u64,
    /// The first misplaced records.
    pub examples: Vec<Finding>,
    /// Records with a null key, whatever the scheme does with it.
    pub null_keys: u64,
    /// Undecidable because of U+FFFD in the key's text.
    #[serde(skip_serializing_if = "is_zero")]
    pub replacement_characters: u64,
    /// Undecidable because the key is the bare text `null`.
    #[serde(skip_serializing_if = "is_zero")]
    pub null_texts: u64,
    /// Undecidable because the scheme refuses.
    #[serde(skip_serializing_if = "is_zero")]
    pub refused: u64,
    /// Malformed because they are in places that do not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_of_range: Option<OutOfRange>,
    /// Records whose keys have a lone surrogate, where the scheme has something to say of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lone_surrogates: Option<LoneSurrogates>,
    /// Why keys are rejected or refused, and how many.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, u64>,
}

/// Records whose keys have a lone surrogate: UTF-16 that is no Unicode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LoneSurrogates {
    /// How many.
    pub records: u64,
    /// What may become of them.
    pub why: &'static str,
}

/// Keys that lie in two or more places.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SplitKeys {
    /// How many.
    pub keys: u64,
    /// The records that they hold, in all of their places.
    pub records: u64,
    /// Whether both are estimates, and so is `distinct_keys`: there are more than a million keys.
    #[serde(skip_serializing_if = "is_false")]
    pub approximate: bool,
    /// An estimate is over one key in so many.
    #[serde(skip_serializing_if = "is_one")]
    pub one_in: u64,
}

/// The exact interval of Clopper and Pearson.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Interval {
    /// The level of confidence.
    pub level: f64,
    /// Distinct keys in the sample.
    pub keys: u64,
    /// Those with a misplaced record.
    pub misplaced_keys: u64,
    /// The least share of misplaced keys.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

/// A function that puts misplaced records where they were found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Attribution {
    /// The function.
    pub function: &'static str,
    /// The schemes that have it, defaults first.
    pub schemes: Vec<&'static str>,
    /// The misplaced records that it puts where they were found. Entries may overlap.
    pub records: u64,
    /// Those of them that no entry above puts there.
    pub explains: u64,
    /// Whether that is beyond what chance would give.
    pub likely: bool,
    /// If it is likely: what to set, for each client that has the function.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fix: Vec<Fix>,
}

/// What to set in a client so that it does what the audited scheme does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Fix {
    /// The client.
    pub client: &'static str,
    /// The scheme to set; none if the client has none of that function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<&'static str>,
    /// How.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<&'static str>,
}

/// The misplaced record of a place that has the lowest offset.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Onset {
    /// The place.
    pub place: PlaceJson,
    /// The offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// A producer's misplaced records.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Producer {
    /// The producer.
    pub producer: String,
    /// Its misplaced records.
    pub misplaced: u64,
}

/// Records in places that do not exist.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OutOfRange {
    /// How many records.
    pub records: u64,
    /// How many places there are.
    pub places: u32,
    /// The highest place found: there must be one more than this at least.
    pub highest: u32,
}

/// A misplaced record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Finding {
    /// Where it stands in the input, from 1.
    pub line: u64,
    /// Its key, a KEY.
    pub key: Value,
    /// Where it was found.
    pub found: PlaceJson,
    /// Where the scheme puts it.
    pub expected: PlaceJson,
    /// Its offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub producer: Option<String>,
    /// Who owns the place where the scheme puts it, where a topology says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

impl Finding {
    /// A record that was found elsewhere than where it is expected.
    pub fn new(record: &Record<'_>, expected: &Coord) -> Finding {
        Finding {
            line: record.line,
            key: serde_json::to_value(KeyJson(record.key)).expect("a key is JSON"),
            found: PlaceJson::new(&record.found),
            expected: PlaceJson::new(expected),
            offset: record.offset,
            timestamp: record.time.and_then(rfc3339),
            producer: record.producer.map(Into::into),
            owner: None,
        }
    }
}

fn is_false(b: &bool) -> bool {
    !b
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_one(n: &u64) -> bool {
    *n == 1
}

/// A time in UTC with `Z`, milliseconds only if they are not 0; none beyond the years that have such a form.
fn rfc3339(milliseconds: i64) -> Option<String> {
    const WHOLE: DateTimePrinter = DateTimePrinter::new().precision(Some(0));
    const MILLISECONDS: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    let printer = if milliseconds % 1000 == 0 { WHOLE } else { MILLISECONDS };
    Some(printer.timestamp_to_string(&Timestamp::from_millisecond(milliseconds).ok()?))
}

impl Report {
    pub(crate) fn new(auditor: &Auditor, tally: &Tally) -> Report {
        let placer = auditor.placer();
        let keys = tally.keys.counts();
        let one_in = tally.keys.one_in();
        let onset = tally.onsets.iter().map(|(place, first)| Onset {
            place: PlaceJson::new(place),
            offset: first.offset,
            timestamp: first.time.and_then(rfc3339),
        });
        let producers = tally.producers.sorted().into_iter();
        let out_of_range = match (placer.places(), tally.highest_place) {
            (Some(places), Some(highest)) if tally.out_of_range > 0 => {
                Some(OutOfRange { records: tally.out_of_range, places, highest })
            }
            _ => None,
        };
        Report {
            format: 1,
            complete: tally.malformed == 0,
            scheme: placer.scheme().id,
            params: params_json(placer.params()),
            records: tally.records,
            keyed: tally.keyed,
            unpinned: tally.unpinned,
            undecidable: tally.replacement + tally.null_text + tally.refused,
            rejected: tally.rejected,
            malformed: tally.malformed,
            misplaced: tally.misplaced,
            rate: (tally.keyed > 0).then(|| tally.misplaced as f64 / tally.keyed as f64),
            split_keys: SplitKeys {
                keys: keys.split * one_in,
                records: keys.split_records * one_in,
                approximate: one_in > 1,
                one_in,
            },
            distinct_keys: keys.keys * one_in,
            interval: None,
            attribution: tally.suspicions.attribution(placer, &auditor.suspects),
            unattributed: tally.suspicions.unattributed(),
            onset: onset.collect(),
            onset_cut: tally.onsets.is_cut(),
            producers: producers.map(|(name, misplaced)| Producer { producer: name.into(), misplaced }).collect(),
            producers_missed: tally.producers.missed(),
            examples: tally.examples.clone(),
            null_keys: tally.null_keys,
            replacement_characters: tally.replacement,
            null_texts: tally.null_text,
            refused: tally.refused,
            out_of_range,
            lone_surrogates: (placer.scheme().lone_surrogates)
                .filter(|_| tally.lone_surrogates > 0)
                .map(|why| LoneSurrogates { records: tally.lone_surrogates, why }),
            reasons: tally.reasons.clone(),
        }
    }

    /// The documented JSON form, which every front end prints.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report is JSON")
    }

    /// The same report, of an input that is a random sample: with the exact interval for the share of misplaced keys. A
    /// whole topic has no sampling error, and no interval.
    pub fn of_random_sample(mut self, tally: &mut Tally) -> Report {
        tally.settle();
        let keys = tally.keys.counts();
        if keys.keyed > 0 {
            let (low, high) = clopper_pearson(keys.misplaced, keys.keyed, LEVEL);
            self.interval =
                Some(Interval { level: LEVEL, keys: keys.keyed, misplaced_keys: keys.misplaced, low, high });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds_only_if_they_are_not_zero() {
        assert_eq!(rfc3339(1_777_716_672_000).as_deref(), Some("2026-05-02T10:11:12Z"));
        assert_eq!(rfc3339(1_777_716_672_040).as_deref(), Some("2026-05-02T10:11:12.040Z"));
        assert_eq!(rfc3339(-1).as_deref(), Some("1969-12-31T23:59:59.999Z"));
        assert_eq!(rfc3339(i64::MAX), None);
    }
}
