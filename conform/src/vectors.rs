//! Vector files: `vectors/<system>/<variant>.json`, the golden cases of one scheme.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use keyfall_core::wire::{self, OutcomeJson, PlaceJson};
use keyfall_core::{Error, Key, KeyError, OwnedKey, Params};
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The format's version.
pub const FORMAT: u32 = 1;

/// Params as a vector file has them, in the order of their names.
pub type ParamsJson = BTreeMap<String, serde_json::Value>;

/// One vector file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vectors {
    /// [`FORMAT`].
    pub format: u32,
    /// The scheme whose cases these are.
    pub scheme: String,
    /// What a place is.
    pub unit: String,
    /// Who computed them.
    pub sources: Vec<Source>,
    /// The cases.
    #[serde(deserialize_with = "cases")]
    pub cases: Vec<Case>,
}

/// A real system or client that computed cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its id, unique over all oracles.
    pub id: String,
    /// How its answers are known: server, client, emulator, published, derived.
    pub evidence: String,
    /// Where its code comes from. Two sources are independent only if these differ.
    pub codebase: String,
    /// The artifact.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What was called.
    pub call: String,
    /// The folder of the oracle that asked it.
    pub oracle: String,
}

/// What stands between the call of a twin and the scheme that it was asked as.
pub(crate) const ASKED_AS: &str = ", asked as ";

impl Source {
    /// The scheme that it was asked as, where that is a twin of the file's: another client's, with the same function.
    pub fn asked_as(&self) -> Option<&str> {
        self.call.rsplit_once(ASKED_AS).map(|(_, scheme)| scheme)
    }
}

/// One golden case. What many cases of a file have in common, params and sources, they share.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// Its number, unique in the file.
    pub id: u32,
    /// The key, as it stands: [`Case::key`] reads it.
    pub key: Box<RawValue>,
    /// The params.
    pub params: Arc<ParamsJson>,
    /// placed, unpinned, rejected or refused.
    pub outcome: String,
    /// Where it falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceJson>,
    /// The last integer before the map, where a source shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The mistakes under which this case fails, by name.
    pub flags: Vec<String>,
    /// The ids of the sources that computed it.
    pub sources: Arc<[String]>,
}

/// A case as it stands in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseText<'t> {
    id: u32,
    key: Box<RawValue>,
    #[serde(borrow)]
    params: &'t RawValue,
    outcome: String,
    place: Option<PlaceJson>,
    hash: Option<String>,
    flags: Vec<String>,
    #[serde(borrow)]
    sources: &'t RawValue,
}

/// Reads cases. One whose params or sources are spelled as those of the case before it shares them: a lock may have a
/// hundred thousand cases of one dataset.
fn cases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Case>, D::Error> {
    struct Cases;
    impl<'de> Visitor<'de> for Cases {
        type Value = Vec<Case>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of cases")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<Case>, A::Error> {
            let mut cases: Vec<Case> = Vec::new();
            let (mut params_text, mut sources_text) = ("", "");
            while let Some(text) = items.next_element::<CaseText<'de>>()? {
                let before = cases.last();
                let params = match before {
                    Some(before) if text.params.get() == params_text => Arc::clone(&before.params),
                    _ => Arc::new(parse("params", text.params)?),
                };
                let sources = match before {
                    Some(before) if text.sources.get() == sources_text => Arc::clone(&before.sources),
                    _ => parse::<Vec<String>, _>("sources", text.sources)?.as_slice().into(),
                };
                (params_text, sources_text) = (text.params.get(), text.sources.get());
                let CaseText { id, key, outcome, place, hash, flags, .. } = text;
                cases.push(Case { id, key, params, outcome, place, hash, flags, sources });
            }
            Ok(cases)
        }
    }
    fn parse<'t, T: Deserialize<'t>, E: serde::de::Error>(name: &str, text: &'t RawValue) -> Result<T, E> {
        serde_json::from_str(text.get()).map_err(|error| E::custom(format!("{name}: {error}")))
    }
    deserializer.deserialize_seq(Cases)
}

impl Case {
    /// The key.
    ///
    /// # Errors
    /// JSON that is no KEY.
    pub fn key(&self) -> Result<OwnedKey, KeyError> {
        wire::parse_key(self.key.get())
    }

    /// The params.
    ///
    /// # Errors
    /// Values that no param has.
    pub fn params(&self) -> Result<Params, Error> {
        params(&self.params)
    }

    /// What is different in `got`: outcome and place always count, the hash where the case has one. None is agreement.
    pub fn difference(&self, got: &OutcomeJson) -> Option<&'static str> {
        if got.outcome != self.outcome {
            Some("outcome")
        } else if got.place != self.place {
            Some("place")
        } else if self.hash.is_some() && got.hash.is_some() && got.hash != self.hash {
            Some("hash")
        } else {
            None
        }
    }
}

