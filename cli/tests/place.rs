//! `keyfall place`. Expected places are those that upstream threads publish.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use common::{command, field_cases, keyfall, run, write};
use serde_json::{Value, json};

const PLACE: &str = "place -s kafka/java -p partitions=12";

/// A line of Java keys whose partitions of 10 are known.
/// <https://github.com/tednaleid/kotlin-scripts/blob/master/scripts/kafkapartition.main.kts>
const KNOWN: [(&str, u32); 4] = [("1000", 6), ("1002", 1), ("1003", 3), ("1004", 2)];

fn args(case: &Value) -> Vec<String> {
    let mut args = vec!["place".to_string(), "-s".into(), case["scheme"].as_str().unwrap().into()];
    for (name, value) in case["params"].as_object().unwrap() {
        args.extend(["-p".into(), format!("{name}={value}")]);
    }
    args
}

#[test]
fn field_cases_as_arguments() {
    let cases = field_cases();
    assert!(cases.len() > 25);
    for case in cases {
        let mut args = args(&case);
        match case["key"]["hex"].as_str() {
            Some(hex) => args.extend(["--key-format=hex".into(), hex.into()]),
            None => args.extend(["--key-format=json".into(), case["key"].to_string()]),
        }
        let bare = run(&mut command(&args), b"");
        if !case["place"].is_null() {
            assert_eq!(bare.stdout, format!("{}\n", case["place"]), "{case}");
        }
        assert_eq!(bare.status, 0);
        args.push("--format=json".into());
        let outcome = &run(&mut command(&args), b"").json_lines()[0];
        for name in ["outcome", "place", "hash"] {
            assert!(case[name].is_null() || case[name] == outcome[name], "{case}: {outcome}");
        }
    }
}

#[test]
fn field_cases_as_lines() {
    let cases = field_cases();
    for case in &cases {
        let line = json!({ "id": case["source"], "key": case["key"], "params": case["params"] });
        let run = run(
            &mut command(["place", "-s", case["scheme"].as_str().unwrap(), "--jsonl"]),
            line.to_string().as_bytes(),
        );
        let [answer] = &run.json_lines()[..] else { panic!("{run}") };
        assert_eq!(answer["id"], case["source"]);
        assert!(case["place"].is_null() || answer["place"] == case["place"], "{case}: {answer}");
        assert_eq!(run.status, 0);
    }
}

#[test]
fn many_keys_in_order() {
    let keys: Vec<&str> = KNOWN.iter().map(|(key, _)| *key).collect();
    let places: String = KNOWN.iter().map(|(_, place)| format!("{place}\n")).collect();
    let run = keyfall(&format!("place -s kafka/java -p partitions=10 {}", keys.join(" ")));
    assert_eq!((run.status, run.stdout), (0, places));
}

