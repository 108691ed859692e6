//! Mistakes that are made before the hash, whatever the scheme: another key is placed than the one that was meant.

use keyfall_core::encode::{self, EncodeError};
use keyfall_core::{Key, NullRule, OwnedKey, Scheme, Surrogates};

use super::{Answer, Mistake, Subject};

/// The key that is placed instead; none where that is the same.
type Instead = fn(&OwnedKey) -> Option<OwnedKey>;

pub(super) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let mut table = vec![
        Mistake::answer("null-key", "a null key has another rule", |s| is_null(&s.key).then(|| Answer::other_rule(s))),
        Mistake::answer("empty-key", "an empty key has another rule", |s| {
            is_empty(&s.key).then(|| Answer::other_rule(s))
        }),
    ];
    if matches!(scheme.function, "random" | "process-random") {
        if matches!(scheme.null, NullRule::Refused(_)) {
            table.push(Mistake::answer("process-random", "a hash that differs per process is computed", computed));
            table.push(Mistake::answer("not-computable", "what cannot be known is computed", computed));
        }
        return table;
    }
    let instead = |flag, what, instead: Instead| {
        Mistake::answer(flag, what, move |s| {
            let key = match &s.key {
                OwnedKey::Tuple(parts) => OwnedKey::Tuple(each(parts, instead)?),
                OwnedKey::Fields(fields) => {
                    let (names, parts): (Vec<String>, Vec<OwnedKey>) = fields.iter().cloned().unzip();
                    OwnedKey::Fields(names.into_iter().zip(each(&parts, instead)?).collect())
                }
                key => instead(key)?,
            };
            Some(s.place(&key))
        })
    };
    table.push(instead("embedded-nul", "the key ends at its first NUL", cut_at_nul));
    if scheme.id.starts_with("kafka/debezium-") {
        // Its text is no bytes: those have another hash.
        table.push(instead("binary-key", "bytes are decoded as UTF-8, with U+FFFD for what is not", decode_lossily));
        table.push(instead("surrogate", "a lone surrogate is replaced by U+FFFD", replace_surrogates));
    } else if scheme.surrogates == Surrogates::Kept {
        table.push(instead("surrogate", "a lone surrogate is replaced by U+FFFD", replace_surrogates));
    } else {
        table.push(instead("utf8", "each UTF-16 unit is taken as one byte", low_bytes));
        table.push(instead("utf8", "characters beyond U+FFFF are two surrogates of three bytes each", cesu8));
        table.push(instead("binary-key", "bytes are decoded as UTF-8, with U+FFFD for what is not", decode_lossily));
        match scheme.surrogates {
            Surrogates::Rejected => {}
            Surrogates::ThreeBytes => {
                table.push(instead("surrogate", "a lone surrogate is replaced by U+FFFD", replace_surrogates));
            }
            _ => table.push(instead("surrogate", "a lone surrogate is three bytes", cesu8_surrogates)),
        }
    }
    if matches!(scheme.null, NullRule::Refused(_)) {
        table.push(Mistake::answer("not-computable", "what cannot be known is computed", computed));
    }
    table
}

fn computed(subject: &Subject<'_>) -> Option<Answer> {
    (subject.case.outcome == "refused").then(|| Answer::at(0))
}

fn is_null(key: &OwnedKey) -> bool {
    matches!(key, OwnedKey::Null) || matches!(key, OwnedKey::Typed(ty, _) if ty == "void")
}

fn is_empty(key: &OwnedKey) -> bool {
    match key {
        void if is_null(void) => false,
        OwnedKey::Bytes(bytes) => bytes.is_empty(),
        OwnedKey::Text(text) => text.is_empty(),
        OwnedKey::Utf16(units) => units.is_empty(),
        OwnedKey::Typed(_, value) => value.is_empty(),
        OwnedKey::Fields(fields) => fields.is_empty(),
        _ => false,
    }
}

/// All components, of which at least one is another.
fn each(parts: &[OwnedKey], instead: Instead) -> Option<Vec<OwnedKey>> {
    let changed: Vec<Option<OwnedKey>> = parts.iter().map(instead).collect();
    if changed.iter().all(Option::is_none) {
        return None;
    }
    Some(changed.into_iter().zip(parts).map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect())
}

