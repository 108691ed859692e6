//! The harness over oracles that are a few lines of shell: what is green, what fails, what is skipped, and that no
//! process is left, however an oracle ends.
#![cfg(unix)]

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Says who it is, starts a process of its own, and has noted both.
const HELLO: &str = r#"
sleep 600 &
echo $$ $! >>pids
read -r line
echo '{"version":1,"name":"fake","client_version":"7","language":"sh","schemes":["redis/cluster"]}'
read -r line
"#;

/// What the vectors have.
const RIGHT: &str = r#"echo '{"seq":1,"outcomes":[{"outcome":"placed","place":12182},{"outcome":"rejected","why":"null"}]}'
read -r line"#;

const VECTORS: &str = r#"{"format": 1, "scheme": "redis/cluster", "unit": "slot",
 "sources": [
  {"id": "fake-7", "evidence": "server", "codebase": "fake", "name": "the fake server", "version": "7", "call": "f", "oracle": "oracles/servers/fake"},
  {"id": "other", "evidence": "server", "codebase": "other", "name": "other", "version": "1", "call": "f", "oracle": "oracles/servers/other"}],
 "cases": [
  {"id": 1, "key": {"text": "foo"}, "params": {}, "outcome": "placed", "place": 12182, "flags": [], "sources": ["fake-7", "other"]},
  {"id": 2, "key": null, "params": {}, "outcome": "rejected", "flags": [], "sources": ["fake-7"]},
  {"id": 3, "key": {"text": "bar"}, "params": {}, "outcome": "placed", "place": 5061, "flags": [], "sources": ["other"]}]}
"#;

