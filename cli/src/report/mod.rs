//! Reports of audits: one file a form.

mod findings;
mod human;
pub(crate) mod verify;

pub(crate) use findings::Findings;
pub(crate) use human::Human;

use std::hash::{BuildHasher, RandomState};
use std::io::Write;

use keyfall_audit::Report;
use serde_json::{Value, json};

/// Writes a report as JSON.
pub(crate) fn json(report: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}", report.json())?;
    Ok(())
}

/// Hides keys. Each is shown as a number of its own, so that records of one key can still be told to be that. The numbers
/// are keyed by a secret of this run, or a list of likely keys would be enough to undo them.
pub(crate) struct Redactor(Option<RandomState>);

impl Redactor {
    /// A redactor that hides keys, or one that shows them.
    pub(crate) fn new(hide: bool) -> Self {
        Redactor(hide.then(RandomState::new))
    }

    /// Whether it hides keys.
    pub(crate) fn hides(&self) -> bool {
        self.0.is_some()
    }

    /// Hides a key if keys are to be hidden.
    pub(crate) fn redact(&self, key: &mut Value) {
        if let Some(secret) = &self.0 {
            *key = json!({ "redacted": format!("{:016x}", secret.hash_one(key.to_string())) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_key_is_one_number_in_a_run_and_another_in_the_next() {
        let redacted = |redactor: &Redactor, key: &str| {
            let mut key = json!({ "text": key });
            redactor.redact(&mut key);
            key
        };
        let (run, next) = (Redactor::new(true), Redactor::new(true));
        assert_eq!(redacted(&run, "a"), redacted(&run, "a"));
        assert_ne!(redacted(&run, "a"), redacted(&run, "b"));
        assert_ne!(redacted(&run, "a"), redacted(&next, "a"));
        assert_eq!(redacted(&Redactor::new(false), "a"), json!({ "text": "a" }));
    }
}
