//! The tokens of a Cassandra or ScyllaDB cluster: rows of system.local and system.peers, nodetool ring, describering; and the
//! tablets of a table of ScyllaDB, rows of system.tablets.
//!
//! The owner of a key is the node of the first token from the key's own on: its first replica, whatever the strategy. More
//! replicas, and those of each data centre, depend on the keyspace.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::invalid;
use super::read::position;
use crate::{Error, Position, Topology};

const UNIT: &str = "token";

/// Whether it is a row of system.local, system.peers or system.tablets.
pub(super) fn is_row(value: &Value) -> bool {
    value.get("tokens").is_some() || is_tablet(value)
}

fn is_tablet(value: &Value) -> bool {
    value.get("last_token").is_some() && value.get("replicas").is_some()
}

/// Whether it is a range of describering.
pub(super) fn is_range(value: &Value) -> bool {
    value.get("start_token").is_some() && value.get("end_token").is_some()
}

/// Rows, one a line, as `SELECT JSON` of cqlsh prints them, its heading and rules around them; none where there are none.
pub(super) fn json_lines(text: &str) -> Option<Vec<Value>> {
    let lines = text.lines().map(str::trim).filter(|line| line.starts_with('{'));
    let rows: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    rows.filter(|rows| !rows.is_empty() && rows.iter().all(is_row))
}

/// Rows of one of the tables.
pub(super) fn rows(rows: &[Value]) -> Result<Topology, Error> {
    if rows.iter().any(is_tablet) { tablets(rows) } else { nodes(rows) }
}

/// The tablets of one table: each reaches from the token after the one before it to its last; the first replica, a node and
/// a shard of it, owns it.
fn tablets(rows: &[Value]) -> Result<Topology, Error> {
    let mut tablets = Vec::new();
    let mut table = None;
    for row in rows {
        let shown: String = row.to_string().chars().take(80).collect();
        let wrong = || invalid(format!("topology: {shown} is no row of system.tablets"));
        let names = ["keyspace_name", "table_name", "table_id"].map(|name| row.get(name));
        if *table.get_or_insert(names) != names {
            return Err(invalid(format!(
                "topology: {shown} is of another table than the rows before it: take one table's"
            )));
        }
        let last = row.get("last_token").ok_or_else(wrong)?;
        let last = position(&last.as_str().map_or_else(|| last.to_string(), str::to_owned))?;
        let replica = row.get("replicas").and_then(Value::as_array).and_then(|replicas| replicas.first());
        let owner = match replica.and_then(Value::as_array).map(Vec::as_slice) {
            Some([host, shard]) => match (host.as_str(), shard.as_u64()) {
                (Some(host), Some(shard)) => format!("{host}/{shard}"),
                _ => return Err(wrong()),
            },
            _ => return Err(invalid(format!("topology: {shown} has no replica"))),
        };
        tablets.push((last, owner));
    }
    tablets.sort_by_key(|(last, _)| *last);
    let mut first = Some(position(&i64::MIN.to_string())?);
    let mut entries = Vec::new();
    for (last, owner) in tablets {
        let Some(begin) = first.filter(|first| *first <= last) else {
            return Err(invalid(format!("topology: two tablets end at token {last}, or one beyond all tokens")));
        };
        entries.push((begin, last, owner));
        first = last.next();
    }
    Topology::new(UNIT, 0, entries)
}

/// Rows of system.local (of the node that was asked) and system.peers (of all others).
fn nodes(rows: &[Value]) -> Result<Topology, Error> {
    let mut tokens = Vec::new();
    let mut local = false;
    for row in rows {
        let shown: String = row.to_string().chars().take(80).collect();
        let text = |name: &str| row.get(name).and_then(Value::as_str);
        let names = ["peer", "broadcast_address", "listen_address", "rpc_address", "native_address", "address"];
        let Some(name) = names.into_iter().find_map(text) else {
            return Err(invalid(format!("topology: {shown} names no node: {} is looked for", names.join(", "))));
        };
        local |= text("peer").is_none();
        let Some(list) = row.get("tokens").and_then(Value::as_array) else {
            return Err(invalid(format!("topology: node {name}: its tokens are no array")));
        };
        if list.is_empty() {
            return Err(invalid(format!("topology: node {name} has no tokens")));
        }
        for token in list {
            let token = token.as_str().map_or_else(|| token.to_string(), str::to_owned);
            tokens.push((position(&token)?, name.to_owned()));
        }
    }
    if !local {
        return Err(invalid(
            "topology: rows of system.peers alone: the node that was asked is not among them; add its row of system.local",
        ));
    }
    Topology::ring(UNIT, 0, tokens)
}

