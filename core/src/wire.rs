//! The JSON forms that every front end shares: keys, params, requests, outcomes, topologies.
//!
//! ```
//! use keyfall_core::{Placer, wire};
//!
//! let request = wire::Request::parse(r#"{"key":{"text":"100:48069"},"params":{"partitions":12},"id":7}"#)?;
//! let placer = Placer::new("kafka/java", request.params.unwrap_or_default())?;
//! let outcome = request.key.with(|key| placer.place(key));
//! let answer = wire::OutcomeJson::new(&placer, &outcome);
//! assert_eq!(serde_json::to_string(&answer)?, r#"{"outcome":"placed","place":9,"hash":"1009543857"}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use base64::Engine;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::encode::kafka::from_hex;
use crate::{
    BytesForm, Coord, Domain, Error, ErrorKind, Key, KeyError, Outcome, OwnedKey, Param, ParamSpec, Params, Placer,
    Scheme, Stage, Step, Trace, Value,
};

/// The forms of a key, as messages list them.
const FORMS: &str = r#"null, {"hex"}, {"base64"}, {"text"}, {"utf16"}, {"type","value"}, {"tuple"} or {"fields"}"#;

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidJson, message)
}

/// What serde_json says, without the position in a part of the line, which would mislead.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_string())
}

/// A JSON string as text, or as UTF-16 where it has lone surrogates (which JSON can spell and `str` cannot hold).
enum JsonText {
    Text(String),
    Units(Vec<u16>),
}

impl<'de> Deserialize<'de> for JsonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wtf8;
        impl Visitor<'_> for Wtf8 {
            type Value = JsonText;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<JsonText, E> {
                Ok(JsonText::Text(text.into()))
            }
            fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<JsonText, E> {
                Ok(match core::str::from_utf8(bytes) {
                    Ok(text) => JsonText::Text(text.into()),
                    Err(_) => JsonText::Units(units_of_wtf8(bytes)),
                })
            }
        }
        deserializer.deserialize_bytes(Wtf8)
    }
}

/// serde_json hands a string with lone surrogates over as WTF-8: UTF-8 in which a surrogate is three bytes.
fn units_of_wtf8(mut bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::new();
    while !bytes.is_empty() {
        let (valid, rest) = match core::str::from_utf8(bytes) {
            Ok(text) => (text, &[][..]),
            Err(e) => {
                let (valid, rest) = bytes.split_at(e.valid_up_to());
                (core::str::from_utf8(valid).unwrap_or_default(), rest)
            }
        };
        units.extend(valid.encode_utf16());
        bytes = match rest {
            [0xed, b, c, rest @ ..] => {
                units.push(0xd000 | u16::from(b & 0x3f) << 6 | u16::from(c & 0x3f));
                rest
            }
            _ => &[],
        };
    }
    units
}

/// An object's members in order, values as they stand; a name twice is an error.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(String, &'de RawValue)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if members.iter().any(|(n, _)| *n == name) {
                        return Err(serde::de::Error::custom(format_args!("{name:?} stands twice")));
                    }
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Reads a KEY.
///
/// ```
/// use keyfall_core::{OwnedKey, wire::parse_key};
/// assert_eq!(parse_key(r#"{"hex":"00ff"}"#)?, OwnedKey::Bytes(vec![0, 255]));
/// assert_eq!(parse_key(r#"{"text":"\ud83d"}"#)?, OwnedKey::Utf16(vec![0xd83d]));
/// # Ok::<(), keyfall_core::KeyError>(())
/// ```
///
/// # Errors
/// JSON that is no KEY: the message says which form and what is allowed.
pub fn parse_key(json: &str) -> Result<OwnedKey, KeyError> {
    parse_nested(json, 0)
}

