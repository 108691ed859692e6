//! Apache Kafka: the partitioners of its clients.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::{failed, rejected, say_encoded};
use crate::encode::kafka::encode;
use crate::hash::{crc32::crc32, fnv1a::fnv1a_32, murmur2::murmur2};
use crate::map::modulo;
use crate::placer::{Bound, Rule};
use crate::trace::{NoTrace, Tracer};
use crate::{
    Coord, Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, ParamKind, ParamSpec, Params, Place,
    Scheme, Stage, Surrogates, System, Why,
};

/// The seed of Kafka's murmur2.
const SEED: u32 = 0x9747_b28c;

/// The partition that the Java client's default partitioner gives a non-null key.
///
/// ```
/// use std::num::NonZeroU32;
/// assert_eq!(keyfall_core::schemes::kafka::java(b"100:48069", NonZeroU32::new(12).unwrap()), 9);
/// ```
#[inline]
pub fn java(key: &[u8], partitions: NonZeroU32) -> u32 {
    Murmur2Masked::map(Murmur2Masked::hash(key), partitions.get(), &mut NoTrace)
}

/// The partition that librdkafka's `consistent` and `consistent_random` give a non-empty key.
///
/// ```
/// use std::num::NonZeroU32;
/// let key = b"354afe16-939a-4ea8-8e17-8bb0840b6886";
/// assert_eq!(keyfall_core::schemes::kafka::librdkafka_consistent(key, NonZeroU32::new(10).unwrap()), 9);
/// ```
#[inline]
pub fn librdkafka_consistent(key: &[u8], partitions: NonZeroU32) -> u32 {
    Crc32Unsigned::map(Crc32Unsigned::hash(key), partitions.get(), &mut NoTrace)
}

/// What a partitioner does with the bytes of a key: hash, then map.
trait Function: Send + Sync + 'static {
    /// The hash's name, for traces.
    const HASH: &'static str;
    /// The hash as a 32-bit pattern.
    fn hash(bytes: &[u8]) -> u32;
    /// The hash with the sign that the client gives it.
    fn shown(hash: u32) -> Hash;
    /// The partition.
    fn map<T: Tracer>(hash: u32, partitions: u32, tracer: &mut T) -> u32;
}

fn say_map<T: Tracer>(tracer: &mut T, words: &str, partition: u32) -> u32 {
    tracer.say(Stage::Map, || (words.to_string(), partition.to_string()));
    partition
}

struct Murmur2Masked;

impl Function for Murmur2Masked {
    const HASH: &'static str = "murmur2, seed 0x9747b28c, signed";
    #[inline]
    fn hash(bytes: &[u8]) -> u32 {
        murmur2(bytes, SEED)
    }
    #[inline]
    fn shown(hash: u32) -> Hash {
        Hash::I32(hash as i32)
    }
    #[inline]
    fn map<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
        masked(hash, n, tracer)
    }
}

#[inline]
fn masked<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
    tracer.say(Stage::Map, || {
        let cleared =
            if hash > i32::MAX as u32 { "the sign bit is set: cleared" } else { "the sign bit is clear already" };
        (format!("{cleared} (& 0x7fffffff)"), (hash & 0x7fff_ffff).to_string())
    });
    let partition = modulo::masked(hash as i32, n);
    tracer.say(Stage::Map, || (format!("modulo {n} partitions"), partition.to_string()));
    partition
}

struct Crc32Unsigned;

impl Function for Crc32Unsigned {
    const HASH: &'static str = "CRC-32, unsigned";
    #[inline]
    fn hash(bytes: &[u8]) -> u32 {
        crc32(bytes)
    }
    #[inline]
    fn shown(hash: u32) -> Hash {
        Hash::U32(hash)
    }
    #[inline]
    fn map<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
        say_map(tracer, "unsigned modulo the number of partitions", modulo::unsigned(hash, n))
    }
}

struct Crc32Abs;

