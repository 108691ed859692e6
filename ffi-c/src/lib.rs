//! The C interface of keyfall: C's pointers in, [`keyfall_core`] behind. `include/keyfall.h` is generated from this
//! file. The conventions that every function keeps are written once, in `cbindgen.toml`, and stand at the top of the
//! header: what is said there of pointers is the safety section of every function here.

// Raw pointers become Rust values here and nowhere else; each `unsafe` block names the convention it rests on.
#![allow(unsafe_code, clippy::missing_safety_doc)]
// The names are C's.
#![allow(non_camel_case_types, clippy::enum_variant_names)]

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::{ptr, slice, str};

use keyfall_core::wire::{OutcomeJson, SchemeJson, TraceJson, parse_key, parse_params};
use keyfall_core::{Coord, Domain, Error, ErrorKind, Key, KeyError, MAX_KEY_LEN, Outcome, Params, Placer, registry};

pub mod column;
mod direct;
#[rustfmt::skip]
pub mod direct_calls;
pub mod placer;

use placer::keyfall_placer;

/// What a call answers. The first five are also what becomes of a key.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum keyfall_result {
    /// Done; a key has a place.
    KEYFALL_OK = 0,
    /// The client chooses freely: sticky, random or round robin.
    KEYFALL_UNPINNED = 1,
    /// The system or client does not take this key.
    KEYFALL_REJECTED = 2,
    /// Not computable outside the system.
    KEYFALL_REFUSED = 3,
    /// The key is malformed, or of a form that the scheme has no use for.
    KEYFALL_KEY_ERROR = 4,
    /// A pointer is NULL that must not be.
    KEYFALL_NULL_POINTER = 16,
    /// A text is not UTF-8.
    KEYFALL_INVALID_UTF8 = 17,
    /// No scheme has this id.
    KEYFALL_UNKNOWN_SCHEME = 18,
    /// The scheme has no such param.
    KEYFALL_UNKNOWN_PARAM = 19,
    /// A required param is absent.
    KEYFALL_MISSING_PARAM = 20,
    /// A param's value is not allowed.
    KEYFALL_INVALID_PARAM = 21,
    /// A topology cannot be used.
    KEYFALL_INVALID_TOPOLOGY = 22,
    /// JSON that is not of the documented form.
    KEYFALL_INVALID_JSON = 23,
    /// A column that does not fit: offsets out of order or beyond the data, an output too short, a misaligned pointer.
    KEYFALL_INVALID_COLUMN = 24,
    /// There is nothing of this number.
    KEYFALL_OUT_OF_RANGE = 25,
    /// The placer was freed. Seen for the last 1024 that were; do not rely on it.
    KEYFALL_FREED = 26,
    /// An error of a kind that this list does not have.
    KEYFALL_OTHER_ERROR = 63,
    /// A bug in keyfall: please report it with keyfall_last_error().
    KEYFALL_PANIC = 64,
}
use keyfall_result::*;

/// What a placer's places are: which member of keyfall_place_t holds one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum keyfall_domain {
    /// A 0-based index (partition, slot, shard, node): `index`.
    KEYFALL_INDEX = 0,
    /// A signed 32-bit code: `token`.
    KEYFALL_I32 = 1,
    /// A signed 64-bit token: `token`.
    KEYFALL_I64 = 2,
    /// An unsigned 128-bit token: `high` and `low`.
    KEYFALL_U128 = 3,
    /// Bytes: `text`, as the system writes them.
    KEYFALL_BYTES = 4,
}
use keyfall_domain::*;

/// A place. The members that `domain` does not name are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct keyfall_place_t {
    /// Which of the members below holds the place.
    pub domain: keyfall_domain,
    /// A 0-based index.
    pub index: u32,
    /// A signed token or code.
    pub token: i64,
    /// The upper half of a 128-bit token.
    pub high: u64,
    /// The lower half of a 128-bit token.
    pub low: u64,
    /// A place that is bytes: hex or text, as the system writes it. Lasts until the thread's next call.
    pub text: *const c_char,
    /// The length of `text` without the NUL at its end; there may be others inside.
    pub text_len: usize,
    /// Who owns the place, by number: keyfall_placer_owner() has the name. UINT32_MAX where no topology or ring names one.
    pub owner: u32,
}