fn parse_nested(json: &str, depth: u32) -> Result<OwnedKey, KeyError> {
    let json = json.trim();
    if json == "null" {
        return Ok(OwnedKey::Null);
    }
    if !json.starts_with('{') {
        return Err(KeyError::new(format!("{} is no key: write {FORMS}", shorten(json))));
    }
    let Members(members) = serde_json::from_str(json).map_err(|e| KeyError::new(format!("key: {}", said(&e))))?;
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    let value = |at: usize| members[at].1.get();
    let composite = |form: &str| {
        if depth > 0 {
            Err(KeyError::new(format!("a {form} inside a tuple or fields: components are plain keys")))
        } else {
            Ok(())
        }
    };
    match names[..] {
        ["hex"] => {
            let text: Cow<'_, str> = string("hex", value(0))?;
            from_hex(&text)
                .map(OwnedKey::Bytes)
                .ok_or_else(|| KeyError::new(format!("hex: {} is not an even number of hex digits", shorten(&text))))
        }
        ["base64"] => {
            let text: Cow<'_, str> = string("base64", value(0))?;
            let engine = base64::engine::general_purpose::STANDARD;
            engine
                .decode(text.as_bytes())
                .map(OwnedKey::Bytes)
                .map_err(|e| KeyError::new(format!("base64: {}: {e} (padding is required)", shorten(&text))))
        }
        ["text"] => match serde_json::from_str(value(0)) {
            Ok(JsonText::Text(text)) => Ok(OwnedKey::Text(text)),
            Ok(JsonText::Units(units)) => Ok(OwnedKey::Utf16(units)),
            Err(e) => Err(KeyError::new(format!("text: {}", said(&e)))),
        },
        ["utf16"] => serde_json::from_str(value(0)).map(OwnedKey::Utf16).map_err(|e| {
            KeyError::new(format!("utf16: {}: an array of whole numbers from 0 to 65535 is allowed", said(&e)))
        }),
        ["type", "value"] | ["value", "type"] => {
            let at = usize::from(names[0] == "value");
            let (ty, text) = (string("type", value(at))?, string("value", value(1 - at))?);
            Ok(OwnedKey::Typed(ty.into_owned(), text.into_owned()))
        }
        ["tuple"] => {
            composite("tuple")?;
            let parts: Vec<&RawValue> = serde_json::from_str(value(0))
                .map_err(|e| KeyError::new(format!("tuple: {}: an array of keys is allowed", said(&e))))?;
            let keys = parts.iter().enumerate().map(|(i, part)| {
                parse_nested(part.get(), depth + 1).map_err(|e| KeyError::new(format!("tuple[{i}]: {e}")))
            });
            keys.collect::<Result<_, _>>().map(OwnedKey::Tuple)
        }
        ["fields"] => {
            composite("fields object")?;
            let Members(fields) = serde_json::from_str(value(0))
                .map_err(|e| KeyError::new(format!("fields: {}: an object of keys is allowed", said(&e))))?;
            let keys = fields.into_iter().map(|(name, value)| {
                let key =
                    parse_field(value.get(), depth + 1).map_err(|e| KeyError::new(format!("fields.{name}: {e}")))?;
                Ok((name, key))
            });
            keys.collect::<Result<_, _>>().map(OwnedKey::Fields)
        }
        _ => {
            Err(KeyError::new(format!("a key of the members {} is of no known form: write {FORMS}", names.join(", "))))
        }
    }
}

/// A field's value: a KEY, or a bare scalar whose source text is kept.
fn parse_field(json: &str, depth: u32) -> Result<OwnedKey, KeyError> {
    let typed = |ty: &str| Ok(OwnedKey::Typed(ty.into(), json.into()));
    match json.as_bytes().first() {
        Some(b'"') => parse_nested(&format!("{{\"text\":{json}}}"), depth),
        Some(b't' | b'f') => typed("bool"),
        Some(b'-' | b'0'..=b'9') => typed("number"),
        _ => parse_nested(json, depth),
    }
}

fn string<'a>(name: &str, json: &'a str) -> Result<Cow<'a, str>, KeyError> {
    // Borrowed where the JSON string has no escapes.
    if let Ok(text) = serde_json::from_str::<&str>(json) {
        return Ok(Cow::Borrowed(text));
    }
    serde_json::from_str::<String>(json)
        .map(Cow::Owned)
        .map_err(|e| KeyError::new(format!("{name}: {}: a string is allowed", said(&e))))
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        format!("{text:?}")
    } else {
        format!("{:?}...", text.chars().take(40).collect::<String>())
    }
}

/// A key that is written as a KEY, by serde or by [`fmt::Display`].
///
/// ```
/// use keyfall_core::{Key, wire::KeyJson};
/// assert_eq!(KeyJson(Key::Bytes(&[0xff])).to_string(), r#"{"hex":"ff"}"#);
/// assert_eq!(KeyJson(Key::Null).to_string(), "null");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KeyJson<'a>(pub Key<'a>);

