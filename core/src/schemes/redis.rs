//! Redis Cluster and Valkey: hash slots.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

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
    let Some(open) = key.iter().position(|b| *b == b'{') else { return key };
    match key[open + 1..].iter().position(|b| *b == b'}') {
        None | Some(0) => key,
        Some(len) => &key[open + 1..open + 1 + len],
    }
}

struct Cluster {
    scheme: &'static Scheme,
}

impl Rule for Cluster {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let bytes = match text::bytes(key, self.scheme.surrogates, scratch) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return rejected("Redis has no null keys", tracer),
            Err(error) => return failed(error, tracer),
        };
        say_encoded(key, bytes, tracer);
        let tag = tag(bytes);
        tracer.say(Stage::Select, || {
            let words = match (tag.len() == bytes.len(), bytes.contains(&b'{')) {
                (false, _) => "hash tag: what stands between the first { and the first } after it",
                (true, false) => "no {: the whole key is hashed",
                (true, true) => {
                    "no hash tag, as nothing stands between the first { and a } after it: the whole key is hashed"
                }
            };
            (words.into(), hex(tag))
        });
        let hash = crc16_xmodem(tag);
        tracer.say(Stage::Hash, || ("CRC-16/XMODEM".into(), hash.to_string()));
        let slot = slots::slot(hash, SLOTS);
        tracer.say(Stage::Map, || (format!("modulo {SLOTS} slots"), slot.to_string()));
        Ok(Outcome::Placed(Place::index(slot.into(), Hash::U32(hash.into()))))
    }

    fn places(&self) -> Option<u32> {
        Some(SLOTS.into())
    }
}

fn cluster(scheme: &'static Scheme, _: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Cluster { scheme }))
}

/// Redis Cluster and Valkey.
pub static SYSTEM: System = System {
    id: "redis",
    name: "Redis Cluster, Valkey",
    int32: None,
    int64: None,
    schemes: &[Scheme {
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
        null: NullRule::Rejected("Redis has no null keys"),
        empty: EmptyRule::Hashed,
        surrogates: Surrogates::Rejected,
        params: &[],
        sources: &["https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags"],
        quirks: &[
            "only the first { counts: `foo{}{bar}` has no hash tag, and the whole key is hashed",
            "sharded pub/sub channels are placed the same way",
        ],
        direct: Some(Direct::new("redis_slot", "schemes::redis::slot", DirectCall::Index(|key| slot(key).into()))),
        bind: cluster,
    }],
};
