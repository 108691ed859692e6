//! `cargo xtask vectors record`: asks every source about the corpus and writes the golden files.
//!
//! A case stands on what its sources said, and they must all have said the same. A disagreement is printed and fails the
//! scheme: it is a second scheme, or a quirk that somebody has to write down in `vectors/data/quirks.jsonl`; it is never
//! averaged away. What keyfall itself computes plays no part.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use keyfall_conform::adapter::Adapter;
use keyfall_conform::ask;
use keyfall_conform::oracle::{Oracle, OracleSource, Tier};
use keyfall_conform::vectors::{Case, FORMAT, Source, Vectors, key_json};
use keyfall_core::wire::OutcomeJson;
use keyfall_core::{Scheme, registry};
use serde_json::json;
use serde_json::value::RawValue;

use super::quirks::{Id, Quirks};
use crate::corpus::{Corpus, Data, Input};
use crate::mistakes::Judge;
use crate::oracles::runs;

#[derive(Args)]
pub(crate) struct Options {
    /// Schemes (`kafka/java`), systems (`kafka`), oracles (`kafka-clients`) or sources (`kafka-clients-4.1.1`); what
    /// other sources have said before is kept. Without any: all schemes, all sources of the core tier.
    names: Vec<String>,
}

/// What one source said about the inputs of one scheme. An input is absent where it said nothing.
type Answers = HashMap<Id, OutcomeJson>;

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let oracles = Oracle::load_all(&crate::root().join("oracles"))?;
    let selection = Selection::new(&options.names, &oracles)?;
    let data = Data::load()?;
    let mut schemes: Vec<Recording> = selection
        .schemes
        .iter()
        .map(|scheme| Recording {
            scheme,
            inputs: Corpus::of(scheme, &data),
            answers: Vec::new(),
            failures: Vec::new(),
        })
        .filter(|recording| !recording.inputs.is_empty())
        .collect();
    for (oracle, source) in &selection.sources {
        ask(oracle, source, &mut schemes);
    }
    let quirks = Quirks::load(&crate::root())?;
    let mut failed = 0;
    for recording in schemes.iter().filter(|recording| !recording.answers.is_empty() || !recording.failures.is_empty())
    {
        let id = recording.scheme.id;
        match recording.write(&oracles, &selection, &quirks) {
            Ok(summary) => println!("{id}: {summary}"),
            Err(error) => {
                failed += 1;
                println!("{id}: NOT WRITTEN: {error:#}");
            }
        }
    }
    if failed > 0 { bail!("{failed} schemes were not written") } else { Ok(()) }
}

/// Which schemes are recorded and which sources are asked.
struct Selection<'a> {
    schemes: Vec<&'static Scheme>,
    sources: Vec<(&'a Oracle, &'a OracleSource)>,
}

