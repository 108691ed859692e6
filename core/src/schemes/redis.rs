//! Redis Cluster and Valkey: hash slots, as the server computes them and as clients do that look for hash tags otherwise.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::marker::PhantomData;

use super::{failed, rejected, say_encoded};
use crate::encode::text;
use crate::hash::crc16::crc16_xmodem;
use crate::map::slots;
use crate::placer::{Bound, Rule};
use crate::trace::{Tracer, hex};
use crate::{
    Direct, DirectCall, Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, Params, Place, Scheme, Stage,
    Surrogates, System,
};

/// The number of slots, fixed by the protocol.
const SLOTS: u16 = 16384;

/// The hash slot of a key.
///
/// ```
/// use keyfall_core::schemes::redis::slot;
/// assert_eq!(slot(b"somekey"), 11058);
/// assert_eq!(slot(b"{123}"), slot(b"123"));
/// ```
#[inline]
pub fn slot(key: &[u8]) -> u16 {
    slots::slot(crc16_xmodem(tag(key)), SLOTS)
}

/// What of a key is hashed: what stands between the first `{` and the first `}` after it, if that is not empty;
/// otherwise all of it.
///
/// ```
/// use keyfall_core::schemes::redis::tag;
/// assert_eq!(tag(b"{user:1}:cart"), b"user:1");
/// assert_eq!(tag(b"foo{}{bar}"), b"foo{}{bar}");
/// ```
#[inline]
pub fn tag(key: &[u8]) -> &[u8] {
    let Some(open) = find(key, b'{') else { return key };
    match find(&key[open + 1..], b'}') {
        None | Some(0) => key,
        Some(len) => &key[open + 1..open + 1 + len],
    }
}

/// Where `byte` stands first: sixteen bytes at a time, which compilers compare at once.
#[inline]
fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    let (chunks, rest) = bytes.as_chunks::<16>();
    let is = |b: &u8| *b == byte;
    match chunks.iter().position(|chunk| chunk.iter().fold(false, |any, b| any | is(b))) {
        Some(i) => chunks[i].iter().position(is).map(|at| 16 * i + at),
        None => rest.iter().position(is).map(|at| 16 * chunks.len() + at),
    }
}

/// What `cluster-key-slot` hashes: a `}` right after the first `{` is passed over, and what stands between them and the
/// next `}` is the tag, empty or not.
fn tag_past_empty(key: &[u8]) -> &[u8] {
    let Some(open) = key.iter().position(|b| *b == b'{') else { return key };
    let rest = &key[open + 1..];
    let rest = rest.strip_prefix(b"}").unwrap_or(rest);
    rest.iter().position(|b| *b == b'}').map_or(key, |len| &rest[..len])
}

/// What Redisson hashes: what stands between the first `{` and the first `}` of the whole key, if that comes later.
fn tag_to_first_close(key: &[u8]) -> &[u8] {
    let at = |brace| key.iter().position(|b| *b == brace);
    match (at(b'{'), at(b'}')) {
        (Some(open), Some(close)) if open + 1 < close => &key[open + 1..close],
        _ => key,
    }
}

/// What Redis Enterprise hashes, by the regular expression `.*{(?<tag>.*)}.*` that its manual gives: what stands between
/// the last `{` that a `}` follows and the last `}`, empty or not.
fn tag_of_last(key: &[u8]) -> &[u8] {
    let last = |part: &[u8], brace| part.iter().rposition(|b| *b == brace);
    let tag = last(key, b'}').and_then(|close| Some(&key[last(&key[..close], b'{')? + 1..close]));
    tag.unwrap_or(key)
}

/// How a client looks for the part of a key that is hashed.
trait Tag: Send + Sync + 'static {
    fn of(key: &[u8]) -> &[u8];
    /// In words, where the tag stands.
    const TAG: &str;
    /// In words, why a key with a `{` has none.
    const NONE: &str;
}

struct Server;
struct PastEmpty;
struct ToFirstClose;
struct OfLast;

impl Tag for Server {
    #[inline]
    fn of(key: &[u8]) -> &[u8] {
        tag(key)
    }
    const TAG: &str = "hash tag: what stands between the first { and the first } after it";
    const NONE: &str = "no hash tag, as nothing stands between the first { and a } after it: the whole key is hashed";
}

impl Tag for PastEmpty {
    fn of(key: &[u8]) -> &[u8] {
        tag_past_empty(key)
    }
    const TAG: &str = "hash tag: what stands after the first {, a } right after it passed over, up to the next }";
    const NONE: &str =
        "no hash tag, as no } follows the first { and what stands right after it: the whole key is hashed";
}

impl Tag for ToFirstClose {
    fn of(key: &[u8]) -> &[u8] {
        tag_to_first_close(key)
    }
    const TAG: &str = "hash tag: what stands between the first { and the first } of the whole key";
    const NONE: &str = "no hash tag, as the first } of the whole key does not stand behind the first { and something: the whole key is hashed";
}

