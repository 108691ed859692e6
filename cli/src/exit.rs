//! The exit statuses, in one place.

use std::process::ExitCode;

/// How a run ends. The greater one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Nothing to report.
    Clean = 0,
    /// Findings: misplaced records; keys that are rejected or refused.
    Findings = 1,
    /// A usage or input error.
    BadInput = 2,
}

impl Exit {
    /// Notes another ending.
    pub fn note(&mut self, other: Exit) {
        *self = (*self).max(other);
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
