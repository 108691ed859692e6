//! JSON: an object, or a list of objects.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::config::{Config, ConfigError, Entry};

pub(super) fn read(text: &str) -> Result<Vec<Config>, ConfigError> {
    let whole: &RawValue = serde_json::from_str(text).map_err(wrong)?;
    let mut config = Config::default();
    if !whole.get().starts_with(['{', '[']) {
        return Err(ConfigError::new("it is no JSON object"));
    }
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |value: &RawValue| {
        let offset = value.get().as_ptr().addr() - text.as_ptr().addr();
        1 + lines.partition_point(|end| *end < offset)
    };
    walk(whole, String::new(), &line, &mut config.entries)?;
    Ok(vec![config])
}

/// What the parser says of syntax; what it says of data may quote a value.
fn wrong(error: serde_json::Error) -> ConfigError {
    ConfigError::at(error.line(), format_args!("not JSON, at column {}", error.column()))
}

/// A key of an object.
#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

/// serde_json itself ends the descent at its limit of 128 levels: it has read the whole text before.
fn walk(
    value: &RawValue,
    path: String,
    line: &dyn Fn(&RawValue) -> usize,
    entries: &mut Vec<Entry>,
) -> Result<(), ConfigError> {
    let join = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    let scalar = match value.get().as_bytes().first() {
        Some(b'{') => {
            let object: BTreeMap<Name<'_>, &RawValue> = serde_json::from_str(value.get()).map_err(wrong)?;
            return object.into_iter().try_for_each(|(name, value)| walk(value, join(&name.0), line, entries));
        }
        Some(b'[') => {
            let list: Vec<&RawValue> = serde_json::from_str(value.get()).map_err(wrong)?;
            return list
                .into_iter()
                .enumerate()
                .try_for_each(|(at, value)| walk(value, join(&at.to_string()), line, entries));
        }
        Some(b'"') => serde_json::from_str(value.get()).map_err(wrong)?,
        Some(b'n') => return Ok(()),
        _ => value.get().to_string(),
    };
    entries.push(Entry::new(path, scalar, line(value)));
    Ok(())
}
