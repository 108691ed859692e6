//! What both ways into JavaScript share: keys in, answers out as JSON. The JavaScript above them is the same too.

use std::borrow::Cow;

use bytemuck::{AnyBitPattern, Pod};
use keyfall_audit::{Auditor, Record, Tally};
use keyfall_core::wire::{OutcomeJson, PlaceJson, SchemeJson, TraceJson, params_json, parse_key, parse_params};
use keyfall_core::{Domain, Key, KeyColumn, KeyError, Outcome, PlaceColumn, Placer, Places, registry};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Binds a scheme to params, a JSON object.
pub(crate) fn bind(scheme: &str, params: &str) -> Result<Placer, String> {
    parse_params(params).and_then(|params| Placer::new(scheme, params)).map_err(|error| error.to_string())
}

/// A key as JavaScript hands it over.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    /// null and undefined.
    Null,
    /// A Uint8Array.
    Bytes(&'a [u8]),
    /// A string.
    Units(&'a [u16]),
    /// A KEY of the machine interface.
    Json(&'a str),
    /// A bigint within 64 bits: of the type that the system has of that width.
    Int(i64),
}

impl Input<'_> {
    fn with<R>(self, placer: &Placer, f: impl FnOnce(Key<'_>) -> Result<R, KeyError>) -> Result<R, KeyError> {
        match self {
            Input::Null => f(Key::Null),
            Input::Bytes(bytes) => f(Key::Bytes(bytes)),
            Input::Units(units) => f(Key::Utf16(units)),
            Input::Json(json) => parse_key(json)?.with(f),
            Input::Int(n) => {
                // The one row of a column, where the rule of which type that is stands.
                let column = KeyColumn::Int64 { values: &[n], validity: None };
                let system = registry::system(placer.scheme().system()).expect("a scheme's system is registered");
                let mut f = Some(f);
                let mut result = None;
                let each = column.each_key(system, |_, key| {
                    result = f.take().map(|f| key.and_then(f));
                });
                each.expect("a column of one row is well formed");
                result.expect("a column of one row has one")
            }
        }
    }
}

/// The outcome of a key as JSON, or its trace if `explain`.
pub(crate) fn ask(placer: &Placer, key: Input<'_>, explain: bool) -> String {
    if explain {
        json(&TraceJson::new(placer, key.with(placer, |key| placer.trace(key))))
    } else {
        json(&OutcomeJson::new(placer, &key.with(placer, |key| placer.place(key))))
    }
}

/// The place of a key that has one, where the caller counts nanoseconds; everything else is asked again by [`ask`].
#[inline]
pub(crate) fn place(placer: &Placer, key: Key<'_>) -> Option<Outcome> {
    match placer.place(key) {
        Ok(outcome @ (Outcome::Placed(_) | Outcome::Unpinned(_))) => Some(outcome),
        _ => None,
    }
}

/// A column as JavaScript hands it over: the bytes of typed arrays, whatever they are of.
pub(crate) struct Column<'a> {
    /// bytes, text, utf16, int32 or int64.
    pub(crate) kind: &'a str,
    pub(crate) data: &'a [u8],
    /// None for integers.
    pub(crate) offsets: Option<&'a [u8]>,
    /// Whether offsets are of 64 bits.
    pub(crate) wide: bool,
    pub(crate) validity: Option<&'a [u8]>,
}

/// The elements of a typed array, whose memory is aligned for them; an empty one's may be anywhere.
fn elements<T: AnyBitPattern>(bytes: &[u8]) -> Result<&[T], String> {
    if bytes.is_empty() { Ok(&[]) } else { bytemuck::try_cast_slice(bytes).map_err(|e| e.to_string()) }
}

fn elements_mut<T: Pod>(bytes: &mut [u8]) -> Result<&mut [T], String> {
    if bytes.is_empty() { Ok(&mut []) } else { bytemuck::try_cast_slice_mut(bytes).map_err(|e| e.to_string()) }
}

impl Column<'_> {
    /// Places the column. `out` is a Uint32Array for indices, a BigInt64Array for codes and tokens; a BigUint64Array with two
    /// elements a row, low and high, for tokens of 128 bits.
    pub(crate) fn place(&self, placer: &Placer, out: &mut [u8], status: &mut [u8]) -> Result<(), String> {
        let Column { data, validity, .. } = *self;
        let offsets = |what: &str| self.offsets.ok_or_else(|| format!("a column of {what} has offsets"));
        let keys = match (self.kind, self.wide) {
            ("bytes", false) => KeyColumn::Binary { offsets: elements(offsets("bytes")?)?, data, validity },
            ("bytes", true) => KeyColumn::LargeBinary { offsets: elements(offsets("bytes")?)?, data, validity },
            ("text", false) => KeyColumn::Utf8 { offsets: elements(offsets("text")?)?, data, validity },
            ("text", true) => KeyColumn::LargeUtf8 { offsets: elements(offsets("text")?)?, data, validity },
            ("utf16", false) => {
                KeyColumn::Utf16 { offsets: elements(offsets("UTF-16")?)?, units: elements(data)?, validity }
            }
            ("int32", _) => KeyColumn::Int32 { values: elements(data)?, validity },
            ("int64", _) => KeyColumn::Int64 { values: elements(data)?, validity },
            (kind, _) => return Err(format!("no column of {kind} with such offsets")),
        };
        let place = |places: Places<'_>, status: &mut [u8]| {
            placer.place_column(&keys, &mut PlaceColumn { places, status, owners: None }).map_err(|e| e.to_string())
        };
        match placer.scheme().domain {
            Domain::Index => place(Places::U32(elements_mut(out)?), status),
            Domain::I32 | Domain::I64 => place(Places::I64(elements_mut(out)?), status),
            Domain::U128 => {
                let words: &mut [u64] = elements_mut(out)?;
                let mut places = vec![0u128; words.len() / 2];
                place(Places::U128(&mut places), status)?;
                for (word, place) in words.as_chunks_mut::<2>().0.iter_mut().zip(places) {
                    *word = [place as u64, (place >> 64) as u64];
                }
                Ok(())
            }
            Domain::Bytes(_) => Err("places that are bytes do not fit a typed array: placeMany gives them".into()),
        }
    }
}

