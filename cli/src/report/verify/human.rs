//! The report for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use keyfall_conform::verify::{Failure, SuiteReport};
use keyfall_core::wire::OutcomeJson;
use serde_json::json;

use super::AdapterReport;
use crate::stdio;

/// So many failures of a scheme are shown.
const SHOWN: usize = 3;

pub(super) fn write(reports: &[AdapterReport], stale: &[String], out: &mut impl Write) -> io::Result<()> {
    let bold = stdio::style(Style::new().bold());
    for (at, report) in reports.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write!(out, "{bold}{}{bold:#}", report.title())?;
        if let Some(other) = &report.compared_with {
            write!(out, ", compared with {other}")?;
        }
        writeln!(out)?;
        for scheme in &report.schemes {
            self::scheme(scheme, out)?;
        }
        for complaint in report.complaints() {
            writeln!(out, "  {}", complaint.replace('\n', "\n    "))?;
        }
    }
    for entry in stale {
        writeln!(out, "\na known failure that is none any more: {entry}")?;
    }
    let sum = |count: fn(&SuiteReport) -> usize| reports.iter().flat_map(|r| &r.schemes).map(count).sum::<usize>();
    let (passed, failed) = (sum(|s| s.passed), sum(|s| s.failed));
    writeln!(out, "\n{passed} passed, {failed} failed")
}

fn scheme(report: &SuiteReport, out: &mut impl Write) -> io::Result<()> {
    let failed = report.failed > 0 || report.error.is_some();
    let color = if failed { AnsiColor::Red } else { AnsiColor::Green };
    let style = stdio::style(color.on_default());
    let verdict = if failed { "FAILED" } else { "ok" };
    let of = report.dataset.as_ref().map_or(String::new(), |dataset| format!("{dataset}: "));
    let asked = report.asked.as_ref().map_or(String::new(), |asked| format!(" (asked for {asked})"));
    write!(
        out,
        "  {style}{verdict:6}{style:#} {of}{}{asked}: {} of {} agree",
        report.scheme, report.passed, report.cases
    )?;
    if report.known_failures > 0 {
        write!(out, ", {} known to fail", report.known_failures)?;
    }
    if report.skipped > 0 {
        write!(out, ", {} skipped", report.skipped)?;
    }
    writeln!(out)?;
    for (reason, count) in &report.reasons {
        let reason = if reason.is_empty() { "no reason given" } else { reason };
        writeln!(out, "           skipped {count}: {reason}")?;
    }
    if let Some(error) = &report.error {
        writeln!(out, "         {}", error.replace('\n', "\n         "))?;
    }
    if let Some(likely) = &report.likely {
        writeln!(out, "         likely: {likely}")?;
    }
    for failure in report.failures.iter().take(SHOWN) {
        self::failure(failure, out)?;
    }
    if report.failures.len() > SHOWN {
        writeln!(out, "         and {} more (--format json has them all)", report.failures.len() - SHOWN)?;
    }
    if let Some(smallest) = &report.smallest {
        let (key, params) = (smallest.key.get(), params(&json!(smallest.params)));
        let (expected, got) = (said(&smallest.expected), said(&smallest.got));
        writeln!(out, "         smallest: {key} with {params}: expected {expected}, got {got}")?;
        writeln!(out, "           {}", explain(&report.scheme, key, &params))?;
    }
    Ok(())
}

fn failure(failure: &Failure, out: &mut impl Write) -> io::Result<()> {
    let key: String = failure.key.get().chars().take(80).collect();
    let key = if key.len() < failure.key.get().len() { key + "..." } else { key };
    let (expected, got) = (said(&failure.expected), said(&failure.got));
    let flags = if failure.flags.is_empty() { String::new() } else { format!(" [{}]", failure.flags.join(", ")) };
    let params = params(&json!(failure.params));
    writeln!(out, "         case {}: {key} with {params}: expected {expected}, got {got}{flags}", failure.id)
}

fn said(outcome: &OutcomeJson) -> String {
    match (&outcome.place, &outcome.why) {
        (Some(place), _) => place.to_string(),
        (None, Some(why)) => format!("{} ({why})", outcome.outcome),
        (None, None) => outcome.outcome.clone(),
    }
}

/// Params as on the command line.
fn params(params: &serde_json::Value) -> String {
    let value = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(items) => {
            items.iter().map(|item| item.as_str().map_or(item.to_string(), Into::into)).collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    };
    let params = params.as_object().into_iter().flatten();
    params.map(|(name, v)| format!("{name}={}", value(v))).collect::<Vec<_>>().join(" ")
}

fn explain(scheme: &str, key: &str, params: &str) -> String {
    let params: String = params.split(' ').filter(|p| !p.is_empty()).map(|p| format!(" -p {p}")).collect();
    format!("keyfall explain -s {scheme}{params} --key-format json '{}'", key.replace('\'', r"'\''"))
}
