//! Text: UTF-8 and UTF-16, with lone surrogates treated as each client treats them.

use alloc::format;
use alloc::vec::Vec;

use super::EncodeError;
use crate::{Key, KeyError, Surrogates, Why};

/// The bytes of a key that is null, bytes or text; none for null. Text is UTF-8: the key's own bytes where it has them,
/// otherwise written to `scratch`.
///
/// # Errors
/// Malformed for every other kind of key; a lone surrogate where they are rejected.
#[inline]
pub fn bytes<'k>(
    key: Key<'k>,
    surrogates: Surrogates,
    scratch: &'k mut Vec<u8>,
) -> Result<Option<&'k [u8]>, EncodeError> {
    match key {
        Key::Null => Ok(None),
        Key::Bytes(bytes) => Ok(Some(bytes)),
        Key::Text(text) => Ok(Some(text.as_bytes())),
        Key::Utf16(units) => {
            utf8(units, surrogates, scratch)?;
            Ok(Some(scratch))
        }
        other => Err(no_use(other)),
    }
}

/// A key of a form that is neither null nor bytes nor text.
#[cold]
fn no_use(key: Key<'_>) -> EncodeError {
    let kind = match key {
        Key::Typed(typed) => format!("typed key ({})", typed.ty),
        other => format!("{} key", other.kind()),
    };
    KeyError::new(format!("a {kind} has no use here: give bytes or text")).into()
}

/// UTF-16 code units as UTF-8, lone surrogates as `surrogates` says.
///
/// ```
/// use keyfall_core::{Surrogates, encode::text::utf8};
/// let mut out = Vec::new();
/// utf8(&[0x61, 0xd83d], Surrogates::QuestionMark, &mut out)?;
/// assert_eq!(out, b"a?");
/// # Ok::<(), keyfall_core::encode::EncodeError>(())
/// ```
///
/// # Errors
/// A lone surrogate where they are rejected.
pub fn utf8(units: &[u16], surrogates: Surrogates, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let mut at = 0;
    for c in char::decode_utf16(units.iter().copied()) {
        let c = match (c, surrogates) {
            (Ok(c), _) => c,
            (Err(_), Surrogates::QuestionMark) => '?',
            (Err(_), Surrogates::Replacement) => '\u{fffd}',
            (Err(lone), Surrogates::ThreeBytes) => {
                let unit = lone.unpaired_surrogate();
                out.extend([0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]);
                at += 1;
                continue;
            }
            (Err(lone), Surrogates::Kept | Surrogates::Rejected) => {
                let unit = lone.unpaired_surrogate();
                return Err(EncodeError::Rejected(Why::Owned(format!(
                    "lone surrogate {unit:#06x} at unit {at}: it has no UTF-8 form"
                ))));
            }
        };
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        at += c.len_utf16();
    }
    Ok(())
}

/// The bytes of a key that is text: UTF-8, or the place of the first byte that is not.
///
/// # Errors
/// Rejected where the bytes are not UTF-8.
pub fn from_bytes(bytes: &[u8]) -> Result<&str, EncodeError> {
    core::str::from_utf8(bytes).map_err(|e| {
        EncodeError::Rejected(Why::Owned(format!(
            "not UTF-8 from byte {}: this system's keys are text",
            e.valid_up_to()
        )))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_surrogate_is_named_with_its_place() {
        let Err(EncodeError::Rejected(why)) =
            utf8(&[0x61, 0xd83d, 0xde00, 0xdc00], Surrogates::Rejected, &mut Vec::new())
        else {
            panic!()
        };
        assert!(why.starts_with("lone surrogate 0xdc00 at unit 3"), "{why}");
    }

    #[test]
    fn a_lone_surrogate_is_written_as_the_client_does() {
        let written = |surrogates| {
            let mut out = Vec::new();
            utf8(&[0x61, 0xd83d, 0x62, 0xd83d, 0xde00, 0xdc00], surrogates, &mut out).unwrap();
            out
        };
        assert_eq!(written(Surrogates::QuestionMark), "a?b😀?".as_bytes());
        assert_eq!(written(Surrogates::Replacement), "a\u{fffd}b😀\u{fffd}".as_bytes());
        assert_eq!(written(Surrogates::ThreeBytes), b"a\xed\xa0\xbdb\xf0\x9f\x98\x80\xed\xb0\x80");
    }
}
