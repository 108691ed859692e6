//! `vectors/runs/<source>.json`: when a source was last asked, and about which cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Context;
use keyfall_conform::oracle::OracleSource;
use keyfall_conform::vectors::Vectors;
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
    /// The day, in UTC.
    date: String,
    schemes: BTreeMap<String, Checked>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    cases: usize,
    /// Of the cases that this source confirmed, not of the whole file: a further source does not make it stale.
    sha256: String,
}

fn folder() -> PathBuf {
    crate::root().join("vectors/runs")
}

fn checked(source: &str, file: &Vectors) -> Checked {
    let mut hash = Sha256::new();
    let mut cases = 0;
    for case in file.cases.iter().filter(|case| case.sources.iter().any(|s| s == source)) {
        let line = json!([
            serde_json::from_str::<serde_json::Value>(case.key.get()).ok(),
            case.params,
            case.outcome,
            case.place,
            case.hash
        ]);
        hash.update(line.to_string());
        hash.update("\n");
        cases += 1;
    }
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Checked { cases, sha256 }
}

fn schemes(source: &str, vectors: &[Vectors]) -> BTreeMap<String, Checked> {
    let of = vectors.iter().filter(|file| file.sources.iter().any(|s| s.id == source));
    of.map(|file| (file.scheme.clone(), checked(source, file))).collect()
}

/// Writes what `source` has just confirmed. A run that confirmed the same cases before keeps its date.
pub(super) fn write(source: &OracleSource, vectors: &[Vectors]) -> anyhow::Result<()> {
    let file = folder().join(format!("{}.json", source.id.replace('/', "_")));
    let run = Run {
        format: 1,
        source: source.id.clone(),
        name: source.name.clone(),
        version: source.version.clone(),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string()[..10].into(),
        schemes: schemes(&source.id, vectors),
    };
    let before = fs::read_to_string(&file).ok().and_then(|text| serde_json::from_str::<Run>(&text).ok());
    if before.is_some_and(|before| before.schemes == run.schemes && before.version == run.version) {
        return Ok(());
    }
    fs::create_dir_all(folder())?;
    fs::write(&file, serde_json::to_string_pretty(&run)? + "\n").with_context(|| file.display().to_string())
}

/// What is wrong with the run files: stale ones, and those of sources that no vector names.
pub(crate) fn lint(vectors: &[Vectors]) -> anyhow::Result<Vec<String>> {
    let mut wrong = Vec::new();
    let Ok(files) = fs::read_dir(folder()) else { return Ok(wrong) };
    for file in files {
        let path = file?.path();
        let name = path.display().to_string();
        let text = fs::read_to_string(&path).with_context(|| name.clone())?;
        let run: Run = serde_json::from_str(&text).with_context(|| name.clone())?;
        if run.schemes != schemes(&run.source, vectors) {
            wrong.push(format!(
                "{name} is stale: the cases of {0} have changed since it was asked; run `cargo xtask oracles all --source {0}`",
                run.source
            ));
        }
    }
    Ok(wrong)
}