/// Binds a scheme, such as "kafka/java", to its params, a JSON object such as {"partitions":12}; NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_placer_new(
    scheme: *const c_char,
    params_json: *const c_char,
    placer: *mut *mut keyfall_placer,
) -> keyfall_result {
    guard(|| {
        let out = check_out("placer", placer)?;
        // SAFETY: convention: texts are valid for the call; NULL is checked.
        let scheme = unsafe { text("scheme", scheme) }?;
        let params = if params_json.is_null() {
            Params::new()
        } else {
            // SAFETY: as above.
            parse_params(unsafe { text("params_json", params_json) }?)?
        };
        let placer = keyfall_placer::new(Placer::new(scheme, params)?);
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(placer) };
        Ok(())
    })
}

/// Frees a placer. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_placer_free(placer: *mut keyfall_placer) {
    guard(|| {
        // SAFETY: convention: it came from keyfall_placer_new.
        unsafe { keyfall_placer::free(placer) };
        Ok(())
    });
}

/// What the placer's places are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_placer_domain(
    placer: *const keyfall_placer,
    domain: *mut keyfall_domain,
) -> keyfall_result {
    guard(|| {
        let out = check_out("domain", domain)?;
        // SAFETY: convention: the placer was made by keyfall_placer_new; NULL is checked.
        let placer = unsafe { keyfall_placer::get(placer) }?;
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(domain_of(placer.scheme().domain)) };
        Ok(())
    })
}

/// How many places there are, where they are indices: partitions, slots, shards. KEYFALL_OUT_OF_RANGE where they are not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_placer_places(placer: *const keyfall_placer, places: *mut u32) -> keyfall_result {
    guard(|| {
        let out = check_out("places", places)?;
        // SAFETY: convention: the placer was made by keyfall_placer_new; NULL is checked.
        let placer = unsafe { keyfall_placer::get(placer) }?;
        let places = placer.places().ok_or_else(|| {
            Failure(KEYFALL_OUT_OF_RANGE, format!("the places of {} are not counted", placer.scheme().id).into())
        })?;
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(places) };
        Ok(())
    })
}

/// The name of an owner whose number a place has; KEYFALL_OUT_OF_RANGE where there is none. It lasts until the thread's next
/// call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_placer_owner(
    placer: *const keyfall_placer,
    owner: u32,
    name: *mut *const c_char,
) -> keyfall_result {
    guard(|| {
        let out = check_out("name", name)?;
        // SAFETY: convention: the placer was made by keyfall_placer_new; NULL is checked.
        let placer = unsafe { keyfall_placer::get(placer) }?;
        let name = placer
            .name(owner)
            .ok_or_else(|| Failure(KEYFALL_OUT_OF_RANGE, format!("there is no owner {owner}").into()))?;
        let name = PLACE.with(|place| {
            let mut place = place.borrow_mut();
            place.clear();
            place.push_str(name);
            place.push('\0');
            place.as_ptr().cast()
        });
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(name) };
        Ok(())
    })
}

/// Where a key of `len` bytes falls. `key` NULL with `len` 0 is a null key; an empty key is any other pointer with `len` 0.
///
/// KEYFALL_UNPINNED, KEYFALL_REJECTED and KEYFALL_REFUSED are answers too: keyfall_last_error() says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_place(
    placer: *const keyfall_placer,
    key: *const u8,
    len: usize,
    place: *mut keyfall_place_t,
) -> keyfall_result {
    guard(|| {
        // SAFETY: conventions: a placer, `len` bytes, an out-param.
        unsafe { place_key(placer, key, len, place, |bytes| Ok(Key::Bytes(bytes))) }
    })
}

/// Where a key that is text falls: `len` bytes of UTF-8, without a NUL at their end. Systems that hash text in a way of
/// their own (UTF-16, String.hashCode) do so; for the others it is keyfall_place().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_place_text(
    placer: *const keyfall_placer,
    key: *const c_char,
    len: usize,
    place: *mut keyfall_place_t,
) -> keyfall_result {
    guard(|| {
        let text = |bytes| match str::from_utf8(bytes) {
            Ok(text) => Ok(Key::Text(text)),
            Err(e) => {
                Err(Failure(KEYFALL_INVALID_UTF8, format!("key is not UTF-8 from byte {}", e.valid_up_to()).into()))
            }
        };
        // SAFETY: conventions: a placer, `len` bytes, an out-param.
        unsafe { place_key(placer, key.cast(), len, place, text) }
    })
}

