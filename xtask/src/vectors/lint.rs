//! `cargo xtask vectors lint`: what must hold for every golden file, and for all of them together.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use jsonschema::Validator;
use keyfall_conform::oracle::Oracle;
use keyfall_conform::vectors::{Case, Vectors};
use keyfall_core::{Evidence, NullRule, ParamKind, Placer, Scheme, registry};
use serde_json::json;

use crate::mistakes::{self, Judge};

/// The least number of cases of a scheme that places keys.
const LEAST_CASES: usize = 300;

/// Folders under `vectors/` that hold no golden files.
const NO_SYSTEMS: &[&str] = &["corpus", "data", "runs"];

/// Checks everything; each finding is a line.
pub(super) fn run() -> anyhow::Result<()> {
    let findings = findings()?;
    for finding in &findings {
        println!("{finding}");
    }
    if findings.is_empty() { Ok(()) } else { bail!("{} findings", findings.len()) }
}

fn findings() -> anyhow::Result<Vec<String>> {
    let lint = Lint::load()?;
    let mut findings = Vec::new();
    let mut schemes = BTreeSet::new();
    for file in files()? {
        let shown = file.strip_prefix(crate::root()).unwrap_or(&file).display().to_string();
        match lint.file(&file) {
            Ok((scheme, found)) => {
                schemes.insert(scheme);
                findings.extend(found.into_iter().map(|finding| format!("{shown}: {finding}")));
            }
            Err(error) => findings.push(format!("{shown}: {error:#}")),
        }
    }
    findings.extend(without_vectors(&schemes));
    let oracles = Oracle::load_all(&crate::root().join("oracles"))?;
    let asked: Vec<&str> = oracles.iter().flat_map(|oracle| &oracle.sources).map(|source| &*source.id).collect();
    let vectors = super::load_all()?;
    findings.extend(crate::oracles::runs::lint(&crate::root(), &asked, &vectors)?);
    findings.extend(super::codebases::lint(&vectors, &oracles)?);
    Ok(findings)
}