/// Params for a placer from those of a vector file.
///
/// # Errors
/// Values that no param has.
pub fn params(params: &ParamsJson) -> Result<Params, Error> {
    wire::parse_params(&serde_json::to_string(params).expect("a map with string keys"))
}

/// A key as a vector file has it.
pub fn key_json(key: Key<'_>) -> Box<RawValue> {
    RawValue::from_string(spaced(&wire::KeyJson(key))).expect("JSON was just written")
}

/// Writes a key as a vector file has it over what `out` holds: for one that asks about very many.
pub(crate) fn write_key(key: Key<'_>, out: &mut Vec<u8>) {
    out.clear();
    write_spaced(&wire::KeyJson(key), out);
}

impl Vectors {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Text of another form or format.
    pub fn parse(text: &str) -> serde_json::Result<Vectors> {
        let vectors: Vectors = serde_json::from_str(text)?;
        if vectors.format != FORMAT {
            let message = format!("format {}, known is {FORMAT}", vectors.format);
            return Err(serde_json::Error::custom(message));
        }
        Ok(vectors)
    }

    /// Writes the file: a line for each source and each case.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let (format, scheme, unit) = (self.format, spaced(&self.scheme), spaced(&self.unit));
        write!(out, "{{\"format\": {format}, \"scheme\": {scheme}, \"unit\": {unit},\n \"sources\": [")?;
        write_lines(&mut out, &self.sources)?;
        write!(out, "],\n \"cases\": [")?;
        write_lines(&mut out, &self.cases)?;
        writeln!(out, "]}}")
    }
}

fn write_lines<T: Serialize>(out: &mut impl Write, items: &[T]) -> io::Result<()> {
    for (i, item) in items.iter().enumerate() {
        write!(out, "{}\n  {}", if i == 0 { "" } else { "," }, spaced(item))?;
    }
    Ok(())
}

/// JSON on one line, with a space after each colon and comma.
fn spaced(value: &(impl Serialize + ?Sized)) -> String {
    let mut out = Vec::new();
    write_spaced(value, &mut out);
    String::from_utf8(out).expect("JSON is UTF-8")
}

fn write_spaced(value: &(impl Serialize + ?Sized), out: &mut Vec<u8>) {
    struct Spaced;
    impl serde_json::ser::Formatter for Spaced {
        fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
            if first { Ok(()) } else { out.write_all(b", ") }
        }
        fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
            self.begin_array_value(out, first)
        }
        fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
            out.write_all(b": ")
        }
    }
    let mut serializer = serde_json::Serializer::with_formatter(out, Spaced);
    value.serialize(&mut serializer).expect("no map has other keys than strings, and a Vec takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"format": 1, "scheme": "kafka/java", "unit": "partition",
 "sources": [
  {"id": "a-1", "evidence": "client", "codebase": "a", "name": "a:a", "version": "1", "call": "f", "oracle": "oracles/clients/a"}],
 "cases": [
  {"id": 1, "key": {"hex": ""}, "params": {"partitions": 12}, "outcome": "placed", "place": 9, "hash": "275646681", "flags": ["empty-key"], "sources": ["a-1"]},
  {"id": 2, "key": {"fields": {"x": 1.00}}, "params": {"nodes": ["a", "b"]}, "outcome": "unpinned", "flags": [], "sources": ["a-1"]}]}
"#;

    #[test]
    fn a_file_is_written_as_it_was_read() {
        let mut out = Vec::new();
        Vectors::parse(FILE).unwrap().write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), FILE);
    }

    #[test]
    fn other_formats_and_members_are_refused() {
        for (from, to, said) in [
            ("\"format\": 1", "\"format\": 2", "format 2"),
            ("\"unit\"", "\"unity\"", "unity"),
            ("\"flags\"", "\"flag\"", "flag"),
        ] {
            let error = Vectors::parse(&FILE.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_hash_is_compared_where_both_have_one() {
        let case = &Vectors::parse(FILE).unwrap().cases[0];
        let got = |place: PlaceJson, hash: Option<&str>| OutcomeJson {
            outcome: "placed".into(),
            place: Some(place),
            hash: hash.map(Into::into),
            ..OutcomeJson::default()
        };
        assert_eq!(case.difference(&got(PlaceJson::Number(9), None)), None);
        assert_eq!(case.difference(&got(PlaceJson::Number(9), Some("1"))), Some("hash"));
        assert_eq!(case.difference(&got(PlaceJson::Text("9".into()), None)), Some("place"));
        assert_eq!(case.difference(&OutcomeJson::error("x")), Some("outcome"));
    }
}
