//! The hot single call by raw Node-API: a function for strings and one for bytes that belong to one placer. They give its
//! place, null where the client chooses freely, and undefined for all else: the caller then asks again by the way that says
//! why. napi-rs's own call costs several times as much; WebAssembly is no faster (bench/node).
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use keyfall_core::{BoundDirect, Coord, Key, Outcome, Place, Placer};
use napi::sys::{self, napi_callback_info, napi_env, napi_value};
use napi::{Env, Unknown};

/// Longer strings and bytes go the other way, on which a copy costs nothing that shows.
const MOST: usize = 1024;

/// The two functions: of strings, of Uint8Arrays. None if Node-API is out of memory.
pub(crate) fn functions<'env>(env: &'env Env, placer: &Arc<Placer>) -> Option<Vec<Unknown<'env>>> {
    [text as Callback, bytes].into_iter().map(|callback| function(env.raw(), placer, callback)).collect()
}

/// What a function belongs to: a placer, and what places bytes for it without one, where there is such a function.
struct Hot {
    placer: Arc<Placer>,
    direct: Option<BoundDirect>,
}

impl Hot {
    /// The place of a key; none within where the client chooses freely, none at all where [`crate::engine::ask`] tells.
    #[inline]
    fn place(&self, key: Key<'_>) -> Option<Option<Coord>> {
        match (key, &self.direct) {
            (Key::Bytes(key), Some(direct)) if key.len() <= BoundDirect::LONGEST => Some(Some(direct.place(key))),
            _ => match crate::engine::place(&self.placer, key)? {
                Outcome::Placed(Place { at, .. }) => Some(Some(at)),
                _ => Some(None),
            },
        }
    }
}

type Callback = unsafe extern "C" fn(napi_env, napi_callback_info) -> napi_value;

fn function<'env>(env: napi_env, placer: &Arc<Placer>, callback: Callback) -> Option<Unknown<'env>> {
    let data = Box::into_raw(Box::new(Hot { placer: Arc::clone(placer), direct: placer.direct() })).cast::<c_void>();
    let mut function = ptr::null_mut();
    // SAFETY: `data` is a box's pointer, which the finalizer gives back once, when the function is collected; until then the
    // callback borrows it. If there is no function or no finalizer, it stays alive: a leak at worst.
    let done = unsafe {
        sys::napi_create_function(env, ptr::null(), 0, Some(callback), data, &mut function) == sys::Status::napi_ok
            && sys::napi_add_finalizer(env, function, data, Some(finalize), ptr::null_mut(), ptr::null_mut())
                == sys::Status::napi_ok
    };
    // SAFETY: it is a value of this environment, within the call's scope.
    done.then(|| unsafe { Unknown::from_raw_unchecked(env, function) })
}

unsafe extern "C" fn finalize(_: napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: `function` made it of a box.
    drop(unsafe { Box::from_raw(data.cast::<Hot>()) });
}

/// The argument of a call, and what the function belongs to.
fn arguments<'a>(env: napi_env, info: napi_callback_info) -> Option<(napi_value, &'a Hot)> {
    let (mut count, mut value, mut data) = (1, ptr::null_mut(), ptr::null_mut());
    // SAFETY: there is room for one argument; what is not given is undefined.
    let status = unsafe { sys::napi_get_cb_info(env, info, &mut count, &mut value, ptr::null_mut(), &mut data) };
    if status != sys::Status::napi_ok || data.is_null() {
        return None;
    }
    // SAFETY: `function` gave it; the function is being called, so it has not been collected.
    Some((value, unsafe { &*data.cast_const().cast::<Hot>() }))
}

unsafe extern "C" fn text(env: napi_env, info: napi_callback_info) -> napi_value {
    let Some((value, hot)) = arguments(env, info) else { return ptr::null_mut() };
    // One more: the end that Node-API writes. A string that fills it all may be longer.
    let mut units = MaybeUninit::<[u16; MOST + 2]>::uninit();
    let mut len = 0;
    // SAFETY: it writes at most the units that it is told of; anything but a string is an error.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, units.as_mut_ptr().cast(), MOST + 2, &mut len) };
    if status != sys::Status::napi_ok || len > MOST {
        return ptr::null_mut();
    }
    // SAFETY: so many were written.
    let units = unsafe { std::slice::from_raw_parts(units.as_ptr().cast::<u16>(), len) };
    if units.iter().fold(0, |all, unit| all | unit) < 0x80 {
        // ASCII, as most keys are: what the hashes take as it is.
        let mut ascii = MaybeUninit::<[u8; MOST]>::uninit();
        for (i, unit) in units.iter().enumerate() {
            // SAFETY: `len` is at most MOST.
            unsafe { ascii.as_mut_ptr().cast::<u8>().add(i).write(*unit as u8) };
        }
        // SAFETY: so many were written, all below 0x80.
        let ascii = unsafe { std::str::from_utf8_unchecked(std::slice::from_raw_parts(ascii.as_ptr().cast(), len)) };
        place(env, hot, Key::Text(ascii))
    } else {
        place(env, hot, Key::Utf16(units))
    }
}

unsafe extern "C" fn bytes(env: napi_env, info: napi_callback_info) -> napi_value {
    let Some((value, hot)) = arguments(env, info) else { return ptr::null_mut() };
    let (mut kind, mut len, mut data) = (0, 0, ptr::null_mut());
    // SAFETY: anything but a typed array is an error.
    let status = unsafe {
        sys::napi_get_typedarray_info(env, value, &mut kind, &mut len, &mut data, ptr::null_mut(), ptr::null_mut())
    };
    // An empty one may be of a buffer that was transferred: the other way tells.
    if status != sys::Status::napi_ok || kind != sys::TypedarrayType::uint8_array || len == 0 || data.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: Node-API says so of the view's memory, and no JavaScript of this thread runs meanwhile. The caller lets no
    // memory in that another thread could write.
    place(env, hot, Key::Bytes(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) }))
}

#[inline]
fn place(env: napi_env, hot: &Hot, key: Key<'_>) -> napi_value {
    // Nothing panics; if something did, it would end here and not in Node.
    let place = catch_unwind(AssertUnwindSafe(|| hot.place(key)));
    let mut value = ptr::null_mut();
    // SAFETY: they write the value, or nothing: then it is undefined.
    unsafe {
        match place {
            Ok(Some(Some(Coord::Index(n)))) => sys::napi_create_uint32(env, n, &mut value),
            Ok(Some(Some(Coord::I32(n)))) => sys::napi_create_int32(env, n, &mut value),
            Ok(Some(Some(Coord::I64(n)))) => sys::napi_create_bigint_int64(env, n, &mut value),
            Ok(Some(None)) => sys::napi_get_null(env, &mut value),
            _ => return ptr::null_mut(),
        };
    }
    value
}
