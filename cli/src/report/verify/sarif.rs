//! SARIF 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use std::io::Write;

use serde_sarif::sarif::{
    ArtifactLocation, Location, LogicalLocation, Message, MultiformatMessageString, PhysicalLocation, Region,
    ReportingDescriptor, Result as SarifResult, ResultLevel, Run, SCHEMA_URL, Sarif, Tool, ToolComponent, Version,
};

use super::Finding;

/// Rules, and what each one says.
const RULES: [(&str, &str); 4] = [
    ("misplaced", "A client puts keys elsewhere than it should."),
    ("adapter-failed", "An adapter failed while it was asked."),
    ("not-run", "An adapter could not be run at all."),
    ("stale-known-failure", "A known failure no longer fails."),
];

pub(super) fn write(findings: &[Finding], contract: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let rule = |(id, text): (&str, &str)| {
        ReportingDescriptor::builder()
            .id(id)
            .short_description(MultiformatMessageString::builder().text(text).build())
            .build()
    };
    let driver = ToolComponent::builder()
        .name("keyfall")
        .version(env!("CARGO_PKG_VERSION"))
        .information_uri(env!("CARGO_PKG_REPOSITORY"))
        .rules(RULES.map(rule).to_vec())
        .build();
    let results: Vec<SarifResult> = findings.iter().map(|finding| result(finding, contract)).collect();
    let run = Run::builder().tool(Tool::builder().driver(driver).build()).results(results).build();
    let sarif = Sarif::builder().schema(SCHEMA_URL).version(Version::V2_1_0.to_string()).runs(vec![run]).build();
    writeln!(out, "{}", serde_json::to_string_pretty(&sarif)?)?;
    Ok(())
}

fn result(finding: &Finding, contract: &str) -> SarifResult {
    let file = PhysicalLocation::builder()
        .artifact_location(ArtifactLocation::builder().uri(contract).build())
        .region(Region::builder().start_line(1).build())
        .build();
    let who = LogicalLocation::builder().fully_qualified_name(&finding.about).build();
    let location = Location::builder().physical_location(file).logical_locations(vec![who]).build();
    SarifResult::builder()
        .rule_id(finding.rule)
        .level(ResultLevel::Error)
        .message(Message::builder().text(format!("{}: {}", finding.about, finding.message)).build())
        .locations(vec![location])
        .build()
}
