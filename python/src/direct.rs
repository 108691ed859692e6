//! What all direct functions do. The functions themselves, one for each hot scheme of the registry, are generated in
//! `direct_calls.rs`. They speak to Python as C would: PyO3's own way of calling costs more than a hash.

#![allow(unsafe_code)]

use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use keyfall_core::{BoundDirect, Outcome, Params, Placer, registry};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::{error, no_place, place_object, with_key};

/// Longer keys are the placer's: some systems (Cassandra) take no more than this.
const LONGEST: usize = BoundDirect::LONGEST;

/// What Python hands over: the arguments, and the names of those that have one.
#[derive(Clone, Copy)]
pub(crate) struct Args {
    pub(crate) args: *const *mut ffi::PyObject,
    pub(crate) positional: ffi::Py_ssize_t,
    pub(crate) names: *mut ffi::PyObject,
}

/// A function's row for Python: its name and documentation end with NUL.
pub(crate) const fn method(
    name: &'static std::ffi::CStr,
    doc: &'static std::ffi::CStr,
    call: ffi::PyCFunctionFastWithKeywords,
) -> ffi::PyMethodDef {
    ffi::PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: call },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// The bytes of a key that is exactly bytes, or text without lone surrogates.
///
/// # Safety
/// `key` is a live object, and lives as long as the result is used.
#[inline(always)]
unsafe fn bytes<'a>(key: *mut ffi::PyObject) -> Option<&'a [u8]> {
    // SAFETY: the caller's; the type is checked before each.
    unsafe {
        let (data, len) = if ffi::PyBytes_CheckExact(key) != 0 {
            (ffi::PyBytes_AsString(key).cast::<u8>().cast_const(), ffi::PyBytes_Size(key))
        } else if ffi::PyUnicode_CheckExact(key) != 0 {
            let mut len = 0;
            let data = ffi::PyUnicode_AsUTF8AndSize(key, &mut len);
            if data.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            (data.cast::<u8>(), len)
        } else {
            return None;
        };
        let len = usize::try_from(len).ok().filter(|len| *len <= LONGEST && !data.is_null())?;
        Some(slice::from_raw_parts(data, len))
    }
}

/// A scheme without params. `number` makes the Python object.
///
/// # Safety
/// Python calls it, with arguments by METH_FASTCALL | METH_KEYWORDS.
#[inline(always)]
pub(crate) unsafe fn plain(
    scheme: &'static str,
    args: Args,
    call: impl FnOnce(&[u8]) -> *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    if args.positional == 1 && args.names.is_null() {
        // SAFETY: there is one argument, which lives during the call.
        if let Some(key) = unsafe { bytes(*args.args) } {
            return call(key);
        }
    }
    // SAFETY: the caller's.
    unsafe { otherwise(scheme, None, args) }
}

/// A scheme whose one param is a count.
///
/// # Safety
/// As [`plain`].
#[inline(always)]
pub(crate) unsafe fn counted(
    scheme: &'static str,
    name: &'static str,
    args: Args,
    call: impl FnOnce(&[u8], NonZeroU32) -> *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    if args.positional == 2 && args.names.is_null() {
        // SAFETY: there are two arguments, which live during the call. A bool is no exact int.
        unsafe {
            let count = *args.args.add(1);
            if ffi::PyLong_CheckExact(count) != 0 {
                let mut overflow = 0;
                let count = ffi::PyLong_AsLongAndOverflow(count, &mut overflow);
                let count = i32::try_from(count).ok().filter(|_| overflow == 0);
                if let (Some(count), Some(key)) =
                    (count.and_then(|n| u32::try_from(n).ok()).and_then(NonZeroU32::new), bytes(*args.args))
                {
                    return call(key, count);
                }
            }
        }
    }
    // SAFETY: the caller's.
    unsafe { otherwise(scheme, Some(name), args) }
}

