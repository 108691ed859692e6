//! ScyllaDB: the shard of a partition key's token, and the tokens of CDC streams.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::cassandra::{self, partition_key};
use super::failed;
use crate::placer::{Bound, Rule};
use crate::trace::Tracer;
use crate::{
    Coord, Domain, EmptyRule, Error, ErrorKind, Hash, Key, KeyError, NullRule, Outcome, ParamKind, ParamSpec, Params,
    Place, Scheme, Stage, Surrogates, System, Topology, Why,
};

/// The shard of a token, in a node of `shards` shards: an even part of the tokens, of which the `msb_ignore` highest bits
/// are left out.
///
/// ```
/// use keyfall_core::schemes::scylla::shard;
/// assert_eq!([i64::MIN, -1, 0, i64::MAX].map(|token| shard(token, 8, 0)), [0, 3, 4, 7]);
/// ```
#[inline]
pub fn shard(token: i64, shards: u32, msb_ignore: u32) -> u32 {
    let biased = (token as u64).wrapping_add(1 << 63) << msb_ignore;
    ((u128::from(biased) * u128::from(shards)) >> 64) as u32
}

const TABLETS: &str = "a table with tablets has no shard by token: its tablets are wherever the cluster has put them \
     (system.tablets); give a topology of them, a table without tablets, or the token by cassandra/murmur3";

/// A node's shards.
struct Sharding {
    scheme: &'static Scheme,
    shards: u32,
    msb_ignore: u32,
    tablets: bool,
}

impl Rule for Sharding {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let bytes = match partition_key(key, self.scheme.surrogates, scratch, tracer) {
            Ok(bytes) => bytes,
            Err(error) => return failed(error, tracer),
        };
        if self.tablets {
            tracer.say(Stage::Rule, || (format!("refused: {TABLETS}"), "".into()));
            return Ok(Outcome::Refused(Why::Borrowed(TABLETS)));
        }
        let token = cassandra::token(bytes);
        tracer.say(Stage::Hash, || ("the token, as cassandra/murmur3 has it".into(), token.to_string()));
        let shard = shard(token, self.shards, self.msb_ignore);
        tracer.say(Stage::Map, || {
            let (shards, ignored) = (self.shards, self.msb_ignore);
            (format!("plus 2^63, less its {ignored} highest bits, in {shards} even ranges"), shard.to_string())
        });
        Ok(Outcome::Placed(Place::index(shard, Hash::I64(token))))
    }

    fn places(&self) -> Option<u32> {
        Some(self.shards)
    }

    fn by_topology(&self, topology: &Topology) -> Option<Result<Box<dyn Bound>, Error>> {
        self.tablets.then(|| Ok(Box::new(Tablets::new(self, topology.clone())?) as Box<dyn Bound>))
    }
}

/// A table's tablets: ranges of tokens, each owned by a shard of a node.
struct Tablets {
    scheme: &'static Scheme,
    shards: u32,
    topology: Topology,
    /// The shard of each owner.
    owners: Vec<u32>,
}

impl Tablets {
    fn new(sharding: &Sharding, topology: Topology) -> Result<Self, Error> {
        let Sharding { scheme, shards, .. } = *sharding;
        topology.check_as(scheme.id, "token", Domain::I64, None)?;
        let invalid = |message| Error::new(ErrorKind::InvalidTopology, format!("{}: {message}", scheme.id));
        let shard = |owner: &str| {
            let (_, shard) = owner.rsplit_once('/').ok_or_else(|| {
                invalid(format!(
                    "{owner:?} owns tokens, but not as a shard of a node: NODE/SHARD, as of system.tablets"
                ))
            })?;
            let number = shard.strip_prefix("shard-").unwrap_or(shard).parse().ok();
            number.filter(|shard| *shard < shards).ok_or_else(|| {
                invalid(format!(
                    "{owner:?} is none of {shards} shards: NODE/SHARD is looked for, SHARD from 0 to {}",
                    shards - 1
                ))
            })
        };
        let owners = (0..).map_while(|owner| topology.name(owner)).map(shard).collect::<Result<_, Error>>()?;
        Ok(Tablets { scheme, shards, topology, owners })
    }
}

impl Rule for Tablets {
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let bytes = match partition_key(key, self.scheme.surrogates, scratch, tracer) {
            Ok(bytes) => bytes,
            Err(error) => return failed(error, tracer),
        };
        let token = cassandra::token(bytes);
        tracer.say(Stage::Hash, || ("the token, as cassandra/murmur3 has it".into(), token.to_string()));
        let owner = self.topology.owner(&Coord::I64(token)).expect("it covers all tokens");
        let shard = self.owners[owner as usize];
        tracer.say(Stage::Owner, || {
            let name = self.topology.name(owner).unwrap_or_default();
            (format!("{}: a tablet of", self.topology.whereabouts(&Coord::I64(token))), name.to_string())
        });
        Ok(Outcome::Placed(Place { owner: Some(owner), ..Place::index(shard, Hash::I64(token)) }))
    }

    fn name(&self, owner: u32) -> Option<&str> {
        self.topology.name(owner)
    }

    fn places(&self) -> Option<u32> {
        Some(self.shards)
    }
}

