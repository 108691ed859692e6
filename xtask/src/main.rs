//! The project's own tools: `cargo xtask --help`.

mod corpus;
mod generate;
mod mistakes;
mod oracles;
mod vectors;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's own tools.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Golden files: record them from real systems, check them.
    #[command(subcommand)]
    Vectors(vectors::Command),
    /// Asks the real systems again and compares with the golden files.
    Oracles(oracles::Options),
    /// Writes the generated files that have changed.
    Gen {
        /// Writes nothing; fails where a file has drifted.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let result = match Options::parse().command {
        Command::Vectors(command) => vectors::run(command),
        Command::Oracles(options) => oracles::run(&options),
        Command::Gen { check } => generate::run(check),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository").into()
}
