//! Elasticsearch: the shard of a document's id or routing value.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{failed, rejected};
use crate::encode::{EncodeError, text};
use crate::hash::djb2::{self, djb2_units};
use crate::hash::murmur3_x86_32::{murmur3_x86_32, murmur3_x86_32_units};
use crate::map::{modulo, routing_shards};
use crate::placer::{Bound, Rule};
use crate::trace::{Tracer, hex};
use crate::{
    Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, ParamKind, ParamSpec, Params, Place, Scheme,
    Stage, Surrogates, System, Typed, Value, Why,
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
    fn of(key: Key<'k>) -> Result<Option<Units<'k>>, EncodeError> {
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

impl Map {
    fn of(&self, hash: i32, shards: u32, tracer: &mut impl Tracer) -> u32 {
        match *self {
            Map::Modulo => {
                let shard = modulo::floored(hash, shards);
                tracer.say(Stage::Map, || (format!("floor-modulo {shards} shards"), shard.to_string()));
                shard
            }
            Map::RoutingShards(routing_shards) => {
                let virtual_shard = modulo::floored(hash, routing_shards);
                tracer.say(Stage::Map, || {
                    (format!("floor-modulo {routing_shards} routing shards"), virtual_shard.to_string())
                });
                let shard = routing_shards::shard(hash, routing_shards, shards);
                tracer.say(Stage::Map, || {
                    (format!("divided by the routing factor {}", routing_shards / shards), shard.to_string())
                });
                shard
            }
        }
    }
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
        let shard = self.map.of(hash, self.shards, tracer);
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

/// What is given for a time series or log index that was given no document.
const NO_DIMENSIONS: &str = "the shard goes by the document's dimensions: give them as named fields";

/// An index whose documents are routed by their dimensions: each field's name and value, in the order of names.
struct Dimensions {
    shards: u32,
    map: Map,
    /// What becomes of a lone surrogate before it is hashed as UTF-8.
    surrogates: Surrogates,
}

impl Dimensions {
    /// Adds the hash of a name and value. Null is no value.
    fn field<'k, T: Tracer>(
        &self,
        name: &'k str,
        value: Key<'k>,
        hashes: &mut Vec<(&'k str, u32)>,
        tracer: &mut T,
    ) -> Result<(), EncodeError> {
        let number;
        let mut replaced = Vec::new();
        let bytes = match value {
            Key::Null => return Ok(()),
            Key::Text(text) => text.as_bytes(),
            Key::Bytes(bytes) => text::from_bytes(bytes)?.as_bytes(),
            Key::Utf16(units) => {
                text::utf8(units, self.surrogates, &mut replaced)?;
                &replaced
            }
            Key::Typed(Typed { ty: ty @ ("number" | "bool"), value: Value::Text(text) }) => {
                if !(if ty == "number" { is_json_number(text) } else { matches!(text, "true" | "false") }) {
                    return Err(KeyError::new(format!("field {name}: {text:?} is no {ty} of JSON")).into());
                }
                text.as_bytes()
            }
            Key::Typed(Typed { ty: "number", value: Value::Int(n) }) => {
                number = n.to_string();
                number.as_bytes()
            }
            other => {
                let kind = other.kind();
                return Err(KeyError::new(format!(
                    "field {name}: {kind} cannot be a dimension: give text, a number or a boolean"
                ))
                .into());
            }
        };
        let hash = murmur3_x86_32(name.as_bytes(), 0) ^ murmur3_x86_32(bytes, 0);
        tracer.say(Stage::Hash, || {
            let text = String::from_utf8_lossy(bytes);
            (format!("{name} = {text}: the two as UTF-8, MurmurHash3 x86 32, xor"), (hash as i32).to_string())
        });
        hashes.push((name, hash));
        Ok(())
    }
}

/// A number is hashed as it is written, so that its text has to be one of JSON.
fn is_json_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = digits.starts_with('0') && digits[1..].starts_with(|c: char| c.is_ascii_digit());
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let ends_a_part = |part: &str| part.ends_with(|c: char| c.is_ascii_digit());
    let (mantissa, _) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let starts = digits.starts_with(|c: char| c.is_ascii_digit());
    plain && starts && !leading_zero && ends_a_part(mantissa) && ends_a_part(text) && text.parse::<f64>().is_ok()
}

impl Rule for Dimensions {
    fn place<T: Tracer>(&self, key: Key<'_>, _: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let Key::Fields(fields) = key else {
            if key == Key::Null {
                return Ok(Outcome::Refused(Why::Borrowed(NO_DIMENSIONS)));
            }
            return rejected(format!("{NO_DIMENSIONS}, not {}", key.kind()), tracer);
        };
        let mut fields = fields.to_vec();
        fields.sort_by_key(|(name, _)| *name);
        if let Some(pair) = fields.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(KeyError::new(format!("field {} stands twice", pair[0].0)));
        }
        let mut hashes = Vec::with_capacity(fields.len());
        let mut doubt = None;
        for (name, value) in fields {
            match self.field(name, value, &mut hashes, tracer) {
                Ok(()) => {}
                Err(EncodeError::Malformed(error)) => return Err(error),
                Err(error) => {
                    doubt.get_or_insert(error);
                }
            }
        }
        if let Some(error) = doubt {
            return failed(error, tracer);
        }
        let Some(hash) =
            hashes.into_iter().map(|(_, hash)| hash).reduce(|h, next| h.wrapping_mul(31).wrapping_add(next))
        else {
            return rejected("a document has at least one dimension", tracer);
        };
        tracer.say(Stage::Hash, || ("31 times that before plus the next, signed".into(), (hash as i32).to_string()));
        let shard = self.map.of(hash as i32, self.shards, tracer);
        Ok(Outcome::Placed(Place::index(shard, Hash::I32(hash as i32))))
    }

    fn places(&self) -> Option<u32> {
        Some(self.shards)
    }
}

/// An index of 1.x.
struct Djb {
    shards: u32,
}

impl Rule for Djb {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, _: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let (ty, id) = match key {
            Key::Tuple([ty, id]) => (*ty, *id),
            Key::Tuple(parts) => {
                return Err(KeyError::new(format!("a tuple key is (type, id), not {} components", parts.len())));
            }
            id => (Key::Null, id),
        };
        let mut hash = djb2::START;
        for part in [Units::of(ty), Units::of(id)] {
            match part {
                Ok(None) => {}
                Ok(Some(Units::Utf8(text))) => hash = djb2_units(hash, text.encode_utf16()),
                Ok(Some(Units::Utf16(units))) => hash = djb2_units(hash, units.iter().copied()),
                Err(error) => return failed(error, tracer),
            }
        }
        if id == Key::Null {
            return Ok(Outcome::Refused(Why::Borrowed(AUTO_ID)));
        }
        let hash = hash as i32;
        tracer.say(Stage::Hash, || ("djb2 over the UTF-16 units, signed".into(), hash.to_string()));
        let shard = modulo::abs_of_remainder(hash, self.shards);
        tracer.say(Stage::Map, || {
            (format!("the absolute value of the remainder by {} shards", self.shards), shard.to_string())
        });
        Ok(Outcome::Placed(Place::index(shard, Hash::I32(hash))))
    }

    fn places(&self) -> Option<u32> {
        Some(self.shards)
    }
}

