//! The Node package of keyfall: JavaScript's values in, [`keyfall_core`] behind. `index.js` loads it, `index.d.ts` has
//! its types.

use keyfall_core::wire::{OutcomeJson, PlaceJson, parse_key, parse_params};
use keyfall_core::{Coord, Key, KeyError, Outcome, Params};
use napi::bindgen_prelude::{
    ArrayBuffer, BigInt, Either, Either4, FromNapiValue, Function, JsObjectValue, Null, Object, Uint8ArraySlice,
    Undefined, Utf16String,
};
use napi::{Env, Error, JsValue, Result, Status, Unknown, ValueType};
use napi_derive::napi;

/// A scheme, such as `kafka/java`, bound to its params: `new Placer('kafka/java', { partitions: 12 })`.
#[napi]
pub struct Placer(keyfall_core::Placer);

/// A place: a number, a bigint where it has over 53 bits, a string where it is bytes; null where the client chooses freely.
type PlaceValue = Either4<i64, BigInt, String, Null>;

/// What becomes of a key, as the machine interface has it.
#[napi(object)]
pub struct OutcomeObject {
    /// placed, unpinned, rejected, refused or error.
    pub outcome: String,
    /// A string where it has over 53 bits.
    pub place: Option<Either<i64, String>>,
    /// The last value before the map.
    pub hash: Option<String>,
    /// Who owns the place.
    pub owner: Option<String>,
    /// Why there is no place.
    pub why: Option<String>,
}

#[napi]
impl Placer {
    /// Binds a scheme to its params.
    #[napi(constructor)]
    pub fn new(env: &Env, scheme: Unknown<'_>, params: Option<Unknown<'_>>) -> Result<Self> {
        if scheme.get_type()? != ValueType::String {
            return Err(thrown(env, Thrown::Type, "a scheme's id is a string, such as 'kafka/java'"));
        }
        let scheme = scheme.coerce_to_string()?.into_utf8()?;
        let params = match params {
            None => Ok(Params::new()),
            Some(params) if params.get_type()? == ValueType::Object => parse_params(&json(env, params)?),
            Some(_) => return Err(thrown(env, Thrown::Type, "params are an object, such as { partitions: 12 }")),
        };
        let scheme = scheme.as_str()?;
        let placer = params.and_then(|params| keyfall_core::Placer::new(scheme, params));
        placer.map(Placer).map_err(|e| thrown(env, Thrown::KeyfallError, &e.to_string()))
    }

    /// Where a key falls.
    #[napi]
    pub fn place(&self, env: &Env, key: Unknown<'_>) -> Result<PlaceValue> {
        match self.ask(env, key)? {
            Ok(Outcome::Placed(place)) => Ok(place_value(&place.at)),
            Ok(Outcome::Unpinned(_)) => Ok(Either4::D(Null)),
            Ok(Outcome::Rejected(why)) => Err(thrown(env, Thrown::Rejected, &why)),
            Ok(Outcome::Refused(why)) => Err(thrown(env, Thrown::Refused, &why)),
            Err(malformed) => Err(thrown(env, Thrown::KeyfallError, &malformed.to_string())),
        }
    }

    /// What becomes of a key.
    #[napi]
    pub fn outcome(&self, env: &Env, key: Unknown<'_>) -> Result<OutcomeObject> {
        let OutcomeJson { outcome, place, hash, owner, why } = OutcomeJson::new(&self.0, &self.ask(env, key)?);
        let place = place.map(|place| match place {
            PlaceJson::Number(n) => Either::A(n),
            PlaceJson::Text(text) => Either::B(text),
        });
        Ok(OutcomeObject { outcome, place, hash, owner, why })
    }

    /// The scheme's id.
    #[napi(getter)]
    pub fn scheme(&self) -> &'static str {
        self.0.scheme().id
    }
}