#[test]
fn one_key_in_every_format() {
    for (format, key) in [
        ("text", "100:48069"),
        ("hex", "3130303a3438303639"),
        ("hex", "3130303A3438303639"),
        ("base64", "MTAwOjQ4MDY5"),
        ("json", r#"{"text":"100:48069"}"#),
        ("json", r#"{"type":"string","value":"100:48069"}"#),
    ] {
        let place = ["place", "-s", "kafka/java", "-p", "partitions=12", "--key-format", format, key];
        assert_eq!(run(&mut command(place), b"").stdout, "9\n", "{format} {key}");
    }
    assert_eq!(keyfall(&format!("{PLACE} --key-type string 100:48069")).stdout, "9\n");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_its_bytes() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    // https://github.com/informatikr/hedis/issues/203
    let key = OsString::from_vec(vec![0x9b, 0xf7, 0xea, 0x6a, 0xab, 0xe6, 0xd2, 0x3e, 0x4b]);
    let place = |more: &str| {
        let args = ["place", "-s", "redis/cluster", more].map(OsString::from).into_iter();
        run(&mut command(args.filter(|arg| !arg.is_empty()).chain([key.clone()])), b"")
    };
    assert_eq!(place("").stdout, "8700\n");
    let typed = place("--key-type=string");
    assert_eq!(typed.status, 2);
    assert!(typed.stdout.starts_with("error: ") && typed.stdout.contains("not UTF-8"), "{typed}");
}

#[test]
fn negative_numbers_are_keys() {
    let dashed = keyfall(&format!("{PLACE} --key-type integer -1"));
    let after = keyfall(&format!("{PLACE} --key-type integer -- -1"));
    let hex = keyfall(&format!("{PLACE} --key-format hex ffffffff"));
    assert_eq!((dashed.status, &dashed.stdout), (0, &after.stdout));
    assert_eq!(dashed.stdout, hex.stdout);
}

/// Each outcome's line, and the statuses: 0 unpinned, 1 rejected or refused, 2 errors, which win.
#[test]
fn outcomes_and_statuses() {
    let null = |scheme: &str, format: &str| {
        let args = ["place", "-s", scheme, "--key-format=json", "--format", format, "null"];
        let param = match scheme {
            "redis/cluster" => None,
            "kafka/java" => Some("-ppartitions=12"),
            _ => Some("-pshards=5"),
        };
        run(&mut command(args.into_iter().chain(param)), b"")
    };
    let unpinned = null("kafka/java", "human");
    assert_eq!((unpinned.status, unpinned.stdout.as_str()), (0, "unpinned\n"));
    assert_eq!(null("kafka/java", "json").json_lines()[0]["outcome"], "unpinned");
    for (scheme, word) in [("redis/cluster", "rejected"), ("elasticsearch/legacy", "refused")] {
        let human = null(scheme, "human");
        assert_eq!(human.status, 1);
        assert!(human.stdout.starts_with(&format!("{word}: ")), "{human}");
        let line = &null(scheme, "json").json_lines()[0];
        assert_eq!(line["outcome"], word);
        assert!(line["why"].is_string() && line.get("place").is_none());
    }
    let mixed = keyfall("place -s redis/cluster --key-format json null {} {\"text\":\"somekey\"}");
    let lines: Vec<&str> = mixed.stdout.lines().collect();
    assert!(lines[0].starts_with("rejected: ") && lines[1].starts_with("error: "), "{mixed}");
    assert_eq!((lines[2], mixed.status), ("11058", 2));
}

/// A tester's typo must not end the run, and a reason must not break the rule of one line a key.
#[test]
fn a_reason_is_one_line() {
    let run = run(&mut command(["place", "-s", "redis/cluster", "--key-type", "a\nb", "x"]), b"");
    assert_eq!((run.status, run.stdout.lines().count()), (2, 1), "{run}");
}

#[test]
fn lines_override_params_one_by_one() {
    let input = br#"{"key":{"text":"1000"}}
{"key":{"text":"1000"},"params":{"partitions":10},"id":"a"}
{"key":{"text":"1000"},"params":{"partitions":"10"},"id":{"n":[1, 2.50]}}
{"key":{"text":"1002"},"params":{"partitions":10}}
{"key":{"text":"1002"},"params":{}}
{"key":{"text":"1002"},"params":{"ignore_keys":false}}
{"key":{"text":"1002"},"params":{"ignore_keys":true}}
"#;
    let run = run(&mut command(["place", "-s", "kafka/java", "-p", "partitions=1", "--jsonl"]), input);
    let places: Vec<Value> = run.json_lines().into_iter().map(|line| line["place"].clone()).collect();
    assert_eq!(places, [json!(0), json!(6), json!(6), json!(1), json!(0), json!(0), Value::Null]);
    assert!(run.stdout.contains(r#""id":"a"}"#) && run.stdout.contains(r#""id":{"n":[1, 2.50]}}"#), "{run}");
    assert_eq!(run.status, 0);
}

#[test]
fn a_bad_line_is_answered_and_the_run_goes_on() {
    let input = b"{\"key\":{\"hex\":\"0\"},\"id\":7}\n\
        not json\n\
        \n\
        {\"key\":{\"text\":\"\xff\"}}\n\
        {\"key\":{\"text\":\"a\"},\"params\":{\"partitions\":0},\"id\":8}\n\
        {\"key\":{\"text\":\"a\"},\"params\":{\"shards\":5}}\n\
        {\"keys\":[]}\n\
        {\"key\":{\"text\":\"1000\"},\"params\":{\"partitions\":10},\"id\":9}";
    let run = run(&mut command(["place", "-s", "kafka/java", "--jsonl"]), input);
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(run);
}

/// Two of librdkafka's partitioners: the rule of the empty key and errors of lines count like those of arguments.
#[test]
fn statuses_of_streams() {
    for (lines, status) in [
        (&[r#"{"key":null}"#][..], 1),
        (&[r#"{"key":{"text":"somekey"}}"#], 0),
        (&[], 0),
        (&[r#"{"key":null}"#, r#"{"key":{"text":"somekey"}}"#], 1),
        (&["{}", r#"{"key":null}"#], 2),
    ] {
        let run = run(&mut command(["place", "-s", "redis/cluster", "--jsonl"]), lines.join("\n").as_bytes());
        assert_eq!((run.status, run.stdout.lines().count()), (status, lines.len()), "{run}");
    }
}

#[test]
fn answers_before_more_is_asked_for() {
    let mut keyfall = command(["place", "-s", "redis/cluster", "--jsonl"]);
    let mut child = keyfall.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, answers) = std::sync::mpsc::channel();
    std::thread::spawn(move || stdout.lines().try_for_each(|line| sender.send(line.unwrap())));
    // The second chunk ends in the middle of a line.
    let line = "{\"key\":{\"text\":\"somekey\"}}\n";
    for chunk in [line, &format!("{line}{}", &line[..9]), &line[9..]] {
        stdin.write_all(chunk.as_bytes()).unwrap();
        let answer = answers.recv_timeout(Duration::from_secs(30)).expect("an answer without more input");
        assert!(answer.starts_with(r#"{"outcome":"placed","place":11058,"#), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// A stream whose lines all have params of their own, more than are kept.
#[test]
fn many_params() {
    let lines = |n: u32| format!("{{\"key\":{{\"text\":\"1000\"}},\"params\":{{\"partitions\":{n}}}}}\n");
    let input: String = (1..=3000).chain([10]).map(lines).collect();
    let run = run(&mut command(["place", "-s", "kafka/java", "--jsonl"]), input.as_bytes());
    let answers = run.json_lines();
    assert_eq!((run.status, answers.len()), (0, 3001));
    assert_eq!((&answers[9]["place"], &answers[3000]["place"]), (&json!(6), &json!(6)));
}

fn topology(epoch: u64) -> String {
    json!({ "format": 1, "unit": "slot", "epoch": epoch, "entries": [
        { "first": 0, "last": 8191, "owner": "node-1" },
        { "first": 8192, "last": 16383, "owner": "node-2" },
    ]})
    .to_string()
}

#[test]
fn a_topology_names_the_owner() {
    write("owners.json", topology(7));
    let place = "place -s redis/cluster --topology owners.json --format json somekey bar{hash_tag}";
    let run = keyfall(place);
    let owners: Vec<Value> = run.json_lines().into_iter().map(|line| line["owner"].clone()).collect();
    assert_eq!((run.status, owners), (0, vec![json!("node-2"), json!("node-1")]), "{}", run.stdout);
    assert_eq!(
        keyfall(&place.replace("json ", "human ").replace("owners.human", "owners.json")).stdout,
        "11058\n2515\n"
    );

    write("slots.json", r#"[[0,8191,["10.0.0.1",6379,"id"]],[8192,16383,["10.0.0.2",6379,"id"]]]"#);
    let raw = keyfall(&place.replace("owners", "slots"));
    assert_eq!(raw.json_lines()[0]["owner"], "10.0.0.2:6379");
}

/// The topology of a real cluster, as redis-cli wrote it into a file and as it showed it: core/tests/topologies.
#[test]
fn a_topology_may_be_what_redis_cli_prints() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/topologies");
    for form in ["slots.file", "slots.terminal", "slots.json", "shards.file", "shards.terminal-resp3", "nodes.file"] {
        let args = format!("place -s redis/cluster --topology {folder}/valkey-9.1.2.cluster-{form} --format json a b");
        let owners: Vec<Value> = keyfall(&args).json_lines().into_iter().map(|line| line["owner"].clone()).collect();
        // Slots 15495 and 3300.
        assert_eq!(owners, [json!("127.0.0.1:38021"), json!("127.0.0.1:33371")], "{form}");
    }
    let nodes = format!("{folder}/valkey-9.1.2.cluster-nodes.file");
    for (min, status) in [(7, 0), (8, 2)] {
        let run = keyfall(&format!("place -s redis/cluster --topology {nodes} --min-epoch {min} a"));
        assert_eq!(run.status, status, "{run}");
    }
}

/// The first token from the key's own on, and the first of all after the last.
#[test]
fn a_ring_of_tokens_names_the_owner() {
    write(
        "ring.txt",
        "Datacenter: dc1\n==========\n\
         Address   Rack   Status  State   Load       Owns     Token\n                         1000000000000000000\n\
         10.0.0.1  rack1  Up      Normal  75.41 KiB  50.00%  -5000000000000000000\n\
         10.0.0.2  rack1  Up      Normal  75.41 KiB  50.00%  1000000000000000000\n",
    );
    let run = keyfall("place -s cassandra/murmur3 --topology ring.txt --format json a b d user:42");
    let found: Vec<(i64, String)> = run
        .json_lines()
        .iter()
        .map(|line| (line["place"].as_str().unwrap().parse().unwrap(), line["owner"].as_str().unwrap().into()))
        .collect();
    for (token, owner) in found {
        let second = token > -5_000_000_000_000_000_000 && token <= 1_000_000_000_000_000_000;
        assert_eq!(owner, if second { "10.0.0.2" } else { "10.0.0.1" }, "{token}");
    }
}

/// The slots that docs/hash-tags.md names, client by client.
#[test]
fn the_slots_of_the_page_on_hash_tags() {
    let page = std::fs::read_to_string(common::root().join("docs/hash-tags.md")).unwrap();
    let schemes = ["cluster", "ioredis", "redisson", "go-redis", "enterprise"];
    let mut rows = 0;
    for row in page.lines().filter(|line| line.starts_with("| `") || line.starts_with("| the empty key")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*')).collect();
        let key = cells[0].strip_prefix('`').and_then(|key| key.strip_suffix('`')).unwrap_or_default();
        for (scheme, slot) in schemes.iter().zip(&cells[1..]) {
            let run = run(&mut command(["place", "-s", &format!("redis/{scheme}"), "--", key]), b"");
            assert_eq!(run.stdout.trim(), slot.replace("any", "unpinned"), "{scheme} of {key:?}");
        }
        rows += 1;
    }
    assert_eq!(rows, 7);
}

/// A table with tablets: refused without a map of them, the shard that the map names with one.
#[test]
fn tablets_are_placed_by_their_map() {
    let row = |last: &str, host: &str, shard| {
        format!(r#"{{"keyspace_name":"k","table_name":"t","last_token":"{last}","replicas":[["{host}",{shard}]]}}"#)
    };
    write("tablets.json", [row("-1", "a", 3), row("9223372036854775807", "b", 5)].join("\n"));
    let line = "place -s scylla/murmur3 -p shards=8 -p tablets=true --format json user:42";
    assert_eq!(keyfall(line).json_lines()[0]["outcome"], "refused");
    let placed = keyfall(&format!("{line} --topology tablets.json")).json_lines().remove(0);
    assert_eq!((&placed["place"], &placed["owner"]), (&json!(3), &json!("a/3")));
    let short = keyfall(&format!("{} --topology tablets.json", line.replace("shards=8", "shards=4")));
    assert!(short.status == 2 && short.stderr.contains("\"b/5\" is none of 4 shards"), "{short}");
}

#[test]
fn an_old_topology_is_not_used() {
    write("epoch.json", topology(7));
    for (min, status) in [(6, 0), (7, 0), (8, 2)] {
        let run = keyfall(&format!("place -s redis/cluster --topology epoch.json --min-epoch {min} somekey"));
        assert_eq!(run.status, status, "{run}");
        assert!(status == 0 || run.stderr.contains("epoch is 7, below --min-epoch 8"), "{run}");
    }
    // A line's own topology, too.
    let line = format!(r#"{{"key":{{"text":"somekey"}},"params":{{"topology":{}}}}}"#, topology(6));
    let args = ["place", "-s", "redis/cluster", "--topology", "epoch.json", "--min-epoch", "7", "--jsonl"];
    let run = run(&mut command(args), line.as_bytes());
    assert_eq!((run.status, &run.json_lines()[0]["outcome"]), (2, &json!("error")), "{run}");
}
