//! `keyfall contract`, and the other verbs that read one.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{Run, command, run};
use serde_json::{Value, json};
use tempfile::TempDir;

const CONTRACT: &str = r#"version = 1
[datasets.orders]
scheme = "kafka/java"
params = { partitions = 12 }
fixtures = ["user:42", { hex = "00ff" }, { null = true }, "100:48069"]
fixtures_file = "keys.txt"
[datasets.payments]
scheme = "kafka/java"
params = { partitions = 12 }
key_type = "long"
fixtures = ["1", "-1"]
"#;

fn folder(contract: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("keyfall.toml"), contract).unwrap();
    let keys: String = (0..2000).map(|n| format!("user:{n}\n")).collect();
    fs::write(folder.path().join("keys.txt"), keys).unwrap();
    folder
}

fn keyfall(folder: &TempDir, args: &[&str]) -> Run {
    run(command(args).current_dir(folder.path()), b"")
}

fn adapter(mode: &str) -> String {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/adapter.py");
    format!("python3 '{}' {mode}", program.display())
}

#[test]
fn init_check_lock() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(keyfall(&folder, &["contract", "init"]).status, 0);
    let run = keyfall(&folder, &["contract", "init"]);
    assert!(run.stderr.contains("cannot create keyfall.toml"), "{run}");
    assert_eq!(run.status, 2);
    let run = keyfall(&folder, &["contract", "check"]);
    assert!(run.stdout.contains("1 datasets, 3 fixtures; no lock"), "{run}");
    assert_eq!(keyfall(&folder, &["contract", "lock"]).status, 0);
    let run = keyfall(&folder, &["contract", "check"]);
    assert!(run.stdout.contains("the lock is in step"), "{run}");
    assert_eq!(run.status, 0);
}

#[test]
fn a_lock_from_the_reference_client() {
    let folder = folder(CONTRACT);
    let run = keyfall(&folder, &["contract", "lock", "--from", &adapter("java")]);
    // It takes bytes and text alone: the typed keys are keyfall's.
    assert!(run.stdout.contains("wrote keyfall.lock.json: 2006 fixtures, 2 of them computed by keyfall"), "{run}");
    let lock: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("keyfall.lock.json")).unwrap()).unwrap();
    assert_eq!(lock["datasets"]["orders"]["cases"][2]["outcome"], "unpinned");
    assert_eq!(lock["datasets"]["orders"]["cases"][3]["place"], 9);
    assert_eq!(lock["datasets"]["payments"]["sources"][0]["evidence"], "keyfall");

    let run = keyfall(&folder, &["contract", "lock", "--from", &adapter("crc32")]);
    assert!(run.stdout.contains("fixtures differ, nothing was written"), "{run}");
    assert_eq!(run.status, 1);
}

#[test]
fn a_lock_that_is_out_of_step() {
    let folder = folder(CONTRACT);
    keyfall(&folder, &["contract", "lock"]);
    for (from, to, said) in [
        ("partitions = 12 }\nfixtures", "partitions = 13 }\nfixtures", "orders has other params or fixtures in it"),
        ("\"user:42\", ", "", "orders has other params or fixtures in it"),
        ("\"user:42\"", "\"user:43\"", "orders has other params or fixtures in it"),
        ("kafka/java", "kafka/kafkajs", "orders is kafka/java in it, not kafka/kafkajs"),
        ("datasets.orders", "datasets.others", "others is not in it; orders is no dataset any more"),
    ] {
        fs::write(folder.path().join("keyfall.toml"), CONTRACT.replacen(from, to, 1)).unwrap();
        let run = keyfall(&folder, &["contract", "check"]);
        assert!(run.stderr.contains(said), "{from} -> {to}: {run}");
        assert_eq!(run.status, 2);
    }
}

