//! `keyfall explain`.

mod common;

use common::{command, keyfall, run, write};
use serde_json::Value;

#[test]
fn steps_in_words() {
    for (name, line) in [
        ("hash_tag", "explain -s redis/cluster bar{hash_tag}"),
        ("routing_shards", "explain -s elasticsearch/legacy -p shards=5 -p index_major=6 AVq"),
        ("rejected", "explain -s redis/cluster --key-format json null"),
        (
            "fields",
            r#"explain -s kafka/debezium-java -p partitions=12 --key-format json {"fields":{"id":{"type":"long","value":"-1"},"product":"x","note":null}}"#,
        ),
    ] {
        insta::assert_snapshot!(name, keyfall(line).without_evidence());
    }
}

#[test]
fn an_owner_is_a_step() {
    write(
        "explain.json",
        r#"{"format":1,"unit":"slot","epoch":1,"entries":[{"first":0,"last":16383,"owner":"node-1"}]}"#,
    );
    let run = keyfall("explain -s redis/cluster --topology explain.json somekey");
    assert!(run.stdout.starts_with("\"somekey\" falls on slot 11058 of node-1\n"), "{run}");
    assert!(run.stdout.contains("  owner   "), "{run}");
}

fn explained(scheme: &str, key: &str) -> Value {
    let args = ["explain", "-s", scheme, "-p", "partitions=10", "--key-format", "json", "--format", "json", key];
    let run = run(&mut command(args), b"");
    assert_eq!(run.status, 0, "{run}");
    run.json_lines().remove(0)
}

fn other<'v>(explained: &'v Value, scheme: &str) -> &'v Value {
    let others = explained["others"].as_array().unwrap();
    others.iter().find(|other| other["scheme"] == scheme).unwrap_or_else(|| panic!("{scheme} is not among {others:?}"))
}

/// <https://github.com/Blizzard/node-rdkafka/issues/616>: 4 by the Java client, 9 by librdkafka's default.
#[test]
fn the_other_clients_stand_beside_it() {
    let explained = explained("kafka/java", r#"{"text":"354afe16-939a-4ea8-8e17-8bb0840b6886"}"#);
    assert_eq!((&explained["format"], &explained["outcome"]["place"]), (&1.into(), &4.into()));
    let stages: Vec<&str> = explained["steps"].as_array().unwrap().iter().filter_map(|s| s["stage"].as_str()).collect();
    assert_eq!(stages, ["encode", "hash", "map", "map"]);

    let crc32 = other(&explained, "kafka/librdkafka-consistent-random");
    assert_eq!(
        (&crc32["outcome"]["place"], &crc32["twin"], &crc32["same"], &crc32["default"]),
        (&9.into(), &false.into(), &false.into(), &true.into())
    );
    let twin = other(&explained, "kafka/librdkafka-murmur2-random");
    assert_eq!((&twin["outcome"]["place"], &twin["twin"], &twin["same"]), (&4.into(), &true.into(), &true.into()));
}

/// Twins differ on null keys, and it is said.
#[test]
fn twins_that_differ() {
    let null = explained("kafka/java", "null");
    let twin = other(&null, "kafka/librdkafka-murmur2");
    assert_eq!(
        (&twin["twin"], &twin["same"], &twin["outcome"]["outcome"]),
        (&true.into(), &false.into(), &"placed".into())
    );
    assert_eq!(other(&null, "kafka/librdkafka-murmur2-random")["same"], true);
}

/// A scheme that does not take this key is left out, with the reason.
#[test]
fn what_is_left_out_is_said() {
    let tuple = r#"{"tuple":[{"text":"a"},{"text":"b"}]}"#;
    let args = [
        "explain",
        "-s",
        "elasticsearch/legacy",
        "-p",
        "shards=4",
        "-p",
        "routing_shards=8",
        "--key-format",
        "json",
        tuple,
    ];
    let all = run(&mut command(args), b"");
    assert!(!all.stdout.contains("Left out"), "{all}");

    let run = keyfall("explain -s kafka/java -p partitions=12 --key-type integer --format json 1");
    let left_out = run.json_lines()[0]["left_out"].as_array().unwrap().clone();
    assert!(
        left_out.iter().all(|left| left["why"].as_str().unwrap().contains(left["scheme"].as_str().unwrap())),
        "{left_out:?}"
    );
}

#[test]
fn statuses() {
    assert_eq!(keyfall("explain -s redis/cluster x").status, 0);
    assert_eq!(keyfall("explain -s redis/cluster --key-format json null").status, 1);
    assert_eq!(keyfall("explain -s elasticsearch/legacy -p shards=5 --key-format json null").status, 1);
    assert_eq!(keyfall("explain -s kafka/java -p partitions=12 --key-format json null").status, 0);
    assert_eq!(keyfall("explain -s redis/cluster --key-type long 1").status, 2);
}