/// Where a key that is text falls: `len` UTF-16 code units, lone surrogates included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_place_utf16(
    placer: *const keyfall_placer,
    key: *const u16,
    len: usize,
    place: *mut keyfall_place_t,
) -> keyfall_result {
    guard(|| {
        // SAFETY: conventions: a placer, `len` units, an out-param.
        unsafe { place_key(placer, key, len, place, |units| Ok(Key::Utf16(units))) }
    })
}

/// # Safety
/// The conventions: `placer` came from keyfall_placer_new, `key` has `len` elements, `place` can be written; NULL is checked.
#[inline(always)]
unsafe fn place_key<'a, T: 'a>(
    placer: *const keyfall_placer,
    key: *const T,
    len: usize,
    place: *mut keyfall_place_t,
    form: impl FnOnce(&'a [T]) -> Result<Key<'a>, Failure>,
) -> Result<(), Failure> {
    let out = check_out("place", place)?;
    // SAFETY: the caller's.
    let placer = unsafe { keyfall_placer::get(placer) }?;
    let key = match (key.is_null(), len) {
        (true, 0) => Key::Null,
        (true, _) => return Err(null("key")),
        (false, _) if !key.is_aligned() => {
            return Err(Failure(KEYFALL_KEY_ERROR, "key is not aligned to its units".into()));
        }
        (false, _) if len > MAX_KEY_LEN => return Err(KeyError::too_long(len).into()),
        // SAFETY: the caller's; 2^31 - 1 elements are below isize::MAX.
        (false, _) => form(unsafe { slice::from_raw_parts(key, len) })?,
    };
    let place = match placer.place(key)? {
        Outcome::Placed(place) => place_out(&place.at, place.owner),
        Outcome::Unpinned(why) => return Err(Failure(KEYFALL_UNPINNED, why)),
        Outcome::Rejected(why) => return Err(Failure(KEYFALL_REJECTED, why)),
        Outcome::Refused(why) => return Err(Failure(KEYFALL_REFUSED, why)),
    };
    // SAFETY: the caller's; NULL was checked.
    unsafe { out.write(place) };
    Ok(())
}

/// Where a key of any form falls, as JSON: {"text":"user:42"}, {"type":"bigint","value":"42"}, {"tuple":[...]}, null, ...
///
/// Every outcome is KEYFALL_OK, a malformed key's too: `outcome_json` gets {"outcome":"placed","place":9,"hash":"..."}, or
/// "unpinned", "rejected", "refused" or "error" with a "why".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_place_json(
    placer: *const keyfall_placer,
    key_json: *const c_char,
    outcome_json: *mut *mut c_char,
) -> keyfall_result {
    guard(|| {
        let out = check_out("outcome_json", outcome_json)?;
        // SAFETY: convention: the placer was made by keyfall_placer_new; NULL is checked.
        let placer = unsafe { keyfall_placer::get(placer) }?;
        // SAFETY: convention: texts are valid for the call; NULL is checked.
        let key = parse_key(unsafe { text("key_json", key_json) }?);
        let outcome = key.and_then(|key| key.with(|key| placer.place(key)));
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { write_json(out, &OutcomeJson::new(placer, &outcome)) }
    })
}

/// As keyfall_place_json(), with each step on the way: {"outcome":{...},"steps":[{"stage":"hash","words":"...","value":"..."}]}.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_trace_json(
    placer: *const keyfall_placer,
    key_json: *const c_char,
    trace_json: *mut *mut c_char,
) -> keyfall_result {
    guard(|| {
        let out = check_out("trace_json", trace_json)?;
        // SAFETY: convention: the placer was made by keyfall_placer_new; NULL is checked.
        let placer = unsafe { keyfall_placer::get(placer) }?;
        // SAFETY: convention: texts are valid for the call; NULL is checked.
        let key = parse_key(unsafe { text("key_json", key_json) }?);
        let traced = key.and_then(|key| key.with(|key| placer.trace(key)));
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { write_json(out, &TraceJson::new(placer, traced)) }
    })
}

/// All schemes, as JSON: [{"id":"kafka/java","unit":"partition","domain":"index","params":[...],...},...].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_schemes_json(schemes_json: *mut *mut c_char) -> keyfall_result {
    guard(|| {
        let out = check_out("schemes_json", schemes_json)?;
        let schemes: Vec<SchemeJson> = registry::schemes().map(SchemeJson::new).collect();
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { write_json(out, &schemes) }
    })
}

