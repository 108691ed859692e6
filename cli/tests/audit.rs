//! `keyfall audit`: the example against the truth, snapshots of reports, and every way in which input can be bad.

mod common;

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use common::{Run, command, dir, keyfall, root, run, write};
use flate2::Compression;
use flate2::write::GzEncoder;
use jsonschema::Validator;
use serde_json::{Value, json};

const SCHEME: &str = "-s kafka/java -p partitions=12";

/// Runs an audit over `input`, with options as one would type them.
fn audit(options: &str, input: impl AsRef<[u8]>) -> Run {
    run(&mut command(format!("audit {SCHEME} {options}").split_whitespace()), input.as_ref())
}

/// The report of such a run, checked against its JSON Schema.
fn report(options: &str, input: impl AsRef<[u8]>) -> Value {
    report_of(&audit(&format!("--format json {options}"), input))
}

fn report_of(run: &Run) -> Value {
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}\n{run}"));
    let errors: Vec<String> = schema().iter_errors(&report).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
    let count = |name: &str| report[name].as_u64().unwrap();
    let parts = ["keyed", "unpinned", "undecidable", "rejected", "malformed"];
    assert_eq!(count("records"), parts.into_iter().map(count).sum::<u64>(), "{report:#}");
    report
}

fn schema() -> Validator {
    let text = std::fs::read_to_string(root().join("docs/schema/audit-report.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Records as kcat dumps them. `customer-7553` belongs in 0, `customer-4148` in 8, where CRC-32 puts it in 0.
const SMALL: &str = r#"{"topic":"t","partition":0,"offset":7,"tstype":"create","ts":1777716000000,"broker":1,"key":"customer-7553","payload":"{\"a\":1}"}
{"topic":"t","partition":0,"offset":9,"tstype":"create","ts":1777716000040,"broker":1,"key":"customer-4148","payload":""}
{"topic":"t","partition":0,"offset":8,"tstype":"create","ts":1777716000010,"broker":1,"key":"customer-4148","headers":["a","b"],"payload":null}
{"topic":"t","partition":8,"offset":1,"tstype":"create","ts":1777716000000,"broker":1,"key":"customer-4148","payload":"x"}
{"topic":"t","partition":3,"offset":5,"tstype":"create","ts":1777716000000,"broker":1,"key":null,"payload":"x"}
"#;

#[test]
fn the_example_is_as_kafka_clients_say() {
    let example = root().join("examples/orders.jsonl");
    let truth = std::fs::read_to_string(root().join("examples/orders.truth.jsonl")).unwrap();
    let misplaced = dir().join("audit-orders.jsonl");
    let args = ["audit", "-s", "kafka/java", "-p", "partitions=12", "--format", "json", "--misplaced"];
    let run = run(command(args).arg(&misplaced).arg(&example), b"");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let report = report_of(&run);

    let records = json_lines(&std::fs::read_to_string(&example).unwrap());
    let truth = json_lines(&truth);
    assert_eq!(records.len(), truth.len());
    let mut wrong = Vec::new();
    let mut first: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    let mut places: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (line, (record, truth)) in (1..).zip(records.iter().zip(&truth)) {
        let number = |name: &str| record[name].as_u64().unwrap();
        let (partition, offset) = (number("partition"), number("offset"));
        assert_eq!(json!([partition, offset]), json!([truth["partition"], truth["offset"]]));
        if let Some(key) = record["key"].as_str() {
            places.entry(key).or_default().push(partition);
        }
        if !truth["expected"].is_null() && truth["expected"] != record["partition"] {
            wrong.push((line, partition, truth["expected"].as_u64().unwrap(), offset, record["key"].clone()));
            let lowest = first.entry(partition).or_insert((offset, number("ts")));
            *lowest = (*lowest).min((offset, number("ts")));
        }
    }
    let found: Vec<_> = json_lines(&std::fs::read_to_string(&misplaced).unwrap())
        .iter()
        .map(|found| {
            let number = |name: &str| found[name].as_u64().unwrap();
            let key = found["key"]["text"].clone();
            (number("line"), number("found"), number("expected"), number("offset"), key)
        })
        .collect();
    assert_eq!(found, wrong);

    let nulls = truth.iter().filter(|truth| truth["expected"].is_null()).count();
    assert_eq!(report["records"], records.len());
    assert_eq!(report["unpinned"], nulls);
    assert_eq!(report["misplaced"], wrong.len());
    let split: Vec<&Vec<u64>> = places.values().filter(|all| all.iter().any(|place| *place != all[0])).collect();
    assert_eq!(report["distinct_keys"], places.len());
    assert_eq!(report["split_keys"]["keys"], split.len());
    assert_eq!(report["split_keys"]["records"], split.iter().map(|all| all.len()).sum::<usize>());

    let culprit = &report["attribution"][0];
    assert_eq!(culprit["function"], "crc32-modulo");
    assert_eq!(culprit["schemes"][0], "kafka/librdkafka-consistent-random");
    assert_eq!(culprit["records"], wrong.len());
    assert_eq!(culprit["fix"][0]["setting"], "partitioner=murmur2_random");

    let onset: BTreeMap<u64, (u64, u64)> = report["onset"]
        .as_array()
        .unwrap()
        .iter()
        .map(|onset| {
            let time: jiff::Timestamp = onset["timestamp"].as_str().unwrap().parse().unwrap();
            let number = |name: &str| onset[name].as_u64().unwrap();
            (number("place"), (number("offset"), time.as_millisecond() as u64))
        })
        .collect();
    assert_eq!(onset, first);
    insta::assert_snapshot!(common::run(command(args[..5].iter()).arg(&example), b"").stdout);
}

#[test]
fn small_reports() {
    insta::assert_snapshot!("small_human", audit("", SMALL));
    insta::assert_snapshot!("small_json", audit("--format json", SMALL));
    report("", SMALL);
    let clean = SMALL.lines().next().unwrap();
    insta::assert_snapshot!("clean_human", audit("--random-sample", clean));
    assert_eq!(report("--random-sample", clean)["interval"]["keys"], 1);
}

#[test]
fn what_is_neither_in_place_nor_misplaced() {
    let input = r#"{"partition":0,"key":"a\ufffdb"}
{"partition":0,"key":"null"}
{"partition":0,"key":{"text":"null"}}
{"partition":0,"key":null}
{"partition":1,"key":"\ud800"}
"#;
    let run =
        run(&mut command("audit -s kafka/librdkafka-consistent-random -p partitions=12".split(' ')), input.as_bytes());
    insta::assert_snapshot!(run);
}

#[test]
fn documents_that_a_split_loses_are_named() {
    let input = "{\"partition\":2,\"key\":\"user:42\"}\n{\"partition\":4,\"key\":\"\\ud83da\"}\n";
    let command = || command("audit -s elasticsearch/legacy -p shards=6".split(' '));
    let said = run(&mut command(), input.as_bytes());
    insta::assert_snapshot!(said);
    let report = report_of(&run(command().args(["--format", "json"]), input.as_bytes()));
    assert_eq!(report["lone_surrogates"]["records"], 1, "{report:#}");
}

#[test]
fn the_culprit_may_be_unknown_or_several() {
    let line = |key: &str, partition: u32| format!("{{\"partition\":{partition},\"key\":\"{key}\"}}\n");
    // Where no function puts them: all in partition 5.
    let keys: Vec<String> = (0..60).map(|n| format!("key-{n}")).collect();
    let nowhere: String = keys.iter().map(|key| line(key, 5)).collect();
    insta::assert_snapshot!("culprit_unknown", audit("", nowhere));

    let place = |scheme: &str| -> Vec<u32> {
        let mut place = command(["place", "-s", scheme, "-p", "partitions=12"]);
        run(place.args(&keys), b"").stdout.lines().map(|line| line.parse().unwrap()).collect()
    };
    let (java, crc32, fnv1a) =
        (place("kafka/java"), place("kafka/librdkafka-consistent-random"), place("kafka/sarama-hash"));
    let mut several = String::new();
    for (i, key) in keys.iter().enumerate() {
        several += &line(key, java[i]);
        several += &line(key, if i < 40 { crc32[i] } else { fnv1a[i] });
    }
    let report = report("", several);
    let likely: Vec<&Value> =
        report["attribution"].as_array().unwrap().iter().filter(|entry| entry["likely"] == true).collect();
    let functions: Vec<&str> = likely.iter().map(|entry| entry["function"].as_str().unwrap()).collect();
    assert_eq!(functions, ["crc32-modulo", "fnv1a-abs-modulo"]);
    assert_eq!(report["unattributed"], 0);

    // Everything by one other function: the scheme is to be doubted.
    let other: String = keys.iter().zip(&crc32).map(|(key, place)| line(key, *place)).collect();
    let human = audit("", other).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(human.contains("is kafka/librdkafka-consistent-random the scheme"), "{human}");
}

#[test]
fn keys_of_every_form() {
    let place = |options: &str, key: &str| {
        let line = format!("{{\"partition\":0,\"key\":{key}}}\n{{\"partition\":1,\"key\":{key}}}\n");
        let report = report(options, line);
        report["examples"].as_array().unwrap().iter().map(|e| e["expected"].as_u64().unwrap()).next().unwrap()
    };
    let expect = |args: &str| -> u64 { keyfall(&format!("place {SCHEME} {args}")).stdout.trim().parse().unwrap() };
    for (options, key, args) in [
        ("", r#""100:48069""#, "100:48069"),
        ("", r#""\u0031""#, "1"),
        ("", "42", "42"),
        ("", "1.0", "1.0"),
        ("", "true", "true"),
        ("", r#"{"hex":"00ff"}"#, "--key-format hex 00ff"),
        ("--key-format hex", r#""00ff""#, "--key-format hex 00ff"),
        ("--key-format base64", r#""AP8=""#, "--key-format hex 00ff"),
        ("--key-format json", r#""{\"hex\":\"00ff\"}""#, "--key-format hex 00ff"),
        ("--key-type long", r#""42""#, "--key-type long 42"),
        ("--key-type long", "42", "--key-type long 42"),
        // A KEY object says itself what it is.
        ("--key-type long", r#"{"hex":"00ff"}"#, "--key-format hex 00ff"),
    ] {
        assert_eq!(place(options, key), expect(args), "{options} {key}");
    }
}

#[test]
fn bytes_that_are_not_text_are_taken_as_they_are() {
    let line =
        |partition: u32| [format!("{{\"partition\":{partition},\"key\":\"").as_bytes(), b"\xff\\n\xfe\"}\n"].concat();
    let at: u32 = keyfall(&format!("place {SCHEME} --key-format hex ff0afe")).stdout.trim().parse().unwrap();
    let report = report("", [line(at), line((at + 1) % 12)].concat());
    assert_eq!((&report["keyed"], &report["misplaced"]), (&json!(2), &json!(1)));
    assert_eq!(report["examples"][0]["key"], json!({ "hex": "ff0afe" }));
}

#[test]
fn fields_of_other_names() {
    let input = r#"{"k":"customer-4148","p":"0","o":"17","when":"2026-05-02T12:00:00.5+02:00","app":{"x":[1]},"by":7}"#;
    let names = "--key-field k --place-field p --offset-field o --time-field when --producer-field by";
    let report = report(names, input);
    assert_eq!(report["onset"], json!([{ "place": 0, "offset": 17, "timestamp": "2026-05-02T10:00:00.500Z" }]));
    assert_eq!(report["producers"], json!([{ "producer": "7", "misplaced": 1 }]));
}

/// With a topology, the misplaced records name the node where they belong.
#[test]
fn the_owners_of_misplaced_records() {
    write("audit-slots.json", r#"[[0,8191,["10.0.0.1",6379]],[8192,16383,["10.0.0.2",6379]]]"#);
    let input = "{\"key\":\"somekey\",\"partition\":2515}\n{\"key\":\"bar{hash_tag}\",\"partition\":11058}\n";
    for (file, expected) in [
        ("audit-owners.jsonl", "\"expected\":11058,\"owner\":\"10.0.0.2:6379\""),
        ("audit-owners.csv", ",2515,11058,,,,10.0.0.2:6379"),
    ] {
        let line = format!("audit -s redis/cluster --topology audit-slots.json --misplaced {file}");
        let run = run(&mut command(line.split(' ')), input.as_bytes());
        assert_eq!(run.status, 1, "{run}");
        let written = std::fs::read_to_string(dir().join(file)).unwrap();
        assert!(written.contains(expected), "{written}");
    }
}

#[test]
fn the_misplaced_records_in_files() {
    let jsonl = dir().join("audit-misplaced.jsonl");
    let csv = dir().join("audit-misplaced.csv");
    let input = SMALL.replace("\"broker\":1", "\"producer\":\"a, b\"");
    for path in [&jsonl, &csv] {
        assert_eq!(audit(&format!("--misplaced {}", path.display()), &input).status, 1);
    }
    insta::assert_snapshot!("misplaced_jsonl", std::fs::read_to_string(&jsonl).unwrap());
    insta::assert_snapshot!("misplaced_csv", std::fs::read_to_string(&csv).unwrap());
}

#[test]
fn redacted_keys_are_nowhere() {
    let path = dir().join("audit-redacted.jsonl");
    let options = format!("--redact --misplaced {}", path.display());
    let wrong_type = format!("{SMALL}{{\"partition\":1,\"key\":{{\"type\":\"long\",\"value\":\"customer-1\"}}}}\n");
    for format in ["human", "json"] {
        let run = audit(&format!("{options} --format {format}"), &wrong_type);
        assert_eq!(run.status, 2);
        let file = std::fs::read_to_string(&path).unwrap();
        for text in [&run.stdout, &run.stderr, &file] {
            assert!(!text.contains("customer"), "{text}");
        }
        assert!(run.stdout.contains("redacted") || run.stdout.contains("key "), "{run}");
        // Two records of one key are seen to be that.
        let keys: Vec<Value> = json_lines(&file).iter().map(|line| line["key"].clone()).collect();
        assert!(keys.len() == 2 && keys[0] == keys[1], "{file}");
    }
    report(&options, SMALL);
}

#[test]
fn compressed_input_is_known_by_its_bytes() {
    let gzip = |text: &str| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(text.as_bytes()).unwrap();
        gzip.finish().unwrap()
    };
    let plain = audit("", SMALL).stdout;
    let (first, second) = SMALL.split_at(SMALL.find('\n').unwrap() + 1);
    let zstd = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    for input in [
        gzip(SMALL),
        // As `cat a.gz b.gz` makes it.
        [gzip(first), gzip(second)].concat(),
        zstd(SMALL),
        [zstd(first), zstd(second)].concat(),
        format!("\u{feff}{}", SMALL.replace('\n', "\r\n\r\n")).into_bytes(),
        SMALL.trim_end().into(),
    ] {
        // Empty lines count, too, where there are any.
        let without = |text: String| text.lines().filter(|l| !l.contains("line ")).collect::<Vec<_>>().join("\n");
        assert_eq!(without(audit("", &input).stdout), without(plain.clone()));
    }

    let bytes = gzip(&SMALL.repeat(2000));
    let path = write("audit-cut.gz", &bytes[..bytes.len() / 2]);
    let run = keyfall(&format!("audit {SCHEME} --format json {}", path.display()));
    assert_eq!((run.status, &report_of(&run)["complete"]), (2, &json!(false)));
    assert!(run.stderr.contains("audit-cut.gz: the gzip data are cut short"), "{run}");
    let bytes = zstd(&SMALL.repeat(2000));
    let run = audit("", &bytes[..bytes.len() - 9]);
    assert!(run.status == 2 && run.stderr.contains("zstd data are cut short"), "{run}");
    let run = audit("", &gzip("x")[..12]);
    assert!(run.status == 2 && run.stderr.contains("cut short"), "{run}");
}

#[test]
fn malformed_lines_are_counted_and_shown() {
    let mut input = SMALL.to_string();
    for line in [
        "",
        "no JSON",
        r#"{"partition":0,"key":"a""#,
        r#"{"partition":0}"#,
        r#"{"partition":"x","key":"a"}"#,
        r#"{"partition":-1,"key":"a"}"#,
        r#"{"partition":0,"key":["a"]}"#,
        r#"{"partition":0,"key":{"hex":"0"}}"#,
        r#"{"partition":0,"key":"a","key":"b"}"#,
        r#"{"partition":0,"key":"a","offset":1.5}"#,
        r#"{"partition":0,"key":"a","ts":"yesterday"}"#,
        r#"{"partition":15,"key":"a"}"#,
    ] {
        input += &format!("{line}\n");
    }
    let run = audit("", &input);
    insta::assert_snapshot!(run);
    // One by one.
    for line in input.lines().skip(6) {
        let one = format!("{}\n{line}\n", SMALL.lines().next().unwrap());
        let run = audit("--format json", one);
        assert_eq!((run.status, &report_of(&run)["complete"]), (2, &json!(false)), "{run}");
        assert_eq!(report_of(&run)["malformed"], 1, "{run}");
    }

    let strict = audit("--strict", &input);
    insta::assert_snapshot!("strict", strict);
    let path = dir().join("audit-strict.jsonl");
    let strict = audit(&format!("--strict --misplaced {}", path.display()), &input);
    assert!(strict.stderr.contains("audit-strict.jsonl: incomplete"), "{strict}");
}

#[test]
fn a_partition_out_of_range_says_that_the_count_is_wrong() {
    let input = format!("{SMALL}{}", r#"{"partition":15,"key":"a"}"#);
    let run = audit("", &input);
    insta::assert_snapshot!(run);
    assert_eq!(report("", &input)["out_of_range"], json!({ "records": 1, "places": 12, "highest": 15 }));
}

#[test]
fn bad_input() {
    write("audit-empty.jsonl", "");
    write("audit-blank.jsonl", "\n \n\r\n");
    write("audit-small.jsonl", SMALL);
    write("audit-two-topics.jsonl", SMALL.replacen("\"topic\":\"t\"", "\"topic\":\"u\"", 1));
    write("audit.parquet", "PAR1\x15\x04");
    write("audit-wrong.jsonl", r#"{"id":1,"k":"a","p":0}"#);
    let mut said = String::new();
    for line in [
        "audit audit-small.jsonl",
        "audit -s kafka/jva -p partitions=12 audit-small.jsonl",
        "audit -s kafka/java audit-small.jsonl",
        "audit -s kafka/java -p partitions=0 audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 no-such-file",
        "audit -s kafka/java -p partitions=12 .",
        "audit -s kafka/java -p partitions=12 audit-empty.jsonl",
        "audit -s kafka/java -p partitions=12 audit-blank.jsonl",
        "audit -s kafka/java -p partitions=12 audit.parquet",
        "audit -s kafka/java -p partitions=12 audit-wrong.jsonl",
        "audit -s kafka/java -p partitions=12 --key-field k audit-wrong.jsonl",
        "audit -s kafka/java -p partitions=12 --key-field nope audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 --producer-field nope audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 --key-type long --key-format hex audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 audit-two-topics.jsonl",
        "audit -s kafka/java -p partitions=12 --topic v audit-two-topics.jsonl",
        "audit -s kafka/java -p partitions=12 --misplaced audit-small.jsonl audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 --misplaced no-such-folder/x audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 --misplaced - audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 --format yaml audit-small.jsonl",
        "audit -s kafka/java -p partitions=12 audit-small.jsonl audit-small.jsonl",
    ] {
        let run = keyfall(line);
        assert_eq!(run.status, 2, "{run}");
        assert_eq!(run.stdout, "", "{run}");
        said += &format!("{run}\n");
    }
    insta::assert_snapshot!(said);
    assert_eq!(std::fs::read_to_string(dir().join("audit-small.jsonl")).unwrap(), SMALL, "the input is as it was");

    let one_topic = keyfall(&format!("audit {SCHEME} --topic t --format json audit-two-topics.jsonl"));
    assert_eq!(report_of(&one_topic)["records"], 4);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let run = audit("--misplaced /dev/full", SMALL.repeat(10_000));
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--misplaced /dev/full: cannot write, the file is incomplete: No space left"), "{run}");
    assert_eq!(run.stdout, "", "no report that seems to be whole");
}

#[cfg(unix)]
#[test]
fn closed_standard_input_is_an_error() {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("\"$0\" audit {SCHEME} <&-"), env!("CARGO_BIN_EXE_keyfall")]);
    let output = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: standard input is not open\n");
}

#[test]
fn a_line_of_any_length_is_read() {
    let long = format!("{{\"partition\":0,\"key\":\"customer-4148\",\"payload\":\"{}\"}}", "x".repeat(3 << 20));
    assert_eq!(report("", format!("{SMALL}{long}"))["misplaced"], 3);
}
