//! Apache Cassandra: tokens of partition keys.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::marker::PhantomData;

use md5::{Digest, Md5};

use super::{encoded_words, failed, say_encoded};
use crate::encode::{EncodeError, composite, cql, text};
use crate::hash::murmur3_x64_128::murmur3_x64_128_signed_tail;
use crate::placer::{Bound, Rule};
use crate::trace::{Tracer, hex};
use crate::{
    BytesForm, Coord, Direct, DirectCall, Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, Params,
    Place, Scheme, Stage, Surrogates, System,
};

/// Murmur3Partitioner's token of a serialized partition key.
///
/// ```
/// use keyfall_core::schemes::cassandra::token;
/// assert_eq!(token(&[0x80]), -5284281814142962636);
/// assert_eq!(token(b""), i64::MIN);
/// ```
#[inline]
pub fn token(key: &[u8]) -> i64 {
    if key.is_empty() {
        return i64::MIN;
    }
    normalize(murmur3_x64_128_signed_tail(key, 0)[0] as i64)
}

/// The minimum token means "before the ring", so no key may have it.
#[inline]
fn normalize(hash: i64) -> i64 {
    if hash == i64::MIN { i64::MAX } else { hash }
}

/// RandomPartitioner's token of a serialized partition key, from 0 to 2^127; none for the empty key, whose token is -1.
///
/// ```
/// use keyfall_core::schemes::cassandra::random_token;
/// assert_eq!(random_token(b"a"), Some(16955237001963240173058271559858726497));
/// assert_eq!(random_token(b""), None);
/// ```
#[inline]
pub fn random_token(key: &[u8]) -> Option<u128> {
    if key.is_empty() { None } else { Some(magnitude(Md5::digest(key).into())) }
}

/// The absolute value of a digest that is taken as a signed big-endian integer.
#[inline]
fn magnitude(digest: [u8; 16]) -> u128 {
    i128::from_be_bytes(digest).unsigned_abs()
}

/// The serialized partition key: one column's bytes, or the composite of several.
///
/// # Errors
/// A column that has no bytes, named by its index where there are several; null; a key that is longer than any may be.
#[inline]
pub(super) fn partition_key<'k, T: Tracer>(
    key: Key<'k>,
    surrogates: Surrogates,
    scratch: &'k mut Vec<u8>,
    tracer: &mut T,
) -> Result<&'k [u8], EncodeError> {
    let bytes = match key {
        Key::Tuple([column]) if !matches!(column, Key::Tuple(_)) => {
            return partition_key(*column, surrogates, scratch, tracer);
        }
        Key::Tuple([]) => return Err(KeyError::new("a composite partition key has at least one component").into()),
        Key::Tuple(columns) => {
            // What is malformed is so before anything else: all columns are read.
            let mut doubt = None;
            for (i, part) in columns.iter().enumerate() {
                let at = scratch.len() + 2;
                match composite::component(scratch, |out| column(*part, surrogates, out)) {
                    Ok(true) => tracer.say(Stage::Encode, || {
                        let bytes = &scratch[at..scratch.len() - 1];
                        (format!("column {i}: {}", encoded_words(*part, bytes)), hex(bytes))
                    }),
                    Ok(false) => {
                        let why = format!("column {i} is null: partition key columns never are");
                        doubt.get_or_insert(EncodeError::Rejected(why.into()));
                    }
                    Err(EncodeError::Malformed(e)) => return Err(KeyError::new(format!("column {i}: {e}")).into()),
                    Err(EncodeError::Rejected(why)) => {
                        doubt.get_or_insert(EncodeError::Rejected(format!("column {i}: {why}").into()));
                    }
                    Err(EncodeError::Refused(why)) => {
                        doubt.get_or_insert(EncodeError::Refused(format!("column {i}: {why}").into()));
                    }
                }
            }
            if let Some(error) = doubt {
                return Err(error);
            }
            &scratch[..]
        }
        Key::Bytes(bytes) => bytes,
        Key::Text(text) => text.as_bytes(),
        single => {
            if !column(single, surrogates, scratch)? {
                return Err(EncodeError::Rejected("a partition key is never null".into()));
            }
            &scratch[..]
        }
    };
    if bytes.len() > composite::MAX_KEY {
        let why = format!("the partition key has {} bytes, at most {} are allowed", bytes.len(), composite::MAX_KEY);
        return Err(EncodeError::Rejected(why.into()));
    }
    say_encoded(key, bytes, tracer);
    Ok(bytes)
}