/// Ranges of describering: from a start, which is not of the range, to an end, which is; the first endpoint owns it.
pub(super) fn ranges(items: &[Value]) -> Result<Topology, Error> {
    let range = |item: &Value| {
        let shown: String = item.to_string().chars().take(80).collect();
        let wrong = || invalid(format!("topology: {shown} is no range of describering"));
        let token = |name| match item.get(name) {
            Some(Value::String(token)) => position(token),
            Some(token @ Value::Number(_)) => position(&token.to_string()),
            _ => Err(wrong()),
        };
        let endpoints = item.get("endpoints").and_then(Value::as_array).ok_or_else(wrong)?;
        let Some(owner) = endpoints.first().and_then(Value::as_str) else {
            return Err(invalid(format!("topology: {shown} has no endpoint")));
        };
        Ok((token("start_token")?, token("end_token")?, owner.to_owned()))
    };
    ring_of(items.iter().map(range).collect::<Result<_, Error>>()?)
}

/// The ring that ranges make up, if they do.
fn ring_of(mut ranges: Vec<(Position, Position, String)>) -> Result<Topology, Error> {
    ranges.sort_by_key(|(_, end, _)| *end);
    let tokens = ranges.iter().map(|(_, end, owner)| (*end, owner.clone())).collect();
    let ring = Topology::ring(UNIT, 0, tokens)?;
    let ends = ranges.iter().map(|(_, end, _)| *end);
    let before = ends.clone().cycle().skip(ranges.len().saturating_sub(1));
    for ((start, end, owner), before) in ranges.iter().zip(before) {
        if *start == before {
            continue;
        }
        // The one range that wraps goes on from the highest end.
        let wraps = *end <= before;
        let overlaps = if wraps { *start < before && *start > *end } else { *start < before };
        let (what, of) = if overlaps { ("overlaps", "with") } else { ("leaves a gap", "to") };
        return Err(invalid(format!(
            "topology: the range of tokens {start} to {end} ({owner}) {what} {of} the one before it, which ends at {before}"
        )));
    }
    Ok(ring)
}

/// Whether nodetool has printed it.
pub(super) fn is_printed(text: &str) -> bool {
    text.contains("TokenRange(") || is_ring(text)
}

fn is_ring(text: &str) -> bool {
    let is_head = |line: &str| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        words.first() == Some(&"Address") && words.last() == Some(&"Token")
    };
    text.lines().any(is_head)
}

/// nodetool ring, or nodetool describering.
pub(super) fn printed(text: &str) -> Result<Topology, Error> {
    if text.contains("TokenRange(") {
        return describering(text);
    }
    let mut tokens = Vec::new();
    // After the head of each data centre stands, alone, the token that the ring begins again after.
    for (number, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some(token) = words.last().filter(|_| words.len() >= 6).and_then(|token| Position::parse(token)) else {
            continue;
        };
        if !matches!(words[2], "Up" | "Down" | "?") {
            return Err(invalid(format!("topology: line {}: {line:?} is not of nodetool ring", number + 1)));
        }
        tokens.push((token, words[0].to_owned()));
    }
    Topology::ring(UNIT, 0, tokens)
}

/// `TokenRange(start_token:-5, end_token:5, endpoints:[10.0.0.1, 10.0.0.2], ...)`, a line each.
fn describering(text: &str) -> Result<Topology, Error> {
    let mut ranges = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, range)) = line.split_once("TokenRange(") else { continue };
        let wrong = || invalid(format!("topology: line {}: not a range of nodetool describering", number + 1));
        let value = |name: &str, end: &[char]| {
            let (_, rest) = range.split_once(name)?;
            rest.split(end).next().map(str::trim)
        };
        let start = value("start_token:", &[',', ')']).ok_or_else(wrong)?;
        let end = value("end_token:", &[',', ')']).ok_or_else(wrong)?;
        let owner = value(", endpoints:[", &[',', ']']).filter(|owner| !owner.is_empty()).ok_or_else(wrong)?;
        ranges.push((position(start)?, position(end)?, owner.to_owned()));
    }
    ring_of(ranges)
}

#[cfg(test)]
mod tests {
    use super::super::read::parse_topology;
    use super::*;
    use crate::Coord;

    const LOCAL: &str = r#"{"key":"local","broadcast_address":"10.0.0.1","tokens":["-10","20"]}"#;
    const PEER: &str = r#"{"peer":"10.0.0.2","data_center":"dc1","tokens":["0","30"]}"#;
    const RING: &str = "
Datacenter: dc1
==========
Address   Rack        Status State   Load            Owns                Token
                                                                         30
10.0.0.1  rack1       Up     Normal  75.41 KiB       66.67%              -10
10.0.0.2  rack1       Up     Normal  75.41 KiB       66.67%              0
10.0.0.1  rack1       Up     Normal  75.41 KiB       66.67%              20
10.0.0.2  rack1       Down   Normal  ?               66.67%              30

