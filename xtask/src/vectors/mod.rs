//! `cargo xtask vectors`: golden files.

pub(crate) mod codebases;
mod flag;
mod lint;
pub(crate) mod quirks;
mod record;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Subcommand;
use keyfall_conform::vectors::Vectors;
use keyfall_core::registry;

use crate::corpus::Mined;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Asks real systems about the corpus and writes their golden files.
    Record(record::Options),
    /// Checks the golden files: form, ids, schemes, sources, flags, completeness.
    Lint,
    /// Computes the flags of every case again, without asking anybody.
    Flag,
    /// Searches for keys whose hash is at an end of its range; takes minutes, so run it with --release.
    Mine,
}

pub(crate) fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Record(options) => record::run(&options),
        Command::Lint => lint::run(),
        Command::Flag => flag::run(),
        Command::Mine => Mined::mine(),
    }
}

/// Where the vectors of a scheme are.
fn file(scheme: &str) -> PathBuf {
    file_below(&crate::root(), scheme)
}

fn file_below(root: &Path, scheme: &str) -> PathBuf {
    root.join("vectors").join(format!("{scheme}.json"))
}

/// Every golden file there is, in the order of the registry.
pub(crate) fn load_all() -> anyhow::Result<Vec<Vectors>> {
    load_below(&crate::root())
}

/// Those of the repository at `root`.
pub(crate) fn load_below(root: &Path) -> anyhow::Result<Vec<Vectors>> {
    let mut all = Vec::new();
    for scheme in registry::schemes() {
        let file = file_below(root, scheme.id);
        if let Ok(text) = fs::read_to_string(&file) {
            all.push(Vectors::parse(&text).with_context(|| file.display().to_string())?);
        }
    }
    Ok(all)
}
