//! The report for programs.

use std::io::Write;

use keyfall_conform::verify::SuiteReport;
use serde::Serialize;

use super::AdapterReport;

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    adapters: Vec<Adapter<'a>>,
    /// Entries of the list of known failures that no longer fail.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stale_known_failures: &'a [String],
}

#[derive(Serialize)]
struct Adapter<'a> {
    name: &'a str,
    client_version: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    language: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared_with: Option<&'a str>,
    schemes: &'a [SuiteReport],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    complaints: Vec<String>,
    /// Why it could not be run at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

pub(super) fn write(reports: &[AdapterReport], stale: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    let adapters = reports.iter().map(|report| Adapter {
        name: &report.name,
        client_version: &report.client_version,
        language: &report.language,
        compared_with: report.compared_with.as_deref(),
        schemes: &report.schemes,
        complaints: report.complaints(),
        error: report.error.as_deref(),
    });
    let report = Report { format: 1, adapters: adapters.collect(), stale_known_failures: stale };
    writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    Ok(())
}
