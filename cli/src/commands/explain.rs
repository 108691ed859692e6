//! `keyfall explain`: how one key is placed, step by step, for people.

use std::ffi::OsString;
use std::io::{self, Write};

use anstyle::Style;
use keyfall_core::wire::{self, KeyJson, OutcomeJson};
use keyfall_core::{Key, KeyError, Outcome, OwnedKey, Params, Placer, Scheme, Stage, Topology, Trace, Value, registry};
use serde::Serialize;

use crate::describe::RulesJson;
use crate::evidence::Source;
use crate::exit::Exit;
use crate::options::{Format, FormatArg, Target, TargetArgs, TopologyArgs};
use crate::{describe, evidence, stdio};

/// Show how a key is placed, and where the system's other clients put it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  keyfall explain -s kafka/java -p partitions=12 user:42
  keyfall explain -s cassandra/murmur3 --key-format json '{\"tuple\":[{\"text\":\"a\"},{\"hex\":\"00ff\"}]}'

Exit status: 0 placed or unpinned, 1 rejected or refused, 2 a usage or input error.")]
pub(crate) struct Args {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    topology: TopologyArgs,
    #[command(flatten)]
    format: FormatArg,
    /// The key; the null key is `--key-format json null`
    #[arg(allow_negative_numbers = true)]
    key: OsString,
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let Target { scheme, params, keys } = args.target.target()?;
    let mut placer = Placer::bind(scheme, params.clone())?;
    let topology = args.topology.read()?;
    if let Some(topology) = &topology {
        placer = placer.with_topology(topology.clone())?;
    }
    let key = keys.read_arg(&args.key)?;
    let explained = Explained::new(&placer, &key, &params, topology.as_ref())?;
    let mut out = stdio::stdout()?;
    match args.format.is {
        Format::Human => explained.human(&mut out)?,
        Format::Json => writeln!(out, "{}", explained.json()?)?,
    }
    out.flush()?;
    Ok(Exit::from(&explained.outcome))
}

/// A placement with its steps, and the same key under the system's other schemes.
struct Explained<'a> {
    placer: &'a Placer,
    key: &'a OwnedKey,
    outcome: Outcome,
    trace: Trace,
    others: Vec<Other>,
    left_out: Vec<(&'static Scheme, String)>,
}

/// The same key under another scheme.
struct Other {
    placer: Placer,
    outcome: Outcome,
    twin: bool,
    /// Not known where it is refused.
    same: Option<bool>,
    /// Params that this scheme does not have.
    without: Vec<String>,
    /// The part of the key that it hashes, where that is another one.
    selected: Option<String>,
}

impl<'a> Explained<'a> {
    fn new(
        placer: &'a Placer,
        key: &'a OwnedKey,
        params: &Params,
        topology: Option<&Topology>,
    ) -> Result<Self, KeyError> {
        let (outcome, trace) = key.with(|key| placer.trace(key))?;
        let mut explained = Explained { placer, key, outcome, trace, others: Vec::new(), left_out: Vec::new() };
        let system = registry::system(placer.scheme().system()).expect("a scheme belongs to a registered system");
        for scheme in system.schemes.iter().filter(|scheme| scheme.id != placer.scheme().id) {
            match explained.under(scheme, params, topology) {
                Ok(other) => explained.others.push(other),
                Err(why) => explained.left_out.push((scheme, why)),
            }
        }
        // Twins first, then the defaults of other clients: what people look for.
        explained.others.sort_by_key(|other| (!other.twin, !other.placer.scheme().default));
        Ok(explained)
    }

