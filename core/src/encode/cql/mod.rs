//! CQL values, serialized as Cassandra serializes the columns of a partition key.
//!
//! A typed key's `ty` is a CQL type, `frozen<>` or not; a user type spells its fields: `udt<street:text,zip:int>`. Its
//! value is, for a type without parts, the value bare (`it's`, `0xff`, `2024-02-29`, `NaN`), otherwise the CQL literal
//! (`{'b': 2, 'a': 1}`, `[1, 2]`, `(1, null)`, `{zip: 1}`). Names of fields keep their case in the type; in the value
//! they are lower case unless in double quotes, as in CQL.
//!
//! * Sets and maps are sorted by their elements' own type and have each element once. Where two elements are equal but
//!   of different bytes (the decimals 1.0 and 1.00), or a map has a key twice with two values, a server keeps one or the
//!   other from one statement to the next: such a literal is refused.
//! * A tuple may be shorter than its type, and its bytes are then shorter too. A user type's missing fields are null.
//! * A vector's elements stand without lengths if their type is of fixed length to the server, which `tinyint`,
//!   `smallint`, `date` and `time` are not.
//! * Texts of points in time are read as Cassandra 4.0 and later read them. 3.11 reads `12:34:56.7` as 7 milliseconds,
//!   has the Julian calendar before 1582-10-15, and refuses the days (2023-02-30) that later versions take as the month's
//!   last.
//! * A literal may be narrower than its type: since 4.0 a server reads no `1e400`, which as a `decimal` a driver binds
//!   without trouble. As a decimal it is encoded; as a float it is malformed.
//!
//! Spec: <https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html> for types and literals,
//! <https://github.com/apache/cassandra/blob/trunk/doc/native_protocol_v5.spec> section 5 for the bytes.

mod compare;
mod literal;
mod number;
mod scalar;
mod time;
mod types;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use types::{MAX_DEPTH, TYPES};

use self::literal::Fault;
use self::scalar::Bad;
use self::types::{Scalar, Type};
use super::EncodeError;
use crate::{KeyError, Typed, Value};

/// What CQL takes as space.
const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

/// Appends the bytes of a CQL value to `out`; false for null, which has none. After an error, what was appended is of no
/// use.
///
/// ```
/// use keyfall_core::{Typed, Value, encode::cql::encode};
/// let mut out = Vec::new();
/// assert!(encode(Typed { ty: "smallint", value: Value::Text("-2") }, &mut out)?);
/// assert_eq!(out, [0xff, 0xfe]);
///
/// out.clear();
/// encode(Typed { ty: "set<tinyint>", value: Value::Text("{2, 1, 2}") }, &mut out)?;
/// assert_eq!(out, [0, 0, 0, 2, /* */ 0, 0, 0, 1, 1, /* */ 0, 0, 0, 1, 2]);
/// # Ok::<(), keyfall_core::encode::EncodeError>(())
/// ```
///
/// # Errors
/// Malformed: no type, no value of the type, one out of range. Rejected: a type that no key may have (`counter`,
/// `duration`, anywhere within it), a null inside a collection, a collection that is too long for any key. Refused: a
/// literal that a server takes as this or that. A literal that is malformed is so before anything else.
#[inline]
pub fn encode(typed: Typed<'_>, out: &mut Vec<u8>) -> Result<bool, EncodeError> {
    if let Some(scalar) = Scalar::named(typed.ty) {
        return encode_scalar(scalar, typed, out);
    }
    match types::parse(typed.ty)? {
        Type::Scalar(scalar) => encode_scalar(scalar, typed, out),
        ty => encode_literal(&ty, typed, out),
    }
}

fn encode_scalar(scalar: Scalar, typed: Typed<'_>, out: &mut Vec<u8>) -> Result<bool, EncodeError> {
    let written = match typed.value {
        Value::Int(n) => scalar::int(scalar, n, out),
        Value::Text(text) => {
            let trimmed = text.trim_matches(SPACE);
            if !matches!(scalar, Scalar::Ascii | Scalar::Text) && trimmed.eq_ignore_ascii_case("null") {
                return Ok(false);
            }
            scalar::text(scalar, if scalar.is_quoted() { text } else { trimmed }, out)
        }
    };
    match written {
        Ok(()) => Ok(true),
        Err(Bad::TooLong) => Err(failed(typed, Fault::too_long(), 0)),
        Err(Bad::Not(allowed)) => Err(no_value(typed, allowed)),
    }
}

fn encode_literal(ty: &Type<'_>, typed: Typed<'_>, out: &mut Vec<u8>) -> Result<bool, EncodeError> {
    match typed.value {
        Value::Int(_) => Err(no_value(typed, "its values are CQL literals")),
        Value::Text(text) => literal::write(ty, text, out).map_err(|(fault, at)| failed(typed, fault, at)),
    }
}

fn no_value(typed: Typed<'_>, allowed: &str) -> EncodeError {
    let value = match typed.value {
        Value::Text(text) => shown(text),
        Value::Int(n) => format!("{n}"),
    };
    KeyError::new(format!("{value} is not a CQL {}: {allowed}", short(typed.ty).escape_debug())).into()
}

fn failed(typed: Typed<'_>, fault: Fault, at: usize) -> EncodeError {
    match fault {
        Fault::Malformed(what) => no_value(typed, &format!("at byte {at}, {what}")),
        Fault::Rejected(why) => EncodeError::Rejected(why),
        Fault::Refused(why) => EncodeError::Refused(why),
    }
}

/// A name or value as a message shows it: quoted, and cut where it is long.
fn shown(text: &str) -> String {
    let short = short(text);
    format!("{short:?}{}", if short.len() < text.len() { "..." } else { "" })
}

fn short(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(at, _)| &text[..at])
}
