//! `cargo xtask oracles`: asks the real systems again and holds their answers against `vectors/`.
//!
//! A disagreement always fails. A source that cannot be had (its build or start fails, after two retries) is skipped
//! with its reason, and fails in the core tier alone. What a source was last asked, and which cases it confirmed, stands
//! in `vectors/runs/<source>.json`.

mod matrix;
pub(crate) mod runs;
mod select;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::bail;
use clap::{Args, ValueEnum};
use keyfall_conform::adapter::Adapter;
use keyfall_conform::oracle::{Oracle, OracleSource};
use keyfall_conform::vectors::{Case, Vectors};
use serde_json::json;

use crate::ask;
use matrix::{Matrix, Verdict};

/// How often a source that cannot be built or started is tried again.
const RETRIES: u32 = 2;

/// Disagreements that are shown of one source and scheme.
const SHOWN: usize = 5;

#[derive(Args)]
pub(crate) struct Options {
    /// Which sources are asked.
    #[arg(value_enum, default_value = "core")]
    tier: Tier,
    /// Only part I of N (`2/6`): parts run together cover the tier.
    #[arg(long, value_name = "I/N")]
    part: Option<select::Part>,
    /// Start no source after so many minutes.
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Start no source after this time, in seconds since 1970.
    #[arg(long, value_name = "SECONDS")]
    until: Option<u64>,
    /// Only these sources, or oracles by name.
    #[arg(long = "source", value_name = "ID")]
    sources: Vec<String>,
    /// Say which sources would be asked, and ask none.
    #[arg(long)]
    list: bool,
}

/// Which sources are asked.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tier {
    /// Those of every run.
    Core,
    /// Those whose oracle, helpers or vectors differ from the merge base with `origin/main`, or else from `HEAD~1`.
    Changed,
    /// All.
    All,
}

impl Tier {
    /// The tier's own limit, in minutes.
    fn minutes(self) -> Option<u64> {
        match self {
            Tier::Core | Tier::Changed => Some(20),
            Tier::All => None,
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    keyfall_conform::process::end_all_on_signal()?;
    let began = Instant::now();
    let oracles = Oracle::load_all(&crate::root().join("oracles"))?;
    let selected = select::select(&oracles, options.tier, options.part, &options.sources)?;
    if options.list {
        for (oracle, source) in &selected {
            println!(
                "{} ({}): {}",
                source.id,
                oracle.name,
                source.schemes.keys().cloned().collect::<Vec<_>>().join(", ")
            );
        }
        return Ok(());
    }
    let limit = options.minutes.or(options.tier.minutes()).map(|minutes| Duration::from_secs(60 * minutes));
    let late =
        || limit.is_some_and(|limit| began.elapsed() >= limit) || options.until.is_some_and(|until| now() >= until);

    let vectors = crate::vectors::load_all()?;
    let mut matrix = Matrix::default();
    let mut left_out = Vec::new();
    for (oracle, source) in selected {
        if late() {
            left_out.push(source.id.as_str());
            continue;
        }
        let verdicts = ask_source(oracle, source, &vectors);
        for (scheme, verdict) in &verdicts {
            eprintln!("{}: {scheme}: {verdict}", source.id);
        }
        if verdicts.iter().all(|(_, verdict)| matches!(verdict, Verdict::Agrees { .. })) && !verdicts.is_empty() {
            runs::write(source, &vectors)?;
        }
        matrix.add(source, verdicts);
    }
    println!("{matrix}");
    if !left_out.is_empty() {
        println!("the time was up: not asked were {}", left_out.join(", "));
    }
    let core = options.tier == Tier::Core;
    let (passed, failed) = (matrix.passed(), matrix.failed(core));
    println!("{passed} passed, {failed} failed");
    if failed > 0 { bail!("{failed} of {} failed", passed + failed) } else { Ok(()) }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Builds, starts and asks one source about every case that it is a source of.
fn ask_source(oracle: &Oracle, source: &OracleSource, vectors: &[Vectors]) -> Vec<(String, Verdict)> {
    let schemes = vectors.iter().filter(|file| file.sources.iter().any(|s| s.id == source.id));
    let mut adapter = match start(oracle, source) {
        Ok(adapter) => adapter,
        Err(reason) => return schemes.map(|file| (file.scheme.clone(), Verdict::Skipped(reason.clone()))).collect(),
    };
    let mut verdicts = Vec::new();
    for file in schemes {
        let cases: Vec<&Case> = file.cases.iter().filter(|case| case.sources.contains(&source.id)).collect();
        verdicts.push((file.scheme.clone(), compare(&mut adapter, source, &file.scheme, &cases)));
    }
    adapter.stop();
    verdicts
}

/// A running adapter, or why there is none.
fn start(oracle: &Oracle, source: &OracleSource) -> Result<Adapter, String> {
    let mut tries = 0;
    loop {
        let error = match oracle.build(source).and_then(|()| oracle.start(source)) {
            Ok(adapter) => return Ok(adapter),
            Err(error) => error.to_string(),
        };
        tries += 1;
        if tries > RETRIES {
            return Err(error);
        }
        eprintln!("{}: try {tries} failed, once more: {}", source.id, error.lines().next().unwrap_or_default());
    }
}

fn compare(adapter: &mut Adapter, source: &OracleSource, scheme: &str, cases: &[&Case]) -> Verdict {
    let answers = match ask::ask(adapter, scheme, cases.iter().map(|case| (&*case.key, &case.params))) {
        Ok(answers) => answers,
        Err(error) => return Verdict::Failed(format!("{error:#}")),
    };
    let mut differing = Vec::new();
    for (case, answer) in cases.iter().zip(answers) {
        let got = match answer {
            Ok(outcome) if case.difference(&outcome).is_none() => continue,
            Ok(outcome) => json!(outcome).to_string(),
            Err(silence) => format!("nothing: {silence}"),
        };
        differing.push((case, got));
    }
    if differing.is_empty() {
        return Verdict::Agrees { cases: cases.len() };
    }
    let mut text = format!("disagrees on {} of {} cases", differing.len(), cases.len());
    for (case, got) in differing.iter().take(SHOWN) {
        let key: String = case.key.get().chars().take(200).collect();
        let old = json!({ "outcome": case.outcome, "place": case.place, "hash": case.hash });
        text += &format!(
            "\n  case {} key {key} params {}\n    vectors: {old}\n    {} {}: {got}",
            case.id,
            json!(case.params),
            source.name,
            source.version
        );
    }
    Verdict::Failed(text)
}