fn sharding(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Sharding {
        scheme,
        shards: params.u32("shards").expect("required"),
        msb_ignore: params.u32("msb_ignore").unwrap_or(12),
        tablets: params.flag("tablets"),
    }))
}

/// A CDC stream's token: its first 8 bytes.
struct Cdc {
    scheme: &'static Scheme,
    /// Whether a stream id of this length has one.
    taken: fn(usize) -> bool,
}

impl Rule for Cdc {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        if let Key::Tuple(columns) = key
            && columns.len() > 1
        {
            return Err(KeyError::new(format!("a stream id is one column, not {}", columns.len())));
        }
        let bytes = match partition_key(key, self.scheme.surrogates, scratch, tracer) {
            Ok(bytes) => bytes,
            Err(error) => return failed(error, tracer),
        };
        let first = bytes.first_chunk().filter(|_| (self.taken)(bytes.len()));
        let token = match first.map(|first| i64::from_be_bytes(*first)) {
            None => i64::MIN,
            Some(i64::MIN) => i64::MAX,
            Some(token) => token,
        };
        tracer.say(Stage::Hash, || {
            let words = match first {
                Some(_) => "the first 8 bytes, big-endian and signed; -2^63 would become 2^63 - 1",
                None => "no stream id has this length: the minimum token",
            };
            (words.into(), token.to_string())
        });
        Ok(Outcome::Placed(Place { at: Coord::I64(token), hash: Some(Hash::I64(token)), owner: None }))
    }
}

fn cdc(scheme: &'static Scheme, _: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Cdc { scheme, taken: |len| len == 16 }))
}

fn cdc_driver(scheme: &'static Scheme, _: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Cdc { scheme, taken: |len| len >= 8 }))
}

/// What all rows have in common.
const ANY: Scheme = Scheme {
    id: "",
    function: "",
    client: "",
    versions: "",
    default: false,
    setting: "",
    rule: "",
    unit: "token",
    records: true,
    domain: Domain::I64,
    null: NullRule::Rejected("a partition key is never null"),
    empty: EmptyRule::Hashed,
    surrogates: Surrogates::Rejected,
    lone_surrogates: None,
    params: &[],
    sources: &[],
    quirks: &[],
    direct: None,
    bind: sharding,
};

