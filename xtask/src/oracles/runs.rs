//! `vectors/runs/<source>.json`: which cases a source has confirmed, and when.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use keyfall_conform::vectors::{Source, Vectors};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    format: u32,
    source: String,
    name: String,
    version: String,
    schemes: BTreeMap<String, Confirmed>,
}

#[derive(Serialize, Deserialize)]
struct Confirmed {
    /// The day, in UTC, on which it first said all this.
    date: String,
    #[serde(flatten)]
    what: Cases,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct Cases {
    cases: usize,
    /// Of the cases that this source confirms, not of the whole file: a further source does not make it stale.
    sha256: String,
}

fn folder(root: &Path) -> PathBuf {
    root.join("vectors/runs")
}

fn file(root: &Path, source: &str) -> PathBuf {
    folder(root).join(format!("{}.json", source.replace('/', "_")))
}

/// The cases of a file that `source` stands for.
fn cases(source: &str, vectors: &Vectors) -> Cases {
    let mut hash = Sha256::new();
    let mut count = 0;
    for case in vectors.cases.iter().filter(|case| case.sources.iter().any(|s| s == source)) {
        let key: Option<serde_json::Value> = serde_json::from_str(case.key.get()).ok();
        hash.update(json!([key, case.params, case.outcome, case.place, case.hash]).to_string());
        hash.update("\n");
        count += 1;
    }
    Cases { cases: count, sha256: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect() }
}

/// Writes that `source` has just said what these vectors say it does.
pub(crate) fn confirm(root: &Path, source: &Source, vectors: &Vectors) -> anyhow::Result<()> {
    let file = file(root, &source.id);
    let mut run = fs::read_to_string(&file)
        .ok()
        .and_then(|text| serde_json::from_str::<Run>(&text).ok())
        .filter(|run| run.name == source.name && run.version == source.version)
        .unwrap_or_else(|| Run {
            format: 1,
            source: source.id.clone(),
            name: source.name.clone(),
            version: source.version.clone(),
            schemes: BTreeMap::new(),
        });
    let what = cases(&source.id, vectors);
    if run.schemes.get(&vectors.scheme).is_some_and(|before| before.what == what) {
        return Ok(());
    }
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string()[..10].into();
    run.schemes.insert(vectors.scheme.clone(), Confirmed { date, what });
    fs::create_dir_all(folder(root))?;
    fs::write(&file, serde_json::to_string_pretty(&run)? + "\n").with_context(|| file.display().to_string())
}

/// What is wrong with the run files: each case of each source in `asked` must have been confirmed by it as it stands.
pub(crate) fn lint(root: &Path, asked: &[&str], vectors: &[Vectors]) -> anyhow::Result<Vec<String>> {
    let mut wrong = Vec::new();
    let mut runs: BTreeMap<String, Run> = BTreeMap::new();
    for entry in fs::read_dir(folder(root)).into_iter().flatten() {
        let path = entry?.path();
        let shown = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let run: Run = serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| shown.clone())?;
        if file(root, &run.source) != path {
            wrong.push(format!("{shown} is of {}", run.source));
        }
        runs.insert(run.source.clone(), run);
    }
    for vectors in vectors {
        for source in &vectors.sources {
            let of_scheme = runs.get_mut(&source.id).and_then(|run| run.schemes.remove(&vectors.scheme));
            let stale = match &of_scheme {
                Some(confirmed) => confirmed.what != cases(&source.id, vectors),
                None => asked.contains(&source.id.as_str()),
            };
            if stale {
                wrong.push(format!(
                    "{0} has not confirmed its cases of {1} as they stand: ci/oracles --source {0}",
                    source.id, vectors.scheme
                ));
            }
        }
    }
    // What is left is of no vectors.
    for run in runs.values() {
        for scheme in run.schemes.keys() {
            let shown = file(root, &run.source);
            let shown = shown.strip_prefix(root).unwrap_or(&shown).display();
            wrong.push(format!(
                "{shown} tells of {scheme}, of which it has no case: delete it, then ci/oracles --source {}",
                run.source
            ));
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &str = r#"{"format": 1, "scheme": "kafka/java", "unit": "partition",
 "sources": [
  {"id": "a/1", "evidence": "client", "codebase": "a", "name": "a:a", "version": "1", "call": "f", "oracle": "oracles/clients/a"},
  {"id": "b", "evidence": "published", "codebase": "b", "name": "b", "version": "1", "call": "f", "oracle": "a page"}],
 "cases": [
  {"id": 1, "key": {"hex": ""}, "params": {"partitions": 12}, "outcome": "placed", "place": 9, "flags": [], "sources": ["a/1"]},
  {"id": 2, "key": {"hex": "00"}, "params": {"partitions": 12}, "outcome": "placed", "place": 3, "flags": [], "sources": ["b"]}]}
"#;

    #[test]
    fn what_has_changed_since_it_was_confirmed_is_found() {
        let root = std::env::temp_dir().join(format!("keyfall-runs-{}", std::process::id()));
        let findings = |text: &str| lint(&root, &["a/1"], &[Vectors::parse(text).unwrap()]).unwrap().join("\n");
        assert!(findings(VECTORS).contains("a/1 has not confirmed its cases of kafka/java"));

        let vectors = Vectors::parse(VECTORS).unwrap();
        confirm(&root, &vectors.sources[0], &vectors).unwrap();
        assert_eq!(findings(VECTORS), "");
        // The case of another source is not its concern, nor are ids and flags.
        assert_eq!(findings(&VECTORS.replace("\"place\": 3", "\"place\": 4").replace("\"id\": 1", "\"id\": 7")), "");
        for (from, to) in [("\"place\": 9", "\"place\": 8"), ("\"hex\": \"\"", "\"hex\": \"01\""), ("12", "13")] {
            assert!(findings(&VECTORS.replace(from, to)).contains("a/1 has not confirmed"), "{to}");
        }
        assert!(findings(&VECTORS.replace("kafka/java", "kafka/sarama-hash")).contains("tells of kafka/java"));

        fs::remove_dir_all(root).unwrap();
    }
}
