//! The slots of a Redis Cluster: CLUSTER SLOTS, SHARDS and NODES, as JSON or as redis-cli prints them.
//!
//! <https://redis.io/docs/latest/commands/cluster-slots/>, <https://redis.io/docs/latest/commands/cluster-shards/>,
//! <https://redis.io/docs/latest/commands/cluster-nodes/>

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::iter::Peekable;

use serde_json::Value;

use super::invalid;
use super::read::{Entry, position};
use crate::{Error, Topology};

/// A reply in JSON.
pub(super) fn reply(items: &[Value]) -> Result<Topology, Error> {
    let entries = match items.first() {
        Some(Value::Array(first)) if !first.first().is_some_and(Value::is_string) => slots(items)?,
        _ => shards(items)?,
    };
    Topology::new("slot", 0, entries)
}

fn entry(first: &Value, last: &Value, owner: String) -> Result<Entry, Error> {
    let slot = |value: &Value| match value.as_u64() {
        Some(slot) => position(&slot.to_string()),
        None => Err(invalid(format!("topology: {value} is not a slot"))),
    };
    Ok((slot(first)?, slot(last)?, owner))
}

fn shown(item: &Value) -> String {
    item.to_string().chars().take(80).collect()
}

/// `[[first, last, [endpoint, port, id, {more names}], replicas...], ...]`
fn slots(items: &[Value]) -> Result<Vec<Entry>, Error> {
    let one = |item: &Value| match item.as_array().map(Vec::as_slice) {
        Some([first, last, node, ..]) => {
            let names = node.get(3).unwrap_or(&Value::Null);
            let hosts = [node.get(0), member(names, "ip"), member(names, "hostname")];
            entry(first, last, address(hosts, node.get(1))?)
        }
        _ => Err(invalid(format!("topology: {} is no entry of CLUSTER SLOTS", shown(item)))),
    };
    items.iter().map(one).collect()
}

/// A member of a map, be it a JSON object or, as RESP 2 has it, an array of names and values in turn.
fn member<'v>(map: &'v Value, name: &str) -> Option<&'v Value> {
    match map {
        Value::Array(items) => items.chunks_exact(2).find(|pair| pair[0].as_str() == Some(name)).map(|pair| &pair[1]),
        object => object.get(name),
    }
}

/// `[{"slots": [first, last, ...], "nodes": [{"endpoint", "ip", "port", "role", "health"}, ...]}, ...]`
fn shards(items: &[Value]) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for item in items {
        let wrong = || invalid(format!("topology: {} is no entry of CLUSTER SHARDS", shown(item)));
        let slots = member(item, "slots").and_then(Value::as_array).ok_or_else(wrong)?;
        let nodes = member(item, "nodes").and_then(Value::as_array).ok_or_else(wrong)?;
        let is = |node: &Value, name, what| member(node, name).and_then(Value::as_str) == Some(what);
        let masters = || nodes.iter().filter(|node| is(node, "role", "master"));
        // While a failover goes on, a shard can have two: the one that failed is no longer asked.
        let owner = match masters().find(|node| is(node, "health", "online")).or_else(|| masters().next()) {
            _ if slots.is_empty() => continue,
            Some(node) => {
                let hosts = ["endpoint", "ip", "hostname"].map(|name| member(node, name));
                address(hosts, member(node, "port").or_else(|| member(node, "tls-port")))?
            }
            None => return Err(wrong()),
        };
        let (pairs, []) = slots.as_chunks::<2>() else { return Err(wrong()) };
        for [first, last] in pairs {
            entries.push(entry(first, last, owner.clone())?);
        }
    }
    Ok(entries)
}

/// The first name that there is: a node that does not know its own says "", null or ?.
fn address<const N: usize>(hosts: [Option<&Value>; N], port: Option<&Value>) -> Result<String, Error> {
    let named = hosts.into_iter().flatten().filter_map(Value::as_str).find(|host| !matches!(*host, "" | "?"));
    match (named, port.and_then(Value::as_u64)) {
        (Some(host), Some(port)) => Ok(format!("{host}:{port}")),
        (None, _) => Err(invalid("topology: a node without a name: it does not know its own address yet")),
        (Some(host), None) => Err(invalid(format!("topology: node {host} has no port"))),
    }
}

/// Whether redis-cli has printed what begins with this line.
pub(super) fn is_printed(first: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    first == "slots" || digits(first) || numbered(first).is_some() || node_of(first).is_some()
}

