//! Mistakes of ports of the document routing of Elasticsearch and OpenSearch.

use keyfall_core::map::modulo::floored;
use keyfall_core::schemes::elasticsearch::default_routing_shards;
use keyfall_core::{OwnedKey, Scheme};

use super::kafka::float_product;
use super::{AT_AN_END, Answer, Mistake, Subject};

/// A document that got a shard: what of it is hashed, and the counts of its index.
struct Document {
    /// The routing value, or the id.
    value: Vec<u16>,
    id: Vec<u16>,
    routed: bool,
    shards: u32,
    routing_shards: u32,
    partition_size: u32,
}

impl Document {
    fn new(subject: &Subject<'_>) -> Option<Document> {
        if !subject.is_placed() {
            return None;
        }
        let (routing, id) = match &subject.key {
            OwnedKey::Tuple(parts) => (units(parts.first()?).filter(|units| !units.is_empty()), units(parts.get(1)?)?),
            id => (None, units(id)?),
        };
        let shards = subject.number("shards")?;
        let legacy = subject.scheme.function == "murmur3-utf16-routing-shards";
        let default = match (legacy, subject.number("index_major")) {
            (false, _) | (true, Some(_)) => shards,
            (true, None) => default_routing_shards(shards),
        };
        Some(Document {
            value: routing.clone().unwrap_or_else(|| id.clone()),
            id,
            routed: routing.is_some(),
            shards,
            routing_shards: if legacy { subject.number("routing_shards").unwrap_or(default) } else { shards },
            partition_size: subject.number("routing_partition_size").unwrap_or(1),
        })
    }

    /// What is added to the hash in an index with a partition size.
    fn offset(&self, hash: fn(&[u16]) -> i32) -> i32 {
        if self.partition_size > 1 { floored(hash(&self.id), self.partition_size) as i32 } else { 0 }
    }

    fn hash(&self) -> i32 {
        murmur3(&self.value).wrapping_add(self.offset(murmur3))
    }

    fn factor(&self) -> u32 {
        self.routing_shards / self.shards
    }

    fn shard(&self, hash: i32) -> Answer {
        Answer::at(floored(hash, self.routing_shards) / self.factor())
    }
}

fn units(key: &OwnedKey) -> Option<Vec<u16>> {
    match key {
        OwnedKey::Text(text) => Some(text.encode_utf16().collect()),
        OwnedKey::Utf16(units) => Some(units.clone()),
        OwnedKey::Bytes(bytes) => Some(std::str::from_utf8(bytes).ok()?.encode_utf16().collect()),
        _ => None,
    }
}

fn little_endian(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
}

/// The right hash.
fn murmur3(units: &[u16]) -> i32 {
    RIGHT.hash(&little_endian(units)) as i32
}

/// A flag, what a port does, and its hash.
type WrongHash = (&'static str, &'static str, fn(&[u16]) -> i32);
/// A flag, what a port does, and its shard.
type WrongMap = (&'static str, &'static str, fn(&Document) -> Answer);

const WRONG_HASHES: &[WrongHash] = &[
    ("utf16", "bytes of UTF-8 are hashed", |units| RIGHT.hash(String::from_utf16_lossy(units).as_bytes()) as i32),
    ("utf16", "units are big-endian", |units| {
        RIGHT.hash(&units.iter().flat_map(|unit| unit.to_be_bytes()).collect::<Vec<_>>()) as i32
    }),
    ("seed", "the seed is not 0", |units| Murmur3 { seed: 0x9747_b28c, ..RIGHT }.hash(&little_endian(units)) as i32),
    ("signed-tail", "tail bytes are sign-extended", |units| {
        Murmur3 { sign_extend: true, ..RIGHT }.hash(&little_endian(units)) as i32
    }),
    ("tail-length", "the tail is left out", |units| {
        Murmur3 { tail: false, ..RIGHT }.hash(&little_endian(units)) as i32
    }),
    ("block-boundary", "a last full block is left to the tail", |units| {
        Murmur3 { last_block: false, ..RIGHT }.hash(&little_endian(units)) as i32
    }),
    ("float-arithmetic", "products are floating-point numbers", |units| {
        Murmur3 { multiply: float_product, ..RIGHT }.hash(&little_endian(units)) as i32
    }),
    ("int-width", "the hash is not cut to 32 bits before it is shifted", |units| {
        murmur3_of_64_bits(&little_endian(units))
    }),
];

