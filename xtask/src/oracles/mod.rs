//! `cargo xtask oracles`: asks the real systems again and holds their answers against `vectors/`.
//!
//! A disagreement always fails. A source that cannot be had (its build or start fails, after two retries) is skipped
//! with its reason, and fails in the core tier alone. What a source has confirmed stands in `vectors/runs/<source>.json`.

mod matrix;
pub(crate) mod runs;
mod select;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::bail;
use clap::{Args, ValueEnum};
use keyfall_conform::adapter::Adapter;
use keyfall_conform::ask;
use keyfall_conform::oracle::{Oracle, OracleSource};
use keyfall_conform::vectors::{Case, ParamsJson, Vectors};
use keyfall_core::wire::{OutcomeJson, parse_key};
use serde_json::json;
use serde_json::value::RawValue;

use crate::vectors::quirks::{Id, Quirk, Quirks};
use matrix::{Matrix, Row, Verdict};

/// How often a source that cannot be built or started is tried again.
const RETRIES: u32 = 2;

/// Disagreements that are shown of one source and scheme.
const SHOWN: usize = 5;

#[derive(Args)]
pub(crate) struct Options {
    /// Which sources are asked: tiers, one after the other, no source twice.
    #[arg(value_enum, default_values = ["core", "changed"])]
    tiers: Vec<Tier>,
    /// Only part I of N (`2/3`) of each tier: the parts together cover it.
    #[arg(long, value_name = "I/N")]
    part: Option<select::Part>,
    /// Only these, by the id of a source or the name of an oracle, whatever their tier.
    #[arg(long = "source", value_name = "ID")]
    sources: Vec<String>,
    /// Start no source after so many minutes of a tier.
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Start no source after this time, in seconds since 1970.
    #[arg(long, value_name = "SECONDS")]
    until: Option<u64>,
    /// Say which sources would be asked, and ask none.
    #[arg(long)]
    list: bool,
    /// The repository, for tests.
    #[arg(long, value_name = "FOLDER", hide = true)]
    root: Option<PathBuf>,
    /// How long to wait before a retry, for tests.
    #[arg(long, value_name = "SECONDS", hide = true, default_value = "5")]
    pause: u64,
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
    let root = options.root.clone().unwrap_or_else(crate::root);
    let oracles = Oracle::load_all(&root.join("oracles"))?;
    let mut session = Session {
        vectors: crate::vectors::load_below(&root)?,
        quirks: Quirks::load(&root)?,
        pause: Duration::from_secs(options.pause),
        late: Late { limit: None, until: options.until },
        matrix: Matrix::default(),
        left_out: Vec::new(),
        root,
    };
    if !options.sources.is_empty() {
        session.ask(Tier::All, select::named(&oracles, &options.sources)?, options)?;
    } else {
        let mut seen = HashSet::new();
        for tier in &options.tiers {
            let mut selected = select::of_tier(&oracles, *tier, &session.root)?;
            if let Some(part) = options.part {
                selected = part.of(selected);
            }
            selected.retain(|(_, source)| seen.insert(&source.id));
            session.ask(*tier, selected, options)?;
        }
    }
    if options.list { Ok(()) } else { session.close() }
}

/// When no further source is started.
struct Late {
    limit: Option<Instant>,
    until: Option<u64>,
}

impl Late {
    fn is_now(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        self.limit.is_some_and(|limit| Instant::now() >= limit) || self.until.is_some_and(|until| now >= until)
    }
}

struct Session {
    root: PathBuf,
    vectors: Vec<Vectors>,
    quirks: Quirks,
    pause: Duration,
    late: Late,
    matrix: Matrix,
    left_out: Vec<String>,
}

impl Session {
    fn ask(&mut self, tier: Tier, sources: Vec<(&Oracle, &OracleSource)>, options: &Options) -> anyhow::Result<()> {
        let minutes = options.minutes.or(tier.minutes());
        self.late.limit = minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
        for (oracle, source) in sources {
            if options.list {
                let schemes: Vec<&str> = source.asked().collect();
                println!("{} ({}): {}", source.id, oracle.name, schemes.join(", "));
            } else if self.late.is_now() {
                self.left_out.push(source.id.clone());
            } else {
                let began = Instant::now();
                let rows = self.ask_source(oracle, source, tier == Tier::Core)?;
                eprintln!("{}, {:.1} s", source.id, began.elapsed().as_secs_f32());
                for row in &rows {
                    eprintln!("  {}: {}", row.scheme, row.verdict);
                }
                self.matrix.add(rows);
            }
        }
        Ok(())
    }

    /// Builds, starts and asks one source about every case that it is a source of, and of those where it is known to
    /// differ.
    fn ask_source(&self, oracle: &Oracle, source: &OracleSource, must: bool) -> anyhow::Result<Vec<Row>> {
        let row = |scheme: &str, verdict| Row { source: source.id.clone(), scheme: scheme.into(), verdict };
        let files: Vec<&Vectors> =
            self.vectors.iter().filter(|file| file.sources.iter().any(|s| s.id == source.id)).collect();
        let without = source.asked().filter(|scheme| !files.iter().any(|file| file.scheme == *scheme));
        let mut rows: Vec<Row> = without.map(|scheme| row(scheme, Verdict::NoCases)).collect();
        if files.is_empty() {
            return Ok(rows);
        }
        let mut adapter = match self.start(oracle, source) {
            Ok(adapter) => adapter,
            Err(error) => {
                eprintln!("{}: {error}", source.id);
                let skipped = || Verdict::Skipped { reason: reason(&error), fails: must };
                rows.extend(files.iter().map(|file| row(&file.scheme, skipped())));
                return Ok(rows);
            }
        };
        for file in files {
            let verdict = compare(&mut adapter, source, file, &self.quirks);
            if matches!(verdict, Verdict::Agrees { .. }) {
                let source = file.sources.iter().find(|s| s.id == source.id).expect("the file names it");
                runs::confirm(&self.root, source, file)?;
            }
            rows.push(row(&file.scheme, verdict));
        }
        adapter.stop();
        Ok(rows)
    }

