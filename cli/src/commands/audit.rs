//! `keyfall audit`: which records are not where their keys belong, since when, and whose work that is.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use indicatif::ProgressBar;
use keyfall_audit::{Auditor, Finding, Record, Report, Tally, Verdict};
use keyfall_core::Placer;

use crate::exit::Exit;
use crate::ingest::{Bad, Ending, Fields, Input, JsonLines};
use crate::options::{Format, FormatArg, KeyArgs, Target, TargetArgs, TopologyArgs};
use crate::report::{self, Findings, Human, Redactor};
use crate::stdio;

/// Find the records that are not where their keys belong
#[derive(clap::Args)]
#[command(after_help = "\
Reads records as JSON lines, plain or compressed by gzip or zstd, such as kcat dumps them:
  kcat -C -J -e -o beginning -b BROKER -t orders | keyfall audit -s kafka/java -p partitions=12

Examples:
  keyfall audit orders.jsonl -s kafka/java -p partitions=12 --misplaced misplaced.jsonl
  keyfall audit dump.jsonl.gz -s redis/cluster --key-field k --place-field slot --format json

Memory is bounded whatever the input's size. A line may have up to 64 MiB.

Exit status: 0 all in place; 1 records misplaced or keys split; 2 bad usage or input, such as
malformed lines and records in places that do not exist.")]
pub(crate) struct Args {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    topology: TopologyArgs,
    #[command(flatten)]
    format: FormatArg,
    /// Write the misplaced records to this file, as JSON lines, or as CSV if its name ends in .csv; with a topology
    /// they name the owner of the expected place
    #[arg(long, value_name = "FILE")]
    misplaced: Option<PathBuf>,
    /// The input is a random sample of the records: say what share of all keys is misplaced
    #[arg(long)]
    random_sample: bool,
    /// Stop at the first malformed line
    #[arg(long)]
    strict: bool,
    /// Hide keys: show numbers in their place, other ones in each run
    #[arg(long)]
    redact: bool,
    /// The records; - or none is standard input
    #[arg(id = "file", value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    fields: Fields,
}

/// So many malformed lines are shown.
const SHOWN: u64 = 5;

/// Runs it.
pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let Target { scheme, params, keys } = args.target.target()?;
    let mut placer = Placer::bind(scheme, params)?;
    let topology = args.topology.read()?;
    let owners = topology.is_some();
    if let Some(topology) = topology {
        placer = placer.with_topology(topology)?;
    }
    let auditor = Auditor::new(placer);
    let mut out = stdio::stdout()?;
    let input = Input::open(args.file.as_deref())?;
    let findings =
        args.misplaced.as_deref().map(|path| Findings::create(path, args.file.as_deref(), owners)).transpose()?;
    let mut run = Run {
        args: &args,
        keys: &keys,
        auditor: &auditor,
        tally: auditor.tally(),
        findings,
        redactor: Redactor::new(args.redact),
        progress: input.progress.clone(),
        name: input.name.clone(),
    };
    let whole = run.read(input);
    run.progress.finish_and_clear();
    let whole = whole.and_then(|whole| run.finish_findings(whole).map(|()| whole)).inspect_err(|_| run.abandon())?;

    let mut report = auditor.report(&mut run.tally);
    if args.random_sample {
        report = report.of_random_sample(&mut run.tally);
    }
    report.complete &= whole;
    report.examples.iter_mut().for_each(|example| run.redactor.redact(&mut example.key));
    match args.format.is {
        Format::Json => report::json(&report, &mut out)?,
        Format::Human => {
            Human { report: &report, scheme: auditor.placer().scheme(), redactor: &run.redactor }.write(&mut out)?;
        }
    }
    out.flush()?;
    Ok(exit(&report))
}

fn exit(report: &Report) -> Exit {
    match report {
        Report { complete: false, .. } => Exit::BadInput,
        Report { misplaced: 0, split_keys, .. } if split_keys.keys == 0 => Exit::Clean,
        _ => Exit::Findings,
    }
}

/// A run over one input.
struct Run<'a> {
    args: &'a Args,
    keys: &'a KeyArgs,
    auditor: &'a Auditor,
    tally: Tally,
    findings: Option<Findings>,
    redactor: Redactor,
    progress: ProgressBar,
    name: String,
}

impl Run<'_> {
    /// Judges all records. False if the input could not be read to its end.
    fn read(&mut self, input: Input) -> anyhow::Result<bool> {
        let (reader, how) = input.into_reader();
        let mut lines = JsonLines::new(reader, &self.args.fields, self.keys, self.auditor.placer().scheme());
        let ending = lines.each(|line, record| self.judge(line, record))?;
        if self.tally.malformed() > SHOWN {
            let more = self.tally.malformed() - SHOWN;
            self.complain(format_args!("{}: {more} more malformed lines", self.name));
        }
        match ending {
            Ending::Broken(error) => {
                let error = how.explain(&error);
                ensure!(self.tally.records() > 0, "{}: {error}", self.name);
                self.complain(format_args!("error: {}: {error}, after line {}", self.name, lines.line()));
                Ok(false)
            }
            Ending::Whole => {
                ensure!(self.tally.records() > 0, "{} has no records", self.name);
                Ok(true)
            }
        }
    }

    #[inline]
    fn judge(&mut self, line: u64, record: Result<&Record<'_>, Bad>) -> anyhow::Result<()> {
        let record = match record {
            Ok(record) => record,
            Err(bad) => {
                self.tally.add_malformed();
                return self.malformed(line, &bad);
            }
        };
        match self.auditor.add(&mut self.tally, record) {
            Verdict::Misplaced { expected } => {
                if let Some(findings) = &mut self.findings {
                    let mut finding = Finding::new(record, &expected);
                    finding.owner = self.auditor.placer().owner(&expected).map(Into::into);
                    self.redactor.redact(&mut finding.key);
                    findings.write(&finding)?;
                }
                Ok(())
            }
            Verdict::OutOfRange { places } => {
                let unit = self.auditor.placer().scheme().unit;
                let last = places - 1;
                self.malformed(line, &Bad::Line(format!("{unit} {}, but there are only 0 to {last}", record.found)))
            }
            Verdict::Malformed(error) => self.malformed(line, &Bad::Key(error)),
            _ => Ok(()),
        }
    }

    /// Shows the first malformed lines.
    #[cold]
    fn malformed(&self, line: u64, bad: &Bad) -> anyhow::Result<()> {
        let why = match bad {
            Bad::Line(why) => why.clone(),
            Bad::Key(_) if self.redactor.hides() => "its key is malformed (--redact hides how)".into(),
            Bad::Key(error) => format!("its key: {error}"),
        };
        ensure!(!self.args.strict, "{}, line {line}: {why}", self.name);
        if self.tally.malformed() <= SHOWN {
            self.complain(format_args!("{}, line {line}: {why}", self.name));
        }
        Ok(())
    }

    /// Writes to standard error, above the progress bar.
    fn complain(&self, message: fmt::Arguments<'_>) {
        self.progress.suspend(|| stdio::complain(message));
    }

    fn finish_findings(&mut self, whole: bool) -> anyhow::Result<()> {
        let Some(findings) = &mut self.findings else { return Ok(()) };
        findings.finish()?;
        if !whole {
            self.abandon();
        }
        Ok(())
    }

    /// Says that the file of misplaced records has not all of them.
    fn abandon(&self) {
        if let Some(path) = self.findings.as_ref().map(Findings::path) {
            self.complain(format_args!(
                "--misplaced {}: incomplete, the input was not read to its end",
                path.display()
            ));
        }
    }
}