const WRONG_MAPS: &[WrongMap] = &[
    ("sign-mask", "the sign bit is cleared", |d| {
        Answer::at((d.hash() as u32 & 0x7fff_ffff) % d.routing_shards / d.factor())
    }),
    ("sign-mask", "the hash is unsigned", |d| Answer::at(d.hash() as u32 % d.routing_shards / d.factor())),
    ("floor-modulo", "the remainder is truncated", |d| {
        let (shards, factor) = (i64::from(d.routing_shards), i64::from(d.factor()));
        Answer::at(i64::from(d.hash()) % shards / factor)
    }),
    ("floor-modulo", "the absolute value is taken", |d| {
        Answer::at(d.hash().unsigned_abs() % d.routing_shards / d.factor())
    }),
    ("range-boundary", "the last of a shard's range counts to the next", |d| {
        Answer::at((floored(d.hash(), d.routing_shards) + 1) / d.factor())
    }),
    ("int-minimum", "the id's offset is added in 64 bits", |d| {
        let sum = i64::from(murmur3(&d.value)) + i64::from(d.offset(murmur3));
        Answer::at(sum.rem_euclid(d.routing_shards.into()) / i64::from(d.factor()))
    }),
];

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    match scheme.function {
        "murmur3-dimensions" => dimensions(),
        "djb2-utf16-abs-modulo" => djb(),
        _ => documents(scheme),
    }
}

fn documents(scheme: &Scheme) -> Vec<Mistake> {
    let legacy = scheme.function == "murmur3-utf16-routing-shards";
    let mut table = Vec::new();
    for (flag, what, wrong) in WRONG_HASHES {
        table.push(Mistake::answer(flag, what, |s| {
            let document = Document::new(s)?;
            Some(document.shard(wrong(&document.value).wrapping_add(document.offset(*wrong))))
        }));
    }
    // Without routing shards a range is a single value.
    for (flag, what, wrong) in WRONG_MAPS.iter().filter(|(flag, ..)| legacy || *flag != "range-boundary") {
        table.push(Mistake::answer(flag, what, |s| Some(wrong(&Document::new(s)?))));
    }
    table.push(Mistake::answer("int-minimum", AT_AN_END, |s| Answer::at_an_end(murmur3(&Document::new(s)?.value))));
    table.extend(routing());
    table.extend(counts(scheme, legacy));
    table.push(Mistake::answer("utf8", "an id's limit of 512 bytes is taken as characters", |s| {
        let id = match &s.key {
            OwnedKey::Tuple(parts) => parts.get(1).and_then(units),
            id => units(id),
        }?;
        let taken = s.case.outcome == "rejected" && id.len() <= 512 && id.iter().any(|unit| *unit > 0x7f);
        taken.then(|| Answer::at(0))
    }));
    let other = if legacy { "elasticsearch/modulo" } else { "elasticsearch/legacy" };
    table.push(Mistake::answer(
        "version",
        "the rule is the other one: of Elasticsearch before 9.4, or from 9.4 on",
        move |s| s.place_as(other, s.params_without("index_major")),
    ));
    table
}

fn routing() -> Vec<Mistake> {
    vec![
        Mistake::answer("composite", "the id is hashed, not the routing value", |s| {
            let document = Document::new(s)?;
            document.routed.then(|| document.shard(murmur3(&document.id).wrapping_add(document.offset(murmur3))))
        }),
        Mistake::answer("composite", "routing value and id are joined", |s| {
            let document = Document::new(s)?;
            let joined = [document.value.as_slice(), &document.id].concat();
            document.routed.then(|| document.shard(murmur3(&joined)))
        }),
        Mistake::shape("composite", "an empty or missing routing value", |s| match &s.key {
            OwnedKey::Tuple(parts) => {
                parts.first().is_some_and(|r| *r == OwnedKey::Null || *r == OwnedKey::Text(String::new()))
            }
            _ => s.case.outcome == "rejected" && s.number("routing_partition_size").is_some_and(|size| size > 1),
        }),
    ]
}