impl Function for Crc32Abs {
    const HASH: &'static str = "CRC-32, cast to a signed 32-bit integer";
    #[inline]
    fn hash(bytes: &[u8]) -> u32 {
        crc32(bytes)
    }
    #[inline]
    fn shown(hash: u32) -> Hash {
        Hash::I32(hash as i32)
    }
    #[inline]
    fn map<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
        say_map(tracer, "signed remainder, then its absolute value", modulo::abs_of_remainder(hash as i32, n))
    }
}

struct Fnv1aAbs;

impl Function for Fnv1aAbs {
    const HASH: &'static str = "FNV-1a 32, cast to a signed 32-bit integer";
    #[inline]
    fn hash(bytes: &[u8]) -> u32 {
        fnv1a_32(bytes)
    }
    #[inline]
    fn shown(hash: u32) -> Hash {
        Hash::I32(hash as i32)
    }
    #[inline]
    fn map<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
        say_map(tracer, "signed remainder, then its absolute value", modulo::abs_of_remainder(hash as i32, n))
    }
}

struct Fnv1aMasked;

impl Function for Fnv1aMasked {
    const HASH: &'static str = "FNV-1a 32";
    #[inline]
    fn hash(bytes: &[u8]) -> u32 {
        fnv1a_32(bytes)
    }
    #[inline]
    fn shown(hash: u32) -> Hash {
        Hash::I32(hash as i32)
    }
    #[inline]
    fn map<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
        masked(hash, n, tracer)
    }
}

/// A partitioner bound to its partition count.
struct Keyed<F> {
    scheme: &'static Scheme,
    partitions: u32,
    ignore_keys: bool,
    function: PhantomData<F>,
}

fn keyed<F: Function>(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Keyed::<F> {
        scheme,
        partitions: params.u32("partitions").expect("required"),
        ignore_keys: params.flag("ignore_keys"),
        function: PhantomData,
    }))
}

impl<F: Function> Keyed<F> {
    #[inline]
    fn hashed<T: Tracer>(&self, bytes: &[u8], tracer: &mut T) -> Outcome {
        let hash = F::hash(bytes);
        tracer.say(Stage::Hash, || (F::HASH.to_string(), F::shown(hash).to_string()));
        Outcome::Placed(Place::index(F::map(hash, self.partitions, tracer), F::shown(hash)))
    }

    fn null<T: Tracer>(&self, key: Key<'_>, tracer: &mut T) -> Result<Outcome, KeyError> {
        match self.scheme.null {
            NullRule::Unpinned(how) => {
                tracer.say(Stage::Rule, || {
                    (format!("taken as no key: the client chooses freely ({how})"), String::new())
                });
                Ok(Outcome::Unpinned(Why::Borrowed(how)))
            }
            NullRule::AsEmpty => {
                say_encoded(key, b"", tracer);
                Ok(self.hashed(b"", tracer))
            }
            NullRule::Fixed(partition) => {
                tracer.say(Stage::Rule, || ("a null key always goes here".into(), partition.to_string()));
                Ok(Outcome::Placed(Place { at: Coord::Index(partition), hash: None, owner: None }))
            }
            NullRule::Rejected(why) => rejected(why, tracer),
            NullRule::Refused(why) => Ok(Outcome::Refused(Why::Borrowed(why))),
        }
    }
}

impl<F: Function> Rule for Keyed<F> {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let bytes = match encode(key, self.scheme.surrogates, scratch) {
            Ok(Some(bytes)) if !self.ignore_keys => bytes,
            Ok(Some(_)) => {
                let why = "partitioner.ignore.keys is set: every key is placed as if it were null";
                tracer.say(Stage::Rule, || (why.into(), String::new()));
                return Ok(Outcome::Unpinned(Why::Borrowed(why)));
            }
            Ok(None) => return self.null(key, tracer),
            Err(error) => return failed(error, tracer),
        };
        say_encoded(key, bytes, tracer);
        if bytes.is_empty() {
            match self.scheme.empty {
                EmptyRule::Hashed => {}
                EmptyRule::AsNull => return self.null(key, tracer),
                EmptyRule::Fixed(partition) => {
                    tracer.say(Stage::Rule, || ("an empty key always goes here".into(), partition.to_string()));
                    return Ok(Outcome::Placed(Place { at: Coord::Index(partition), hash: None, owner: None }));
                }
                EmptyRule::Rejected(why) => return rejected(why, tracer),
            }
        }
        Ok(self.hashed(bytes, tracer))
    }

    fn places(&self) -> Option<u32> {
        Some(self.partitions)
    }
}