/// Shards, routing shards and partition size, checked against each other as the server does when the index is created.
fn counts(scheme: &'static Scheme, params: &Params) -> Result<(u32, u32, u32), Error> {
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
    Ok((shards, routing_shards, partition_size))
}

fn index(
    scheme: &'static Scheme,
    params: &Params,
    surrogate: usize,
    map: fn(u32) -> Map,
) -> Result<Box<dyn Bound>, Error> {
    let (shards, routing_shards, partition_size) = counts(scheme, params)?;
    Ok(Box::new(Index { surrogate, shards, partition_size, map: map(routing_shards) }))
}

/// The first version whose new indices are mapped by a plain modulo.
const FIRST_MODULO: (u32, u32) = (9, 4);

fn dimensions(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    let Some(crate::Param::Text(text)) = params.get("index_version") else { unreachable!("required, and a text") };
    let mut numbers = text.splitn(3, '.').map(str::parse);
    let version = match (numbers.next(), numbers.next()) {
        (Some(Ok(major @ 8..)), None) => (major, 0),
        (Some(Ok(major @ 8..)), Some(Ok(minor))) => (major, minor),
        _ => {
            return Err(
                scheme.invalid(format!("param index_version={text:?} is not a version from 8.0 on, as 8.19 or 9.5"))
            );
        }
    };
    let (shards, routing_shards, _) = counts(scheme, params)?;
    let (map, surrogates) = if version >= FIRST_MODULO {
        (Map::Modulo, Surrogates::QuestionMark)
    } else {
        (Map::RoutingShards(routing_shards), Surrogates::Replacement)
    };
    Ok(Box::new(Dimensions { shards, map, surrogates }))
}

fn djb(_: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Djb { shards: params.u32("shards").expect("required") }))
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

