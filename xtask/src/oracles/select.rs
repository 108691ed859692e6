//! Which sources a run asks.

use std::path::Path;
use std::process::Command;
use std::str::FromStr;

use anyhow::{Context, bail};
use keyfall_conform::oracle::{Oracle, OracleSource, Tier as SourceTier};
use keyfall_core::Evidence;

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

/// Those with one of these names: of a source, or of an oracle.
pub(super) fn named<'a>(oracles: &'a [Oracle], names: &[String]) -> anyhow::Result<Selected<'a>> {
    let is = |(oracle, source): &(&Oracle, &OracleSource), name: &String| *name == source.id || *name == oracle.name;
    let all = all(oracles);
    if let Some(name) = names.iter().find(|name| !all.iter().any(|each| is(each, name))) {
        bail!("{name} is no source and no oracle: ci/oracles all --list");
    }
    Ok(all.into_iter().filter(|each| names.iter().any(|name| is(each, name))).collect())
}

/// Those of a tier.
pub(super) fn of_tier<'a>(oracles: &'a [Oracle], tier: Tier, root: &Path) -> anyhow::Result<Selected<'a>> {
    let mut all = all(oracles);
    match tier {
        Tier::Core => all.retain(|(oracle, source)| oracle.tier(source) == SourceTier::Core),
        Tier::Changed => {
            let changed = changed_files(root)?;
            all.retain(|(oracle, source)| is_changed(oracle, source, root, &changed));
        }
        Tier::All => {}
    }
    Ok(all)
}

/// The strongest evidence first, so that it is not what is left out when the time is up; then in the order of folders.
fn all(oracles: &[Oracle]) -> Selected<'_> {
    let mut all: Selected<'_> =
        oracles.iter().flat_map(|oracle| oracle.sources.iter().map(move |source| (oracle, source))).collect();
    all.sort_by_key(|(oracle, _)| Evidence::ALL.iter().position(|kind| kind.word() == oracle.evidence));
    all
}

impl Part {
    /// Every count-th: the slow sources of one folder are spread over the parts.
    pub(super) fn of<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.index - 1).step_by(self.count).collect()
    }
}

/// The files that differ from the merge base with `origin/main`, or else from `HEAD~1`; what is not committed counts.
fn changed_files(root: &Path) -> anyhow::Result<Vec<String>> {
    let git = |args: &[&str]| -> anyhow::Result<String> {
        let out = Command::new("git").args(args).current_dir(root).output().context("git cannot be run")?;
        if !out.status.success() {
            bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&out.stderr).trim());
        }
        Ok(String::from_utf8(out.stdout)?.trim().into())
    };
    let head = git(&["rev-parse", "HEAD"])?;
    // Where origin/main is what is tested, as after a push, it is compared with its parent.
    let base = git(&["merge-base", "HEAD", "origin/main"]).ok().filter(|base| *base != head);
    let base = match base {
        Some(base) => base,
        // A first commit, or a shallow clone, has none: everything is new.
        None => git(&["rev-parse", "--verify", "--quiet", "HEAD~1"]).unwrap_or_else(|_| EMPTY_TREE.into()),
    };
    let differing = git(&["diff", "--name-only", &base])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(differing.lines().chain(new.lines()).map(Into::into).collect())
}

