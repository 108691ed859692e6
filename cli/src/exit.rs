//! The exit statuses, in one place.

use std::process::ExitCode;

use keyfall_core::{KeyError, Outcome};

/// How a run ends. The greater one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing to report.
    Clean = 0,
    /// Findings: misplaced records; keys that are rejected or refused.
    Findings = 1,
    /// A usage or input error.
    BadInput = 2,
}

impl Exit {
    /// Notes another ending.
    pub(crate) fn note(&mut self, other: Exit) {
        *self = (*self).max(other);
    }
}

impl From<&Outcome> for Exit {
    fn from(outcome: &Outcome) -> Exit {
        match outcome {
            Outcome::Placed(_) | Outcome::Unpinned(_) => Exit::Clean,
            Outcome::Rejected(_) | Outcome::Refused(_) => Exit::Findings,
        }
    }
}

impl From<&Result<Outcome, KeyError>> for Exit {
    fn from(outcome: &Result<Outcome, KeyError>) -> Exit {
        outcome.as_ref().map_or(Exit::BadInput, Exit::from)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
