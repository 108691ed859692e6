//! Apache Cassandra: tokens of partition keys.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{failed, rejected, say_encoded};
use crate::encode::{EncodeError, composite, text};
use crate::hash::murmur3_x64_128::murmur3_x64_128_signed_tail;
use crate::placer::{Bound, Rule};
use crate::trace::Tracer;
use crate::{
    Coord, Domain, EmptyRule, Error, Hash, Key, KeyError, NullRule, Outcome, Params, Place, Scheme, Stage, Surrogates,
    System,
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

/// The serialized partition key: bytes, text, or the components of a composite.
fn encode<'k>(key: Key<'k>, surrogates: Surrogates, scratch: &'k mut Vec<u8>) -> Result<Option<&'k [u8]>, EncodeError> {
    match key {
        Key::Tuple(parts @ [part]) if !matches!(part, Key::Tuple(_)) => encode(parts[0], surrogates, scratch),
        Key::Tuple([]) => Err(KeyError::new("a composite partition key has at least one component").into()),
        Key::Tuple(parts) => {
            let mut buffer = Vec::new();
            for (i, part) in parts.iter().enumerate() {
                buffer.clear();
                match text::bytes(*part, surrogates, &mut buffer) {
                    Ok(Some(bytes)) => composite::component(bytes, scratch),
                    Ok(None) => {
                        return Err(EncodeError::Rejected(format!("component {i} is null: partition key columns never are").into()));
                    }
                    Err(EncodeError::Malformed(e)) => return Err(KeyError::new(format!("component {i}: {e}")).into()),
                    Err(EncodeError::Rejected(why)) => return Err(EncodeError::Rejected(format!("component {i}: {why}").into())),
                }
            }
            Ok(Some(scratch))
        }
        Key::Typed(typed) => Err(KeyError::new(format!(
            "typed CQL keys ({}) are not supported yet: give text, or the serialized value as bytes (`SELECT typeAsBlob(column)`)",
            typed.ty
        ))
        .into()),
        plain => text::bytes(plain, surrogates, scratch),
    }
}

struct Murmur3 {
    scheme: &'static Scheme,
}

impl Rule for Murmur3 {
    #[inline]
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let bytes = match encode(key, self.scheme.surrogates, scratch) {
            Ok(Some(bytes)) if bytes.len() > composite::MAX_KEY => {
                let len = bytes.len();
                return rejected(
                    format!("the partition key has {len} bytes, at most {} are allowed", composite::MAX_KEY),
                    tracer,
                );
            }
            Ok(Some(bytes)) => bytes,
            Ok(None) => return rejected("a partition key is never null", tracer),
            Err(error) => return failed(error, tracer),
        };
        say_encoded(key, bytes, tracer);
        let token = token(bytes);
        tracer.say(Stage::Hash, || {
            let words = if bytes.is_empty() {
                "the empty key has the minimum token; no server stores a row under an empty partition key alone"
            } else {
                "first 64 bits of MurmurHash3 x64 128 with sign-extended tail bytes; -2^63 would become 2^63 - 1"
            };
            (words.into(), token.to_string())
        });
        Ok(Outcome::Placed(Place { at: Coord::I64(token), hash: Some(Hash::I64(token)), owner: None }))
    }
}

fn murmur3(scheme: &'static Scheme, _: &Params) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Murmur3 { scheme }))
}

/// Apache Cassandra.
pub static SYSTEM: System = System {
    id: "cassandra",
    name: "Apache Cassandra",
    int32: Some("int"),
    int64: Some("bigint"),
    schemes: &[Scheme {
        id: "cassandra/murmur3",
        function: "murmur3-signed-tail-token",
        client: "Cassandra (Murmur3Partitioner)",
        versions: "1.2 to 5.x",
        default: true,
        setting: "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
        rule: "first 64 bits of murmur3_x64_128(key), tail bytes sign-extended; -2^63 becomes 2^63 - 1",
        unit: "token",
        records: true,
        domain: Domain::I64,
        null: NullRule::Rejected("a partition key is never null"),
        empty: EmptyRule::Hashed,
        surrogates: Surrogates::Rejected,
        params: &[],
        sources: &[
            "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/dht/Murmur3Partitioner.java",
            "https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/utils/MurmurHash.java",
        ],
        quirks: &[
            "tail bytes of 0x80 and above are sign-extended: textbook MurmurHash3 gives another token for most non-ASCII keys",
            "an empty key alone has the token -2^63, which no server stores; drivers answer 0 for it",
        ],
        bind: murmur3,
    }],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// No key is known whose hash is the minimum, so the rule for it is shown by itself.
    #[test]
    fn the_minimum_is_no_keys_token() {
        assert_eq!(normalize(i64::MIN), i64::MAX);
        assert_eq!(normalize(i64::MIN + 1), i64::MIN + 1);
        assert_eq!(normalize(i64::MAX), i64::MAX);
    }
}
