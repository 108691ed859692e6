//! Environment files: `NAME=value` lines, as shells, Docker and Compose read them. The names are turned into the keys that
//! they stand for; each client's are a part of their own.
//!
//! The readers that there are for Rust fill in variables from the environment that they run in and tell no lines: a linter
//! can use neither.

use crate::config::{Config, ConfigError, Entry};

pub(super) fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn read(text: &str) -> Result<Vec<Config>, ConfigError> {
    const CLIENTS: [&str; 4] = ["KAFKA_", "CONNECT_", "SPRING_", "DEBEZIUM_"];
    let mut documents = vec![Config::default(); CLIENTS.len()];
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
        if let Some(client) = CLIENTS.iter().position(|prefix| name.to_ascii_uppercase().starts_with(prefix)) {
            let key = key(name);
            documents[client].entries.push(Entry { key, name: name.into(), value, line: at + 1 });
        }
    }
    Ok(documents)
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