  Warning: \"nodetool ring\" is used to output all the tokens of a node.
";
    const RANGES: &str = r#"[{"start_token":"30","end_token":"-10","endpoints":["10.0.0.1","10.0.0.2"]},
        {"start_token":"-10","end_token":"0","endpoints":["10.0.0.2"]},{"start_token":"0","end_token":"20","endpoints":["10.0.0.1"]},
        {"start_token":"20","end_token":"30","endpoints":["10.0.0.2"]}]"#;

    fn describering(ranges: &[(&str, &str, &str)]) -> String {
        let line = |(start, end, owner): &(&str, &str, &str)| {
            format!(
                "\tTokenRange(start_token:{start}, end_token:{end}, endpoints:[{owner}, x], rpc_endpoints:[{owner}], endpoint_details:[])\n"
            )
        };
        format!("Schema Version:a\nTokenRange: \n{}", ranges.iter().map(line).collect::<String>())
    }

    #[test]
    fn every_form_gives_the_same_owners() {
        let forms = [
            format!("[{LOCAL},{PEER}]"),
            format!("{PEER}\n{LOCAL}\n"),
            format!("\n [json]\n----------\n {LOCAL}\n\n(1 rows)\n\n [json]\n-------\n {PEER}\n\n(1 rows)\n"),
            RING.to_string(),
            RANGES.to_string(),
            describering(&[
                ("30", "-10", "10.0.0.1"),
                ("-10", "0", "10.0.0.2"),
                ("0", "20", "10.0.0.1"),
                ("20", "30", "10.0.0.2"),
            ]),
        ];
        for form in forms {
            let ring = parse_topology(&form).unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_eq!(ring.unit(), "token");
            for (token, owner) in
                [(-11, 1), (-10, 1), (-9, 2), (0, 2), (1, 1), (20, 1), (21, 2), (30, 2), (31, 1), (i64::MAX, 1)]
            {
                let found = ring.owner(&Coord::I64(token)).and_then(|i| ring.name(i)).unwrap();
                assert_eq!(found, format!("10.0.0.{owner}"), "{token} in {form}");
            }
        }
    }

    /// Written after the table's definition; no tablets were run.
    fn tablet(table: &str, last: &str, replicas: &str) -> String {
        format!(r#"{{"table_id":"{table}","last_token":"{last}","replicas":{replicas}}}"#)
    }

    #[test]
    fn tablets_are_owned_by_shards() {
        let rows = [tablet("t", "9223372036854775807", r#"[["b",0]]"#), tablet("t", "-1", r#"[["a",3],["b",1]]"#)];
        let tablets = parse_topology(&format!("[{}]", rows.join(","))).unwrap();
        for (token, owner) in [(i64::MIN, "a/3"), (-1, "a/3"), (0, "b/0"), (i64::MAX, "b/0")] {
            assert_eq!(tablets.owner(&Coord::I64(token)).and_then(|i| tablets.name(i)), Some(owner), "{token}");
        }
        let max = "9223372036854775807";
        for (rows, said) in [
            ([tablet("t", "-1", "[]"), tablet("t", max, "[]")], "has no replica"),
            ([tablet("t", "-1", r#"[["a",1]]"#), tablet("u", max, r#"[["a",1]]"#)], "is of another table"),
            ([tablet("t", "-1", r#"[["a",1]]"#), tablet("t", "-1", r#"[["a",1]]"#)], "two tablets end at token -1"),
            ([tablet("t", "-1", r#"[["a","b"]]"#), tablet("t", max, r#"[["a",1]]"#)], "is no row of system.tablets"),
        ] {
            let error = parse_topology(&rows.join("\n")).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn one_node_owns_all() {
        for form in [LOCAL.to_string(), describering(&[("5", "5", "10.0.0.1")])] {
            let ring = parse_topology(&form).unwrap();
            assert_eq!(ring.owner(&Coord::I64(7)).and_then(|i| ring.name(i)), Some("10.0.0.1"));
        }
    }

    #[test]
    fn what_is_no_ring_says_why() {
        let peer = |tokens: &str| format!(r#"[{LOCAL},{{"peer":"b","tokens":{tokens}}}]"#);
        for (form, said) in [
            (format!("[{PEER}]"), "add its row of system.local"),
            (peer("[]"), "node b has no tokens"),
            (peer("5"), "node b: its tokens are no array"),
            (peer(r#"["x"]"#), "\"x\" is not a whole number"),
            (peer(r#"["0a1f"]"#), "\"0a1f\" is not a whole number"),
            (peer(r#"["20"]"#), "token 20 stands twice (of 10.0.0.1 and of b)"),
            (r#"[{"tokens":["1"]}]"#.to_string(), "names no node"),
            (describering(&[("0", "10", "a"), ("20", "0", "b")]), "leaves a gap"),
            (describering(&[("0", "10", "a"), ("5", "0", "b")]), "overlaps"),
            (describering(&[("0", "10", "a"), ("5", "20", "b"), ("20", "0", "c")]), "overlaps"),
            (describering(&[("0", "10", "a"), ("12", "20", "b"), ("20", "0", "c")]), "leaves a gap"),
            (describering(&[("0", "10", "a"), ("10", "10", "b")]), "token 10 stands twice"),
            (describering(&[("0", "10", "")]), "line 3: not a range"),
            ("Address  Rack  Status  State  Load  Owns  Token\n".to_string(), "no entries"),
        ] {
            let error = parse_topology(&form).unwrap_err().to_string();
            assert!(error.contains(said), "{form}: {error}");
        }
    }
}