/// A key of another form, or what is not allowed: as the placer has it.
///
/// # Safety
/// As [`plain`].
#[cold]
unsafe fn otherwise(scheme: &'static str, count: Option<&'static str>, args: Args) -> *mut ffi::PyObject {
    // SAFETY: Python calls, so this thread is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller's.
    let result = catch_unwind(AssertUnwindSafe(|| unsafe { ask(py, scheme, count, args) }));
    let result = result.unwrap_or_else(|_| Err(PyRuntimeError::new_err("a bug in keyfall: please report it")));
    match result {
        Ok(Some(place)) => place.into_ptr(),
        Ok(None) => py.None().into_ptr(),
        Err(error) => {
            error.restore(py);
            ptr::null_mut()
        }
    }
}

/// # Safety
/// As [`plain`].
unsafe fn ask<'py>(
    py: Python<'py>,
    scheme: &'static str,
    count: Option<&'static str>,
    args: Args,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let usage = || {
        let count = count.map_or(String::new(), |name| format!(", {name}"));
        PyTypeError::new_err(format!("this function takes (key{count})"))
    };
    // SAFETY: there are so many arguments, which live during the call.
    let all = unsafe {
        let named = if args.names.is_null() { 0 } else { ffi::PyTuple_Size(args.names) };
        slice::from_raw_parts(args.args, (args.positional + named) as usize)
    };
    // SAFETY: as above.
    let object = |at: usize| unsafe { Bound::from_borrowed_ptr(py, all[at]) };
    if !args.names.is_null() {
        // SAFETY: the names are a tuple of strs.
        let names = unsafe { Bound::from_borrowed_ptr(py, args.names) };
        let right = names.len()? == 1 && args.positional == 1 && count.is_some();
        if !right || Some(names.get_item(0)?.cast::<PyString>()?.to_str()?) != count {
            return Err(usage());
        }
    }
    if all.len() != if count.is_some() { 2 } else { 1 } {
        return Err(usage());
    }
    let mut params = Params::new();
    if let Some(name) = count {
        match object(1).extract::<u64>() {
            Ok(n) => params.set(name, n),
            Err(_) => params.set(name, object(1).str()?.to_str()?),
        }
    }
    let placer = Placer::bind(registry::scheme(scheme).map_err(error)?, params).map_err(error)?;
    match with_key(&object(0), |key| placer.place(key))? {
        Ok(Outcome::Placed(place)) => place_object(py, &place.at).map(Some),
        Ok(Outcome::Unpinned(_)) => Ok(None),
        other => Err(no_place(other)),
    }
}

/// An index as a Python int.
#[inline(always)]
pub(crate) fn index(n: u32) -> *mut ffi::PyObject {
    // SAFETY: called by Python, with this thread attached.
    unsafe { ffi::PyLong_FromUnsignedLong(n.into()) }
}

/// A token as a Python int.
#[inline(always)]
pub(crate) fn token(n: i64) -> *mut ffi::PyObject {
    // SAFETY: as above.
    unsafe { ffi::PyLong_FromLongLong(n) }
}

/// The place of a key that is exactly bytes, or text without lone surrogates; none for any other.
#[inline(always)]
pub(crate) fn place_exact<'py>(bound: &BoundDirect, key: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    // SAFETY: the key lives as long as the call, and this thread is attached.
    unsafe {
        let key_bytes = bytes(key.as_ptr())?;
        let place = match bound {
            BoundDirect::Index(call) => index(call(key_bytes)),
            BoundDirect::Counted(call, n) => index(call(key_bytes, *n)),
            BoundDirect::I64(call) => token(call(key_bytes)),
            _ => return None,
        };
        Bound::from_owned_ptr_or_opt(key.py(), place)
    }
}

/// A list whose items are all still to be set.
pub(crate) fn list(py: Python<'_>, len: usize) -> PyResult<Bound<'_, PyList>> {
    // SAFETY: this thread is attached; nobody else sees the list before it is whole, or it is dropped as it is.
    unsafe {
        let list = Bound::from_owned_ptr_or_err(py, ffi::PyList_New(len as ffi::Py_ssize_t))?;
        Ok(list.cast_into_unchecked())
    }
}

/// Sets item `at` of a list that [`list`] made, once.
#[inline(always)]
pub(crate) fn set(list: &Bound<'_, PyList>, at: usize, item: Bound<'_, PyAny>) {
    // SAFETY: the list is new and has more than `at` items; it takes the item over.
    unsafe { ffi::PyList_SetItem(list.as_ptr(), at as ffi::Py_ssize_t, item.into_ptr()) };
}