fn counts(scheme: &Scheme, legacy: bool) -> Vec<Mistake> {
    let without = |what, name: &'static str| {
        Mistake::answer("parameter-interaction", what, move |s| s.place_as(s.scheme.id, s.params_without(name)))
    };
    let mut table = vec![without("the routing partition size is not looked at", "routing_partition_size")];
    if legacy {
        table.push(without("the number of routing shards is not looked at", "routing_shards"));
        let flag = if scheme.system() == "elasticsearch" { "version" } else { "parameter-interaction" };
        table.push(Mistake::answer(flag, "the version that created the index is not looked at", |s| {
            s.place_as(s.scheme.id, s.params_without("index_major"))
        }));
    }
    table
}

/// The dimensions of a document that got a shard, and the counts of its index.
struct Dimensions {
    /// Names and values, in the order of the key.
    fields: Vec<(String, Vec<u8>)>,
    shards: u32,
    routing_shards: u32,
}

impl Dimensions {
    fn new(subject: &Subject<'_>) -> Option<Dimensions> {
        let OwnedKey::Fields(fields) = &subject.key else { return None };
        if !subject.is_placed() {
            return None;
        }
        let mut all = Vec::new();
        for (name, value) in fields {
            match value {
                OwnedKey::Null => {}
                OwnedKey::Text(text) | OwnedKey::Typed(_, text) => all.push((name.clone(), text.clone().into())),
                OwnedKey::Utf16(units) => all.push((name.clone(), String::from_utf16(units).ok()?.into())),
                _ => return None,
            }
        }
        let shards = subject.number("shards")?;
        let modulo = subject.case.params.get("index_version")?.as_str()?.starts_with("9.5");
        let given = subject.number("routing_shards").unwrap_or_else(|| default_routing_shards(shards));
        Some(Dimensions { fields: all, shards, routing_shards: if modulo { shards } else { given } })
    }

    fn sorted(mut self) -> Dimensions {
        self.fields.sort_by(|a, b| a.0.cmp(&b.0));
        self
    }

    fn hash(&self, hash: impl Fn(&[u8]) -> u32) -> i32 {
        let each = self.fields.iter().map(|(name, value)| hash(name.as_bytes()) ^ hash(value));
        each.reduce(|h, next| h.wrapping_mul(31).wrapping_add(next)).unwrap_or(0) as i32
    }

    fn factor(&self) -> u32 {
        self.routing_shards / self.shards
    }

    fn shard(&self, hash: i32) -> Answer {
        Answer::at(floored(hash, self.routing_shards) / self.factor())
    }
}

