//! The subcommands, one file each: its options as `Args`, and `run`.

mod audit;
mod completions;
mod contract;
mod explain;
mod lint;
mod man;
mod place;
mod schemes;
mod starter;
mod verify;

use clap::{Parser, Subcommand};

use crate::exit::Exit;

/// The command line.
#[derive(Parser)]
#[command(
    name = "keyfall",
    version,
    disable_help_subcommand = true,
    about = "Where does this key fall?",
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}",
    before_help = "\
Computes where hash-partitioned systems and their clients put a key: which Kafka partition, Redis
slot, Cassandra token, Elasticsearch shard. Finds the records that were put elsewhere, the client
that did it, and the setting that mends it. Checked against the real systems.",
    after_help = "\
Examples:
  keyfall place -s kafka/java -p partitions=12 user:42       which partition is it?
  keyfall explain -s kafka/java -p partitions=12 user:42     why, and what do other clients do?
  keyfall audit orders.jsonl -s kafka/java -p partitions=12  what is misplaced, since when?
  keyfall verify -- python3 adapter.py                       does this client place keys as it should?
  keyfall contract diff origin/main                          which keys would this change move?

Exit status: 0 clean; 1 findings: records misplaced, keys rejected or refused; 2 bad usage or input."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The verbs.
#[derive(Subcommand)]
pub(crate) enum Command {
    Place(place::Args),
    Explain(explain::Args),
    Audit(audit::Args),
    Verify(verify::Args),
    Contract(contract::Args),
    Schemes(schemes::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Does it.
    pub(crate) fn run(self) -> anyhow::Result<Exit> {
        match self {
            Command::Place(args) => place::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Audit(args) => audit::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Contract(args) => contract::run(args),
            Command::Schemes(args) => schemes::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Man(args) => man::run(args),
        }
    }
}
