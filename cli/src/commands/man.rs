//! `keyfall man`

use std::io::Write;

use anyhow::Context;
use clap::CommandFactory;

use super::Cli;
use crate::exit::Exit;
use crate::stdio;

/// Print a manual page, in roff
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  keyfall man place > keyfall-place.1 && man ./keyfall-place.1")]
pub(crate) struct Args {
    /// The subcommand; without it, the page of keyfall itself
    command: Vec<String>,
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let mut page = Cli::command();
    // Gives subcommands the name of their page and the options that they inherit.
    page.build();
    for name in &args.command {
        let of = page.get_display_name().unwrap_or("keyfall");
        page = page.find_subcommand(name).with_context(|| format!("no subcommand {name:?} of {of}"))?.clone();
    }
    let mut out = stdio::stdout()?;
    clap_mangen::Man::new(page).render(&mut out)?;
    out.flush()?;
    Ok(Exit::Clean)
}