impl Tag for OfLast {
    fn of(key: &[u8]) -> &[u8] {
        tag_of_last(key)
    }
    const TAG: &str = "hash tag: what stands between the last { that a } follows and the last }";
    const NONE: &str = "no hash tag, as no } follows a {: the whole key is hashed";
}

/// The part of `key` that `T` hashes, told to the tracer.
fn select<'k, T: Tag>(key: &'k [u8], tracer: &mut impl Tracer) -> &'k [u8] {
    let tag = T::of(key);
    tracer.say(Stage::Select, || {
        let words = match (tag.len() == key.len(), key.contains(&b'{')) {
            (false, _) => T::TAG,
            (true, false) => "no {: the whole key is hashed",
            (true, true) => T::NONE,
        };
        // In text, too, where it can be read.
        match core::str::from_utf8(tag) {
            Ok(text) if tag.len() < key.len() => (format!("{words}: {text:?}"), hex(tag)),
            _ => (words.into(), hex(tag)),
        }
    });
    tag
}

struct Cluster<T> {
    scheme: &'static Scheme,
    tag: PhantomData<T>,
}

impl<T: Tag> Rule for Cluster<T> {
    #[inline]
    fn place<R: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut R) -> Result<Outcome, KeyError> {
        let scheme = self.scheme;
        let bytes = match (text::bytes(key, scheme.surrogates, scratch), scheme.null) {
            (Ok(Some(bytes)), _) => bytes,
            (Ok(None), NullRule::Rejected(why)) => return rejected(why, tracer),
            (Ok(None), _) => return rejected(NO_NULL, tracer),
            (Err(error), _) => return failed(error, tracer),
        };
        say_encoded(key, bytes, tracer);
        if let (true, EmptyRule::Unpinned(how)) = (bytes.is_empty(), scheme.empty) {
            tracer.say(Stage::Rule, || (format!("the empty key is unpinned: {how}"), String::new()));
            return Ok(Outcome::Unpinned(how.into()));
        }
        let hash = crc16_xmodem(select::<T>(bytes, tracer));
        tracer.say(Stage::Hash, || ("CRC-16/XMODEM".into(), hash.to_string()));
        let slot = slots::slot(hash, SLOTS);
        tracer.say(Stage::Map, || (format!("modulo {SLOTS} slots"), slot.to_string()));
        Ok(Outcome::Placed(Place::index(slot.into(), Hash::U32(hash.into()))))
    }

    fn places(&self) -> Option<u32> {
        Some(SLOTS.into())
    }
}

fn bind<T: Tag>(scheme: &'static Scheme, _: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Cluster::<T> { scheme, tag: PhantomData }))
}

/// What all schemes have in common: the server's.
const CLUSTER: Scheme = Scheme {
    id: "redis/cluster",
    function: "crc16-tag-slots",
    client: "redis-server, valkey-server",
    versions: "3.0 to 8.x; Valkey 7.2 to 9.x",
    default: true,
    setting: "what the server does; clients follow MOVED",
    rule: "crc16_xmodem(hash tag or key) % 16384",
    unit: "slot",
    records: true,
    domain: Domain::Index,
    null: NullRule::Rejected(NO_NULL),
    empty: EmptyRule::Hashed,
    surrogates: Surrogates::Rejected,
    lone_surrogates: None,
    params: &[],
    sources: &[SPEC],
    quirks: &[
        "only the first { counts: `foo{}{bar}` has no hash tag, and the whole key is hashed",
        "braces count in binary keys, too: in UUIDs, in what a serializer writes",
        "sharded pub/sub channels are placed the same way",
        "redis-py, valkey-py, Jedis, Lettuce, rueidis, the crates redis and redis-protocol and @redis/client from 6.3 find \
         the same tags; Jedis and Lettuce write a lone surrogate of a String as `?`, @redis/client sends commands with an \
         empty string as key to any node",
    ],
    direct: None,
    bind: bind::<Server>,
};

