//! Topologies as text: keyfall's own JSON, and what clusters say of themselves, as JSON or as their tools print it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::Value;

use super::{cassandra, invalid, redis};
use crate::wire::PlaceJson;
use crate::{Error, ErrorKind, Position, Topology};

/// What is recognised, as messages list it.
const FORMS: &str = "an object with format, unit, epoch and entries; CLUSTER SLOTS, SHARDS or NODES, as JSON or as \
                     redis-cli prints it; rows of system.local and system.peers, or of system.tablets, as JSON; nodetool ring or describering";

/// A range of places and its owner.
pub(super) type Entry = (Position, Position, String);

fn malformed(message: impl core::fmt::Display) -> Error {
    Error::new(ErrorKind::InvalidJson, format!("topology: {message}"))
}

/// Reads a topology of any form that is known.
///
/// ```
/// let t = keyfall_core::wire::parse_topology(
///     r#"{"format":1,"unit":"slot","epoch":7,"entries":[{"first":0,"last":16383,"owner":"node-1"}]}"#,
/// )?;
/// assert_eq!((t.unit(), t.epoch()), ("slot", 7));
/// let ring = keyfall_core::wire::parse_topology(
///     r#"[{"key":"local","broadcast_address":"10.0.0.1","tokens":["-5"]},{"peer":"10.0.0.2","tokens":["5"]}]"#,
/// )?;
/// assert_eq!(ring.unit(), "token");
/// # Ok::<(), keyfall_core::Error>(())
/// ```
///
/// The forms, and what each tells:
///
/// | form | unit | owner | epoch |
/// | --- | --- | --- | --- |
/// | `{"format":1,"unit":"slot","epoch":7,"entries":[{"first":0,"last":5460,"owner":"node-1"}]}`; tokens as strings | any | any name | as given, or 0 |
/// | `CLUSTER SLOTS`, `CLUSTER SHARDS`: as JSON (`redis-cli --json`), or as redis-cli prints it | slot | the master's `host:port`, as MOVED names it | 0: they tell none |
/// | `CLUSTER NODES` | slot | the master's `host:port` | the highest config epoch of a master with slots |
/// | rows of `system.local` and `system.peers` as JSON (`SELECT JSON`), an array or a line each | token | the node's address | 0 |
/// | rows of `system.tablets` of one table of ScyllaDB as JSON | token | the first replica, `host/shard` | 0 |
/// | `nodetool ring` | token | the node's address | 0 |
/// | `nodetool describering`, or the same as JSON | token | the first endpoint of the range | 0 |
///
/// # Errors
/// Text of another form; gaps, overlaps and tokens that stand twice; rows that are not all of the ring's.
pub fn parse_topology(text: &str) -> Result<Topology, Error> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return printed(text);
    }
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        // Several objects, one a line.
        Err(error) => match cassandra::json_lines(text) {
            Some(rows) => return cassandra::rows(&rows),
            None => return Err(malformed(error)),
        },
    };
    let Value::Array(items) = &value else {
        return match value.get("entries").is_none() && cassandra::is_row(&value) {
            true => cassandra::rows(core::slice::from_ref(&value)),
            false => own(text),
        };
    };
    match items.first() {
        Some(row) if cassandra::is_row(row) => cassandra::rows(items),
        Some(range) if cassandra::is_range(range) => cassandra::ranges(items),
        _ => redis::reply(items),
    }
}

/// What tools print for people.
fn printed(text: &str) -> Result<Topology, Error> {
    let first = text.lines().next().unwrap_or_default();
    if redis::is_printed(first) {
        return redis::printed(text);
    }
    if cassandra::is_printed(text) {
        return cassandra::printed(text);
    }
    if let Some(rows) = cassandra::json_lines(text) {
        return cassandra::rows(&rows);
    }
    match first {
        "" => Err(malformed(format_args!("the text is empty; allowed: {FORMS}"))),
        first => {
            let shown: String = first.chars().take(60).collect();
            Err(malformed(format_args!("it begins with {shown:?}; allowed: {FORMS}")))
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    format: u64,
    unit: String,
    #[serde(default)]
    epoch: u64,
    entries: Vec<OwnEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnEntry {
    first: PlaceJson,
    last: PlaceJson,
    owner: String,
}

fn own(json: &str) -> Result<Topology, Error> {
    let own: Own = serde_json::from_str(json).map_err(malformed)?;
    if own.format != 1 {
        return Err(malformed(format_args!("format {} is not known, only 1", own.format)));
    }
    let position = |place: &PlaceJson| position(&place.to_string());
    let entries =
        own.entries.into_iter().map(|entry| Ok((position(&entry.first)?, position(&entry.last)?, entry.owner)));
    Topology::new(own.unit, own.epoch, entries.collect::<Result<_, Error>>()?)
}

/// A whole number.
pub(super) fn position(text: &str) -> Result<Position, Error> {
    Position::parse(text).ok_or_else(|| invalid(format!("topology: {text:?} is not a whole number")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn own_topologies() {
        let topology = parse_topology(
            r#" {"format":1,"unit":"slot","epoch":7,"entries":[{"first":"2","last":16383,"owner":"b:2"},{"first":0,"last":1,"owner":"a:1"}]}"#,
        )
        .unwrap();
        let entries: Vec<_> =
            topology.entries().map(|(first, last, owner)| format!("{first} {last} {owner}")).collect();
        assert_eq!(entries, vec!["0 1 a:1", "2 16383 b:2"]);
        assert_eq!(topology.epoch(), 7);
    }

    #[test]
    fn bad_topologies_say_why() {
        let own = |entries: &str| format!(r#"{{"format":1,"unit":"slot","entries":[{entries}]}}"#);
        for (text, said) in [
            (own(""), "no entries"),
            (own(r#"{"first":5,"last":4,"owner":"a"}"#), "ends before"),
            (own(r#"{"first":0,"last":4,"owner":"a"},{"first":4,"last":9,"owner":"b"}"#), "overlap"),
            (own(r#"{"first":0,"last":4,"owner":"a"},{"first":6,"last":9,"owner":"b"}"#), "no owner"),
            (own(r#"{"first":"x","last":4,"owner":"a"}"#), "\"x\" is not a whole number"),
            (own(r#"{"first":0.5,"last":4,"owner":"a"}"#), "did not match"),
            (own(r#"{"first":0,"last":4,"owner":"a","epoch":1}"#), "unknown field `epoch`"),
            (r#"{"format":1,"unit":"slot"}"#.into(), "missing field `entries`"),
            (r#"{"format":2,"unit":"slot","entries":[]}"#.into(), "format 2"),
            ("7".into(), "CLUSTER SLOTS ends in the middle"),
            ("\"x\"".into(), "it begins with \"\\\"x\\\"\"; allowed: an object with format"),
            (String::new(), "the text is empty; allowed"),
            ("ERR This instance has cluster support disabled".into(), "it begins with \"ERR This instance"),
            ("{".into(), "topology: "),
            ("[[1]]".into(), "no entry"),
            ("[{}]".into(), "no entry"),
            ("[]".into(), "no entries"),
        ] {
            let error = parse_topology(&text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
