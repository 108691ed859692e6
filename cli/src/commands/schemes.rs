//! `keyfall schemes`: what there is, and what is known of it.

use std::io::{self, Write};

use anstyle::Style;
use clap::Subcommand;
use keyfall_core::registry::{self, SYSTEMS};
use keyfall_core::wire::{self, ParamJson};
use keyfall_core::{Domain, ParamSpec, Scheme};
use serde::Serialize;

use crate::describe::RulesJson;
use crate::evidence::Source;
use crate::exit::Exit;
use crate::options::{Format, FormatArg};
use crate::{describe, evidence, stdio};

/// List the schemes, or show one
#[derive(clap::Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
Examples:
  keyfall schemes
  keyfall schemes show kafka/java"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(Subcommand)]
enum Verb {
    /// List all schemes (what is done without a subcommand)
    List,
    /// Show one scheme: rule, params, twins, quirks, sources, evidence
    Show {
        /// Its id, such as kafka/java
        id: String,
    },
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let mut out = stdio::stdout()?;
    match (args.verb.unwrap_or(Verb::List), args.format.is) {
        (Verb::List, Format::Human) => list(&mut out)?,
        (Verb::List, Format::Json) => {
            let schemes = registry::schemes().map(scheme_json).collect();
            writeln!(out, "{}", serde_json::to_string(&ListJson { format: 1, schemes })?)?;
        }
        (Verb::Show { id }, Format::Human) => show(&mut out, registry::scheme(&id)?)?,
        (Verb::Show { id }, Format::Json) => {
            let scheme = scheme_json(registry::scheme(&id)?);
            writeln!(out, "{}", serde_json::to_string(&ShowJson { format: 1, scheme })?)?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn list(out: &mut impl Write) -> io::Result<()> {
    let bold = stdio::style(Style::new().bold());
    for (i, system) in SYSTEMS.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        writeln!(out, "{gap}{bold}{}{bold:#}", system.name)?;
        let rows: Vec<[String; 4]> = system.schemes.iter().map(row).collect();
        describe::table(out, &rows)?;
    }
    writeln!(out, "\n* what its client does unless told otherwise")
}

fn row(scheme: &Scheme) -> [String; 4] {
    let default = if scheme.default { "*" } else { "" };
    [format!("{}{default}", scheme.id), scheme.unit.into(), scheme.client.into(), scheme.rule.into()]
}

fn show(out: &mut impl Write, scheme: &'static Scheme) -> io::Result<()> {
    let bold = stdio::style(Style::new().bold());
    writeln!(out, "{bold}{}{bold:#}", scheme.id)?;
    describe::rules(out, scheme)?;
    writeln!(out, "  place           {}, {}", scheme.unit, domain(scheme))?;
    let twins: Vec<&str> = twins(scheme).collect();
    if !twins.is_empty() {
        writeln!(out, "\n{bold}Twins{bold:#} (the same function; they may differ on null and empty keys)")?;
        twins.iter().try_for_each(|id| writeln!(out, "  {id}"))?;
    }
    writeln!(out, "\n{bold}Params{bold:#}")?;
    if scheme.params.is_empty() {
        writeln!(out, "  none")?;
    }
    let param = |spec: &ParamSpec| {
        let required = if spec.required { "required" } else { "optional" };
        [spec.name.into(), required.into(), spec.allowed(), spec.doc.into()]
    };
    describe::table(out, &scheme.params.iter().map(param).collect::<Vec<_>>())?;
    writeln!(out, "\n{bold}Evidence{bold:#}")?;
    evidence::lines(scheme.id).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    writeln!(out, "\n{bold}Sources{bold:#}")?;
    scheme.sources.iter().try_for_each(|source| writeln!(out, "  {source}"))
}

fn twins(scheme: &'static Scheme) -> impl Iterator<Item = &'static str> {
    registry::twins(scheme).map(|twin| twin.id).filter(|id| *id != scheme.id)
}

/// What a place looks like.
fn domain(scheme: &Scheme) -> &'static str {
    match scheme.domain {
        Domain::Index => "a number from 0",
        Domain::I32 => "a signed 32-bit number",
        Domain::I64 => "a signed 64-bit number, in JSON a string",
        Domain::U128 => "an unsigned 128-bit number, in JSON a string",
        Domain::Bytes(_) => "a string",
    }
}

#[derive(Serialize)]
struct ListJson {
    format: u32,
    schemes: Vec<SchemeJson>,
}

#[derive(Serialize)]
struct ShowJson {
    format: u32,
    scheme: SchemeJson,
}

#[derive(Serialize)]
struct SchemeJson {
    id: &'static str,
    system: &'static str,
    function: &'static str,
    client: &'static str,
    versions: &'static str,
    default: bool,
    setting: &'static str,
    rule: &'static str,
    unit: &'static str,
    domain: &'static str,
    rules: RulesJson,
    params: Vec<ParamJson>,
    twins: Vec<&'static str>,
    quirks: &'static [&'static str],
    sources: &'static [&'static str],
    evidence: Vec<Source>,
}

fn scheme_json(scheme: &'static Scheme) -> SchemeJson {
    let short = wire::SchemeJson::new(scheme);
    SchemeJson {
        id: scheme.id,
        system: scheme.system(),
        function: scheme.function,
        client: scheme.client,
        versions: scheme.versions,
        default: scheme.default,
        setting: scheme.setting,
        rule: scheme.rule,
        unit: scheme.unit,
        domain: short.domain,
        rules: describe::rules_json(scheme),
        params: short.params,
        twins: twins(scheme).collect(),
        quirks: scheme.quirks,
        sources: scheme.sources,
        evidence: evidence::of(scheme.id),
    }
}
