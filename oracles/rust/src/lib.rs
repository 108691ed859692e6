//! The oracle protocol for adapters written in Rust: JSON lines on stdin and stdout.

use std::io::{BufRead, Write};

use serde_json::{Map, Value, json};

/// How often a key is placed before it counts as pinned.
pub const REPEATS: usize = 64;

/// A decoded key; tuples and fields are no keys of a Rust client.
pub enum Key {
    Null,
    Bytes(Vec<u8>),
    Text(String),
    Utf16(Vec<u16>),
    Typed { kind: String, value: String },
}

impl Key {
    fn decode(json: &Value) -> Result<Key, String> {
        let malformed = || format!("not a key: {json:.200}");
        if json.is_null() {
            return Ok(Key::Null);
        }
        let forms = json.as_object().ok_or_else(malformed)?;
        if let (2, Some(kind), Some(value)) = (forms.len(), forms.get("type"), forms.get("value")) {
            let (Some(kind), Some(value)) = (kind.as_str(), value.as_str()) else { return Err(malformed()) };
            return Ok(Key::Typed { kind: kind.into(), value: value.into() });
        }
        let (1, Some((form, value))) = (forms.len(), forms.iter().next()) else { return Err(malformed()) };
        match (form.as_str(), value) {
            ("hex", Value::String(text)) => Ok(Key::Bytes(hex(text)?)),
            ("base64", Value::String(text)) => {
                data_encoding::BASE64.decode(text.as_bytes()).map(Key::Bytes).map_err(|error| error.to_string())
            }
            ("text", Value::String(text)) => Ok(Key::Text(text.clone())),
            ("utf16", Value::Array(units)) => {
                let unit = |unit: &Value| unit.as_u64().and_then(|unit| u16::try_from(unit).ok());
                units.iter().map(unit).collect::<Option<_>>().map(Key::Utf16).ok_or_else(malformed)
            }
            ("tuple" | "fields", _) => Err("this client has no serializer for such a key".into()),
            _ => Err(malformed()),
        }
    }

    /// The key of a client that takes bytes: none for the null key, text as UTF-8.
    pub fn bytes(&self) -> Result<Option<Vec<u8>>, String> {
        match self {
            Key::Null => Ok(None),
            Key::Bytes(bytes) => Ok(Some(bytes.clone())),
            Key::Text(text) => Ok(Some(text.as_bytes().to_vec())),
            Key::Utf16(units) => match String::from_utf16(units) {
                Ok(text) => Ok(Some(text.into_bytes())),
                Err(_) => Err("a Rust string has no lone surrogate".into()),
            },
            Key::Typed { kind, value } => match kind.as_str() {
                "void" => Ok(None),
                "string" => Ok(Some(value.as_bytes().to_vec())),
                "bytes" => hex(value).map(Some),
                _ => Err(format!("this client has no serializer for {kind}")),
            },
        }
    }
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    data_encoding::HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|error| error.to_string())
}

pub enum Outcome {
    Placed(i32),
    /// A place that can pass 2^53, and the hash that it is.
    Token(i64),
    Unpinned,
    Rejected(String),
    /// This adapter has no way to hand the key to the client.
    Error(String),
}

impl Outcome {
    /// The outcome of one key from the places that one client gave it.
    pub fn observed(places: &[i32]) -> Outcome {
        match places {
            [first, rest @ ..] if rest.iter().all(|place| place == first) => Outcome::Placed(*first),
            _ => Outcome::Unpinned,
        }
    }

    fn encode(&self) -> Value {
        match self {
            Outcome::Placed(place) => json!({"outcome": "placed", "place": place}),
            Outcome::Token(token) => json!({"outcome": "placed", "place": token.to_string(), "hash": token.to_string()}),
            Outcome::Unpinned => json!({"outcome": "unpinned", "why": "one key, placed again, landed in another place"}),
            Outcome::Rejected(why) => json!({"outcome": "rejected", "why": why}),
            Outcome::Error(why) => json!({"outcome": "error", "why": why}),
        }
    }
}

pub enum Failure {
    /// This source does not answer such a request at all.
    Skipped(String),
    Error(String),
}

pub struct Params(Map<String, Value>);

impl Params {
    /// A number that need not be given.
    pub fn number(&self, name: &str, fallback: u64) -> Result<u64, Failure> {
        match self.0.get(name) {
            None => Ok(fallback),
            Some(value) => value.as_u64().ok_or_else(|| Failure::Skipped(format!("{name} must be a number"))),
        }
    }

    /// Whether it is given at all.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The number of partitions or the like, from 1 to `most`.
    pub fn count(&self, name: &str, most: i32) -> Result<i32, Failure> {
        let value = self.0.get(name).and_then(Value::as_i64).and_then(|value| i32::try_from(value).ok());
        match value {
            Some(value) if (1..=most).contains(&value) => Ok(value),
            _ => Err(Failure::Skipped(format!("{name} must be between 1 and {most}"))),
        }
    }
}

/// Answers until stop or the end of stdin. `place` gives one outcome for each key; a key that could not be read is an `Err`,
/// and its outcome an error.
pub fn serve<F>(name: &str, version: &str, schemes: &[&str], mut place: F)
where
    F: FnMut(&str, &Params, &[Result<Key, String>]) -> Result<Vec<Outcome>, Failure>,
{
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("stdin");
        if line.trim().is_empty() {
            continue;
        }
        let request: Value = serde_json::from_str(&line).expect("a JSON line");
        let reply = match request["cmd"].as_str() {
            Some("start") => {
                json!({"version": 1, "name": name, "client_version": version, "language": "rust", "schemes": schemes})
            }
            Some("stop") => break,
            Some("place") => {
                let scheme = request["scheme"].as_str().unwrap_or_default();
                let params = Params(request["params"].as_object().cloned().unwrap_or_default());
                let keys: Vec<_> = request["keys"].as_array().into_iter().flatten().map(Key::decode).collect();
                let answer = if schemes.contains(&scheme) {
                    place(scheme, &params, &keys)
                } else {
                    Err(Failure::Skipped("no such scheme here".into()))
                };
                match answer {
                    Ok(outcomes) => {
                        let outcomes: Vec<_> = outcomes.iter().map(Outcome::encode).collect();
                        json!({"seq": request["seq"], "outcomes": outcomes})
                    }
                    Err(Failure::Skipped(why)) => json!({"seq": request["seq"], "skipped": why}),
                    Err(Failure::Error(why)) => json!({"seq": request["seq"], "error": why}),
                }
            }
            _ => json!({"seq": request["seq"], "error": "unknown command"}),
        };
        writeln!(stdout, "{reply}").and_then(|()| stdout.flush()).expect("stdout");
    }
}

/// A scheme over one key, as `serve` wants it.
pub fn each<F>(keys: &[Result<Key, String>], mut place: F) -> Result<Vec<Outcome>, Failure>
where
    F: FnMut(Option<&[u8]>) -> Result<Outcome, Failure>,
{
    keys.iter()
        .map(|key| match key.as_ref().map_err(String::clone).and_then(Key::bytes) {
            Ok(bytes) => place(bytes.as_deref()),
            Err(why) => Ok(Outcome::Error(why)),
        })
        .collect()
}
