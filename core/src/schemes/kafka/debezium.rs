//! Debezium's transform PartitionRouting: it hashes fields of the changed row, not the record's key.

use super::*;
use crate::hash::java_hash_code::{
    boolean_hash_code, byte_buffer_hash_code, double_hash_code, float_hash_code, long_hash_code,
};
use crate::hash::murmur3_x64_64_draft::murmur3_x64_64_draft;

/// The types that a field can have, as messages list them.
const TYPES: &str = "short, integer, long, float, double, boolean, string, bytes, void";

/// What a field's value is hashed with.
#[derive(Clone, Copy)]
enum FieldHash {
    Java,
    Murmur,
}

/// The partition is that of the sum of all fields' hashes.
struct Routing {
    scheme: &'static Scheme,
    partitions: u32,
    hash: FieldHash,
}

pub(super) fn java(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    bind(scheme, params, FieldHash::Java)
}

pub(super) fn murmur(scheme: &'static Scheme, params: &Params) -> Result<Box<dyn Bound>, Error> {
    bind(scheme, params, FieldHash::Murmur)
}

fn bind(scheme: &'static Scheme, params: &Params, hash: FieldHash) -> Result<Box<dyn Bound>, Error> {
    Ok(Box::new(Routing { scheme, partitions: params.u32("partitions").expect("required"), hash }))
}

impl FieldHash {
    fn name(self) -> &'static str {
        match self {
            FieldHash::Java => "Java's hashCode",
            FieldHash::Murmur => {
                "a draft of murmur3 x64, seed 9001, high 32 bits, over UTF-8 or the 4 bytes of a hashCode"
            }
        }
    }

    fn bytes(self, bytes: &[u8]) -> i32 {
        (murmur3_x64_64_draft(bytes, 9001) >> 32) as i32
    }

    /// A value that is no text.
    fn object(self, hash_code: i32) -> i32 {
        match self {
            FieldHash::Java => hash_code,
            FieldHash::Murmur => self.bytes(&hash_code.to_le_bytes()),
        }
    }

    /// A field's hash, none for null.
    fn field(self, key: Key<'_>, scratch: &mut Vec<u8>) -> Result<Option<i32>, EncodeError> {
        Ok(Some(match (key, self) {
            (Key::Null, _) => return Ok(None),
            (Key::Bytes(bytes), _) => self.object(byte_buffer_hash_code(bytes)),
            (Key::Text(text), FieldHash::Java) => string_hash_code(text.encode_utf16()),
            (Key::Text(text), FieldHash::Murmur) => self.bytes(text.as_bytes()),
            (Key::Utf16(units), FieldHash::Java) => string_hash_code(units.iter().copied()),
            (Key::Utf16(units), FieldHash::Murmur) => {
                scratch.clear();
                text::utf8(units, Surrogates::QuestionMark, scratch)?;
                self.bytes(scratch)
            }
            (Key::Typed(typed), _) => return self.typed(typed, scratch),
            (Key::Tuple(_) | Key::Fields(_), _) => {
                let kind = key.kind();
                let message = format!("a field is null, bytes, text or one typed value ({TYPES}), not {kind}");
                return Err(KeyError::new(message).into());
            }
        }))
    }

    fn typed(self, typed: Typed<'_>, scratch: &mut Vec<u8>) -> Result<Option<i32>, EncodeError> {
        let typed = match (typed.ty, typed.value) {
            ("string", Value::Text(text)) => return self.field(Key::Text(text), scratch),
            // Bare values in JSON. A whole number that every integer type can hold has the same hash in all of them.
            ("bool", value) => Typed { ty: "boolean", value },
            ("number", Value::Text(text)) if text.parse::<i32>().is_ok_and(|n| n >= 0) => {
                Typed { ty: "integer", ..typed }
            }
            ("number", _) => {
                return Err(KeyError::new(
                    "a number's hash depends on the column's type: give it as short, integer, long, float or double, {\"type\":\"long\",\"value\":\"-1\"}",
                )
                .into());
            }
            ("short" | "integer" | "long" | "float" | "double" | "boolean" | "string" | "bytes" | "void", _) => typed,
            (ty, _) => return Err(KeyError::new(format!("no field of a row is of type {ty}; allowed: {TYPES}")).into()),
        };
        scratch.clear();
        let Some(bytes) = encode(Key::Typed(typed), Surrogates::Rejected, scratch)? else { return Ok(None) };
        let wide = |len: usize| bytes[..len].iter().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
        Ok(Some(self.object(match typed.ty {
            "short" => (wide(2) as i16).into(),
            "integer" => wide(4) as i32,
            "long" => long_hash_code(wide(8) as i64),
            "float" => float_hash_code(f32::from_bits(wide(4) as u32)),
            "double" => double_hash_code(f64::from_bits(wide(8))),
            "boolean" => boolean_hash_code(bytes != [0]),
            _ => byte_buffer_hash_code(bytes),
        })))
    }
}

