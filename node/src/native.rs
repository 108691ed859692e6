//! The way into Node: napi-rs for everything but the hot single call, which is `hot`'s. Only the package's own JavaScript calls
//! this, which has checked the types before.

use std::sync::Arc;

use napi::bindgen_prelude::{BigInt, Either, Null, Uint8ArraySlice, Utf16String};
use napi::{Env, Error, Result, Status, Unknown};
use napi_derive::napi;

use crate::engine::{self, Column, Input};

/// All schemes, as JSON.
#[napi]
pub fn schemes() -> String {
    engine::schemes()
}

/// A placer, or why there is none.
#[napi]
pub fn bind(scheme: String, params: String) -> Either<Handle, String> {
    match engine::bind(&scheme, &params) {
        Ok(placer) => Either::A(Handle(Arc::new(placer))),
        Err(why) => Either::B(why),
    }
}

/// A scheme bound to its params.
#[napi]
pub struct Handle(Arc<keyfall_core::Placer>);

#[napi]
impl Handle {
    /// What it is, as JSON.
    #[napi]
    pub fn describe(&self) -> String {
        engine::describe(&self.0)
    }

    /// The hot functions: of strings, of Uint8Arrays.
    #[napi]
    pub fn hot<'env>(&self, env: &'env Env) -> Result<Vec<Unknown<'env>>> {
        let functions = crate::hot::functions(env, &self.0);
        functions.ok_or_else(|| Error::new(Status::GenericFailure, "no memory for a placer's functions"))
    }

    /// The outcome of null, as JSON.
    #[napi]
    pub fn ask_null(&self, explain: bool) -> String {
        engine::ask(&self.0, Input::Null, explain)
    }

    /// The outcome of bytes, as JSON.
    #[napi]
    pub fn ask_bytes(&self, key: Uint8ArraySlice<'_>, explain: bool) -> String {
        engine::ask(&self.0, Input::Bytes(&key), explain)
    }

    /// The outcome of a string, as JSON.
    #[napi]
    pub fn ask_text(&self, key: Utf16String, explain: bool) -> String {
        engine::ask(&self.0, Input::Units(&key), explain)
    }

    /// The outcome of a KEY, as JSON.
    #[napi]
    pub fn ask_json(&self, key: String, explain: bool) -> String {
        engine::ask(&self.0, Input::Json(&key), explain)
    }

    /// The outcome of a 64-bit integer, as JSON.
    #[napi]
    pub fn ask_int(&self, key: BigInt, explain: bool) -> String {
        engine::ask(&self.0, Input::Int(key.get_i64().0), explain)
    }

    /// Places a column; null, or what is wrong. `out` and `status` share no memory with the rest.
    #[napi]
    #[allow(clippy::too_many_arguments)] // They are what a column is; an object would cost more than it tells.
    pub fn place_column(
        &self,
        kind: String,
        data: Uint8ArraySlice<'_>,
        offsets: Option<Uint8ArraySlice<'_>>,
        wide: bool,
        validity: Option<Uint8ArraySlice<'_>>,
        mut out: Uint8ArraySlice<'_>,
        mut status: Uint8ArraySlice<'_>,
    ) -> Either<Null, String> {
        let column =
            Column { kind: &kind, data: &data, offsets: offsets.as_deref(), wide, validity: validity.as_deref() };
        match column.place(&self.0, written(&mut out), written(&mut status)) {
            Ok(()) => Either::A(Null),
            Err(why) => Either::B(why),
        }
    }
}

/// The memory of a typed array, to be written.
#[allow(unsafe_code)]
fn written<'a>(array: &'a mut Uint8ArraySlice<'_>) -> &'a mut [u8] {
    // SAFETY: no JavaScript runs during the call, and the caller has checked that no argument shares memory with another one
    // that is written, or with another thread.
    unsafe { array.as_mut() }
}

/// An audit, or why there is none.
#[napi]
pub fn audit(scheme: String, params: String) -> Either<Audit, String> {
    match engine::Audit::new(&scheme, &params) {
        Ok(audit) => Either::A(Audit(audit)),
        Err(why) => Either::B(why),
    }
}

/// An audit that is under way.
#[napi]
pub struct Audit(engine::Audit);

#[napi]
impl Audit {
    /// Counts records, a JSON array; null, or what is wrong.
    #[napi]
    pub fn add(&mut self, records: String) -> Either<Null, String> {
        match self.0.add(&records) {
            Ok(()) => Either::A(Null),
            Err(why) => Either::B(why),
        }
    }

    /// The report, as JSON; `sample`: the records are a random sample.
    #[napi]
    pub fn report(&mut self, sample: bool) -> String {
        self.0.report(sample)
    }
}
