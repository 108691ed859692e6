//! `vectors/BUGS.md`, the hall of bugs: what went wrong in which client, by system and class of mistake, with the cases
//! that show it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use keyfall_conform::vectors::{Case, ParamsJson, Vectors};
use keyfall_core::wire::parse_key;
use keyfall_core::{OwnedKey, registry};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

const INTRODUCTION: &str = "\
# The hall of bugs

<!-- Written by `cargo xtask gen` from data/bugs.jsonl, data/threads.jsonl, data/findings.jsonl, data/shown.jsonl,
data/quirks.jsonl, data/field-cases.jsonl and the vectors. -->

Keys that fell elsewhere than people thought: what they saw, why, and the cases that show it, by system and by the
[flag](FLAGS.md) of the mistake. `kafka/java 9` is case 9 of [kafka/java.json](kafka/java.json). A client that has the bug
fails the cases named, or passes them where the client is the one whose scheme is named: then they are how it differs from
its peers.
";

/// Cases that are named one by one.
const NAMED: usize = 4;

/// A line of bugs.jsonl or threads.jsonl: a report that somebody made in public.
#[derive(Deserialize)]
struct Report {
    id: String,
    system: String,
    url: String,
    date: Option<String>,
    symptom: String,
    root_cause: Option<String>,
    flag: Option<String>,
    /// The key in question, in any form.
    #[serde(default)]
    input: Value,
}

/// A line of findings.jsonl: what came to light when the client was asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    id: String,
    system: String,
    client: String,
    versions: String,
    symptom: String,
    root_cause: String,
    schemes: Vec<String>,
    flag: Option<String>,
    /// The flag of the cases that show it, where it is another one.
    show: Option<String>,
    /// Where the client is asked.
    seen: String,
}

/// A line of shown.jsonl: whose cases show a report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shown {
    id: String,
    client: String,
    schemes: Vec<String>,
    show: Option<String>,
}

/// A line of quirks.jsonl, as far as it is told here.
#[derive(Deserialize)]
struct Quirk {
    scheme: String,
    sources: Vec<String>,
    why: String,
}

/// A line of field-cases.jsonl: a placement that somebody has reported.
#[derive(Deserialize)]
struct FieldCase {
    scheme: Option<String>,
    hash_function: Option<String>,
    key: Box<RawValue>,
    #[serde(default)]
    params: ParamsJson,
    place: Option<Value>,
    hash: Option<String>,
    source: String,
}

/// An entry of the hall.
struct Entry {
    client: String,
    versions: Option<String>,
    date: Option<String>,
    symptom: String,
    root_cause: Option<String>,
    /// A link to the thread, or where it was seen.
    link: String,
    /// The cases that show it, in words.
    cases: Option<String>,
}

/// By system and by flag; those without a flag come last.
type Hall = BTreeMap<(usize, String), BTreeMap<(bool, String), Vec<Entry>>>;

/// The file's text.
pub(super) fn text(root: &Path, vectors: &[Vectors]) -> anyhow::Result<String> {
    let data = root.join("vectors/data");
    let meanings: BTreeMap<String, String> = serde_json::from_str(&fs::read_to_string(data.join("flags.json"))?)?;
    let mut reports: Vec<Report> = lines(&data, "bugs.jsonl")?;
    reports.extend(lines::<Report>(&data, "threads.jsonl")?);
    let findings: Vec<Finding> = lines(&data, "findings.jsonl")?;
    let shown: Vec<Shown> = lines(&data, "shown.jsonl")?;
    let field_cases: Vec<FieldCase> = lines(&data, "field-cases.jsonl")?;
    let cases = Cases::new(vectors);

    if let Some(stray) = shown.iter().find(|shown| !reports.iter().any(|report| report.id == shown.id)) {
        bail!("data/shown.jsonl: no report {}", stray.id);
    }
    // By system, in the order of the registry, then by name; and by flag, those without one last.
    let order = |system: &str| registry::SYSTEMS.iter().position(|known| known.id == system).unwrap_or(usize::MAX);
    let mut hall: Hall = BTreeMap::new();
    let mut add = |system: &str, flag: Option<&String>, entry| {
        let flags = hall.entry((order(system), system.into())).or_default();
        flags.entry((flag.is_none(), flag.cloned().unwrap_or_default())).or_default().push(entry);
    };
    for finding in &findings {
        let flag = finding.show.as_ref().or(finding.flag.as_ref());
        let entry = Entry {
            client: finding.client.clone(),
            versions: Some(finding.versions.clone()),
            date: None,
            symptom: finding.symptom.clone(),
            root_cause: Some(finding.root_cause.clone()),
            link: match finding.seen.starts_with("oracles/") {
                true => format!("Seen by [{0}](../{0})", finding.seen),
                false => format!("Seen in {}", finding.seen),
            },
            cases: cases.of(&finding.schemes, flag, &[], &finding.id)?,
        };
        add(&finding.system, finding.flag.as_ref(), entry);
    }
    for report in &reports {
        let shown = shown.iter().find(|shown| shown.id == report.id);
        let flag = shown.and_then(|shown| shown.show.as_ref()).or(report.flag.as_ref());
        let schemes = match (shown, flag) {
            (Some(shown), _) => shown.schemes.clone(),
            (None, Some(flag)) => cases.defaults(&report.system, flag),
            (None, None) => Vec::new(),
        };
        let mut keys = report.keys();
        let told = field_cases.iter().filter(|case| case.source == report.url);
        keys.extend(told.filter_map(|case| parse_key(case.key.get()).ok()));
        let client = shown.map_or_else(|| report.client().to_string(), |shown| shown.client.clone());
        let entry = Entry {
            versions: versions(&client, &schemes),
            client,
            date: report.date.clone(),
            symptom: report.symptom.clone(),
            root_cause: report.root_cause.clone(),
            link: format!("[{}]({})", report.id, report.url),
            cases: cases.of(&schemes, flag, &keys, &report.id)?,
        };
        add(&report.system, report.flag.as_ref(), entry);
    }

    let mut out = String::from(INTRODUCTION);
    for ((at, system), flags) in &hall {
        let name = registry::SYSTEMS.get(*at).map_or(system.as_str(), |system| system.name);
        write!(out, "\n## {name}\n")?;
        if *at == usize::MAX {
            out.push_str("No vectors yet.\n");
        }
        for ((_, flag), entries) in flags {
            match meanings.get(flag) {
                Some(meaning) => write!(out, "\n### {name}: [{flag}](FLAGS.md#{flag})\n{meaning}.\n\n")?,
                None => write!(out, "\n### {name}: of no class, and asked for\n\n")?,
            }
            entries.iter().try_for_each(|entry| entry.write(&mut out))?;
        }
    }
    quirks(&mut out, &lines(&data, "quirks.jsonl")?)?;
    fields(&mut out, &field_cases, &cases)?;
    Ok(out)
}

