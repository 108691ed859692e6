//! Keys: what the user has, before any system's encoding.

use alloc::string::String;
use alloc::vec::Vec;

use crate::KeyError;

/// A key as the user has it. Borrowed and `Copy`; [`OwnedKey`] is its owning form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key<'a> {
    /// No key at all.
    Null,
    /// Bytes, as they stand on the wire.
    Bytes(&'a [u8]),
    /// Text. Systems that hash bytes take it as UTF-8, systems that hash UTF-16 as its code units.
    Text(&'a str),
    /// UTF-16 code units, lone surrogates included.
    Utf16(&'a [u16]),
    /// A value of a type of the system's own type system.
    Typed(Typed<'a>),
    /// Several components in order: a composite key, or routing and id.
    Tuple(&'a [Key<'a>]),
    /// Named components, in any order.
    Fields(&'a [(&'a str, Key<'a>)]),
}

/// A value with the name of its type, as the system spells it (`bigint`, `map<text,int>`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Typed<'a> {
    /// The type's name, the system's own.
    pub ty: &'a str,
    /// The value.
    pub value: Value<'a>,
}

/// The value of a [`Typed`] key.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// Text that the type's parser reads; the only form that JSON has.
    Text(&'a str),
    /// An integer, as an Arrow column holds it: saves the text.
    Int(i64),
}

/// The most bytes or UTF-16 units that a key may have: 2^31 - 1, more than any system takes.
pub const MAX_KEY_LEN: usize = i32::MAX as usize;

impl Key<'_> {
    /// Fails for a key that is longer than [`MAX_KEY_LEN`].
    #[inline]
    pub(crate) fn check_len(&self) -> Result<(), KeyError> {
        let len = match self {
            Key::Bytes(bytes) => bytes.len(),
            Key::Text(text) => text.len(),
            Key::Utf16(units) => units.len(),
            _ => 0,
        };
        if len > MAX_KEY_LEN { Err(KeyError::too_long(len)) } else { Ok(()) }
    }

    /// What it is, for error messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Key::Null => "null",
            Key::Bytes(_) => "bytes",
            Key::Text(_) => "text",
            Key::Utf16(_) => "UTF-16 text",
            Key::Typed(_) => "typed value",
            Key::Tuple(_) => "tuple",
            Key::Fields(_) => "named fields",
        }
    }
}

impl<'a> From<&'a [u8]> for Key<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Key::Bytes(bytes)
    }
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(text: &'a str) -> Self {
        Key::Text(text)
    }
}

impl<'a, T: Into<Key<'a>>> From<Option<T>> for Key<'a> {
    fn from(key: Option<T>) -> Self {
        key.map_or(Key::Null, Into::into)
    }
}

/// The owning form of a [`Key`].
#[derive(Clone, Debug, PartialEq)]
pub enum OwnedKey {
    /// No key at all.
    Null,
    /// Bytes.
    Bytes(Vec<u8>),
    /// Text.
    Text(String),
    /// UTF-16 code units.
    Utf16(Vec<u16>),
    /// A typed value: the type's name and the value's text.
    Typed(String, String),
    /// Components in order.
    Tuple(Vec<OwnedKey>),
    /// Named components.
    Fields(Vec<(String, OwnedKey)>),
}

impl OwnedKey {
    /// Calls `f` with the borrowed key.
    ///
    /// ```
    /// use keyfall_core::{Key, OwnedKey};
    /// let key = OwnedKey::Tuple(vec![OwnedKey::Text("a".into()), OwnedKey::Null]);
    /// key.with(|key| assert_eq!(key, Key::Tuple(&[Key::Text("a"), Key::Null])));
    /// ```
    pub fn with<R>(&self, f: impl FnOnce(Key<'_>) -> R) -> R {
        let mut f = Some(f);
        let mut result = None;
        self.visit(&mut |key| result = f.take().map(|f| f(key)));
        result.expect("visit calls back once")
    }

    /// The borrowed key, where nothing has to be collected first.
    fn scalar(&self) -> Option<Key<'_>> {
        Some(match self {
            OwnedKey::Null => Key::Null,
            OwnedKey::Bytes(bytes) => Key::Bytes(bytes),
            OwnedKey::Text(text) => Key::Text(text),
            OwnedKey::Utf16(units) => Key::Utf16(units),
            OwnedKey::Typed(ty, value) => Key::Typed(Typed { ty, value: Value::Text(value) }),
            OwnedKey::Tuple(_) | OwnedKey::Fields(_) => return None,
        })
    }

    fn visit(&self, f: &mut dyn FnMut(Key<'_>)) {
        match self {
            OwnedKey::Tuple(keys) => {
                let keys: Vec<&OwnedKey> = keys.iter().collect();
                visit_all(&keys, &[], &mut |keys| f(Key::Tuple(keys)));
            }
            OwnedKey::Fields(fields) => {
                let keys: Vec<&OwnedKey> = fields.iter().map(|(_, key)| key).collect();
                visit_all(&keys, &[], &mut |keys| {
                    let names = fields.iter().map(|(name, _)| name.as_str());
                    let named: Vec<(&str, Key<'_>)> = names.zip(keys.iter().copied()).collect();
                    f(Key::Fields(&named));
                });
            }
            scalar => f(scalar.scalar().expect("neither a tuple nor fields")),
        }
    }
}

/// Calls `f` with all of `keys` borrowed at once. A nested tuple's slice lives on the stack of its own visit, so what
/// follows it is visited inside that.
fn visit_all(keys: &[&OwnedKey], done: &[Key<'_>], f: &mut dyn FnMut(&[Key<'_>])) {
    let mut done = done.to_vec();
    let mut keys = keys.iter();
    while let Some(key) = keys.next() {
        match key.scalar() {
            Some(key) => done.push(key),
            None => {
                return key.visit(&mut |key| {
                    let mut done = done.clone();
                    done.push(key);
                    visit_all(keys.as_slice(), &done, f);
                });
            }
        }
    }
    f(&done);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn nested_keys_are_borrowed_in_order() {
        let inner = OwnedKey::Tuple(vec![OwnedKey::Bytes(vec![1]), OwnedKey::Null]);
        let key = OwnedKey::Fields(vec![("a".into(), inner), ("b".into(), OwnedKey::Text("x".into()))]);
        key.with(|key| {
            let inner = [Key::Bytes(&[1]), Key::Null];
            assert_eq!(key, Key::Fields(&[("a", Key::Tuple(&inner)), ("b", Key::Text("x"))]));
        });
    }
}