/// Redis Cluster and Valkey.
pub static SYSTEM: System = System {
    id: "redis",
    name: "Redis Cluster, Valkey",
    int32: None,
    int64: None,
    schemes: &[
        Scheme {
            direct: Some(Direct::new("redis_slot", "schemes::redis::slot", DirectCall::Index(|key| slot(key).into()))),
            ..CLUSTER
        },
        Scheme {
            id: "redis/ioredis",
            function: "crc16-tag-past-empty-slots",
            client: "ioredis, iovalkey",
            versions: "4 to 6, 0.4; @redis/client 1.0 to 6.2 finds the same tags",
            default: true,
            setting: "what its cluster-key-slot does; the server's MOVED mends it, a redirection for each command",
            rule: "as the server, but a } right after the first { is passed over and the tag reaches to the next }",
            null: NullRule::Rejected(
                "Redis has no null keys; ioredis itself writes null and undefined as the empty key",
            ),
            surrogates: Surrogates::ThreeBytes,
            sources: &["https://github.com/invertase/cluster-key-slot", SPEC],
            quirks: &[
                "`foo{}{bar}` is looked for in the slot of `{bar`, the server has it in that of the whole key",
                "a lone surrogate of a string is three bytes for the slot, but is written to the server as `ef bf bd`: always \
                 in another slot",
                "pipelines and transactions whose keys the server has in one slot may be refused, and the reverse",
                "@redis/client 1.0 to 6.2 sends commands with an empty string as key to any node",
            ],
            bind: bind::<PastEmpty>,
            ..CLUSTER
        },
        Scheme {
            id: "redis/redisson",
            function: "crc16-tag-to-first-close-slots",
            client: "Redisson",
            versions: "3.13.4 to 4.x",
            default: true,
            setting: "what it does for names and byte arrays; the server's MOVED mends it",
            rule: "as the server, but the tag ends at the first } of the whole key: where that stands before the first {, the \
                   whole key is hashed",
            null: NullRule::Rejected("Redisson has no objects without a name"),
            surrogates: Surrogates::QuestionMark,
            sources: &["https://github.com/redisson/redisson", SPEC],
            quirks: &[
                "`a}b{c}` is looked for in the slot of the whole key, the server has it in that of `c`",
                "keys that reach it as a ByteBuf are placed as the server does",
                "before 3.13.4 every key with `{}` was in slot 0, and one whose } stands before the { threw an exception",
                "a name is encoded in the JVM's default charset",
            ],
            bind: bind::<ToFirstClose>,
            ..CLUSTER
        },
        Scheme {
            id: "redis/go-redis",
            client: "go-redis",
            versions: "6 to 9",
            setting: "what it does",
            rule: "as the server; the empty key has no slot",
            null: NullRule::Rejected("Redis has no null keys, and a Go string is never nil"),
            empty: EmptyRule::Unpinned("a slot at random for each command"),
            sources: &["https://github.com/redis/go-redis", SPEC],
            quirks: &["the server has the empty key in slot 0: most commands for it are redirected"],
            ..CLUSTER
        },
        Scheme {
            id: "redis/enterprise",
            function: "crc16-last-tag-slots",
            client: "Redis Enterprise, Redis Cloud",
            versions: "not run: read in the manual",
            default: false,
            setting: "the standard hashing policy of a clustered database; Redis Cloud's \"Redis hashing policy\" is redis/cluster",
            rule: "crc16_xmodem(what stands between the last { that a } follows and the last }, empty or not) % 16384",
            sources: &[
                "https://redis.io/docs/latest/operate/rc/databases/configuration/clustering/#manage-the-hashing-policy",
                "https://redis.io/docs/latest/operate/rs/databases/durability-ha/clustering/#supported-hashing-policies",
            ],
            quirks: &[
                "weak evidence: the manual gives a regular expression, and one slot was reported in public; no such server was asked",
                "an empty tag is hashed: `{}foo` and `{}bar` are in one slot",
                "whether a tag may hold a line feed is not told: it is taken to",
                "custom hashing policies are rules of your own, which no scheme knows",
            ],
            bind: bind::<OfLast>,
            ..CLUSTER
        },
    ],
};

/// Where the rule of the server is told.
const SPEC: &str = "https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags";

const NO_NULL: &str = "Redis has no null keys";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finding_sixteen_at_a_time_is_finding_one_by_one() {
        for len in 0..50 {
            for at in 0..=len {
                let mut key = alloc::vec![b'a'; len];
                key[at..].fill(b'{');
                assert_eq!(find(&key, b'{'), key.iter().position(|b| *b == b'{'), "{at} of {len}");
            }
        }
    }

    /// What each rule hashes of a key.
    #[test]
    fn tags_by_rule() {
        for (key, server, ioredis, redisson, enterprise) in [
            ("", "", "", "", ""),
            ("a", "a", "a", "a", "a"),
            ("{a}b", "a", "a", "a", "a"),
            ("foo{}{bar}", "foo{}{bar}", "{bar", "foo{}{bar}", "bar"),
            ("a{}b{c}", "a{}b{c}", "b{c", "a{}b{c}", "c"),
            ("a}b{c}", "c", "c", "a}b{c}", "c"),
            ("{}", "{}", "{}", "{}", ""),
            ("{}}", "{}}", "", "{}}", "}"),
            ("{}a", "{}a", "{}a", "{}a", ""),
            ("{", "{", "{", "{", "{"),
            ("}{", "}{", "}{", "}{", "}{"),
            ("{a}b{c", "a", "a", "a", "a"),
            ("{foo}bar}", "foo", "foo", "foo", "foo}bar"),
            ("{'1':{'i3':1}}", "'1':{'i3':1", "'1':{'i3':1", "'1':{'i3':1", "'i3':1}"),
        ] {
            let tags = [tag, tag_past_empty, tag_to_first_close, tag_of_last].map(|tag| tag(key.as_bytes()));
            assert_eq!(tags, [server, ioredis, redisson, enterprise].map(str::as_bytes), "{key}");
        }
    }
}