impl Routing {
    /// Adds a field to the sum of those before it.
    fn add<T: Tracer>(
        &self,
        sum: &mut Option<i32>,
        name: Option<&str>,
        key: Key<'_>,
        scratch: &mut Vec<u8>,
        tracer: &mut T,
    ) -> Result<(), EncodeError> {
        let hash = self.hash.field(key, scratch)?;
        let what = || name.map_or("a field".to_string(), |name| format!("field {name}"));
        match hash {
            None => tracer.say(Stage::Rule, || (format!("{}: null, left out", what()), String::new())),
            Some(hash) => {
                tracer.say(Stage::Hash, || (format!("{}: {}", what(), self.hash.name()), hash.to_string()));
                *sum = Some(sum.unwrap_or(0).wrapping_add(hash));
            }
        }
        Ok(())
    }

    /// The sum of the hashes of all fields, none where all are null; and how many fields there are.
    fn sum<T: Tracer>(
        &self,
        key: Key<'_>,
        scratch: &mut Vec<u8>,
        tracer: &mut T,
    ) -> Result<(Option<i32>, usize), EncodeError> {
        let mut sum = None;
        let fields = match key {
            Key::Tuple(keys) => {
                keys.iter().try_for_each(|key| self.add(&mut sum, None, *key, scratch, tracer))?;
                keys.len()
            }
            Key::Fields(fields) => {
                fields.iter().try_for_each(|(name, key)| self.add(&mut sum, Some(name), *key, scratch, tracer))?;
                fields.len()
            }
            one => {
                self.add(&mut sum, None, one, scratch, tracer)?;
                1
            }
        };
        if fields == 0 {
            return Err(KeyError::new("no field: partition.payload.fields names at least one").into());
        }
        Ok((sum, fields))
    }
}

impl Rule for Routing {
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError> {
        let (sum, fields) = match self.sum(key, scratch, tracer) {
            Ok((Some(sum), fields)) => (sum, fields),
            Ok((None, _)) => {
                let NullRule::Unpinned(how) = self.scheme.null else { unreachable!("the rows of Debezium") };
                tracer.say(Stage::Rule, || (format!("no field has a value: placed {how}"), String::new()));
                return Ok(Outcome::Unpinned(Why::Borrowed(how)));
            }
            Err(error) => return failed(error, tracer),
        };
        if fields > 1 {
            tracer.say(Stage::Hash, || ("the sum, in 32 bits".into(), sum.to_string()));
        }
        let normal = match sum & i32::MAX {
            i32::MAX => {
                tracer.say(Stage::Map, || ("2147483647 without the sign bit: 0 instead".into(), "0".into()));
                0
            }
            _ => sum as u32,
        };
        Ok(Outcome::Placed(Place::index(masked(normal, self.partitions, tracer), Hash::I32(sum))))
    }

    fn places(&self) -> Option<u32> {
        Some(self.partitions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Placer, params};

    fn place(key: Key<'_>) -> Result<Outcome, KeyError> {
        Placer::new("kafka/debezium-java", params! { partitions: 1000 }).unwrap().place(key)
    }

    fn typed(ty: &'static str, value: &'static str) -> Key<'static> {
        Key::Typed(Typed { ty, value: Value::Text(value) })
    }

    /// The adapter has no way to hand these over either.
    #[test]
    fn what_no_row_can_hold_is_malformed() {
        for (key, allowed) in [
            (typed("uuid", "123e4567-e89b-12d3-a456-426614174000"), "allowed: short"),
            (typed("avro-confluent", "7:00"), "allowed: short"),
            (typed("short", "32768"), "32767"),
            (Key::Tuple(&[]), "at least one"),
            (Key::Tuple(&[Key::Tuple(&[])]), "not tuple"),
            (Key::Fields(&[("row", Key::Fields(&[]))]), "not named fields"),
        ] {
            let error = place(key).unwrap_err().to_string();
            assert!(error.contains(allowed), "{key:?}: {error}");
        }
    }

    /// `{"fields":{"n":1}}` and the like: a bare number has no column's type.
    #[test]
    fn a_bare_number_is_taken_where_its_type_makes_no_difference() {
        assert_eq!(place(typed("number", "42")), place(typed("long", "42")));
        assert_eq!(place(typed("number", "42")), place(typed("short", "42")));
        assert_eq!(place(typed("bool", "true")), place(typed("boolean", "true")));
        for number in ["-1", "1.0", "2147483648", "1e3"] {
            let error = place(typed("number", number)).unwrap_err().to_string();
            assert!(error.contains("the column's type"), "{number}: {error}");
        }
    }
}
