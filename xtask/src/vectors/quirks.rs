//! `vectors/data/quirks.jsonl`: answers of a source that are known to differ from the others' and are told in words. Such
//! a source is left out of the case.

use std::fs;
use std::path::Path;

use anyhow::Context;
use keyfall_conform::vectors::ParamsJson;
use keyfall_core::OwnedKey;
use keyfall_core::wire::{OutcomeJson, parse_key};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

/// An input as JSON, which is what identifies it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) params: String,
    pub(crate) key: String,
}

impl Id {
    pub(crate) fn new(key: &RawValue, params: &ParamsJson) -> Id {
        Id { key: key.get().into(), params: json!(params).to_string() }
    }
}

/// All of them.
#[derive(Default)]
pub(crate) struct Quirks(Vec<Quirk>);

/// One line.
#[derive(Deserialize)]
pub(crate) struct Quirk {
    /// A scheme, or several that begin alike: `kafka/librdkafka-*`.
    scheme: String,
    sources: Vec<String>,
    #[serde(flatten)]
    keys: Keys,
    /// Any params where absent.
    params: Option<serde_json::Value>,
    /// What the source says.
    outcome: String,
    /// Any place where absent.
    place: Option<serde_json::Value>,
    /// Why, for people.
    pub(crate) why: String,
}

/// The keys of a quirk.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Keys {
    /// This one.
    Key(serde_json::Value),
    /// All of a kind.
    Keys(Kind),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    LoneSurrogates,
    /// Keys of no bytes: empty text, in one column or alone.
    EmptyKeys,
    /// Stream ids whose token is -2^63.
    MinimumStreams,
}

impl Kind {
    fn has(&self, key: &OwnedKey) -> bool {
        match (self, key) {
            (Kind::LoneSurrogates, OwnedKey::Utf16(units)) => String::from_utf16(units).is_err(),
            (Kind::EmptyKeys, OwnedKey::Bytes(bytes)) => bytes.is_empty(),
            (Kind::MinimumStreams, OwnedKey::Bytes(bytes)) => bytes.starts_with(&i64::MIN.to_be_bytes()),
            (Kind::EmptyKeys, OwnedKey::Text(text)) => text.is_empty(),
            (Kind::EmptyKeys, OwnedKey::Typed(ty, value)) => value.is_empty() || (ty == "blob" && value == "0x"),
            (Kind::EmptyKeys, OwnedKey::Tuple(parts)) => parts.len() == 1 && self.has(&parts[0]),
            _ => false,
        }
    }
}

impl Quirks {
    pub(crate) fn load(root: &Path) -> anyhow::Result<Quirks> {
        let file = root.join("vectors/data/quirks.jsonl");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let parse = |line| serde_json::from_str(line).with_context(|| format!("{}: {line}", file.display()));
        Ok(Quirks(text.lines().map(parse).collect::<anyhow::Result<_>>()?))
    }

    /// Those of one source under one scheme.
    pub(crate) fn of<'q>(&'q self, scheme: &'q str, source: &'q str) -> impl Iterator<Item = &'q Quirk> {
        self.0.iter().filter(move |quirk| {
            let is_of_scheme = match quirk.scheme.strip_suffix('*') {
                Some(start) => scheme.starts_with(start),
                None => scheme == quirk.scheme,
            };
            is_of_scheme && quirk.sources.iter().any(|s| s == source)
        })
    }
}

impl Quirk {
    /// The input that it is about, where that is a single one.
    pub(crate) fn input(&self) -> Option<(Box<RawValue>, ParamsJson)> {
        let (Keys::Key(key), Some(params)) = (&self.keys, &self.params) else { return None };
        let key = RawValue::from_string(key.to_string()).expect("a value is JSON");
        Some((key, params.as_object()?.clone().into_iter().collect()))
    }

    /// Whether it is about this input.
    pub(crate) fn is_of(&self, id: &Id) -> bool {
        let same = |json: &str, value: &serde_json::Value| {
            serde_json::from_str(json).is_ok_and(|v: serde_json::Value| v == *value)
        };
        let key = match &self.keys {
            Keys::Key(key) => same(&id.key, key),
            Keys::Keys(kind) => parse_key(&id.key).is_ok_and(|key| kind.has(&key)),
        };
        key && self.params.as_ref().is_none_or(|params| same(&id.params, params))
    }

    /// Whether the source says what it is known to say.
    pub(crate) fn says(&self, outcome: &OutcomeJson) -> bool {
        outcome.outcome == self.outcome
            && self.place.as_ref().is_none_or(|place| outcome.place.as_ref().is_some_and(|p| json!(p) == *place))
    }
}