/// ScyllaDB.
pub static SYSTEM: System = System {
    id: "scylla",
    name: "ScyllaDB",
    int32: Some("int"),
    int64: Some("bigint"),
    schemes: &[
        Scheme {
            id: "scylla/murmur3",
            function: "murmur3-signed-tail-shard",
            client: "ScyllaDB (shards of a node)",
            versions: "1.7 to 2025.x, tables without tablets",
            default: true,
            setting: "what a node does for every table without tablets",
            rule: "(((token + 2^63) << msb_ignore) * shards) >> 64, token as cassandra/murmur3",
            unit: "shard",
            domain: Domain::Index,
            params: &[
                ParamSpec {
                    name: "shards",
                    kind: ParamKind::Number { min: 1, max: 65535 },
                    required: true,
                    doc: "shards of a node (SCYLLA_NR_SHARDS in SUPPORTED)",
                },
                ParamSpec {
                    name: "msb_ignore",
                    kind: ParamKind::Number { min: 0, max: 63 },
                    required: false,
                    doc: "highest bits of the token that are left out (SCYLLA_SHARDING_IGNORE_MSB in SUPPORTED; default 12)",
                },
                ParamSpec {
                    name: "tablets",
                    kind: ParamKind::Bool,
                    required: false,
                    doc: "the table has tablets, whose shards a topology of them alone tells (default false)",
                },
            ],
            sources: &[
                "https://github.com/scylladb/scylladb/blob/master/docs/dev/protocol-extensions.md",
                "https://github.com/scylladb/scylladb/blob/master/dht/token-sharding.hh",
            ],
            quirks: &[
                "tables with tablets, the default of new keyspaces from 2024.2 on, are placed by the cluster's tablet map: give \
                 it as a topology, rows of system.tablets, which no server was asked for",
                "nodes may have different numbers of shards: the shard is that of one node",
            ],
            ..ANY
        },
        Scheme {
            id: "scylla/cdc",
            function: "cdc-16-byte-token",
            client: "ScyllaDB (CDCPartitioner)",
            versions: "4.4 to 2025.x",
            setting: "what a CDC log table has",
            rule: "the first 8 of exactly 16 bytes, signed; -2^63 becomes 2^63 - 1; any other length: -2^63",
            sources: &["https://github.com/scylladb/scylladb/blob/master/cdc/cdc_partitioner.cc"],
            quirks: &[
                "a driver takes the first 8 bytes of anything longer (scylla/cdc-driver): stream ids have 16 bytes",
            ],
            bind: cdc,
            ..ANY
        },
        Scheme {
            id: "scylla/cdc-driver",
            function: "cdc-8-byte-token",
            client: "drivers of ScyllaDB (CDCPartitioner)",
            versions: "those that know the partitioner",
            setting: "what drivers do for a CDC log table",
            rule: "the first 8 bytes of 8 or more, signed; -2^63 becomes 2^63 - 1; less: -2^63",
            sources: &["https://github.com/scylladb/scylla-rust-driver/blob/main/scylla/src/routing/partitioner.rs"],
            quirks: &["the server has the minimum token for all that is not 16 bytes long (scylla/cdc)"],
            bind: cdc_driver,
            ..ANY
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Placer, params};

    #[test]
    fn tablets_are_refused() {
        let placer = Placer::new("scylla/murmur3", params! { shards: 8, tablets: true }).unwrap();
        let outcome = placer.place(Key::Text("user:42")).unwrap();
        assert_eq!(outcome.word(), "refused");
        assert!(outcome.why().unwrap().contains("system.tablets"), "{outcome:?}");
        let shards = |p| Placer::new("scylla/murmur3", p).unwrap().place(Key::Text("user:42")).unwrap();
        assert_eq!(shards(params! { shards: 8, tablets: false }), shards(params! { shards: 8, msb_ignore: 12 }));
    }

    #[test]
    fn tablets_are_placed_by_their_map() {
        let at = |n: i64| crate::Position::parse(&n.to_string()).unwrap();
        let map = |owners: [&str; 2], unit: &str| {
            let [a, b] = owners.map(Into::into);
            Topology::new(unit, 0, alloc::vec![(at(i64::MIN), at(-1), a), (at(0), at(i64::MAX), b)]).unwrap()
        };
        let placer =
            |topology| Placer::new("scylla/murmur3", params! { shards: 8, tablets: true })?.with_topology(topology);
        let tablets = placer(map(["a/7", "b/shard-0"], "token")).unwrap();
        for key in ["user:1", "user:2", "user:3", "user:42"] {
            let (shard, owner) = if cassandra::token(key.as_bytes()) < 0 { (7, "a/7") } else { (0, "b/shard-0") };
            let (outcome, trace) = tablets.trace(Key::Text(key)).unwrap();
            assert_eq!(tablets.place(Key::Text(key)).as_ref(), Ok(&outcome));
            let place = outcome.place().unwrap();
            assert_eq!((&place.at, place.owner.and_then(|i| tablets.name(i))), (&Coord::Index(shard), Some(owner)));
            assert_eq!(trace.last().map(|step| step.value.as_str()), Some(owner));
        }
        for (topology, said) in [
            (map(["a/7", "b/8"], "token"), "\"b/8\" is none of 8 shards: NODE/SHARD is looked for, SHARD from 0 to 7"),
            (map(["a/7", "b/x"], "token"), "\"b/x\" is none of 8 shards"),
            (map(["a/7", "b"], "token"), "\"b\" owns tokens, but not as a shard of a node"),
            (map(["a/7", "b/0"], "slot"), "the topology is of slots"),
            (Topology::new("token", 0, alloc::vec![(at(0), at(5), "a/1".into())]).unwrap(), "covers tokens 0..=5"),
        ] {
            let error = placer(topology).unwrap_err().to_string();
            assert!(error.starts_with("scylla/murmur3: ") && error.contains(said), "{error}");
        }
    }

    /// A shift of 63 leaves one bit, and 65,535 shards fit a u16.
    #[test]
    fn shards_stay_below_their_number() {
        for ignored in [0, 1, 12, 63] {
            for shards in [1, 2, 7, 65535] {
                for token in [i64::MIN, -1, 0, 1, i64::MAX] {
                    assert!(shard(token, shards, ignored) < shards, "{token} {shards} {ignored}");
                }
            }
        }
    }

    #[test]
    fn keys_that_are_no_stream_ids_are_told() {
        let place = |scheme: &str, key| Placer::new(scheme, params! {}).unwrap().place(key);
        let two = [Key::Bytes(&[0; 16]), Key::Text("a")];
        for scheme in ["scylla/cdc", "scylla/cdc-driver"] {
            assert!(place(scheme, Key::Tuple(&two)).unwrap_err().to_string().contains("one column, not 2"));
            assert_eq!(place(scheme, Key::Null).unwrap().word(), "rejected");
            let empty = place(scheme, Key::Bytes(b"")).unwrap();
            assert_eq!(empty.place().unwrap().at, Coord::I64(i64::MIN));
        }
        let eight = Key::Bytes(&[0, 0, 0, 0, 0, 0, 0, 7]);
        assert_eq!(place("scylla/cdc", eight).unwrap().place().unwrap().at, Coord::I64(i64::MIN));
        assert_eq!(place("scylla/cdc-driver", eight).unwrap().place().unwrap().at, Coord::I64(7));
    }
}