/// Appends the bytes of one column; false for null.
#[inline]
fn column(key: Key<'_>, surrogates: Surrogates, out: &mut Vec<u8>) -> Result<bool, EncodeError> {
    match key {
        Key::Null => return Ok(false),
        Key::Bytes(bytes) => out.extend_from_slice(bytes),
        Key::Text(text) => out.extend_from_slice(text.as_bytes()),
        Key::Utf16(units) => text::utf8(units, surrogates, out)?,
        Key::Typed(typed) => return cql::encode(typed, out),
        Key::Tuple(_) | Key::Fields(_) => {
            let kind = key.kind();
            return Err(KeyError::new(format!("{kind} cannot be a column: give bytes, text or a typed value")).into());
        }
    }
    Ok(true)
}

/// A partitioner: serialized key -> token.
trait Partitioner: Send + Sync + 'static {
    /// What it does, for traces.
    const WORDS: &'static str;
    /// What becomes of the empty key, for traces.
    const EMPTY: &'static str;
    /// The token, and the hash where it is one.
    fn place(key: &[u8]) -> (Coord, Option<Hash>);
}

struct Murmur3;

impl Partitioner for Murmur3 {
    const WORDS: &'static str =
        "first 64 bits of MurmurHash3 x64 128 with sign-extended tail bytes; -2^63 would become 2^63 - 1";
    const EMPTY: &'static str =
        "the empty key has the minimum token; no server stores a row under an empty partition key alone";
    #[inline]
    fn place(key: &[u8]) -> (Coord, Option<Hash>) {
        let token = token(key);
        (Coord::I64(token), Some(Hash::I64(token)))
    }
}

struct Random;

impl Partitioner for Random {
    const WORDS: &'static str = "MD5 as a signed 128-bit integer, then its absolute value";
    const EMPTY: &'static str =
        "the empty key has the minimum token; no server stores a row under an empty partition key alone";
    #[inline]
    fn place(key: &[u8]) -> (Coord, Option<Hash>) {
        match random_token(key) {
            Some(token) => (Coord::U128(token), Some(Hash::U128(token))),
            None => (Coord::I64(-1), Some(Hash::I64(-1))),
        }
    }
}

struct ByteOrdered;

impl Partitioner for ByteOrdered {
    const WORDS: &'static str = "the bytes are the token";
    const EMPTY: &'static str =
        "the empty token is the minimum; no server stores a row under an empty partition key alone";
    #[inline]
    fn place(key: &[u8]) -> (Coord, Option<Hash>) {
        (Coord::Bytes(key.to_vec(), BytesForm::HexLower), None)
    }
}

struct OrderPreserving;

impl Partitioner for OrderPreserving {
    const WORDS: &'static str = "the bytes as UTF-8 text are the token, or their hex where they are none";
    const EMPTY: &'static str = ByteOrdered::EMPTY;
    #[inline]
    fn place(key: &[u8]) -> (Coord, Option<Hash>) {
        let text = match core::str::from_utf8(key) {
            Ok(_) => key.to_vec(),
            Err(_) => Coord::Bytes(key.to_vec(), BytesForm::HexLower).to_string().into_bytes(),
        };
        (Coord::Bytes(text, BytesForm::Text), None)
    }
}

struct Bind<P> {
    scheme: &'static Scheme,
    partitioner: PhantomData<P>,
}

impl<P: Partitioner> Rule for Bind<P> {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let bytes = match partition_key(key, self.scheme.surrogates, scratch, tracer) {
            Ok(bytes) => bytes,
            Err(error) => return failed(error, tracer),
        };
        let (at, hash) = P::place(bytes);
        tracer.say(Stage::Hash, || ((if bytes.is_empty() { P::EMPTY } else { P::WORDS }).into(), at.to_string()));
        Ok(Outcome::Placed(Place { at, hash, owner: None }))
    }
}

fn bind<P: Partitioner>(scheme: &'static Scheme, _: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Bind { scheme, partitioner: PhantomData::<P> }))
}

