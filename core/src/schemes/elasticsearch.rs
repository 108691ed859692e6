//! Elasticsearch: the shard of a document's id or routing value.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{failed, rejected};
use crate::encode::text;
use crate::hash::murmur3_x86_32::murmur3_x86_32_units;
use crate::map::{modulo, routing_shards};
use crate::placer::{Bound, Rule};
use crate::trace::{Tracer, hex};
use crate::{
    Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, ParamKind, ParamSpec, Params, Place, Scheme,
    Stage, Surrogates, System, Why,
};

/// The longest id, in bytes of UTF-8.
const MAX_ID: usize = 512;

const AUTO_ID: &str = "the server makes an id up for a document without one, which cannot be known before: give the id or the routing value";

/// The hash of an id or routing value: MurmurHash3 x86 32, seed 0, over UTF-16LE.
///
/// ```
/// use keyfall_core::schemes::elasticsearch::hash;
/// // Published in Elasticsearch's Murmur3HashFunctionTests.
/// assert_eq!(hash("hell"), 0x5a0cb7c3);
/// ```
#[inline]
pub fn hash(text: &str) -> i32 {
    murmur3_x86_32_units(text.encode_utf16(), 0) as i32
}

/// How many routing shards an index has by default: as many as `shards` can be doubled into without passing 1,024, and
/// at least twice as many.
///
/// ```
/// use keyfall_core::schemes::elasticsearch::default_routing_shards;
/// assert_eq!([1, 5, 6, 100].map(default_routing_shards), [1024, 640, 768, 800]);
/// ```
pub fn default_routing_shards(shards: u32) -> u32 {
    let bits = 32 - shards.saturating_sub(1).leading_zeros();
    shards << 10u32.saturating_sub(bits).max(1)
}

