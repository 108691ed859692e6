//! `cli/src/generated/evidence.json`: who computed the vectors of each scheme. `explain` and `schemes` show it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use keyfall_conform::vectors::Vectors;
use keyfall_core::Evidence;
use serde::Serialize;

/// What computed vectors, all its versions together.
#[derive(Serialize)]
struct Source<'v> {
    evidence: &'static str,
    name: &'v str,
    versions: Vec<&'v str>,
    cases: usize,
}

/// The file's text: a line for each scheme that has vectors.
pub(crate) fn text(root: &Path) -> anyhow::Result<String> {
    let mut lines = BTreeMap::new();
    for path in files(&root.join("vectors"))? {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let vectors = Vectors::parse(&text).with_context(|| path.display().to_string())?;
        let sources = sources(&vectors).with_context(|| path.display().to_string())?;
        lines.insert(vectors.scheme.clone(), serde_json::to_string(&sources)?);
    }
    let mut out = String::from("{");
    for (i, (scheme, sources)) in lines.iter().enumerate() {
        write!(out, "{}\n  {scheme:?}: {sources}", if i == 0 { "" } else { "," })?;
    }
    out.push_str("\n}\n");
    Ok(out)
}

/// The vector files: `<system>/<variant>.json`.
fn files(vectors: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in fs::read_dir(vectors).with_context(|| vectors.display().to_string())? {
        let folder = folder?.path();
        let system = folder.file_name().and_then(|name| name.to_str()).and_then(keyfall_core::registry::system);
        if system.is_none() {
            continue;
        }
        for file in fs::read_dir(folder)? {
            let file = file?.path();
            if file.extension().is_some_and(|ext| ext == "json") {
                files.push(file);
            }
        }
    }
    Ok(files)
}

/// The sources of a file, strongest evidence first.
fn sources(vectors: &Vectors) -> anyhow::Result<Vec<Source<'_>>> {
    let mut by_name: BTreeMap<(Evidence, &str), Vec<(&str, &str)>> = BTreeMap::new();
    for source in &vectors.sources {
        let evidence = Evidence::ALL.into_iter().find(|kind| kind.word() == source.evidence);
        let evidence = evidence.with_context(|| format!("unknown evidence {:?}", source.evidence))?;
        by_name.entry((evidence, &source.name)).or_default().push((&source.id, &source.version));
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