/// `vectors/<system>/<variant>.json`.
fn files() -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in fs::read_dir(crate::root().join("vectors"))? {
        let folder = folder?;
        if folder.file_type()?.is_dir() && !NO_SYSTEMS.iter().any(|name| folder.file_name() == *name) {
            for file in fs::read_dir(folder.path())? {
                files.push(file?.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Registered schemes that have no vectors and no excuse: what is refused altogether needs a source for that instead.
fn without_vectors(schemes: &BTreeSet<String>) -> Vec<String> {
    let missing = registry::schemes().filter(|scheme| !schemes.contains(scheme.id));
    let unexcused = missing.filter(|scheme| !matches!(scheme.null, NullRule::Refused(_)) || scheme.sources.is_empty());
    unexcused.map(|scheme| format!("{}: registered, but it has no vectors", scheme.id)).collect()
}

struct Lint {
    schema: Validator,
    flags: BTreeMap<String, String>,
}

impl Lint {
    fn load() -> anyhow::Result<Lint> {
        let vectors = crate::root().join("vectors");
        let schema = serde_json::from_str(&fs::read_to_string(vectors.join("schema.json"))?)?;
        let flags = serde_json::from_str(&fs::read_to_string(vectors.join("data/flags.json"))?)?;
        Ok(Lint { schema: jsonschema::validator_for(&schema).map_err(|e| anyhow!("vectors/schema.json: {e}"))?, flags })
    }

    /// The file's scheme and what is wrong with it.
    fn file(&self, file: &Path) -> anyhow::Result<(String, Vec<String>)> {
        let text = fs::read_to_string(file)?;
        let mut findings: Vec<String> = self
            .schema
            .iter_errors(&serde_json::from_str(&text)?)
            .take(10)
            .map(|error| format!("{} at {}", shorten(&error.to_string()), error.instance_path()))
            .collect();
        let vectors = Vectors::parse(&text)?;
        let scheme = registry::scheme(&vectors.scheme)?;
        if super::file(scheme.id) != file {
            findings.push(format!("it holds vectors of {}", scheme.id));
        }
        if scheme.unit != vectors.unit {
            findings.push(format!("unit {:?}, the scheme's is {:?}", vectors.unit, scheme.unit));
        }
        let mut written = Vec::new();
        vectors.write(&mut written)?;
        if written != text.as_bytes() {
            findings.push("not as the recorder writes it: `cargo xtask vectors flag` puts it in order".into());
        }
        findings.extend(sources(&vectors));
        findings.extend(self.cases(scheme, &vectors)?);
        Ok((vectors.scheme, findings))
    }

    fn cases(&self, scheme: &'static Scheme, vectors: &Vectors) -> anyhow::Result<Vec<String>> {
        let mut findings = Vec::new();
        let judge = Judge::new(scheme);
        let (mut ids, mut inputs, mut flags) = (HashSet::new(), HashSet::new(), BTreeSet::new());
        for case in &vectors.cases {
            let mut say = |what: String| findings.push(format!("case {}: {what}", case.id));
            if !ids.insert(case.id) {
                say("its id stands twice".into());
            }
            if !inputs.insert((case.key.get(), json!(case.params).to_string())) {
                say("another case has the same key and params".into());
            }
            for flag in case.flags.iter().filter(|flag| !self.flags.contains_key(*flag)) {
                say(format!("unknown flag {flag}"));
            }
            if let Err(error) = place(scheme, case) {
                say(format!("{error:#}"));
                continue;
            }
            let right = judge.flags(case)?;
            if right != case.flags {
                say(format!("flags {:?}, by the mistakes {right:?}: `cargo xtask vectors flag` mends it", case.flags));
            }
            flags.extend(right);
        }
        let applicable = mistakes::applicable(scheme);
        for flag in applicable.iter().filter(|flag| !self.flags.contains_key(**flag)) {
            findings.push(format!("flag {flag} of its mistakes is not in flags.json"));
        }
        for flag in applicable.into_iter().filter(|flag| !flags.contains(*flag)) {
            findings.push(format!("no case is flagged {flag}, which applies"));
        }
        if !matches!(scheme.function, "random" | "process-random") {
            findings.extend(numbers(scheme, vectors));
        }
        Ok(findings)
    }
}

fn sources(vectors: &Vectors) -> Vec<String> {
    let mut findings = Vec::new();
    let mut declared = BTreeSet::new();
    for source in &vectors.sources {
        if !declared.insert(source.id.as_str()) {
            findings.push(format!("source {} is declared twice", source.id));
        }
        if !Evidence::ALL.iter().any(|evidence| evidence.word() == source.evidence) {
            findings.push(format!("source {} has unknown evidence {}", source.id, source.evidence));
        }
    }
    let used: BTreeSet<&str> = vectors.cases.iter().flat_map(|case| &*case.sources).map(String::as_str).collect();
    findings.extend(used.difference(&declared).map(|id| format!("source {id} is used, but not declared")));
    findings.extend(declared.difference(&used).map(|id| format!("source {id} is declared, but not used")));
    findings
}

/// Key and params can be read, the scheme takes the params, and the place is one of its places.
fn place(scheme: &'static Scheme, case: &Case) -> anyhow::Result<()> {
    case.key().map_err(|e| anyhow!("{e}"))?;
    let placer = Placer::bind(scheme, case.params()?).context("params")?;
    if let Some(place) = &case.place {
        let coord = place.coord(scheme.domain).ok_or_else(|| anyhow!("{place} is no {}", scheme.unit))?;
        let index: Option<u32> = coord.to_string().parse().ok();
        if let (Some(places), Some(index)) = (placer.places(), index)
            && index >= places
        {
            bail!("{} {index} of {places}", scheme.unit);
        }
    }
    Ok(())
}

/// Enough cases; and counts that are powers of two in less than half of them: there, several mistakes do not show.
fn numbers(scheme: &Scheme, vectors: &Vectors) -> Vec<String> {
    let mut findings = Vec::new();
    let cases = vectors.cases.len();
    if cases < LEAST_CASES {
        findings.push(format!("{cases} cases, at least {LEAST_CASES} are wanted"));
    }
    let counts = scheme.params.iter().filter(|spec| spec.required && matches!(spec.kind, ParamKind::Number { .. }));
    for count in counts {
        let value = |case: &Case| case.params.get(count.name).and_then(serde_json::Value::as_u64);
        let powers = vectors.cases.iter().filter_map(value).filter(|n| n.is_power_of_two()).count();
        if 2 * powers > cases {
            findings.push(format!("{} is a power of two in {powers} of {cases} cases", count.name));
        }
    }
    findings
}

fn shorten(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_vectors_are_in_order() {
        let findings = super::findings().unwrap();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
}
