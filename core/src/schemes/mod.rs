//! Systems, a file each: its functions as code, its schemes as a table of rows.

pub mod cassandra;
pub mod elasticsearch;
pub mod kafka;
pub mod opensearch;
pub mod redis;
pub mod scylla;

use alloc::format;
use alloc::string::{String, ToString};

use crate::encode::EncodeError;
use crate::trace::{Tracer, hex};
use crate::{Key, KeyError, Outcome, Stage, Value, Why};

/// An encoding that failed, as what `place` returns.
#[cold]
#[inline(never)]
fn failed<T: Tracer>(error: EncodeError, tracer: &mut T) -> Result<Outcome, KeyError> {
    match error {
        EncodeError::Malformed(error) => Err(error),
        EncodeError::Rejected(why) => {
            tracer.say(Stage::Rule, || (format!("rejected: {why}"), String::new()));
            Ok(Outcome::Rejected(why))
        }
        EncodeError::Refused(why) => {
            tracer.say(Stage::Rule, || (format!("refused: {why}"), String::new()));
            Ok(Outcome::Refused(why))
        }
    }
}

/// A key that a rule ends early.
#[cold]
fn rejected<T: Tracer>(why: impl Into<Why>, tracer: &mut T) -> Result<Outcome, KeyError> {
    failed(EncodeError::Rejected(why.into()), tracer)
}

/// The step in which `key` became `bytes`.
fn say_encoded<T: Tracer>(key: Key<'_>, bytes: &[u8], tracer: &mut T) {
    tracer.say(Stage::Encode, || (encoded_words(key, bytes), hex(bytes)));
}

/// In words, how `key` became `bytes`.
fn encoded_words(key: Key<'_>, bytes: &[u8]) -> String {
    let how = match key {
        Key::Null => "null, taken as the empty key".to_string(),
        Key::Bytes(_) => "the bytes as given".to_string(),
        Key::Text(_) => "the text as UTF-8".to_string(),
        Key::Utf16(units) => match String::from_utf16(units) {
            Ok(_) => "the UTF-16 text as UTF-8".to_string(),
            Err(_) => "the UTF-16 text as UTF-8, lone surrogates replaced as this client does".to_string(),
        },
        Key::Typed(typed) => match typed.value {
            Value::Text(text) => format!("{text} as {}", typed.ty),
            Value::Int(n) => format!("{n} as {}", typed.ty),
        },
        Key::Tuple(parts) => format!("{} components as one", parts.len()),
        Key::Fields(fields) => format!("{} fields as one", fields.len()),
    };
    let mut words = format!("{how}: {} bytes", bytes.len());
    if let Key::Typed(typed) = key
        && typed.ty == "avro-confluent"
    {
        words.push_str(
            " (0, the schema id in 4 bytes, the body): another schema id moves this key, although the partitioner is the same",
        );
    }
    words
}