fn dimensions() -> Vec<Mistake> {
    let hash = |flag, what, hash: fn(&[u8]) -> u32| {
        Mistake::answer(flag, what, move |s| {
            let document = Dimensions::new(s)?.sorted();
            Some(document.shard(document.hash(hash)))
        })
    };
    let map = |flag, what, map: fn(&Dimensions, i32) -> i64| {
        Mistake::answer(flag, what, move |s| {
            let document = Dimensions::new(s)?.sorted();
            let hash = document.hash(|bytes| RIGHT.hash(bytes));
            Some(Answer::at(map(&document, hash)))
        })
    };
    let fields = |flag, what, instead: fn(Dimensions) -> Dimensions| {
        Mistake::answer(flag, what, move |s| {
            let document = instead(Dimensions::new(s)?);
            Some(document.shard(document.hash(|bytes| RIGHT.hash(bytes))))
        })
    };
    vec![
        hash("seed", "the seed is not 0", |bytes| Murmur3 { seed: 0x9747_b28c, ..RIGHT }.hash(bytes)),
        hash("signed-tail", "tail bytes are sign-extended", |bytes| Murmur3 { sign_extend: true, ..RIGHT }.hash(bytes)),
        hash("tail-length", "the tail is left out", |bytes| Murmur3 { tail: false, ..RIGHT }.hash(bytes)),
        hash("block-boundary", "a last full block is left to the tail", |bytes| {
            Murmur3 { last_block: false, ..RIGHT }.hash(bytes)
        }),
        hash("float-arithmetic", "products are floating-point numbers", |bytes| {
            Murmur3 { multiply: float_product, ..RIGHT }.hash(bytes)
        }),
        hash("int-width", "the hash is not cut to 32 bits before it is shifted", |bytes| {
            murmur3_of_64_bits(bytes) as u32
        }),
        hash("utf16", "UTF-16 is hashed, as of an id", |bytes| {
            let units: Vec<u16> = String::from_utf8_lossy(bytes).encode_utf16().collect();
            RIGHT.hash(&little_endian(&units))
        }),
        map("sign-mask", "the sign bit is cleared", |d, hash| {
            ((hash as u32 & 0x7fff_ffff) % d.routing_shards / d.factor()).into()
        }),
        map("floor-modulo", "the remainder is truncated", |d, hash| {
            i64::from(hash) % i64::from(d.routing_shards) / i64::from(d.factor())
        }),
        map("floor-modulo", "the absolute value is taken", |d, hash| {
            (hash.unsigned_abs() % d.routing_shards / d.factor()).into()
        }),
        map("range-boundary", "the last of a shard's range counts to the next", |d, hash| {
            ((floored(hash, d.routing_shards) + 1) / d.factor()).into()
        }),
        fields("composite", "the fields are in the order of the document", |d| d),
        fields("key-serializer", "the values alone are hashed", |d| {
            let fields = d.fields.into_iter().map(|(_, value)| (String::new(), value)).collect();
            Dimensions { fields, ..d }
        }),
        Mistake::answer("composite", "the fields' hashes are added", |s| {
            let document = Dimensions::new(s)?;
            let each = document.fields.iter().map(|(name, value)| RIGHT.hash(name.as_bytes()) ^ RIGHT.hash(value));
            Some(document.shard(each.fold(0, u32::wrapping_add) as i32))
        }),
        Mistake::answer("type-coercion", "a number is hashed as a double's text", |s| {
            let OwnedKey::Fields(fields) = &s.key else { return None };
            let number = |(name, value): &(String, OwnedKey)| match value {
                OwnedKey::Typed(ty, text) if ty == "number" => {
                    (name.clone(), OwnedKey::Text(text.parse::<f64>().expect("a number").to_string()))
                }
                value => (name.clone(), value.clone()),
            };
            Some(s.place(&OwnedKey::Fields(fields.iter().map(number).collect())))
        }),
        Mistake::answer("parameter-interaction", "the number of routing shards is not looked at", |s| {
            s.place_as(s.scheme.id, s.params_without("routing_shards"))
        }),
        Mistake::answer("version", "the rule is the other one: of an index made before 9.4, or from 9.4 on", |s| {
            let other = if s.case.params.get("index_version")?.as_str()? == "9.5" { "8.19" } else { "9.5" };
            let mut params = s.params.clone();
            params.set("index_version", other);
            s.place_as(s.scheme.id, params)
        }),
    ]
}

/// A document of 1.x that got a shard: what is hashed, in one run.
fn run(subject: &Subject<'_>) -> Option<(Vec<u16>, i64)> {
    if !subject.is_placed() {
        return None;
    }
    let run = match &subject.key {
        OwnedKey::Tuple(parts) => parts.iter().map(units).collect::<Option<Vec<_>>>()?.concat(),
        id => units(id)?,
    };
    Some((run, subject.number("shards")?.into()))
}

fn djb2(units: impl IntoIterator<Item = u32>) -> i32 {
    units.into_iter().fold(5381u32, |h, unit| h.wrapping_mul(33).wrapping_add(unit)) as i32
}