impl<'a> Selection<'a> {
    fn new(names: &[String], oracles: &'a [Oracle]) -> anyhow::Result<Selection<'a>> {
        let all = || oracles.iter().flat_map(|oracle| oracle.sources.iter().map(move |source| (oracle, source)));
        let is_scheme = |name: &str, scheme: &Scheme| name == scheme.id || name == scheme.system();
        // Some oracles are named as their system is; the system is meant then.
        let is_source = |name: &str, (oracle, source): (&Oracle, &OracleSource)| {
            (name == source.id || name == oracle.name) && !registry::schemes().any(|scheme| is_scheme(name, scheme))
        };
        let named = |is: &dyn Fn(&str) -> bool| names.iter().any(|name| is(name));

        let known = |name: &&String| {
            registry::schemes().any(|scheme| is_scheme(name, scheme)) || all().any(|source| is_source(name, source))
        };
        if let Some(name) = names.iter().find(|name| !known(name)) {
            bail!("{name} is no registered scheme or system, and no oracle or source");
        }
        let mut schemes: Vec<&Scheme> = registry::schemes().filter(|s| named(&|name| is_scheme(name, s))).collect();
        let mut sources: Vec<_> = all().filter(|source| named(&|name| is_source(name, *source))).collect();
        if schemes.is_empty() {
            schemes = registry::schemes().collect();
        }
        if sources.is_empty() {
            sources = all().filter(|(oracle, source)| oracle.tier(source) == Tier::Core).collect();
        }
        sources.retain(|(_, source)| schemes.iter().any(|scheme| source.own_name(scheme.id).is_some()));
        Ok(Selection { schemes, sources })
    }
}

/// Builds and starts a source, and asks it about each scheme that it knows.
fn ask(oracle: &Oracle, source: &OracleSource, schemes: &mut [Recording]) {
    let began = Instant::now();
    let started = oracle.build(source).and_then(|()| {
        let built = began.elapsed();
        let adapter = oracle.start(source)?;
        eprintln!("{}: built in {:.1?}, started in {:.1?}", source.id, built, began.elapsed() - built);
        Ok(adapter)
    });
    let mut adapter = match started {
        Ok(adapter) => adapter,
        Err(error) => {
            for recording in schemes.iter_mut().filter(|recording| source.own_name(recording.scheme.id).is_some()) {
                recording.failures.push(format!("{}: {error}", source.id));
            }
            return;
        }
    };
    for recording in schemes.iter_mut().filter(|recording| source.own_name(recording.scheme.id).is_some()) {
        let began = Instant::now();
        match recording.ask(source, &mut adapter) {
            Ok((answers, silence)) => {
                let (scheme, took) = (recording.scheme.id, began.elapsed());
                let silence: Vec<String> = silence.iter().map(|(why, count)| format!("{count} x {why}")).collect();
                let silence = if silence.is_empty() { "" } else { &format!("; nothing on {}", silence.join(", ")) };
                let (all, said) = (recording.inputs.len(), answers.len());
                eprintln!("{}: {scheme}: {said} of {all} in {took:.1?}{silence}", source.id);
                recording.answers.push((source.id.clone(), answers));
            }
            Err(error) => {
                recording.failures.push(format!("{}: {error}", source.id));
                return;
            }
        }
    }
    adapter.stop();
}

/// The recording of one scheme.
struct Recording {
    scheme: &'static Scheme,
    inputs: Vec<Input>,
    /// What each source that was asked now has said.
    answers: Vec<(String, Answers)>,
    failures: Vec<String>,
}

impl Recording {
    /// Asks an adapter about all inputs. Beside its answers: why it said nothing, and how often.
    fn ask(&self, source: &OracleSource, adapter: &mut Adapter) -> anyhow::Result<(Answers, BTreeMap<String, usize>)> {
        let scheme = self.scheme.id;
        let name = source.own_name(scheme).context("it is not asked about this scheme")?;
        let keys: Vec<Box<RawValue>> = self.inputs.iter().map(|input| input.key.with(key_json)).collect();
        let inputs = || keys.iter().zip(&self.inputs).map(|(key, input)| (&**key, &input.params));
        let mut answers = Answers::new();
        let mut silence = BTreeMap::new();
        let said = ask::ask(adapter, name, inputs())?;
        for (((key, params), input), said) in inputs().zip(&self.inputs).zip(said) {
            match said.and_then(|outcome| source.said(scheme, &input.key, outcome)) {
                Ok(outcome) => {
                    answers.insert(Id::new(key, params), outcome);
                }
                Err(why) => *silence.entry(why).or_insert(0) += 1,
            }
        }
        Ok((answers, silence))
    }

