//! Annotations for GitHub's workflows: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::io::{self, Write};

use super::AdapterReport;

pub(super) fn write(reports: &[AdapterReport], stale: &[String], out: &mut impl Write) -> io::Result<()> {
    for report in reports {
        for scheme in report.schemes.iter().filter(|scheme| scheme.failed > 0 || scheme.error.is_some()) {
            let why = scheme.error.as_ref().or(scheme.likely.as_ref());
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            let name = scheme.dataset.as_ref().unwrap_or(&scheme.scheme);
            let message = format!("{} of {} keys are not where they belong{why}", scheme.failed, scheme.cases);
            annotate("error", &format!("{}, {name}", report.title()), &message, out)?;
        }
        let kind = if report.exit() == crate::exit::Exit::BadInput { "error" } else { "warning" };
        for complaint in report.complaints() {
            annotate(kind, &report.title(), &complaint, out)?;
        }
    }
    for entry in stale {
        annotate("error", "known failures", &format!("it no longer fails: {entry}"), out)?;
    }
    Ok(())
}

fn annotate(kind: &str, title: &str, message: &str, out: &mut impl Write) -> io::Result<()> {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = data(title).replace(':', "%3A").replace(',', "%2C");
    writeln!(out, "::{kind} title={property}::{}", data(message))
}
