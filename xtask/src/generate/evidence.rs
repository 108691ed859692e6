//! `cli/src/generated/evidence.json`: who computed the vectors of each scheme. `explain` and `schemes` show it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Context;
use keyfall_conform::vectors::Vectors;
use keyfall_core::Evidence;
use serde::Serialize;

/// What computed vectors, all its versions together.
#[derive(Serialize)]
struct Source<'v> {
    evidence: &'static str,
    /// With the scheme that it was asked as, where that is a twin.
    name: String,
    versions: Vec<&'v str>,
    cases: usize,
}

/// The file's text: a line for each scheme that has vectors.
pub(crate) fn text(vectors: &[Vectors]) -> anyhow::Result<String> {
    let mut lines = BTreeMap::new();
    for file in vectors {
        let sources = sources(file).with_context(|| file.scheme.clone())?;
        lines.insert(file.scheme.clone(), serde_json::to_string(&sources)?);
    }
    let mut out = String::from("{");
    for (i, (scheme, sources)) in lines.iter().enumerate() {
        write!(out, "{}\n  {scheme:?}: {sources}", if i == 0 { "" } else { "," })?;
    }
    out.push_str("\n}\n");
    Ok(out)
}

/// The sources of a file, strongest evidence first.
fn sources(vectors: &Vectors) -> anyhow::Result<Vec<Source<'_>>> {
    let mut by_name: BTreeMap<(Evidence, String), Vec<(&str, &str)>> = BTreeMap::new();
    for source in &vectors.sources {
        let evidence = Evidence::ALL.into_iter().find(|kind| kind.word() == source.evidence);
        let evidence = evidence.with_context(|| format!("unknown evidence {:?}", source.evidence))?;
        let name = match source.asked_as() {
            Some(twin) => format!("{} ({twin})", source.name),
            None => source.name.clone(),
        };
        by_name.entry((evidence, name)).or_default().push((&source.id, &source.version));
    }
    let merged = by_name.into_iter().map(|((evidence, name), sources)| {
        let ids: BTreeSet<&str> = sources.iter().map(|(id, _)| *id).collect();
        let cases = vectors.cases.iter().filter(|case| case.sources.iter().any(|id| ids.contains(id.as_str()))).count();
        // In the order of the file, once each: two calls of one version are two sources.
        let mut versions: Vec<&str> = Vec::new();
        for (_, version) in sources {
            if !versions.contains(&version) {
                versions.push(version);
            }
        }
        Source { evidence: evidence.word(), name, versions, cases }
    });
    Ok(merged.collect())
}
