//! What each source said of each scheme.

use std::fmt;

use keyfall_conform::oracle::OracleSource;

/// What came of asking one source about one scheme.
pub(super) enum Verdict {
    /// Every case is as the vectors have it.
    Agrees {
        /// How many.
        cases: usize,
    },
    /// The source could not be had; why.
    Skipped(String),
    /// It disagrees, or failed on the way; how.
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Agrees { cases } => write!(f, "agree, {cases} cases"),
            Verdict::Skipped(why) => write!(f, "skipped: {why}"),
            Verdict::Failed(how) => write!(f, "FAILED: {how}"),
        }
    }
}

/// Source by scheme.
#[derive(Default)]
pub(super) struct Matrix {
    rows: Vec<(String, String, Verdict)>,
}

impl Matrix {
    pub(super) fn add(&mut self, source: &OracleSource, verdicts: Vec<(String, Verdict)>) {
        self.rows.extend(verdicts.into_iter().map(|(scheme, verdict)| (source.id.clone(), scheme, verdict)));
    }

    pub(super) fn passed(&self) -> usize {
        self.rows.iter().filter(|(.., verdict)| matches!(verdict, Verdict::Agrees { .. })).count()
    }

    /// How many failed; a skipped one counts only in the core tier.
    pub(super) fn failed(&self, core: bool) -> usize {
        let fails = |verdict: &Verdict| match verdict {
            Verdict::Agrees { .. } => false,
            Verdict::Skipped(_) => core,
            Verdict::Failed(_) => true,
        };
        self.rows.iter().filter(|(.., verdict)| fails(verdict)).count()
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide =
            |of: fn(&(String, String, Verdict)) -> &str| self.rows.iter().map(|row| of(row).len()).max().unwrap_or(0);
        let (source_width, scheme_width) = (wide(|row| &row.0), wide(|row| &row.1));
        for (source, scheme, verdict) in &self.rows {
            writeln!(f, "{source:source_width$}  {scheme:scheme_width$}  {verdict}")?;
        }
        Ok(())
    }
}
