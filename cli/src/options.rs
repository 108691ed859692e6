//! Options that mean the same in every subcommand that has them.

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use keyfall_conform::contract::{Contract, Dataset};
use keyfall_core::{KeyError, OwnedKey, Params, Scheme, Topology, registry, wire};

/// What places keys, and how they are written: a scheme and its params, or a dataset of a contract.
#[derive(Args, Clone, Debug)]
pub(crate) struct TargetArgs {
    /// What places the key: a system and one of its clients; `keyfall schemes` lists them
    #[arg(
        short = 's',
        long = "scheme",
        value_name = "SCHEME",
        required_unless_present = "contract",
        conflicts_with = "contract"
    )]
    scheme: Option<String>,
    #[command(flatten)]
    params: ParamArgs,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

/// What [`TargetArgs`] say.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The scheme.
    pub(crate) scheme: &'static Scheme,
    /// Its params, not validated yet.
    pub(crate) params: Params,
    /// How keys are read.
    pub(crate) keys: KeyArgs,
}

impl TargetArgs {
    /// What they say.
    pub(crate) fn target(&self) -> anyhow::Result<Target> {
        let mut keys = self.keys.clone();
        let mut params = self.params.params()?;
        let scheme = match (&self.scheme, self.contract.dataset()?) {
            (Some(id), _) => registry::scheme(id)?,
            (None, Some(dataset)) => {
                let pinned = keyfall_conform::vectors::params(&dataset.params)?;
                for (name, value) in pinned.iter() {
                    ensure!(params.get(name).is_none(), "param {name} is pinned by the contract");
                    params.set(name, value.clone());
                }
                if keys.key_format == KeyFormat::Text {
                    keys.key_type = keys.key_type.or(dataset.key_type);
                }
                dataset.scheme
            }
            (None, None) => bail!("give a --scheme, or a --contract and its --dataset"),
        };
        keys.check()?;
        Ok(Target { scheme, params, keys })
    }
}

/// A dataset of a contract.
#[derive(Args, Clone, Debug)]
pub(crate) struct ContractArgs {
    /// Take scheme, params and key type from this contract, a keyfall.toml
    #[arg(long, value_name = "FILE")]
    contract: Option<PathBuf>,
    /// The contract's dataset; may be left out where there is one alone
    #[arg(long, value_name = "NAME", requires = "contract")]
    dataset: Option<String>,
}

impl ContractArgs {
    fn dataset(&self) -> anyhow::Result<Option<Dataset>> {
        let Some(path) = &self.contract else { return Ok(None) };
        let contract = Contract::load(path)?;
        let mut names = contract.datasets.keys();
        let name = match (&self.dataset, names.next(), names.next()) {
            (Some(name), ..) => name,
            (None, Some(only), None) => only,
            _ => {
                let names: Vec<&str> = contract.datasets.keys().map(String::as_str).collect();
                bail!("{}: choose a --dataset: {}", path.display(), names.join(", "));
            }
        };
        let dataset = contract.known(name).with_context(|| path.display().to_string())?;
        Ok(Some(dataset.clone()))
    }
}

/// `-p NAME=VALUE`, any number of times.
#[derive(Args, Clone, Debug)]
pub(crate) struct ParamArgs {
    /// A param of the scheme, such as partitions=12; a list is comma-separated
    #[arg(short = 'p', long = "param", value_name = "NAME=VALUE", value_parser = name_and_value)]
    list: Vec<(String, String)>,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some(("topology", _)) => Err("a topology is a file: --topology FILE".into()),
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("write NAME=VALUE, such as partitions=12".into()),
    }
}

impl ParamArgs {
    /// The params, not validated yet.
    pub(crate) fn params(&self) -> anyhow::Result<Params> {
        let mut params = Params::new();
        for (name, value) in &self.list {
            ensure!(params.get(name).is_none(), "param {name} is given twice");
            params.set(name.as_str(), value.as_str());
        }
        Ok(params)
    }
}

