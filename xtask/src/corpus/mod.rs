//! The corpus: which keys and params every source of a scheme is asked about. Fixed, so that a recording can be made
//! again; it holds inputs alone, never an expected value.

mod cassandra;
mod elasticsearch;
mod kafka;
mod keys;
mod mined;
mod redis;
mod scylla;

use std::collections::HashSet;

use keyfall_conform::vectors::{ParamsJson, key_json};
use keyfall_core::{OwnedKey, Scheme};
use serde_json::json;

pub(crate) use mined::Mined;

/// An input: what becomes a case once a source has answered.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The key.
    pub(crate) key: OwnedKey,
    /// The params.
    pub(crate) params: ParamsJson,
}

/// The inputs of one scheme, in order, each once.
#[derive(Default)]
pub(crate) struct Corpus {
    inputs: Vec<Input>,
    seen: HashSet<(String, String)>,
}

impl Corpus {
    /// The inputs for `scheme`; none where its system has no corpus yet.
    pub(crate) fn of(scheme: &Scheme, data: &Data) -> Vec<Input> {
        let mut corpus = Corpus::default();
        match scheme.system() {
            "kafka" => kafka::fill(&mut corpus, scheme, data),
            "redis" => redis::fill(&mut corpus, data),
            "cassandra" => cassandra::fill(&mut corpus, data),
            "scylla" => scylla::fill(&mut corpus, scheme, data),
            "elasticsearch" | "opensearch" => elasticsearch::fill(&mut corpus, scheme, data),
            _ => {}
        }
        for case in &data.field_cases {
            if case.scheme == scheme.id {
                corpus.add(case.key.clone(), case.params.clone());
            }
        }
        corpus.inputs
    }

    fn add(&mut self, key: OwnedKey, params: ParamsJson) {
        let id = (key.with(key_json).get().to_string(), json!(params).to_string());
        if self.seen.insert(id) {
            self.inputs.push(Input { key, params });
        }
    }

    /// Adds each key with the next of `all` params, which go round.
    fn spread(&mut self, keys: impl IntoIterator<Item = OwnedKey>, all: &[ParamsJson]) {
        for (key, params) in keys.into_iter().zip(all.iter().cycle()) {
            self.add(key, params.clone());
        }
    }

    /// Adds each key with each of `all` params.
    fn cross(&mut self, keys: impl IntoIterator<Item = OwnedKey>, all: &[ParamsJson]) {
        for key in keys {
            for params in all {
                self.add(key.clone(), params.clone());
            }
        }
    }
}

/// Params of whole numbers.
fn params<const N: usize>(numbers: [(&str, u64); N]) -> ParamsJson {
    numbers.into_iter().map(|(name, n)| (name.to_string(), json!(n))).collect()
}

/// What the corpus takes from data files.
pub(crate) struct Data {
    /// Keys whose hash is at an end of its range.
    pub(crate) mined: Mined,
    /// Keys that people have reported in public.
    pub(crate) field_cases: Vec<FieldCase>,
}

/// A key that somebody has reported in public. Only the input is used here.
pub(crate) struct FieldCase {
    scheme: String,
    key: OwnedKey,
    params: ParamsJson,
}

impl Data {
    pub(crate) fn load() -> anyhow::Result<Data> {
        let field_cases = std::fs::read_to_string(crate::root().join("vectors/data/field-cases.jsonl"))?;
        let mut cases = Vec::new();
        for line in field_cases.lines() {
            #[derive(serde::Deserialize)]
            struct Row<'a> {
                scheme: Option<String>,
                #[serde(borrow)]
                key: &'a serde_json::value::RawValue,
                #[serde(default)]
                params: ParamsJson,
            }
            let row: Row<'_> = serde_json::from_str(line)?;
            if let Some(scheme) = row.scheme {
                cases.push(FieldCase {
                    scheme,
                    key: keyfall_core::wire::parse_key(row.key.get())?,
                    params: row.params,
                });
            }
        }
        Ok(Data { mined: Mined::load()?, field_cases: cases })
    }
}
