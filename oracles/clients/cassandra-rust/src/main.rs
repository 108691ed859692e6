//! The Rust drivers of ScyllaDB (crate scylla) and Cassandra (cdrs-tokio, whose tokens are those of cassandra-protocol): the
//! partitioner's own hash of a routing key of one column. Neither lets a program compose one of several.

use std::num::NonZeroU16;

use cassandra_protocol::token::Murmur3Token;
use oracle::{Failure, Key, Outcome, Params};
use scylla::routing::Sharder;
use scylla::routing::partitioner::{CDCPartitioner, Murmur3Partitioner, Partitioner};

const SCYLLA: &str = "1.9.0"; // as in Cargo.toml
const CDRS: &str = "3.3.0";
const MOST: usize = 65535;

/// The bytes of a column, as any driver writes them.
fn column(key: &Result<Key, String>) -> Result<Vec<u8>, String> {
    let key = key.as_ref().map_err(String::clone)?;
    let bytes = match key {
        Key::Typed { kind, value } => match kind.as_str() {
            "text" | "varchar" | "ascii" => value.clone().into_bytes(),
            _ => return Err(format!("values of {kind} are not bound here")),
        },
        key => key.bytes()?.ok_or("the driver leaves it to the server to refuse null")?,
    };
    if bytes.len() > MOST { Err("the driver leaves it to the server to refuse this".into()) } else { Ok(bytes) }
}

fn each(keys: &[Result<Key, String>], place: impl Fn(&[u8]) -> Outcome) -> Result<Vec<Outcome>, Failure> {
    Ok(keys.iter().map(|key| column(key).map_or_else(Outcome::Error, |bytes| place(&bytes))).collect())
}

fn sharder(params: &Params) -> Result<Sharder, Failure> {
    if params.has("tablets") {
        return Err(Failure::Skipped("a driver asks the cluster for its tablets".into()));
    }
    let shards = params.count("shards", 65535)? as u16;
    Ok(Sharder::new(NonZeroU16::new(shards).expect("at least one"), params.number("msb_ignore", 12)? as u8))
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("cdrs") {
        return oracle::serve("cdrs-tokio", CDRS, &["cassandra/murmur3"], |_, _, keys| {
            each(keys, |key| Outcome::Token(Murmur3Token::generate(key).value))
        });
    }
    let schemes = ["cassandra/murmur3", "scylla/murmur3", "scylla/cdc-driver"];
    oracle::serve("scylla", SCYLLA, &schemes, |scheme, params, keys| match scheme {
        "cassandra/murmur3" => each(keys, |key| Outcome::Token(Murmur3Partitioner.hash_one(key).value())),
        "scylla/cdc-driver" => each(keys, |key| Outcome::Token(CDCPartitioner.hash_one(key).value())),
        _ => {
            let sharder = sharder(params)?;
            each(keys, |key| Outcome::Placed(sharder.shard_of(Murmur3Partitioner.hash_one(key)) as i32))
        }
    });
}