/// What git calls a tree without a file.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Whether a source's answers may have changed: its folder, one that it uses, its language's helper, or its schemes'
/// vectors.
fn is_changed(oracle: &Oracle, source: &OracleSource, root: &Path, changed: &[String]) -> bool {
    let own = oracle.folder.strip_prefix(root).unwrap_or(&oracle.folder).display().to_string();
    let mut folders = vec![own];
    folders.extend(oracle.uses.iter().chain(&source.uses).map(|folder| format!("oracles/{folder}")));
    for language in [&*oracle.language, oracle.language(source)] {
        let helper = if language == "javascript" { "node" } else { language };
        folders.push(format!("oracles/{helper}"));
        if language == "java" {
            folders.push("oracles/pom.xml".into());
        }
    }
    folders.extend(source.asked().map(|scheme| format!("vectors/{scheme}.json")));
    changed.iter().any(|file| folders.iter().any(|folder| Path::new(file).starts_with(folder)))
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

    fn oracles() -> Vec<Oracle> {
        Oracle::load_all(&crate::root().join("oracles")).unwrap()
    }

    fn ids(selected: Selected<'_>) -> Vec<String> {
        selected.into_iter().map(|(_, source)| source.id.clone()).collect()
    }

    #[test]
    fn parts_together_cover_all() {
        let oracles = oracles();
        let all = || ids(of_tier(&oracles, Tier::All, &crate::root()).unwrap());
        for count in [1, 2, 3, 4, 7, 100] {
            let mut parts: Vec<String> = (1..=count).flat_map(|index| Part { index, count }.of(all())).collect();
            parts.sort();
            let mut all = all();
            all.sort();
            assert_eq!(parts, all, "of {count}");
        }
    }

    #[test]
    fn names_select_sources_and_oracles() {
        let oracles = oracles();
        let named = |names: &[&str]| named(&oracles, &names.iter().map(|name| (*name).into()).collect::<Vec<_>>());
        assert_eq!(
            ids(named(&["kafka-clients-4.1.1", "sarama"]).unwrap()),
            ["kafka-clients-4.1.1", "sarama-1.61.1", "sarama-1.38.1"]
        );
        assert!(named(&["sarama-0"]).is_err());
    }

    /// The sources that are asked again where this file has changed.
    fn asked_after(file: &str) -> Vec<String> {
        let (oracles, root) = (oracles(), crate::root());
        let changed = [file.to_string()];
        ids(all(&oracles).into_iter().filter(|(oracle, source)| is_changed(oracle, source, &root, &changed)).collect())
    }

    #[test]
    fn a_change_asks_again_whom_it_may_concern() {
        let sarama = ["kafka-4.1.1/sarama-1.61.1", "sarama-1.61.1", "sarama-1.38.1"];
        assert_eq!(asked_after("oracles/clients/sarama/main.go"), sarama);
        // The Java client is asked as a twin.
        let own_and_twin = ["kafka-4.1.1/sarama-1.61.1", "kafka-clients-4.1.1", "sarama-1.61.1"];
        assert_eq!(asked_after("vectors/kafka/sarama-murmur2.json"), own_and_twin);
        assert_eq!(asked_after("README.md"), [""; 0]);
        assert_eq!(asked_after("oracles/clients/sarama-next/main.go"), [""; 0]);

        let node = asked_after("oracles/node/oracle-helper.mjs");
        for source in ["kafkajs-2.2.4", "node-rdkafka-3.6.1", "kafka-4.1.1/kafkajs-1.16.0"] {
            assert!(node.iter().any(|id| id == source), "{source}");
        }
        assert!(!node.iter().any(|id| id.contains("sarama") || id.contains("java")), "{node:?}");

        // The broker's own program is Python over Java.
        let brokers = |ids: &[String]| ids.iter().filter(|id| id.starts_with("kafka-4.1.1/")).count();
        let all = oracles().iter().find(|oracle| oracle.name == "kafka-broker").unwrap().sources.len();
        for file in ["oracles/python/oracle_helper.py", "oracles/java/run.sh", "oracles/pom.xml"] {
            assert_eq!(brokers(&asked_after(file)), all, "{file}");
        }
        assert!(brokers(&node) < all);
    }

    #[test]
    fn changed_is_what_differs_from_the_merge_base() {
        let root = std::env::temp_dir().join(format!("keyfall-changed-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let git = |line: &str| {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@localhost"];
            let mut command = Command::new("git");
            command.args(identity).args(line.split(' ')).current_dir(&root);
            assert!(command.status().unwrap().success(), "git {line}");
        };
        let commit = |name: &str| {
            std::fs::write(root.join(name), name).unwrap();
            git(&format!("add {name}"));
            git(&format!("commit -q -m {name}"));
        };
        let changed = || changed_files(&root).unwrap().join(" ");
        git("init -q");
        commit("a");
        assert_eq!(changed(), "a", "a first commit");
        commit("b");
        commit("c");
        assert_eq!(changed(), "c", "without origin/main");
        git("update-ref refs/remotes/origin/main HEAD~2");
        assert_eq!(changed(), "b c");
        std::fs::write(root.join("a"), "changed").unwrap();
        std::fs::write(root.join("d"), "new").unwrap();
        assert_eq!(changed(), "a b c d", "not yet committed");
        git("update-ref refs/remotes/origin/main HEAD");
        assert_eq!(changed(), "a c d", "origin/main itself");
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_a_source_uses_is_there() {
        let folder = crate::root().join("oracles");
        for (oracle, source) in all(&oracles()) {
            for used in oracle.uses.iter().chain(&source.uses) {
                assert!(folder.join(used).is_dir(), "{}: {used}", source.id);
            }
            // The first argument of a server's sources may be the client that writes to it.
            let of_server = oracle.folder.starts_with(folder.join("servers"));
            let is_client = |arg: &&String| of_server && folder.join("clients").join(arg).is_dir();
            if let Some(client) = source.args.first().filter(is_client) {
                assert!(source.uses.contains(&format!("clients/{client}")), "{} uses clients/{client}", source.id);
            }
        }
    }
}
