//! Configuration of Kafka clients, as people have it: which scheme it selects, and whether that keeps a contract.
//!
//! [`read`] is pure: text in, one [`Selected`] for each producer that the file configures. A file a client; `format` has the
//! forms of text, which all end as keys and values with their lines.

mod connect;
mod debezium;
mod detect;
mod format;
mod java;
mod judge;
mod librdkafka;
mod spring;

use std::fmt;

use keyfall_core::{Scheme, registry};

pub use judge::{Kept, judge};

/// Whose configuration it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// kafka-clients, and Streams on it.
    Java,
    /// librdkafka and what is built on it: confluent-kafka for Python, Go, .NET, node-rdkafka, rdkafka.
    Librdkafka,
    /// A worker or connector of Kafka Connect.
    Connect,
    /// A connector of Debezium, or Debezium Server.
    Debezium,
    /// Spring for Kafka, with Spring Boot's names.
    Spring,
}

impl Client {
    /// All of them.
    pub const ALL: [Client; 5] = [Client::Java, Client::Librdkafka, Client::Connect, Client::Debezium, Client::Spring];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Client::Java => "java",
            Client::Librdkafka => "librdkafka",
            Client::Connect => "connect",
            Client::Debezium => "debezium",
            Client::Spring => "spring",
        }
    }
}

/// What a file selects for one producer.
#[derive(Clone, Debug)]
pub struct Selected {
    /// Which part of the file: a connector, a profile; none where it is the whole file.
    pub part: Option<String>,
    /// Whose configuration it is.
    pub client: Client,
    /// What chooses the partition.
    pub partitioner: Partitioner,
    /// The line and key that decided it, or that it is a default.
    pub decided_by: String,
    /// How keys become bytes, where it can be told.
    pub key: Option<KeyForm>,
}

/// What chooses the partition.
#[derive(Clone, Debug)]
pub enum Partitioner {
    /// A scheme of the registry.
    Scheme {
        /// It.
        scheme: &'static Scheme,
        /// Whether keys are ignored all the same: `partitioner.ignore.keys`.
        ignore_keys: bool,
        /// The number of partitions, where the configuration fixes it.
        partitions: Option<String>,
    },
    /// No key is looked at; why.
    Unpinned(String),
    /// It cannot be told; why, and what to do.
    Unknown(String),
    /// It writes no records of a dataset; why.
    Nothing(&'static str),
}

impl Partitioner {
    fn scheme(id: &str) -> Partitioner {
        let scheme = registry::scheme(id).expect("a scheme of the registry");
        Partitioner::Scheme { scheme, ignore_keys: false, partitions: None }
    }

    /// A class of the user's own.
    fn unknown_class(class: &str) -> Partitioner {
        Partitioner::Unknown(format!(
            "unknown partitioner {}, cannot be told: write an adapter for it and run `keyfall verify`",
            shown(class)
        ))
    }
}

/// How keys become bytes.
#[derive(Clone, Debug)]
pub struct KeyForm {
    /// A type of keyfall's Kafka keys; none for a form that it does not have.
    pub ty: Option<&'static str>,
    /// What says so.
    pub by: String,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    message: String,
}

impl ConfigError {
    fn new(message: impl Into<String>) -> Self {
        ConfigError { message: message.into() }
    }

    fn at(line: usize, message: impl fmt::Display) -> Self {
        ConfigError { message: format!("line {line}: {message}") }
    }
}

/// A key and its value.
#[derive(Clone, Debug)]
struct Entry {
    /// The key, as the client knows it.
    key: String,
    /// The key, as the file has it.
    name: String,
    value: String,
    line: usize,
}

impl Entry {
    fn new(name: impl Into<String>, value: impl Into<String>, line: usize) -> Entry {
        let name = name.into();
        Entry { key: name.clone(), name, value: value.into(), line }
    }

    /// Where it stands and what it says. Only for keys that hold no secret.
    fn said(&self) -> String {
        format!("line {}: {}={}", self.line, shown(&self.name), shown(self.value.trim()))
    }

    fn value(&self) -> &str {
        self.value.trim()
    }

    /// Why the value is none yet: a placeholder that something else fills in.
    fn unfilled(&self) -> Option<Partitioner> {
        let value = self.value();
        let open =
            ["${", "{{", "%(", "#{"].iter().any(|mark| value.contains(mark)) || value.starts_with(['$', '@', '<']);
        let why = || {
            let name = shown(&self.name);
            Partitioner::Unknown(format!(
                "{name} is filled in elsewhere, cannot be told: lint the file as it is deployed"
            ))
        };
        open.then(why)
    }
}

/// Text of others in a message: without control characters, and not without end.
fn shown(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(200)
        .flat_map(|c| {
            let plain = !c.is_control()
                && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if plain { vec![c] } else { c.escape_default().collect() }
        })
        .collect();
    if text.chars().nth(200).is_some() {
        shown.push('…');
    }
    shown
}

/// Keys and values that belong together.
#[derive(Clone, Debug, Default)]
struct Config {
    part: Option<String>,
    /// In the order of the file: of several with a key, the last holds.
    entries: Vec<Entry>,
}

impl Config {
    fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.key == key)
    }

    fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    fn has_prefix(&self, prefix: &str) -> bool {
        self.entries.iter().any(|entry| entry.key.starts_with(prefix))
    }

    /// What stands below a prefix.
    fn below(&self, prefix: &str) -> Config {
        let below = |entry: &Entry| {
            let key = entry.key.strip_prefix(prefix)?.to_string();
            Some(Entry { key, ..entry.clone() })
        };
        Config { part: self.part.clone(), entries: self.entries.iter().filter_map(below).collect() }
    }

    fn selected(
        &self,
        client: Client,
        (partitioner, decided_by): (Partitioner, String),
        key: Option<KeyForm>,
    ) -> Selected {
        Selected { part: self.part.clone(), client, partitioner, decided_by, key }
    }
}

/// Reads a file's text; its name tells the form of text. `client` says whose it is, where the content does not.
///
/// ```
/// use keyfall_conform::config::read;
/// let selected = read("producer.properties", "bootstrap.servers=kafka:9092\nlinger.ms=5\npartitioner=murmur2_random\n", None);
/// assert_eq!(selected.unwrap()[0].decided_by, "line 3: partitioner=murmur2_random");
/// ```
///
/// # Errors
/// Text that is none of the known forms, or that may be of several clients.
pub fn read(name: &str, text: &str, client: Option<Client>) -> Result<Vec<Selected>, ConfigError> {
    let documents = format::read(name, text.trim_start_matches('\u{feff}'))?;
    if documents.iter().all(|document| document.entries.is_empty()) {
        return Err(ConfigError::new("it has no settings"));
    }
    let mut selected = Vec::new();
    let mut unknown = None;
    for (client, config) in detect::parts(documents, client) {
        match client {
            Ok(client) => selected.extend(match client {
                Client::Java => java::read(&config),
                Client::Librdkafka => librdkafka::read(&config),
                Client::Connect => connect::read(&config),
                Client::Debezium => debezium::read(&config),
                Client::Spring => spring::read(&config),
            }),
            Err(why) => unknown = unknown.or(Some(why)),
        }
    }
    match unknown {
        // Parts of a file of parts may be about something else.
        Some(why) if selected.is_empty() => Err(ConfigError::new(why)),
        _ => Ok(selected),
    }
}

#[cfg(test)]
mod tests;
