//! The contract: `keyfall.toml`, in which a fleet pins how each dataset is placed.

mod changes;
mod lock;
mod risks;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use keyfall_core::{OwnedKey, Placer, Scheme, registry, wire};
use serde::Deserialize;
use serde_json::json;

use crate::vectors::{self, ParamsJson};

pub use changes::{Changes, changes};
pub use lock::{LOCK, Lock, LockedDataset};
pub use risks::{Risk, risks};

/// The format's version.
pub const VERSION: u32 = 1;

/// What the file is called.
pub const FILE: &str = "keyfall.toml";

/// A contract.
#[derive(Clone, Debug)]
pub struct Contract {
    /// The datasets, by name.
    pub datasets: BTreeMap<String, Dataset>,
    /// Datasets whose keys must fall together.
    pub colocate: Vec<Colocate>,
    /// Changes that are meant.
    pub allow: Vec<Allow>,
}

/// How a dataset (a topic, a table, an index) is placed.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// Its params, as they were written.
    pub params: ParamsJson,
    /// The type of its keys, where they are typed.
    pub key_type: Option<String>,
    /// Keys that are checked.
    pub fixtures: Vec<OwnedKey>,
    /// How many of them are from `fixtures_file`.
    pub from_file: usize,
    /// Who answers for it.
    pub owners: Vec<String>,
}

/// Datasets whose keys must fall together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Colocate {
    /// Their names.
    pub datasets: Vec<String>,
}

/// A change that is meant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allow {
    /// The dataset.
    pub dataset: String,
    /// The change, as `contract diff` writes it.
    pub change: String,
    /// Why it is made.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    datasets: BTreeMap<String, Raw>,
    #[serde(default)]
    colocate: Vec<Colocate>,
    #[serde(default)]
    allow: Vec<Allow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    scheme: String,
    #[serde(default)]
    params: ParamsJson,
    key_type: Option<String>,
    #[serde(default)]
    fixtures: Vec<serde_json::Value>,
    fixtures_file: Option<PathBuf>,
    #[serde(default)]
    owners: Vec<String>,
}

/// What is wrong with a contract: where, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ContractError(String);

impl ContractError {
    fn new(message: impl Into<String>) -> Self {
        ContractError(message.into())
    }
}

impl Contract {
    /// Reads a file. `fixtures_file`s are found beside it.
    ///
    /// # Errors
    /// A file that cannot be read, or is no contract.
    pub fn load(path: &Path) -> Result<Contract, ContractError> {
        let wrong = |error: &dyn std::fmt::Display| ContractError::new(format!("{}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let read = |file: &Path| fs::read_to_string(folder.join(file)).map_err(|error| error.to_string());
        Contract::parse(&text, &read).map_err(|error| wrong(&error))
    }

    /// Reads a contract's text; `read` gives the text of the files that it names.
    ///
    /// # Errors
    /// Text that is no contract.
    pub fn parse(text: &str, read: &dyn Fn(&Path) -> Result<String, String>) -> Result<Contract, ContractError> {
        let file: File = toml::from_str(text).map_err(|error| ContractError::new(error.to_string()))?;
        if file.version != VERSION {
            return Err(ContractError::new(format!("version {}, known is {VERSION}", file.version)));
        }
        if file.datasets.is_empty() {
            return Err(ContractError::new("it has no dataset: write [datasets.NAME], scheme and params"));
        }
        let mut datasets = BTreeMap::new();
        for (name, raw) in file.datasets {
            let at = |error: String| ContractError::new(format!("datasets.{name}: {error}"));
            let dataset = Dataset::new(raw, read).map_err(at)?;
            datasets.insert(name, dataset);
        }
        let contract = Contract { datasets, colocate: file.colocate, allow: file.allow };
        for name in contract.colocate.iter().flat_map(|group| &group.datasets) {
            contract.known(name).map_err(|error| ContractError::new(format!("colocate: {error}")))?;
        }
        for allow in &contract.allow {
            if allow.reason.trim().is_empty() {
                return Err(ContractError::new(format!("allow: {}: give a reason", allow.dataset)));
            }
        }
        Ok(contract)
    }

    /// The dataset of this name.
    ///
    /// # Errors
    /// There is none: the message says which there are.
    pub fn known(&self, name: &str) -> Result<&Dataset, ContractError> {
        self.datasets.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.datasets.keys().map(String::as_str).collect();
            ContractError::new(format!("unknown dataset {name}; there are {}", names.join(", ")))
        })
    }