fn cut_at_nul(key: &OwnedKey) -> Option<OwnedKey> {
    match key {
        OwnedKey::Bytes(bytes) => bytes.iter().position(|b| *b == 0).map(|at| OwnedKey::Bytes(bytes[..at].into())),
        OwnedKey::Text(text) => text.find('\0').map(|at| OwnedKey::Text(text[..at].into())),
        OwnedKey::Utf16(units) => units.iter().position(|u| *u == 0).map(|at| OwnedKey::Utf16(units[..at].into())),
        _ => None,
    }
}

pub(super) fn units(key: &OwnedKey) -> Option<Vec<u16>> {
    match key {
        OwnedKey::Text(text) => Some(text.encode_utf16().collect()),
        OwnedKey::Utf16(units) => Some(units.clone()),
        _ => None,
    }
}

pub(super) fn low_bytes(key: &OwnedKey) -> Option<OwnedKey> {
    let units = units(key)?;
    // A lone surrogate is another mistake's.
    let well_formed = String::from_utf16(&units).is_ok();
    (well_formed && units.iter().any(|unit| *unit > 0x7f))
        .then(|| OwnedKey::Bytes(units.iter().map(|unit| *unit as u8).collect()))
}

fn decode_lossily(key: &OwnedKey) -> Option<OwnedKey> {
    let OwnedKey::Bytes(bytes) = key else { return None };
    String::from_utf8(bytes.clone())
        .err()
        .map(|e| OwnedKey::Bytes(String::from_utf8_lossy(e.as_bytes()).into_owned().into()))
}

/// UTF-8 of each unit by itself.
fn unit_by_unit(units: &[u16]) -> OwnedKey {
    let mut bytes = Vec::new();
    for unit in units {
        match char::from_u32((*unit).into()) {
            Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => {
                bytes.extend([0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8])
            }
        }
    }
    OwnedKey::Bytes(bytes)
}

pub(super) fn cesu8(key: &OwnedKey) -> Option<OwnedKey> {
    let units = units(key)?;
    (units.iter().any(|unit| matches!(unit, 0xd800..=0xdfff)) && String::from_utf16(&units).is_ok())
        .then(|| unit_by_unit(&units))
}

fn cesu8_surrogates(key: &OwnedKey) -> Option<OwnedKey> {
    let OwnedKey::Utf16(units) = key else { return None };
    String::from_utf16(units).is_err().then(|| unit_by_unit(units))
}

fn replace_surrogates(key: &OwnedKey) -> Option<OwnedKey> {
    let OwnedKey::Utf16(units) = key else { return None };
    String::from_utf16(units).is_err().then(|| OwnedKey::Text(String::from_utf16_lossy(units)))
}

/// Mistakes with typed keys of Kafka's serializers; `numbers` where the client has some for numbers.
pub(super) fn serializers(numbers: bool) -> Vec<Mistake> {
    // Null, which void is, has no text.
    let typed = |s: &Subject<'_>| match &s.key {
        OwnedKey::Typed(ty, value) if ty != "void" => Some((ty.clone(), value.clone())),
        _ => None,
    };
    let mut table = vec![Mistake::answer("key-serializer", "a value is serialized as its text", move |s| {
        let (_, value) = typed(s)?;
        Some(s.place(&OwnedKey::Text(value)))
    })];
    if numbers {
        table.push(Mistake::answer("key-serializer", "integers and floats are little-endian", move |s| {
            let (ty, _) = typed(s)?;
            if !matches!(ty.as_str(), "short" | "integer" | "long" | "float" | "double") {
                return None;
            }
            let mut bytes = wire_bytes(s)?;
            bytes.reverse();
            Some(s.place(&OwnedKey::Bytes(bytes)))
        }));
    }
    table
}

/// The bytes of a key of Kafka on the wire; none for null and for a key that the client does not take.
pub(super) fn wire_bytes(subject: &Subject<'_>) -> Option<Vec<u8>> {
    let encoded = |key: Key<'_>| -> Result<Option<Vec<u8>>, EncodeError> {
        let mut scratch = Vec::new();
        Ok(encode::kafka::encode(key, subject.scheme.surrogates, &mut scratch)?.map(<[u8]>::to_vec))
    };
    subject.key.with(encoded).ok().flatten()
}

/// What the defaults of a client's peers say.
pub(super) fn peers_default(peer: &'static str) -> Mistake {
    Mistake::answer("client-default", "another client's default is taken for this one's", move |s| {
        let mut params = keyfall_core::Params::new();
        params.set("partitions", s.params.get("partitions")?.clone());
        // A row of fields is no key of the peer's.
        s.place_as(peer, params).filter(|answer| answer.outcome != "error")
    })
}