impl Serialize for KeyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn one<S: Serializer>(
            serializer: S,
            name: &'static str,
            value: &(impl Serialize + ?Sized),
        ) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(name, value)?;
            map.end()
        }
        /// Fields in the order given.
        struct Fields<'a>(&'a [(&'a str, Key<'a>)]);
        impl Serialize for Fields<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, key)| (name, KeyJson(*key))))
            }
        }
        match self.0 {
            Key::Null => serializer.serialize_unit(),
            Key::Bytes(bytes) => one(serializer, "hex", &Coord::Bytes(bytes.into(), BytesForm::HexLower).to_string()),
            Key::Text(text) => one(serializer, "text", text),
            Key::Utf16(units) => one(serializer, "utf16", units),
            Key::Typed(typed) => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("type", typed.ty)?;
                match typed.value {
                    Value::Text(text) => map.serialize_entry("value", text)?,
                    Value::Int(n) => map.serialize_entry("value", &n.to_string())?,
                }
                map.end()
            }
            Key::Tuple(keys) => one(serializer, "tuple", &keys.iter().map(|key| KeyJson(*key)).collect::<Vec<_>>()),
            Key::Fields(fields) => one(serializer, "fields", &Fields(fields)),
        }
    }
}

impl fmt::Display for KeyJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// Reads a JSON object of params: numbers, texts, booleans, arrays of these, and a `topology` object.
///
/// # Errors
/// JSON that is no such object. Whether a scheme takes the params is [`Placer::new`]'s to say.
pub fn parse_params(json: &str) -> Result<Params, Error> {
    let Members(members) =
        serde_json::from_str(json).map_err(|e| invalid(format!("params: {}: an object is allowed", said(&e))))?;
    let mut params = Params::new();
    for (name, value) in members {
        let param = parse_param(&name, value.get())?;
        params.set(name, param);
    }
    Ok(params)
}

fn parse_param(name: &str, json: &str) -> Result<Param, Error> {
    let wrong = || invalid(format!("param {name}: {} is not a number, text, boolean or array of these", shorten(json)));
    let scalar = |json: &str| match json.as_bytes().first() {
        Some(b'"') => serde_json::from_str::<String>(json).map_err(|_| wrong()),
        Some(b'-' | b'0'..=b'9' | b't' | b'f') => Ok(json.to_string()),
        _ => Err(wrong()),
    };
    match json.as_bytes().first() {
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).map_err(|_| wrong())?;
            items.iter().map(|item| scalar(item.get())).collect::<Result<_, _>>().map(Param::List)
        }
        Some(b'{') if name == "topology" => parse_topology(json).map(Param::Topology),
        _ => scalar(json).map(Param::Text),
    }
}

/// Writes params as [`parse_params`] reads them, the topology left out: a placer keeps it apart. Numbers of 2^53 and
/// above are strings.
pub fn params_json(params: &Params) -> serde_json::Map<String, serde_json::Value> {
    let value = |param: &Param| match param {
        Param::U64(n) if *n < 1 << 53 => (*n).into(),
        Param::U64(n) => n.to_string().into(),
        Param::Text(text) if text == "true" => true.into(),
        Param::Text(text) if text == "false" => false.into(),
        Param::Text(text) => text.as_str().into(),
        Param::List(list) => list.as_slice().into(),
        Param::Nodes(nodes) => nodes.iter().map(|(name, _)| name.as_str()).collect(),
        Param::Topology(_) => serde_json::Value::Null,
    };
    params.iter().map(|(name, param)| (name.to_string(), value(param))).collect()
}

/// A line of `place --jsonl`: a key, perhaps params and an id.
#[derive(Debug)]
pub struct Request<'a> {
    /// The key.
    pub key: OwnedKey,
    /// Params of this line alone.
    pub params: Option<Params>,
    /// The params as they stand: equal texts are equal params.
    pub params_json: Option<&'a str>,
    /// What is to be echoed.
    pub id: Option<&'a RawValue>,
}

/// A line that is no request; its id is kept where it has one.
#[derive(Debug)]
pub struct BadRequest<'a> {
    /// What is wrong.
    pub why: String,
    /// What is to be echoed.
    pub id: Option<&'a RawValue>,
}

impl fmt::Display for BadRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl core::error::Error for BadRequest<'_> {}

impl<'a> Request<'a> {
    /// Reads a line.
    ///
    /// # Errors
    /// JSON that is no request, or whose key or params are malformed.
    pub fn parse(line: &'a str) -> Result<Request<'a>, BadRequest<'a>> {
        let Members(members) =
            serde_json::from_str(line).map_err(|e| BadRequest { why: format!("line: {e}"), id: None })?;
        let find = |name: &str| members.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
        let id = find("id");
        let bad = |why: String| BadRequest { why, id };
        if let Some((name, _)) = members.iter().find(|(n, _)| !matches!(n.as_str(), "key" | "params" | "id")) {
            return Err(bad(format!("unknown member {name:?}; allowed: key, params, id")));
        }
        let key = find("key").ok_or_else(|| bad("no member \"key\" (a null key is written out)".into()))?;
        let key = parse_key(key.get()).map_err(|e| bad(e.to_string()))?;
        let params_json = find("params").map(RawValue::get);
        let params = params_json.map(parse_params).transpose().map_err(|e| bad(e.to_string()))?;
        Ok(Request { key, params, params_json, id })
    }
}

