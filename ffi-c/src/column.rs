//! Columns of keys in the caller's memory.

use std::ffi::{c_char, c_void};
use std::ops::Range;
use std::slice;

use keyfall_core::{Domain, KeyColumn, PlaceColumn, Places};

use crate::placer::keyfall_placer;
use crate::{Failure, guard, keyfall_result, keyfall_result::*, null, text};

/// What a column's `type` may be.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum keyfall_column_type {
    /// Bytes; `offsets` are int32_t.
    KEYFALL_BINARY = 0,
    /// Bytes; `offsets` are int64_t.
    KEYFALL_LARGE_BINARY = 1,
    /// UTF-8 text; `offsets` are int32_t. A row that is not UTF-8 is that row's error.
    KEYFALL_UTF8 = 2,
    /// UTF-8 text; `offsets` are int64_t.
    KEYFALL_LARGE_UTF8 = 3,
    /// UTF-16 text; `data` are uint16_t, `offsets` are int32_t and count them.
    KEYFALL_UTF16 = 4,
    /// `data` are int32_t, one a row.
    KEYFALL_INT32 = 5,
    /// `data` are int64_t, one a row.
    KEYFALL_INT64 = 6,
    /// Composite keys: `children` are the components, in order.
    KEYFALL_TUPLE = 7,
    /// Keys of named fields: `children` are the fields, each with its `name`.
    KEYFALL_STRUCT = 8,
}
use keyfall_column_type::*;

/// A column of keys in Arrow's layout. What its type has no use for is 0 or NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct keyfall_column {
    /// A keyfall_column_type.
    pub column_type: u32,
    /// The number of keys.
    pub rows: usize,
    /// Where each key begins in `data`, and where the last one ends: rows + 1 of them.
    pub offsets: *const c_void,
    /// The keys: bytes, units or integers.
    pub data: *const c_void,
    /// How many bytes, units or integers `data` has.
    pub data_len: usize,
    /// NULL, or a bit a row, least significant first, which is 0 where the key is null: (rows + 7) / 8 bytes.
    pub validity: *const u8,
    /// NULL, or the type that the values have, as the system spells it ("uuid"), where they are text or integers.
    pub value_type: *const c_char,
    /// The field's name, in a KEYFALL_STRUCT.
    pub name: *const c_char,
    /// The components or fields of a KEYFALL_TUPLE or KEYFALL_STRUCT, each of as many rows; they have no children.
    pub children: *const keyfall_column,
    /// How many.
    pub children_len: usize,
}

/// An unsigned 128-bit place. -1, where RandomPartitioner puts the empty key, has all bits set.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct keyfall_u128 {
    /// The upper half.
    pub high: u64,
    /// The lower half.
    pub low: u64,
}

/// Where the places of a column go: the caller's memory, which overlaps neither itself nor the keys. What lies behind the
/// column's rows stays as it is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct keyfall_places {
    /// By keyfall_placer_domain(): uint32_t for KEYFALL_INDEX, int64_t for KEYFALL_I32 and KEYFALL_I64, keyfall_u128 for
    /// KEYFALL_U128, bytes one after the other (themselves, not in hex) for KEYFALL_BYTES. 0 where the status is not 0.
    pub places: *mut c_void,
    /// How many of them `places` has room for: a place a row at least.
    pub places_len: usize,
    /// KEYFALL_BYTES alone: where each place begins in `places`, and where the last one ends.
    pub offsets: *mut i64,
    /// How many `offsets` has room for: rows + 1 at least.
    pub offsets_len: usize,
    /// What became of each key: KEYFALL_OK, KEYFALL_UNPINNED, KEYFALL_REJECTED, KEYFALL_REFUSED or KEYFALL_KEY_ERROR.
    pub status: *mut u8,
    /// How many bytes `status` has room for: one a row at least.
    pub status_len: usize,
    /// NULL, or the number of each place's owner; UINT32_MAX where no topology or ring names one.
    pub owners: *mut u32,
    /// How many `owners` has room for: one a row at least.
    pub owners_len: usize,
}

