//! `keyfall verify`: clients that place well, clients that do not, and adapters that misbehave.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{Run, command, run};
use serde_json::Value;

fn verify(options: &[&str], adapters: &[&[&str]]) -> Run {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/adapter.py");
    let program = program.to_str().unwrap();
    let mut args: Vec<&str> = [&["verify"], options].concat();
    for adapter in adapters {
        args.extend(["--", "python3", program]);
        args.extend(*adapter);
    }
    run(&mut command(args), b"")
}

/// The only scheme of the only adapter of a JSON report.
fn scheme(run: &Run) -> Value {
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}"));
    assert_eq!(report["format"], 1);
    report["adapters"][0]["schemes"][0].clone()
}

#[test]
fn a_client_that_places_as_it_should() {
    let run = verify(&["--format", "json"], &[&["java"]]);
    let scheme = scheme(&run);
    assert_eq!(scheme["scheme"], "kafka/java");
    assert_eq!(scheme["failed"], 0, "{run}");
    assert!(scheme["passed"].as_u64().unwrap() > 300, "{run}");
    assert_eq!(scheme["likely"], Value::Null);
    assert_eq!(run.status, 0);
}

#[test]
fn another_clients_function_is_named() {
    let run = verify(&["--format", "json", "--shrink"], &[&["crc32"]]);
    let scheme = scheme(&run);
    assert_eq!(run.status, 1);
    let likely = scheme["likely"].as_str().unwrap();
    assert!(
        likely.starts_with("agrees with crc32-modulo on all ") && likely.contains("librdkafka's default"),
        "{likely}"
    );
    let count = |name: &str| scheme[name].as_u64().unwrap();
    assert_eq!(count("cases"), count("passed") + count("failed") + count("skipped") + count("known_failures"));
    assert_eq!(scheme["smallest"]["key"], serde_json::json!({ "hex": "" }));
    assert_eq!(scheme["smallest"]["params"]["partitions"], 2);
}

#[test]
fn a_mistake_is_named_by_its_flag() {
    let run = verify(&["--format", "json"], &[&["abs"]]);
    let likely = scheme(&run)["likely"].as_str().unwrap().to_string();
    assert!(likely.contains("of floor-modulo"), "{likely}");
}

/// Each with a program of its own that goes on for long: of both nothing is left, and what they do takes no longer than
/// it may.
#[test]
fn adapters_that_misbehave_are_failures_within_their_limit() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/adapter.py");
    for (mode, status, said) in [
        ("hang", 1, "did not answer within 1 s"),
        ("deaf", 1, "did not answer within 1 s"),
        ("drip", 1, "did not answer within 1 s"),
        ("closed", 1, "did not answer within 1 s"), // its child has the pipe open
        ("crash", 1, "the client has lost its mind"),
        ("wrong-seq", 1, "seq 2, asked was 1"),
        ("two-lines", 1, "seq 1, asked was 2"),
        ("wrong-count", 1, "outcomes for"),
        ("both", 1, "not one of outcomes, skipped and error"),
        ("moved", 1, "unknown outcome \"moved\""),
        ("nowhere", 1, "placed without a place"),
        ("not-json", 1, "place: 7"),
        ("long-line", 1, "a line of more than"),
        ("gigabyte", 1, "a line of more than"),
        ("early", 2, "Welcome to the adapter!"),
        ("slow-start", 2, "did not answer within 3 s"),
        ("ended", 2, "no client here"),
        ("version", 2, "protocol version 2, spoken here is 1"),
        // No failures: what is written beside the answers, and one that has to be ended.
        ("noise", 0, "0 failed"),
        ("stays", 0, "0 failed"),
    ] {
        let pids = folder.path().join(mode);
        // Short where that is what is waited for; Python alone takes a second to start on a busy machine.
        let limit = |reached: &str| if said.ends_with(reached) { reached.replace(' ', "") } else { "60s".into() };
        let (batch, start) = (limit("1 s"), limit("3 s"));
        let mut command = command(["verify", "-s", "kafka/java", "--timeout", &batch, "--start-timeout", &start, "--"]);
        command.args(["python3", program.to_str().unwrap(), mode]).env("ADAPTER_PIDS", &pids);
        let began = Instant::now();
        let run = run(&mut command, b"");
        assert!(run.stdout.contains(said), "{mode}: {run}");
        assert_eq!(run.status, status, "{mode}: {run}");
        assert!(began.elapsed() < Duration::from_secs(60), "{mode}");
        assert!(!folder.path().join(format!("{mode}.written")).exists(), "{mode}: it was let write on");
        // It may have been ended before it could write.
        assert_none_is_left(&std::fs::read_to_string(&pids).unwrap_or_default(), mode);
    }
}

