//! Apache Kafka: the partitioners of its clients.

mod debezium;

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use super::{failed, rejected, say_encoded};
use crate::encode::kafka::encode;
use crate::encode::{EncodeError, text};
use sha1::{Digest, Sha1};

use crate::hash::crc32::crc32;
use crate::hash::fnv1a::fnv1a_32;
use crate::hash::java_hash_code::{bytes_hash_code, string_hash_code};
use crate::hash::murmur2::{murmur2, murmur2_signed_tail};
use crate::hash::murmur2_float::murmur2_float;
use crate::hash::xxh32::xxh32;
use crate::map::modulo;
use crate::placer::{Bound, Rule};
use crate::trace::Tracer;
use crate::{
    Coord, Direct, DirectCall, Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, Param, ParamKind,
    ParamSpec, Params, Place, Scheme, Stage, Surrogates, System, Typed, Value, Why,
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
    modulo::masked(murmur2(key, SEED) as i32, partitions.get())
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
    modulo::unsigned(crc32(key), partitions.get())
}

/// The partition that sarama's `NewHashPartitioner` gives a non-null key.
///
/// ```
/// use std::num::NonZeroU32;
/// assert_eq!(keyfall_core::schemes::kafka::sarama_hash(b"user:42", NonZeroU32::new(12).unwrap()), 2);
/// ```
#[inline]
pub fn sarama_hash(key: &[u8], partitions: NonZeroU32) -> u32 {
    modulo::abs_of_remainder(fnv1a_32(key) as i32, partitions.get())
}

/// A key on its way: as the user has it, for clients that hash text in their own way, and as bytes on the wire.
struct Input<'k> {
    key: Key<'k>,
    bytes: &'k [u8],
}

/// What a partitioner does with a key: hash, then map.
trait Function: Send + Sync + 'static {
    /// The hash's name, for traces.
    const HASH: &'static str;
    /// The hash's value.
    type Value: Copy;
    /// Whether the client takes this key.
    fn check(_: &Input<'_>) -> Result<(), EncodeError> {
        Ok(())
    }
    /// The hash.
    fn hash(input: &Input<'_>) -> Self::Value;
    /// The hash with the sign that the client gives it; none where it is wider than clients show.
    fn shown(hash: Self::Value) -> Option<Hash>;
    /// The partition.
    fn map<T: Tracer>(hash: Self::Value, partitions: u32, tracer: &mut T) -> u32;
}

