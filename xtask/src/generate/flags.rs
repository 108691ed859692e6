//! `vectors/FLAGS.md`: each flag, what it means, the mistakes behind it, and who has run into them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Context;
use keyfall_core::registry;
use serde::Deserialize;

use crate::mistakes;

const INTRODUCTION: &str = "\
# Flags

<!-- Written by `cargo xtask gen` from data/flags.json, data/bugs.jsonl, data/threads.jsonl and xtask/src/mistakes. -->

A flag names a class of mistakes. A case that fails in a port which makes such a mistake carries the flag, so the flag whose
cases are the failing ones, no more and no fewer, says what went wrong. A case may carry many: without the seed, nearly
every key falls elsewhere.
";

/// A report that somebody made in public.
#[derive(Deserialize)]
struct Thread {
    id: String,
    url: String,
    symptom: String,
    flag: Option<String>,
}

/// The file's text.
pub(crate) fn text(root: &Path) -> anyhow::Result<String> {
    let data = root.join("vectors/data");
    let read = |name: &str| fs::read_to_string(data.join(name)).with_context(|| name.to_string());
    let meanings: BTreeMap<String, String> = serde_json::from_str(&read("flags.json")?)?;
    let mut threads: BTreeMap<String, Vec<Thread>> = BTreeMap::new();
    for line in format!("{}{}", read("bugs.jsonl")?, read("threads.jsonl")?).lines() {
        let thread: Thread = serde_json::from_str(line).with_context(|| line.to_string())?;
        if let Some(flag) = &thread.flag {
            threads.entry(flag.clone()).or_default().push(thread);
        }
    }
    let mistakes = mistakes();
    let mut out = String::from(INTRODUCTION);
    for (flag, meaning) in &meanings {
        write!(out, "\n## {flag}\n{meaning}.\n\n")?;
        match mistakes.get(flag.as_str()) {
            None => out.push_str("No scheme has cases for it yet.\n"),
            Some(mistakes) => {
                out.push_str("Mistakes that its cases catch:\n");
                for what in mistakes {
                    writeln!(out, "- {what}")?;
                }
            }
        }
        match threads.get(flag) {
            None => out.push_str("\nNo public thread known.\n"),
            Some(threads) => {
                out.push_str("\nUpstream threads:\n");
                for thread in threads {
                    writeln!(out, "- [{}]({}): {}", thread.id, thread.url, thread.symptom)?;
                }
            }
        }
    }
    Ok(out)
}

/// The mistakes behind each flag, over all schemes.
fn mistakes() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut all: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mistake in registry::schemes().flat_map(mistakes::table) {
        all.entry(mistake.flag).or_default().insert(mistake.what);
    }
    all
}