/// A place as JSON has it: a number for indices and codes, otherwise a string.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlaceJson {
    /// An index or a 32-bit code.
    Number(i64),
    /// A token, or bytes in the scheme's form.
    Text(String),
}

impl PlaceJson {
    /// The JSON form of a place.
    pub fn new(at: &Coord) -> PlaceJson {
        match at {
            Coord::Index(n) => PlaceJson::Number((*n).into()),
            Coord::I32(n) => PlaceJson::Number((*n).into()),
            Coord::I64(_) | Coord::U128(_) | Coord::Bytes(..) => PlaceJson::Text(at.to_string()),
        }
    }

    /// Reads a place of `domain`: an index or code may also be written as a string, nothing else may be a number.
    pub fn coord(&self, domain: Domain) -> Option<Coord> {
        let text = match self {
            PlaceJson::Number(n) if matches!(domain, Domain::Index | Domain::I32) => n.to_string(),
            PlaceJson::Number(_) => return None,
            PlaceJson::Text(text) => text.clone(),
        };
        let coord = match domain {
            Domain::Index => Coord::Index(text.parse().ok()?),
            Domain::I32 => Coord::I32(text.parse().ok()?),
            Domain::I64 => Coord::I64(text.parse().ok()?),
            // -1 is the one place below zero.
            Domain::U128 => text.parse().map(Coord::U128).or_else(|_| text.parse().map(Coord::I64)).ok()?,
            Domain::Bytes(BytesForm::Text) => Coord::Bytes(text.into_bytes(), BytesForm::Text),
            Domain::Bytes(form) => Coord::Bytes(from_hex(&text)?, form),
        };
        Some(coord)
    }
}

impl fmt::Display for PlaceJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlaceJson::Number(n) => n.fmt(f),
            PlaceJson::Text(text) => f.write_str(text),
        }
    }
}

/// An OUTCOME.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutcomeJson {
    /// placed, unpinned, rejected, refused or error.
    pub outcome: String,
    /// Where it falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceJson>,
    /// The last value before the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Who owns the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Why there is no place; for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl OutcomeJson {
    /// The JSON form of what `placer` answered.
    pub fn new(placer: &Placer, outcome: &Result<Outcome, KeyError>) -> OutcomeJson {
        match outcome {
            Ok(outcome) => OutcomeJson {
                outcome: outcome.word().into(),
                place: outcome.place().map(|place| PlaceJson::new(&place.at)),
                hash: outcome.place().and_then(|place| place.hash).map(|hash| hash.to_string()),
                owner: outcome.place().and_then(|place| placer.name(place.owner?)).map(Into::into),
                why: outcome.why().map(Into::into),
            },
            Err(error) => OutcomeJson::error(error),
        }
    }

    /// A malformed key or line.
    pub fn error(why: impl fmt::Display) -> OutcomeJson {
        OutcomeJson { outcome: "error".into(), why: Some(why.to_string()), ..OutcomeJson::default() }
    }
}

/// An outcome and each step on the way to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceJson {
    /// What became of the key.
    pub outcome: OutcomeJson,
    /// The steps, in order; none for a malformed key.
    pub steps: Vec<StepJson>,
}

/// A step of a [`TraceJson`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepJson {
    /// encode, select, hash, map, owner or rule.
    pub stage: &'static str,
    /// What was done.
    pub words: String,
    /// What came out: bytes in hex, numbers in decimal.
    pub value: String,
}

impl TraceJson {
    /// The JSON form of what `placer` traced.
    pub fn new(placer: &Placer, traced: Result<(Outcome, Trace), KeyError>) -> TraceJson {
        let (outcome, trace) = match traced {
            Ok((outcome, trace)) => (Ok(outcome), trace),
            Err(error) => (Err(error), Trace::new()),
        };
        let step = |Step { stage, words, value }| StepJson { stage: Stage::word(stage), words, value };
        TraceJson { outcome: OutcomeJson::new(placer, &outcome), steps: trace.into_iter().map(step).collect() }
    }
}

