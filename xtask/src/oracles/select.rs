//! Which sources a run asks.

use std::process::Command;
use std::str::FromStr;

use anyhow::{Context, bail};
use keyfall_conform::oracle::{Oracle, OracleSource, Tier as SourceTier};

use super::Tier;

/// Part I of N, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    index: usize,
    count: usize,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Part { index, count }),
            _ => Err(format!("{text:?} is not a part: I/N with 1 <= I <= N is allowed")),
        }
    }
}

type Selected<'a> = Vec<(&'a Oracle, &'a OracleSource)>;

/// The sources of a tier, a part, and names; in the order of their folders.
pub(super) fn select<'a>(
    oracles: &'a [Oracle],
    tier: Tier,
    part: Option<Part>,
    names: &[String],
) -> anyhow::Result<Selected<'a>> {
    let mut all: Selected<'a> =
        oracles.iter().flat_map(|oracle| oracle.sources.iter().map(move |source| (oracle, source))).collect();
    if let Some(name) = names.iter().find(|name| !all.iter().any(|(o, s)| **name == s.id || **name == o.name)) {
        bail!("{name} is no source and no oracle");
    }
    if names.is_empty() {
        match tier {
            Tier::Core => all.retain(|(oracle, source)| oracle.tier(source) == SourceTier::Core),
            Tier::Changed => {
                let changed = changed_files()?;
                all.retain(|(oracle, source)| is_changed(oracle, source, &changed));
            }
            Tier::All => {}
        }
    } else {
        all.retain(|(oracle, source)| names.iter().any(|name| *name == source.id || *name == oracle.name));
    }
    if let Some(part) = part {
        // Every count-th: the slow oracles of one folder are spread over the parts.
        all = all.into_iter().skip(part.index - 1).step_by(part.count).collect();
    }
    Ok(all)
}

/// The files that differ from the merge base, uncommitted ones included.
fn changed_files() -> anyhow::Result<Vec<String>> {
    let git = |args: &[&str]| -> anyhow::Result<String> {
        let out = Command::new("git").args(args).current_dir(crate::root()).output().context("git cannot be run")?;
        if !out.status.success() {
            bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&out.stderr).trim());
        }
        Ok(String::from_utf8(out.stdout)?)
    };
    let base = git(&["merge-base", "HEAD", "origin/main"]).or_else(|_| git(&["rev-parse", "HEAD~1"]));
    // A first commit, or a shallow clone, has no base: everything is new.
    let base = base.unwrap_or_else(|_| "4b825dc642cb6eb9a060e54bf8d69288fbee4904".into());
    // In a CI clone origin/main may be what is tested: then it is compared with its parent.
    let base = if base.trim() == git(&["rev-parse", "HEAD"])?.trim() {
        git(&["rev-parse", "HEAD~1"]).unwrap_or(base)
    } else {
        base
    };
    Ok(git(&["diff", "--name-only", base.trim()])?.lines().map(Into::into).collect())
}

/// Whether a source's answers may have changed: its folder, its language's helper, or its schemes' vectors.
fn is_changed(oracle: &Oracle, source: &OracleSource, changed: &[String]) -> bool {
    let root = crate::root();
    let folder = oracle.folder.strip_prefix(&root).unwrap_or(&oracle.folder).display().to_string() + "/";
    let helper = format!("oracles/{}/", oracle.language);
    changed.iter().any(|file| {
        file.starts_with(&folder)
            || file.starts_with(&helper)
            || source.schemes.keys().any(|scheme| *file == format!("vectors/{scheme}.json"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_one() {
        assert_eq!("2/6".parse(), Ok(Part { index: 2, count: 6 }));
        for wrong in ["0/6", "7/6", "2", "a/b", "2/0", ""] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_together_cover_all() {
        let oracles = Oracle::load_all(&crate::root().join("oracles")).unwrap();
        let ids = |part| -> Vec<String> {
            let selected = select(&oracles, Tier::All, part, &[]).unwrap();
            selected.iter().map(|(_, source)| source.id.clone()).collect()
        };
        let mut parts: Vec<String> = (1..=4).flat_map(|index| ids(Some(Part { index, count: 4 }))).collect();
        let mut all = ids(None);
        parts.sort();
        all.sort();
        assert_eq!(parts, all);
    }
}