fn djb() -> Vec<Mistake> {
    let of = |flag, what, shard: fn(Vec<u16>, i64) -> Option<i64>| {
        Mistake::answer(flag, what, move |s| {
            let (run, shards) = run(s)?;
            Some(Answer::at(shard(run, shards)?))
        })
    };
    vec![
        of("utf16", "bytes of UTF-8 are hashed", |run, shards| {
            let text = String::from_utf16_lossy(&run);
            Some(i64::from(djb2(text.bytes().map(u32::from))).abs() % shards)
        }),
        of("seed", "the hash starts at 0", |run, shards| {
            let hash = run.iter().fold(0u32, |h, unit| h.wrapping_mul(33).wrapping_add((*unit).into())) as i32;
            Some(i64::from(hash).abs() % shards)
        }),
        of("signed-tail", "units of 0x8000 and above are sign-extended", |run, shards| {
            Some(i64::from(djb2(run.into_iter().map(|unit| unit as i16 as u32))).abs() % shards)
        }),
        of("float-arithmetic", "the hash is a floating-point number", |run, shards| {
            let hash = run.iter().fold(5381f64, |h, unit| h * 33.0 + f64::from(*unit));
            Some(i64::from((hash % 4_294_967_296.0) as u32 as i32).abs() % shards)
        }),
        of("int-width", "the hash has 64 bits", |run, shards| {
            let hash = run.iter().fold(5381i64, |h, unit| h.wrapping_mul(33).wrapping_add((*unit).into()));
            Some((hash % shards).abs())
        }),
        of("sign-mask", "the sign bit is cleared", |run, shards| {
            Some(i64::from(djb2(run.into_iter().map(u32::from)) & i32::MAX) % shards)
        }),
        of("floor-modulo", "the remainder is floored, as from 2.0 on", |run, shards| {
            Some(i64::from(djb2(run.into_iter().map(u32::from))).rem_euclid(shards))
        }),
        of("floor-modulo", "the remainder keeps its sign", |run, shards| {
            Some(i64::from(djb2(run.into_iter().map(u32::from))) % shards)
        }),
        Mistake::answer("composite", "the id alone is hashed", |s| match &s.key {
            OwnedKey::Tuple(parts) => Some(s.place(parts.get(1)?)),
            _ => None,
        }),
        Mistake::answer("version", "the rule is that of 2.0 and later", |s| {
            let OwnedKey::Tuple(_) = &s.key else { return s.place_as("elasticsearch/legacy", s.params.clone()) };
            None
        }),
    ]
}

/// MurmurHash3 x86 32 with one part wrong.
struct Murmur3 {
    seed: u32,
    multiply: fn(u32, u32) -> u32,
    sign_extend: bool,
    tail: bool,
    last_block: bool,
}

const RIGHT: Murmur3 =
    Murmur3 { seed: 0, multiply: u32::wrapping_mul, sign_extend: false, tail: true, last_block: true };

impl Murmur3 {
    fn hash(&self, key: &[u8]) -> u32 {
        let multiply = self.multiply;
        let scramble = |k: u32| multiply(multiply(k, 0xcc9e_2d51).rotate_left(15), 0x1b87_3593);
        let (mut blocks, tail) = key.as_chunks::<4>();
        if tail.is_empty() && !self.last_block {
            blocks = &blocks[..blocks.len().saturating_sub(1)];
        }
        let mut h = self.seed;
        for block in blocks {
            h ^= scramble(u32::from_le_bytes(*block));
            h = multiply(h.rotate_left(13), 5).wrapping_add(0xe654_6b64);
        }
        if self.tail && !tail.is_empty() {
            let widen = |byte: u8| if self.sign_extend { byte as i8 as u32 } else { byte.into() };
            h ^= scramble(tail.iter().enumerate().fold(0, |k, (i, byte)| k ^ widen(*byte) << (8 * i)));
        }
        h ^= key.len() as u32;
        h = multiply(h ^ (h >> 16), 0x85eb_ca6b);
        h = multiply(h ^ (h >> 13), 0xc2b2_ae35);
        h ^ (h >> 16)
    }
}

fn murmur3_of_64_bits(key: &[u8]) -> i32 {
    let rotate = |k: u64, by: u32| k << by | k >> (32 - by);
    let scramble = |k: u64| rotate(k.wrapping_mul(0xcc9e_2d51), 15).wrapping_mul(0x1b87_3593);
    let (blocks, tail) = key.as_chunks::<4>();
    let mut h = 0u64;
    for block in blocks {
        h ^= scramble(u32::from_le_bytes(*block).into());
        h = rotate(h, 13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    if !tail.is_empty() {
        h ^= scramble(tail.iter().rev().fold(0, |k, byte| k << 8 | u64::from(*byte)));
    }
    h ^= key.len() as u64;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    (h ^ (h >> 16)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::hash::murmur3_x86_32::murmur3_x86_32_units;

    #[test]
    fn what_is_not_mistaken_is_right() {
        for len in 0..20u16 {
            let key: Vec<u16> = (0..len).map(|i| i.wrapping_mul(9377).wrapping_add(50_000)).collect();
            assert_eq!(murmur3(&key), murmur3_x86_32_units(key.iter().copied(), 0) as i32);
        }
    }
}
