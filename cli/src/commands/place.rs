//! `keyfall place`

use clap::Args as ClapArgs;

use crate::exit::Exit;
use crate::options::{KeyArgs, ParamArgs, SchemeArg, TopologyArgs};

/// Say where keys fall
#[derive(ClapArgs)]
pub struct Args {
    #[command(flatten)]
    scheme: SchemeArg,
    #[command(flatten)]
    params: ParamArgs,
    #[command(flatten)]
    keys: KeyArgs,
    #[command(flatten)]
    topology: TopologyArgs,
}

pub fn run(_args: Args) -> anyhow::Result<Exit> {
    Ok(Exit::Clean)
}
