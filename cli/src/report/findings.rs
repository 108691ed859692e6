//! The misplaced records themselves, in a file: the input of a repair.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use keyfall_audit::Finding;
use same_file::is_same_file;

/// A file of misplaced records, written while the input is read.
pub(crate) struct Findings {
    path: PathBuf,
    form: Form,
}

enum Form {
    JsonLines(BufWriter<File>),
    /// With so many columns.
    Csv(Box<csv::Writer<File>>, usize),
}

/// The header of the CSV form; the names are those of the JSON form. The last one stands there with a topology alone.
const COLUMNS: [&str; 8] = ["line", "key", "found", "expected", "offset", "timestamp", "producer", "owner"];

impl Findings {
    /// Creates the file: CSV if its name ends in `.csv`, otherwise JSON lines. `input` is not to be overwritten.
    pub(crate) fn create(path: &Path, input: Option<&Path>, owners: bool) -> anyhow::Result<Findings> {
        let context = || format!("--misplaced {}", path.display());
        ensure!(path != Path::new("-"), "--misplaced takes a file: standard output has the report");
        let overwrites = input.is_some_and(|input| is_same_file(input, path).unwrap_or(false));
        ensure!(!overwrites, "--misplaced {} is the input: it would be overwritten", path.display());
        let file = File::create(path).with_context(context)?;
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        let form = if is_csv {
            let mut writer = csv::Writer::from_writer(file);
            let columns = if owners { COLUMNS.len() } else { COLUMNS.len() - 1 };
            writer.write_record(&COLUMNS[..columns]).with_context(context)?;
            Form::Csv(Box::new(writer), columns)
        } else {
            Form::JsonLines(BufWriter::new(file))
        };
        Ok(Findings { path: path.into(), form })
    }

    /// Writes a record.
    pub(crate) fn write(&mut self, finding: &Finding) -> anyhow::Result<()> {
        let written = match &mut self.form {
            Form::JsonLines(out) => writeln!(out, "{}", serde_json::to_string(finding)?),
            Form::Csv(out, columns) => out.write_record(&row(finding)[..*columns]).map_err(Into::into),
        };
        self.check(written)
    }

    /// Writes what is left in buffers.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        let flushed = match &mut self.form {
            Form::JsonLines(out) => out.flush(),
            Form::Csv(out, _) => out.flush(),
        };
        self.check(flushed)
    }

    /// Where they are written.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn check(&self, result: std::io::Result<()>) -> anyhow::Result<()> {
        result.with_context(|| format!("--misplaced {}: cannot write, the file is incomplete", self.path.display()))
    }
}

/// A record as CSV: the key as the JSON that it is in the other form, empty cells for what is absent.
fn row(finding: &Finding) -> [String; 8] {
    [
        finding.line.to_string(),
        finding.key.to_string(),
        finding.found.to_string(),
        finding.expected.to_string(),
        finding.offset.map(|offset| offset.to_string()).unwrap_or_default(),
        finding.timestamp.clone().unwrap_or_default(),
        finding.producer.clone().unwrap_or_default(),
        finding.owner.clone().unwrap_or_default(),
    ]
}