/// What redis-cli prints: replies with their numbers on a terminal, bare lines into a file, and CLUSTER NODES.
pub(super) fn printed(text: &str) -> Result<Topology, Error> {
    let first = text.lines().next().unwrap_or_default();
    if node_of(first).is_some() {
        return nodes(text);
    }
    let items = if numbered(first).is_some() {
        tree(text)?
    } else if first == "slots" {
        bare_shards(text)?
    } else {
        bare_slots(text)?
    };
    reply(&items)
}

fn wrong_line(number: usize, line: &str, of: &str) -> Error {
    let line: String = line.chars().take(60).collect();
    invalid(format!("topology: line {}: {line:?} is not of {of}", number + 1))
}

/// The id and the rest of a line of CLUSTER NODES.
fn node_of(line: &str) -> Option<Vec<&str>> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_id = |id: &str| id.len() == 40 && id.bytes().all(|b| b.is_ascii_hexdigit());
    (fields.len() >= 8 && is_id(fields[0]) && fields[1].contains(':')).then_some(fields)
}

/// `id host:port@bus[,hostname] flags master ping pong config-epoch link slot...`, a line each.
fn nodes(text: &str) -> Result<Topology, Error> {
    let mut entries = Vec::new();
    let mut epoch = 0;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || wrong_line(number, line, "CLUSTER NODES");
        let fields = node_of(line).ok_or_else(wrong)?;
        let is_master = fields[2].split(',').any(|flag| flag == "master");
        // In brackets stand slots that are on their way: their owner is still the one that they come from.
        let ranges: Vec<&str> = fields[8..].iter().copied().filter(|field| !field.starts_with('[')).collect();
        if !is_master || ranges.is_empty() {
            continue;
        }
        let (address, _) = fields[1].split_once('@').unwrap_or((fields[1], ""));
        if address.starts_with(':') {
            return Err(invalid(format!("topology: line {}: node {} has no address", number + 1, fields[0])));
        }
        epoch = epoch.max(fields[6].parse().map_err(|_| wrong())?);
        for range in ranges {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            entries.push((position(first)?, position(last)?, address.to_string()));
        }
    }
    Topology::new("slot", epoch, entries)
}

/// A line's first number, `1)` of an array or `1#` of a map: the column of its mark, the mark, and what follows.
fn numbered(line: &str) -> Option<(usize, char, &str)> {
    let start = line.len() - line.trim_start_matches(' ').len();
    let digits = line[start..].bytes().take_while(u8::is_ascii_digit).count();
    let at = start + digits;
    let mark = line[at..].chars().next().filter(|mark| digits > 0 && matches!(mark, ')' | '#'))?;
    let rest = line[at + 1..].strip_prefix(' ').unwrap_or(&line[at + 1..]);
    Some((at, mark, rest))
}