    fn under(&self, scheme: &'static Scheme, params: &Params, topology: Option<&Topology>) -> Result<Other, String> {
        let mut known = Params::new();
        let mut without = Vec::new();
        for (name, value) in params.iter() {
            match scheme.param(name) {
                Ok(_) => known.set(name, value.clone()),
                Err(_) => without.push(name.to_string()),
            }
        }
        let mut placer = Placer::bind(scheme, known.clone()).map_err(|e| e.to_string())?;
        if let Some(topology) = topology.filter(|topology| topology.unit() == scheme.unit) {
            placer = placer.with_topology(topology.clone()).map_err(|e| e.to_string())?;
        }
        let (outcome, trace) = self.key.with(|key| placer.trace(key)).map_err(|e| format!("{}: {e}", scheme.id))?;
        let selected = selected(&trace).filter(|part| Some(*part) != selected(&self.trace)).map(Into::into);
        let me = self.placer.scheme();
        let same = match (&self.outcome, &outcome) {
            (Outcome::Placed(mine), Outcome::Placed(other)) => Some(mine.at == other.at && me.unit == scheme.unit),
            (_, Outcome::Refused(_)) => None,
            (mine, other) => Some(mine.word() == other.word()),
        };
        Ok(Other { placer, outcome, twin: scheme.function == me.function, same, without, selected })
    }

    fn json(&self) -> serde_json::Result<String> {
        let scheme = self.placer.scheme();
        let steps = self.trace.iter().map(|s| StepJson { stage: s.stage.word(), words: &s.words, value: &s.value });
        let left_out = self.left_out.iter().map(|(scheme, why)| LeftOutJson { scheme: scheme.id, why });
        self.key.with(|key| {
            serde_json::to_string(&ExplainJson {
                format: 1,
                scheme: scheme.id,
                function: scheme.function,
                params: wire::params_json(self.placer.params()).into(),
                unit: scheme.unit,
                key: KeyJson(key),
                outcome: OutcomeJson::new(self.placer, &Ok(self.outcome.clone())),
                steps: steps.collect(),
                others: self.others.iter().map(Other::json).collect(),
                left_out: left_out.collect(),
                rules: describe::rules_json(scheme),
                setting: scheme.setting,
                quirks: scheme.quirks,
                evidence: evidence::of(scheme.id),
            })
        })
    }

    fn human(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = stdio::style(Style::new().bold());
        let scheme = self.placer.scheme();
        let key = self.key.with(shown);
        match &self.outcome {
            Outcome::Placed(place) => {
                write!(out, "{key} falls on {} {bold}{}{bold:#}", scheme.unit, place.at)?;
                if let Some(owner) = place.owner.and_then(|owner| self.placer.name(owner)) {
                    write!(out, " of {bold}{owner}{bold:#}")?;
                }
            }
            other => {
                let why = other.why().unwrap_or_default();
                write!(out, "{key} is {bold}{}{bold:#}: {why}", other.word())?;
            }
        }
        let params = describe::params(self.placer.params());
        writeln!(out, "\n{}{}{params}\n", scheme.id, if params.is_empty() { "" } else { ", " })?;
        self.steps(out)?;
        self.side_by_side(out)?;
        writeln!(out, "\n{bold}Rules of {}{bold:#}", scheme.id)?;
        describe::rules(out, scheme)?;
        for line in evidence::lines(scheme.id) {
            writeln!(out, "  evidence        {line}")?;
        }
        Ok(())
    }

    fn steps(&self, out: &mut impl Write) -> io::Result<()> {
        /// Words up to here have their value beside them.
        const WIDEST: usize = 60;
        let short = self.trace.iter().map(|step| step.words.chars().count()).filter(|n| *n <= WIDEST);
        let width = short.max().unwrap_or(0);
        let mut last = None;
        for step in &self.trace {
            let stage = if last == Some(step.stage) { "" } else { step.stage.word() };
            last = Some(step.stage);
            let words = &step.words;
            match step.value.as_str() {
                "" => writeln!(out, "  {stage:<8}{words}")?,
                value if words.chars().count() <= width => writeln!(out, "  {stage:<8}{words:<width$}  {value}")?,
                value => writeln!(out, "  {stage:<8}{words}\n  {:<8}{:<width$}  {value}", "", "")?,
            }
        }
        Ok(())
    }

