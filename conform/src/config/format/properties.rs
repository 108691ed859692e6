//! Java properties, and the `key=value` lines of librdkafka's tools, in sections or not.

use java_properties::{LineContent, PropertiesIter};

use crate::config::{Config, ConfigError, Entry, shown};

pub(super) fn read(text: &str) -> Result<Vec<Config>, ConfigError> {
    let mut documents = vec![Config::default()];
    let mut sections: Vec<Config> = Vec::new();
    // As Latin-1, whose escapes are the same: what is not ASCII stands in no key or class that is asked for.
    for line in PropertiesIter::new(text.as_bytes()) {
        let line = line.map_err(|error| {
            // Its message may quote the line, and with it a secret.
            let wrong = "not a line of properties: a malformed \\u escape?";
            error.line_number().map_or(ConfigError::new(wrong), |line| ConfigError::at(line, wrong))
        })?;
        let number = line.line_number();
        match line.consume_content() {
            // Spring's documents in one file.
            LineContent::Comment(comment) if comment.trim() == "---" => documents.push(Config::default()),
            LineContent::Comment(_) => {}
            LineContent::KVPair(key, value) => {
                if let Some(section) = section(&key, &value) {
                    sections.push(Config { part: Some(shown(section)), entries: Vec::new() });
                    continue;
                }
                let config = sections.last_mut().or(documents.last_mut()).expect("there is one");
                config.entries.push(Entry::new(key, value, number));
            }
        }
    }
    Ok(if sections.is_empty() { documents } else { with_sections(documents, sections) })
}

/// A line `[section]`, which properties take for a key.
fn section<'l>(key: &'l str, value: &str) -> Option<&'l str> {
    key.strip_prefix('[')?.strip_suffix(']').filter(|_| value.is_empty())
}

/// Each section with what holds for all of them; that alone is a producer's where no section is.
fn with_sections(documents: Vec<Config>, sections: Vec<Config>) -> Vec<Config> {
    let named = |config: &Config, names: &[&str]| {
        let part = config.part.as_deref().unwrap_or("").to_lowercase();
        names.iter().any(|name| part.contains(name))
    };
    let (common, special): (Vec<Config>, Vec<Config>) =
        sections.into_iter().partition(|section| named(section, &["default", "global", "common"]));
    let base: Vec<Entry> = documents.into_iter().chain(common).flat_map(|config| config.entries).collect();
    let alone = !special.iter().any(|section| named(section, &["producer"]));
    let special =
        special.into_iter().map(|section| Config { entries: [base.clone(), section.entries].concat(), ..section });
    let special: Vec<Config> = special.collect();
    let base = Some(Config { part: None, entries: base }).filter(|base| alone && !base.entries.is_empty());
    base.into_iter().chain(special).collect()
}