/// Places a column of keys. A malformed key is its row's status and does not stop the others; if the call itself fails,
/// nothing is written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn keyfall_place_column(
    placer: *const keyfall_placer,
    keys: *const keyfall_column,
    places: *const keyfall_places,
) -> keyfall_result {
    guard(|| {
        // SAFETY: convention: the placer was made by keyfall_placer_new; NULL is checked.
        let placer = unsafe { keyfall_placer::get(placer) }?;
        // SAFETY: convention: pointers are valid for the call.
        let out = *unsafe { places.as_ref() }.ok_or_else(|| null("places"))?;
        // SAFETY: as above.
        let keys = unsafe { keys.as_ref() }.ok_or_else(|| null("keys"))?;

        let composite = [KEYFALL_TUPLE, KEYFALL_STRUCT].into_iter().find(|known| *known as u32 == keys.column_type);
        let leaves = match composite {
            None => slice::from_ref(keys),
            // SAFETY: convention: pointers are valid for what the column says of them.
            Some(_) => unsafe { memory("keys.children", keys.children, keys.children_len) }?,
        };
        let mut taken = Vec::new();
        let mut bare = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            // SAFETY: as above.
            bare.push(unsafe { leaf.read(&mut taken) }?);
        }
        let mut columns = Vec::with_capacity(leaves.len());
        for (leaf, column) in leaves.iter().zip(&bare) {
            columns.push(match leaf.value_type.is_null() {
                true => *column,
                // SAFETY: convention: texts are valid for the call.
                false => KeyColumn::Typed { ty: unsafe { text("value_type", leaf.value_type) }?, column },
            });
        }
        let mut fields = Vec::new();
        let column = match composite {
            None => columns[0],
            Some(KEYFALL_STRUCT) => {
                for (leaf, column) in leaves.iter().zip(&columns) {
                    // SAFETY: as above; NULL is checked.
                    fields.push((unsafe { text("a field's name", leaf.name) }?, *column));
                }
                KeyColumn::Struct { len: keys.rows, columns: &fields }
            }
            Some(_) => KeyColumn::Tuple { len: keys.rows, columns: &columns },
        };
        // SAFETY: as above.
        unsafe { out.write(placer, &column, taken) }
    })
}

fn invalid(why: impl Into<String>) -> Failure {
    Failure(KEYFALL_INVALID_COLUMN, why.into().into())
}

/// # Safety
/// `from` is NULL, or valid for `len` elements.
unsafe fn memory<'a, T>(what: &str, from: *const T, len: usize) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    check(what, from, len)?;
    // SAFETY: the caller's; NULL, the alignment and the size are checked.
    Ok(unsafe { slice::from_raw_parts(from, len) })
}

/// # Safety
/// `to` is NULL, or valid for `len` elements, and nothing else refers to them.
unsafe fn memory_mut<'a, T>(
    what: &str,
    to: *mut T,
    len: usize,
    taken: &mut Vec<Range<usize>>,
) -> Result<&'a mut [T], Failure> {
    if len == 0 {
        return Ok(&mut []);
    }
    check(what, to, len)?;
    let range = to as usize..to as usize + len * size_of::<T>();
    if taken.iter().any(|other| other.start < range.end && range.start < other.end) {
        return Err(invalid(format!("{what} overlaps other memory of this call")));
    }
    taken.push(range);
    // SAFETY: the caller's; NULL, the alignment, the size and overlaps are checked.
    Ok(unsafe { slice::from_raw_parts_mut(to, len) })
}

fn check<T>(what: &str, at: *const T, len: usize) -> Result<(), Failure> {
    if at.is_null() {
        return Err(null(what));
    }
    if !at.is_aligned() {
        return Err(invalid(format!("{what} is not aligned to {} bytes", align_of::<T>())));
    }
    match len.checked_mul(size_of::<T>()).map(isize::try_from) {
        Some(Ok(size)) if (at as usize).checked_add(size as usize).is_some() => Ok(()),
        _ => Err(invalid(format!("{what} has {len} elements: no memory holds that many"))),
    }
}

impl keyfall_column {
    /// A column that is no tuple and no struct.
    ///
    /// # Safety
    /// Its pointers are NULL or valid for what it says of them, during `'a`.
    unsafe fn read<'a>(&self, taken: &mut Vec<Range<usize>>) -> Result<KeyColumn<'a>, Failure> {
        let ends = self.rows.checked_add(1).ok_or_else(|| invalid("rows + 1 is more than a size_t holds"))?;
        let bits = self.rows.div_ceil(8);
        let validity = match self.validity.is_null() {
            true => None,
            // SAFETY: the caller's.
            false => Some(unsafe { read_memory("validity", self.validity, bits, taken) }?),
        };
        // SAFETY: the caller's, in each of these.
        let narrow = |taken: &mut _| unsafe { read_memory::<i32>("offsets", self.offsets.cast(), ends, taken) };
        // SAFETY: as above.
        let wide = |taken: &mut _| unsafe { read_memory::<i64>("offsets", self.offsets.cast(), ends, taken) };
        // SAFETY: as above.
        let bytes = |taken: &mut _| unsafe { read_memory::<u8>("data", self.data.cast(), self.data_len, taken) };
        // SAFETY: as above.
        let units = |taken: &mut _| unsafe { read_memory::<u16>("data", self.data.cast(), self.data_len, taken) };
        let one_a_row = || match self.data_len == self.rows {
            true => Ok(()),
            false => Err(invalid(format!("data has {} integers, the column {} rows", self.data_len, self.rows))),
        };
        Ok(match self.column_type {
            t if t == KEYFALL_BINARY as u32 => {
                KeyColumn::Binary { offsets: narrow(taken)?, data: bytes(taken)?, validity }
            }
            t if t == KEYFALL_LARGE_BINARY as u32 => {
                KeyColumn::LargeBinary { offsets: wide(taken)?, data: bytes(taken)?, validity }
            }
            t if t == KEYFALL_UTF8 as u32 => KeyColumn::Utf8 { offsets: narrow(taken)?, data: bytes(taken)?, validity },
            t if t == KEYFALL_LARGE_UTF8 as u32 => {
                KeyColumn::LargeUtf8 { offsets: wide(taken)?, data: bytes(taken)?, validity }
            }
            t if t == KEYFALL_UTF16 as u32 => {
                KeyColumn::Utf16 { offsets: narrow(taken)?, units: units(taken)?, validity }
            }
            t if t == KEYFALL_INT32 as u32 => {
                one_a_row()?;
                // SAFETY: the caller's.
                let values = unsafe { read_memory("data", self.data.cast(), self.rows, taken) }?;
                KeyColumn::Int32 { values, validity }
            }
            t if t == KEYFALL_INT64 as u32 => {
                one_a_row()?;
                // SAFETY: the caller's.
                let values = unsafe { read_memory("data", self.data.cast(), self.rows, taken) }?;
                KeyColumn::Int64 { values, validity }
            }
            t if t == KEYFALL_TUPLE as u32 || t == KEYFALL_STRUCT as u32 => {
                return Err(invalid("a component of a tuple or struct column cannot itself be one"));
            }
            other => return Err(invalid(format!("no column_type is {other}: they are 0 to 8"))),
        })
    }
}

