//! Running the binary, for every test of the command line.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::ffi::OsStr;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub struct Run {
    /// The command line, for snapshots.
    command: String,
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Standard output as lines of JSON.
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
    }
}

impl Run {
    /// Without the lines of evidence, which change with each recording of vectors.
    pub fn without_evidence(mut self) -> Run {
        let kinds = ["server: ", "client: ", "emulator: ", "published: ", "derived: ", "none: "];
        let is_evidence = |line: &&str| {
            let line = line.trim_start().trim_start_matches("evidence").trim_start();
            kinds.iter().any(|kind| line.starts_with(kind))
        };
        self.stdout = self.stdout.split_inclusive('\n').filter(|line| !is_evidence(line)).collect();
        self
    }
}

/// The form of snapshots.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ {}\n[{}]", self.command, self.status)?;
        f.write_str(&self.stdout)?;
        if !self.stderr.is_empty() {
            write!(f, "--- stderr\n{}", self.stderr)?;
        }
        Ok(())
    }
}

/// The binary, in an environment without colours and in the folder for files of tests.
pub fn command(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keyfall"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES"] {
        command.env_remove(name);
    }
    command.args(args).current_dir(dir());
    command
}

/// Runs a command with `input` on standard input.
pub fn run(command: &mut Command, input: &[u8]) -> Run {
    let shown: Vec<String> = command.get_args().map(|arg| quoted(&arg.to_string_lossy())).collect();
    let shown = ["keyfall".to_string()].into_iter().chain(shown).collect::<Vec<_>>().join(" ");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // The program may end before it has read all of it.
        scope.spawn(move || stdin.write_all(input).map(drop));
        child.wait_with_output().expect("the binary ends")
    });
    Run {
        command: shown,
        status: output.status.code().expect("it exits by itself"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
    }
}

/// Runs the binary with arguments as one would type them, without quotes.
pub fn keyfall(line: &str) -> Run {
    run(&mut command(line.split_whitespace()), b"")
}

/// An argument as a shell would need it.
fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=/.,:%+@".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) { arg.into() } else { format!("'{}'", arg.replace('\'', r"'\''")) }
}

/// The folder for files of tests; the binary runs in it.
pub fn dir() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Writes a file there. Tests run side by side: each has names of its own.
pub fn write(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = dir().join(name);
    std::fs::write(&path, content).expect("the folder for tests can be written");
    path
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder of the repository").into()
}

/// The cases that upstream threads publish, for schemes that the registry has.
pub fn field_cases() -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(root().join("vectors/data/field-cases.jsonl")).expect("field cases");
    let known = keyfall("schemes --format json").stdout;
    let known: serde_json::Value = serde_json::from_str(&known).expect("JSON");
    let known: Vec<&str> =
        known["schemes"].as_array().expect("a list").iter().filter_map(|scheme| scheme["id"].as_str()).collect();
    text.lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .filter(|case| case["scheme"].as_str().is_some_and(|id| known.contains(&id)))
        .collect()
}