/// The id of scheme `number`, counted from 0; KEYFALL_OUT_OF_RANGE behind the last one. The text lasts as long as the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_scheme_id(number: usize, id: *mut *const c_char) -> keyfall_result {
    static IDS: OnceLock<Vec<CString>> = OnceLock::new();
    guard(|| {
        let out = check_out("id", id)?;
        let ids = IDS.get_or_init(|| registry::schemes().map(|scheme| c_string(scheme.id)).collect());
        let id = ids.get(number).ok_or_else(|| {
            Failure(
                KEYFALL_OUT_OF_RANGE,
                format!("there is no scheme {number}: they are 0 to {}", ids.len() - 1).into(),
            )
        })?;
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(id.as_ptr()) };
        Ok(())
    })
}

/// The version of the library, such as "0.1.0"; the header's is KEYFALL_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn keyfall_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Frees a text that came out of an out-param. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_string_free(string: *mut c_char) {
    guard(|| {
        if !string.is_null() {
            // SAFETY: convention: it came from an out-param and is freed once.
            drop(unsafe { CString::from_raw(string) });
        }
        Ok(())
    });
}

/// The text of the last call on this thread that was not KEYFALL_OK; "" if there was none. Never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn keyfall_last_error() -> *const c_char {
    let text = || {
        LAST.try_with(|last| {
            let mut last = last.borrow_mut();
            let text = c_string(&last.why);
            last.shown = text;
            last.shown.as_ptr()
        })
    };
    catch_unwind(text).ok().and_then(Result::ok).unwrap_or(c"".as_ptr())
}

/// A result that is not KEYFALL_OK, and its text.
struct Failure(keyfall_result, Cow<'static, str>);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let result = match error.kind() {
            ErrorKind::UnknownScheme => KEYFALL_UNKNOWN_SCHEME,
            ErrorKind::UnknownParam => KEYFALL_UNKNOWN_PARAM,
            ErrorKind::MissingParam => KEYFALL_MISSING_PARAM,
            ErrorKind::InvalidParam => KEYFALL_INVALID_PARAM,
            ErrorKind::InvalidTopology => KEYFALL_INVALID_TOPOLOGY,
            ErrorKind::InvalidJson => KEYFALL_INVALID_JSON,
            ErrorKind::InvalidColumn => KEYFALL_INVALID_COLUMN,
            _ => KEYFALL_OTHER_ERROR,
        };
        Failure(result, error.to_string().into())
    }
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        Failure(KEYFALL_KEY_ERROR, error.to_string().into())
    }
}

/// The text of the last failure, which becomes a C string when it is asked for: an unpinned key costs no allocation.
#[derive(Default)]
struct Last {
    why: Cow<'static, str>,
    shown: CString,
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::default();
    /// The place that keyfall_place_t.text points to.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The boundary: keeps panics on this side, and the text of what went wrong.
fn guard(call: impl FnOnce() -> Result<(), Failure>) -> keyfall_result {
    // A placer never changes and out-params are written last: a panic leaves nothing half done.
    let Failure(result, why) = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return KEYFALL_OK,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure(KEYFALL_PANIC, panic_text(payload)),
    };
    // A thread that is ending has no thread-locals any more: then there is no text.
    let _ = LAST.try_with(|last| last.borrow_mut().why = why);
    result
}

fn panic_text(payload: Box<dyn Any + Send>) -> Cow<'static, str> {
    match payload.downcast::<&'static str>() {
        Ok(text) => (*text).into(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => (*text).into(),
            Err(payload) => {
                // Its drop might panic in turn.
                std::mem::forget(payload);
                "a panic without a text".into()
            }
        },
    }
}

fn null(what: &str) -> Failure {
    Failure(KEYFALL_NULL_POINTER, format!("{what} is NULL").into())
}

/// # Safety
/// `out` can be written.
unsafe fn write_json(out: *mut *mut c_char, value: &impl serde::Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value).map_err(|e| Failure(KEYFALL_OTHER_ERROR, e.to_string().into()))?;
    // SAFETY: the caller's. JSON escapes NUL, so nothing is lost.
    unsafe { out.write(c_string(&json).into_raw()) };
    Ok(())
}

fn check_out<T>(what: &str, out: *mut T) -> Result<*mut T, Failure> {
    if out.is_null() { Err(null(what)) } else { Ok(out) }
}

