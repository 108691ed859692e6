//! An adapter that misbehaves is an error with its stderr, in time, and leaves no process behind.
#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};

use keyfall_conform::adapter::{Adapter, AdapterError, Answer, Failure, Limits, MAX_LINE};
use keyfall_conform::vectors::ParamsJson;
use serde_json::value::RawValue;

const HELLO: &str = r#"{"version":1,"name":"fake","client_version":"1","language":"sh","schemes":["a/b"]}"#;

/// An adapter that answers `start`, then runs `script`.
fn adapter(script: &str) -> Result<Adapter, AdapterError> {
    program(&format!("read -r line; echo '{HELLO}'; {script}"))
}

fn program(script: &str) -> Result<Adapter, AdapterError> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Adapter::start(command, Limits { start: Duration::from_secs(5), batch: Duration::from_secs(1) })
}

fn place(adapter: &mut Adapter, keys: &[&str]) -> Result<Answer, AdapterError> {
    let keys: Vec<Box<RawValue>> = keys.iter().map(|key| RawValue::from_string((*key).into()).unwrap()).collect();
    let keys: Vec<&RawValue> = keys.iter().map(|key| &**key).collect();
    adapter.place("a/b", &ParamsJson::new(), &keys)
}

/// The failure of one batch, which must come soon.
fn failure(script: &str) -> AdapterError {
    let mut adapter = adapter(script).unwrap();
    let began = Instant::now();
    let error = place(&mut adapter, &["null"]).unwrap_err();
    assert!(began.elapsed() < Duration::from_secs(10), "{error}");
    error
}

fn is_alive(pid: &str) -> bool {
    // A zombie is gone: nobody in a container may be there to reap it.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| rest.split_whitespace().next().is_some_and(|state| state != "Z"))
}

#[test]
fn outcomes_come_in_order() {
    let mut adapter = adapter(
        r#"read -r line
           echo "$line" >&2
           echo '{"seq":1,"outcomes":[{"outcome":"placed","place":9,"hash":"7"},{"outcome":"unpinned","why":"\ud83d"}]}'
           read -r line; echo '{"seq":2,"skipped":"no such scheme"}'
           read -r line; echo '{"seq":3,"error":"broken"}'
           read -r line"#,
    )
    .unwrap();
    assert_eq!(adapter.hello().schemes, ["a/b"]);
    let Ok(Answer::Outcomes(outcomes)) = place(&mut adapter, &["null", r#"{"hex":"00"}"#]) else { panic!() };
    assert_eq!(outcomes.iter().map(|o| o.outcome.as_str()).collect::<Vec<_>>(), ["placed", "unpinned"]);
    assert_eq!(outcomes[0].hash.as_deref(), Some("7"));
    // Clients quote keys in what they say, lone surrogates too.
    assert!(outcomes[1].why.as_deref().unwrap().contains('\u{fffd}'));
    assert_eq!(place(&mut adapter, &["null"]).unwrap(), Answer::Skipped("no such scheme".into()));
    assert_eq!(place(&mut adapter, &["null"]).unwrap(), Answer::Error("broken".into()));
    adapter.stop();
}

#[test]
fn a_crash_is_told_with_status_and_stderr() {
    let error = failure("read -r line; echo 'out of cheese' >&2; exit 3");
    assert!(matches!(error.failure, Failure::Ended(Some(status)) if status.code() == Some(3)), "{error}");
    assert!(error.to_string().contains("out of cheese"), "{error}");
    assert!(error.to_string().contains("a/b"), "{error}");
}

#[test]
fn a_crash_is_seen_though_a_child_holds_the_pipe() {
    let error = failure("sleep 600 & read -r line; exit 3");
    assert!(matches!(error.failure, Failure::Ended(Some(status)) if status.code() == Some(3)), "{error}");
}

#[test]
fn silence_is_a_timeout() {
    let error = failure("read -r line; sleep 600");
    assert!(matches!(error.failure, Failure::TimedOut(_)), "{error}");
}

#[test]
fn a_program_that_reads_nothing_blocks_nobody() {
    let mut adapter = adapter("sleep 600").unwrap();
    let key = format!("{{\"text\":\"{}\"}}", "k".repeat(4 << 20));
    let error = place(&mut adapter, &[&key]).unwrap_err();
    assert!(matches!(error.failure, Failure::TimedOut(_)), "{error}");
}

#[test]
fn wrong_lines_are_told() {
    for (line, said) in [
        ("hello", "expected"),
        (r#"{"seq":2,"outcomes":[{"outcome":"unpinned"}]}"#, "seq 2"),
        (r#"{"seq":1,"outcomes":[]}"#, "0 outcomes for 1 keys"),
        (r#"{"seq":1}"#, "not one of"),
        (r#"{"seq":1,"outcomes":[{"outcome":"placed"}]}"#, "without a place"),
        (r#"{"seq":1,"outcomes":[{"outcome":"rejected","place":1}]}"#, "with a place"),
        (r#"{"seq":1,"outcomes":[{"outcome":"lost"}]}"#, "unknown outcome"),
    ] {
        let error = failure(&format!("read -r line; echo '{line}'; sleep 600"));
        assert!(matches!(error.failure, Failure::WrongLine { .. }), "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn an_endless_line_is_cut_short() {
    let error = failure("read -r line; tr '\\0' x </dev/zero");
    assert!(matches!(error.failure, Failure::LongLine), "{error}");
}

#[test]
fn a_request_over_the_limit_is_not_sent() {
    let mut adapter = adapter("cat").unwrap();
    let key = format!("{{\"text\":\"{}\"}}", "k".repeat(MAX_LINE));
    let error = place(&mut adapter, &[&key]).unwrap_err();
    assert!(matches!(error.failure, Failure::LongRequest(_)), "{error}");
}

#[test]
fn another_protocol_is_refused() {
    let error =
        program(&format!("echo '{}'; sleep 600", HELLO.replace("\"version\":1", "\"version\":2"))).err().unwrap();
    assert!(error.to_string().contains("protocol version 2"), "{error}");
    let error = program("exit 0").err().unwrap();
    assert!(matches!(error.failure, Failure::Ended(_)), "{error}");
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let limits = Limits { start: Duration::from_secs(1), batch: Duration::from_secs(1) };
    let error = Adapter::start(Command::new("no-such-program-of-keyfall"), limits).err().unwrap();
    assert!(matches!(error.failure, Failure::Spawn(_)), "{error}");
    assert!(error.to_string().contains("no-such-program-of-keyfall"), "{error}");
}

#[test]
fn what_it_started_goes_with_it() {
    for stop in [true, false] {
        let mut adapter = adapter(
            r#"sleep 600 & read -r line
               echo "{\"seq\":1,\"outcomes\":[{\"outcome\":\"unpinned\",\"why\":\"$!\"}]}"; read -r line"#,
        )
        .unwrap();
        let Ok(Answer::Outcomes(outcomes)) = place(&mut adapter, &["null"]) else { panic!() };
        let child = outcomes[0].why.clone().unwrap();
        assert!(is_alive(&child));
        if stop {
            adapter.stop()
        } else {
            drop(adapter)
        }
        // A kill takes effect a moment later.
        let deadline = Instant::now() + Duration::from_secs(2);
        while is_alive(&child) {
            assert!(Instant::now() < deadline, "process {child} outlived its adapter");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
