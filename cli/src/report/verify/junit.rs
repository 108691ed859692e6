//! JUnit's XML: a suite for each adapter, a test for each scheme.

use std::io::Write;

use keyfall_conform::verify::SuiteReport;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::AdapterReport;

pub(super) fn write(reports: &[AdapterReport], stale: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    let mut report = Report::new("keyfall verify");
    report.add_test_suites(reports.iter().map(suite));
    if !stale.is_empty() {
        let mut suite = TestSuite::new("known failures");
        suite.add_test_cases(stale.iter().map(|entry| failed(entry, "it no longer fails: remove it")));
        report.add_test_suite(suite);
    }
    // Jenkins's schema knows no count of skipped tests for the whole. The first one in the text is that of the whole.
    let text = report.to_string()?;
    let skipped = format!(" skipped=\"{}\"", report.skipped);
    writeln!(out, "{}", text.replacen(&skipped, "", 1))?;
    Ok(())
}

fn suite(report: &AdapterReport) -> TestSuite {
    let mut suite = TestSuite::new(report.title());
    suite.add_test_cases(report.schemes.iter().map(case));
    if report.exit() == crate::exit::Exit::BadInput {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(report.complaints().join("; "));
        suite.add_test_case(TestCase::new("start", status));
    }
    suite
}

fn case(report: &SuiteReport) -> TestCase {
    let name = report.dataset.as_ref().unwrap_or(&report.scheme);
    if report.failed == 0 && report.error.is_none() {
        let status = if report.passed == 0 { TestCaseStatus::skipped() } else { TestCaseStatus::success() };
        return TestCase::new(name.as_str(), status);
    }
    let why = report.error.as_ref().or(report.likely.as_ref());
    let why = why.map_or(String::new(), |why| format!(": {why}"));
    let mut case = failed(name, &format!("{} of {} cases failed{why}", report.failed, report.cases));
    let lines: Vec<String> = report.failures.iter().take(20).map(|f| serde_json::json!(f).to_string()).collect();
    case.status.set_description(lines.join("\n"));
    case
}

fn failed(name: &str, message: &str) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message);
    TestCase::new(name, status)
}
