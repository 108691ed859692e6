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

/// A key whose tag every client of Redis finds elsewhere, and one whose tag is no UTF-8.
#[test]
fn hash_tags_of_every_client() {
    let nodes = r#"[[0,5460,["10.0.0.1",6379]],[5461,10922,["10.0.0.2",6379]],[10923,16383,["10.0.0.3",6379]]]"#;
    write("explain-nodes.json", nodes);
    for (name, line) in [
        ("empty_tag", "explain -s redis/cluster --topology explain-nodes.json foo{}{bar}"),
        ("ioredis", "explain -s redis/ioredis foo{}{bar}"),
        ("close_first", "explain -s redis/redisson a}b{c}"),
        ("tag_not_utf8", "explain -s redis/cluster --key-format hex 817b41ff7d7d"),
        ("go_redis_empty", "explain -s redis/go-redis --key-format hex --"),
        ("enterprise", "explain -s redis/enterprise {'1':{'i3':1}}"),
    ] {
        let mut args: Vec<&str> = line.split(' ').collect();
        args.extend((name == "go_redis_empty").then_some(""));
        insta::assert_snapshot!(name, run(&mut command(args), b"").without_evidence());
    }
    let args = ["explain", "-s", "redis/cluster", "--topology", "explain-nodes.json", "--format", "json", "foo{}{bar}"];
    let json = run(&mut command(args), b"").json_lines().remove(0);
    let ioredis = other(&json, "redis/ioredis");
    assert_eq!((&ioredis["selected"], &ioredis["outcome"]["owner"]), (&"7b626172".into(), &"10.0.0.1:6379".into()));
    assert_eq!(other(&json, "redis/go-redis").get("selected"), None);
}

/// The ring's position of a token: between two tokens, and beyond the last.
#[test]
fn a_ring_tells_where_a_token_stands() {
    let row = |name: &str, token: &str| format!(r#"{{"{name}":"10.0.0.1","tokens":["{token}"]}}"#);
    let rows = [row("listen_address", "0"), row("peer", "-7000000000000000000").replace("0.1", "0.2")];
    write("explain-ring.json", rows.join("\n"));
    for (key, owner, told) in [
        ("a", "10.0.0.2", "token -8839064797231613815 is none of those after -7000000000000000000 and up to 0"),
        ("b", "10.0.0.2", "token 8833996863197925870 is none of those after -7000000000000000000 and up to 0"),
        ("d", "10.0.0.1", "the first of the ring's tokens from token -3786697372163639434 on is 0"),
    ] {
        let run = keyfall(&format!("explain -s cassandra/murmur3 --topology explain-ring.json {key}"));
        assert!(run.stdout.contains(&format!(" of {owner}\n")) && run.stdout.contains(told), "{run}");
    }
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
    // These need another param; the key is no reason to leave any out.
    assert!(all.stdout.contains("elasticsearch/time-series and 1 more: param index_version is missing"), "{all}");
    assert!(!all.stdout.contains("tuple key"), "{all}");

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
