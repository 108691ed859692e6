//! Asking an adapter about any number of keys: batches of one params each, small enough for its time limit.

use std::collections::BTreeMap;

use keyfall_core::wire::OutcomeJson;
use serde_json::json;
use serde_json::value::RawValue;

use crate::adapter::{Adapter, AdapterError, Answer};
use crate::vectors::ParamsJson;

/// Keys in one batch, and bytes of their JSON.
const MOST_KEYS: usize = 400;
const MOST_BYTES: usize = 1 << 20;

/// An outcome, or why the adapter says nothing about this input.
pub type Said = Result<OutcomeJson, String>;

/// Why an adapter did not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// It failed, and is gone.
    #[error(transparent)]
    Adapter(#[from] AdapterError),
    /// It said that it failed on a batch.
    #[error("{scheme} {params}: {message}")]
    Said {
        /// What was asked.
        scheme: String,
        /// The params, as JSON.
        params: String,
        /// What it said.
        message: String,
    },
}

/// The keys of one params, each with the place of its answer.
type Keys<'a> = Vec<(usize, &'a RawValue)>;

/// Asks about every input, in any order of params; the answers are in the order of the inputs.
///
/// # Errors
/// An adapter that failed.
pub fn ask<'a>(
    adapter: &mut Adapter,
    scheme: &str,
    inputs: impl Iterator<Item = (&'a RawValue, &'a ParamsJson)>,
) -> Result<Vec<Said>, AskError> {
    let mut said = Vec::new();
    ask_each(adapter, scheme, inputs, |at, answer| {
        if said.len() <= at {
            said.resize(at + 1, Err(String::new()));
        }
        said[at] = answer;
    })?;
    Ok(said)
}

/// Asks about every input and hands over each answer with the place of its input, once, in any order: what is kept of a
/// hundred thousand answers is the caller's to say.
///
/// # Errors
/// An adapter that failed.
pub fn ask_each<'a>(
    adapter: &mut Adapter,
    scheme: &str,
    inputs: impl Iterator<Item = (&'a RawValue, &'a ParamsJson)>,
    mut take: impl FnMut(usize, Said),
) -> Result<(), AskError> {
    let mut by_params: BTreeMap<String, (&ParamsJson, Keys<'_>)> = BTreeMap::new();
    let mut inputs = inputs.enumerate().peekable();
    while let Some((_, (_, params))) = inputs.peek() {
        // Most stand beside others of the same params: these are written once.
        let params = *params;
        let (_, keys) = by_params.entry(json!(params).to_string()).or_insert((params, Vec::new()));
        while let Some((at, (key, _))) = inputs.next_if(|(_, (_, own))| std::ptr::eq(*own, params) || *own == params) {
            keys.push((at, key));
        }
    }
    for (params, keys) in by_params.values() {
        for batch in batches(keys) {
            let keys: Vec<&RawValue> = batch.iter().map(|(_, key)| *key).collect();
            match adapter.place(scheme, params, &keys)? {
                Answer::Outcomes(outcomes) => {
                    for ((at, _), outcome) in batch.iter().zip(outcomes) {
                        take(
                            *at,
                            match outcome.outcome.as_str() {
                                "error" => Err(outcome.why.unwrap_or_default()),
                                _ => Ok(outcome),
                            },
                        );
                    }
                }
                Answer::Skipped(reason) => batch.iter().for_each(|(at, _)| take(*at, Err(reason.clone()))),
                Answer::Error(message) => {
                    return Err(AskError::Said { scheme: scheme.into(), params: json!(params).to_string(), message });
                }
            }
        }
    }
    Ok(())
}

/// Consecutive parts of `keys` within the limits; a key over the limit of bytes is a batch of its own.
fn batches<'k, 'a>(keys: &'k [(usize, &'a RawValue)]) -> Vec<&'k [(usize, &'a RawValue)]> {
    let mut batches = Vec::new();
    let (mut first, mut bytes) = (0, 0);
    for (at, (_, key)) in keys.iter().enumerate() {
        bytes += key.get().len();
        if at > first && (at - first == MOST_KEYS || bytes > MOST_BYTES) {
            batches.push(&keys[first..at]);
            (first, bytes) = (at, key.get().len());
        }
    }
    if first < keys.len() {
        batches.push(&keys[first..]);
    }
    batches
}