/// # Safety
/// As [`memory`].
unsafe fn read_memory<'a, T>(
    what: &str,
    from: *const T,
    len: usize,
    taken: &mut Vec<Range<usize>>,
) -> Result<&'a [T], Failure> {
    // SAFETY: the caller's.
    let memory = unsafe { memory(what, from, len) }?;
    let range = memory.as_ptr_range();
    if len > 0 {
        taken.push(range.start as usize..range.end as usize);
    }
    Ok(memory)
}

impl keyfall_places {
    /// Places `keys` into this memory; `taken` is what the keys occupy.
    ///
    /// # Safety
    /// Its pointers are NULL or valid for what it says of them, and nothing else refers to them.
    unsafe fn write(
        self,
        placer: &keyfall_core::Placer,
        keys: &KeyColumn<'_>,
        mut taken: Vec<Range<usize>>,
    ) -> Result<(), Failure> {
        let rows = keys.len();
        let taken = &mut taken;
        // SAFETY: the caller's, in each of these.
        let status = unsafe { memory_mut("status", self.status, self.status_len, taken) }?;
        let owners = match self.owners.is_null() {
            true => None,
            // SAFETY: as above.
            false => Some(unsafe { memory_mut("owners", self.owners, self.owners_len, taken) }?),
        };
        let room = |what: &str, len: usize, needed: usize| match len < needed {
            true => Err(invalid(format!("{what} has room for {len}, the column needs {needed}"))),
            false => Ok(()),
        };
        match placer.scheme().domain {
            Domain::Index => {
                // SAFETY: as above.
                let places = unsafe { memory_mut("places", self.places.cast(), self.places_len, taken) }?;
                placer.place_column(keys, &mut PlaceColumn { places: Places::U32(places), status, owners })?;
            }
            Domain::I32 | Domain::I64 => {
                // SAFETY: as above.
                let places = unsafe { memory_mut("places", self.places.cast(), self.places_len, taken) }?;
                placer.place_column(keys, &mut PlaceColumn { places: Places::I64(places), status, owners })?;
            }
            Domain::U128 => {
                // SAFETY: as above.
                let places =
                    unsafe { memory_mut::<keyfall_u128>("places", self.places.cast(), self.places_len, taken) }?;
                room("places", places.len(), rows)?;
                let mut wide = vec![0u128; rows];
                placer.place_column(keys, &mut PlaceColumn { places: Places::U128(&mut wide), status, owners })?;
                for (place, wide) in places.iter_mut().zip(wide) {
                    *place = keyfall_u128 { high: (wide >> 64) as u64, low: wide as u64 };
                }
            }
            Domain::Bytes(_) => {
                // SAFETY: as above.
                let places = unsafe { memory_mut::<u8>("places", self.places.cast(), self.places_len, taken) }?;
                // SAFETY: as above.
                let ends = unsafe { memory_mut("offsets", self.offsets, self.offsets_len, taken) }?;
                room("offsets", ends.len(), rows + 1)?;
                room("status", status.len(), rows)?;
                // Into memory of its own first: if the places do not fit, nothing is written.
                let (mut offsets, mut data, mut statuses) = (Vec::new(), Vec::new(), vec![0u8; rows]);
                let mut own = owners.as_ref().map(|owners| vec![0u32; owners.len()]);
                let mut out = PlaceColumn {
                    places: Places::Bytes { offsets: &mut offsets, data: &mut data },
                    status: &mut statuses,
                    owners: own.as_deref_mut(),
                };
                placer.place_column(keys, &mut out)?;
                room("places", places.len(), data.len())?;
                places[..data.len()].copy_from_slice(&data);
                ends[..offsets.len()].copy_from_slice(&offsets);
                status[..rows].copy_from_slice(&statuses);
                if let (Some(owners), Some(own)) = (owners, own) {
                    owners[..rows].copy_from_slice(&own[..rows]);
                }
            }
        }
        Ok(())
    }
}
