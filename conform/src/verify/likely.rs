//! What is behind wrong answers: another function of the system, or a mistake that has a flag.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use keyfall_core::wire::PlaceJson;
use keyfall_core::{Outcome, Placer, Scheme, registry};

use super::Answer;
use crate::diagnosis;
use crate::vectors;

/// Flags, and what each one means.
static FLAGS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../vectors/data/flags.json")).expect("an object of strings")
});

/// How well a flag's cases must coincide with those that failed for the flag to be named.
const LIKE: f64 = 0.8;

/// Says what is likely behind the answers that are wrong.
pub(super) fn likely(scheme: &str, answers: &[Answer<'_>]) -> Option<String> {
    other_function(scheme, answers).or_else(|| mistake(answers))
}

/// The function of the system that agrees with every answer, if there is one.
fn other_function(scheme: &str, answers: &[Answer<'_>]) -> Option<String> {
    let scheme = registry::scheme(scheme).ok()?;
    let placed: Vec<_> = answers.iter().filter_map(|answer| Some((answer.case, answer.place()?))).collect();
    if !answers.iter().any(|answer| answer.wrong.is_some_and(|got| got.place.is_some())) {
        return None;
    }
    let mut rivals: BTreeMap<String, Vec<Placer>> = BTreeMap::new();
    // Each function that agrees so far, and on how many keys that it places itself. One that is out stays out.
    let mut left: Option<Vec<(&'static Scheme, usize)>> = None;
    for (case, place) in &placed {
        let params = serde_json::to_string(&case.params).ok()?;
        let rivals = rivals.entry(params).or_insert_with(|| {
            let bound = vectors::params(&case.params).ok().and_then(|params| Placer::bind(scheme, params).ok());
            bound.map_or(Vec::new(), |placer| placer.rivals())
        });
        let key = case.key().ok()?;
        let agreeing = rivals.iter().filter_map(|rival| {
            let before = match &left {
                None => 0,
                Some(left) => left.iter().find(|(scheme, _)| scheme.id == rival.scheme().id)?.1,
            };
            match key.with(|key| rival.place(key)) {
                Ok(Outcome::Placed(own)) if PlaceJson::new(&own.at) == **place => Some((rival.scheme(), before + 1)),
                // What one client of a function leaves to chance, the empty key most often, another one places.
                Ok(Outcome::Unpinned(_)) => Some((rival.scheme(), before)),
                _ => None,
            }
        });
        left = Some(agreeing.collect());
    }
    let (rival, agrees) = left?.into_iter().find(|(_, agrees)| 2 * agrees > placed.len())?;
    let function = rival.function;
    Some(format!(
        "agrees with {function} on all {agrees} keys that both place: {}{}",
        whose(rival),
        mend(rival, scheme)
    ))
}

/// Whose function it is: the clients that have it by default, or else all that can be told to.
fn whose(scheme: &Scheme) -> String {
    let twins = || registry::twins(scheme);
    let defaults = twins().filter(|twin| twin.default).map(|twin| format!("{}'s default ({})", twin.client, twin.id));
    let defaults: Vec<String> = defaults.collect();
    if defaults.is_empty() {
        return twins().map(|twin| twin.id).collect::<Vec<_>>().join(", ");
    }
    defaults.join(", ")
}

/// What to set in the clients that have a function by default, so that they do what is wanted.
fn mend(rival: &Scheme, wanted: &Scheme) -> String {
    let clients = registry::twins(rival).filter(|twin| twin.default).map(|twin| twin.client);
    let settings = clients.filter_map(|client| Some((client, registry::as_done_by(client, wanted)?.setting)));
    let settings: Vec<String> = settings.map(|(client, setting)| format!("in {client} set {setting}")).collect();
    if settings.is_empty() { String::new() } else { format!("; to mend it, {}", settings.join(", ")) }
}

/// The mistake whose cases are those that failed.
fn mistake(answers: &[Answer<'_>]) -> Option<String> {
    let suspects = diagnosis::suspects(answers.iter().map(|answer| (answer.case, answer.wrong.is_some())));
    let first = suspects.into_iter().find(|suspect| suspect.likeness() >= LIKE)?;
    let means = FLAGS.get(first.flag).map_or(String::new(), |means| format!(" ({means})"));
    let diagnosis::Suspect { flag, failed, cases, failures, .. } = first;
    Some(format!("{failed} of {failures} failures are among the {cases} cases of {flag}{means}"))
}
