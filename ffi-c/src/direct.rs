//! What all direct functions do. The functions themselves, one for each hot scheme of the registry, are generated in
//! `direct_calls.rs`.

use std::num::NonZeroU32;
use std::slice;

use keyfall_core::{BoundDirect, Coord, Domain, Key, KeyError, MAX_KEY_LEN, Outcome, Param, Params, Placer, registry};

use crate::{Failure, check_out, guard, keyfall_result, keyfall_result::*, null};

/// Longer keys are the placer's: some systems (Cassandra) take no more than this.
const LONGEST: usize = BoundDirect::LONGEST;

/// A scheme without params.
///
/// # Safety
/// The conventions: `key` has `len` bytes, `out` can be written; NULL is checked.
#[inline(always)]
pub(crate) unsafe fn plain<T>(
    scheme: &'static str,
    key: *const u8,
    len: usize,
    out: *mut T,
    call: impl FnOnce(&[u8]) -> T,
) -> keyfall_result
where
    T: TryFrom<i64>,
{
    if key.is_null() || out.is_null() || len > LONGEST {
        // SAFETY: the caller's.
        return unsafe { otherwise(scheme, None, key, len, out) };
    }
    // SAFETY: the caller's; neither is NULL, and the length is bounded.
    unsafe { out.write(call(slice::from_raw_parts(key, len))) };
    KEYFALL_OK
}

/// A scheme whose one param is a count.
///
/// # Safety
/// As [`plain`].
#[inline(always)]
pub(crate) unsafe fn counted<T>(
    scheme: &'static str,
    key: *const u8,
    len: usize,
    count: u32,
    out: *mut T,
    call: impl FnOnce(&[u8], NonZeroU32) -> T,
) -> keyfall_result
where
    T: TryFrom<i64>,
{
    match NonZeroU32::new(count) {
        Some(n) if count <= i32::MAX as u32 && !key.is_null() && !out.is_null() && len <= LONGEST => {
            // SAFETY: the caller's; neither is NULL, and the length is bounded.
            unsafe { out.write(call(slice::from_raw_parts(key, len), n)) };
            KEYFALL_OK
        }
        // SAFETY: the caller's.
        _ => unsafe { otherwise(scheme, Some(count), key, len, out) },
    }
}

/// A null key, a long one, or what is not allowed: as the placer has it.
///
/// # Safety
/// As [`plain`].
#[cold]
unsafe fn otherwise<T>(
    scheme: &'static str,
    count: Option<u32>,
    key: *const u8,
    len: usize,
    out: *mut T,
) -> keyfall_result
where
    T: TryFrom<i64>,
{
    guard(|| {
        let out = check_out("the out-param", out)?;
        let scheme = registry::scheme(scheme)?;
        let mut params = Params::new();
        if let (Some(count), Some(spec)) = (count, scheme.params.iter().find(|spec| spec.required)) {
            params.set(spec.name, Param::from(count));
        }
        let placer = Placer::bind(scheme, params)?;
        let key = match (key.is_null(), len) {
            (true, 0) => Key::Null,
            (true, _) => return Err(null("key")),
            (false, _) if len > MAX_KEY_LEN => return Err(KeyError::too_long(len).into()),
            // SAFETY: the caller's; it is not NULL, and the length is bounded.
            (false, _) => Key::Bytes(unsafe { slice::from_raw_parts(key, len) }),
        };
        let place = match placer.place(key)? {
            Outcome::Placed(place) => place.at,
            Outcome::Unpinned(why) => return Err(Failure(KEYFALL_UNPINNED, why)),
            Outcome::Rejected(why) => return Err(Failure(KEYFALL_REJECTED, why)),
            Outcome::Refused(why) => return Err(Failure(KEYFALL_REFUSED, why)),
        };
        let place = match place {
            Coord::Index(n) => i64::from(n),
            Coord::I32(n) => n.into(),
            Coord::I64(n) => n,
            Coord::U128(_) | Coord::Bytes(..) => unreachable!("no direct function has {:?}", Domain::U128),
        };
        let place = T::try_from(place).map_err(|_| Failure(KEYFALL_OTHER_ERROR, "a place beyond its type".into()))?;
        // SAFETY: the caller's; NULL was checked.
        unsafe { out.write(place) };
        Ok(())
    })
}
