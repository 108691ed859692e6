//! Lists of known failures, which cannot go stale: an entry that no longer fails is itself a failure.

use serde::Deserialize;

use super::Suite;
use crate::vectors::Case;

/// What is known to fail.
///
/// ```toml
/// [[known]]
/// scheme = "kafka/kafkajs"
/// flag = "lone-surrogate"
/// reason = "the client writes U+FFFD"
/// link = "https://github.com/tulios/kafkajs/issues/1"
/// ```
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The entries.
    #[serde(default)]
    known: Vec<Entry>,
}

/// An entry: the cases that it is about, and why they fail. What it does not name may be anything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The adapter, as it calls itself.
    pub adapter: Option<String>,
    /// The scheme.
    pub scheme: Option<String>,
    /// The dataset of a contract.
    pub dataset: Option<String>,
    /// A flag of the cases.
    pub flag: Option<String>,
    /// The cases' numbers.
    pub cases: Option<Vec<u32>>,
    /// Why they fail.
    pub reason: String,
    /// Where that is discussed.
    pub link: String,
    /// Whether any case was met that fails.
    #[serde(skip)]
    met: bool,
}

impl Known {
    /// Reads a list.
    ///
    /// # Errors
    /// Text of another form; an entry that is about every case, or gives no reason or link.
    pub fn parse(text: &str) -> Result<Known, String> {
        let known: Known = toml::from_str(text).map_err(|error| error.to_string())?;
        for (at, entry) in known.known.iter().enumerate() {
            let number = at + 1;
            if entry.scheme.is_none() && entry.dataset.is_none() {
                return Err(format!("entry {number}: name a scheme or a dataset"));
            }
            if entry.reason.trim().is_empty() || entry.link.trim().is_empty() {
                return Err(format!("entry {number}: give a reason, and a link to where it is discussed"));
            }
        }
        Ok(known)
    }

    /// Whether a case that failed is known to, which is noted.
    pub(super) fn has(&mut self, adapter: &str, suite: &Suite, case: &Case) -> bool {
        let mut known = false;
        for entry in self.known.iter_mut().filter(|entry| entry.is_about(adapter, suite, case)) {
            entry.met = true;
            known = true;
        }
        known
    }

    /// The entries that met no failure.
    pub fn stale(&self) -> impl Iterator<Item = &Entry> {
        self.known.iter().filter(|entry| !entry.met)
    }
}

impl Entry {
    fn is_about(&self, adapter: &str, suite: &Suite, case: &Case) -> bool {
        let is = |named: &Option<String>, is: &str| named.as_deref().is_none_or(|named| named == is);
        is(&self.adapter, adapter)
            && is(&self.scheme, &suite.scheme)
            && self.dataset.as_ref().is_none_or(|named| suite.dataset.as_ref() == Some(named))
            && self.flag.as_ref().is_none_or(|flag| case.flags.contains(flag))
            && self.cases.as_ref().is_none_or(|cases| cases.contains(&case.id))
    }
}

impl std::fmt::Display for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            ("adapter", &self.adapter),
            ("scheme", &self.scheme),
            ("dataset", &self.dataset),
            ("flag", &self.flag),
            ("cases", &self.cases.as_ref().map(|cases| format!("{cases:?}"))),
        ];
        let named: Vec<String> =
            parts.iter().filter_map(|(name, value)| Some(format!("{name} {}", value.as_ref()?))).collect();
        write!(f, "{} ({})", named.join(", "), self.reason)
    }
}
