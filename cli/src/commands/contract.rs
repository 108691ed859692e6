//! `keyfall contract`: a fleet's placement, pinned in `keyfall.toml`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anstyle::Style;
use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use keyfall_audit::clopper_pearson;
use keyfall_conform::adapter::{Adapter, Limits};
use keyfall_conform::contract::{self, Changes, Contract, LOCK, Lock, Risk};
use keyfall_conform::process;
use keyfall_core::{OwnedKey, Placer};
use keyfall_plan::{Movement, expected_share};
use serde::Serialize;

use crate::exit::Exit;
use crate::options::{Format, FormatArg};
use crate::stdio;

/// Pin how a fleet's datasets are placed
#[derive(clap::Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
A contract is a file, keyfall.toml:
  version = 1
  [datasets.orders]
  scheme = \"kafka/java\"
  params = { partitions = 12 }
  key_type = \"string\"
  fixtures = [\"user:42\", { hex = \"00ff\" }, { null = true }]
  fixtures_file = \"keys/orders.txt\"
  owners = [\"team-orders\"]
  [[colocate]]
  datasets = [\"orders\", \"payments\"]
  [[allow]]
  dataset = \"orders\"
  change = \"partitions 12 -> 24\"
  reason = \"planned cutover\"

Examples:
  keyfall contract init
  keyfall contract lock --from 'python3 adapter.py'
  keyfall contract diff origin/main keyfall.toml
  keyfall contract lint --dataset orders service/producer.properties connectors/*.json
  keyfall verify --contract keyfall.toml -- go run ./adapter

Exit status: 0 clean; 1 keys would move, datasets no longer fall together, or a configuration does
not keep the contract; 2 bad usage or input."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(Subcommand)]
enum Verb {
    /// Write a keyfall.toml to start from
    Init {
        /// Where to
        #[arg(value_name = "FILE", default_value = contract::FILE)]
        file: PathBuf,
    },
    /// Read a contract and its lock, and tell risky choices
    Check {
        /// The contract
        #[arg(value_name = "FILE", default_value = contract::FILE)]
        file: PathBuf,
    },
    /// Write keyfall.lock.json: where the fixtures fall
    Lock {
        /// The contract
        #[arg(value_name = "FILE", default_value = contract::FILE)]
        file: PathBuf,
        /// The command of an adapter over the reference client or server, which is asked; without it keyfall says it
        #[arg(long, value_name = "ADAPTER")]
        from: Option<String>,
        /// How long the adapter may take for a batch of keys
        #[arg(long, value_name = "TIME", default_value = "30s", value_parser = super::verify::duration)]
        timeout: Duration,
    },
    /// What changes between two contracts, and which share of keys moves
    Diff {
        /// A file, or a git revision whose keyfall.toml is meant (REVISION or REVISION:PATH)
        old: String,
        /// Likewise
        #[arg(default_value = contract::FILE)]
        new: String,
    },
    Lint(super::lint::Args),
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let mut out = stdio::stdout()?;
    let format = args.format.is;
    let exit = match args.verb {
        Verb::Init { file } => init(&file, &mut out)?,
        Verb::Check { file } => check(&file, format, &mut out)?,
        Verb::Lock { file, from, timeout } => lock(&file, from.as_deref(), timeout, &mut out)?,
        Verb::Diff { old, new } => diff(&old, &new, format, &mut out)?,
        Verb::Lint(args) => super::lint::run(&args, format, &mut out)?,
    };
    out.flush()?;
    Ok(exit)
}

/// What `init` writes.
const TEMPLATE: &str = r#"# How each dataset is placed, for every service that writes it. `keyfall contract check` reads this file,
# `keyfall contract lock` computes where the fixtures fall, `keyfall verify --contract keyfall.toml -- ADAPTER` holds a
# service's client against it.
version = 1

[datasets.orders]
scheme = "kafka/java"             # `keyfall schemes` lists them
params = { partitions = 12 }
fixtures = ["user:42", "100:48069", "ключ"]
# key_type = "string"             # where keys are typed: each fixture is then a value of this type
# fixtures_file = "keys.txt"      # real keys, one a line
# owners = ["team-orders"]

# [[colocate]]                    # these must fall together: same function, count and keys
# datasets = ["orders", "payments"]
"#;

fn init(file: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut new = fs::File::create_new(file).with_context(|| format!("cannot create {}", file.display()))?;
    new.write_all(TEMPLATE.as_bytes()).with_context(|| file.display().to_string())?;
    writeln!(out, "wrote {}: write your datasets into it, then `keyfall contract check`", file.display())?;
    Ok(Exit::Clean)
}

/// The lock beside a contract.
pub(crate) fn lock_beside(file: &Path) -> PathBuf {
    file.with_file_name(LOCK)
}

/// Reads the lock beside a contract, which must be in step with it; none if there is none.
pub(crate) fn read_lock(file: &Path, contract: &Contract) -> anyhow::Result<Option<Lock>> {
    let path = lock_beside(file);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let lock = Lock::parse(&text).map_err(anyhow::Error::msg).with_context(|| path.display().to_string())?;
    let stale = lock.stale(contract);
    ensure!(stale.is_empty(), "{} is out of step: {}: run `keyfall contract lock`", path.display(), stale.join("; "));
    Ok(Some(lock))
}

#[derive(Serialize)]
struct CheckJson {
    format: u32,
    datasets: usize,
    fixtures: usize,
    /// Whether there is a lock; it is in step then.
    locked: bool,
    /// Why datasets that are to fall together do not.
    broken_colocations: Vec<String>,
    risks: Vec<Risk>,
}

fn check(file: &Path, format: Format, out: &mut impl Write) -> anyhow::Result<Exit> {
    let contract = Contract::load(file)?;
    let report = CheckJson {
        format: 1,
        datasets: contract.datasets.len(),
        fixtures: contract.datasets.values().map(|dataset| dataset.fixtures.len()).sum(),
        locked: read_lock(file, &contract)?.is_some(),
        broken_colocations: contract.broken_colocations(),
        risks: contract::risks(&contract),
    };
    match format {
        Format::Json => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        Format::Human => {
            let bold = stdio::style(Style::new().bold());
            for broken in &report.broken_colocations {
                writeln!(out, "{bold}broken:{bold:#} {broken}")?;
            }
            for risk in &report.risks {
                writeln!(out, "{bold}risky:{bold:#} {} ({}): {}", risk.dataset, risk.code, risk.message)?;
            }
            let locked = if report.locked { "the lock is in step" } else { "no lock: `keyfall contract lock`" };
            writeln!(out, "{} datasets, {} fixtures; {locked}", report.datasets, report.fixtures)?;
        }
    }
    Ok(if report.broken_colocations.is_empty() { Exit::Clean } else { Exit::Findings })
}

fn lock(file: &Path, from: Option<&str>, timeout: Duration, out: &mut impl Write) -> anyhow::Result<Exit> {
    let contract = Contract::load(file)?;
    let own = Lock::by_keyfall(&contract);
    let lock = match from {
        None => own.clone(),
        Some(command) => {
            process::end_all_on_signal().context("signals")?;
            let limits = Limits { start: Duration::from_secs(60).max(timeout), batch: timeout };
            let mut adapter = Adapter::start(words(command)?, limits)?;
            let lock = Lock::from_adapter(&contract, &mut adapter)?;
            adapter.stop();
            lock
        }
    };
    // The contract names a scheme; a reference that does otherwise is not what it names.
    let differences = own.differences(&lock);
    for (dataset, own, said) in differences.iter().take(5) {
        let shown = |case: &keyfall_conform::vectors::Case| {
            case.place.as_ref().map_or(case.outcome.clone(), |place| place.to_string())
        };
        let scheme = contract.known(dataset)?.scheme.id;
        writeln!(out, "{dataset}: {} is {} by {scheme}, and {} by the adapter", own.key, shown(own), shown(said))?;
    }
    if !differences.is_empty() {
        writeln!(out, "{} fixtures differ, nothing was written: is the scheme right?", differences.len())?;
        return Ok(Exit::Findings);
    }
    let path = lock_beside(file);
    fs::write(&path, lock.text()).with_context(|| format!("cannot write {}", path.display()))?;
    let cases = || lock.datasets.values().flat_map(|dataset| &dataset.cases);
    let by_keyfall = cases().filter(|case| case.sources.iter().any(|source| source == "keyfall")).count();
    writeln!(out, "wrote {}: {} fixtures, {by_keyfall} of them computed by keyfall", path.display(), cases().count())?;
    Ok(Exit::Clean)
}

/// A command line, split as a shell would.
fn words(command: &str) -> anyhow::Result<Command> {
    let words = shlex::split(command).with_context(|| format!("unbalanced quotes: {command}"))?;
    let (program, args) = words.split_first().context("the adapter's command is empty")?;
    let mut command = Command::new(program);
    command.args(args);
    Ok(command)
}

#[derive(Serialize)]
struct DiffJson<'c> {
    format: u32,
    datasets: Vec<DatasetJson<'c>>,
    /// Datasets that fell together, and do not any more.
    broken_colocations: Vec<String>,
}

#[derive(Serialize)]
struct DatasetJson<'c> {
    name: &'c str,
    changes: &'c [String],
    moved: MovedJson,
    allowed: bool,
}

/// The share of keys that moves.
#[derive(Clone, Copy, Default, Serialize)]
struct MovedJson {
    /// Of the fixtures that are written in the contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixtures: Option<f64>,
    /// Of the keys of `fixtures_file`, taken as a sample of all keys: with its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleJson>,
    /// By arithmetic.
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<f64>,
}

#[derive(Clone, Copy, Serialize)]
struct SampleJson {
    share: f64,
    low: f64,
    high: f64,
    keys: u64,
}

fn diff(old: &str, new: &str, format: Format, out: &mut impl Write) -> anyhow::Result<Exit> {
    let (old, new) = (revision(old)?, revision(new)?);
    let changes = contract::changes(&old, &new);
    let before = old.broken_colocations();
    let broken: Vec<String> = new.broken_colocations().into_iter().filter(|b| !before.contains(b)).collect();
    let datasets: Vec<DatasetJson<'_>> = changes
        .iter()
        .map(|change| DatasetJson {
            name: change.name,
            changes: &change.changes,
            moved: moved(change),
            allowed: change.allowed,
        })
        .collect();
    let clean = broken.is_empty() && datasets.iter().all(|dataset| dataset.allowed);
    match format {
        Format::Json => {
            let report = DiffJson { format: 1, datasets, broken_colocations: broken };
            writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
        }
        Format::Human => {
            for dataset in &datasets {
                let allowed = if dataset.allowed { "" } else { ", not allowed" };
                writeln!(out, "{}: {}{allowed}", dataset.name, dataset.changes.join(", "))?;
                dataset.moved.human(out)?;
            }
            for broken in &broken {
                writeln!(out, "broken: {broken}")?;
            }
            if datasets.is_empty() && broken.is_empty() {
                writeln!(out, "no key moves")?;
            } else if !clean {
                let hint =
                    "a change that is meant is written into the new contract: [[allow]] with dataset, change, reason";
                writeln!(out, "{hint}")?;
            }
        }
    }
    Ok(if clean { Exit::Clean } else { Exit::Findings })
}

impl MovedJson {
    fn human(&self, out: &mut impl Write) -> std::io::Result<()> {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        if let Some(share) = self.formula {
            writeln!(out, "  by formula {} of all keys move", percent(share))?;
        }
        if let Some(SampleJson { share, low, high, keys }) = self.sample {
            let (share, low, high) = (percent(share), percent(low), percent(high));
            writeln!(
                out,
                "  {share} of the {keys} keys of fixtures_file move (of all keys {low} to {high}, if they are a random sample)"
            )?;
        }
        if let Some(share) = self.fixtures {
            writeln!(out, "  {} of the fixtures move", percent(share))?;
        }
        Ok(())
    }
}

fn moved(change: &Changes<'_>) -> MovedJson {
    let (Some(old), Some(new)) = (change.old, change.new) else { return MovedJson::default() };
    let (Ok(was), Ok(is)) = (old.placer(), new.placer()) else { return MovedJson::default() };
    // Fixtures are keys of the new type; where that changes, the formula still holds.
    let same_type = old.key_type == new.key_type;
    let (fixtures, sample) = new.fixtures.split_at(new.fixtures.len() - new.from_file);
    let movement = |keys: &[OwnedKey]| movement(&was, &is, keys, same_type);
    let sample = movement(sample);
    MovedJson {
        fixtures: movement(fixtures).share(),
        sample: sample.share().map(|share| {
            let (low, high) = clopper_pearson(sample.moved, sample.keys, 0.95);
            SampleJson { share, low, high, keys: sample.keys }
        }),
        formula: if same_type { expected_share(&was, &is) } else { None },
    }
}

fn movement(was: &Placer, is: &Placer, keys: &[OwnedKey], same_type: bool) -> Movement {
    let mut movement = Movement::default();
    if same_type {
        keys.iter().for_each(|key| key.with(|key| movement.add(was, is, key)));
    }
    movement
}

/// A contract from a file, or from a git revision.
fn revision(name: &str) -> anyhow::Result<Contract> {
    if Path::new(name).exists() {
        return Ok(Contract::load(Path::new(name))?);
    }
    let (revision, path) = match name.split_once(':') {
        Some((revision, path)) => (revision, PathBuf::from(path)),
        None => (name, PathBuf::from("./").join(contract::FILE)),
    };
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let show = |file: &Path| -> Result<String, String> {
        let spec = format!("{revision}:{}", file.display());
        let git = Command::new("git").args(["show", &spec]).output();
        let git = git.map_err(|error| format!("git cannot be run: {error}"))?;
        if !git.status.success() {
            return Err(String::from_utf8_lossy(&git.stderr).trim().to_string());
        }
        String::from_utf8(git.stdout).map_err(|error| format!("{spec}: {error}"))
    };
    let text = match show(&path) {
        Ok(text) => text,
        Err(error) => bail!("{name} is neither a file nor a git revision with a contract: {error}"),
    };
    Contract::parse(&text, &|file| show(&folder.join(file))).with_context(|| name.to_string())
}
