//! Tallies as bytes, for parts of an input that are counted by other processes.
//!
//! A line `keyfall-tally 1`, the length of a JSON text in 8 bytes, the text, then 16 bytes a key: its fingerprint and what
//! is known of it. All little-endian. Only the version of keyfall that wrote one reads it.

use std::collections::BTreeMap;

use keyfall_core::wire::{PlaceJson, params_json};
use keyfall_core::{Coord, Domain, Error, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::attribution::Suspicions;
use crate::keys::KeyTable;
use crate::onset::{First, Onsets};
use crate::producers::Producers;
use crate::report::Finding;
use crate::{Auditor, Tally};

const HEAD: &[u8] = b"keyfall-tally 1\n";

/// All of a tally but its keys.
#[derive(Serialize, Deserialize)]
struct Packed {
    version: String,
    scheme: String,
    params: Value,
    /// records, keyed, misplaced, unpinned, null_keys, replacement, null_text, refused, rejected, malformed, out_of_range, lone_surrogates.
    counts: [u64; 12],
    highest_place: Option<u32>,
    reasons: BTreeMap<String, u64>,
    suspicions: Vec<(u64, u64)>,
    onsets: Vec<(String, Option<u64>, Option<i64>)>,
    onsets_full: bool,
    producers: BTreeMap<String, u64>,
    producers_missed: u64,
    examples: Vec<Finding>,
    level: u32,
}

fn invalid(why: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidJson, format!("no tally of this version of keyfall: {why}"))
}

impl Auditor {
    /// A tally of this auditor's as bytes.
    ///
    /// ```
    /// use keyfall_audit::{Auditor, Record};
    /// use keyfall_core::{Coord, Key, Placer, params};
    ///
    /// let auditor = Auditor::new(Placer::new("kafka/java", params! { partitions: 12 })?);
    /// let mut part = auditor.tally();
    /// auditor.add(&mut part, &Record::new(1, Key::Text("100:48069"), Coord::Index(3)));
    /// let mut whole = auditor.unpack(&auditor.pack(&mut part))?;
    /// assert_eq!(auditor.report(&mut whole), auditor.report(&mut part));
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    pub fn pack(&self, tally: &mut Tally) -> Vec<u8> {
        tally.settle();
        let packed = Packed {
            version: env!("CARGO_PKG_VERSION").into(),
            scheme: self.placer().scheme().id.into(),
            params: params_json(self.placer().params()).into(),
            counts: [
                tally.records,
                tally.keyed,
                tally.misplaced,
                tally.unpinned,
                tally.null_keys,
                tally.replacement,
                tally.null_text,
                tally.refused,
                tally.rejected,
                tally.malformed,
                tally.out_of_range,
                tally.lone_surrogates,
            ],
            highest_place: tally.highest_place,
            reasons: tally.reasons.clone(),
            suspicions: tally.suspicions.all().collect(),
            onsets: tally.onsets.iter().map(|(place, first)| (place.to_string(), first.offset, first.time)).collect(),
            onsets_full: tally.onsets.is_cut(),
            producers: tally.producers.sorted().into_iter().map(|(name, n)| (name.into(), n)).collect(),
            producers_missed: tally.producers.missed(),
            examples: tally.examples.clone(),
            level: tally.keys.level(),
        };
        let json = serde_json::to_vec(&packed).expect("a tally is JSON");
        let mut out = HEAD.to_vec();
        out.extend_from_slice(&(json.len() as u64).to_le_bytes());
        out.extend_from_slice(&json);
        tally.keys.write(&mut out);
        out
    }

    /// A tally from its bytes.
    ///
    /// # Errors
    /// Bytes that are none, or a tally against another scheme or other params.
    pub fn unpack(&self, bytes: &[u8]) -> Result<Tally, Error> {
        let rest = bytes.strip_prefix(HEAD).ok_or_else(|| invalid("it begins otherwise"))?;
        let (len, rest) = rest.split_first_chunk().ok_or_else(|| invalid("it is cut"))?;
        let len = usize::try_from(u64::from_le_bytes(*len)).map_err(invalid)?;
        let (json, keys) = rest.split_at_checked(len).ok_or_else(|| invalid("it is cut"))?;
        let packed: Packed = serde_json::from_slice(json).map_err(invalid)?;
        let (placer, scheme) = (self.placer(), self.placer().scheme());
        let params = Value::from(params_json(placer.params()));
        if packed.version != env!("CARGO_PKG_VERSION") || packed.scheme != scheme.id || packed.params != params {
            return Err(invalid(format_args!(
                "it is of {} {} by keyfall {}, not of {} {params}",
                packed.scheme, packed.params, packed.version, scheme.id
            )));
        }
        let mut tally = self.tally();
        [
            tally.records,
            tally.keyed,
            tally.misplaced,
            tally.unpinned,
            tally.null_keys,
            tally.replacement,
            tally.null_text,
            tally.refused,
            tally.rejected,
            tally.malformed,
            tally.out_of_range,
            tally.lone_surrogates,
        ] = packed.counts;
        tally.highest_place = packed.highest_place;
        tally.reasons = packed.reasons;
        tally.suspicions = Suspicions::of(packed.suspicions);
        let mut firsts = Vec::new();
        for (place, offset, time) in packed.onsets {
            let place = coord(place, scheme.domain).ok_or_else(|| invalid("a place"))?;
            firsts.push((place, First { offset, time }));
        }
        tally.onsets = Onsets::of(firsts, packed.onsets_full);
        tally.producers = Producers::of(packed.producers.into_iter().collect(), packed.producers_missed);
        tally.examples = packed.examples;
        tally.keys = KeyTable::read(packed.level, keys).ok_or_else(|| invalid("its keys are cut"))?;
        Ok(tally)
    }
}

fn coord(place: String, domain: Domain) -> Option<Coord> {
    PlaceJson::Text(place).coord(domain)
}
