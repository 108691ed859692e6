//! The way into WebAssembly: plain exports over linear memory, called by `lib/wasm.js` alone. It allocates with `alloc`, writes
//! there what it hands over, and reads texts from `result`. There is one thread.
#![allow(unsafe_code)]

use std::alloc::{self, Layout};
use std::slice;
use std::sync::Mutex;

use keyfall_core::{Coord, Key, Outcome, Placer};

use crate::engine::{self, Audit, Column, Input};

/// The last text or error.
static RESULT: Mutex<String> = Mutex::new(String::new());

fn answer(text: String) {
    *RESULT.lock().expect("one thread") = text;
}

/// Answers with the error; whether there was none.
fn done(result: Result<(), String>) -> bool {
    result.map_err(answer).is_ok()
}

/// A pointer to what was made, or null and the error as the answer.
fn made<T>(result: Result<T, String>) -> *mut T {
    match result {
        Ok(value) => Box::into_raw(Box::new(value)),
        Err(why) => {
            answer(why);
            std::ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn result() -> *const u8 {
    RESULT.lock().expect("one thread").as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn result_len() -> usize {
    RESULT.lock().expect("one thread").len()
}

fn layout(len: usize) -> Option<Layout> {
    Layout::from_size_align(len, 8).ok()
}

/// Memory of `len` bytes, aligned for every typed array; null if there is not so much.
#[unsafe(no_mangle)]
extern "C" fn alloc(len: usize) -> *mut u8 {
    match layout(len) {
        Some(layout) if len == 0 => layout.dangling_ptr().as_ptr(),
        // SAFETY: the size is not 0.
        Some(layout) => unsafe { alloc::alloc(layout) },
        None => std::ptr::null_mut(),
    }
}

/// # Safety
/// What `alloc` gave for the same `len`, once.
#[unsafe(no_mangle)]
unsafe extern "C" fn dealloc(at: *mut u8, len: usize) {
    if let (Some(layout), true) = (layout(len), len > 0) {
        // SAFETY: the caller's promise.
        unsafe { alloc::dealloc(at, layout) };
    }
}

/// # Safety
/// `len` bytes that `lib/wasm.js` has written. So for all that follow: pointers are theirs or null, handles are alive.
unsafe fn bytes<'a>(at: *const u8, len: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    if at.is_null() { &[] } else { unsafe { slice::from_raw_parts(at, len) } }
}

/// # Safety
/// As `bytes`; of UTF-8.
unsafe fn text<'a>(at: *const u8, len: usize) -> &'a str {
    // SAFETY: the caller's promise; TextEncoder writes UTF-8.
    unsafe { std::str::from_utf8_unchecked(bytes(at, len)) }
}

/// # Safety
/// As `bytes`; `len` code units.
unsafe fn units<'a>(at: *const u8, len: usize) -> &'a [u16] {
    // SAFETY: the caller's promise; `alloc` aligns.
    if at.is_null() { &[] } else { unsafe { slice::from_raw_parts(at.cast(), len) } }
}

#[unsafe(no_mangle)]
extern "C" fn schemes() {
    answer(engine::schemes());
}

/// # Safety
/// As `bytes`.
#[unsafe(no_mangle)]
unsafe extern "C" fn bind(scheme: *const u8, scheme_len: usize, params: *const u8, params_len: usize) -> *mut Placer {
    // SAFETY: the caller's promise.
    made(unsafe { engine::bind(text(scheme, scheme_len), text(params, params_len)) })
}

/// # Safety
/// A placer of `bind`, once.
#[unsafe(no_mangle)]
unsafe extern "C" fn unbind(placer: *mut Placer) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(placer) });
}

/// # Safety
/// A placer.
#[unsafe(no_mangle)]
unsafe extern "C" fn describe(placer: *const Placer) {
    // SAFETY: the caller's promise.
    answer(engine::describe(unsafe { &*placer }));
}