/// A repository with one oracle, of the core tier.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str, build: &str, run: &str) -> Repository {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&root);
        let fake = root.join("oracles/servers/fake");
        for folder in [&fake, &root.join("vectors/redis"), &root.join("vectors/data")] {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(root.join("vectors/redis/cluster.json"), VECTORS).unwrap();
        fs::write(fake.join("build.sh"), build).unwrap();
        fs::write(fake.join("run.sh"), run).unwrap();
        fs::write(
            fake.join("oracle.toml"),
            "name = 'fake'\nlanguage = 'sh'\nevidence = 'server'\ncodebase = 'fake'\ntier = 'core'\nseconds = 60\n\
             build = ['sh', 'build.sh']\nrun = ['sh', 'run.sh']\n[[source]]\nid = 'fake-7'\nname = 'fake'\nversion = '7'\n\
             [source.schemes]\n'redis/cluster' = 'f'\n",
        )
        .unwrap();
        Repository(root)
    }

    /// One that may take this long for each build, start and batch.
    fn within(self, seconds: u32) -> Repository {
        let file = self.0.join("oracles/servers/fake/oracle.toml");
        let text = fs::read_to_string(&file).unwrap().replace("seconds = 60", &format!("seconds = {seconds}"));
        fs::write(file, text).unwrap();
        self
    }

    fn start(&self, arguments: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["oracles", "--pause", "0", "--root"]).arg(&self.0).args(arguments.split_whitespace());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Runs the harness to its end, after which nothing may be left of the oracle.
    fn run(&self, arguments: &str) -> Run {
        let began = Instant::now();
        let output = self.start(arguments).wait_with_output().unwrap();
        assert!(began.elapsed() < Duration::from_secs(50), "it hung");
        self.assert_nothing_lives();
        Run::of(output)
    }

    /// The oracle's own file.
    fn note(&self, name: &str) -> String {
        fs::read_to_string(self.0.join("oracles/servers/fake").join(name)).unwrap_or_default()
    }

    fn assert_nothing_lives(&self) {
        for pid in self.note("pids").split_whitespace() {
            // A kill takes effect a moment later.
            let deadline = Instant::now() + Duration::from_secs(10);
            while is_alive(pid) {
                assert!(Instant::now() < deadline, "process {pid} is left");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }

    /// What is written of the source's confirmations.
    fn confirmed(&self) -> Option<String> {
        fs::read_to_string(self.0.join("vectors/runs/fake-7.json")).ok()
    }
}

fn is_alive(pid: &str) -> bool {
    // A zombie is gone: nobody in a container may be there to reap it.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.split_whitespace().next().is_some_and(|state| state != "Z"))
}

struct Run {
    success: bool,
    stdout: String,
    stderr: String,
}

impl Run {
    fn of(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Run { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    #[track_caller]
    fn assert(&self, success: bool, last_line: &str, said: &[&str]) {
        let all = format!("{}\n{}", self.stdout, self.stderr);
        assert_eq!(self.success, success, "{all}");
        assert_eq!(self.stdout.lines().last(), Some(last_line), "{all}");
        for said in said {
            assert!(self.stdout.contains(said), "{said:?} is not in:\n{all}");
        }
    }
}

#[test]
fn agreement_passes_and_is_written_down() {
    let repository = Repository::new("agreement", "", &format!("{HELLO}{RIGHT}"));
    repository.run("core").assert(true, "1 passed, 0 failed", &["fake-7  redis/cluster  agree 2"]);
    let confirmed = repository.confirmed().unwrap();
    assert!(confirmed.contains("\"cases\": 2"), "{confirmed}");
    repository.run("core");
    assert_eq!(repository.confirmed().unwrap(), confirmed);
}

#[test]
fn a_disagreement_fails_and_shows_both_sides() {
    let wrong = RIGHT.replace("12182", "12183");
    let repository = Repository::new("disagreement", "", &format!("{HELLO}{wrong}"));
    for tier in ["core", "all"] {
        repository.run(tier).assert(
            false,
            "0 passed, 1 failed",
            &[
                "disagrees on 1 of 2 cases",
                r#"key {"text": "foo"}"#,
                r#"old: {"outcome":"placed","place":12182}"#,
                r#"new: {"outcome":"placed","place":12183}"#,
                "of fake-7: fake 7",
            ],
        );
    }
    assert_eq!(repository.confirmed(), None);
}

#[test]
fn silence_on_a_recorded_case_is_a_disagreement() {
    let silent = RIGHT.replace("rejected", "error");
    let repository = Repository::new("silence", "", &format!("{HELLO}{silent}"));
    repository.run("all").assert(false, "0 passed, 1 failed", &["new: nothing: null"]);
}

#[test]
fn a_known_difference_is_a_quirk_as_long_as_it_shows() {
    let answers = |last| RIGHT.replace("}]}", &format!("}},{last}]}}"));
    for (name, last, success, said) in [
        ("quirk", r#"{"outcome":"placed","place":7}"#, true, "agree 2, quirk 1 (it is old)"),
        ("no-quirk", r#"{"outcome":"placed","place":5061}"#, false, "a quirk that it no longer shows: it is old"),
    ] {
        let repository = Repository::new(name, "", &format!("{HELLO}{}", answers(last)));
        fs::write(
            repository.0.join("vectors/data/quirks.jsonl"),
            r#"{"scheme": "redis/*", "sources": ["fake-7"], "key": {"text": "bar"}, "outcome": "placed", "place": 7, "why": "it is old"}"#,
        )
        .unwrap();
        let last_line = if success { "1 passed, 0 failed" } else { "0 passed, 1 failed" };
        repository.run("core").assert(success, last_line, &[said]);
    }
}

#[test]
fn an_oracle_killed_in_mid_batch_fails() {
    let repository = Repository::new("killed", "", &format!("{HELLO} echo 'out of cheese' >&2; kill -KILL $$"));
    repository.run("all").assert(false, "0 passed, 1 failed", &["signal: 9", "out of cheese"]);
}

#[test]
fn a_hanging_oracle_fails_in_time() {
    let repository = Repository::new("hanging", "", &format!("{HELLO} sleep 600")).within(5);
    repository.run("all").assert(false, "0 passed, 1 failed", &["did not answer within 5 s"]);
}

#[test]
fn an_oracle_that_does_not_start_is_skipped_after_two_retries() {
    let repository = Repository::new("silent-start", "", "echo $$ >>pids; sleep 600").within(2);
    let run = repository.run("all");
    run.assert(true, "0 passed, 0 failed", &["skipped: adapter, during start: did not answer within 2 s"]);
    assert_eq!(repository.note("pids").lines().count(), 3);
}

#[test]
fn a_build_that_fails_is_skipped_and_fails_only_in_core() {
    let build = "echo once >>builds; echo 'Error: no route to the registry' >&2; echo 'see the log' >&2; exit 7";
    let repository = Repository::new("download", build, "");
    let reason = "build of fake-7 failed: exit status: 7: Error: no route to the registry";
    repository.run("all").assert(true, "0 passed, 0 failed", &[&format!("skipped: {reason}")]);
    assert_eq!(repository.note("builds").lines().count(), 3);
    repository.run("core").assert(false, "0 passed, 1 failed", &[&format!("skipped, FAILED: {reason}")]);
    assert_eq!(repository.confirmed(), None);
}

#[test]
fn a_build_that_succeeds_at_the_second_try_will_do() {
    let build = "echo once >>builds; test $(wc -l <builds) -gt 1";
    let repository = Repository::new("second-try", build, &format!("{HELLO}{RIGHT}"));
    repository.run("core").assert(true, "1 passed, 0 failed", &[]);
    assert_eq!(repository.note("builds").lines().count(), 2);
}

#[test]
fn a_hanging_build_is_ended_with_all_that_it_started() {
    let repository = Repository::new("hanging-build", "sleep 600 & echo $$ $! >>pids; wait", "").within(2);
    repository.run("all").assert(true, "0 passed, 0 failed", &["build of fake-7 took over 2 s"]);
}

#[test]
fn a_port_in_use_is_a_reason() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let bind =
        format!("echo $$ >>pids; python3 -c 'import socket; socket.create_server((\"127.0.0.1\", {port}))' || exit");
    let repository = Repository::new("port", "", &format!("{bind}\n{HELLO}{RIGHT}"));
    repository.run("all").assert(true, "0 passed, 0 failed", &["skipped: ", "Address already in use"]);
    drop(taken);
    repository.run("all").assert(true, "1 passed, 0 failed", &[]);
}

#[test]
fn what_an_oracle_leaves_behind_is_ended() {
    // It ends at once when it is asked to stop; its child does not.
    let orphan = "(trap '' TERM HUP; sleep 601) & echo $! >>pids";
    let repository = Repository::new("orphan", "", &format!("{orphan}\n{HELLO}{RIGHT}"));
    repository.run("core").assert(true, "1 passed, 0 failed", &[]);
    assert_eq!(repository.note("pids").split_whitespace().count(), 3);
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let repository = Repository::new("interrupted", "", &format!("{HELLO} touch asked; sleep 600"));
    for signal in ["TERM", "INT", "HUP"] {
        let _ = fs::remove_file(repository.0.join("oracles/servers/fake/asked"));
        let mut harness = repository.start("core");
        while !repository.0.join("oracles/servers/fake/asked").exists() {
            assert!(harness.try_wait().unwrap().is_none(), "it has ended before");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-s", signal, &harness.id().to_string()]).status().unwrap().success());
        assert_eq!(harness.wait().unwrap().code(), Some(130));
        repository.assert_nothing_lives();
    }
}

#[test]
fn when_the_time_is_up_the_rest_is_left_out_and_it_passes() {
    let repository = Repository::new("late", "touch built", &format!("{HELLO}{RIGHT}"));
    for late in ["core --until 1", "all --minutes 0", "core all --until 1"] {
        repository.run(late).assert(true, "0 passed, 0 failed", &["the time was up, not asked: fake-7"]);
    }
    assert!(!repository.0.join("oracles/servers/fake/built").exists());
}

#[test]
fn no_source_is_asked_twice() {
    let repository = Repository::new("twice", "echo once >>builds", &format!("{HELLO}{RIGHT}"));
    repository.run("core all").assert(true, "1 passed, 0 failed", &[]);
    assert_eq!(repository.note("builds").lines().count(), 1);
}
