//! `keyfall verify`: whether clients place keys as they should.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use keyfall_conform::adapter::{Adapter, Hello, Limits};
use keyfall_conform::contract::{Contract, FILE, LOCK, Lock};
use keyfall_conform::vectors::{Case, Vectors};
use keyfall_conform::verify::{self, Known, Suite, SuiteReport};
use keyfall_conform::{golden, process};
use keyfall_core::Scheme;

use super::contract::read_lock;
use super::starter;
use crate::exit::Exit;
use crate::report::verify::{AdapterReport, VerifyFormat};
use crate::stdio;

/// Hold clients against the golden vectors
#[derive(clap::Args)]
#[command(after_help = "\
An adapter is a program, in any language, that asks a client where keys fall. It reads and writes
JSON lines (the protocol is told in oracles/README.md). It is held against keyfall's vectors,
computed by the real systems, for each scheme that it declares; or with --contract against a fleet's
keyfall.toml. One that declares a single scheme, and not the contract's, is asked for its own.

Examples:
  keyfall verify -- python3 adapter.py
  keyfall verify --contract keyfall.toml --dataset orders -- go run ./adapter
  keyfall verify --shrink -- go run ./adapter -- node adapter.mjs      several, one after another
  keyfall verify --starter go           an adapter over sarama, to start from; or --starter franz-go
  keyfall verify --differential -- python3 old.py -- python3 new.py    whether the two agree

A list of known failures is TOML; an entry that no longer fails is itself a failure:
  [[known]]
  scheme = \"kafka/kafkajs\"          and, to narrow it: adapter, flag, cases = [1, 2]
  reason = \"why it fails\"
  link = \"https://...\"

Exit status: 0 all as expected; 1 failures; 2 bad usage, or an adapter that could not be run at all.")]
pub(crate) struct Args {
    /// Only these schemes, of those that an adapter declares
    #[arg(short = 's', long = "scheme", value_name = "SCHEME", conflicts_with = "contract")]
    schemes: Vec<String>,
    /// Hold the adapters against this contract, a keyfall.toml, and the lock beside it
    #[arg(long, value_name = "FILE")]
    contract: Option<PathBuf>,
    /// Only these datasets of the contract
    #[arg(long = "dataset", value_name = "NAME", requires = "contract")]
    datasets: Vec<String>,
    /// How long an adapter may take for a batch of keys
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    timeout: Duration,
    /// How long it may take to start
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    start_timeout: Duration,
    /// Failures that are known
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Look for the smallest key and count that show a difference
    #[arg(long)]
    shrink: bool,
    /// Compare two adapters with each other, not with what is expected
    #[arg(long, conflicts_with_all = ["known", "shrink"])]
    differential: bool,
    /// Write an adapter to start from, over a client or the first one of a language, into DIR, and say what to do next
    #[arg(
        long,
        value_name = "LANG|CLIENT",
        conflicts_with_all = ["schemes", "contract", "known", "shrink", "differential", "format", "adapters"]
    )]
    starter: Option<String>,
    /// Where --starter writes to; keyfall-CLIENT if not given
    #[arg(value_name = "DIR", requires = "starter")]
    folder: Option<PathBuf>,
    /// How the result is written
    #[arg(
        long,
        value_name = "human|json|junit|sarif|github|gitlab",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    format: VerifyFormat,
    /// The adapters' commands, -- between them
    #[arg(last = true, required_unless_present = "starter", value_name = "ADAPTER")]
    adapters: Vec<String>,
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("give more than none".into()),
        Ok(duration) => Ok(duration),
        Err(error) => Err(format!("{error}; write 5s, 500ms or 2m")),
    }
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    process::end_all_on_signal().context("signals")?;
    let mut out = stdio::stdout()?;
    if let Some(name) = &args.starter {
        let exit = starter::write(name, args.folder.as_deref(), &mut out)?;
        out.flush()?;
        return Ok(exit);
    }
    for scheme in &args.schemes {
        keyfall_core::registry::scheme(scheme)?;
    }
    let wanted = Wanted::of(&args)?;
    let mut known = args.known.as_deref().map_or(Ok(Known::default()), read_known)?;
    let commands: Vec<&[String]> = args.adapters.split(|word| word == "--").collect();
    ensure!(commands.iter().all(|command| !command.is_empty()), "an adapter's command is empty");
    let limits = Limits { start: args.start_timeout, batch: args.timeout };
    let mut reports = Vec::new();
    if args.differential {
        let [first, second] = commands[..] else {
            bail!("--differential compares two adapters, {} given: put -- between them", commands.len());
        };
        reports.push(differential(first, second, &wanted, limits)?);
    } else {
        for command in commands {
            reports.push(match Adapter::start(program(command), limits) {
                Ok(adapter) => verify_one(adapter, &wanted, args.shrink, &mut known),
                Err(error) => AdapterReport::not_run(command, error.to_string()),
            });
        }
    }
    let stale: Vec<String> = known.stale().map(ToString::to_string).collect();
    let contract = args.contract.as_deref().unwrap_or(Path::new(FILE)).to_string_lossy();
    args.format.write(&reports, &stale, &contract, &mut out)?;
    out.flush()?;
    let mut exit = if stale.is_empty() { Exit::Clean } else { Exit::Findings };
    reports.iter().for_each(|report| exit.note(report.exit()));
    // The program ends: to take a hundred thousand cases apart is work for nothing.
    std::mem::forget((wanted, reports));
    Ok(exit)
}