/// The lines of a file, each a value.
fn lines<T: DeserializeOwned>(data: &Path, name: &str) -> anyhow::Result<Vec<T>> {
    let text = fs::read_to_string(data.join(name)).with_context(|| name.to_string())?;
    text.lines().map(|line| serde_json::from_str(line).with_context(|| format!("{name}: {line}"))).collect()
}

/// The versions that the registry knows of a scheme of this client.
fn versions(client: &str, schemes: &[String]) -> Option<String> {
    let known = schemes.iter().filter_map(|id| registry::scheme(id).ok());
    let mut own = known.filter(|scheme| scheme.client.split([' ', ',']).any(|word| word == client));
    own.next().map(|scheme| scheme.versions.to_string())
}

impl Report {
    /// The repository's name.
    fn client(&self) -> &str {
        let repository = self.id.split('#').next().unwrap_or(&self.id);
        repository.rsplit('/').next().unwrap_or(repository)
    }

    /// The keys that it names.
    fn keys(&self) -> Vec<OwnedKey> {
        let text = |value: &Value| value.as_str().map(|text| OwnedKey::Text(text.into()));
        let hex = self.input["key_hex"].as_str().and_then(|hex| parse_key(&format!("{{\"hex\":{hex:?}}}")).ok());
        let several = self.input["keys"].as_object().into_iter().flat_map(|keys| keys.keys());
        let several = several.map(|key| OwnedKey::Text(key.clone()));
        text(&self.input["key"]).into_iter().chain(hex).chain(several).collect()
    }
}

impl Entry {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        write!(out, "- **{}**", self.client)?;
        if let Some(versions) = &self.versions {
            write!(out, " {versions}")?;
        }
        if let Some(date) = &self.date {
            write!(out, ", {date}")?;
        }
        write!(out, ": {}.", self.symptom)?;
        if let Some(cause) = &self.root_cause {
            write!(out, " Cause: {cause}.")?;
        }
        write!(out, " {}.", self.link)?;
        match &self.cases {
            Some(cases) => writeln!(out, " Shown by {cases}."),
            None => writeln!(out),
        }
    }
}

/// Bytes of a key that is bytes or text: reports do not say which it was.
fn bytes(key: &OwnedKey) -> Option<&[u8]> {
    match key {
        OwnedKey::Bytes(bytes) => Some(bytes),
        OwnedKey::Text(text) => Some(text.as_bytes()),
        _ => None,
    }
}

/// The golden cases, by scheme.
struct Cases<'v>(BTreeMap<&'v str, &'v Vectors>);

impl<'v> Cases<'v> {
    fn new(vectors: &'v [Vectors]) -> Cases<'v> {
        Cases(vectors.iter().map(|file| (file.scheme.as_str(), file)).collect())
    }

    fn flagged(&self, scheme: &str, flag: &str) -> impl Iterator<Item = &'v Case> {
        let cases = self.0.get(scheme).map_or(&[][..], |file| &file.cases);
        cases.iter().filter(move |case| case.flags.iter().any(|f| f == flag))
    }

