//! `keyfall contract lint`.

mod common;

use std::fs;

use common::{Run, command, root, run};
use serde_json::{Value, json};
use tempfile::TempDir;

const CONTRACT: &str = r#"version = 1
[datasets.orders]
scheme = "kafka/java"
params = { partitions = 12 }
key_type = "string"
fixtures = ["user:42"]
[datasets.clicks]
scheme = "kafka/librdkafka-consistent-random"
params = { partitions = 12 }
[datasets.sessions]
scheme = "redis/cluster"
"#;

const JAVA: &str = "\
bootstrap.servers=kafka:9092
security.protocol=SASL_SSL
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"hunter2\";
key.serializer=org.apache.kafka.common.serialization.StringSerializer
value.serializer=org.apache.kafka.common.serialization.ByteArraySerializer
";

const LIBRDKAFKA: &str =
    "{\"bootstrap.servers\": \"kafka:9092\", \"sasl.username\": \"u\",\n \"sasl.password\": \"hunter2\"}";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("keyfall.toml"), CONTRACT).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// No run may print a secret.
fn lint(folder: &TempDir, args: &[&str]) -> Run {
    let run = run(command([&["contract", "lint"], args].concat()).current_dir(folder.path()), b"");
    assert!(!run.stdout.contains("hunter2") && !run.stderr.contains("hunter2"), "{run}");
    run
}

#[test]
fn a_fleet_for_people() {
    let folder = folder(&[
        ("producer.properties", JAVA),
        ("producer.json", LIBRDKAFKA),
        (
            "application.yml",
            "spring:\n  kafka:\n    producer:\n      properties:\n        \"[partitioner.class]\": com.example.P\n",
        ),
        ("sink.json", r#"{"name":"s3","config":{"connector.class":"io.confluent.connect.s3.S3SinkConnector"}}"#),
    ]);
    let files = ["producer.properties", "producer.json", "application.yml", "sink.json"];
    insta::assert_snapshot!(lint(&folder, &[&["--dataset", "orders"], &files[..]].concat()));
}

#[test]
fn what_keeps_it_and_what_does_not() {
    let folder = folder(&[
        ("producer.properties", JAVA),
        ("producer.json", LIBRDKAFKA),
        ("mended.json", &LIBRDKAFKA.replacen('{', "{\"partitioner\": \"murmur2_random\", ", 1)),
    ]);
    let orders = ["--dataset", "orders"];
    for (file, status) in [("producer.properties", 0), ("producer.json", 1), ("mended.json", 0)] {
        let run = lint(&folder, &[&orders[..], &[file]].concat());
        assert_eq!(run.status, status, "{run}");
    }
    // Without a choice it is every dataset of Kafka.
    let run = lint(&folder, &["producer.properties"]);
    assert!(run.stdout.contains("breaks clicks") && run.stdout.contains("keeps orders"), "{run}");
    assert!(!run.stdout.contains("sessions"), "{run}");
    assert_eq!(run.status, 1);
}

#[test]
fn json() {
    let folder = folder(&[("producer.properties", JAVA)]);
    let run = lint(&folder, &["--format", "json", "--dataset", "orders", "producer.properties"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}"));
    assert_eq!(
        report,
        json!({"format": 1, "files": [{
            "file": "producer.properties",
            "client": "java",
            "scheme": "kafka/java",
            "decided_by": "no partitioner.class: the default",
            "datasets": [{"name": "orders", "keeps": true, "why": "same function: murmur2-masked-modulo; keys are string"}],
        }]})
    );
    valid(&report);
    let run = lint(&folder, &["--format", "json", "none.json", "producer.properties"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    valid(&report);
    assert_eq!((&report["complete"], report["files"].as_array().unwrap().len()), (&json!(false), 1));
    assert_eq!(run.status, 2);
}

fn valid(report: &Value) {
    let schema = fs::read_to_string(root().join("cli/schemas/contract-lint.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = validator.iter_errors(report).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report}");
}

#[test]
fn help() {
    let folder = folder(&[]);
    let run = lint(&folder, &["--help"]);
    assert_eq!(run.stdout, lint(&folder, &["-h"]).stdout);
    insta::assert_snapshot!("help_contract_lint", run);
}

#[test]
fn bad_input() {
    let folder = folder(&[
        ("empty.properties", ""),
        ("either.properties", "bootstrap.servers=kafka:9092\nacks=all\n"),
        ("both.properties", "bootstrap.servers=kafka:9092\npartitioner=murmur2\nkey.serializer=a.B\n"),
        ("broken.json", "{\n  \"password\": \"hunter2\",\n  \"partitioner\" \"murmur2\"\n}\n"),
        ("broken.yml", "spring:\n  kafka: [hunter2\nserver: 1\n"),
        ("broken.env", "KAFKA_ACKS=all\nhunter2 !\n"),
        ("broken.properties", "acks=all\npassword=hunter2\\u00\n"),
        ("pom.xml", "<project>hunter2</project>\n"),
        ("producer.properties", JAVA),
    ]);
    fs::write(folder.path().join("latin.properties"), b"password=hunter2\xff\n").unwrap();
    for (args, said) in [
        (&["none.properties"][..], "none.properties: No such file"),
        (&["empty.properties"], "empty.properties: it is empty"),
        (
            &["either.properties"],
            "either.properties: no setting tells which client it is for: say it with --client java",
        ),
        (
            &["both.properties"],
            "it may be of two clients: key.serializer is the Java client's, partitioner is librdkafka's",
        ),
        (&["broken.json"], "broken.json: line 3: not JSON, at column 17"),
        (&["broken.yml"], "broken.yml: line 3: not YAML"),
        (&["broken.env"], "broken.env: line 2: not NAME=value"),
        (&["broken.properties"], "broken.properties: line 2: not a line of properties"),
        (&["pom.xml"], "pom.xml: it is none of the known forms: properties, JSON, YAML, an environment file"),
        (&["latin.properties"], "latin.properties: it is not UTF-8"),
        (&["."], ".: Is a directory"),
        (&[], "required"),
        (
            &["--client", "sarama", "either.properties"],
            "[possible values: java, librdkafka, connect, debezium, spring]",
        ),
        (&["--dataset", "none", "producer.properties"], "unknown dataset none; there are clicks, orders, sessions"),
        (
            &["--dataset", "sessions", "producer.properties"],
            "dataset sessions is redis/cluster: no client of Kafka writes it",
        ),
        (&["--contract", "none.toml", "producer.properties"], "none.toml: No such file"),
    ] {
        let run = lint(&folder, args);
        assert!(run.stderr.contains(said), "{args:?}: {run}");
        assert_eq!(run.status, 2, "{run}");
    }
    // Bad input wins over findings, and what can be read is still told.
    let run = lint(&folder, &["none.properties", "producer.properties"]);
    assert!(run.stdout.contains("breaks clicks"), "{run}");
    assert_eq!(run.status, 2);
    let orders = ["--dataset", "orders", "either.properties", "--client"];
    assert_eq!(lint(&folder, &[&orders[..], &["java"]].concat()).status, 0);
    assert_eq!(lint(&folder, &[&orders[..], &["librdkafka"]].concat()).status, 1);
}
