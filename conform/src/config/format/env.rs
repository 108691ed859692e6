//! Environment files: `NAME=value` lines, as shells, Docker and Compose read them. The names are turned into the keys that
//! they stand for; each client's are a part of their own.
//!
//! The readers that there are for Rust fill in variables from the environment that they run in and tell no lines: a linter
//! can use neither.

use crate::config::{Config, ConfigError, Entry, shown};

pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn read(text: &str) -> Result<Vec<Config>, ConfigError> {
    let mut variables = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
        // Docker passes on a bare name's value from where it runs.
        let bare = format!("${line}");
        let (name, value) = match line.split_once('=') {
            Some(pair) => pair,
            None => (line, &*bare),
        };
        let name = name.trim_end();
        if !is_name(name) {
            return Err(ConfigError::at(at + 1, "not NAME=value"));
        }
        let mut value = value.trim_start().to_string();
        if let Some(quote) = value.chars().next().filter(|first| matches!(first, '"' | '\'')) {
            let mut quoted = String::new();
            let mut rest = value[1..].to_string();
            // A quoted value may go on over lines.
            while !unquote(&rest, quote, &mut quoted) {
                let Some((_, more)) = lines.next() else {
                    return Err(ConfigError::at(at + 1, "a quote that does not end"));
                };
                quoted.push('\n');
                rest = more.to_string();
            }
            value = quoted;
        } else if let Some((before, _)) = value.split_once(" #") {
            value = before.trim_end().to_string();
        }
        variables.push(Entry::new(name, value, at + 1));
    }
    Ok(of_clients(None, variables))
}

/// The environments of containers, in a file of Docker Compose or a resource of Kubernetes.
pub(super) fn of_containers(config: &Config) -> Vec<Config> {
    // What comes before `environment` or `env`, and its variables.
    let mut containers: Vec<(&str, Vec<Entry>)> = Vec::new();
    for entry in &config.entries {
        let of_container = |mark: &str| entry.key.split_once(mark).filter(|(outer, _)| !outer.is_empty());
        let index = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (outer, name, value) = if let Some((outer, inner)) = of_container(".environment.") {
            match entry.value.split_once('=') {
                Some((name, value)) if index(inner) => (outer, name.to_string(), value.to_string()),
                None if index(inner) => (outer, entry.value.clone(), format!("${}", entry.value)),
                _ => (outer, inner.to_string(), entry.value.clone()),
            }
        } else if let Some((outer, inner)) = of_container(".env.") {
            let Some(at) = inner.strip_suffix(".name").filter(|at| index(at)) else { continue };
            let value = config.get(&format!("{outer}.env.{at}.value")).map(|entry| entry.value.clone());
            (outer, entry.value.clone(), value.unwrap_or_else(|| format!("${}", entry.value)))
        } else {
            continue;
        };
        if !is_name(&name) {
            continue;
        }
        let variable = Entry::new(name, value, entry.line);
        match containers.iter_mut().find(|(other, _)| *other == outer) {
            Some((_, variables)) => variables.push(variable),
            None => containers.push((outer, vec![variable])),
        }
    }
    let named = |outer: &str| {
        let name = config.get(&format!("{outer}.name")).map(|entry| entry.value.clone());
        shown(&name.unwrap_or_else(|| outer.strip_prefix("services.").unwrap_or(outer).to_string()))
    };
    let parts = containers.into_iter().flat_map(|(outer, variables)| of_clients(Some(named(outer)), variables));
    parts.filter(|part| !part.entries.is_empty()).collect()
}

/// The variables of each client, under the keys that they stand for.
fn of_clients(part: Option<String>, variables: Vec<Entry>) -> Vec<Config> {
    const CLIENTS: [&str; 4] = ["KAFKA_", "CONNECT_", "SPRING_", "DEBEZIUM_"];
    let mut documents = vec![Config { part, entries: Vec::new() }; CLIENTS.len()];
    for variable in variables {
        if let Some(client) = CLIENTS.iter().position(|prefix| variable.name.to_ascii_uppercase().starts_with(prefix)) {
            documents[client].entries.push(Entry { key: key(&variable.name), ..variable });
        }
    }
    documents
}

/// Takes a line of a quoted value; whether the value ends in it. An escape is in the same line as what it escapes.
fn unquote(line: &str, quote: char, quoted: &mut String) -> bool {
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quote == '"' => quoted.extend(chars.next()),
            c if c == quote => return true,
            c => quoted.push(c),
        }
    }
    false
}

/// The key that a name stands for.
fn key(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    if let Some(spring) = name.strip_prefix("spring_") {
        // Spring drops dashes, or writes them as underscores.
        let key = format!("spring.{}", spring.replace('_', "."));
        return key.replace("producer.key.serializer", "producer.keyserializer");
    }
    let rest = ["kafka_", "connect_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(&name);
    // As the images of Confluent write them: `_` for a dot, `__` for a dash, `___` for an underscore.
    rest.replace("___", "\u{1}").replace("__", "-").replace('_', ".").replace('\u{1}', "_")
}
