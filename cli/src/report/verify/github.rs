//! Annotations for GitHub's workflows, and a summary of the job:
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;

use anyhow::Context;

use super::{AdapterReport, findings};

/// Where the workflow's runner wants the summary.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

pub(super) fn write(reports: &[AdapterReport], stale: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    for finding in findings(reports, stale) {
        let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let title = data(&finding.about).replace(':', "%3A").replace(',', "%2C");
        writeln!(out, "::error title={title}::{}", data(&finding.message))?;
    }
    if let Some(path) = std::env::var_os(SUMMARY).filter(|path| !path.is_empty()) {
        let append = || File::options().append(true).create(true).open(&path)?.write_all(summary(reports).as_bytes());
        append().with_context(|| format!("{SUMMARY} {}", path.display()))?;
    }
    Ok(())
}

/// A table in Markdown.
fn summary(reports: &[AdapterReport]) -> String {
    let mut table =
        String::from("| client | what | passed | failed | skipped | likely |\n| --- | --- | --- | --- | --- | --- |\n");
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    for report in reports {
        for scheme in &report.schemes {
            let what = scheme.dataset.as_ref().unwrap_or(&scheme.scheme);
            let why = scheme.error.as_ref().or(scheme.likely.as_ref()).map_or("", |why| why);
            let (client, what, why) = (cell(&report.title()), cell(what), cell(why));
            let (passed, failed, skipped) = (scheme.passed, scheme.failed, scheme.skipped);
            let _ = writeln!(table, "| {client} | {what} | {passed} | {failed} | {skipped} | {why} |");
        }
        for complaint in report.complaints() {
            let _ = writeln!(table, "| {} | | | | | {} |", cell(&report.title()), cell(&complaint));
        }
    }
    table
}
