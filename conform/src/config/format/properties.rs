//! Java properties, and the `key=value` lines of librdkafka's tools.

use java_properties::{LineContent, PropertiesIter};

use crate::config::{Config, ConfigError, Entry};

pub(super) fn read(text: &str) -> Result<Vec<Config>, ConfigError> {
    let mut documents = vec![Config::default()];
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
                documents.last_mut().expect("there is one").entries.push(Entry::new(key, value, number));
            }
        }
    }
    Ok(documents)
}
