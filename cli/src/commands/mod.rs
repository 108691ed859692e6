//! The subcommands, one file each: its options as `Args`, and `run`.

mod place;

use clap::{Parser, Subcommand};

use crate::exit::Exit;

/// The command line.
#[derive(Parser)]
#[command(name = "keyfall", version, about)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The verbs.
#[derive(Subcommand)]
pub(crate) enum Command {
    Place(place::Args),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        match self {
            Command::Place(args) => place::run(args),
        }
    }
}