/// A hash of 32 bits, shown signed or not, and what is done with it.
macro_rules! function {
    ($(#[$doc:meta])* $name:ident: $words:literal, $hash:expr, $shown:expr, $map:expr $(, check $check:expr)?) => {
        $(#[$doc])*
        struct $name;

        impl Function for $name {
            const HASH: &'static str = $words;
            type Value = u32;
            $(fn check(input: &Input<'_>) -> Result<(), EncodeError> {
                $check(input)
            })?
            #[inline]
            fn hash(input: &Input<'_>) -> u32 {
                let hash: fn(&Input<'_>) -> u32 = $hash;
                hash(input)
            }
            #[inline]
            fn shown(hash: u32) -> Option<Hash> {
                let shown: fn(u32) -> Hash = $shown;
                Some(shown(hash))
            }
            #[inline]
            fn map<T: Tracer>(hash: u32, partitions: u32, tracer: &mut T) -> u32 {
                $map(hash, partitions, tracer)
            }
        }
    };
}

#[inline]
fn signed(hash: u32) -> Hash {
    Hash::I32(hash as i32)
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

#[inline]
fn unsigned<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
    let partition = modulo::unsigned(hash, n);
    tracer.say(Stage::Map, || (format!("unsigned modulo {n} partitions"), partition.to_string()));
    partition
}

#[inline]
fn abs_of_remainder<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
    let partition = modulo::abs_of_remainder(hash as i32, n);
    tracer.say(Stage::Map, || {
        (format!("signed remainder by {n} partitions, then its absolute value"), partition.to_string())
    });
    partition
}

/// `abs(hash) % n` where the absolute value of INT_MIN is 0.
#[inline]
fn abs_or_zero<T: Tracer>(hash: u32, n: u32, tracer: &mut T) -> u32 {
    let abs = (hash as i32).checked_abs().unwrap_or(0) as u32;
    tracer.say(Stage::Map, || ("absolute value; 0 for -2147483648, which has none".into(), abs.to_string()));
    unsigned(abs, n, tracer)
}

/// The hash code of the object that the client is handed: a text's is Java's String.hashCode, a byte array's
/// Arrays.hashCode.
#[inline]
fn hash_code(input: &Input<'_>) -> u32 {
    let hash = match input.key {
        Key::Text(text) => string_hash_code(text.encode_utf16()),
        Key::Utf16(units) => string_hash_code(units.iter().copied()),
        Key::Typed(Typed { ty: "string", value: Value::Text(text) }) => string_hash_code(text.encode_utf16()),
        _ => bytes_hash_code(input.bytes),
    };
    hash as u32
}

function!(Murmur2Masked: "murmur2, seed 0x9747b28c, signed", |i| murmur2(i.bytes, SEED), signed, masked);
function!(Murmur2Unsigned: "murmur2, seed 0x9747b28c, unsigned", |i| murmur2(i.bytes, SEED), Hash::U32, unsigned);
function!(Crc32Unsigned: "CRC-32, unsigned", |i| crc32(i.bytes), Hash::U32, unsigned);
function!(Crc32Abs: "CRC-32, cast to a signed 32-bit integer", |i| crc32(i.bytes), signed, abs_of_remainder);
function!(Fnv1aAbs: "FNV-1a 32, cast to a signed 32-bit integer", |i| fnv1a_32(i.bytes), signed, abs_of_remainder);
function!(Fnv1aMasked: "FNV-1a 32", |i| fnv1a_32(i.bytes), signed, masked);
function!(Fnv1aUnsigned: "FNV-1a 32, unsigned", |i| fnv1a_32(i.bytes), Hash::U32, unsigned);
function!(Xxh32Unsigned: "xxHash 32, seed 0", |i| xxh32(i.bytes, 0), Hash::U32, unsigned);
/// The UTF-16 code units of a key that the client makes text of: bytes are decoded as UTF-8, U+FFFD for what is not.
#[inline]
fn with_units<R>(input: &Input<'_>, f: impl FnOnce(&mut dyn Iterator<Item = u16>) -> R) -> R {
    match input.key {
        Key::Utf16(units) => f(&mut units.iter().copied()),
        _ => f(&mut String::from_utf8_lossy(input.bytes).encode_utf16()),
    }
}

#[inline]
fn string_hash(input: &Input<'_>) -> u32 {
    with_units(input, |units| string_hash_code(units)) as u32
}

fn is_text(input: &Input<'_>) -> Result<(), EncodeError> {
    text::from_bytes(input.bytes).map(drop)
}

/// CRC-32 over the low byte of each UTF-16 code unit.
fn crc32_low_bytes(input: &Input<'_>) -> u32 {
    with_units(input, |units| {
        let low: Vec<u8> = units.map(|unit| unit as u8).collect();
        crc32(&low)
    })
}

function!(
    /// The Scala producer up to 0.8.1.
    HashCodeMasked: "Java's hashCode", hash_code, signed, masked, check is_known_object
);
function!(
    /// The group coordinator: a group id is text.
    GroupId: "Java's String.hashCode", string_hash, signed, abs_or_zero, check is_text
);
function!(
    /// kafka-node's keyed partitioner: 0 is replaced by 1.
    StringHashOrOne: "Java's String.hashCode without its sign bit, 1 instead of 0",
    |i| (string_hash(i) & 0x7fff_ffff).max(1),
    Hash::U32,
    unsigned
);
/// no-kafka hashes what `charCodeAt` gives, which a Buffer does not have.
fn is_string(input: &Input<'_>) -> Result<(), EncodeError> {
    let string = match input.key {
        Key::Bytes(_) => false,
        Key::Typed(typed) => typed.ty == "string",
        _ => true,
    };
    if string || input.bytes.is_empty() {
        return Ok(());
    }
    Err(EncodeError::Rejected(Why::Borrowed("the client takes strings alone: a Buffer throws a TypeError")))
}

/// The Scala producer hashes the object that it is handed, before it is serialized.
fn is_known_object(input: &Input<'_>) -> Result<(), EncodeError> {
    match input.key {
        Key::Typed(typed) if !matches!(typed.ty, "string" | "bytes") => Err(KeyError::new(format!(
            "the Scala producer hashes the object that it is handed, not its bytes: give text, bytes, string or bytes values, not {}",
            typed.ty
        ))
        .into()),
        _ => Ok(()),
    }
}

function!(
    /// no-kafka's CRC-32.
    Crc32LowBytes: "CRC-32 over the low byte of each UTF-16 unit", crc32_low_bytes, signed, abs_of_remainder, check is_string
);
function!(
    /// murmur2 as a C `char *` reads it where a char is signed.
    Murmur2SignedTail: "murmur2, seed 0x9747b28c, tail bytes sign-extended", |i| murmur2_signed_tail(i.bytes, SEED), signed, masked
);
function!(
    Murmur2Float: "murmur2 in floating point, seed 0x9747b28c, signed",
    |i| murmur2_float(i.bytes, SEED) as u32,
    signed,
    masked
);
function!(
    /// The Scala producer from 0.8.2.
    HashCodeAbs: "Java's hashCode", hash_code, signed, abs_or_zero, check is_known_object
);

/// SHA-1 as one integer of 160 bits.
struct Sha1Modulo;

impl Function for Sha1Modulo {
    const HASH: &'static str = "SHA-1";
    type Value = [u8; 20];
    fn hash(input: &Input<'_>) -> [u8; 20] {
        Sha1::digest(input.bytes).into()
    }
    fn shown(_: [u8; 20]) -> Option<Hash> {
        None
    }
    fn map<T: Tracer>(hash: [u8; 20], n: u32, tracer: &mut T) -> u32 {
        let n = u64::from(n);
        let partition = hash.iter().fold(0u64, |rest, byte| (rest << 8 | u64::from(*byte)) % n) as u32;
        tracer.say(Stage::Map, || (format!("as one big-endian integer, modulo {n} partitions"), partition.to_string()));
        partition
    }
}

/// A key that has its partition without a hash.
fn fixed<T: Tracer>(why: &'static str, partition: u32, tracer: &mut T) -> Outcome {
    tracer.say(Stage::Rule, || (why.into(), partition.to_string()));
    Outcome::Placed(Place { at: Coord::Index(partition), hash: None, owner: None })
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

/// franz-go's `SaramaHasher`: the hash becomes an `int`, whose width is the platform's.
fn keyed_by_int_width(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    match params.get("int_bits") {
        Some(Param::Text(bits)) if bits == "32" => keyed::<Fnv1aAbs>(scheme, params),
        _ => keyed::<Fnv1aUnsigned>(scheme, params),
    }
}

impl<F: Function> Keyed<F> {
    #[inline]
    fn hashed<T: Tracer>(&self, input: &Input<'_>, tracer: &mut T) -> Outcome {
        let hash = F::hash(input);
        tracer.say(Stage::Hash, || {
            (F::HASH.to_string(), F::shown(hash).map(|hash| hash.to_string()).unwrap_or_default())
        });
        let at = Coord::Index(F::map(hash, self.partitions, tracer));
        Outcome::Placed(Place { at, hash: F::shown(hash), owner: None })
    }

    #[inline(never)]
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
                Ok(self.hashed(&Input { key: Key::Bytes(b""), bytes: b"" }, tracer))
            }
            NullRule::Fixed(partition) => Ok(fixed("a null key always goes here", partition, tracer)),
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
                EmptyRule::Fixed(partition) => return Ok(fixed("an empty key always goes here", partition, tracer)),
                EmptyRule::Unpinned(how) => {
                    tracer.say(Stage::Rule, || (format!("the empty key is unpinned: {how}"), String::new()));
                    return Ok(Outcome::Unpinned(Why::Borrowed(how)));
                }
                EmptyRule::Rejected(why) => return rejected(why, tracer),
            }
        }
        let input = Input { key, bytes };
        match F::check(&input) {
            Ok(()) => Ok(self.hashed(&input, tracer)),
            Err(error) => failed(error, tracer),
        }
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

/// A partitioner whose hash nobody outside its process knows.
struct ProcessRandom {
    scheme: &'static Scheme,
    partitions: u32,
}

fn process_random(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(ProcessRandom { scheme, partitions: params.u32("partitions").expect("required") }))
}