/// The outcome of a key of `kind`: 0 null, 1 bytes, 2 UTF-16 code units, 3 a KEY, 4 the integer.
///
/// # Safety
/// A placer; as `bytes`.
#[unsafe(no_mangle)]
unsafe extern "C" fn ask(placer: *const Placer, kind: u32, at: *const u8, len: usize, int: i64, explain: bool) {
    // SAFETY: the caller's promise.
    let (placer, key) = unsafe {
        let key = match kind {
            0 => Input::Null,
            1 => Input::Bytes(bytes(at, len)),
            2 => Input::Units(units(at, len)),
            3 => Input::Json(text(at, len)),
            _ => Input::Int(int),
        };
        (&*placer, key)
    };
    answer(engine::ask(placer, key, explain));
}

/// The place of a hot call that is no index.
static mut PLACE: i64 = 0;

/// The hot single call, of a key of `kind`: 1 bytes, 2 code units, 5 ASCII. The index; -1 unpinned; -2 a place that is not an
/// index, which `place64` has; -3 all else, which `ask` tells.
///
/// # Safety
/// A placer; as `bytes`.
#[unsafe(no_mangle)]
unsafe extern "C" fn place(placer: *const Placer, kind: u32, at: *const u8, len: usize) -> f64 {
    // SAFETY: the caller's promise.
    let (placer, key) = unsafe {
        let key = match kind {
            1 => Key::Bytes(bytes(at, len)),
            2 => Key::Utf16(units(at, len)),
            _ => Key::Text(text(at, len)),
        };
        (&*placer, key)
    };
    match engine::place(placer, key) {
        Some(Outcome::Placed(place)) => match place.at {
            Coord::Index(n) => n.into(),
            Coord::I32(n) => stored(n.into()),
            Coord::I64(n) => stored(n),
            _ => -3.0,
        },
        Some(_) => -1.0,
        None => -3.0,
    }
}

fn stored(place: i64) -> f64 {
    // SAFETY: there is one thread, and no reference to it.
    unsafe { PLACE = place };
    -2.0
}

#[unsafe(no_mangle)]
extern "C" fn place64() -> i64 {
    // SAFETY: there is one thread, and no reference to it.
    unsafe { PLACE }
}

/// Places a column, whose `kind` is a text; whether that was done. Pointers that are null stand for what is not given.
///
/// # Safety
/// A placer; as `bytes`. `out` and `status` are apart from all else.
#[unsafe(no_mangle)]
unsafe extern "C" fn place_column(
    placer: *const Placer,
    kind: *const u8,
    kind_len: usize,
    data: *const u8,
    data_len: usize,
    offsets: *const u8,
    offsets_len: usize,
    wide: bool,
    validity: *const u8,
    validity_len: usize,
    out: *mut u8,
    out_len: usize,
    status: *mut u8,
    status_len: usize,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let column = Column {
            kind: text(kind, kind_len),
            data: bytes(data, data_len),
            offsets: (!offsets.is_null()).then(|| bytes(offsets, offsets_len)),
            wide,
            validity: (!validity.is_null()).then(|| bytes(validity, validity_len)),
        };
        let out = slice::from_raw_parts_mut(out, out_len);
        let status = slice::from_raw_parts_mut(status, status_len);
        done(column.place(&*placer, out, status))
    }
}

/// # Safety
/// As `bytes`.
#[unsafe(no_mangle)]
unsafe extern "C" fn audit(scheme: *const u8, scheme_len: usize, params: *const u8, params_len: usize) -> *mut Audit {
    // SAFETY: the caller's promise.
    made(unsafe { Audit::new(text(scheme, scheme_len), text(params, params_len)) })
}

/// # Safety
/// An audit; as `bytes`.
#[unsafe(no_mangle)]
unsafe extern "C" fn audit_add(audit: *mut Audit, records: *const u8, len: usize) -> bool {
    // SAFETY: the caller's promise.
    done(unsafe { (*audit).add(text(records, len)) })
}

/// The report, and the end of the audit.
///
/// # Safety
/// An audit, once.
#[unsafe(no_mangle)]
unsafe extern "C" fn audit_report(audit: *mut Audit, sample: bool) {
    // SAFETY: the caller's promise.
    answer(unsafe { Box::from_raw(audit) }.report(sample));
}
