//! Whether what a file selects keeps a dataset's contract.

use keyfall_core::{Key, OwnedKey, Placer, Scheme, registry};

use serde::Serialize;

use super::{Partitioner, Selected};
use crate::contract::Dataset;
use crate::vectors;

/// Whether it does, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// Whether it does.
    pub keeps: bool,
    /// What breaks it; or that it is the same, and what differs all the same.
    pub why: String,
}

/// Holds a selection against a dataset; none where it writes nothing.
pub fn judge(selected: &Selected, dataset: &Dataset) -> Option<Kept> {
    let mut broken = Vec::new();
    let mut notes = Vec::new();
    match &selected.partitioner {
        Partitioner::Nothing(_) => return None,
        Partitioner::Unknown(why) => broken.push(why.clone()),
        Partitioner::Unpinned(why) => {
            if !unpinned(dataset) {
                broken.push(format!("{why}: leave it unset"));
            }
        }
        Partitioner::Scheme { ignore_keys: true, .. } => {
            if !unpinned(dataset) {
                broken.push("every key is placed as if it were null: leave partitioner.ignore.keys unset".into());
            }
        }
        Partitioner::Scheme { scheme, partitions, .. } => {
            if unpinned(dataset) && scheme.function != dataset.scheme.function {
                notes.push(format!("{} pins no key, {} does", dataset.scheme.id, scheme.id));
            } else if unpinned(dataset) {
                notes.push(format!("the contract ignores keys, {} does not", scheme.id));
            } else if scheme.function != dataset.scheme.function {
                broken.push(format!(
                    "{} places by {}, {} by {}{}",
                    scheme.id,
                    scheme.rule,
                    dataset.scheme.id,
                    dataset.scheme.rule,
                    mend(scheme, dataset.scheme)
                ));
            } else {
                edges(scheme, dataset, &mut broken, &mut notes);
            }
            let pinned =
                dataset.params.get("partitions").map(|n| n.as_str().map_or_else(|| n.to_string(), String::from));
            if let (Some(is), Some(pinned)) = (partitions, pinned)
                && *is != pinned
            {
                let is = super::shown(is);
                broken.push(format!("partition.topic.num is {is}, the contract has {pinned} partitions"));
            }
        }
    }
    key_form(selected, dataset, &mut broken, &mut notes);
    let keeps = broken.is_empty();
    if keeps {
        broken.push(match &selected.partitioner {
            Partitioner::Scheme { scheme, .. } => format!("same function: {}", scheme.function),
            _ => "no key is pinned there either".into(),
        });
    }
    broken.extend(notes);
    Some(Kept { keeps, why: broken.join("; ") })
}

/// Whether the contract itself leaves keys to the client.
fn unpinned(dataset: &Dataset) -> bool {
    dataset.scheme.function == "random"
        || dataset.params.get("ignore_keys").is_some_and(|value| *value == true || *value == "true")
}

/// What to set in the same client instead.
fn mend(scheme: &Scheme, wanted: &Scheme) -> String {
    match registry::as_done_by(scheme.client, wanted) {
        Some(twin) => format!("; set {}", twin.setting),
        None => format!("; {} has no setting for that", scheme.client),
    }
}

/// Null and empty keys, which twins may treat otherwise: that breaks the contract where a fixture is one.
fn edges(scheme: &'static Scheme, dataset: &Dataset, broken: &mut Vec<String>, notes: &mut Vec<String>) {
    let known = |(name, _): &(&String, &serde_json::Value)| scheme.params.iter().any(|spec| spec.name == **name);
    let params = dataset.params.iter().filter(known).map(|(name, value)| (name.clone(), value.clone())).collect();
    let bound = vectors::params(&params).ok().and_then(|params| Placer::bind(scheme, params).ok());
    let (Some(is), Ok(wanted)) = (bound, dataset.placer()) else { return };
    let place = |placer: &Placer, key: Key<'_>| match placer.place(key) {
        Ok(outcome) => match outcome.place() {
            Some(place) => format!("{} {}", placer.scheme().unit, place.at),
            None => outcome.word().to_string(),
        },
        Err(_) => "rejected".into(),
    };
    let is_edge = |key: &OwnedKey, null: bool| match key {
        OwnedKey::Null => null,
        OwnedKey::Bytes(bytes) => !null && bytes.is_empty(),
        OwnedKey::Text(text) => !null && text.is_empty(),
        OwnedKey::Typed(ty, text) => !null && ty == "string" && text.is_empty(),
        _ => false,
    };
    for (name, key, null) in [("null", Key::Null, true), ("empty", Key::Bytes(b""), false)] {
        let (here, there) = (place(&is, key), place(&wanted, key));
        if here == there {
            continue;
        }
        let difference = format!("{name} keys: {here} here, {there} by the contract");
        match dataset.fixtures.iter().any(|key| is_edge(key, null)) {
            true => broken.push(format!("{difference}, which has one among its fixtures")),
            false => notes.push(difference),
        }
    }
}

/// The serializer against the type of keys.
fn key_form(selected: &Selected, dataset: &Dataset, broken: &mut Vec<String>, notes: &mut Vec<String>) {
    let Some(form) = &selected.key else { return };
    match (form.ty, &dataset.key_type) {
        (Some(is), Some(wanted)) if is == wanted => notes.push(format!("keys are {is}")),
        (Some(is), Some(wanted)) => {
            broken.push(format!("keys are {is}, {wanted} by the contract ({})", form.by));
        }
        (None, Some(wanted)) => broken.push(format!("keys are not {wanted} ({})", form.by)),
        // Without a type fixtures are text or bytes.
        (Some("string"), None) => {}
        (Some(is), None) => notes.push(format!("keys are {is} ({}), the contract has no key_type", form.by)),
        (None, None) => notes.push(format!("how keys are written cannot be told ({})", form.by)),
    }
}