#[test]
fn contracts_that_are_none() {
    for (from, to, said) in [
        ("version = 1", "version = 2", "version 2, known is 1"),
        ("version = 1", "", "missing field `version`"),
        ("kafka/java", "kafka/jva", "datasets.orders: unknown scheme kafka/jva; did you mean kafka/java?"),
        ("partitions = 12", "partitions = 0", "datasets.orders: kafka/java: param partitions=0 is not a whole number"),
        ("partitions = 12", "shards = 12", "datasets.orders: kafka/java: unknown param shards"),
        ("\"user:42\"", "42", "datasets.orders: fixtures, entry 1: 42 is no key"),
        ("00ff", "0", "datasets.orders: fixtures, entry 2: "),
        ("\"-1\"", "\"x\"", "datasets.payments: fixtures, entry 2: "),
        ("keys.txt", "none.txt", "datasets.orders: fixtures_file none.txt: No such file"),
        ("key_type", "keytype", "unknown field `keytype`"),
        (
            "[datasets.orders]",
            "[[colocate]]\ndatasets = [\"a\"]\n[datasets.orders]",
            "colocate: unknown dataset a; there are orders, payments",
        ),
    ] {
        let folder = folder(&CONTRACT.replacen(from, to, 1));
        let run = keyfall(&folder, &["contract", "check"]);
        assert!(run.stderr.contains(said), "{from} -> {to}: {run}");
        assert!(run.stderr.contains("keyfall.toml"), "{run}");
        assert_eq!(run.status, 2);
    }
}

