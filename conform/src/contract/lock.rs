//! `keyfall.lock.json`: where the fixtures of a contract fall, in the form of vector files.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfall_core::OwnedKey;
use keyfall_core::wire::OutcomeJson;
use serde::{Deserialize, Serialize};

use super::{Contract, Dataset};
use crate::adapter::Adapter;
use crate::ask::{AskError, ask};
use crate::vectors::{self, Case, FORMAT, Source, Vectors};

/// What the file is called; it lies beside the contract.
pub const LOCK: &str = "keyfall.lock.json";

/// The expected places of all datasets.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The format's version.
    pub format: u32,
    /// The datasets, by name.
    pub datasets: BTreeMap<String, LockedDataset>,
}

/// A dataset: a vector file.
pub type LockedDataset = Vectors;

impl Lock {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Text of another form or format.
    pub fn parse(text: &str) -> Result<Lock, String> {
        let lock: Lock = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if lock.format != FORMAT {
            return Err(format!("format {}, known is {FORMAT}", lock.format));
        }
        Ok(lock)
    }

    /// The file's text: a line for each source and each case.
    pub fn text(&self) -> String {
        let mut text = format!("{{\"format\": {}, \"datasets\": {{\n", self.format);
        for (at, (name, vectors)) in self.datasets.iter().enumerate() {
            let mut file = Vec::new();
            vectors.write(&mut file).expect("a Vec takes all");
            let comma = if at == 0 { "" } else { ",\n" };
            text += &format!("{comma}{}: {}", serde_json::json!(name), String::from_utf8_lossy(&file).trim_end());
        }
        text + "}}\n"
    }

    /// What keyfall itself says, which its vectors vouch for.
    pub fn by_keyfall(contract: &Contract) -> Lock {
        let datasets = contract.datasets.iter().map(|(name, dataset)| {
            let cases = dataset.outcomes().into_iter().map(|outcome| (outcome, KEYFALL)).collect();
            (name.clone(), dataset.locked(vec![keyfall(dataset)], cases))
        });
        Lock { format: FORMAT, datasets: datasets.collect() }
    }

    /// What an adapter says of the datasets whose scheme it declares. Where it says nothing, to a key that its client cannot
    /// take or to another scheme, keyfall's own answer stands; each case tells which.
    ///
    /// # Errors
    /// An adapter that fails.
    pub fn from_adapter(contract: &Contract, adapter: &mut Adapter) -> Result<Lock, AskError> {
        let mut lock = Lock::by_keyfall(contract);
        let hello = adapter.hello().clone();
        let id = format!("{}-{}", hello.name, hello.client_version);
        for (name, dataset) in &contract.datasets {
            if !hello.schemes.iter().any(|scheme| scheme == dataset.scheme.id) {
                continue;
            }
            let keys: Vec<_> = dataset.fixtures.iter().map(|key| key.with(vectors::key_json)).collect();
            let said = ask(adapter, dataset.scheme.id, keys.iter().map(|key| (&**key, &dataset.params)))?;
            let client = Source {
                id: id.clone(),
                evidence: "client".into(),
                codebase: hello.name.clone(),
                name: hello.name.clone(),
                version: hello.client_version.clone(),
                call: format!("the adapter's place, for {}", dataset.scheme.id),
                oracle: "adapter".into(),
            };
            let own = dataset.outcomes();
            let cases: Vec<_> =
                own.into_iter().zip(said).map(|(own, said)| said.map_or((own, KEYFALL), |s| (s, &*id))).collect();
            lock.datasets.insert(name.clone(), dataset.locked(vec![client, keyfall(dataset)], cases));
        }
        Ok(lock)
    }

    /// The cases in which it says otherwise than another lock of the same contract.
    pub fn differences<'l>(&'l self, other: &'l Lock) -> Vec<(&'l str, &'l Case, &'l Case)> {
        let pairs = self.datasets.iter().filter_map(|(name, one)| Some((name, one, other.datasets.get(name)?)));
        let cases =
            pairs.flat_map(|(name, one, two)| one.cases.iter().zip(&two.cases).map(move |(a, b)| (&**name, a, b)));
        cases.filter(|(_, a, b)| a.outcome != b.outcome || a.place != b.place).collect()
    }

    /// How the lock is out of step with a contract; nothing if it is in step.
    pub fn stale(&self, contract: &Contract) -> Vec<String> {
        let mut stale = Vec::new();
        for (name, dataset) in &contract.datasets {
            match self.datasets.get(name) {
                None => stale.push(format!("{name} is not in it")),
                Some(locked) if locked.scheme != dataset.scheme.id => {
                    stale.push(format!("{name} is {} in it, not {}", locked.scheme, dataset.scheme.id));
                }
                Some(locked) if !dataset.has_cases(locked) => {
                    stale.push(format!("{name} has other params or fixtures in it"));
                }
                Some(_) => {}
            }
        }
        let gone = self.datasets.keys().filter(|name| !contract.datasets.contains_key(*name));
        stale.extend(gone.map(|name| format!("{name} is no dataset any more")));
        stale
    }
}

impl Dataset {
    /// Where keyfall puts the fixtures.
    pub fn outcomes(&self) -> Vec<OutcomeJson> {
        let placer = self.placer().expect("bound before, when the contract was read");
        self.fixtures.iter().map(|key| OutcomeJson::new(&placer, &key.with(|key| placer.place(key)))).collect()
    }

    /// The vector file of an outcome for each fixture, and the id of the source of each.
    fn locked(&self, sources: Vec<Source>, outcomes: Vec<(OutcomeJson, &str)>) -> Vectors {
        // Shared: there may be very many cases.
        let params = Arc::new(self.params.clone());
        let ids: BTreeMap<&str, Arc<[String]>> =
            sources.iter().map(|source| (&*source.id, [source.id.clone()].into())).collect();
        let case = |(at, (key, (outcome, source))): (usize, (&OwnedKey, (OutcomeJson, &str)))| Case {
            id: at as u32 + 1,
            key: key.with(vectors::key_json),
            params: Arc::clone(&params),
            outcome: outcome.outcome,
            place: outcome.place,
            hash: outcome.hash,
            flags: Vec::new(),
            sources: Arc::clone(&ids[source]),
        };
        let cases: Vec<Case> = self.fixtures.iter().zip(outcomes).enumerate().map(case).collect();
        let said = |source: &Source| cases.iter().any(|case| case.sources.contains(&source.id));
        Vectors {
            format: FORMAT,
            scheme: self.scheme.id.into(),
            unit: self.scheme.unit.into(),
            sources: sources.iter().filter(|source| said(source)).cloned().collect(),
            cases,
        }
    }

    /// Whether the cases are about just these fixtures and params.
    fn has_cases(&self, locked: &Vectors) -> bool {
        let mut text = Vec::new();
        let same = |(key, case): (&OwnedKey, &Case)| {
            key.with(|key| vectors::write_key(key, &mut text));
            *case.params == self.params && text == case.key.get().as_bytes()
        };
        self.fixtures.len() == locked.cases.len() && self.fixtures.iter().zip(&locked.cases).all(same)
    }
}

/// The id of keyfall as a source.
const KEYFALL: &str = "keyfall";

fn keyfall(dataset: &Dataset) -> Source {
    Source {
        id: KEYFALL.into(),
        evidence: "keyfall".into(),
        codebase: "keyfall".into(),
        name: "keyfall".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        call: format!("Placer::new({:?})", dataset.scheme.id),
        oracle: "none".into(),
    }
}
