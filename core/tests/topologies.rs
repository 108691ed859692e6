//! What real clusters say of themselves, in every form: `topologies/` holds the output of `redis-cli cluster slots`,
//! `shards` and `nodes` (file: written into a file; terminal: with --no-raw; json: with --json) of clusters of three
//! masters, of which one has two ranges, with a slot on its way from one to another and with replicas; and of a ring of
//! three nodes of Cassandra, by oracles/servers/cassandra/make_ring.py, with the node that it names for some keys.
#![cfg(feature = "json")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use keyfall_core::wire::parse_topology;
use keyfall_core::{Key, Placer, params};
use serde_json::Value;

/// The ranges of each cluster, from CLUSTER NODES read by eye, and its highest config epoch.
const CLUSTERS: [(&str, [&str; 4], u64); 3] =
    [("redis-6.2.14", OWNERS_6, 7), ("redis-7.0.15", OWNERS_7, 7), ("valkey-9.1.2", OWNERS_9, 7)];
const OWNERS_6: [&str; 4] =
    ["0-6 127.0.0.1:47951", "7-5460 127.0.0.1:38393", "5461-10922 127.0.0.1:34203", "10923-16383 127.0.0.1:47951"];
const OWNERS_7: [&str; 4] =
    ["0-6 127.0.0.1:35529", "7-5460 127.0.0.1:39877", "5461-10922 127.0.0.1:57981", "10923-16383 127.0.0.1:35529"];
const OWNERS_9: [&str; 4] =
    ["0-6 127.0.0.1:38021", "7-5460 127.0.0.1:33371", "5461-10922 127.0.0.1:34053", "10923-16383 127.0.0.1:38021"];

fn dumps(of: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/topologies");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let found: Vec<PathBuf> = files.filter(|path| of(&path.file_name().unwrap().to_string_lossy())).collect();
    assert!(!found.is_empty());
    found
}

/// The first endpoint that `nodetool getendpoints` names owns the key, in every form.
#[test]
fn a_ring_names_the_owners_that_cassandra_names() {
    let endpoints = dumps(|name| name == "cassandra-5.0.9.endpoints").remove(0);
    let endpoints: Vec<Value> =
        fs::read_to_string(endpoints).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let forms = dumps(|name| name.starts_with("cassandra") && !name.ends_with(".endpoints"));
    assert_eq!((endpoints.len(), forms.len()), (60, 4));
    for form in forms {
        let topology = parse_topology(&fs::read_to_string(&form).unwrap()).unwrap();
        let placer = Placer::new("cassandra/murmur3", params! {}).unwrap().with_topology(topology).unwrap();
        let mut owners = BTreeSet::new();
        for endpoint in &endpoints {
            let (key, owner) = (endpoint["key"].as_str().unwrap(), endpoint["owner"].as_str().unwrap());
            let outcome = placer.place(Key::Text(key)).unwrap();
            let found = outcome.place().and_then(|place| placer.name(place.owner?));
            assert_eq!(found, Some(owner), "{key} in {}", form.display());
            owners.insert(owner);
        }
        assert_eq!(owners.len(), 3);
    }
}

/// A token of a ring that is left out makes another ring, which nobody can tell from a whole one; of describering it leaves
/// a gap.
#[test]
fn a_range_of_describering_that_is_left_out_is_an_error() {
    for path in dumps(|name| name.starts_with("cassandra-5.0.9.describering")) {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for at in (0..lines.len()).filter(|at| lines[*at].contains("TokenRange(")) {
            let without: Vec<&str> = lines[..at].iter().chain(&lines[at + 1..]).copied().collect();
            let error = parse_topology(&without.join("\n")).unwrap_err().to_string();
            assert!(error.contains("leaves a gap"), "{error}");
        }
    }
}

#[test]
fn every_form_of_every_server_gives_the_same_owners() {
    let mut forms = 0;
    for path in dumps(|name| !name.starts_with("cassandra")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let (_, ranges, epoch) = CLUSTERS.iter().find(|(server, ..)| name.starts_with(server)).unwrap();
        let topology = parse_topology(&fs::read_to_string(&path).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let found: Vec<String> =
            topology.entries().map(|(first, last, owner)| format!("{first}-{last} {owner}")).collect();
        assert_eq!(found, ranges, "{name}");
        // SLOTS and SHARDS tell no epoch.
        assert_eq!(topology.epoch(), if name.contains("-nodes") { *epoch } else { 0 }, "{name}");
        let placer = Placer::new("redis/cluster", params! {}).unwrap().with_topology(topology).unwrap();
        let outcome = placer.place(Key::Text("foo{}{bar}")).unwrap();
        let owner = outcome.place().and_then(|place| placer.name(place.owner?));
        assert_eq!(owner.map(|owner| ranges[2].ends_with(owner)), Some(true), "{name}: slot 8363");
        forms += 1;
    }
    assert_eq!(forms, 25);
}

/// Every line but the first few cut off, every line left out: a topology or an error, and a topology only with all slots.
#[test]
fn what_is_cut_is_an_error() {
    for path in dumps(|name| !name.starts_with("cassandra")) {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let whole = parse_topology(&text).unwrap();
        for at in 0..lines.len() {
            let cut = lines[..at].join("\n");
            let without: Vec<&str> = lines[..at].iter().chain(&lines[at + 1..]).copied().collect();
            for text in [cut, without.join("\n")] {
                let Ok(topology) = parse_topology(&text) else { continue };
                let Ok(_) = Placer::new("redis/cluster", params! {}).unwrap().with_topology(topology.clone()) else {
                    continue;
                };
                let owners = |topology: &keyfall_core::Topology| -> Vec<String> {
                    topology.entries().map(|(first, last, owner)| format!("{first} {last} {owner}")).collect()
                };
                assert_eq!(
                    owners(&topology),
                    owners(&whole),
                    "{} with line {at} cut or left out:\n{text}",
                    path.display()
                );
            }
        }
    }
}

proptest::proptest! {
    /// Whatever is changed in a dump, and whatever it is cut to: a topology or an error.
    #[test]
    fn a_changed_dump_never_panics(dump in 0_usize..30, at in 0.0..1.0, len in 0_usize..4, with in "[ -~\\n]{0,3}") {
        let dumps = dumps(|_| true);
        let text = fs::read_to_string(&dumps[dump % dumps.len()]).unwrap();
        let from = ((text.len() as f64 * at) as usize).min(text.len());
        let to = (from + len).min(text.len());
        if let Ok(topology) = parse_topology(&format!("{}{with}{}", &text[..from], &text[to..])) {
            let _ = Placer::new("redis/cluster", params! {}).unwrap().with_topology(topology.clone());
            let _ = Placer::new("cassandra/murmur3", params! {}).unwrap().with_topology(topology);
        }
    }
}
