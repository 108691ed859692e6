//! Counts of verdicts: bounded in memory, mergeable.

use std::collections::BTreeMap;

use keyfall_core::{Coord, Key};

use crate::attribution::Suspicions;
use crate::auditor::{Doubt, Record, Verdict};
use crate::keys::{Fingerprint, KeyTable};
use crate::onset::{First, Onsets};
use crate::producers::Producers;
use crate::report::Finding;

/// So many misplaced records are kept as examples: those of the lowest lines.
const EXAMPLES: usize = 5;

/// So many different reasons of rejections and refusals are kept.
const REASONS: usize = 16;

/// What was counted in a part of the input.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub(crate) records: u64,
    pub(crate) keyed: u64,
    pub(crate) misplaced: u64,
    pub(crate) unpinned: u64,
    pub(crate) null_keys: u64,
    pub(crate) replacement: u64,
    pub(crate) null_text: u64,
    pub(crate) refused: u64,
    pub(crate) rejected: u64,
    pub(crate) malformed: u64,
    pub(crate) out_of_range: u64,
    pub(crate) lone_surrogates: u64,
    pub(crate) highest_place: Option<u32>,
    pub(crate) reasons: BTreeMap<String, u64>,
    pub(crate) suspicions: Suspicions,
    pub(crate) onsets: Onsets,
    pub(crate) producers: Producers,
    pub(crate) examples: Vec<Finding>,
    pub(crate) keys: KeyTable,
    scratch: Vec<u8>,
}

impl Tally {
    /// Counts a line that could not be read as a record.
    pub fn add_malformed(&mut self) {
        self.records += 1;
        self.malformed += 1;
    }

    /// How many records it counts.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many of them are malformed, those in places that do not exist among them.
    pub fn malformed(&self) -> u64 {
        self.malformed
    }

    /// Counts a judged record. `suspects` are the functions that put it where it was found, if it is misplaced.
    #[inline]
    pub(crate) fn add(&mut self, record: &Record<'_>, verdict: &Verdict, suspects: u64) {
        self.records += 1;
        self.null_keys += u64::from(record.key == Key::Null);
        if let Coord::Index(place) = record.found {
            self.highest_place = self.highest_place.max(Some(place));
        }
        let misplaced = match verdict {
            Verdict::Placed => {
                self.keyed += 1;
                false
            }
            Verdict::Misplaced { expected } => {
                self.keyed += 1;
                self.add_misplaced(record, expected, suspects);
                true
            }
            // A key that a client may put anywhere says nothing if it is in two places.
            Verdict::Unpinned(_) => {
                self.unpinned += 1;
                return;
            }
            // Damage makes one key of many.
            Verdict::Undecidable(Doubt::Replacement) => {
                self.replacement += 1;
                return;
            }
            Verdict::Undecidable(Doubt::NullText) => {
                self.null_text += 1;
                return;
            }
            Verdict::OutOfRange { .. } => {
                self.malformed += 1;
                self.out_of_range += 1;
                return;
            }
            Verdict::Malformed(_) => {
                self.malformed += 1;
                return;
            }
            Verdict::Undecidable(Doubt::Refused(why)) => {
                self.refused += 1;
                self.add_reason(why, 1);
                false
            }
            Verdict::Rejected(why) => {
                self.rejected += 1;
                self.add_reason(why, 1);
                false
            }
        };
        if record.key != Key::Null {
            let keyed = matches!(verdict, Verdict::Placed | Verdict::Misplaced { .. });
            self.keys.add(Fingerprint::of(record.key, &mut self.scratch), &record.found, keyed, misplaced);
        }
    }

    fn add_misplaced(&mut self, record: &Record<'_>, expected: &Coord, suspects: u64) {
        self.misplaced += 1;
        self.suspicions.add(suspects);
        self.onsets.add(&record.found, First { offset: record.offset, time: record.time });
        if let Some(producer) = record.producer {
            self.producers.add(producer);
        }
        if self.examples.len() < EXAMPLES || self.examples.last().is_some_and(|last| record.line < last.line) {
            self.examples.push(Finding::new(record, expected));
            self.trim_examples();
        }
    }

    fn trim_examples(&mut self) {
        self.examples.sort_by_key(|example| example.line);
        self.examples.truncate(EXAMPLES);
    }

    fn add_reason(&mut self, why: &str, records: u64) {
        if self.reasons.len() < REASONS || self.reasons.contains_key(why) {
            *self.reasons.entry(why.into()).or_default() += records;
        }
    }

    /// To be called before counts of keys are asked for.
    pub(crate) fn settle(&mut self) {
        self.keys.count_waiting();
    }

    /// Takes the counts of another part of the same input in, judged by the same auditor or by one alike.
    pub fn merge(&mut self, other: &Tally) {
        self.records += other.records;
        self.keyed += other.keyed;
        self.misplaced += other.misplaced;
        self.unpinned += other.unpinned;
        self.null_keys += other.null_keys;
        self.replacement += other.replacement;
        self.null_text += other.null_text;
        self.refused += other.refused;
        self.rejected += other.rejected;
        self.malformed += other.malformed;
        self.out_of_range += other.out_of_range;
        self.lone_surrogates += other.lone_surrogates;
        self.highest_place = self.highest_place.max(other.highest_place);
        other.reasons.iter().for_each(|(why, records)| self.add_reason(why, *records));
        self.suspicions.merge(&other.suspicions);
        self.onsets.merge(&other.onsets);
        self.producers.merge(&other.producers);
        self.examples.extend(other.examples.iter().cloned());
        self.trim_examples();
        self.keys.merge(&other.keys);
    }
}