const INDEX_VERSION: ParamSpec = ParamSpec {
    name: "index_version",
    kind: ParamKind::Text,
    required: true,
    doc: "the version that created the index, as 8.19 or 9.5: from 9.4 on there are no routing shards",
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
    lone_surrogates: Some(SPLIT),
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
            quirks: &["the index still reports a number of routing shards, which plays no part", COMMA, SPLIT],
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
                COMMA,
                SPLIT,
            ],
            ..ROW
        },
        Scheme {
            id: "elasticsearch/time-series",
            client: "Elasticsearch (index.mode: time_series)",
            versions: "8.1 to 9.x",
            setting: "index.mode: time_series with index.routing_path",
            quirks: &[
                SURROGATE_OF_FIELDS,
                NUMBERS_AS_TEXT,
                "a data stream of 9.x can be routed by its tsid instead: index.dimensions says so in its settings",
            ],
            ..DIMENSIONS
        },
        Scheme {
            id: "elasticsearch/logsdb",
            client: "Elasticsearch (index.mode: logsdb)",
            versions: "8.18 to 9.x",
            setting: "index.mode: logsdb with index.logsdb.route_on_sort_fields",
            quirks: &[
                SURROGATE_OF_FIELDS,
                NUMBERS_AS_TEXT,
                "without route_on_sort_fields a log index is routed by the id, as any other",
            ],
            ..DIMENSIONS
        },
        Scheme {
            id: "elasticsearch/djb",
            function: "djb2-utf16-abs-modulo",
            client: "Elasticsearch 1.x",
            versions: "0.x and 1.x",
            setting: "what every index did; cluster.routing.operation.use_type adds the type",
            rule: "abs(h % shards), h = djb2(UTF-16 of the routing value or id), of type and id in one run where use_type is set",
            empty: EmptyRule::Hashed,
            params: &[SHARDS],
            sources: &[
                "https://github.com/elastic/elasticsearch/blob/1.7/src/main/java/org/elasticsearch/cluster/routing/operation/plain/PlainOperationRouting.java",
            ],
            quirks: &["2.0 gave every index another hash: one that 1.x made is kept by it, with its old rule"],
            lone_surrogates: None,
            bind: djb,
            ..ROW
        },
    ],
};

pub(super) const COMMA: &str =
    "routing=x,y is one value when a document is indexed and two when it is searched for: such a document is not found";

pub(super) const SPLIT: &str = "a split knows only the id as it is stored, in which a lone surrogate has become another character: it \
     puts the document into another shard than it is looked for in, or into none";

const SURROGATE_OF_FIELDS: &str =
    "a lone surrogate in a value is hashed as U+FFFD by 8.19 and as ? by 9.5, whatever version created the index";

const NUMBERS_AS_TEXT: &str = "a number is hashed as it is written: 1.0 is not 1";