/// A partitioner that looks at no key.
struct Random {
    scheme: &'static Scheme,
    partitions: u32,
}

fn random(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Random { scheme, partitions: params.u32("partitions").expect("required") }))
}

impl Rule for Random {
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        match encode(key, self.scheme.surrogates, scratch) {
            Err(error) => failed(error, tracer),
            Ok(_) => {
                tracer.say(Stage::Rule, || ("this partitioner looks at no key".into(), String::new()));
                Ok(Outcome::Unpinned(Why::Borrowed("random, whatever the key")))
            }
        }
    }

    fn places(&self) -> Option<u32> {
        Some(self.partitions)
    }
}

const PARTITIONS: ParamSpec = ParamSpec::count("partitions", "the topic's number of partitions");
const ONLY_PARTITIONS: &[ParamSpec] = &[PARTITIONS];

/// What all rows have in common; a row names what differs.
const ROW: Scheme = Scheme {
    id: "",
    function: "",
    client: "",
    versions: "",
    default: false,
    setting: "",
    rule: "",
    unit: "partition",
    domain: Domain::Index,
    null: NullRule::Unpinned("random"),
    empty: EmptyRule::Hashed,
    surrogates: Surrogates::Rejected,
    params: ONLY_PARTITIONS,
    sources: &[],
    quirks: &[],
    bind: keyed::<Murmur2Masked>,
};

const MURMUR2: Scheme = Scheme {
    function: "murmur2-masked-modulo",
    rule: "(murmur2(key) & 0x7fffffff) % partitions",
    bind: keyed::<Murmur2Masked>,
    ..ROW
};

const CRC32: Scheme =
    Scheme { function: "crc32-modulo", rule: "crc32(key) % partitions, unsigned", bind: keyed::<Crc32Unsigned>, ..ROW };

const FNV1A: Scheme = Scheme {
    function: "fnv1a-abs-modulo",
    rule: "abs(int32(fnv1a_32(key)) % partitions)",
    bind: keyed::<Fnv1aAbs>,
    ..ROW
};

const FNV1A_MASKED: Scheme = Scheme {
    function: "fnv1a-masked-modulo",
    rule: "(fnv1a_32(key) & 0x7fffffff) % partitions",
    bind: keyed::<Fnv1aMasked>,
    ..ROW
};

const LIBRDKAFKA: &[&str] = &[
    "https://github.com/confluentinc/librdkafka/blob/master/src/rdkafka_msg.c",
    "https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md",
];
const SARAMA: &[&str] = &["https://github.com/IBM/sarama/blob/main/partitioner.go"];