/// A reply as a terminal shows it. Numbers are aligned at their mark: an array's marks stand in one column.
fn tree(text: &str) -> Result<Vec<Value>, Error> {
    // The arrays that are open, from the outermost on: the column of their marks and what they have so far.
    let mut open: Vec<(usize, Vec<Value>)> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || wrong_line(number, line, "a reply as redis-cli prints it");
        let (mut rest, mut offset, mut any) = (line, 0, false);
        while let Some((at, mark, after)) = numbered(rest) {
            let column = offset + at;
            while open.len() > 1 && open.last().is_some_and(|(top, _)| *top > column) {
                close(&mut open);
            }
            if open.last().is_none_or(|(top, _)| *top < column) {
                open.push((column, Vec::new()));
            }
            let (_, array) = open.last_mut().ok_or_else(wrong)?;
            offset += rest.len() - after.len();
            rest = after;
            any = true;
            // A map is kept as an array of names and values in turn.
            if mark == '#' {
                let (name, value) =
                    rest.split_once(" => ").or_else(|| Some((rest.strip_suffix(" =>")?, ""))).ok_or_else(wrong)?;
                array.push(scalar(name).ok_or_else(wrong)?);
                offset += rest.len() - value.len();
                rest = value;
            }
        }
        if !any {
            return Err(wrong());
        }
        if !rest.trim().is_empty() {
            let (_, array) = open.last_mut().ok_or_else(wrong)?;
            array.push(scalar(rest).ok_or_else(wrong)?);
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    Ok(open.pop().map(|(_, array)| array).unwrap_or_default())
}

/// The innermost array becomes an item of the one around it.
fn close(open: &mut Vec<(usize, Vec<Value>)>) {
    if let Some((_, array)) = open.pop()
        && let Some((_, around)) = open.last_mut()
    {
        around.push(Value::Array(array));
    }
}

fn scalar(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Some(number) = text.strip_prefix("(integer) ") {
        return number.parse::<u64>().ok().map(Value::from);
    }
    match text {
        "(nil)" => Some(Value::Null),
        "(empty array)" | "(empty list or set)" | "(empty hash)" | "(empty set)" => Some(Value::Array(Vec::new())),
        _ => text.strip_prefix('"')?.strip_suffix('"').map(Value::from),
    }
}

fn bare(text: &str) -> Value {
    text.parse::<u64>().map_or_else(|_| Value::from(text), Value::from)
}

/// CLUSTER SLOTS as bare lines: first, last, then host, port and id of each node, which an empty line follows where the
/// server is 7.0 or newer and has no more names of it.
fn bare_slots(text: &str) -> Result<Vec<Value>, Error> {
    let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty()).peekable();
    let is_slot = |line: &str| line.bytes().all(|b| b.is_ascii_digit());
    let mut items: Vec<Value> = Vec::new();
    while lines.peek().is_some() {
        let mut item = Vec::new();
        for _ in 0..2 {
            item.push(bare(next(&mut lines, is_slot)?));
        }
        while lines.peek().is_some_and(|(_, line)| !is_slot(line)) {
            let host = next(&mut lines, |_| true)?;
            let port = next(&mut lines, is_slot)?;
            let id = next(&mut lines, |id| id.len() == 40)?;
            item.push(Value::from(alloc::vec![Value::from(host), bare(port), Value::from(id)]));
            // Further names of the node, where it has some.
            while lines.peek().is_some_and(|(_, line)| matches!(*line, "ip" | "hostname")) {
                next(&mut lines, |_| true)?;
                next(&mut lines, |_| true)?;
            }
        }
        items.push(Value::from(item));
    }
    Ok(items)
}

fn next<'t>(
    lines: &mut Peekable<impl Iterator<Item = (usize, &'t str)>>,
    is: impl Fn(&str) -> bool,
) -> Result<&'t str, Error> {
    match lines.next() {
        Some((_, line)) if is(line) => Ok(line),
        Some((number, line)) => Err(wrong_line(number, line, "CLUSTER SLOTS as redis-cli writes it into a file")),
        None => Err(invalid("topology: CLUSTER SLOTS ends in the middle of an entry")),
    }
}

