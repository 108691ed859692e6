//! What differs between two contracts.

use std::collections::BTreeSet;

use super::{Contract, Dataset};

/// How a dataset changes.
#[derive(Clone, Debug)]
pub struct Changes<'c> {
    /// The dataset's name.
    pub name: &'c str,
    /// As it was; none if it is new.
    pub old: Option<&'c Dataset>,
    /// As it is; none if it is gone.
    pub new: Option<&'c Dataset>,
    /// What changes, each as `[[allow]]` has it: `partitions 12 -> 24`.
    pub changes: Vec<String>,
    /// Whether the new contract allows every change.
    pub allowed: bool,
}

/// The datasets that change. Fixtures and owners may change freely: no key moves.
pub fn changes<'c>(old: &'c Contract, new: &'c Contract) -> Vec<Changes<'c>> {
    let names: BTreeSet<&String> = old.datasets.keys().chain(new.datasets.keys()).collect();
    let mut all = Vec::new();
    for name in names {
        let (was, is) = (old.datasets.get(name), new.datasets.get(name));
        let changes = match (was, is) {
            (Some(was), Some(is)) => between(was, is),
            (Some(_), None) => vec!["removed".into()],
            _ => vec!["added".into()],
        };
        let allows = |change: &String| new.allow.iter().any(|a| a.dataset == **name && a.change == **change);
        let allowed = was.is_none() || changes.iter().all(allows);
        if !changes.is_empty() {
            all.push(Changes { name, old: was, new: is, changes, allowed });
        }
    }
    all
}

fn between(was: &Dataset, is: &Dataset) -> Vec<String> {
    let mut changes = Vec::new();
    if was.scheme.id != is.scheme.id {
        changes.push(format!("scheme {} -> {}", was.scheme.id, is.scheme.id));
    }
    let names: BTreeSet<&String> = was.params.keys().chain(is.params.keys()).collect();
    for name in names {
        let (one, two) = (was.params.get(name), is.params.get(name));
        if one != two {
            let shown = |value: Option<&serde_json::Value>| match value {
                None => "none".to_string(),
                Some(serde_json::Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            };
            changes.push(format!("{name} {} -> {}", shown(one), shown(two)));
        }
    }
    if was.key_type != is.key_type {
        let shown = |ty: &Option<String>| ty.clone().unwrap_or("none".into());
        changes.push(format!("key_type {} -> {}", shown(&was.key_type), shown(&is.key_type)));
    }
    changes
}
