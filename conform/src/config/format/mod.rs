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
        yaml(text)
    } else if ends(&[".env"]) || name.starts_with(".env") {
        env::read(text)
    } else if ends(&[".properties"]) {
        properties::read(text)
    } else {
        let read = by_content(text).ok_or_else(|| {
            ConfigError::new("it is none of the known forms: properties, JSON, YAML, an environment file (.env)")
        })?;
        read(text)
    }
}

/// YAML, or the environments of the containers in it.
fn yaml(text: &str) -> Result<Vec<Config>, ConfigError> {
    let documents = yaml::read(text)?;
    let containers: Vec<Config> = documents.iter().flat_map(env::of_containers).collect();
    Ok(if containers.is_empty() { documents } else { containers })
}

type Read = fn(&str) -> Result<Vec<Config>, ConfigError>;

fn by_content(text: &str) -> Option<Read> {
    if text.trim_start().starts_with('{') || (text.trim_start().starts_with('[') && json::read(text).is_ok()) {
        return Some(json::read);
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
    // Not in small letters, unless it is exported.
    let variable = |line: &str| {
        let exported = line.strip_prefix("export ");
        let name = exported.unwrap_or(line).split_once('=').map_or("", |(name, _)| name.trim());
        env::is_name(name) && (exported.is_some() || !name.contains(char::is_lowercase))
    };
    let first = lines.next()?;
    if first.starts_with('<') {
        return None;
    }
    if variable(first) && lines.clone().all(variable) {
        Some(env::read)
    } else if first == "---"
        || first.ends_with(':')
        || first.split_once(": ").is_some_and(|(key, _)| !key.contains('='))
    {
        Some(yaml)
    } else if first.contains('=') || (first.starts_with('[') && lines.any(|line| line.contains('='))) {
        Some(properties::read)
    } else {
        None
    }
}
