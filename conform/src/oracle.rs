//! `oracle.toml`: what a folder under `oracles/` says about its program, and how that is built and started.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use keyfall_core::OwnedKey;
use keyfall_core::wire::OutcomeJson;
use serde::Deserialize;

use crate::adapter::{Adapter, AdapterError, Limits};
use crate::process::{Group, Log};
use crate::vectors::ASKED_AS;

/// An oracle: a program that asks real clients or systems.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oracle {
    /// Its name.
    pub name: String,
    /// The language of the client that it asks.
    pub language: String,
    /// How its answers are known: server, client, emulator, published, derived.
    pub evidence: String,
    /// Where the code comes from that answers. Two sources are independent only if their codebases differ.
    pub codebase: String,
    /// Whether it is asked in every run.
    pub tier: Tier,
    /// What the machine must have.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Builds it, in its folder; the source's args follow.
    pub build: Vec<String>,
    /// Runs it, in its folder; the source's args follow.
    pub run: Vec<String>,
    /// The limit, in seconds, for the build, the start and each batch.
    pub seconds: u64,
    /// Folders of `oracles/` that its answers depend on, beside its own and the helper of its language.
    #[serde(default)]
    pub uses: Vec<String>,
    /// The clients or systems that it asks.
    #[serde(rename = "source")]
    pub sources: Vec<OracleSource>,
    /// Its folder.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Whether an oracle is asked in every run.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// In every run.
    Core,
    /// Only where it is named.
    All,
}

/// One client or system, of one version.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OracleSource {
    /// Its id, unique over all oracles.
    pub id: String,
    /// The artifact that was asked.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What the build and the program are told.
    #[serde(default)]
    pub args: Vec<String>,
    /// Where it differs from the oracle's: whose code answers (one server, asked through several clients).
    pub codebase: Option<String>,
    /// Where it differs from the oracle's: the language of its client.
    pub language: Option<String>,
    /// Where it differs from the oracle's: whether it is asked in every run.
    pub tier: Option<Tier>,
    /// Folders of `oracles/` that its answers depend on, beside the oracle's.
    #[serde(default)]
    pub uses: Vec<String>,
    /// The schemes that it knows, and the call that answers for each.
    #[serde(default)]
    pub schemes: BTreeMap<String, String>,
    /// Schemes of other clients with the function of one of its own, and that one: it is asked as its own about keys of
    /// theirs. Their rules for null and empty keys, and what they do not take, are not its to say.
    #[serde(default)]
    pub twins: BTreeMap<String, String>,
}

impl OracleSource {
    /// The schemes about which it is asked, its own and those of its twins.
    pub fn asked(&self) -> impl Iterator<Item = &str> {
        self.schemes.keys().chain(self.twins.keys()).map(String::as_str)
    }

    /// Its own name of a scheme: the scheme's, or the one that is its twin; none where it is not asked about it.
    pub fn own_name<'a>(&'a self, scheme: &'a str) -> Option<&'a str> {
        if self.schemes.contains_key(scheme) { Some(scheme) } else { self.twins.get(scheme).map(String::as_str) }
    }

    /// The call that answers for a scheme.
    pub fn call(&self, scheme: &str) -> Option<String> {
        let own = self.own_name(scheme)?;
        let call = self.schemes.get(own)?;
        Some(if own == scheme { call.clone() } else { format!("{call}{ASKED_AS}{own}") })
    }

    /// What it says about a key of `scheme`, or why that counts for nothing.
    pub fn said(&self, scheme: &str, key: &OwnedKey, outcome: OutcomeJson) -> Result<OutcomeJson, String> {
        if self.schemes.contains_key(scheme) {
            return Ok(outcome);
        }
        let special = match key {
            OwnedKey::Null => true,
            OwnedKey::Bytes(bytes) => bytes.is_empty(),
            OwnedKey::Text(text) | OwnedKey::Typed(_, text) => text.is_empty(),
            // Lone surrogates too are each client's own.
            OwnedKey::Utf16(units) => units.is_empty() || String::from_utf16(units).is_err(),
            OwnedKey::Tuple(_) | OwnedKey::Fields(_) => false,
        };
        match outcome.outcome.as_str() {
            "placed" if !special => Ok(OutcomeJson { hash: None, ..outcome }),
            _ => Err("a key that a twin has its own rule for".into()),
        }
    }
}