#[test]
fn risky_choices_are_told() {
    let risks = |contract: &str| {
        let run = keyfall(&folder(contract), &["contract", "check", "--format", "json"]);
        let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}"));
        let risks = report["risks"].as_array().unwrap().iter();
        risks
            .map(|risk| format!("{} {}", risk["dataset"].as_str().unwrap(), risk["code"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    assert!(risks(CONTRACT).is_empty());
    for (from, to, code) in [
        ("kafka/java", "kafka/librdkafka-consistent-random", "orders librdkafka-default"),
        ("partitions = 12", "partitions = 16", "orders power-of-two"),
        ("partitions = 12", "partitions = 601", "orders few-keys"),
        ("\"long\"", "\"double\"", "payments float-key"),
        ("fixtures = [\"1\", \"-1\"]", "", "payments no-fixtures"),
    ] {
        assert_eq!(risks(&CONTRACT.replacen(from, to, 1)), [code], "{from} -> {to}");
    }
}

#[test]
fn what_is_to_fall_together() {
    let together = |more: &str| {
        let folder = folder(&format!("{CONTRACT}{more}[[colocate]]\ndatasets = [\"orders\", \"refunds\"]\n"));
        keyfall(&folder, &["contract", "check"])
    };
    let refunds = "[datasets.refunds]\nscheme = \"kafka/franz-go\"\nparams = { partitions = 12 }\nfixtures = [\"a\"]\n";
    assert_eq!(together(refunds).status, 0, "twins fall together");
    for (from, to, said) in [
        ("= 12", "= 10", "partitions 12 and 10"),
        ("franz-go", "sarama-hash", "function murmur2-masked-modulo and fnv1a"),
        ("fixtures = [\"a\"]", "key_type = \"long\"", "keys of text or bytes and long"),
    ] {
        let run = together(&refunds.replace(from, to));
        assert!(run.stdout.contains("orders and refunds do not fall together") && run.stdout.contains(said), "{run}");
        assert_eq!(run.status, 1);
    }
}

fn diff(to: &str) -> (i32, Value) {
    let folder = folder(CONTRACT);
    fs::write(folder.path().join("new.toml"), to).unwrap();
    let run = keyfall(&folder, &["contract", "diff", "keyfall.toml", "new.toml", "--format", "json"]);
    (run.status, serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}")))
}

#[test]
fn what_a_change_of_the_count_moves() {
    for (count, formula) in [(24, 0.5), (16, 0.75)] {
        let (status, report) = diff(&CONTRACT.replacen("partitions = 12", &format!("partitions = {count}"), 1));
        assert_eq!(status, 1);
        let orders = &report["datasets"][0];
        assert_eq!(orders["name"], "orders");
        assert_eq!(orders["changes"], json!([format!("partitions 12 -> {count}")]));
        assert_eq!((&orders["moved"]["formula"], &orders["allowed"]), (&json!(formula), &json!(false)));
        let sample = |name: &str| orders["moved"]["sample"][name].as_f64().unwrap();
        assert!((sample("share") - formula).abs() < 0.04, "{report}");
        assert!(sample("low") < sample("share") && sample("share") < sample("high"), "{report}");
        assert!(sample("low") < formula && formula < sample("high"), "{report}");
        assert!(orders["moved"]["fixtures"].is_f64(), "{report}");
    }
}

#[test]
fn changes_that_are_allowed_and_those_that_are_none() {
    let allow = "[[allow]]\ndataset = \"orders\"\nchange = \"partitions 12 -> 24\"\nreason = \"planned\"\n";
    let wider = CONTRACT.replacen("partitions = 12", "partitions = 24", 1) + allow;
    let (status, report) = diff(&wider);
    assert_eq!((status, &report["datasets"][0]["allowed"]), (0, &json!(true)), "{report}");
    let (status, report) = diff(&wider.replacen("kafka/java", "kafka/sarama-hash", 1));
    assert_eq!(status, 1, "{report}");
    assert_eq!(report["datasets"][0]["changes"][0], "scheme kafka/java -> kafka/sarama-hash");
    assert_eq!(
        diff(&CONTRACT.replacen("\"user:42\", ", "", 1)),
        (0, json!({"format":1,"datasets":[],"broken_colocations":[]}))
    );
    let payments = CONTRACT.find("[datasets.payments]").unwrap();
    assert_eq!(diff(&CONTRACT[..payments]).1["datasets"][0]["changes"], json!(["removed"]));
    assert_eq!(
        diff(&format!("{CONTRACT}[datasets.new]\nscheme = \"redis/cluster\"\n")).0,
        0,
        "a new one moves nothing"
    );
}

#[test]
fn revisions_of_git() {
    let folder = folder(CONTRACT);
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let done = Command::new("git").args(who).args(args).current_dir(folder.path()).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "contract"]);
    fs::write(folder.path().join("keyfall.toml"), CONTRACT.replacen("partitions = 12", "partitions = 24", 1)).unwrap();
    for old in ["HEAD", "HEAD:keyfall.toml"] {
        let run = keyfall(&folder, &["contract", "diff", old]);
        assert!(run.stdout.contains("orders: partitions 12 -> 24, not allowed"), "{run}");
        assert_eq!(run.status, 1);
    }
    let run = keyfall(&folder, &["contract", "diff", "no-such"]);
    assert!(run.stderr.contains("no-such is neither a file nor a git revision with a contract"), "{run}");
    assert_eq!(run.status, 2);
}

#[test]
fn verify_holds_a_client_against_it() {
    let folder = folder(CONTRACT);
    keyfall(&folder, &["contract", "lock"]);
    let verify = |more: &[&str], mode: &str| {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/adapter.py");
        let program = program.to_str().unwrap();
        let mut args = vec!["verify", "--contract", "keyfall.toml"];
        args.extend(more);
        args.extend(["--", "python3", program, mode, "kafka/sarama-hash"]);
        keyfall(&folder, &args)
    };
    let run = verify(&[], "java");
    assert!(run.stdout.contains("orders: kafka/java (asked for kafka/sarama-hash): 2004 of 2004 agree"), "{run}");
    assert!(
        run.stdout.contains("payments: kafka/java (asked for kafka/sarama-hash): 0 of 2 agree, 2 skipped"),
        "{run}"
    );
    assert_eq!(run.status, 0);
    let run = verify(&["--dataset", "orders"], "crc32");
    assert!(run.stdout.contains("agrees with crc32-modulo") && !run.stdout.contains("payments"), "{run}");
    assert_eq!(run.status, 1);
    assert_eq!(verify(&["--dataset", "none"], "java").status, 2);
}

#[test]
fn the_other_verbs_take_a_dataset() {
    let folder = folder(CONTRACT);
    let with = ["--contract", "keyfall.toml", "--dataset"];
    let place = |dataset: &str, key: &str| {
        let run = keyfall(&folder, &[&["place"], &with[..], &[dataset, "--", key]].concat());
        (run.status, run.stdout.trim().to_string())
    };
    assert_eq!(place("orders", "100:48069"), (0, "9".into()));
    let typed =
        keyfall(&folder, &["place", "-s", "kafka/java", "-p", "partitions=12", "--key-type", "long", "--", "-1"]);
    assert_eq!(place("payments", "-1").1, typed.stdout.trim());
    fs::write(folder.path().join("a.jsonl"), "{\"key\":\"100:48069\",\"partition\":3}\n").unwrap();
    let run = keyfall(&folder, &[&["audit", "a.jsonl", "--format", "json"], &with[..], &["orders"]].concat());
    assert!(run.stdout.contains("\"misplaced\": 1"), "{run}");
    assert_eq!(run.status, 1);
    let run = keyfall(&folder, &["place", "--contract", "keyfall.toml", "a"]);
    assert!(run.stderr.contains("choose a --dataset: orders, payments"), "{run}");
    let run = keyfall(&folder, &[&["place", "-p", "partitions=3"], &with[..], &["orders", "a"]].concat());
    assert!(run.stderr.contains("param partitions is pinned by the contract"), "{run}");
    assert_eq!(run.status, 2);
}