/// Whether each of these processes has ended. One that nobody has waited for may still be listed, as a zombie.
fn assert_none_is_left(pids: &str, mode: &str) {
    let runs = |pid: &&str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
    };
    // The kernel may take a moment to end what was killed.
    for _ in 0..100 {
        if !pids.split_whitespace().any(|pid| runs(&pid)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let left: Vec<&str> = pids.split_whitespace().filter(runs).collect();
    panic!("{mode}: still running: {left:?}");
}

#[test]
fn what_cannot_be_run_is_status_2() {
    let run = self::run(&mut command(["verify", "--", "no-such-program-anywhere"]), b"");
    assert!(run.stdout.contains("cannot be started"), "{run}");
    assert_eq!(run.status, 2);
    let run = verify(&[], &[&["java", "kafka/none-such"]]);
    assert!(run.stdout.contains("there are no vectors: kafka/none-such"), "{run}");
    assert_eq!(run.status, 2);
    assert_eq!(verify(&["-s", "kafka/librdkafka-random"], &[&["java"]]).status, 2);
    assert_eq!(verify(&["--timeout", "soon"], &[&["java"]]).status, 2);
    assert_eq!(verify(&["--differential"], &[&["java"]]).status, 2);
}

#[test]
fn several_at_once() {
    let run = verify(&[], &[&["java"], &["crc32"]]);
    assert!(run.stdout.contains("java 1.0\n  ok ") && run.stdout.contains("crc32 1.0\n  FAILED"), "{run}");
    assert_eq!(run.status, 1);
}

#[test]
fn two_with_each_other() {
    let run = verify(&["--differential"], &[&["java"], &["java"]]);
    assert!(run.stdout.contains("java 1.0, compared with java 1.0\n  ok"), "{run}");
    assert_eq!(run.status, 0);
    let run = verify(&["--differential"], &[&["java"], &["abs"]]);
    assert!(run.stdout.contains("of floor-modulo"), "{run}");
    assert_eq!(run.status, 1);
}

#[test]
fn known_failures_cannot_go_stale() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("known.toml");
    let with = |text: &str, mode: &str| {
        std::fs::write(&list, text).unwrap();
        verify(&["--known", list.to_str().unwrap(), "--format", "json"], &[&[mode]])
    };
    let known = "[[known]]\nscheme = \"kafka/java\"\nreason = \"r\"\nlink = \"https://example.org\"\n";
    let run = with(known, "crc32");
    assert_eq!((run.status, &scheme(&run)["failed"]), (0, &0.into()), "{run}");
    assert!(scheme(&run)["known_failures"].as_u64().unwrap() > 300, "{run}");
    let run = with(known, "java");
    assert!(run.stdout.contains("stale_known_failures"), "{run}");
    assert_eq!(run.status, 1);
    for (wrong, said) in [
        ("[[known]]\nreason = \"r\"\nlink = \"l\"\n", "name a scheme or a dataset"),
        ("[[known]]\nscheme = \"kafka/java\"\nreason = \"\"\nlink = \"l\"\n", "give a reason"),
        ("[[known]]\nschema = \"kafka/java\"\n", "schema"),
    ] {
        let run = with(wrong, "java");
        assert!(run.stderr.contains(said), "{run}");
        assert_eq!(run.status, 2);
    }
}