    /// The schemes of a system that its clients have by default, with cases for the flag; two at most.
    fn defaults(&self, system: &str, flag: &str) -> Vec<String> {
        let all = registry::system(system).map_or(&[][..], |system| system.schemes);
        let mut found: Vec<_> = all.iter().filter(|scheme| self.flagged(scheme.id, flag).next().is_some()).collect();
        found.sort_by_key(|scheme| !scheme.default);
        found.into_iter().take(2).map(|scheme| scheme.id.to_string()).collect()
    }

    /// In words, the cases of `schemes` that have one of `keys`, then those that carry the flag.
    fn of(
        &self,
        schemes: &[String],
        flag: Option<&String>,
        keys: &[OwnedKey],
        id: &str,
    ) -> anyhow::Result<Option<String>> {
        let mut all = Vec::new();
        for scheme in schemes {
            registry::scheme(scheme).map_err(|e| anyhow::anyhow!("{id}: {e}"))?;
            let mut ids: Vec<u32> = Vec::new();
            let cases = self.0.get(scheme.as_str()).map_or(&[][..], |file| &file.cases);
            for case in cases.iter().filter(|_| !keys.is_empty()) {
                let key = case.key().map_err(|e| anyhow::anyhow!("{scheme} {}: {e}", case.id))?;
                if bytes(&key).is_some_and(|key| keys.iter().any(|k| bytes(k) == Some(key))) {
                    ids.push(case.id);
                }
            }
            ids.truncate(NAMED);
            let reported = ids.len();
            let flagged = flag.into_iter().flat_map(|flag| self.flagged(scheme, flag));
            let mut flagged: Vec<&Case> = flagged.filter(|case| !ids.contains(&case.id)).collect();
            // Those that few other mistakes touch tell the most.
            flagged.sort_by_key(|case| case.flags.len());
            let flagged: Vec<u32> = flagged.into_iter().map(|case| case.id).collect();
            ids.extend(flagged.iter().take(NAMED.saturating_sub(reported)));
            if ids.is_empty() {
                continue;
            }
            let more = flagged.len() - (ids.len() - reported);
            let named: Vec<String> = ids.iter().map(u32::to_string).collect();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            all.push(format!("{scheme} {}{more}", named.join(", ")));
        }
        Ok((!all.is_empty()).then(|| all.join("; ")))
    }

    /// The case of exactly this key and these params.
    fn exact(&self, case: &FieldCase) -> Option<&'v Case> {
        let key = parse_key(case.key.get()).ok()?;
        let file = self.0.get(case.scheme.as_deref()?)?;
        file.cases.iter().find(|c| *c.params == case.params && c.key().is_ok_and(|k| k == key))
    }
}

fn quirks(out: &mut String, quirks: &[Quirk]) -> std::fmt::Result {
    out.push_str("\n## Single sources that differ\nEach is left out of the cases in question.\n\n");
    for quirk in quirks {
        writeln!(out, "- {}, {}: {}.", quirk.scheme, quirk.sources.join(", "), quirk.why)?;
    }
    Ok(())
}

/// The placements that people have reported, each with the case or the test that holds it.
fn fields(out: &mut String, field_cases: &[FieldCase], cases: &Cases<'_>) -> anyhow::Result<()> {
    const TEST: &str = "../core/tests/field_cases.rs";
    out.push_str(
        "\n## Placements reported in public\n\n| scheme or hash | key | params | falls on | reported in | held by |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for case in field_cases {
        let held = match (&case.scheme, &case.hash_function) {
            (Some(scheme), _) if registry::scheme(scheme).is_err() => format!("[no scheme yet]({TEST})"),
            (Some(scheme), _) => match cases.exact(case) {
                Some(found) => format!("{scheme} {}", found.id),
                None => bail!("{scheme}: no case of the reported key {}: record it anew", case.key.get()),
            },
            (None, _) => format!("[every_reported_hash_is_right]({TEST})"),
        };
        let subject = case.scheme.as_ref().or(case.hash_function.as_ref()).context("neither scheme nor hash")?;
        let params: Vec<String> = case.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let place = case.place.as_ref().map(|place| place.as_str().map_or(place.to_string(), Into::into));
        let falls = place.or_else(|| case.hash.as_ref().map(|hash| format!("hash {hash}"))).unwrap_or_default();
        let source = case.source.split_whitespace().next().unwrap_or_default();
        let reported = match source.strip_prefix("https://") {
            Some(short) => format!("[{}]({source})", short.trim_start_matches("github.com/")),
            None => case.source.clone(),
        };
        writeln!(
            out,
            "| {subject} | `{}` | {} | {falls} | {reported} | {held} |",
            shown_key(case.key.get()),
            params.join(", ")
        )?;
    }
    Ok(())
}

/// A key as people read it: text where the bytes are printable.
fn shown_key(json: &str) -> String {
    match parse_key(json) {
        Ok(OwnedKey::Bytes(bytes)) => match String::from_utf8(bytes) {
            Ok(text) if !text.contains(['`', '|']) && !text.chars().any(char::is_control) => text,
            _ => json.into(),
        },
        _ => json.into(),
    }
}