    /// What keeps datasets that are to fall together from doing so.
    pub fn broken_colocations(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for group in &self.colocate {
            let members: Vec<(&String, &Dataset)> =
                group.datasets.iter().filter_map(|name| self.datasets.get_key_value(name)).collect();
            let Some(((first, one), others)) = members.split_first() else { continue };
            for (name, other) in others {
                let differ: Vec<String> = one.differences(other);
                if !differ.is_empty() {
                    broken.push(format!("{first} and {name} do not fall together: {}", differ.join("; ")));
                }
            }
        }
        broken
    }
}

impl Dataset {
    fn new(raw: Raw, read: &dyn Fn(&Path) -> Result<String, String>) -> Result<Dataset, String> {
        let scheme = registry::scheme(&raw.scheme).map_err(|error| error.to_string())?;
        let mut dataset = Dataset {
            scheme,
            params: raw.params,
            key_type: raw.key_type,
            fixtures: Vec::new(),
            from_file: 0,
            owners: raw.owners,
        };
        let placer = dataset.placer()?;
        let mut add = |key: Result<OwnedKey, String>| -> Result<(), String> {
            let key = key?;
            key.with(|key| placer.place(key)).map_err(|error| error.to_string())?;
            dataset.fixtures.push(key);
            Ok(())
        };
        let key_type = dataset.key_type.clone();
        for (at, fixture) in raw.fixtures.iter().enumerate() {
            add(key(fixture, key_type.as_deref())).map_err(|error| format!("fixtures, entry {}: {error}", at + 1))?;
        }
        if let Some(file) = &raw.fixtures_file {
            let text = read(file).map_err(|error| format!("fixtures_file {}: {error}", file.display()))?;
            let json = file.extension().is_some_and(|extension| extension == "jsonl");
            for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
                let key = if json { line_key(line) } else { Ok(text_key(line, key_type.as_deref())) };
                add(key).map_err(|error| format!("fixtures_file {}, line {}: {error}", file.display(), at + 1))?;
            }
        }
        dataset.from_file = dataset.fixtures.len() - raw.fixtures.len();
        Ok(dataset)
    }

    /// What places its keys.
    ///
    /// # Errors
    /// None, once the contract was read.
    pub fn placer(&self) -> Result<Placer, String> {
        let params = vectors::params(&self.params).map_err(|error| error.to_string())?;
        Placer::bind(self.scheme, params).map_err(|error| error.to_string())
    }

    /// In what its keys' places differ from those of another dataset.
    fn differences(&self, other: &Dataset) -> Vec<String> {
        let mut differ = Vec::new();
        if self.scheme.system() != other.scheme.system() || self.scheme.function != other.scheme.function {
            differ.push(format!("function {} and {}", self.scheme.function, other.scheme.function));
        }
        let names: BTreeSet<&String> = self.params.keys().chain(other.params.keys()).collect();
        for name in names {
            let (one, two) = (self.params.get(name), other.params.get(name));
            if one != two {
                let shown = |value: Option<&serde_json::Value>| value.map_or("none".into(), ToString::to_string);
                differ.push(format!("{name} {} and {}", shown(one), shown(two)));
            }
        }
        if self.key_type != other.key_type {
            let shown = |ty: &Option<String>| ty.clone().unwrap_or("text or bytes".into());
            differ.push(format!("keys of {} and {}", shown(&self.key_type), shown(&other.key_type)));
        }
        differ
    }
}

/// A fixture: text, which is a value of the key type where there is one, or a KEY; `{ null = true }` is the null key, which
/// TOML cannot write.
fn key(fixture: &serde_json::Value, key_type: Option<&str>) -> Result<OwnedKey, String> {
    match (fixture, key_type) {
        (serde_json::Value::String(text), key_type) => Ok(text_key(text, key_type)),
        (value @ serde_json::Value::Object(_), _) if *value == json!({ "null": true }) => Ok(OwnedKey::Null),
        (value @ serde_json::Value::Object(_), _) => {
            wire::parse_key(&value.to_string()).map_err(|error| error.to_string())
        }
        (other, _) => {
            Err(format!("{other} is no key: write it as a string, or as a table such as {{ hex = \"00ff\" }}"))
        }
    }
}

fn text_key(text: &str, key_type: Option<&str>) -> OwnedKey {
    match key_type {
        Some(ty) => OwnedKey::Typed(ty.into(), text.into()),
        None => OwnedKey::Text(text.into()),
    }
}

/// The key of a line of JSON: `{"key":KEY}`.
fn line_key(line: &str) -> Result<OwnedKey, String> {
    #[derive(Deserialize)]
    struct Line<'l> {
        #[serde(borrow)]
        key: &'l serde_json::value::RawValue,
    }
    let Line { key } = serde_json::from_str(line).map_err(|error| error.to_string())?;
    wire::parse_key(key.get()).map_err(|error| error.to_string())
}