fn read_known(path: &Path) -> anyhow::Result<Known> {
    let context = || format!("--known {}", path.display());
    let text = std::fs::read_to_string(path).with_context(context)?;
    Known::parse(&text).map_err(anyhow::Error::msg).with_context(context)
}

fn program(command: &[String]) -> Command {
    let mut program = Command::new(&command[0]);
    program.args(&command[1..]);
    program
}

/// What adapters are asked about.
enum Wanted {
    /// keyfall's vectors, of these schemes or of all.
    Golden(Vec<String>),
    /// Cases of a contract's datasets: name, scheme, cases.
    Contract(Vec<(String, &'static Scheme, Arc<[Case]>)>),
}

impl Wanted {
    fn of(args: &Args) -> anyhow::Result<Wanted> {
        let Some(file) = &args.contract else { return Ok(Wanted::Golden(args.schemes.clone())) };
        let contract = Contract::load(file)?;
        for name in &args.datasets {
            contract.known(name)?;
        }
        let mut lock = match read_lock(file, &contract)? {
            Some(lock) => lock,
            None => {
                stdio::complain(format_args!("no {LOCK}: keyfall itself says what is expected"));
                Lock::by_keyfall(&contract)
            }
        };
        let chosen = |name: &String| args.datasets.is_empty() || args.datasets.contains(name);
        let datasets = contract.datasets.iter().filter(|(name, _)| chosen(name));
        let cases = datasets.filter_map(|(name, dataset)| {
            let locked = lock.datasets.remove(name)?;
            let cases: Arc<[Case]> = locked.cases.into();
            Some((name.clone(), dataset.scheme, cases))
        });
        let cases: Vec<_> = cases.filter(|(.., cases)| !cases.is_empty()).collect();
        ensure!(!cases.is_empty(), "{}: no fixtures to ask about", file.display());
        Ok(Wanted::Contract(cases))
    }

    /// What one adapter is asked, and the schemes or datasets that it cannot be asked about.
    fn suites(&self, hello: &Hello) -> (Vec<Suite>, Vec<String>) {
        let mut suites = Vec::new();
        let mut without = Vec::new();
        match self {
            Wanted::Golden(wanted) => {
                let wanted = |scheme: &&String| wanted.is_empty() || wanted.contains(scheme);
                for scheme in hello.schemes.iter().filter(wanted) {
                    let (scheme, asked) = (scheme.clone(), scheme.clone());
                    match golden::vectors(&scheme) {
                        Some(Vectors { cases, .. }) => {
                            suites.push(Suite { scheme, dataset: None, asked, cases: cases.into() });
                        }
                        None => without.push(scheme),
                    }
                }
            }
            Wanted::Contract(datasets) => {
                for (name, scheme, cases) in datasets {
                    // A service that has one way to place keys is held against the contract with that.
                    let declared = hello.schemes.iter().find(|declared| *declared == scheme.id);
                    let asked = declared.or(if let [only] = &hello.schemes[..] { Some(only) } else { None });
                    match asked {
                        Some(asked) => suites.push(Suite {
                            scheme: scheme.id.into(),
                            dataset: Some(name.clone()),
                            asked: asked.clone(),
                            cases: cases.clone(),
                        }),
                        None => without.push(format!("{name} ({})", scheme.id)),
                    }
                }
            }
        }
        (suites, without)
    }
}

fn verify_one(mut adapter: Adapter, wanted: &Wanted, shrink: bool, known: &mut Known) -> AdapterReport {
    let mut report = AdapterReport::of(adapter.hello());
    let (suites, without) = wanted.suites(adapter.hello());
    report.not_askable = without;
    for suite in &suites {
        let mut result = verify::verify(&mut adapter, suite, known);
        if let (true, Some(failure)) = (shrink, result.failures.first()) {
            match verify::shrink(&mut adapter, suite, failure) {
                Ok(smallest) => result.smallest = Some(smallest),
                Err(error) => result.error = Some(format!("while a smaller key was looked for: {error}")),
            }
        }
        let ended = adapter.has_failed();
        report.schemes.push(result);
        if ended {
            report.not_asked.extend(suites.iter().skip(report.schemes.len()).map(|suite| suite.scheme.clone()));
            return report;
        }
    }
    adapter.stop();
    report
}

/// Compares the second adapter with the first one, over the schemes that both declare.
fn differential(first: &[String], second: &[String], wanted: &Wanted, limits: Limits) -> anyhow::Result<AdapterReport> {
    let mut first = Adapter::start(program(first), limits)?;
    let mut second = Adapter::start(program(second), limits)?;
    let mut report = AdapterReport::of(second.hello());
    report.compared_with = Some(format!("{} {}", first.hello().name, first.hello().client_version));
    let (mut suites, without) = wanted.suites(first.hello());
    suites.retain(|suite| second.hello().schemes.contains(&suite.asked));
    report.not_askable = without;
    for suite in &suites {
        let result: SuiteReport = verify::compare(&mut first, &mut second, suite)?;
        report.schemes.push(result);
        if second.has_failed() {
            return Ok(report);
        }
    }
    first.stop();
    second.stop();
    Ok(report)
}