    /// Compares the sources and writes the file.
    fn write(&self, oracles: &[Oracle], selection: &Selection<'_>, quirks: &Quirks) -> anyhow::Result<String> {
        if !self.failures.is_empty() {
            bail!("{}", self.failures.join("\n"));
        }
        let file = super::file(self.scheme.id);
        let before = match fs::read_to_string(&file) {
            Ok(text) => Some(Vectors::parse(&text).with_context(|| file.display().to_string())?),
            Err(_) => None,
        };
        let known = self.known_sources(oracles);
        let mut answers = self.answers.clone();
        answers.extend(self.kept(before.as_ref(), &known, selection));
        // In the order of the oracles, so that a file does not depend on who was asked last.
        answers.sort_by_key(|(source, _)| known.iter().position(|known| known.id == *source));

        let is_twin = |source: &&OracleSource| source.twins.contains_key(self.scheme.id);
        let twins: BTreeSet<&str> = oracles
            .iter()
            .flat_map(|oracle| &oracle.sources)
            .filter(is_twin)
            .map(|source| source.id.as_str())
            .collect();

        let judge = Judge::new(self.scheme);
        let mut cases = Vec::new();
        let mut disagreements = Vec::new();
        let mut dropped = 0;
        let mut used = BTreeSet::new();
        for input in &self.inputs {
            let key = input.key.with(key_json);
            let id = Id::new(&key, &input.params);
            let mut said: Vec<(&str, &OutcomeJson)> = answers
                .iter()
                .filter_map(|(source, answers)| Some((source.as_str(), answers.get(&id)?)))
                .filter(|(source, outcome)| {
                    !quirks.of(self.scheme.id, source).any(|quirk| quirk.is_of(&id) && quirk.says(outcome))
                })
                .collect();
            // A twin confirms where a key falls; which keys have no place is the client's own to say.
            let own = |(source, _): &&(&str, _)| !twins.contains(source);
            let Some((_, first)) = said.iter().find(own).copied() else {
                dropped += 1;
                continue;
            };
            if first.outcome != "placed" {
                said.retain(|said| own(&said));
            }
            if said.iter().any(|(_, outcome)| (&outcome.outcome, &outcome.place) != (&first.outcome, &first.place))
                || said.iter().filter_map(|(_, outcome)| outcome.hash.as_ref()).collect::<BTreeSet<_>>().len() > 1
            {
                disagreements.push(disagreement(&id, &said));
                continue;
            }
            used.extend(said.iter().map(|(source, _)| *source));
            let mut case = Case {
                id: cases.len() as u32 + 1,
                key,
                params: input.params.clone().into(),
                outcome: first.outcome.clone(),
                place: first.place.clone(),
                hash: said.iter().find_map(|(_, outcome)| outcome.hash.clone()),
                flags: Vec::new(),
                sources: said.iter().map(|(source, _)| (*source).to_string()).collect(),
            };
            case.flags = judge.flags(&case)?;
            cases.push(case);
        }
        let stale = self.stale(quirks);
        if !disagreements.is_empty() || !stale.is_empty() {
            bail!(
                "{} disagreements; quirks that are gone: {}\n{}",
                disagreements.len(),
                stale.len(),
                disagreements.into_iter().chain(stale).collect::<Vec<_>>().join("\n")
            );
        }
        if cases.is_empty() {
            bail!("no source computed a case");
        }
        let vectors = Vectors {
            format: FORMAT,
            scheme: self.scheme.id.into(),
            unit: self.scheme.unit.into(),
            sources: known.into_iter().filter(|source| used.contains(source.id.as_str())).collect(),
            cases,
        };
        let mut text = Vec::new();
        vectors.write(&mut text)?;
        fs::create_dir_all(file.parent().expect("a scheme's id has two halves"))?;
        fs::write(&file, text)?;
        for source in vectors.sources.iter().filter(|source| self.answers.iter().any(|(asked, _)| *asked == source.id))
        {
            runs::confirm(&crate::root(), source, &vectors)?;
        }
        Ok(format!("{} cases of {} sources; {dropped} inputs without one", vectors.cases.len(), vectors.sources.len()))
    }

    /// The quirks that a source which was asked now no longer shows.
    fn stale(&self, quirks: &Quirks) -> Vec<String> {
        let mut stale = Vec::new();
        for (source, answers) in &self.answers {
            for quirk in quirks.of(self.scheme.id, source) {
                if !answers.iter().any(|(id, outcome)| quirk.is_of(id) && quirk.says(outcome)) {
                    stale.push(format!("  {source} no longer shows this: {}", quirk.why));
                }
            }
        }
        stale
    }

    /// Every source there is for this scheme.
    fn known_sources(&self, oracles: &[Oracle]) -> Vec<Source> {
        let root = crate::root();
        let describe = |oracle: &Oracle, source: &OracleSource| {
            Some(Source {
                id: source.id.clone(),
                evidence: oracle.evidence.clone(),
                codebase: oracle.codebase(source).into(),
                name: source.name.clone(),
                version: source.version.clone(),
                call: source.call(self.scheme.id)?,
                oracle: oracle.folder.strip_prefix(&root).unwrap_or(&oracle.folder).display().to_string(),
            })
        };
        oracles
            .iter()
            .flat_map(|oracle| oracle.sources.iter().filter_map(move |source| describe(oracle, source)))
            .collect()
    }

    /// What the sources that are not asked now have said before.
    fn kept(&self, before: Option<&Vectors>, known: &[Source], selection: &Selection<'_>) -> Vec<(String, Answers)> {
        let asked = |id: &str| selection.sources.iter().any(|(_, source)| source.id == id);
        let mut kept = Vec::new();
        for source in known.iter().filter(|source| !asked(&source.id)) {
            let mut answers = Answers::new();
            for case in before.iter().flat_map(|vectors| &vectors.cases) {
                if case.sources.contains(&source.id) {
                    let outcome = OutcomeJson {
                        outcome: case.outcome.clone(),
                        place: case.place.clone(),
                        hash: case.hash.clone(),
                        ..OutcomeJson::default()
                    };
                    answers.insert(Id::new(&case.key, &case.params), outcome);
                }
            }
            if !answers.is_empty() {
                kept.push((source.id.clone(), answers));
            }
        }
        kept
    }
}

fn disagreement(id: &Id, said: &[(&str, &OutcomeJson)]) -> String {
    let key: String = id.key.chars().take(200).collect();
    let mut text = format!("  key {key} params {}", id.params);
    for (source, outcome) in said {
        text += &format!("\n    {source}: {}", json!(outcome));
    }
    text
}
