//! In which slot the crates redis and redis-protocol (on which fred stands) look for keys.
//!
//!     oracle-redis-rust redis|redis-protocol

use oracle::Outcome;
use redis::cluster_routing::Slot;

const VERSIONS: [(&str, &str); 2] = [("redis", "1.8.1"), ("redis-protocol", "6.0.0")]; // as in Cargo.toml

/// The slot of a key is told by its equality with a slot of a known number.
fn by_redis(key: &[u8]) -> i32 {
    let slot = Slot::for_key(key);
    (0..16384).find(|n| Slot::new(*n) == Some(slot)).expect("one of all slots").into()
}

fn by_redis_protocol(key: &[u8]) -> i32 {
    redis_protocol::redis_keyslot(key).into()
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((name, version)) = VERSIONS.into_iter().find(|(known, _)| *known == name) else {
        panic!("no crate {name} here");
    };
    let slot = if name == "redis" { by_redis } else { by_redis_protocol };
    oracle::serve(name, version, &["redis/cluster"], |_, _, keys| {
        oracle::each(keys, |key| {
            Ok(match key {
                Some(key) => Outcome::Placed(slot(key)),
                None => Outcome::Error("a Rust slice is never null".into()),
            })
        })
    });
}
