//! The forms of text: each gives the keys and values of its documents, nested keys joined by dots.

mod env;
mod json;
mod properties;
mod yaml;

use super::{Config, ConfigError};

/// Reads text in the form that the file's name tells, or else its content.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<Config>, ConfigError> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
    let ends = |extensions: &[&str]| extensions.iter().any(|extension| name.ends_with(extension));
    if text.trim().is_empty() {
        return Err(ConfigError::new("it is empty"));
    }
    if ends(&[".json"]) {
        json::read(text)
    } else if ends(&[".yml", ".yaml"]) {
        yaml::read(text)
    } else if ends(&[".env"]) || name.starts_with(".env") {
        env::read(text)
    } else if ends(&[".properties", ".config", ".conf", ".cfg", ".cnf", ".ini"]) {
        by_content(text).unwrap_or(properties::read)(text)
    } else {
        let read = by_content(text).ok_or_else(|| {
            ConfigError::new("it is none of the known forms: properties, JSON, YAML, an environment file (.env)")
        })?;
        read(text)
    }
}

type Read = fn(&str) -> Result<Vec<Config>, ConfigError>;

fn by_content(text: &str) -> Option<Read> {
    if text.trim_start().starts_with('{') || (text.trim_start().starts_with('[') && json::read(text).is_ok()) {
        return Some(json::read);
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
    let assigns = |line: &str| {
        let line = line.strip_prefix("export ").unwrap_or(line);
        line.split_once('=').is_some_and(|(name, _)| env::is_name(name.trim_end()))
    };
    let first = lines.next()?;
    if first.starts_with('<') {
        return None;
    }
    let upper = |line: &str| {
        assigns(line)
            && !line
                .split('=')
                .next()
                .unwrap_or("")
                .contains(|c: char| c.is_lowercase() && !line.starts_with("export "))
    };
    if upper(first) && lines.clone().all(upper) {
        Some(env::read)
    } else if first == "---"
        || first.ends_with(':')
        || first.split_once(": ").is_some_and(|(key, _)| !key.contains('='))
    {
        Some(yaml::read)
    } else if first.contains('=') {
        Some(properties::read)
    } else {
        None
    }
}