/// How keys are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeyFormat {
    /// As they stand; an argument that is not UTF-8 is its bytes
    #[default]
    Text,
    /// Bytes in hex
    Hex,
    /// Bytes in base64
    Base64,
    /// A KEY of the JSON interface: null, {"hex":"00ff"}, {"type":"bigint","value":"42"}, {"tuple":[KEY,...]}
    Json,
}

/// How keys are read.
#[derive(Args, Clone, Debug)]
pub(crate) struct KeyArgs {
    /// The keys are values of this type of the system's own, such as long or uuid
    #[arg(long, value_name = "T")]
    pub(crate) key_type: Option<String>,
    /// How the keys are written
    #[arg(long, value_name = "text|hex|base64|json", value_enum, default_value_t, hide_possible_values = true)]
    pub(crate) key_format: KeyFormat,
}

impl KeyArgs {
    /// Fails where the two contradict each other.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.key_type.is_some() && self.key_format != KeyFormat::Text {
            bail!("--key-type reads keys of --key-format text, and no other");
        }
        Ok(())
    }

    /// Reads a key that is text.
    pub(crate) fn read(&self, text: &str) -> Result<OwnedKey, KeyError> {
        match (self.key_format, &self.key_type) {
            (KeyFormat::Text, Some(ty)) => Ok(OwnedKey::Typed(ty.clone(), text.into())),
            (KeyFormat::Text, None) => Ok(OwnedKey::Text(text.into())),
            (KeyFormat::Json, _) => wire::parse_key(text),
            (KeyFormat::Hex, _) => wire::parse_key(&serde_json::json!({ "hex": text }).to_string()),
            (KeyFormat::Base64, _) => wire::parse_key(&serde_json::json!({ "base64": text }).to_string()),
        }
    }

    /// Reads a key from an argument.
    pub(crate) fn read_arg(&self, arg: &OsStr) -> Result<OwnedKey, KeyError> {
        if let Some(text) = arg.to_str() {
            return self.read(text);
        }
        #[cfg(unix)]
        if self.key_format == KeyFormat::Text && self.key_type.is_none() {
            use std::os::unix::ffi::OsStrExt;
            return Ok(OwnedKey::Bytes(arg.as_bytes().into()));
        }
        Err(KeyError::new(format!("{arg:?} is not UTF-8")))
    }
}

/// Who owns the places.
#[derive(Args, Clone, Debug)]
pub(crate) struct TopologyArgs {
    /// Who owns which places now: keyfall's JSON; CLUSTER SLOTS, SHARDS or NODES, as JSON or as redis-cli prints them;
    /// system.local and system.peers as JSON, nodetool ring or describering. Owners are shown in JSON and by `explain`
    #[arg(long, value_name = "FILE")]
    topology: Option<PathBuf>,
    /// Take no topology whose epoch is below N
    #[arg(long, value_name = "N", requires = "topology")]
    min_epoch: Option<u64>,
}

impl TopologyArgs {
    /// The topology, where one is given.
    pub(crate) fn read(&self) -> anyhow::Result<Option<Topology>> {
        let Some(path) = &self.topology else { return Ok(None) };
        let context = || format!("--topology {}", path.display());
        let text = std::fs::read_to_string(path).with_context(context)?;
        let topology = wire::parse_topology(&text).with_context(context)?;
        self.check_epoch(&topology).with_context(context)?;
        Ok(Some(topology))
    }

    /// Fails if `topology` is too old.
    pub(crate) fn check_epoch(&self, topology: &Topology) -> anyhow::Result<()> {
        let epoch = topology.epoch();
        if let Some(min) = self.min_epoch {
            let hint = if epoch == 0 { ": that of a form that tells none, such as CLUSTER SLOTS, is 0" } else { "" };
            ensure!(epoch >= min, "the topology's epoch is {epoch}, below --min-epoch {min}{hint}");
        }
        Ok(())
    }
}

/// How results are written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FormatArg {
    /// How the result is written
    #[arg(
        long = "format",
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "human|json",
        global = true
    )]
    pub(crate) is: Format,
}

/// The forms of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}