/// A client with another function, an adapter that crashes, and one that does not start: in each form.
#[test]
fn forms() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapters/adapter.py");
    let folder = tempfile::tempdir().unwrap();
    let contract = "version = 1\n[datasets.orders]\nscheme = \"kafka/java\"\nparams = { partitions = 12 }\n\
                    fixtures = [\"user:42\", \"100:48069\", { null = true }]\n";
    std::fs::write(folder.path().join("keyfall.toml"), contract).unwrap();
    let summary = folder.path().join("summary.md");
    for format in ["human", "json", "junit", "sarif", "github", "gitlab"] {
        let mut args = vec!["verify", "--contract", "keyfall.toml", "--shrink", "--format", format];
        for mode in ["java", "crc32", "not-json"] {
            args.extend(["--", "python3", program.to_str().unwrap(), mode]);
        }
        args.extend(["--", "false"]);
        let mut command = command(args);
        let run = run(command.current_dir(folder.path()).env("GITHUB_STEP_SUMMARY", &summary), b"");
        assert_eq!(run.status, 2);
        match format {
            "json" | "gitlab" => drop(serde_json::from_str::<Value>(&run.stdout).unwrap()),
            "sarif" => drop(serde_json::from_str::<serde_sarif::sarif::Sarif>(&run.stdout).unwrap()),
            _ => {}
        }
        insta::assert_snapshot!(format!("form_{format}"), run.stdout);
    }
    insta::assert_snapshot!("form_github_summary", std::fs::read_to_string(summary).unwrap());
}

/// The starters that there are, as the message tells them that says of a name that it is none: clients and languages.
fn starters() -> Vec<(String, String)> {
    let run = run(&mut command(["verify", "--starter", "cobol"]), b"");
    assert_eq!(run.status, 2);
    let (_, all) =
        run.stderr.trim_end().split_once("there are, by client or language: ").unwrap_or_else(|| panic!("{run}"));
    let pair = |one: &str| {
        let (client, language) = one.strip_suffix(')').unwrap().split_once(" (").unwrap();
        (client.to_string(), language.to_string())
    };
    all.split(", ").map(pair).collect()
}

#[test]
fn each_starter_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let starters = starters();
    for language in ["java", "go", "python", "node", "rust", "c"] {
        assert!(starters.iter().any(|(_, own)| own == language), "{language}");
    }
    for (client, language) in starters {
        let into = folder.path().join(format!("of {client}"));
        let args = ["verify", "--starter", &client, into.to_str().unwrap()];
        let first = run(&mut command(args), b"");
        assert_eq!(first.status, 0, "{first}");
        let lines: Vec<&str> = first.stdout.lines().collect();
        assert!(lines[0].starts_with(&format!("wrote an adapter over {client} ({language}) to ")), "{first}");
        let files: Vec<&str> = lines[0].rsplit_once(": ").unwrap().1.split(", ").collect();
        assert!(files.len() >= 4 && files.iter().all(|file| into.join(file).is_file()), "{first}");
        // A folder with a space in its name is quoted.
        assert!(lines[2].contains(&format!("cd '{}'", into.display())), "{first}");
        assert!(lines[3].contains(&format!("'{}/", into.display())), "{first}");
        let again = run(&mut command(args), b"");
        assert_eq!((again.status, &*again.stdout), (2, ""), "{again}");
        assert!(again.stderr.contains("nothing was written") && again.stderr.contains(files[0]), "{again}");
    }
}

#[test]
fn a_starter_spares_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("adapter.mjs"), "mine").unwrap();
    let run = |args: &[&str]| self::run(command(args).current_dir(folder.path()), b"");
    let spared = run(&["verify", "--starter", "node", "."]);
    assert_eq!(spared.status, 2);
    assert!(spared.stderr.contains(". has adapter.mjs already"), "{spared}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(folder.path().join("adapter.mjs")).unwrap(), "mine");
    // Its own folder, where none is named; and the first client of a language.
    assert_eq!(run(&["verify", "--starter", "go"]).status, 0);
    assert!(folder.path().join("keyfall-sarama/main.go").is_file());
    assert_eq!(run(&["verify", "--starter", "go", "--", "adapter"]).status, 2);
    assert_eq!(run(&["verify", "folder"]).status, 2);
}