/// What all partitioners have in common.
const ANY: Scheme = Scheme {
    id: "",
    function: "",
    client: "",
    versions: "1.2 to 5.x",
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
    bind: bind::<Murmur3>,
};

/// Of typed keys, whichever the partitioner.
macro_rules! quirks {
    ($($own:literal),* $(,)?) => {
        &[
            $($own,)*
            "sets and maps are hashed in the order of their elements' type, each element once: a driver that sends them \
             in its own order asks for another token than the server stores the row under",
            "of a map literal with one key twice, or a set literal with 1.0 and 1.00, the server keeps either from one \
             statement to the next: refused",
            "a timestamp's text 12:34:56.7 is 7 milliseconds past the second to 3.11 and 700 to 4.0 and later; days \
             before 1582-10-15 are Julian to 3.11; keyfall reads them as 4.0 does",
            "vectors, in 5.0 and later: vector<tinyint,3> has a length before each element, vector<int,3> none",
            "5.0 takes durations and counters in a key inside a vector; here they are rejected as everywhere",
        ]
    };
}

/// Apache Cassandra.
pub static SYSTEM: System = System {
    id: "cassandra",
    name: "Apache Cassandra",
    int32: Some("int"),
    int64: Some("bigint"),
    schemes: &[
        Scheme {
            id: "cassandra/murmur3",
            function: "murmur3-signed-tail-token",
            client: "Cassandra (Murmur3Partitioner)",
            default: true,
            setting: "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
            rule: "first 64 bits of murmur3_x64_128(key), tail bytes sign-extended; -2^63 becomes 2^63 - 1",
            sources: &[
                "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/dht/Murmur3Partitioner.java",
                "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/utils/MurmurHash.java",
            ],
            quirks: quirks![
                "tail bytes of 0x80 and above are sign-extended: textbook MurmurHash3 gives another token for most non-ASCII keys",
                "an empty key alone has the token -2^63, which no server stores; drivers answer 0 for it",
                "gocql, the Node driver and cdrs-tokio leave a hash of -2^63 as it is: another token than the server's",
                "two keys that look alike: NaN of Go and of CQL or Java; ::ffff:192.0.2.1, 16 bytes in Python and Node, 4 in CQL and Java",
            ],
            direct: Some(Direct::new("cassandra_token", "schemes::cassandra::token", DirectCall::I64(token))),
            ..ANY
        },
        Scheme {
            id: "cassandra/random",
            function: "md5-abs-token",
            client: "Cassandra (RandomPartitioner)",
            versions: "0.3 to 5.x (the default before 1.2)",
            setting: "partitioner: org.apache.cassandra.dht.RandomPartitioner",
            rule: "abs(md5(key) as a signed 128-bit integer)",
            domain: Domain::U128,
            sources: &[
                "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/dht/RandomPartitioner.java",
            ],
            quirks: quirks![
                "the digest is signed: half of all keys have the two's complement of the MD5 that other tools print",
                "an empty key alone has the token -1, which no server stores",
            ],
            bind: bind::<Random>,
            ..ANY
        },
        Scheme {
            id: "cassandra/byte-ordered",
            function: "byte-ordered-token",
            client: "Cassandra (ByteOrderedPartitioner)",
            versions: "0.7 to 5.x",
            setting: "partitioner: org.apache.cassandra.dht.ByteOrderedPartitioner",
            rule: "the key's bytes",
            domain: Domain::Bytes(BytesForm::HexLower),
            sources: &[
                "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/dht/ByteOrderedPartitioner.java",
            ],
            quirks: quirks!["integers are in the order of their unsigned bytes: negative ones come last"],
            bind: bind::<ByteOrdered>,
            ..ANY
        },
        Scheme {
            id: "cassandra/order-preserving",
            function: "order-preserving-token",
            client: "Cassandra (OrderPreservingPartitioner)",
            versions: "0.3 to 5.x",
            setting: "partitioner: org.apache.cassandra.dht.OrderPreservingPartitioner",
            rule: "the key's bytes as UTF-8 text, or their hex where they are none",
            domain: Domain::Bytes(BytesForm::Text),
            sources: &[
                "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/dht/OrderPreservingPartitioner.java",
            ],
            quirks: quirks!["two keys can share a token: the byte 0xff and the text \"ff\""],
            bind: bind::<OrderPreserving>,
            ..ANY
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KeyColumn, PlaceColumn, Placer, Places, Typed, Value};
    use alloc::string::String;

    /// The vectors have a key whose hash is the minimum, found by inverting the function; here is the rule by itself.
    #[test]
    fn the_minimum_is_no_keys_token() {
        assert_eq!(normalize(i64::MIN), i64::MAX);
        assert_eq!(normalize(i64::MIN + 1), i64::MIN + 1);
        assert_eq!(normalize(i64::MAX), i64::MAX);
    }

    /// No key is known whose digest is the minimum either.
    #[test]
    fn the_largest_random_token_has_128_bits() {
        let mut digest = [0; 16];
        digest[0] = 0x80;
        assert_eq!(magnitude(digest), 1 << 127);
        assert_eq!(magnitude([0xff; 16]), 1);
    }

    fn placer(scheme: &str) -> Placer {
        Placer::new(scheme, Params::new()).unwrap()
    }

    fn typed<'k>(ty: &'k str, value: &'k str) -> Key<'k> {
        Key::Typed(Typed { ty, value: Value::Text(value) })
    }

    fn place(scheme: &str, key: Key<'_>) -> String {
        placer(scheme).place(key).unwrap().place().unwrap().at.to_string()
    }

    fn error(key: Key<'_>) -> String {
        placer("cassandra/murmur3").place(key).unwrap_err().to_string()
    }

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19.
    #[test]
    fn typed_keys_fall_where_the_server_says() {
        let map = typed("frozen<map<text,int>>", "{'b':2,'a':1}");
        let composite = [Key::Text("a"), map, Key::Bytes(&[0])];
        for (key, murmur3, random, byte_ordered) in [
            (typed("int", "-1"), "7297452126230313552", "120549550962197124826514825591841393591", "ffffffff"),
            (
                typed("bigint", "42"),
                "8623491988607824794",
                "167509774581059482115122350544966522260",
                "000000000000002a",
            ),
            (
                typed("text", "ключ"),
                "1182936647932017555",
                "80555982881223675056315091450378302745",
                "d0bad0bbd18ed187",
            ),
            (
                typed("frozen<set<text>>", "{'b','a'}"),
                "4852070786039512220",
                "56579168780772942380240160912980619563",
                "0000000200000001610000000162",
            ),
            (
                Key::Tuple(&composite),
                "2363497468147052828",
                "8509947574684313523097356133470709054",
                "00016100001e0000000200000001610000000400000001000000016200000004000000020000010000",
            ),
            (Key::Bytes(b""), "-9223372036854775808", "-1", ""),
        ] {
            assert_eq!(place("cassandra/murmur3", key), murmur3, "{key:?}");
            assert_eq!(place("cassandra/random", key), random, "{key:?}");
            assert_eq!(place("cassandra/byte-ordered", key), byte_ordered, "{key:?}");
        }
        assert_eq!(place("cassandra/order-preserving", typed("text", "ключ")), "ключ");
        assert_eq!(place("cassandra/order-preserving", typed("bigint", "42")), "\0\0\0\0\0\0\0*");
        assert_eq!(place("cassandra/order-preserving", typed("int", "-1")), "ffffffff");
        assert_eq!(place("cassandra/order-preserving", Key::Bytes(&[0xed, 0xa0, 0x80])), "eda080");
        assert_eq!(place("cassandra/order-preserving", Key::Bytes(b"")), "");
    }

    #[test]
    fn integer_columns_are_keys_of_their_type() {
        let columns = [
            KeyColumn::Int32 { values: &[-1, 42], validity: None },
            KeyColumn::Int64 { values: &[-1, 42], validity: None },
        ];
        for (column, ty) in columns.iter().zip(["int", "bigint"]) {
            let (mut places, mut status) = ([0; 2], [9; 2]);
            let mut out = PlaceColumn { places: Places::I64(&mut places), status: &mut status, owners: None };
            placer("cassandra/murmur3").place_column(column, &mut out).unwrap();
            let expect = ["-1", "42"].map(|n| place("cassandra/murmur3", typed(ty, n)));
            assert_eq!((places.map(|n| n.to_string()), status), (expect, [0; 2]));
        }
        let keys = KeyColumn::Binary { offsets: &[0, 1, 1], data: b"a", validity: None };
        let (mut places, mut status) = ([0; 2], [9; 2]);
        let mut out = PlaceColumn { places: Places::U128(&mut places), status: &mut status, owners: None };
        placer("cassandra/random").place_column(&keys, &mut out).unwrap();
        assert_eq!((places, status), ([16955237001963240173058271559858726497, u128::MAX], [0; 2]));
    }

    #[test]
    fn malformed_columns_are_named_before_anything_else() {
        assert_eq!(error(typed("tinyint", "128")), "\"128\" is not a CQL tinyint: a whole number from -128 to 127");
        let columns = [Key::Text("a"), typed("set<int>", "{'1'}")];
        assert_eq!(
            error(Key::Tuple(&columns)),
            "column 1: \"{'1'}\" is not a CQL set<int>: at byte 1, int stands without quotes"
        );
        assert!(error(Key::Tuple(&[Key::Null, typed("int", "x")])).starts_with("column 1: \"x\" is not a CQL int"));
        assert!(error(Key::Tuple(&[typed("counter", "1"), typed("string", "x")])).starts_with("column 1: \"string\""));
        assert!(error(Key::Tuple(&[Key::Text("a"), Key::Fields(&[])])).starts_with("column 1: named fields cannot be"));
        assert!(error(Key::Tuple(&[Key::Tuple(&[Key::Text("a")])])).contains("cannot be a column"));
        assert!(error(Key::Fields(&[])).contains("cannot be a column"));
        assert!(error(Key::Tuple(&[])).contains("at least one"));
    }

    #[test]
    fn what_the_server_does_not_take_is_no_error() {
        let long = "x".repeat(65_530);
        let twice = [typed("int", "1"), typed("map<int,int>", "{1:1,1:2}")];
        for (word, why, key) in [
            ("rejected", "never null", Key::Null),
            ("rejected", "never null", typed("int", "null")),
            ("rejected", "column 1 is null", Key::Tuple(&[Key::Text("a"), typed("int", "null")])),
            ("rejected", "counter", typed("frozen<list<counter>>", "[]")),
            ("rejected", "column 0: a duration", Key::Tuple(&[typed("duration", "1d"), Key::Text("a")])),
            ("rejected", "65536 bytes", Key::Tuple(&[typed("text", &long), typed("text", "")])),
            ("refused", "column 1: a map has one key twice", Key::Tuple(&twice)),
        ] {
            let outcome = placer("cassandra/random").place(key).unwrap();
            assert_eq!(outcome.word(), word, "{why}");
            assert!(outcome.why().unwrap().contains(why), "{why}: {outcome:?}");
        }
    }

    /// What a column may hold is counted from its own begin.
    #[test]
    fn a_long_column_before_it_is_no_part_of_a_value() {
        let long = "x".repeat(40_000);
        for (ty, value) in [
            ("list<int>", "[1]"),
            ("set<int>", "{1}"),
            ("tuple<int>", "(1)"),
            ("udt<a:int>", "{a:1}"),
            ("vector<int,1>", "[1]"),
            ("vector<text,1>", "['a']"),
        ] {
            assert!(place("cassandra/byte-ordered", Key::Tuple(&[Key::Text(&long), typed(ty, value)])).len() > 80_000);
        }
    }

    #[test]
    fn a_trace_shows_each_columns_bytes() {
        let columns = [typed("int", "1"), Key::Text("a")];
        let (_, trace) = placer("cassandra/murmur3").trace(Key::Tuple(&columns)).unwrap();
        let steps: Vec<(&str, &str)> = trace.iter().map(|step| (step.words.as_str(), step.value.as_str())).collect();
        assert_eq!(
            steps[..3],
            [
                ("column 0: 1 as int: 4 bytes", "00000001"),
                ("column 1: the text as UTF-8: 1 bytes", "61"),
                ("2 components as one: 11 bytes", "0004000000010000016100"),
            ]
        );
        // A value of cassandra-all 5.0.9.
        assert_eq!(steps[3].1, "6516349416904725244");
    }
}