/// # Safety
/// `text` is NULL, or ends with NUL and is valid and unchanged for `'a`.
unsafe fn text<'a>(what: &str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: the caller's, and not NULL.
    unsafe { CStr::from_ptr(text) }
        .to_str()
        .map_err(|e| Failure(KEYFALL_INVALID_UTF8, format!("{what} is not UTF-8 from byte {}", e.valid_up_to()).into()))
}

/// A text for C: a NUL inside, which would end it, is written as people write it.
fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_else(|_| CString::new(text.replace('\0', "\\0")).unwrap_or_default())
}

fn domain_of(domain: Domain) -> keyfall_domain {
    match domain {
        Domain::Index => KEYFALL_INDEX,
        Domain::I32 => KEYFALL_I32,
        Domain::I64 => KEYFALL_I64,
        Domain::U128 => KEYFALL_U128,
        Domain::Bytes(_) => KEYFALL_BYTES,
    }
}

fn place_out(at: &Coord, owner: Option<u32>) -> keyfall_place_t {
    let zero = keyfall_place_t {
        domain: KEYFALL_INDEX,
        index: 0,
        token: 0,
        high: 0,
        low: 0,
        text: ptr::null(),
        text_len: 0,
        owner: owner.unwrap_or(u32::MAX),
    };
    match at {
        Coord::Index(index) => keyfall_place_t { index: *index, ..zero },
        Coord::I32(code) => keyfall_place_t { domain: KEYFALL_I32, token: (*code).into(), ..zero },
        Coord::I64(token) => keyfall_place_t { domain: KEYFALL_I64, token: *token, ..zero },
        Coord::U128(token) => {
            keyfall_place_t { domain: KEYFALL_U128, high: (token >> 64) as u64, low: *token as u64, ..zero }
        }
        bytes @ Coord::Bytes(..) => PLACE.with(|place| {
            let mut place = place.borrow_mut();
            place.clear();
            write!(place, "{bytes}\0").expect("a String takes all");
            keyfall_place_t { domain: KEYFALL_BYTES, text: place.as_ptr().cast(), text_len: place.len() - 1, ..zero }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::BytesForm;

    fn last_error() -> String {
        // SAFETY: never NULL, ends with NUL, and there is no other call meanwhile.
        unsafe { CStr::from_ptr(keyfall_last_error()) }.to_str().unwrap().to_string()
    }

    #[test]
    fn no_panic_crosses_and_its_text_is_kept() {
        assert_eq!(last_error(), "");
        assert_eq!(guard(|| panic!("plain")), KEYFALL_PANIC);
        assert_eq!(last_error(), "plain");
        assert_eq!(guard(|| panic!("with {}", 1)), KEYFALL_PANIC);
        assert_eq!(last_error(), "with 1");
        assert_eq!(guard(|| std::panic::panic_any(7)), KEYFALL_PANIC);
        assert_eq!(last_error(), "a panic without a text");
        assert_eq!(guard(|| Ok(())), KEYFALL_OK);
        assert_eq!(last_error(), "a panic without a text");
        std::thread::spawn(|| assert_eq!(last_error(), "")).join().unwrap();
    }

    #[test]
    fn a_nul_does_not_cut_a_text() {
        assert_eq!(c_string("a\0b").as_bytes(), b"a\\0b");
    }

    #[test]
    fn places_of_every_domain() {
        let place = |at: Coord| {
            let p = place_out(&at, None);
            (p.domain, p.index, p.token, p.high, p.low, p.text_len)
        };
        assert_eq!(place(Coord::Index(u32::MAX)), (KEYFALL_INDEX, u32::MAX, 0, 0, 0, 0));
        assert_eq!(place(Coord::I32(-7)), (KEYFALL_I32, 0, -7, 0, 0, 0));
        assert_eq!(place(Coord::I64(i64::MIN)), (KEYFALL_I64, 0, i64::MIN, 0, 0, 0));
        assert_eq!(place(Coord::U128(u128::MAX - 1)), (KEYFALL_U128, 0, 0, u64::MAX, u64::MAX - 1, 0));
        let hex = place_out(&Coord::Bytes(vec![0, 0xff], BytesForm::HexUpper), Some(3));
        assert_eq!(hex.owner, 3);
        assert_eq!((hex.domain, hex.text_len), (KEYFALL_BYTES, 4));
        // SAFETY: `text_len` bytes and a NUL are there until the next call.
        assert_eq!(unsafe { CStr::from_ptr(hex.text) }, c"00FF");
    }
}
