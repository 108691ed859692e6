//! Running an adapter: a program that asks a real client or system where keys fall, over JSON lines.
//!
//! ```text
//! > {"cmd":"start","version":1}
//! < {"version":1,"name":"sarama","client_version":"1.61.1","language":"go","schemes":["kafka/sarama-hash"]}
//! > {"cmd":"place","seq":1,"scheme":"kafka/sarama-hash","params":{"partitions":12},"keys":[KEY,...]}
//! < {"seq":1,"outcomes":[OUTCOME,...]}      or {"seq":1,"skipped":"reason"} or {"seq":1,"error":"message"}
//! > {"cmd":"stop"}
//! ```
//!
//! A crash, a time-out or a wrong line is an [`AdapterError`] with the program's stderr, never a hang: reading, writing
//! and logging have a thread each, so a program that neither reads nor answers blocks nobody. The program and all that
//! it started are gone when its [`Adapter`] is dropped.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use keyfall_core::wire::{OutcomeJson, PlaceJson};
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::process::{Group, Log};
use crate::vectors::ParamsJson;

/// The protocol's version.
pub const VERSION: u32 = 1;

/// The longest line, in bytes, either way.
pub const MAX_LINE: usize = 16 * 1024 * 1024;

/// How often an adapter that does not answer is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How long the last lines of one that has ended may be under way.
const LAST_LINES: Duration = Duration::from_millis(500);

/// How long an adapter may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Until it has answered `start`: a server may have to come up.
    pub start: Duration,
    /// For each batch of keys.
    pub batch: Duration,
}

/// What an adapter says about itself.
#[derive(Clone, Debug, Deserialize)]
pub struct Hello {
    /// The protocol's version.
    pub version: u32,
    /// The client or system.
    pub name: String,
    /// Its version.
    pub client_version: String,
    /// The language that the client is for.
    #[serde(default)]
    pub language: String,
    /// The schemes that it can be asked about.
    pub schemes: Vec<String>,
}

/// The answer to a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// An outcome for each key, in order.
    Outcomes(Vec<OutcomeJson>),
    /// The adapter has no way to ask this; the reason.
    Skipped(String),
    /// The adapter failed on this batch and can go on.
    Error(String),
}

/// How an adapter failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The program could not be started.
    #[error("cannot be started: {0}")]
    Spawn(#[source] io::Error),
    /// It ended.
    #[error("ended{}", status(.0))]
    Ended(Option<ExitStatus>),
    /// It did not answer in time.
    #[error("did not answer within {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// It wrote a line over the limit.
    #[error("wrote a line of more than {MAX_LINE} bytes")]
    LongLine,
    /// The request would be over the limit.
    #[error("cannot be sent a line of {0} bytes, at most {MAX_LINE} are allowed")]
    LongRequest(usize),
    /// It wrote a line that is no answer to what was asked.
    #[error("wrote a wrong line: {why}: {line}")]
    WrongLine {
        /// What is wrong with it.
        why: String,
        /// The line, shortened.
        line: String,
    },
}

fn status(status: &Option<ExitStatus>) -> String {
    status.map_or(String::new(), |status| format!(" ({status})"))
}

/// A failed adapter: what happened, when, and what it had logged.
#[derive(Debug)]
pub struct AdapterError {
    /// How it failed.
    pub failure: Failure,
    /// What it was doing.
    pub during: String,
    /// The end of its stderr.
    pub stderr: String,
}

impl fmt::Display for AdapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "adapter, during {}: {}", self.during, self.failure)?;
        if !self.stderr.trim().is_empty() {
            write!(f, "\nits stderr:\n{}", self.stderr.trim_end())?;
        }
        Ok(())
    }
}

impl std::error::Error for AdapterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.failure)
    }
}

#[derive(Serialize)]
#[serde(tag = "cmd", rename_all = "lowercase")]
enum Request<'a> {
    Start { version: u32 },
    Place { seq: u64, scheme: &'a str, params: &'a ParamsJson, keys: &'a [&'a RawValue] },
    Stop,
}

#[derive(Deserialize)]
struct Reply {
    seq: u64,
    outcomes: Option<Vec<Outcome>>,
    skipped: Option<Prose>,
    error: Option<Prose>,
}