/// CLUSTER SHARDS as bare lines: `slots`, the slots, `nodes`, then names and values, each node's from `id` on.
fn bare_shards(text: &str) -> Result<Vec<Value>, Error> {
    let mut items = Vec::new();
    let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty()).peekable();
    while let Some((number, line)) = lines.next() {
        let wrong = |number, line| wrong_line(number, line, "CLUSTER SHARDS as redis-cli writes it into a file");
        if line != "slots" {
            return Err(wrong(number, line));
        }
        let mut slots = Vec::new();
        loop {
            match lines.next() {
                Some((_, "nodes")) => break,
                Some((_, slot)) if slot.bytes().all(|b| b.is_ascii_digit()) => slots.push(bare(slot)),
                Some((number, line)) => return Err(wrong(number, line)),
                None => return Err(invalid("topology: CLUSTER SHARDS ends in the middle of a shard")),
            }
        }
        let mut nodes: Vec<Vec<Value>> = Vec::new();
        while lines.peek().is_some_and(|(_, line)| *line != "slots") {
            let Some((_, name)) = lines.next() else { break };
            // A value may be empty, and its line then is none: only the names are known by heart.
            let known = |line: &str| {
                ["id", "port", "tls-port", "ip", "endpoint", "hostname", "role", "health", "availability-zone"]
                    .contains(&line)
                    || matches!(line, "replication-offset" | "slots")
            };
            let value = lines.next_if(|(_, line)| !known(line)).map_or("", |(_, line)| line);
            if name == "id" {
                nodes.push(Vec::new());
            }
            let Some(node) = nodes.last_mut() else { return Err(wrong(number, name)) };
            node.push(Value::from(name));
            node.push(bare(value));
        }
        let nodes: Vec<Value> = nodes.into_iter().map(Value::from).collect();
        items.push(Value::from(alloc::vec![
            Value::from("slots"),
            Value::from(slots),
            Value::from("nodes"),
            Value::from(nodes)
        ]));
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::super::read::parse_topology;
    use super::*;

    /// What a node does not know of itself is looked for under its other names.
    #[test]
    fn a_node_goes_by_the_name_that_moved_has() {
        for (reply, owner) in [
            (r#"[[0,16383,["host.example",6379,"id",{"ip":"10.0.0.1"}]]]"#, "host.example:6379"),
            (r#"[[0,16383,["?",6379,"id",["ip","10.0.0.1"]]]]"#, "10.0.0.1:6379"),
            (r#"[[0,16383,[null,6379,"id",{"ip":"10.0.0.1"}]]]"#, "10.0.0.1:6379"),
            (r#"[[0,16383,["10.0.0.1",6379]]]"#, "10.0.0.1:6379"),
            (
                r#"[{"slots":[0,16383],"nodes":[{"ip":"10.0.0.1","endpoint":"host.example","port":1,"role":"master"}]}]"#,
                "host.example:1",
            ),
            (
                r#"[{"slots":[0,16383],"nodes":[{"ip":"10.0.0.1","endpoint":"?","tls-port":1,"role":"master"}]}]"#,
                "10.0.0.1:1",
            ),
            // A failover goes on.
            (
                r#"[{"slots":[0,16383],"nodes":[{"ip":"a","port":1,"role":"master","health":"fail"},{"ip":"b","port":1,"role":"master","health":"online"}]}]"#,
                "b:1",
            ),
            (
                r#"[{"slots":[0,16383],"nodes":[{"ip":"r","port":1,"role":"replica"},{"ip":"a","port":1,"role":"master"}]},{"slots":[],"nodes":[]}]"#,
                "a:1",
            ),
        ] {
            let topology = parse_topology(reply).unwrap_or_else(|e| panic!("{reply}: {e}"));
            assert_eq!(topology.entries().map(|(.., owner)| owner.to_string()).collect::<Vec<_>>(), [owner], "{reply}");
        }
    }

    #[test]
    fn what_is_no_cluster_says_why() {
        let id = "0".repeat(40);
        let node = |rest: &str| format!("{id} {rest}");
        for (text, said) in [
            (r#"[[0,16383,["",6379,"id"]]]"#.to_string(), "a node without a name"),
            (r#"[[0,16383,["a"]]]"#.to_string(), "node a has no port"),
            (r#"[[0,16383]]"#.to_string(), "is no entry of CLUSTER SLOTS"),
            (r#"[["0",5,["a",1]]]"#.to_string(), "is no entry of CLUSTER SHARDS"),
            (r#"[[0,-5,["a",1]]]"#.to_string(), "-5 is not a slot"),
            (
                r#"[{"slots":[0,1,2],"nodes":[{"ip":"a","port":1,"role":"master"}]}]"#.to_string(),
                "no entry of CLUSTER SHARDS",
            ),
            (
                r#"[{"slots":[0,1],"nodes":[{"ip":"a","port":1,"role":"replica"}]}]"#.to_string(),
                "no entry of CLUSTER SHARDS",
            ),
            (r#"[[0,5,["a",1]],[5,16383,["b",1]]]"#.to_string(), "ranges 0..=5 (a:1) and 5..=16383 (b:1) overlap"),
            (r#"[[0,5,["a",1]],[7,16383,["b",1]]]"#.to_string(), "no owner for the slots between 5 (a:1) and 7 (b:1)"),
            (node(":0@0 master - 0 0 1 connected 0-16383"), "has no address"),
            (node("a:1@2 master - 0 0 x connected 0-16383"), "is not of CLUSTER NODES"),
            (node("a:1@2 master - 0 0 1 connected 0-x"), "\"x\" is not a whole number"),
            (node("a:1@2 slave - 0 0 1 connected"), "no entries"),
            (node("a:1@2 master - 0 0 1 connected 0-16383\nERR"), "line 2: \"ERR\" is not of CLUSTER NODES"),
            ("1) 1) (integer) 0\n   2) (float) 5\n".to_string(), "line 2: \"   2) (float) 5\" is not of a reply"),
            ("slots\n0\n16383\nnode\n".to_string(), "line 4: \"node\" is not of CLUSTER SHARDS"),
            ("slots\n0\n".to_string(), "CLUSTER SHARDS ends in the middle of a shard"),
            ("slots\n0\n1\nnodes\nport\n1\n".to_string(), "\"port\" is not of CLUSTER SHARDS"),
            ("0\n16383\na\nb\n".to_string(), "line 4: \"b\" is not of CLUSTER SLOTS"),
            ("0\n16383\na\n1\n".to_string(), "CLUSTER SLOTS ends in the middle of an entry"),
        ] {
            let error = parse_topology(&text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
