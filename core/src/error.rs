//! Errors: a kind for programs, a message for people that names the input and what is allowed.

use alloc::string::String;
use core::fmt;

/// What went wrong before any key was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No scheme has this id.
    UnknownScheme,
    /// The scheme has no such param.
    UnknownParam,
    /// A required param is absent.
    MissingParam,
    /// A param's value is not allowed.
    InvalidParam,
    /// A topology cannot be used: gaps, overlaps, an old epoch, the wrong unit.
    InvalidTopology,
    /// A column's offsets, lengths or types do not fit.
    InvalidColumn,
    /// JSON that is not of the documented form.
    InvalidJson,
}

/// A scheme, param, topology or column that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of `kind`; `message` names the input and what is allowed.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into() }
    }

    /// The kind, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}

/// A key that is malformed in keyfall's own terms: not a value of its type, or of a form that the scheme has no use for.
/// What a *system* does not take is an outcome instead ([`crate::Outcome::Rejected`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyError(String);

impl KeyError {
    /// A key error; `message` names the value and what is allowed.
    pub fn new(message: impl Into<String>) -> Self {
        KeyError(message.into())
    }

    /// A key of `len` bytes or units, which is more than [`MAX_KEY_LEN`](crate::MAX_KEY_LEN).
    #[cold]
    pub fn too_long(len: usize) -> Self {
        KeyError(alloc::format!("a key of length {len}: no system takes more than {}", crate::MAX_KEY_LEN))
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for KeyError {}

/// The names of `all` nearest to `name`, best first and otherwise in their order, at most three: for "did you mean".
pub(crate) fn nearest<'a>(name: &str, all: impl Iterator<Item = &'a str>) -> alloc::vec::Vec<&'a str> {
    let name = &name.to_lowercase();
    let limit = 1 + name.chars().count() / 5;
    let last = |id: &str| alloc::string::ToString::to_string(id.rsplit('/').next().unwrap_or(id));
    let mut found: alloc::vec::Vec<(usize, &str)> = all
        .filter_map(|id| {
            // `java` is near to `kafka/java`, and `redis` to `redis/cluster`: people leave a half out.
            let part = id.split('/').any(|half| half == name) as usize;
            let distance = distance(name, id).min(1 + distance(name, &last(id)));
            (part == 1 || distance <= limit).then_some((if part == 1 { 0 } else { distance }, id))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(3).map(|(_, id)| id).collect()
}

/// Levenshtein distance, over characters.
fn distance(a: &str, b: &str) -> usize {
    let mut row: alloc::vec::Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_finds_slips_and_halves() {
        let ids = ["kafka/java", "kafka/sarama-hash", "redis/cluster"];
        assert_eq!(nearest("kafka/jav", ids.into_iter()), ["kafka/java"]);
        assert_eq!(nearest("KAFKA/JAVA", ids.into_iter()), ["kafka/java"]);
        assert_eq!(nearest("kafka", ids.into_iter()), ["kafka/java", "kafka/sarama-hash"]);
        assert_eq!(nearest("java", ids.into_iter()), ["kafka/java"]);
        assert_eq!(nearest("redis", ids.into_iter()), ["redis/cluster"]);
        assert!(nearest("dynamo", ids.into_iter()).is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