/// An OUTCOME as adapters write it.
#[derive(Deserialize)]
struct Outcome {
    outcome: String,
    place: Option<PlaceJson>,
    hash: Option<String>,
    owner: Option<String>,
    why: Option<Prose>,
}

impl From<Outcome> for OutcomeJson {
    fn from(o: Outcome) -> OutcomeJson {
        OutcomeJson { outcome: o.outcome, place: o.place, hash: o.hash, owner: o.owner, why: o.why.map(|why| why.0) }
    }
}

/// Text for people. Clients quote keys in their messages, and a key may have lone surrogates, which JSON can spell
/// and a `String` cannot hold: they are replaced.
struct Prose(String);

impl<'de> Deserialize<'de> for Prose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lossy;
        impl Visitor<'_> for Lossy {
            type Value = Prose;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Prose, E> {
                Ok(Prose(text.into()))
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Prose, E> {
                Ok(Prose(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        // As bytes, serde_json hands such a string over instead of refusing it.
        deserializer.deserialize_bytes(Lossy)
    }
}

enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// A running adapter.
pub struct Adapter {
    group: Group,
    requests: Sender<Vec<u8>>,
    lines: Receiver<Line>,
    log: Log,
    limits: Limits,
    hello: Option<Hello>,
    seq: u64,
}

impl Adapter {
    /// Starts the program and waits until it has said who it is. `command` needs a program, arguments and a folder; its
    /// streams are set here.
    ///
    /// # Errors
    /// A program that does not start, ends, is late, or speaks another protocol.
    pub fn start(mut command: Command, limits: Limits) -> Result<Adapter, AdapterError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::spawn(&mut command).map_err(|error| AdapterError {
            failure: Failure::Spawn(error),
            during: format!("start of {}", command.get_program().display()),
            stderr: String::new(),
        })?;
        let child = group.child();
        let log = Log::collect(child.stderr.take().expect("piped"));
        let requests = write_lines(child.stdin.take().expect("piped"));
        let lines = read_lines(child.stdout.take().expect("piped"));
        let mut adapter = Adapter { group, requests, lines, log, limits, hello: None, seq: 0 };
        let hello = adapter.handshake().map_err(|failure| adapter.fail(failure, "start".into()))?;
        adapter.hello = Some(hello);
        Ok(adapter)
    }

    fn handshake(&mut self) -> Result<Hello, Failure> {
        self.send(&Request::Start { version: VERSION })?;
        let line = self.receive(self.limits.start)?;
        read_hello(&line)
    }

    /// What it said about itself.
    pub fn hello(&self) -> &Hello {
        self.hello.as_ref().expect("start gives no adapter without it")
    }

    /// Asks where `keys` fall.
    ///
    /// # Errors
    /// A program that ended, is late, or answered something else. It is gone then, and every further batch fails.
    pub fn place(&mut self, scheme: &str, params: &ParamsJson, keys: &[&RawValue]) -> Result<Answer, AdapterError> {
        self.seq += 1;
        let seq = self.seq;
        self.exchange(&Request::Place { seq, scheme, params, keys }, seq, keys.len()).map_err(|failure| {
            let params = serde_json::to_string(params).unwrap_or_default();
            self.fail(failure, format!("{scheme} {params}, batch {seq} of {} keys", keys.len()))
        })
    }

    fn exchange(&mut self, request: &Request<'_>, seq: u64, keys: usize) -> Result<Answer, Failure> {
        self.send(request)?;
        let line = self.receive(self.limits.batch)?;
        read_answer(&line, seq, keys)
    }

    /// Whether it is gone: it ended, or was ended for what it did.
    pub fn has_failed(&mut self) -> bool {
        self.group.has_ended()
    }

    /// Asks it to stop; what has not ended a few seconds later is killed, as in a drop.
    pub fn stop(mut self) {
        let _ = self.send(&Request::Stop);
        self.group.end();
    }

    fn send(&self, request: &Request<'_>) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(request).expect("strings, numbers and JSON that was parsed before");
        line.push(b'\n');
        if line.len() > MAX_LINE {
            return Err(Failure::LongRequest(line.len()));
        }
        // An error means that the program has closed its stdin. What it still says, or its end, tells more.
        let _ = self.requests.send(line);
        Ok(())
    }

    fn receive(&mut self, limit: Duration) -> Result<Vec<u8>, Failure> {
        let deadline = Instant::now() + limit;
        loop {
            // The end of its output does not tell that it has ended: what it started may hold the pipe open.
            let ended = self.group.has_ended();
            let wait = if ended { LAST_LINES } else { LOOK.min(deadline.saturating_duration_since(Instant::now())) };
            match self.lines.recv_timeout(wait) {
                Ok(Line::Text(line)) => return Ok(line),
                Ok(Line::TooLong) => return Err(Failure::LongLine),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Ended(None)),
                Err(RecvTimeoutError::Timeout) if ended => return Err(Failure::Ended(None)),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => return Err(Failure::TimedOut(limit)),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends the program and takes what it had logged.
    fn fail(&mut self, failure: Failure, during: String) -> AdapterError {
        let failure = match failure {
            Failure::Ended(_) => Failure::Ended(self.group.end()),
            other => {
                self.group.kill();
                other
            }
        };
        AdapterError { failure, during, stderr: self.log.text() }
    }
}

/// Reads the answer to `start`: who the adapter is.
///
/// # Errors
/// A line that is no such answer, or speaks another version of the protocol.
pub fn read_hello(line: &[u8]) -> Result<Hello, Failure> {
    let hello: Hello = parse(line)?;
    if hello.version != VERSION {
        return Err(wrong(line, format!("protocol version {}, spoken here is {VERSION}", hello.version)));
    }
    Ok(hello)
}

/// Reads the answer to batch `seq` of so many keys: one line of an adapter, which may hold anything.
///
/// # Errors
/// A line that is no answer to that batch.
pub fn read_answer(line: &[u8], seq: u64, keys: usize) -> Result<Answer, Failure> {
    let reply: Reply = parse(line)?;
    if reply.seq != seq {
        return Err(wrong(line, format!("seq {}, asked was {seq}", reply.seq)));
    }
    match (reply.outcomes, reply.skipped, reply.error) {
        (Some(outcomes), None, None) => {
            let outcomes: Vec<OutcomeJson> = outcomes.into_iter().map(Into::into).collect();
            if outcomes.len() != keys {
                return Err(wrong(line, format!("{} outcomes for {keys} keys", outcomes.len())));
            }
            match outcomes.iter().find_map(malformed) {
                Some(why) => Err(wrong(line, why)),
                None => Ok(Answer::Outcomes(outcomes)),
            }
        }
        (None, Some(reason), None) => Ok(Answer::Skipped(reason.0)),
        (None, None, Some(message)) => Ok(Answer::Error(message.0)),
        _ => Err(wrong(line, "not one of outcomes, skipped and error".into())),
    }
}

fn parse<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(line).map_err(|e| wrong(line, e.to_string()))
}

fn wrong(line: &[u8], why: String) -> Failure {
    // Both may quote megabytes that an adapter wrote.
    let short = |text: &[u8]| String::from_utf8_lossy(&text[..text.len().min(400)]).trim_end().to_string();
    Failure::WrongLine { why: short(why.as_bytes()), line: short(line) }
}

/// What is wrong with an outcome, if anything.
fn malformed(outcome: &OutcomeJson) -> Option<String> {
    match (outcome.outcome.as_str(), &outcome.place) {
        ("placed", Some(_)) | ("unpinned" | "rejected" | "refused" | "error", None) => None,
        ("placed", None) => Some("placed without a place".into()),
        ("unpinned" | "rejected" | "refused" | "error", Some(_)) => Some(format!("{} with a place", outcome.outcome)),
        (word, _) => Some(format!("unknown outcome {word:?}")),
    }
}

/// Writes what it is sent, until the program closes its stdin or the sender is gone.
fn write_lines(mut stdin: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, lines) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for line in lines {
            if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

/// The next line, of which no more than the limit is ever held; none at the end.
fn read_line(from: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    match from.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line) {
        Ok(1..) if line.len() > MAX_LINE => Some(Line::TooLong),
        Ok(1..) => Some(Line::Text(line)),
        _ => None,
    }
}

/// Reads lines up to the limit; the channel closes at the end.
fn read_lines(stdout: ChildStdout) -> Receiver<Line> {
    let (lines, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        while let Some(line) = read_line(&mut stdout) {
            let last = matches!(line, Line::TooLong);
            if lines.send(line).is_err() || last {
                break;
            }
        }
    });
    receiver
}