/// An oracle that cannot be read, built or started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// The file cannot be read.
    #[error("{0}: {1}", path.display(), error)]
    #[allow(missing_docs)]
    Unreadable { path: PathBuf, error: std::io::Error },
    /// The file is not of the documented form.
    #[error("{0}: {1}", path.display(), error)]
    #[allow(missing_docs)]
    Malformed { path: PathBuf, error: Box<toml::de::Error> },
    /// The same source id in two places.
    #[error("source {0} stands twice")]
    Twice(String),
    /// The build failed or took too long.
    #[error("build of {source_id} {how}\n{log}")]
    #[allow(missing_docs)]
    Build { source_id: String, how: String, log: String },
    /// The program did not start.
    #[error(transparent)]
    Start(#[from] AdapterError),
}

impl Oracle {
    /// Reads every `oracle.toml` two folders below `oracles`, in the order of their paths.
    ///
    /// # Errors
    /// A file that cannot be read or is malformed; a source id that stands twice.
    pub fn load_all(oracles: &Path) -> Result<Vec<Oracle>, OracleError> {
        let mut all = Vec::new();
        for kind in ["clients", "derived", "servers"] {
            let Ok(folders) = fs::read_dir(oracles.join(kind)) else { continue };
            let mut files: Vec<PathBuf> = folders.flatten().map(|folder| folder.path().join("oracle.toml")).collect();
            files.sort();
            for file in files.iter().filter(|file| file.is_file()) {
                all.push(Oracle::load(file)?);
            }
        }
        let mut ids: Vec<&str> = all.iter().flat_map(|oracle| &oracle.sources).map(|source| &*source.id).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(OracleError::Twice(pair[0].into())),
            None => Ok(all),
        }
    }

    /// Reads one `oracle.toml`.
    ///
    /// # Errors
    /// A file that cannot be read or is malformed.
    pub fn load(file: &Path) -> Result<Oracle, OracleError> {
        let text = fs::read_to_string(file).map_err(|error| OracleError::Unreadable { path: file.into(), error })?;
        let mut oracle: Oracle = toml::from_str(&text)
            .map_err(|error| OracleError::Malformed { path: file.into(), error: Box::new(error) })?;
        oracle.folder = file.parent().unwrap_or(Path::new("")).into();
        Ok(oracle)
    }

    /// The codebase that answers for `source`.
    pub fn codebase<'a>(&'a self, source: &'a OracleSource) -> &'a str {
        source.codebase.as_deref().unwrap_or(&self.codebase)
    }

    /// The language of the client that `source` is.
    pub fn language<'a>(&'a self, source: &'a OracleSource) -> &'a str {
        source.language.as_deref().unwrap_or(&self.language)
    }

    /// Whether `source` is asked in every run.
    pub fn tier(&self, source: &OracleSource) -> Tier {
        source.tier.unwrap_or(self.tier)
    }

    /// The limit for its build, its start and each batch.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// Builds what `source` needs. Idempotent, as builds are.
    ///
    /// # Errors
    /// A build that fails or is over the limit, with the end of its log.
    pub fn build(&self, source: &OracleSource) -> Result<(), OracleError> {
        let failed = |how: String, log: String| OracleError::Build { source_id: source.id.clone(), how, log };
        let mut command = self.command(&self.build, source);
        // One pipe for both streams keeps their order; sh is what every build is written for anyway.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group =
            Group::spawn(&mut command).map_err(|e| failed(format!("cannot be started: {e}"), String::new()))?;
        let out = Log::collect(group.child().stdout.take().expect("piped"));
        let err = Log::collect(group.child().stderr.take().expect("piped"));
        let status = group.wait_until(Instant::now() + self.limit());
        group.kill();
        match status {
            Some(status) if status.success() => Ok(()),
            status => {
                let how = status.map_or(format!("took over {} s", self.seconds), |status| format!("failed: {status}"));
                Err(failed(how, format!("{}{}", out.text(), err.text())))
            }
        }
    }

    /// Starts the program for `source`, which has been built.
    ///
    /// # Errors
    /// As [`Adapter::start`].
    pub fn start(&self, source: &OracleSource) -> Result<Adapter, OracleError> {
        let limits = Limits { start: self.limit(), batch: self.limit() };
        Ok(Adapter::start(self.command(&self.run, source), limits)?)
    }

    fn command(&self, words: &[String], source: &OracleSource) -> Command {
        let mut command = Command::new(words.first().map_or("", String::as_str));
        command.args(words.iter().skip(1)).args(&source.args).current_dir(&self.folder);
        command
    }
}
