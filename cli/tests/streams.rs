//! Standard input and output that are closed, full, read by nobody, or not a terminal.
#![cfg(unix)]

mod common;

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use common::{Run, command, run};

/// Runs `keyfall ARGS` in a shell, with redirections after it.
fn shell(args: &str, redirections: &str) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("\"$0\" {args} {redirections}"), env!("CARGO_BIN_EXE_keyfall")]);
    shell.current_dir(common::dir());
    run(&mut shell, b"")
}

const PLACE: &str = "place -s redis/cluster somekey";
const STREAM: &str = "place -s redis/cluster --jsonl";

#[test]
fn closed_standard_output_is_a_message_and_2() {
    for args in [PLACE, STREAM, "--help", "--version", "place --help", "schemes", "explain -s redis/cluster x", "man"] {
        let run = shell(args, ">&-");
        assert_eq!((run.status, run.stderr.as_str()), (2, "error: standard output is not open\n"), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_cannot_be_written_is_a_message_and_2() {
    for args in [PLACE, "--help", "schemes", "explain -s redis/cluster x", "man", "completions bash"] {
        let run = shell(args, ">/dev/full");
        assert_eq!(run.status, 2, "{args}");
        assert!(run.stderr.contains("standard output: No space left"), "{args}: {run}");
        // Opened for reading alone.
        let run = shell(args, "1</dev/null");
        assert!(run.status == 2 && run.stderr.contains("standard output: Bad file descriptor"), "{args}: {run}");
    }
}

#[test]
fn closed_standard_input_is_a_message_and_2_where_it_is_read() {
    let run = shell(STREAM, "<&-");
    assert_eq!((run.status, run.stderr.as_str()), (2, "error: standard input is not open\n"));
    let run = shell(PLACE, "<&-");
    assert_eq!((run.status, run.stdout.as_str()), (0, "11058\n"));
}

#[test]
fn standard_input_that_cannot_be_read_is_a_message_and_2() {
    let run = shell(STREAM, "<.");
    assert!(run.status == 2 && run.stderr.contains("standard input: Is a directory"), "{run}");
}

#[test]
fn a_closed_standard_error_hurts_nobody() {
    let run = shell(PLACE, "2>&-");
    assert_eq!((run.status, run.stdout.as_str()), (0, "11058\n"));
    assert_eq!(shell("place -s redis/cluste x", "2>&-").status, 2);
}

/// What Python's `DEVNULL` and Node's `ignore` pass is open, even if it looks like what the runtime puts in the place
/// of a closed descriptor.
#[test]
fn dev_null_opened_for_both_is_not_closed() {
    let null = || OpenOptions::new().read(true).write(true).open("/dev/null").unwrap();
    let status = command(STREAM.split(' ')).stdin(null()).stdout(null()).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    for args in [STREAM, "schemes", "--help", "man"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut keyfall = command(args.split(' '));
        let mut child = keyfall.stdin(Stdio::piped()).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
        if let Some(mut stdin) = child.stdin.take() {
            use std::io::Write;
            let _ = stdin.write_all(b"{\"key\":null}\n");
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args}");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    for args in ["schemes", "explain -s redis/cluster x", "--help", "place -s x y"] {
        let colored = |names: &[(&str, &str)]| {
            let mut keyfall = command(args.split(' '));
            names.iter().for_each(|(name, value)| _ = keyfall.env(name, value));
            let run = run(&mut keyfall, b"");
            run.stdout.contains('\x1b') || run.stderr.contains('\x1b')
        };
        assert!(!colored(&[]), "{args}: not a terminal");
        assert!(colored(&[("CLICOLOR_FORCE", "1")]), "{args}");
        assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), "{args}");
    }
}