impl Placer {
    /// The outcome of a JavaScript key; an error is a value that is no key.
    fn ask(&self, env: &Env, key: Unknown<'_>) -> Result<std::result::Result<Outcome, KeyError>> {
        let no_key = |what: &str| {
            let allowed = "a key is a string, Buffer, Uint8Array, null, undefined, or an object such as \
                           { type: 'bigint', value: '42' }";
            Err(thrown(env, Thrown::Type, &format!("{allowed}, not {what}")))
        };
        match key.get_type()? {
            ValueType::Null | ValueType::Undefined => Ok(self.0.place(Key::Null)),
            // UTF-16 as it is, lone surrogates included.
            ValueType::String => Ok(self.0.place(Key::Utf16(&cast::<Utf16String>(&key)?))),
            ValueType::Object if key.is_typedarray()? => {
                let Ok(bytes) = cast::<Uint8ArraySlice<'_>>(&key) else {
                    return no_key("a typed array of another kind");
                };
                // Its length is 0, and the place of the empty key would be a wrong answer.
                if bytes.is_empty() && is_detached(&key)? {
                    return no_key("one whose ArrayBuffer was transferred");
                }
                Ok(self.0.place(Key::Bytes(&bytes)))
            }
            ValueType::Object if key.is_array()? => no_key("an array"),
            ValueType::Object => Ok(parse_key(&json(env, key)?).and_then(|key| key.with(|key| self.0.place(key)))),
            other => no_key(&format!("a {}", format!("{other:?}").to_lowercase())),
        }
    }
}

/// A value as another type. Bytes stay JavaScript's, so no JavaScript may run while they are used.
#[allow(unsafe_code)]
fn cast<T: FromNapiValue>(value: &Unknown<'_>) -> Result<T> {
    // SAFETY: the value is alive for this call, in this environment; `from_napi_value` itself checks what it is.
    unsafe { value.cast() }
}

fn is_detached(view: &Unknown<'_>) -> Result<bool> {
    let buffer: Unknown<'_> = view.coerce_to_object()?.get_named_property("buffer")?;
    // A SharedArrayBuffer is no ArrayBuffer, and cannot be transferred.
    cast::<ArrayBuffer<'_>>(&buffer).map_or(Ok(false), |buffer| buffer.is_detached())
}

/// A place as JavaScript has it.
fn place_value(at: &Coord) -> PlaceValue {
    let magnitude = |sign_bit: bool, n: u128| BigInt { sign_bit, words: vec![n as u64, (n >> 64) as u64] };
    match at {
        Coord::Index(n) => Either4::A((*n).into()),
        Coord::I32(n) => Either4::A((*n).into()),
        Coord::I64(n) => Either4::B(magnitude(*n < 0, n.unsigned_abs().into())),
        Coord::U128(n) => Either4::B(magnitude(false, *n)),
        bytes @ Coord::Bytes(..) => Either4::C(bytes.to_string()),
    }
}

/// An object as JSON, the one form in which keys of every kind and params are read.
fn json(env: &Env, value: Unknown<'_>) -> Result<String> {
    let json: Object<'_> = env.get_global()?.get_named_property("JSON")?;
    let stringify: Function<'_, Unknown<'_>, Either<String, Undefined>> = json.get_named_property("stringify")?;
    match stringify.call(value)? {
        Either::A(json) => Ok(json),
        Either::B(()) => Err(thrown(env, Thrown::Type, "an object that is nothing in JSON")),
    }
}

/// What is thrown: a TypeError, or an Error whose `code` is the name.
#[derive(Debug)]
enum Thrown {
    Type,
    KeyfallError,
    Rejected,
    Refused,
}

/// Throws in JavaScript, and tells napi that it is done.
fn thrown(env: &Env, what: Thrown, message: &str) -> Error {
    // A C string on the way: a NUL would end it.
    let message = message.replace('\0', "\\0");
    let done = match what {
        Thrown::Type => env.throw_type_error(&message, None),
        coded => env.throw_error(&message, Some(&format!("{coded:?}"))),
    };
    done.err().unwrap_or_else(|| Error::new(Status::PendingException, message))
}
