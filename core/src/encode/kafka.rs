//! Kafka's serializers, as the Java client's `org.apache.kafka.common.serialization` has them.
//!
//! Spec: <https://github.com/apache/kafka/tree/trunk/clients/src/main/java/org/apache/kafka/common/serialization>;
//! Avro with a schema id:
//! <https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format>.

use alloc::format;
use alloc::vec::Vec;
use core::str::FromStr;

use super::{EncodeError, text};
use crate::{Key, KeyError, Surrogates, Typed, Value};

/// The names of the typed keys, as messages list them.
pub const TYPES: &str = "short, integer, long, float, double, uuid, boolean, string, bytes, void, avro-confluent";

/// The bytes of `key` on Kafka's wire, none for null: its own bytes where it has them, otherwise written to `scratch`.
///
/// ```
/// use keyfall_core::{Key, Surrogates, Typed, Value, encode::kafka::encode};
/// let key = Key::Typed(Typed { ty: "integer", value: Value::Text("-1") });
/// assert_eq!(encode(key, Surrogates::QuestionMark, &mut Vec::new())?, Some(&[0xff; 4][..]));
/// # Ok::<(), keyfall_core::encode::EncodeError>(())
/// ```
///
/// # Errors
/// A value that is not of its type; a tuple or named fields; a lone surrogate where they are rejected.
#[inline]
pub fn encode<'k>(
    key: Key<'k>,
    surrogates: Surrogates,
    scratch: &'k mut Vec<u8>,
) -> Result<Option<&'k [u8]>, EncodeError> {
    match key {
        Key::Bytes(bytes) => Ok(Some(bytes)),
        other => encode_other(other, surrogates, scratch),
    }
}

/// Out of the way of the bytes that most keys are.
#[inline(never)]
fn encode_other<'k>(
    key: Key<'k>,
    surrogates: Surrogates,
    scratch: &'k mut Vec<u8>,
) -> Result<Option<&'k [u8]>, EncodeError> {
    match key {
        Key::Typed(typed) => Ok(if serialize(typed, scratch)? { Some(scratch) } else { None }),
        Key::Tuple(_) | Key::Fields(_) => {
            let kind = key.kind();
            Err(KeyError::new(format!("a Kafka key is null, bytes, text or one typed value ({TYPES}), not {kind}"))
                .into())
        }
        plain => text::bytes(plain, surrogates, scratch),
    }
}

