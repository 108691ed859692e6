//! What each source said of each scheme.

use std::fmt;

/// What came of asking one source about one scheme.
pub(super) enum Verdict {
    /// Every case is as the vectors have it, or differs as it is known to.
    Agrees {
        /// How many are as the vectors have them.
        cases: usize,
        /// Why others are known to differ, and how many.
        quirks: Vec<(String, usize)>,
    },
    /// The vectors have no case of it.
    NoCases,
    /// The source could not be had; why.
    Skipped {
        reason: String,
        /// Where it must be had.
        fails: bool,
    },
    /// It disagrees, or failed on the way; how.
    Failed(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Agrees { cases, quirks } => {
                write!(f, "agree {cases}")?;
                quirks.iter().try_for_each(|(why, cases)| write!(f, ", quirk {cases} ({why})"))
            }
            Verdict::NoCases => f.write_str("no cases in the vectors"),
            Verdict::Skipped { reason, fails } => {
                write!(f, "skipped{}: {reason}", if *fails { ", FAILED" } else { "" })
            }
            Verdict::Failed(how) => write!(f, "FAILED: {how}"),
        }
    }
}

/// A line: source, scheme, what came of it.
pub(super) struct Row {
    pub(super) source: String,
    pub(super) scheme: String,
    pub(super) verdict: Verdict,
}

/// Source by scheme.
#[derive(Default)]
pub(super) struct Matrix(Vec<Row>);

impl Matrix {
    pub(super) fn add(&mut self, rows: Vec<Row>) {
        self.0.extend(rows);
    }

    fn count(&self, is: fn(&Verdict) -> bool) -> usize {
        self.0.iter().filter(|row| is(&row.verdict)).count()
    }

    pub(super) fn passed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Agrees { .. }))
    }

    pub(super) fn failed(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_) | Verdict::Skipped { fails: true, .. }))
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = |of: fn(&Row) -> &str| self.0.iter().map(|row| of(row).len()).max().unwrap_or(0);
        let (source_width, scheme_width) = (wide(|row| &row.source), wide(|row| &row.scheme));
        for Row { source, scheme, verdict } in &self.0 {
            writeln!(f, "{source:source_width$}  {scheme:scheme_width$}  {verdict}")?;
        }
        let quirk = |verdict: &Verdict| matches!(verdict, Verdict::Agrees { quirks, .. } if !quirks.is_empty());
        write!(
            f,
            "{} agree, {} of them with a quirk; {} skipped, {} failed",
            self.passed(),
            self.count(quirk),
            self.count(|verdict| matches!(verdict, Verdict::Skipped { .. })),
            self.count(|verdict| matches!(verdict, Verdict::Failed(_))),
        )
    }
}