/// An id or routing value, borrowed.
#[derive(Clone, Copy)]
enum Units<'k> {
    Utf8(&'k str),
    Utf16(&'k [u16]),
}

impl<'k> Units<'k> {
    fn of(key: Key<'k>) -> Result<Option<Units<'k>>, crate::encode::EncodeError> {
        Ok(match key {
            Key::Null => None,
            Key::Bytes(bytes) => Some(Units::Utf8(text::from_bytes(bytes)?)),
            Key::Text(text) => Some(Units::Utf8(text)),
            Key::Utf16(units) => Some(Units::Utf16(units)),
            other => {
                let kind = other.kind();
                return Err(KeyError::new(format!("an id or routing value is text, not {kind}")).into());
            }
        })
    }

    fn is_empty(self) -> bool {
        match self {
            Units::Utf8(text) => text.is_empty(),
            Units::Utf16(units) => units.is_empty(),
        }
    }

    #[inline]
    fn hash(self) -> i32 {
        match self {
            Units::Utf8(text) => hash(text),
            Units::Utf16(units) => murmur3_x86_32_units(units.iter().copied(), 0) as i32,
        }
    }

    /// Bytes of UTF-8, as the server counts them where a lone surrogate is `surrogate` bytes.
    fn len(self, surrogate: usize) -> usize {
        match self {
            Units::Utf8(text) => text.len(),
            Units::Utf16(units) => {
                char::decode_utf16(units.iter().copied()).map(|c| c.map_or(surrogate, char::len_utf8)).sum()
            }
        }
    }

    fn utf16le(self) -> String {
        let bytes: Vec<u8> = match self {
            Units::Utf8(text) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Units::Utf16(units) => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        };
        hex(&bytes)
    }
}

/// How a hash becomes a shard.
enum Map {
    RoutingShards(u32),
    Modulo,
}

/// An index: its counts and its map.
struct Index {
    /// The bytes that a lone surrogate in an id counts for: 1, as it becomes `?`; 3 in OpenSearch from 2.19.
    surrogate: usize,
    shards: u32,
    partition_size: u32,
    map: Map,
}

impl Index {
    fn route<T: Tracer>(&self, routing: Option<Units<'_>>, id: Units<'_>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let routing = routing.filter(|routing| !routing.is_empty());
        if id.is_empty() {
            return rejected("an id is not empty", tracer);
        }
        let len = id.len(self.surrogate);
        if len > MAX_ID {
            return rejected(format!("the id has {len} bytes, at most {MAX_ID} are allowed"), tracer);
        }
        Ok(self.shard(routing, id, tracer))
    }

    fn shard<T: Tracer>(&self, routing: Option<Units<'_>>, id: Units<'_>, tracer: &mut T) -> Outcome {
        let value = routing.unwrap_or(id);
        tracer.say(Stage::Encode, || {
            let what = if routing.is_some() { "routing value" } else { "id" };
            (format!("the {what} as UTF-16LE"), value.utf16le())
        });
        let mut hash = value.hash();
        tracer.say(Stage::Hash, || ("MurmurHash3 x86 32, seed 0, signed".into(), hash.to_string()));
        if self.partition_size > 1 {
            if routing.is_none() {
                let why = "an index with a routing partition size takes no document without a routing value";
                tracer.say(Stage::Rule, || (format!("rejected: {why}"), String::new()));
                return Outcome::Rejected(Why::Borrowed(why));
            }
            let offset = modulo::floored(id.hash(), self.partition_size);
            hash = hash.wrapping_add(offset as i32);
            tracer.say(Stage::Hash, || {
                let p = self.partition_size;
                (
                    format!("plus the id's hash floor-modulo the routing partition size {p}: + {offset}"),
                    hash.to_string(),
                )
            });
        }
        let shard = match self.map {
            Map::Modulo => {
                let shard = modulo::floored(hash, self.shards);
                tracer.say(Stage::Map, || (format!("floor-modulo {} shards", self.shards), shard.to_string()));
                shard
            }
            Map::RoutingShards(routing_shards) => {
                let virtual_shard = modulo::floored(hash, routing_shards);
                tracer.say(Stage::Map, || {
                    (format!("floor-modulo {routing_shards} routing shards"), virtual_shard.to_string())
                });
                let shard = routing_shards::shard(hash, routing_shards, self.shards);
                tracer.say(Stage::Map, || {
                    (format!("divided by the routing factor {}", routing_shards / self.shards), shard.to_string())
                });
                shard
            }
        };
        Outcome::Placed(Place::index(shard, Hash::I32(hash)))
    }
}

impl Rule for Index {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, _: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let (routing, id) = match key {
            Key::Tuple([routing, id]) => (*routing, *id),
            Key::Tuple(parts) => {
                let n = parts.len();
                return Err(KeyError::new(format!("a tuple key is (routing, id), not {n} components")));
            }
            id => (Key::Null, id),
        };
        match (Units::of(routing), Units::of(id)) {
            (Err(error), _) | (_, Err(error)) => failed(error, tracer),
            (_, Ok(None)) => Ok(Outcome::Refused(Why::Borrowed(AUTO_ID))),
            (Ok(routing), Ok(Some(id))) => self.route(routing, id, tracer),
        }
    }

    fn places(&self) -> Option<u32> {
        Some(self.shards)
    }
}

/// Checks the counts against each other, as the server does when the index is created.
fn index(
    scheme: &'static Scheme,
    params: &Params,
    surrogate: usize,
    map: fn(u32) -> Map,
) -> Result<Box<dyn Bound>, Error> {
    let shards = params.u32("shards").expect("required");
    let major = params.u64("index_major").or_else(|| match params.get("index_major") {
        Some(crate::Param::Text(text)) => text.parse().ok(),
        _ => None,
    });
    let default = if major.is_some() { shards } else { default_routing_shards(shards) };
    let routing_shards = params.u32("routing_shards").unwrap_or(default);
    if !routing_shards.is_multiple_of(shards) {
        return Err(
            scheme.invalid(format!("param routing_shards={routing_shards} is not a multiple of shards={shards}"))
        );
    }
    let partition_size = params.u32("routing_partition_size").unwrap_or(1);
    if partition_size > 1 && partition_size >= routing_shards {
        return Err(scheme.invalid(format!(
            "param routing_partition_size={partition_size} is not below the number of routing shards, {routing_shards}"
        )));
    }
    Ok(Box::new(Index { surrogate, shards, partition_size, map: map(routing_shards) }))
}

fn legacy(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    index(scheme, params, 1, Map::RoutingShards)
}

pub(super) fn opensearch(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    index(scheme, params, 3, Map::RoutingShards)
}

fn modulo(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    index(scheme, params, 1, |_| Map::Modulo)
}

pub(super) const SHARDS: ParamSpec = ParamSpec {
    name: "shards",
    kind: ParamKind::Number { min: 1, max: 1024 },
    required: true,
    doc: "index.number_of_shards",
};
pub(super) const ROUTING_SHARDS: ParamSpec = ParamSpec {
    name: "routing_shards",
    kind: ParamKind::Number { min: 1, max: i32::MAX as u64 },
    required: false,
    doc: "index.number_of_routing_shards, a multiple of shards (default: shards doubled as often as stays within 1024, at least once)",
};
pub(super) const INDEX_MAJOR: ParamSpec = ParamSpec {
    name: "index_major",
    kind: ParamKind::Choice(&["5", "6"]),
    required: false,
    doc: "the major version that created the index, if before 7.0: the default number of routing shards is then shards",
};
pub(super) const PARTITION_SIZE: ParamSpec = ParamSpec {
    name: "routing_partition_size",
    kind: ParamKind::Number { min: 1, max: i32::MAX as u64 },
    required: false,
    doc: "index.routing_partition_size; above 1 the key is a tuple (routing, id) (default 1)",
};

/// What the rows of Elasticsearch and OpenSearch have in common.
pub(super) const ROW: Scheme = Scheme {
    id: "",
    function: "murmur3-utf16-routing-shards",
    client: "",
    versions: "",
    default: true,
    setting: "",
    rule: "floorMod(h, routing_shards) / (routing_shards / shards), h = murmur3_x86_32(UTF-16LE of the routing value or id)",
    unit: "shard",
    records: true,
    domain: Domain::Index,
    null: NullRule::Refused(AUTO_ID),
    empty: EmptyRule::Rejected("an id is not empty"),
    surrogates: Surrogates::Kept,
    params: &[SHARDS, ROUTING_SHARDS, PARTITION_SIZE],
    sources: &[],
    quirks: &[],
    direct: None,
    bind: legacy,
};

/// Elasticsearch.
pub static SYSTEM: System = System {
    id: "elasticsearch",
    name: "Elasticsearch",
    int32: None,
    int64: None,
    schemes: &[
        Scheme {
            id: "elasticsearch/modulo",
            function: "murmur3-utf16-modulo",
            client: "Elasticsearch",
            versions: "indices created by 9.4 and later",
            setting: "create the index with 9.4 or later",
            rule: "floorMod(h, shards), h = murmur3_x86_32(UTF-16LE of the routing value or id)",
            sources: &[
                "https://github.com/elastic/elasticsearch/blob/main/server/src/main/java/org/elasticsearch/cluster/routing/IndexRouting.java",
            ],
            quirks: &["the index still reports a number of routing shards, which plays no part"],
            bind: modulo,
            ..ROW
        },
        Scheme {
            id: "elasticsearch/legacy",
            client: "Elasticsearch",
            versions: "indices created by 2.0 to 9.3",
            setting: "what an index created before 9.4 keeps, whatever server opens it",
            params: &[SHARDS, ROUTING_SHARDS, PARTITION_SIZE, INDEX_MAJOR],
            sources: &[
                "https://www.elastic.co/docs/reference/elasticsearch/mapping-reference/mapping-routing-field",
                "https://github.com/elastic/elasticsearch/blob/v8.19.0/server/src/main/java/org/elasticsearch/cluster/routing/IndexRouting.java",
            ],
            quirks: &[
                "the rule goes by the version that created the index, not by the server's",
                "an empty routing value counts as none",
            ],
            ..ROW
        },
    ],
};
