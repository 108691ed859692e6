//! GitLab's code quality: <https://docs.gitlab.com/ci/testing/code_quality/>.

use std::io::Write;

use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use super::Finding;

pub(super) fn write(findings: &[Finding], contract: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let issue = |finding: &Finding| {
        // The same finding is to have the same one in the next run; its message has counts, which may differ.
        let fingerprint = xxh3_64(format!("{}\n{}", finding.rule, finding.about).as_bytes());
        json!({
            "description": format!("{}: {}", finding.about, finding.message),
            "check_name": finding.rule,
            "fingerprint": format!("{fingerprint:016x}"),
            "severity": "critical",
            "location": { "path": contract, "lines": { "begin": 1 } },
        })
    };
    let issues: Vec<_> = findings.iter().map(issue).collect();
    writeln!(out, "{}", serde_json::to_string_pretty(&issues)?)?;
    Ok(())
}