    /// A running adapter, or why there is none.
    fn start(&self, oracle: &Oracle, source: &OracleSource) -> Result<Adapter, String> {
        let mut tries = 0;
        loop {
            let error = match oracle.build(source).and_then(|()| oracle.start(source)) {
                Ok(adapter) => return Ok(adapter),
                Err(error) => error.to_string(),
            };
            tries += 1;
            if tries > RETRIES || self.late.is_now() {
                return Err(error);
            }
            eprintln!("{}: try {tries} failed, once more: {}", source.id, reason(&error));
            thread::sleep(self.pause * tries);
        }
    }

    /// The matrix, and in the last line the sum.
    fn close(self) -> anyhow::Result<()> {
        println!("{}", self.matrix);
        if !self.left_out.is_empty() {
            println!("the time was up, not asked: {}", self.left_out.join(", "));
        }
        let (passed, failed) = (self.matrix.passed(), self.matrix.failed());
        println!("{passed} passed, {failed} failed");
        if failed > 0 { bail!("{failed} of {} failed", passed + failed) } else { Ok(()) }
    }
}

/// What is wrong, in one line: what happened, and the line of the log that tells why.
fn reason(error: &str) -> String {
    let mut lines = error.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let log: Vec<&str> = lines.filter(|line| *line != "its stderr:").collect();
    let told_last = log.iter().any(|line| line.starts_with("Traceback"));
    let why = log.iter().find(|line| !told_last && line.to_lowercase().contains("error")).or(log.last());
    let text = why.map_or(first.into(), |why| format!("{}: {why}", first.trim_end_matches(':')));
    text.chars().take(300).collect()
}

/// What a source is asked about, and what it should say.
struct Question<'a> {
    key: &'a RawValue,
    params: &'a ParamsJson,
    expected: Expected<'a>,
}

enum Expected<'a> {
    Case(&'a Case),
    Quirk(&'a Quirk),
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Case(case) => {
                let (outcome, place, hash) = (case.outcome.clone(), case.place.clone(), case.hash.clone());
                write!(f, "{} (case {})", json!(OutcomeJson { outcome, place, hash, ..Default::default() }), case.id)
            }
            Expected::Quirk(quirk) => write!(f, "a quirk that it no longer shows: {}", quirk.why),
        }
    }
}

fn compare(adapter: &mut Adapter, source: &OracleSource, file: &Vectors, quirks: &Quirks) -> Verdict {
    let quirks: Vec<&Quirk> = quirks.of(&file.scheme, &source.id).collect();
    let single: Vec<_> = quirks.iter().filter_map(|quirk| Some((*quirk, quirk.input()?))).collect();
    let mut questions = Vec::new();
    let mut asked = HashSet::new();
    for case in &file.cases {
        let id = Id::new(&case.key, &case.params);
        let expected = match case.sources.contains(&source.id) {
            true => Expected::Case(case),
            false => match quirks.iter().find(|quirk| quirk.is_of(&id)) {
                Some(quirk) => Expected::Quirk(quirk),
                None => continue,
            },
        };
        questions.push(Question { key: &case.key, params: &case.params, expected });
        asked.insert(id);
    }
    // A quirk of the only source leaves no case.
    for (quirk, (key, params)) in &single {
        if !asked.iter().any(|id| quirk.is_of(id)) {
            questions.push(Question { key, params, expected: Expected::Quirk(quirk) });
        }
    }

    // Where it is no longer asked about the scheme, it says so itself.
    let name = source.own_name(&file.scheme).unwrap_or(&file.scheme);
    let answers = match ask::ask(adapter, name, questions.iter().map(|q| (q.key, q.params))) {
        Ok(answers) => answers,
        Err(error) => {
            eprintln!("{}: {error}", source.id);
            return Verdict::Failed(reason(&error.to_string()));
        }
    };
    let mut cases = 0;
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differing = Vec::new();
    for (question, answer) in questions.iter().zip(answers) {
        let said = |outcome| match parse_key(question.key.get()) {
            Ok(key) => source.said(&file.scheme, &key, outcome),
            Err(error) => Err(error.to_string()),
        };
        match (answer.and_then(said), &question.expected) {
            (Ok(outcome), Expected::Case(case)) if case.difference(&outcome).is_none() => cases += 1,
            (Ok(outcome), Expected::Quirk(quirk)) if quirk.says(&outcome) => *known.entry(&quirk.why).or_default() += 1,
            (Ok(outcome), _) => differing.push((question, json!(outcome).to_string())),
            (Err(silence), _) => differing.push((question, format!("nothing: {silence}"))),
        }
    }
    if differing.is_empty() {
        let quirks = known.into_iter().map(|(why, count)| (why.into(), count)).collect();
        return Verdict::Agrees { cases, quirks };
    }
    let mut text = format!("disagrees on {} of {} cases", differing.len(), questions.len());
    for (Question { key, params, expected }, new) in differing.iter().take(SHOWN) {
        let key: String = key.get().chars().take(200).collect();
        text += &format!(
            "\n    key {key} params {}\n      old: {expected}\n      new: {new}\n      of {}: {} {}",
            json!(params),
            source.id,
            source.name,
            source.version
        );
    }
    Verdict::Failed(text)
}