/// What a placer is, as JSON.
pub(crate) fn describe(placer: &Placer) -> String {
    let scheme = placer.scheme();
    json(&serde_json::json!({
        "scheme": scheme.id,
        "params": params_json(placer.params()),
        "unit": scheme.unit,
        "domain": scheme.domain.word(),
        "places": placer.places(),
        "int64": registry::system(scheme.system()).and_then(|system| system.int64),
    }))
}

/// All schemes, as JSON.
pub(crate) fn schemes() -> String {
    json(&registry::schemes().map(SchemeJson::new).collect::<Vec<_>>())
}

/// An audit that is under way.
pub(crate) struct Audit {
    auditor: Auditor,
    tally: Tally,
}

/// A record as JavaScript hands it over. What is not there or of another kind is left out.
#[derive(Deserialize)]
struct RecordJson<'a> {
    #[serde(borrow)]
    key: &'a RawValue,
    place: Option<PlaceJson>,
    offset: Option<Whole>,
    time: Option<Whole>,
    #[serde(borrow)]
    producer: Option<Cow<'a, str>>,
}

/// A whole number, as a number or as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Whole {
    Number(i64),
    Text(String),
}

impl Whole {
    /// The number; what is none is an error, as it would otherwise be lost without a word.
    fn get<T: TryFrom<i64> + std::str::FromStr>(self, what: &str) -> Result<T, String> {
        let (number, shown) = match self {
            Whole::Number(n) => (T::try_from(n).ok(), n.to_string()),
            Whole::Text(text) => (text.parse().ok(), text),
        };
        number.ok_or_else(|| format!("{what} {shown:?} is no whole number of 64 bits"))
    }
}

impl Audit {
    pub(crate) fn new(scheme: &str, params: &str) -> Result<Audit, String> {
        let auditor = Auditor::new(bind(scheme, params)?);
        Ok(Audit { tally: auditor.tally(), auditor })
    }

    /// Counts records, a JSON array. A place that is none, or a key that cannot be read, is counted as malformed.
    pub(crate) fn add(&mut self, records: &str) -> Result<(), String> {
        let records: Vec<RecordJson<'_>> = serde_json::from_str(records).map_err(|e| format!("records: {e}"))?;
        let domain = self.auditor.placer().scheme().domain;
        for record in records {
            let key = parse_key(record.key.get());
            let found = record.place.and_then(|place| place.coord(domain));
            let (Ok(key), Some(found)) = (key, found) else {
                self.tally.add_malformed();
                continue;
            };
            let (offset, time) = (record.offset, record.time);
            let offset = offset.map(|offset| offset.get("offset")).transpose()?;
            let time = time.map(|time| time.get("timestamp")).transpose()?;
            key.with(|key| {
                let mut found = Record::new(self.tally.records() + 1, key, found);
                found.offset = offset;
                found.time = time;
                found.producer = record.producer.as_deref();
                self.auditor.add(&mut self.tally, &found);
            });
        }
        Ok(())
    }

    /// The report, as JSON; `sample`: the records are a random sample.
    pub(crate) fn report(&mut self, sample: bool) -> String {
        let report = self.auditor.report(&mut self.tally);
        if sample { report.of_random_sample(&mut self.tally).json() } else { report.json() }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an answer is JSON")
}
