//! `keyfall`: where does this key fall?

mod commands;
mod describe;
mod evidence;
mod exit;
mod ingest;
mod options;
mod report;
mod stdio;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::commands::Cli;
use crate::exit::Exit;

fn main() -> ExitCode {
    run()
        .unwrap_or_else(|error| {
            if stdio::reader_gone() {
                return Exit::Clean;
            }
            let red = clap::builder::Styles::styled().get_error().to_owned();
            stdio::complain(format_args!("{red}error:{red:#} {error:#}"));
            Exit::BadInput
        })
        .into()
}

fn run() -> anyhow::Result<Exit> {
    // Before anything is printed, help included.
    let mut out = stdio::stdout()?;
    match Cli::try_parse() {
        Ok(cli) => cli.command.run(),
        Err(message) if message.use_stderr() => {
            let _ = message.print();
            Ok(Exit::BadInput)
        }
        Err(help) => {
            let help = help.render();
            if stdio::colored() {
                write!(out, "{}", help.ansi())?
            } else {
                write!(out, "{help}")?
            }
            out.flush()?;
            Ok(Exit::Clean)
        }
    }
}
