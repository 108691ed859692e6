//! `keyfall contract lint`: configurations of clients, held against the contract.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anstyle::Style;
use anyhow::{Context, ensure};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use keyfall_conform::config::{self, Client, Kept, Partitioner, Selected};
use keyfall_conform::contract::{self, Contract, Dataset};
use serde::Serialize;

use crate::exit::Exit;
use crate::options::Format;
use crate::stdio;

/// Which scheme each client's configuration selects, and whether that keeps the contract
#[derive(clap::Args)]
#[command(after_help = "\
Reads Java properties, librdkafka's properties and JSON, Spring's YAML and properties, workers and
connectors of Kafka Connect and Debezium, environment files, and the environments of containers in
Compose files and Kubernetes resources. What may be of several clients is not guessed: give --client.

Examples:
  keyfall contract lint --dataset orders service/producer.properties
  keyfall contract lint connectors/*.json --format json
  keyfall contract lint --client librdkafka config/kafka.conf

Exit status: 0 all keep it; 1 one does not, or it cannot be told from a custom partitioner; 2 bad
usage or input.")]
pub(crate) struct Args {
    /// The configurations
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The contract
    #[arg(long, value_name = "FILE", default_value = contract::FILE)]
    contract: PathBuf,
    /// The dataset that these clients write; all of Kafka's unless given
    #[arg(long, value_name = "NAME")]
    dataset: Vec<String>,
    /// Whose configurations they are; told by their content unless given
    #[arg(long, value_name = "CLIENT")]
    client: Option<ClientArg>,
}

/// A client's name.
#[derive(Clone, Copy)]
struct ClientArg(Client);

impl ValueEnum for ClientArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ClientArg; Client::ALL.len()] = {
            let mut all = [ClientArg(Client::Java); Client::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = ClientArg(Client::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

#[derive(Serialize)]
struct LintJson {
    format: u32,
    /// False where a file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    files: Vec<FileJson>,
}

/// A producer that a file configures.
#[derive(Serialize)]
struct FileJson {
    file: String,
    /// The connector or profile, where the file has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    client: &'static str,
    /// None where no key is looked at, or it cannot be told.
    scheme: Option<&'static str>,
    decided_by: String,
    datasets: Vec<DatasetJson>,
}

#[derive(Serialize)]
struct DatasetJson {
    name: String,
    #[serde(flatten)]
    kept: Kept,
}

/// No configuration is as large.
const LARGEST: u64 = 1 << 20;

/// Runs it.
pub(super) fn run(args: &Args, format: Format, out: &mut impl Write) -> anyhow::Result<Exit> {
    let contract = Contract::load(&args.contract)?;
    let datasets = datasets(&contract, &args.dataset)?;
    let mut report = LintJson { format: 1, complete: None, files: Vec::new() };
    for file in &args.files {
        let shown = file.display().to_string();
        let selected = text(file).and_then(|text| Ok(config::read(&shown, &text, args.client.map(|client| client.0))?));
        match selected {
            Ok(selected) => {
                for selected in selected {
                    let entry = entry(&shown, &selected, &datasets);
                    if format == Format::Human {
                        write_human(&entry, &selected, out)?;
                    }
                    report.files.push(entry);
                }
            }
            Err(error) => {
                report.complete = Some(false);
                stdio::complain(format_args!("{shown}: {error:#}"));
            }
        }
    }
    if format == Format::Json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    }
    let kept = report.files.iter().flat_map(|file| &file.datasets).all(|dataset| dataset.kept.keeps);
    Ok(match (report.complete, kept) {
        (Some(_), _) => Exit::BadInput,
        (None, false) => Exit::Findings,
        (None, true) => Exit::Clean,
    })
}

/// The datasets that Kafka's clients write, or those that are asked for.
fn datasets<'c>(contract: &'c Contract, names: &[String]) -> anyhow::Result<Vec<(&'c str, &'c Dataset)>> {
    let of_kafka = |dataset: &Dataset| dataset.scheme.system() == "kafka" && dataset.scheme.records;
    let mut chosen: Vec<(&str, &Dataset)> = Vec::new();
    for name in names {
        let dataset = contract.known(name)?;
        ensure!(of_kafka(dataset), "dataset {name} is {}: no client of Kafka writes it", dataset.scheme.id);
        let (name, _) = contract.datasets.get_key_value(name).expect("known");
        chosen.push((name, dataset));
    }
    if names.is_empty() {
        let all = contract.datasets.iter().map(|(name, dataset)| (&**name, dataset));
        chosen.extend(all.filter(|(_, dataset)| of_kafka(dataset)));
        ensure!(!chosen.is_empty(), "the contract has no dataset that a client of Kafka writes");
    }
    Ok(chosen)
}

fn text(file: &Path) -> anyhow::Result<String> {
    let mut text = Vec::new();
    File::open(file)?.take(LARGEST + 1).read_to_end(&mut text)?;
    ensure!(text.len() as u64 <= LARGEST, "larger than any configuration ({} MiB)", LARGEST >> 20);
    String::from_utf8(text).ok().context("it is not UTF-8")
}

fn entry(file: &str, selected: &Selected, datasets: &[(&str, &Dataset)]) -> FileJson {
    let kept = |(name, dataset): &(&str, &Dataset)| {
        let kept = config::judge(selected, dataset)?;
        Some(DatasetJson { name: name.to_string(), kept })
    };
    FileJson {
        file: file.into(),
        part: selected.part.clone(),
        client: selected.client.name(),
        scheme: match &selected.partitioner {
            Partitioner::Scheme { scheme, .. } => Some(scheme.id),
            _ => None,
        },
        decided_by: selected.decided_by.clone(),
        datasets: datasets.iter().filter_map(kept).collect(),
    }
}

fn write_human(entry: &FileJson, selected: &Selected, out: &mut impl Write) -> std::io::Result<()> {
    let bold = stdio::style(Style::new().bold());
    let part = entry.part.as_ref().map(|part| format!(", {part}")).unwrap_or_default();
    let selects = match &selected.partitioner {
        Partitioner::Scheme { scheme, ignore_keys: false, .. } => scheme.id.to_string(),
        Partitioner::Scheme { scheme, .. } => format!("{}, ignoring keys", scheme.id),
        Partitioner::Unpinned(_) => "no key is looked at".into(),
        Partitioner::Unknown(_) => "cannot be told".into(),
        Partitioner::Nothing(why) => (*why).into(),
    };
    writeln!(out, "{bold}{}{part}{bold:#} ({}): {selects}", entry.file, entry.client)?;
    writeln!(out, "  {}", entry.decided_by)?;
    for DatasetJson { name, kept } in &entry.datasets {
        let word = if kept.keeps { "keeps" } else { "breaks" };
        writeln!(out, "  {bold}{word}{bold:#} {name}: {}", kept.why)?;
    }
    Ok(())
}