/// Apache Kafka.
pub static SYSTEM: System = System {
    id: "kafka",
    name: "Apache Kafka",
    int32: Some("integer"),
    int64: Some("long"),
    schemes: &[
        Scheme {
            id: "kafka/java",
            client: "kafka-clients (Java)",
            versions: "0.8.2 to 4.x",
            default: true,
            setting: "leave `partitioner.class` unset and `partitioner.ignore.keys` false",
            null: NullRule::Unpinned("round robin up to 2.3, sticky from 2.4"),
            surrogates: Surrogates::QuestionMark,
            params: &[
                PARTITIONS,
                ParamSpec {
                    name: "ignore_keys",
                    kind: ParamKind::Bool,
                    required: false,
                    doc: "partitioner.ignore.keys: true makes every key unpinned (default false)",
                },
            ],
            sources: &[
                "https://github.com/apache/kafka/blob/trunk/clients/src/main/java/org/apache/kafka/clients/producer/internals/BuiltInPartitioner.java",
                "https://cwiki.apache.org/confluence/display/KAFKA/KIP-794%3A+Strictly+Uniform+Sticky+Partitioner",
            ],
            quirks: &["StringSerializer writes a lone surrogate as `?`: keys that differ only there share a partition"],
            ..MURMUR2
        },
        Scheme {
            id: "kafka/librdkafka-consistent-random",
            client: "librdkafka",
            versions: "0.9 to 2.x",
            default: true,
            setting: "partitioner=consistent_random",
            empty: EmptyRule::AsNull,
            sources: LIBRDKAFKA,
            quirks: &[
                "an empty key is as good as none: it goes to a random partition, unlike in every other keyed partitioner of librdkafka",
            ],
            ..CRC32
        },
        Scheme {
            id: "kafka/librdkafka-consistent",
            client: "librdkafka",
            versions: "0.8 to 2.x",
            setting: "partitioner=consistent",
            null: NullRule::AsEmpty,
            sources: LIBRDKAFKA,
            quirks: &["null and empty keys all go to partition 0, the CRC-32 of nothing"],
            ..CRC32
        },
        Scheme {
            id: "kafka/librdkafka-random",
            function: "random",
            client: "librdkafka",
            versions: "0.8 to 2.x",
            setting: "partitioner=random",
            rule: "no key is looked at",
            empty: EmptyRule::AsNull,
            sources: LIBRDKAFKA,
            bind: random,
            ..ROW
        },
        Scheme {
            id: "kafka/librdkafka-murmur2-random",
            client: "librdkafka",
            versions: "0.11 to 2.x",
            setting: "partitioner=murmur2_random",
            sources: LIBRDKAFKA,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/librdkafka-murmur2",
            client: "librdkafka",
            versions: "0.11 to 2.x",
            setting: "partitioner=murmur2",
            null: NullRule::AsEmpty,
            sources: LIBRDKAFKA,
            quirks: &[
                "all null keys go to the one partition of the empty key; `murmur2_random` is what the Java client does",
            ],
            ..MURMUR2
        },
        Scheme {
            id: "kafka/librdkafka-fnv1a-random",
            client: "librdkafka",
            versions: "1.4 to 2.x",
            setting: "partitioner=fnv1a_random",
            sources: LIBRDKAFKA,
            ..FNV1A
        },
        Scheme {
            id: "kafka/librdkafka-fnv1a",
            client: "librdkafka",
            versions: "1.4 to 2.x",
            setting: "partitioner=fnv1a",
            null: NullRule::AsEmpty,
            sources: LIBRDKAFKA,
            ..FNV1A
        },
        Scheme {
            id: "kafka/sarama-hash",
            client: "sarama (Go)",
            versions: "1.10 to 1.x",
            default: true,
            setting: "config.Producer.Partitioner = sarama.NewHashPartitioner",
            sources: SARAMA,
            quirks: &["ByteEncoder(nil) is null on the wire, but placed as the empty key"],
            ..FNV1A
        },
        Scheme {
            id: "kafka/sarama-reference-hash",
            client: "sarama (Go)",
            versions: "1.20 to 1.x",
            setting: "config.Producer.Partitioner = sarama.NewReferenceHashPartitioner",
            sources: SARAMA,
            ..FNV1A_MASKED
        },
        Scheme {
            id: "kafka/sarama-crc32",
            client: "sarama (Go)",
            versions: "1.41 to 1.x",
            setting: "config.Producer.Partitioner = sarama.NewConsistentCRCHashPartitioner",
            sources: SARAMA,
            ..CRC32
        },
        Scheme {
            id: "kafka/sarama-custom-crc32",
            function: "crc32-abs-modulo",
            client: "sarama (Go)",
            versions: "1.10 to 1.x",
            setting: "config.Producer.Partitioner = sarama.NewCustomHashPartitioner(crc32.NewIEEE)",
            rule: "abs(int32(crc32(key)) % partitions)",
            sources: SARAMA,
            quirks: &[
                "the hash is cast to a signed integer before the modulo: half of the keys are not where librdkafka's CRC-32 puts them, unless the count is a power of two",
            ],
            bind: keyed::<Crc32Abs>,
            ..ROW
        },
    ],
};