impl Rule for ProcessRandom {
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        match (encode(key, self.scheme.surrogates, scratch), self.scheme.null) {
            (Err(error), _) => failed(error, tracer),
            (Ok(Some(bytes)), _) if bytes.is_empty() && self.scheme.empty == EmptyRule::Fixed(0) => {
                Ok(fixed("an empty key always goes here: its hash is 0 in every process", 0, tracer))
            }
            (Ok(_), NullRule::Refused(why)) => {
                tracer.say(Stage::Rule, || (format!("refused: {why}"), String::new()));
                Ok(Outcome::Refused(Why::Borrowed(why)))
            }
            (Ok(_), other) => unreachable!("the row of {} has the null rule {other:?}", self.scheme.id),
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
    records: true,
    domain: Domain::Index,
    null: NullRule::Unpinned("random"),
    empty: EmptyRule::Hashed,
    surrogates: Surrogates::Rejected,
    lone_surrogates: None,
    params: ONLY_PARTITIONS,
    sources: &[],
    quirks: &[],
    direct: None,
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
const FRANZ_GO: &[&str] = &["https://github.com/twmb/franz-go/blob/master/pkg/kgo/partitioner.go"];
const KAFKA_GO: &[&str] = &["https://github.com/segmentio/kafka-go/blob/main/balancer.go"];
const KAFKAJS: &[&str] = &[
    "https://kafka.js.org/docs/producing#custom-partitioner",
    "https://github.com/tulios/kafkajs/tree/master/src/producer/partitioners",
];
const NO_KAFKA: &[&str] = &["https://github.com/oleksiyk/kafka/tree/master/lib/assignment/partitioners"];
const PLATFORMATIC: &[&str] = &["https://github.com/platformatic/kafka/blob/main/src/clients/producer/producer.ts"];
const RUBY_KAFKA: &[&str] = &["https://github.com/zendesk/ruby-kafka/blob/master/lib/kafka/partitioner.rb"];
const SCALA: &[&str] =
    &["https://github.com/apache/kafka/blob/0.8.2/core/src/main/scala/kafka/producer/DefaultPartitioner.scala"];
const DEBEZIUM: &[&str] = &[
    "https://debezium.io/documentation/reference/stable/transformations/partition-routing.html",
    "https://github.com/debezium/debezium/blob/main/debezium-connect-plugins/src/main/java/io/debezium/transforms/partitions/PartitionRouting.java",
];
const SARAMA: &[&str] = &["https://github.com/IBM/sarama/blob/main/partitioner.go"];

/// What both hashes of Debezium's transform have in common.
const ROUTING: Scheme = Scheme {
    client: "Debezium (PartitionRouting)",
    null: NullRule::Unpinned("by the producer, from the record's own key: the transform names no partition"),
    params: &[ParamSpec::count("partitions", "partition.topic.num, which should be the topic's number of partitions")],
    sources: DEBEZIUM,
    ..ROW
};

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
            direct: Some(Direct::new("kafka_java", "schemes::kafka::java", DirectCall::Counted(java))),
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
            direct: Some(Direct::new(
                "kafka_librdkafka_consistent",
                "schemes::kafka::librdkafka_consistent",
                DirectCall::Counted(librdkafka_consistent),
            )),
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
            direct: Some(Direct::new(
                "kafka_sarama_hash",
                "schemes::kafka::sarama_hash",
                DirectCall::Counted(sarama_hash),
            )),
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
        Scheme {
            id: "kafka/sarama-murmur2",
            client: "sarama (Go)",
            versions: "1.61 to 1.x",
            setting: "config.Producer.Partitioner = sarama.NewMurmur2Partitioner",
            sources: SARAMA,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/franz-go",
            client: "franz-go (Go)",
            versions: "1.x",
            default: true,
            setting: "leave kgo.RecordPartitioner unset",
            null: NullRule::Unpinned("one partition for 64 KiB, then another"),
            sources: FRANZ_GO,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/franz-go-sarama-compat-fnv1a",
            client: "franz-go (Go)",
            versions: "1.11 to 1.x",
            setting: "kgo.RecordPartitioner(kgo.StickyKeyPartitioner(kgo.SaramaCompatHasher(fnv1a)))",
            null: NullRule::Unpinned("sticky"),
            sources: FRANZ_GO,
            ..FNV1A
        },
        Scheme {
            id: "kafka/franz-go-kafka-fnv1a",
            client: "franz-go (Go)",
            versions: "1.x",
            setting: "kgo.RecordPartitioner(kgo.StickyKeyPartitioner(kgo.KafkaHasher(fnv1a)))",
            null: NullRule::Unpinned("sticky"),
            sources: FRANZ_GO,
            ..FNV1A_MASKED
        },
        Scheme {
            id: "kafka/franz-go-sarama-fnv1a",
            function: "fnv1a-unsigned-modulo",
            client: "franz-go (Go)",
            versions: "1.x",
            setting: "kgo.RecordPartitioner(kgo.StickyKeyPartitioner(kgo.SaramaHasher(fnv1a)))",
            rule: "int(fnv1a_32(key)) % partitions, its sign dropped; an int has 64 or 32 bits",
            null: NullRule::Unpinned("sticky"),
            params: &[
                PARTITIONS,
                ParamSpec {
                    name: "int_bits",
                    kind: ParamKind::Choice(&["64", "32"]),
                    required: false,
                    doc: "the width of Go's int where the producer runs (default 64)",
                },
            ],
            sources: FRANZ_GO,
            quirks: &[
                "named after sarama, but on 64-bit machines it is not where sarama puts the key: SaramaCompatHasher is",
                "the same program built for 32 bits places half of the keys elsewhere",
            ],
            bind: keyed_by_int_width,
            ..ROW
        },
        Scheme {
            id: "kafka/kafka-go-hash",
            client: "kafka-go (Go)",
            versions: "0.x",
            setting: "Writer.Balancer = &kafka.Hash{}",
            null: NullRule::Unpinned("round robin"),
            sources: KAFKA_GO,
            quirks: &["a Writer without a Balancer looks at no key: it goes round robin"],
            ..FNV1A
        },
        Scheme {
            id: "kafka/kafka-go-reference-hash",
            client: "kafka-go (Go)",
            versions: "0.4.36 to 0.x",
            setting: "Writer.Balancer = &kafka.ReferenceHash{}",
            null: NullRule::Unpinned("round robin"),
            sources: KAFKA_GO,
            ..FNV1A_MASKED
        },
        Scheme {
            id: "kafka/kafka-go-crc32",
            client: "kafka-go (Go)",
            versions: "0.3 to 0.x",
            setting: "Writer.Balancer = kafka.CRC32Balancer{}",
            empty: EmptyRule::AsNull,
            sources: KAFKA_GO,
            ..CRC32
        },
        Scheme {
            id: "kafka/kafka-go-crc32-consistent",
            client: "kafka-go (Go)",
            versions: "0.3 to 0.x",
            setting: "Writer.Balancer = kafka.CRC32Balancer{Consistent: true}",
            null: NullRule::AsEmpty,
            sources: KAFKA_GO,
            ..CRC32
        },
        Scheme {
            id: "kafka/kafka-go-murmur2",
            client: "kafka-go (Go)",
            versions: "0.3 to 0.x",
            setting: "Writer.Balancer = kafka.Murmur2Balancer{}",
            sources: KAFKA_GO,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/kafka-go-murmur2-consistent",
            client: "kafka-go (Go)",
            versions: "0.3 to 0.x",
            setting: "Writer.Balancer = kafka.Murmur2Balancer{Consistent: true}",
            null: NullRule::AsEmpty,
            sources: KAFKA_GO,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/kafka-python",
            client: "kafka-python, aiokafka (Python)",
            versions: "1.4 to 3.x; aiokafka 0.x",
            default: true,
            setting: "leave partitioner unset",
            sources: &["https://github.com/dpkp/kafka-python/blob/master/kafka/partitioner/default.py"],
            quirks: &["without a key_serializer only bytes are taken: a str that is not empty raises"],
            ..MURMUR2
        },
        Scheme {
            id: "kafka/pykafka-hashing",
            function: "sha1-modulo",
            client: "pykafka (Python)",
            versions: "2.8",
            setting: "partitioner=pykafka.partitioners.hashing_partitioner",
            rule: "int(sha1(key)) % partitions",
            null: NullRule::Rejected("the hashing partitioner raises ValueError for a key that is None"),
            sources: &["https://github.com/Parsely/pykafka/blob/master/pykafka/partitioners.py"],
            bind: keyed::<Sha1Modulo>,
            ..ROW
        },
        Scheme {
            id: "kafka/kafka-python-hashed",
            function: "process-random",
            client: "kafka-python (Python)",
            versions: "0.9 to 1.4",
            setting: "partitioner=HashedPartitioner()",
            rule: "hash(key) % partitions, Python's own hash",
            null: NullRule::Refused(
                "Python's hash() of bytes and str differs from process to process (PYTHONHASHSEED): read the partition from the records instead",
            ),
            empty: EmptyRule::Fixed(0),
            sources: &["https://docs.python.org/3/reference/datamodel.html#object.__hash__"],
            bind: process_random,
            ..ROW
        },
        Scheme {
            id: "kafka/kafkajs",
            client: "kafkajs (Node)",
            versions: "2.x; 1.x as JavaCompatiblePartitioner",
            default: true,
            setting: "createPartitioner: Partitioners.DefaultPartitioner (1.x: JavaCompatiblePartitioner)",
            surrogates: Surrogates::Replacement,
            sources: KAFKAJS,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/kafkajs-legacy",
            function: "murmur2-float-masked-modulo",
            client: "kafkajs (Node)",
            versions: "1.x by default; 2.x as LegacyPartitioner",
            setting: "createPartitioner: Partitioners.LegacyPartitioner",
            rule: "(murmur2 in floating point & 0x7fffffff) % partitions",
            surrogates: Surrogates::Replacement,
            sources: KAFKAJS,
            quirks: &[
                "products lose their low bits above 2^53, and the last incomplete block is hashed twice: no other client agrees",
            ],
            bind: keyed::<Murmur2Float>,
            ..ROW
        },
        Scheme {
            id: "kafka/platformatic",
            function: "murmur2-unsigned-modulo",
            client: "@platformatic/kafka (Node)",
            versions: "1.x",
            default: true,
            setting: "leave partitioner unset",
            rule: "uint32(murmur2(key)) % partitions",
            surrogates: Surrogates::Replacement,
            sources: PLATFORMATIC,
            quirks: &[
                "the sign bit is not cleared: half of the keys are not where the Java client puts them, unless the count is a power of two",
            ],
            bind: keyed::<Murmur2Unsigned>,
            ..ROW
        },
        Scheme {
            id: "kafka/platformatic-compatibility",
            client: "@platformatic/kafka (Node)",
            versions: "1.x",
            setting: "partitioner: compatibilityPartitioner",
            null: NullRule::Fixed(0),
            surrogates: Surrogates::Replacement,
            sources: PLATFORMATIC,
            quirks: &["all null keys go to partition 0, unlike in the Java client"],
            ..MURMUR2
        },
        Scheme {
            id: "kafka/kafka-node-keyed",
            function: "hash-code-or-one-modulo",
            client: "kafka-node (Node)",
            versions: "0.x to 5.x",
            setting: "partitionerType: 3 (keyed)",
            rule: "(String.hashCode(key) & 0x7fffffff, or 1 for 0) % partitions",
            null: NullRule::AsEmpty,
            surrogates: Surrogates::Replacement,
            sources: &["https://github.com/SOHU-Co/kafka-node/blob/master/lib/partitioner.js"],
            quirks: &["a Buffer is decoded as UTF-8 first: keys that are not UTF-8 collide at U+FFFD"],
            bind: keyed::<StringHashOrOne>,
            ..ROW
        },
        Scheme {
            id: "kafka/no-kafka",
            client: "no-kafka (Node)",
            versions: "3.x",
            default: true,
            setting: "leave partitioner unset",
            surrogates: Surrogates::Replacement,
            sources: NO_KAFKA,
            ..MURMUR2
        },
        Scheme {
            id: "kafka/no-kafka-crc32",
            function: "crc32-low-bytes-abs-modulo",
            client: "no-kafka (Node)",
            versions: "3.x",
            setting: "partitioner: new HashCRC32Partitioner()",
            rule: "abs(int32(crc32(low byte of each UTF-16 unit)) % partitions)",
            null: NullRule::Fixed(0),
            surrogates: Surrogates::Replacement,
            sources: NO_KAFKA,
            quirks: &[
                "only the low byte of each UTF-16 unit is hashed: for keys beyond ASCII it agrees with no other CRC-32",
            ],
            bind: keyed::<Crc32LowBytes>,
            ..ROW
        },
        Scheme {
            id: "kafka/kafka-rust",
            function: "xxh32-modulo",
            client: "kafka (Rust)",
            versions: "0.8 to 0.10",
            default: true,
            setting: "leave the partitioner unset",
            rule: "xxh32(key, seed 0) % partitions",
            null: NullRule::Unpinned("round robin"),
            empty: EmptyRule::AsNull,
            sources: &["https://github.com/kafka-rust/kafka-rust/blob/master/src/producer.rs"],
            bind: keyed::<Xxh32Unsigned>,
            ..ROW
        },
        Scheme {
            id: "kafka/scala-0.8.0",
            function: "hash-code-masked-modulo",
            client: "Scala producer",
            versions: "0.8.0, 0.8.1",
            default: true,
            setting: "leave partitioner.class unset",
            rule: "(hashCode(key) & 0x7fffffff) % partitions",
            null: NullRule::Unpinned("one random partition for ten minutes"),
            surrogates: Surrogates::QuestionMark,
            sources: SCALA,
            quirks: &[
                "the object handed over is hashed before it is serialized: the same text as String and as byte array has two partitions",
            ],
            bind: keyed::<HashCodeMasked>,
            ..ROW
        },
        Scheme {
            id: "kafka/scala-0.8.2",
            function: "hash-code-abs-modulo",
            client: "Scala producer",
            versions: "0.8.2 to 1.1",
            default: true,
            setting: "leave partitioner.class unset",
            rule: "abs(hashCode(key)) % partitions; abs(-2^31) is 0",
            null: NullRule::Unpinned("one random partition for ten minutes"),
            surrogates: Surrogates::QuestionMark,
            sources: SCALA,
            quirks: &["a true absolute value since 0.8.2, a cleared sign bit before: an upgrade moves keys"],
            bind: keyed::<HashCodeAbs>,
            ..ROW
        },
        Scheme {
            id: "kafka/group-coordinator",
            function: "group-id-hash-code",
            client: "Kafka broker (group coordinator)",
            versions: "0.9 to 4.x",
            default: true,
            setting: "what the broker does",
            records: false,
            rule: "abs(String.hashCode(group id)) % partitions of __consumer_offsets; abs(-2^31) is 0",
            null: NullRule::Rejected("a group id is never null"),
            surrogates: Surrogates::QuestionMark,
            params: &[ParamSpec::count(
                "partitions",
                "the number of partitions of __consumer_offsets (offsets.topic.num.partitions, 50 by default)",
            )],
            sources: &[
                "https://github.com/apache/kafka/blob/trunk/group-coordinator/src/main/java/org/apache/kafka/coordinator/group/GroupCoordinatorService.java",
            ],
            quirks: &[
                "the key is a group id, not a record's key: the place is the partition of __consumer_offsets whose leader coordinates the group",
            ],
            bind: keyed::<GroupId>,
            ..ROW
        },
        Scheme {
            id: "kafka/ruby-kafka",
            client: "ruby-kafka (Ruby)",
            versions: "1.x",
            default: true,
            setting: "leave partitioner unset (Kafka::Partitioner, hash_function: :crc32)",
            sources: RUBY_KAFKA,
            ..CRC32
        },
        Scheme {
            id: "kafka/ruby-kafka-murmur2",
            function: "murmur2-signed-tail-masked-modulo",
            client: "ruby-kafka (Ruby)",
            versions: "1.3 to 1.x",
            setting: "partitioner: Kafka::Partitioner.new(hash_function: :murmur2)",
            rule: "(murmur2(key), tail bytes sign-extended, & 0x7fffffff) % partitions",
            sources: RUBY_KAFKA,
            quirks: &[
                "the gem digest-murmurhash reads the last one to three bytes as signed chars on x86-64: most non-ASCII keys are not where the Java client puts them",
            ],
            bind: keyed::<Murmur2SignedTail>,
            ..ROW
        },
        Scheme {
            id: "kafka/elastic-beats-hash",
            client: "Elastic Beats (Go)",
            versions: "7.13 to 9.x",
            setting: "output.kafka.partition.hash",
            sources: &["https://github.com/elastic/beats/blob/main/libbeat/outputs/kafka/partition.go"],
            quirks: &[
                "without output.kafka.key, or where its format string fails, there is no key: the partition is random",
            ],
            ..FNV1A_MASKED
        },
        Scheme {
            id: "kafka/debezium-java",
            function: "debezium-hash-code-sum",
            versions: "2.3 to 3.x",
            default: true,
            setting: "io.debezium.transforms.partitions.PartitionRouting, partition.hash.function=java or unset",
            rule: "(sum of hashCode(field) & 0x7fffffff, or 0 for 2147483647) % partitions",
            surrogates: Surrogates::Kept,
            quirks: &[
                "the key is what partition.payload.fields names, one value or several: the record's own key plays no part",
                "the hashes are summed: fields that swap their values share a partition, and null fields are left out",
                "the type of the column counts: -1 is -1 as an integer and 0 as a long, and -0.0 is not where 0.0 is",
                "bytes are hashed as a ByteBuffer, from the last to the first; a connector that emits byte[] hashes its address",
            ],
            bind: debezium::java,
            ..ROUTING
        },
        Scheme {
            id: "kafka/debezium-murmur",
            function: "debezium-murmur-sum",
            versions: "2.3 to 3.x",
            setting: "io.debezium.transforms.partitions.PartitionRouting, partition.hash.function=murmur",
            rule: "(sum of murmur(field) & 0x7fffffff, or 0 for 2147483647) % partitions",
            surrogates: Surrogates::QuestionMark,
            quirks: &[
                "the key is what partition.payload.fields names, one value or several: the record's own key plays no part",
                "the hashes are summed: fields that swap their values share a partition, and null fields are left out",
                "murmur is a draft of murmur3 x64 that Debezium took from Infinispan, seed 9001, high 32 bits: no library has it",
                "text is hashed as UTF-8; numbers, booleans and bytes by the 4 bytes of their hashCode, so that 1 is the same as short, integer and long",
            ],
            bind: debezium::murmur,
            ..ROUTING
        },
        Scheme {
            id: "kafka/dotnet-gethashcode",
            function: "process-random",
            client: "CSharpClient-for-Kafka, nkafka (.NET)",
            versions: "all, and every partitioner that calls GetHashCode",
            setting: "a partitioner that calls key.GetHashCode()",
            rule: "key.GetHashCode() % partitions, .NET's own hash",
            null: NullRule::Refused(
                "GetHashCode differs from process to process (strings, since .NET Core) or from runtime to runtime: read the partition from the records instead, and set a partitioner over the key's bytes, such as murmur2_random in Confluent.Kafka",
            ),
            empty: EmptyRule::AsNull,
            sources: &[
                "https://learn.microsoft.com/en-us/dotnet/api/system.string.gethashcode",
                "https://github.com/microsoft/CSharpClient-for-Kafka/blob/master/src/KafkaNET.Library/Producers/Partitioning/DefaultPartitioner.cs",
            ],
            bind: process_random,
            ..ROW
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_says_what_became_of_the_sign() {
        for (hash, said, value) in [
            (0x7fff_ffff, "the sign bit is clear", "2147483647"),
            (0x8000_0000, "the sign bit is set", "0"),
            (0x8000_0001, "the sign bit is set", "1"),
        ] {
            let mut trace = crate::Trace::new();
            masked(hash, 12, &mut trace);
            assert!(trace[0].words.starts_with(said) && trace[0].value == value, "{hash}: {trace:?}");
        }
    }
}