/// What indices that are routed by dimensions have in common.
const DIMENSIONS: Scheme = Scheme {
    function: "murmur3-dimensions",
    default: false,
    rule: "h = 31 h + (mm3(name) ^ mm3(value)) over the dimensions by name, as UTF-8; then as elasticsearch/legacy, from 9.4 on as elasticsearch/modulo",
    null: NullRule::Refused(NO_DIMENSIONS),
    empty: EmptyRule::Rejected("a document has at least one dimension"),
    surrogates: Surrogates::Replacement,
    lone_surrogates: None,
    params: &[SHARDS, INDEX_VERSION, ROUTING_SHARDS],
    sources: &[
        "https://github.com/elastic/elasticsearch/blob/main/server/src/main/java/org/elasticsearch/cluster/routing/IndexRouting.java",
    ],
    bind: dimensions,
    ..ROW
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Placer, params};

    fn placer(scheme: &str) -> Placer {
        let params = match scheme {
            "elasticsearch/time-series" | "elasticsearch/logsdb" => params! { shards: 5, index_version: "8.19" },
            _ => params! { shards: 5 },
        };
        Placer::new(scheme, params).unwrap()
    }

    fn place(placer: &Placer, key: Key<'_>) -> u32 {
        match placer.place(key).unwrap().place().unwrap().at {
            crate::Coord::Index(shard) => shard,
            ref other => panic!("{other:?}"),
        }
    }

    #[test]
    fn malformed_keys_are_named() {
        let three = [Key::Text("a"), Key::Text("b"), Key::Text("c")];
        let nested = [("host", Key::Fields(&[]))];
        let twice = [("host", Key::Text("a")), ("host", Key::Text("b"))];
        let typed = |ty, value| [("host", Key::Typed(Typed { ty, value: Value::Text(value) }))];
        let (number, boolean, other) = (typed("number", "0x1"), typed("bool", "yes"), typed("int", "1"));
        for (scheme, key, said) in [
            ("elasticsearch/legacy", Key::Tuple(&three), "a tuple key is (routing, id), not 3 components"),
            ("elasticsearch/modulo", Key::Tuple(&three), "a tuple key is (routing, id), not 3 components"),
            ("elasticsearch/legacy", Key::Fields(&[]), "an id or routing value is text, not named fields"),
            ("elasticsearch/djb", Key::Tuple(&three[..1]), "a tuple key is (type, id), not 1 components"),
            ("elasticsearch/time-series", Key::Fields(&nested), "field host: named fields cannot be a dimension"),
            ("elasticsearch/time-series", Key::Fields(&twice), "field host stands twice"),
            ("elasticsearch/time-series", Key::Fields(&number), "field host: \"0x1\" is no number of JSON"),
            ("elasticsearch/time-series", Key::Fields(&boolean), "field host: \"yes\" is no bool of JSON"),
            ("elasticsearch/logsdb", Key::Fields(&other), "field host: typed value cannot be a dimension"),
        ] {
            let error = placer(scheme).place(key).unwrap_err().to_string();
            assert!(error.starts_with(said), "{scheme}: {error}");
        }
    }

    /// What a running node rejects (oracles/servers/elasticsearch), or makes up itself.
    #[test]
    fn what_the_server_does_not_take_is_no_error() {
        let long = "i".repeat(513);
        let (no_routing, absent) = ([Key::Text("r"), Key::Text("")], [("host", Key::Null)]);
        for (word, why, scheme, key) in [
            ("rejected", "the id has 513 bytes, at most 512 are allowed", "elasticsearch/legacy", Key::Text(&long)),
            ("rejected", "an id is not empty", "elasticsearch/modulo", Key::Text("")),
            ("rejected", "an id is not empty", "elasticsearch/legacy", Key::Tuple(&no_routing)),
            ("rejected", "not UTF-8", "elasticsearch/legacy", Key::Bytes(b"\xff")),
            ("refused", "give the id or the routing value", "elasticsearch/djb", Key::Null),
            ("refused", "give them as named fields", "elasticsearch/time-series", Key::Null),
            ("rejected", "at least one dimension", "elasticsearch/logsdb", Key::Fields(&absent)),
            ("rejected", "give them as named fields, not text", "elasticsearch/logsdb", Key::Text("a")),
        ] {
            let outcome = placer(scheme).place(key).unwrap();
            assert_eq!(outcome.word(), word, "{scheme} {why}");
            assert!(outcome.why().unwrap().contains(why), "{scheme}: {outcome:?}");
        }
    }

    #[test]
    fn numbers_are_those_of_json() {
        for number in ["0", "-0", "1", "1.0", "-7.50", "1e3", "1E+3", "2e-05", "12345678901234567890123"] {
            assert!(is_json_number(number), "{number}");
        }
        for text in ["", "-", "+1", ".5", "5.", "01", "-00", "1e", "1.e3", "0x1", "NaN", "inf", "1_0", " 1", "1 "] {
            assert!(!is_json_number(text), "{text}");
        }
    }

    #[test]
    fn a_version_says_which_map_dimensions_have() {
        let of =
            |version: &str| Placer::new("elasticsearch/time-series", params! { shards: 5, index_version: version });
        let fields = [("host", Key::Text("a")), ("o.x", Key::Text("1"))];
        let shards = |version: &str| place(&of(version).unwrap(), Key::Fields(&fields));
        // What nodes of 8.19.21 and 9.5.3 say.
        assert_eq!(["8.19", "9.3", "8"].map(shards), [1, 1, 1]);
        assert_eq!(["9.4", "9.5.3", "10"].map(shards), [0, 0, 0]);
        for version in ["7.17", "9.x", "", "next"] {
            let error = of(version).unwrap_err().to_string();
            assert!(error.contains("is not a version from 8.0 on, as 8.19 or 9.5"), "{error}");
        }
    }

    #[test]
    fn the_order_of_fields_is_that_of_their_names() {
        let placer = placer("elasticsearch/logsdb");
        let forwards = [("a", Key::Text("1")), ("b", Key::Text("2"))];
        let backwards = [forwards[1], forwards[0]];
        assert_eq!(place(&placer, Key::Fields(&forwards)), place(&placer, Key::Fields(&backwards)));
        let (_, trace) = placer.trace(Key::Fields(&backwards)).unwrap();
        let words: Vec<&str> = trace.iter().map(|step| step.words.as_str()).collect();
        assert!(words[0].starts_with("a = 1"), "{words:?}");
        assert!(words[1].starts_with("b = 2"), "{words:?}");
    }
}
