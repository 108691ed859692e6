//! `keyfall place`: where keys fall, for programs.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead, Write};

use anyhow::{Context, bail, ensure};
use keyfall_core::wire::{OutcomeJson, Request};
use keyfall_core::{ErrorKind, KeyError, Outcome, Param, Params, Placer, Scheme, Topology};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::exit::Exit;
use crate::options::{Format, FormatArg, KeyFormat, Target, TargetArgs, TopologyArgs};
use crate::stdio;

/// Print where keys fall, a line each
#[derive(clap::Args)]
#[command(after_help = "\
A line is the place, or unpinned, rejected: WHY, refused: WHY, error: WHY.
JSON has hash and owner, too.

Examples:
  keyfall place -s kafka/java -p partitions=12 user:42 user:43
  keyfall place -s kafka/java -p partitions=12 --key-type long -- -1
  keyfall place -s redis/cluster --topology shards.json --format json '{user:1}:cart'
  echo '{\"key\":{\"text\":\"user:42\"},\"id\":1}' | keyfall place -s kafka/java -p partitions=12 --jsonl

Exit status: 0 all placed or unpinned, 1 a key is rejected or refused, 2 a usage or input error.")]
pub(crate) struct Args {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    topology: TopologyArgs,
    #[command(flatten)]
    format: FormatArg,
    /// Read {"key":KEY} lines from standard input, each perhaps with "params" and "id", and answer each with a line
    #[arg(long, conflicts_with_all = ["key", "key_type"])]
    jsonl: bool,
    /// The keys; the null key is `--key-format json null`
    #[arg(id = "key", value_name = "KEY", allow_negative_numbers = true)]
    list: Vec<OsString>,
}

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let Target { scheme, params, keys } = args.target.target()?;
    ensure!(args.jsonl || !args.list.is_empty(), "no KEY: give keys as arguments, or lines of them and --jsonl");
    if args.jsonl && matches!(keys.key_format, KeyFormat::Hex | KeyFormat::Base64) {
        bail!(
            "with --jsonl the keys are JSON: {{\"hex\":\"00ff\"}} or {{\"base64\":\"AP8=\"}} says how one is written"
        );
    }
    let binding = Binding { scheme, params, topology: args.topology.read()?, topology_args: args.topology };
    if args.jsonl {
        return stream(&binding);
    }
    let placer = binding.placer(None)?;
    let mut out = stdio::stdout()?;
    let mut exit = Exit::Clean;
    for key in &args.list {
        let outcome = keys.read_arg(key).and_then(|key| key.with(|key| placer.place(key)));
        exit.note(Exit::from(&outcome));
        match args.format.is {
            Format::Json => writeln!(out, "{}", serde_json::to_string(&OutcomeJson::new(&placer, &outcome))?)?,
            Format::Human => writeln!(out, "{}", bare(&outcome))?,
        }
    }
    out.flush()?;
    Ok(exit)
}

/// An outcome as one line: the place, or a word and the reason.
fn bare(outcome: &Result<Outcome, KeyError>) -> String {
    let text = match outcome {
        Ok(Outcome::Placed(place)) => place.at.to_string(),
        Ok(Outcome::Unpinned(_)) => "unpinned".into(),
        Ok(other) => format!("{}: {}", other.word(), other.why().unwrap_or_default()),
        Err(error) => format!("error: {error}"),
    };
    if text.contains(char::is_control) { text.escape_debug().to_string() } else { text }
}

/// A scheme with what the command line says of its params and topology.
struct Binding {
    scheme: &'static Scheme,
    params: Params,
    topology: Option<Topology>,
    topology_args: TopologyArgs,
}

impl Binding {
    /// The placer; the params of a line override those of the command line, one by one.
    fn placer(&self, line: Option<&Params>) -> anyhow::Result<Placer> {
        let mut params = self.params.clone();
        if let Some(topology) = &self.topology {
            params.set("topology", topology.clone());
        }
        for (name, value) in line.iter().flat_map(|line| line.iter()) {
            if let Param::Topology(topology) = value {
                self.topology_args.check_epoch(topology)?;
            }
            params.set(name, value.clone());
        }
        Ok(Placer::bind(self.scheme, params)?)
    }
}

/// How many placers of lines' own params are kept: streams alternate between some topics, not between thousands.
const KEPT: usize = 1024;

/// The placers of a stream: a line that has params of its own has its own placer, or the reason why there is none.
struct Placers<'b> {
    binding: &'b Binding,
    default: Result<Placer, String>,
    by_params: HashMap<String, Result<Placer, String>>,
}

impl<'b> Placers<'b> {
    /// Fails at once if what the command line gives is wrong, not if something is missing: lines may bring it.
    fn new(binding: &'b Binding) -> anyhow::Result<Self> {
        let missing = |e: &anyhow::Error| {
            e.downcast_ref().is_some_and(|e: &keyfall_core::Error| e.kind() == ErrorKind::MissingParam)
        };
        let default = match binding.placer(None) {
            Ok(placer) => Ok(placer),
            Err(error) if missing(&error) => Err(error.to_string()),
            Err(error) => return Err(error),
        };
        Ok(Placers { binding, default, by_params: HashMap::new() })
    }

    fn get(&mut self, request: &Request<'_>) -> Result<&Placer, &String> {
        let Some(json) = request.params_json else { return self.default.as_ref() };
        // Looked up twice, as the borrow of a hit would last to the end.
        if !self.by_params.contains_key(json) {
            if self.by_params.len() == KEPT {
                self.by_params.clear();
            }
            let placer = self.binding.placer(request.params.as_ref()).map_err(|e| e.to_string());
            self.by_params.insert(json.into(), placer);
        }
        self.by_params[json].as_ref()
    }
}

/// A line of the answer.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    outcome: OutcomeJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
}

/// Answers standard input line by line.
fn stream(binding: &Binding) -> anyhow::Result<Exit> {
    let mut placers = Placers::new(binding)?;
    let mut input = stdio::stdin()?;
    let mut out = stdio::stdout()?;
    let mut exit = Exit::Clean;
    let mut line = Vec::new();
    loop {
        // Whoever waits for an answer before writing on gets it before we wait for more.
        if !input.buffer().contains(&b'\n') {
            out.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line).context("standard input")? == 0 {
            return Ok(exit);
        }
        let (answer, ending) = answer(&mut placers, &line);
        exit.note(ending);
        out.write_all(&serde_json::to_vec(&answer)?)?;
        out.write_all(b"\n")?;
    }
}

fn answer<'l>(placers: &mut Placers<'_>, line: &'l [u8]) -> (Answer<'l>, Exit) {
    let error = |why: &dyn std::fmt::Display, id| (Answer { outcome: OutcomeJson::error(why), id }, Exit::BadInput);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(e) => return error(&format!("line: not UTF-8 from byte {}", e.valid_up_to()), None),
    };
    let request = match Request::parse(text) {
        Ok(request) => request,
        Err(bad) => return error(&bad, bad.id),
    };
    match placers.get(&request) {
        Ok(placer) => {
            let outcome = request.key.with(|key| placer.place(key));
            (Answer { outcome: OutcomeJson::new(placer, &outcome), id: request.id }, Exit::from(&outcome))
        }
        Err(why) => error(why, request.id),
    }
}