    fn side_by_side(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = stdio::style(Style::new().bold());
        if !self.others.is_empty() {
            writeln!(out, "\n{bold}Where the system's other schemes put this key{bold:#}")?;
            writeln!(out, "  (twin: by the same function; same: by another one, for this key)")?;
        }
        let rows: Vec<[String; 4]> = self.others.iter().map(Other::row).collect();
        describe::table(out, &rows)?;
        if !self.left_out.is_empty() {
            writeln!(out, "\n{bold}Left out{bold:#}")?;
        }
        // What many schemes say alike, such as that they take no tuple, is said once.
        let mut said: Vec<(&str, &str, usize)> = Vec::new();
        for (scheme, why) in &self.left_out {
            let reason = why.strip_prefix(scheme.id).and_then(|why| why.strip_prefix(": ")).unwrap_or(why);
            match said.iter_mut().find(|(_, other, _)| *other == reason) {
                Some((.., more)) => *more += 1,
                None => said.push((scheme.id, reason, 0)),
            }
        }
        said.into_iter().try_for_each(|(id, reason, more)| match more {
            0 => writeln!(out, "  {id}: {reason}"),
            more => writeln!(out, "  {id} and {more} more: {reason}"),
        })
    }
}

#[derive(Serialize)]
struct ExplainJson<'a> {
    format: u32,
    scheme: &'static str,
    function: &'static str,
    params: serde_json::Value,
    unit: &'static str,
    key: KeyJson<'a>,
    outcome: OutcomeJson,
    steps: Vec<StepJson<'a>>,
    others: Vec<OtherJson<'a>>,
    left_out: Vec<LeftOutJson<'a>>,
    rules: RulesJson,
    setting: &'static str,
    quirks: &'static [&'static str],
    evidence: Vec<Source>,
}

#[derive(Serialize)]
struct StepJson<'a> {
    stage: &'static str,
    words: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct OtherJson<'a> {
    scheme: &'static str,
    client: &'static str,
    default: bool,
    twin: bool,
    same: Option<bool>,
    unit: &'static str,
    outcome: OutcomeJson,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    without_params: &'a [String],
    /// In hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    selected: Option<&'a str>,
}

#[derive(Serialize)]
struct LeftOutJson<'a> {
    scheme: &'static str,
    why: &'a str,
}

impl Other {
    fn json(&self) -> OtherJson<'_> {
        let scheme = self.placer.scheme();
        OtherJson {
            scheme: scheme.id,
            client: scheme.client,
            default: scheme.default,
            twin: self.twin,
            same: self.same,
            unit: scheme.unit,
            outcome: OutcomeJson::new(&self.placer, &Ok(self.outcome.clone())),
            without_params: &self.without,
            selected: self.selected.as_deref(),
        }
    }

    fn row(&self) -> [String; 4] {
        let scheme = self.placer.scheme();
        let place = match &self.outcome {
            Outcome::Placed(place) => match self.placer.owner(&place.at) {
                Some(owner) => format!("{} {} of {owner}", scheme.unit, place.at),
                None => format!("{} {}", scheme.unit, place.at),
            },
            other => other.word().to_string(),
        };
        let client = if scheme.default { format!("{}, its default", scheme.client) } else { scheme.client.into() };
        let mut mark = match (self.same, self.twin) {
            (None, _) => "unknown",
            (Some(true), true) => "twin",
            (Some(true), false) => "same",
            (Some(false), _) => "DIFFERS",
        }
        .to_string();
        if !self.without.is_empty() {
            mark.push_str(&format!(" (without {})", self.without.join(", ")));
        }
        if let Some(selected) = &self.selected {
            mark.push_str(&format!(", hashes {}", readable(selected)));
        }
        [place, mark, scheme.id.into(), client]
    }
}

/// The part of a key that is hashed, in hex.
fn selected(trace: &Trace) -> Option<&str> {
    trace.iter().find(|step| step.stage == Stage::Select).map(|step| step.value.as_str())
}

/// Bytes in hex as people read them: as text, where they are some.
fn readable(hex: &str) -> String {
    let digits = |at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(digits).collect();
    match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => format!("{text:?}"),
        None => hex.into(),
    }
}

/// A key as people read it.
fn shown(key: Key<'_>) -> String {
    match key {
        Key::Null => "The null key".into(),
        Key::Text(text) => format!("{text:?}"),
        Key::Typed(keyfall_core::Typed { ty, value: Value::Text(text) }) => format!("{text:?} ({ty})"),
        other => KeyJson(other).to_string(),
    }
}