/// A scheme and its params, as programs need them to offer a choice.
#[derive(Clone, Debug, Serialize)]
pub struct SchemeJson {
    /// `system/variant`.
    pub id: &'static str,
    /// The id's first half.
    pub system: &'static str,
    /// Its function, which twins share.
    pub function: &'static str,
    /// The system, client or library that does this.
    pub client: &'static str,
    /// Whether it is what that client does unless told otherwise.
    pub default: bool,
    /// What to set in that client to get it.
    pub setting: &'static str,
    /// The rule, in one line.
    pub rule: &'static str,
    /// What a place is.
    pub unit: &'static str,
    /// index, i32, i64, u128 or bytes.
    pub domain: &'static str,
    /// Its params.
    pub params: Vec<ParamJson>,
}

/// A param of a [`SchemeJson`].
#[derive(Clone, Debug, Serialize)]
pub struct ParamJson {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// What is allowed, in words.
    pub allowed: String,
    /// What it means.
    pub doc: &'static str,
}

impl SchemeJson {
    /// The JSON form of a scheme.
    pub fn new(scheme: &'static Scheme) -> SchemeJson {
        let param = |spec: &ParamSpec| ParamJson {
            name: spec.name,
            required: spec.required,
            allowed: spec.allowed(),
            doc: spec.doc,
        };
        SchemeJson {
            id: scheme.id,
            system: scheme.system(),
            function: scheme.function,
            client: scheme.client,
            default: scheme.default,
            setting: scheme.setting,
            rule: scheme.rule,
            unit: scheme.unit,
            domain: scheme.domain.word(),
            params: scheme.params.iter().map(param).collect(),
        }
    }
}

pub use crate::topology::read::parse_topology;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn keys_of_every_form() {
        let typed = |ty: &str, value: &str| OwnedKey::Typed(ty.into(), value.into());
        for (json, key) in [
            ("null", OwnedKey::Null),
            (r#"{"hex":""}"#, OwnedKey::Bytes(vec![])),
            (r#"{"base64":"AP8="}"#, OwnedKey::Bytes(vec![0, 255])),
            (r#"{"text":"\u043a\u043b"}"#, OwnedKey::Text("кл".into())),
            (r#"{"text":"a\ud800b\ud83d\ude00"}"#, OwnedKey::Utf16(vec![0x61, 0xd800, 0x62, 0xd83d, 0xde00])),
            (r#"{"utf16":[55357]}"#, OwnedKey::Utf16(vec![55357])),
            (r#"{"value":"42","type":"bigint"}"#, typed("bigint", "42")),
            (r#"{"tuple":[null,{"hex":"00"}]}"#, OwnedKey::Tuple(vec![OwnedKey::Null, OwnedKey::Bytes(vec![0])])),
            (
                r#"{"fields":{"a":1.0,"b":true,"c":"x","d":{"hex":"ff"},"e":null}}"#,
                OwnedKey::Fields(vec![
                    ("a".into(), typed("number", "1.0")),
                    ("b".into(), typed("bool", "true")),
                    ("c".into(), OwnedKey::Text("x".into())),
                    ("d".into(), OwnedKey::Bytes(vec![255])),
                    ("e".into(), OwnedKey::Null),
                ]),
            ),
        ] {
            assert_eq!(parse_key(json), Ok(key), "{json}");
        }
    }

    #[test]
    fn malformed_keys_say_what_is_allowed() {
        for (json, said) in [
            ("42", "is no key"),
            ("\"x\"", "is no key"),
            ("{}", "no known form"),
            (r#"{"hex":"0"}"#, "even number of hex digits"),
            (r#"{"hex":"zz"}"#, "even number of hex digits"),
            (r#"{"hex":5}"#, "a string is allowed"),
            (r#"{"base64":"AP8"}"#, "padding"),
            (r#"{"text":1}"#, "text"),
            (r#"{"utf16":[65536]}"#, "0 to 65535"),
            (r#"{"utf16":[-1]}"#, "0 to 65535"),
            (r#"{"type":"int","value":42}"#, "a string is allowed"),
            (r#"{"type":"int"}"#, "no known form"),
            (r#"{"hex":"00","text":"a"}"#, "no known form"),
            (r#"{"hex":"00","hex":"01"}"#, "twice"),
            (r#"{"tuple":{}}"#, "array of keys"),
            (r#"{"tuple":[{"hex":"0"}]}"#, "tuple[0]"),
            (r#"{"tuple":[{"tuple":[]}]}"#, "plain keys"),
            (r#"{"fields":{"a":[1]}}"#, "fields.a"),
            (r#"{"hex":"00"#, "key"),
        ] {
            let error = parse_key(json).unwrap_err().to_string();
            assert!(error.contains(said), "{json}: {error}");
        }
    }
}
