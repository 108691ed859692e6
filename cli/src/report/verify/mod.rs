//! Reports of `keyfall verify`: one file a form.

mod github;
mod gitlab;
mod human;
mod json;
mod junit;
mod sarif;

use std::io::Write;

use clap::ValueEnum;
use keyfall_conform::adapter::Hello;
use keyfall_conform::verify::SuiteReport;

use crate::exit::Exit;

/// The forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyFormat {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
    /// JUnit's XML, which most CI servers show
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub's workflows, and its summary of the job
    Github,
    /// GitLab's code quality
    Gitlab,
}

impl VerifyFormat {
    /// Writes the reports, and the known failures that are none any more. `contract` is the file that findings are shown
    /// at: who places keys otherwise has no line of its own.
    pub(crate) fn write(
        self,
        reports: &[AdapterReport],
        stale: &[String],
        contract: &str,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        match self {
            VerifyFormat::Human => human::write(reports, stale, out)?,
            VerifyFormat::Json => json::write(reports, stale, out)?,
            VerifyFormat::Junit => junit::write(reports, stale, out)?,
            VerifyFormat::Sarif => sarif::write(&findings(reports, stale), contract, out)?,
            VerifyFormat::Github => github::write(reports, stale, out)?,
            VerifyFormat::Gitlab => gitlab::write(&findings(reports, stale), contract, out)?,
        }
        Ok(())
    }
}

/// A finding, for forms that list them.
pub(crate) struct Finding {
    /// Its kind: `misplaced`, `adapter-failed`, `not-run`, `stale-known-failure`.
    pub(crate) rule: &'static str,
    /// The adapter and what it was asked about, or the list of known failures.
    pub(crate) about: String,
    pub(crate) message: String,
}

/// The findings of a run.
fn findings(reports: &[AdapterReport], stale: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for report in reports {
        for scheme in report.schemes.iter().filter(|scheme| scheme.failed > 0 || scheme.error.is_some()) {
            let name = scheme.dataset.as_ref().unwrap_or(&scheme.scheme);
            let rule = if scheme.error.is_some() { "adapter-failed" } else { "misplaced" };
            let about = format!("{}, {name}", report.title());
            findings.push(Finding { rule, about, message: wrong(scheme) });
        }
        if report.exit() == Exit::BadInput {
            let message = report.complaints().join("; ");
            findings.push(Finding { rule: "not-run", about: report.title(), message });
        }
    }
    let stale = stale.iter().map(|entry| Finding {
        rule: "stale-known-failure",
        about: "known failures".into(),
        message: format!("it no longer fails: {entry}"),
    });
    findings.extend(stale);
    findings
}

/// What is wrong with a suite, in one line.
fn wrong(scheme: &SuiteReport) -> String {
    let why = scheme.error.as_ref().or(scheme.likely.as_ref()).map_or(String::new(), |why| format!(": {why}"));
    let name = scheme.dataset.as_ref().map_or(String::new(), |dataset| format!("{dataset} is {}, and ", scheme.scheme));
    format!("{name}{} of {} keys are not where they belong{why}", scheme.failed, scheme.cases)
}

/// What became of an adapter.
#[derive(Debug, Default)]
pub(crate) struct AdapterReport {
    /// As it calls itself, or its command where it did not come to that.
    pub(crate) name: String,
    pub(crate) client_version: String,
    pub(crate) language: String,
    pub(crate) schemes: Vec<SuiteReport>,
    /// Schemes that it declares and of which there are no vectors, or datasets whose scheme it does not declare.
    pub(crate) not_askable: Vec<String>,
    /// Schemes that it was not asked about any more, after it had failed.
    pub(crate) not_asked: Vec<String>,
    /// What its answers were compared with, if not with the vectors.
    pub(crate) compared_with: Option<String>,
    /// Why it could not be run at all.
    pub(crate) error: Option<String>,
}

impl AdapterReport {
    /// The report of an adapter that was not asked anything yet.
    pub(crate) fn of(hello: &Hello) -> Self {
        let Hello { name, client_version, language, .. } = hello.clone();
        AdapterReport { name, client_version, language, ..AdapterReport::default() }
    }

    /// That of one that did not start.
    pub(crate) fn not_run(command: &[String], error: String) -> Self {
        AdapterReport { name: command.join(" "), error: Some(error), ..AdapterReport::default() }
    }

    /// How it ends the run.
    pub(crate) fn exit(&self) -> Exit {
        if self.error.is_some() || self.schemes.is_empty() {
            Exit::BadInput
        } else if self.schemes.iter().any(|scheme| scheme.failed > 0 || scheme.error.is_some()) {
            Exit::Findings
        } else {
            Exit::Clean
        }
    }

    /// Why nothing was asked, or less than it declares.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints: Vec<String> = self.error.iter().cloned().collect();
        if self.error.is_none() && self.schemes.is_empty() {
            complaints.push("nothing to ask: it declares no scheme that is wanted".into());
        }
        if !self.not_askable.is_empty() {
            complaints.push(format!(
                "not asked, as it declares other schemes or there are no vectors: {}",
                self.not_askable.join(", ")
            ));
        }
        if !self.not_asked.is_empty() {
            complaints.push(format!("not asked any more: {}", self.not_asked.join(", ")));
        }
        complaints
    }

    /// Name and version.
    pub(crate) fn title(&self) -> String {
        [&*self.name, &self.client_version].join(" ").trim_end().into()
    }
}