/// Writes a typed value; false for null (`void`).
fn serialize(Typed { ty, value }: Typed<'_>, out: &mut Vec<u8>) -> Result<bool, KeyError> {
    let wrong = |allowed: &str| {
        Err(match value {
            Value::Text(text) => KeyError::new(format!("{text:?} is not a Kafka {ty}: {allowed}")),
            Value::Int(n) => KeyError::new(format!("{n} is not a Kafka {ty}: {allowed}")),
        })
    };
    /// The integer, if it is one of `T`'s.
    fn int<T: FromStr + TryFrom<i64>>(value: Value<'_>) -> Option<T> {
        match value {
            Value::Text(text) => text.parse().ok(),
            Value::Int(n) => n.try_into().ok(),
        }
    }
    let text = match value {
        Value::Text(text) => Some(text),
        Value::Int(_) => None,
    };
    match ty {
        "short" => match int::<i16>(value) {
            Some(n) => out.extend_from_slice(&n.to_be_bytes()),
            None => return wrong("a whole number from -32768 to 32767"),
        },
        "integer" => match int::<i32>(value) {
            Some(n) => out.extend_from_slice(&n.to_be_bytes()),
            None => return wrong("a whole number from -2147483648 to 2147483647"),
        },
        "long" => match int::<i64>(value) {
            Some(n) => out.extend_from_slice(&n.to_be_bytes()),
            None => return wrong("a whole number from -9223372036854775808 to 9223372036854775807"),
        },
        "float" => match text.and_then(|text| text.parse::<f32>().ok()) {
            Some(n) => out.extend_from_slice(&n.to_be_bytes()),
            None => return wrong("a decimal number, NaN, Infinity or -Infinity"),
        },
        "double" => match text.and_then(|text| text.parse::<f64>().ok()) {
            Some(n) => out.extend_from_slice(&n.to_be_bytes()),
            None => return wrong("a decimal number, NaN, Infinity or -Infinity"),
        },
        "uuid" => match text.filter(|text| is_uuid(text)) {
            // Java's UUID.toString writes lower case.
            Some(text) => out.extend(text.bytes().map(|b| b.to_ascii_lowercase())),
            None => return wrong("32 hex digits in groups of 8-4-4-4-12"),
        },
        "boolean" => match text {
            Some("true") => out.push(1),
            Some("false") => out.push(0),
            _ => return wrong("true or false"),
        },
        "string" => match text {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None => return wrong("text"),
        },
        "bytes" => match text.and_then(from_hex) {
            Some(bytes) => out.extend_from_slice(&bytes),
            None => return wrong("an even number of hex digits"),
        },
        "void" => match text {
            Some("") => return Ok(false),
            _ => return wrong("the empty text; a void key is always null"),
        },
        "avro-confluent" => {
            let parts = text.and_then(|text| text.split_once(':'));
            match parts.and_then(|(id, body)| Some((id.parse::<i32>().ok()?, from_hex(body)?))) {
                Some((id, body)) => {
                    out.push(0);
                    out.extend_from_slice(&id.to_be_bytes());
                    out.extend_from_slice(&body);
                }
                None => return wrong("ID:HEX, the decimal schema id and the body in hex"),
            }
        }
        _ => return Err(KeyError::new(format!("unknown Kafka key type {ty:?}; allowed: {TYPES}"))),
    }
    Ok(true)
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { b == b'-' } else { b.is_ascii_hexdigit() })
}

/// Hex digits as bytes.
pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn bytes(ty: &str, value: &str) -> Option<Vec<u8>> {
        let typed = Typed { ty, value: Value::Text(value) };
        encode(Key::Typed(typed), Surrogates::QuestionMark, &mut Vec::new()).unwrap().map(<[u8]>::to_vec)
    }

    #[test]
    fn an_avro_key_begins_with_its_schema_id() {
        assert_eq!(bytes("avro-confluent", "7:02ff").unwrap(), [0, 0, 0, 0, 7, 2, 0xff]);
        assert_eq!(bytes("avro-confluent", "7:").unwrap(), [0, 0, 0, 0, 7]);
        assert_eq!(bytes("void", ""), None);
    }

    #[test]
    fn malformed_values_say_what_is_allowed() {
        for (ty, value, allowed) in [
            ("short", "32768", "32767"),
            ("integer", "1.0", "2147483647"),
            ("long", "", "9223372036854775807"),
            ("float", "one", "decimal"),
            ("double", "0x1", "decimal"),
            ("uuid", "123e4567e89b12d3a456426614174000", "8-4-4-4-12"),
            ("uuid", "123e4567-e89b-12d3-a456-42661417400g", "8-4-4-4-12"),
            ("boolean", "TRUE", "true or false"),
            ("bytes", "0", "even"),
            ("bytes", "0g", "hex"),
            ("void", "x", "always null"),
            ("avro-confluent", "7", "ID:HEX"),
            ("avro-confluent", "x:00", "ID:HEX"),
            ("text", "x", "avro-confluent"),
        ] {
            let typed = Typed { ty, value: Value::Text(value) };
            match encode(Key::Typed(typed), Surrogates::Rejected, &mut Vec::new()) {
                Err(EncodeError::Malformed(e)) => assert!(e.to_string().contains(allowed), "{ty} {value}: {e}"),
                other => panic!("{ty} {value}: {other:?}"),
            }
        }
    }
}
