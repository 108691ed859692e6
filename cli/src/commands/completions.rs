//! `keyfall completions`

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use crate::exit::Exit;
use crate::stdio;

/// Print a shell's completion script
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  keyfall completions bash > ~/.local/share/bash-completion/completions/keyfall")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    // Written to memory first: the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "keyfall", &mut script);
    let mut out = stdio::stdout()?;
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Clean)
}
