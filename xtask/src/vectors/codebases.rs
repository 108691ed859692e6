//! Whether a scheme's cases rest on one codebase or on several, and why on one: `vectors/data/one-codebase.jsonl`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Context;
use keyfall_conform::oracle::Oracle;
use keyfall_conform::vectors::Vectors;
use keyfall_core::registry;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    scheme: String,
    why: String,
}

/// The codebases that computed cases of a file, and how many cases were computed by more than one.
pub(crate) fn of(file: &Vectors) -> (BTreeSet<&str>, usize) {
    let codebase: BTreeMap<&str, &str> = file.sources.iter().map(|s| (s.id.as_str(), s.codebase.as_str())).collect();
    let of_case = |sources: &[String]| sources.iter().filter_map(|s| codebase.get(s.as_str())).collect::<BTreeSet<_>>();
    let several = file.cases.iter().filter(|case| of_case(&case.sources).len() > 1).count();
    (codebase.values().copied().collect(), several)
}

/// Why a scheme has one codebase alone.
pub(crate) fn reasons() -> anyhow::Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(crate::root().join("vectors/data/one-codebase.jsonl"))?;
    let rows = text.lines().map(|line| serde_json::from_str::<Row>(line).with_context(|| line.to_string()));
    rows.map(|row| row.map(|row| (row.scheme, row.why))).collect()
}

/// Schemes with one codebase and no reason, or the reverse; twins that are none.
pub(super) fn lint(vectors: &[Vectors], oracles: &[Oracle]) -> anyhow::Result<Vec<String>> {
    const DATA: &str = "vectors/data/one-codebase.jsonl";
    let mut wrong = Vec::new();
    let mut reasons = reasons()?;
    for file in vectors {
        let (codebases, _) = of(file);
        match (codebases.len(), reasons.remove(&file.scheme)) {
            (1, None) => wrong.push(format!(
                "{}: one codebase, {}, computed its cases: ask a second one, or write into {DATA} why there is none",
                file.scheme,
                codebases.first().unwrap_or(&"")
            )),
            (2.., Some(_)) => wrong.push(format!("{DATA}: {} has several codebases now: delete its line", file.scheme)),
            _ => {}
        }
    }
    wrong.extend(reasons.keys().map(|scheme| format!("{DATA}: {scheme} has no vectors")));
    for source in oracles.iter().flat_map(|oracle| &oracle.sources) {
        for (scheme, own) in &source.twins {
            let function = |id: &str| registry::scheme(id).map(|scheme| scheme.function);
            if !source.schemes.contains_key(own) || function(scheme).ok() != function(own).ok() {
                wrong.push(format!("{}: {own}, which it answers for, is no twin of {scheme}", source.id));
            }
        }
    }
    Ok(wrong)
}
