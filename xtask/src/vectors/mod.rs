//! `cargo xtask vectors`: golden files.

mod record;

use std::path::PathBuf;

use clap::Subcommand;

use crate::corpus::Mined;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Asks real systems about the corpus and writes vectors/<system>/<variant>.json.
    Record(record::Options),
    /// Searches for keys whose hash is at an end of its range; takes minutes, so run it with --release.
    Mine,
}

pub(crate) fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Record(options) => record::run(&options),
        Command::Mine => Mined::mine(),
    }
}

/// Where the vectors of a scheme are.
fn file(scheme: &str) -> PathBuf {
    crate::root().join("vectors").join(scheme).with_extension("json")
}
