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
use std::{ptr, slice};

use keyfall_core::wire::{OutcomeJson, parse_key, parse_params};
use keyfall_core::{Coord, Error, ErrorKind, Key, KeyError, Outcome, Params, Placer};

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
}

/// A scheme bound to validated params.
pub struct keyfall_placer(Placer);

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
        let placer = Box::new(keyfall_placer(Placer::new(scheme, params)?));
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(Box::into_raw(placer)) };
        Ok(())
    })
}

/// Frees a placer. NULL is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_placer_free(placer: *mut keyfall_placer) {
    guard(|| {
        if !placer.is_null() {
            // SAFETY: convention: it came from keyfall_placer_new and is freed once.
            drop(unsafe { Box::from_raw(placer) });
        }
        Ok(())
    });
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
        let out = check_out("place", place)?;
        // SAFETY: convention: the placer was made by keyfall_placer_new and not freed; NULL is checked.
        let placer = unsafe { placer.as_ref() }.ok_or_else(|| null("placer"))?;
        let key = match (key.is_null(), len) {
            (true, 0) => Key::Null,
            (true, _) => return Err(null("key")),
            (false, _) if isize::try_from(len).is_err() => {
                return Err(KeyError::new(format!("a key of {len} bytes: no memory holds that many")).into());
            }
            // SAFETY: convention: `len` bytes from `key` are valid and unchanged during the call; isize::MAX is checked.
            (false, _) => Key::Bytes(unsafe { slice::from_raw_parts(key, len) }),
        };
        let place = match placer.0.place(key)? {
            Outcome::Placed(place) => place_out(&place.at),
            Outcome::Unpinned(why) => return Err(Failure(KEYFALL_UNPINNED, why)),
            Outcome::Rejected(why) => return Err(Failure(KEYFALL_REJECTED, why)),
            Outcome::Refused(why) => return Err(Failure(KEYFALL_REFUSED, why)),
        };
        // SAFETY: convention: out-params are valid; NULL was checked.
        unsafe { out.write(place) };
        Ok(())
    })
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
        // SAFETY: convention: the placer was made by keyfall_placer_new and not freed; NULL is checked.
        let placer = unsafe { placer.as_ref() }.ok_or_else(|| null("placer"))?;
        // SAFETY: convention: texts are valid for the call; NULL is checked.
        let key = parse_key(unsafe { text("key_json", key_json) }?);
        let outcome = key.and_then(|key| key.with(|key| placer.0.place(key)));
        let json = serde_json::to_string(&OutcomeJson::new(&placer.0, &outcome))
            .map_err(|e| Failure(KEYFALL_OTHER_ERROR, e.to_string().into()))?;
        // SAFETY: convention: out-params are valid; NULL was checked. JSON escapes NUL, so nothing is lost.
        unsafe { out.write(c_string(&json).into_raw()) };
        Ok(())
    })
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

fn place_out(at: &Coord) -> keyfall_place_t {
    let zero =
        keyfall_place_t { domain: KEYFALL_INDEX, index: 0, token: 0, high: 0, low: 0, text: ptr::null(), text_len: 0 };
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
            let p = place_out(&at);
            (p.domain, p.index, p.token, p.high, p.low, p.text_len)
        };
        assert_eq!(place(Coord::Index(u32::MAX)), (KEYFALL_INDEX, u32::MAX, 0, 0, 0, 0));
        assert_eq!(place(Coord::I32(-7)), (KEYFALL_I32, 0, -7, 0, 0, 0));
        assert_eq!(place(Coord::I64(i64::MIN)), (KEYFALL_I64, 0, i64::MIN, 0, 0, 0));
        assert_eq!(place(Coord::U128(u128::MAX - 1)), (KEYFALL_U128, 0, 0, u64::MAX, u64::MAX - 1, 0));
        let hex = place_out(&Coord::Bytes(vec![0, 0xff], BytesForm::HexUpper));
        assert_eq!((hex.domain, hex.text_len), (KEYFALL_BYTES, 4));
        // SAFETY: `text_len` bytes and a NUL are there until the next call.
        assert_eq!(unsafe { CStr::from_ptr(hex.text) }, c"00FF");
    }
}
