//! The smallest key, and the smallest number of places, that show a difference.

use keyfall_core::wire::{self, OutcomeJson};
use keyfall_core::{Domain, OwnedKey, ParamKind, Placer, registry};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Failure, Suite};
use crate::adapter::Adapter;
use crate::ask::{AskError, ask};
use crate::vectors::{self, ParamsJson};

/// A key, and params, that show a difference.
#[derive(Clone, Debug, Serialize)]
pub struct Smallest {
    /// The key.
    pub key: Box<RawValue>,
    /// The params.
    pub params: ParamsJson,
    /// Where keyfall puts it.
    pub expected: OutcomeJson,
    /// What the client said.
    pub got: OutcomeJson,
}

/// So many keys are tried at once: all parts of a key of 22 characters.
const MOST: usize = 256;

/// The greatest count that is tried from 1.
const MOST_PLACES: u64 = 64;

/// Looks for a smaller key and a smaller count than those of `failure` that still show a difference between the client
/// and keyfall, whose own answers are what is expected here: no real system was asked about these keys.
///
/// # Errors
/// An adapter that fails.
pub fn shrink(adapter: &mut Adapter, suite: &Suite, failure: &Failure) -> Result<Smallest, AskError> {
    // It is the smallest one itself if nothing smaller shows anything.
    let (expected, got) = (failure.expected.clone(), failure.got.clone());
    let mut best = Smallest { key: failure.key.clone(), params: (*failure.params).clone(), expected, got };
    let (mut key, mut params) = (failure.key.clone(), (*failure.params).clone());
    // A smaller count may be shown by a smaller key, and that by a smaller count.
    for _ in 0..3 {
        let candidates = smaller_keys(&key).into_iter().map(|key| (key, params.clone()));
        let by_key = first_that_differs(adapter, suite, candidates.collect())?;
        if let Some(smallest) = &by_key {
            key = smallest.key.clone();
        }
        let candidates = smaller_counts(suite, &params).into_iter().map(|params| (key.clone(), params));
        let by_count = first_that_differs(adapter, suite, candidates.collect())?;
        if let Some(smallest) = &by_count {
            params = smallest.params.clone();
        }
        let done = by_key.is_none() && by_count.is_none();
        best = by_count.or(by_key).unwrap_or(best);
        if done {
            break;
        }
    }
    Ok(best)
}

fn first_that_differs(
    adapter: &mut Adapter,
    suite: &Suite,
    candidates: Vec<(Box<RawValue>, ParamsJson)>,
) -> Result<Option<Smallest>, AskError> {
    let Ok(scheme) = registry::scheme(&suite.scheme) else { return Ok(None) };
    let said = ask(adapter, &suite.asked, candidates.iter().map(|(key, params)| (&**key, params)))?;
    for ((key, params), said) in candidates.into_iter().zip(said) {
        let Ok(got) = said else { continue };
        let placer = vectors::params(&params).ok().and_then(|params| Placer::bind(scheme, params).ok());
        let (Some(placer), Ok(owned)) = (placer, wire::parse_key(key.get())) else { continue };
        let outcome = owned.with(|key| placer.place(key));
        let expected = OutcomeJson::new(&placer, &outcome);
        if outcome.is_ok() && (expected.outcome != got.outcome || expected.place != got.place) {
            return Ok(Some(Smallest { key, params, expected, got }));
        }
    }
    Ok(None)
}

/// Parts of a key of bytes or text that are smaller, the smallest ones first, and plain ones before others.
fn smaller_keys(key: &RawValue) -> Vec<Box<RawValue>> {
    fn parts<T: Clone>(units: &[T], join: impl Fn(&[T]) -> OwnedKey) -> Vec<OwnedKey> {
        let lengths = (0..units.len()).flat_map(|length| (0..=units.len() - length).map(move |at| (at, length)));
        lengths.take(MOST).map(|(at, length)| join(&units[at..at + length])).collect()
    }
    let keys = match wire::parse_key(key.get()) {
        Ok(OwnedKey::Text(text)) => {
            let chars: Vec<char> = text.chars().collect();
            parts(&chars, |chars| OwnedKey::Text(chars.iter().collect()))
        }
        Ok(OwnedKey::Bytes(bytes)) => parts(&bytes, |bytes| OwnedKey::Bytes(bytes.into())),
        _ => Vec::new(),
    };
    keys.iter().map(|key| key.with(vectors::key_json)).collect()
}

/// The params with each smaller number of places.
fn smaller_counts(suite: &Suite, params: &ParamsJson) -> Vec<ParamsJson> {
    let Ok(scheme) = registry::scheme(&suite.scheme) else { return Vec::new() };
    let count = scheme.params.iter().find(|spec| spec.required && matches!(spec.kind, ParamKind::Number { .. }));
    let (Domain::Index, Some(count)) = (scheme.domain, count) else { return Vec::new() };
    let Some(now) = params.get(count.name).and_then(serde_json::Value::as_u64) else { return Vec::new() };
    let smaller = (1..now.min(MOST_PLACES + 1)).map(|n| {
        let mut params = params.clone();
        params.insert(count.name.into(), n.into());
        params
    });
    smaller.collect()
}
