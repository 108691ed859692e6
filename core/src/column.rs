//! Columns of keys and places, in Arrow's layout: the caller's memory, no copy, no allocation per key.

use alloc::format;
use alloc::vec::Vec;

use crate::{
    BoundDirect, Coord, Domain, Error, ErrorKind, Key, KeyError, Outcome, Place, Scheme, System, Typed, Value,
};

/// A column of keys. `offsets` has one entry more than there are rows; `validity` is a bitmap, least significant bit
/// first, where a 0 is a null key (absent: no nulls).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum KeyColumn<'a> {
    /// Bytes, 32-bit offsets.
    #[allow(missing_docs)]
    Binary { offsets: &'a [i32], data: &'a [u8], validity: Option<&'a [u8]> },
    /// Bytes, 64-bit offsets.
    #[allow(missing_docs)]
    LargeBinary { offsets: &'a [i64], data: &'a [u8], validity: Option<&'a [u8]> },
    /// UTF-8 text, 32-bit offsets. A row that is not UTF-8 is that row's error.
    #[allow(missing_docs)]
    Utf8 { offsets: &'a [i32], data: &'a [u8], validity: Option<&'a [u8]> },
    /// UTF-8 text, 64-bit offsets.
    #[allow(missing_docs)]
    LargeUtf8 { offsets: &'a [i64], data: &'a [u8], validity: Option<&'a [u8]> },
    /// Bytes or text, a view of 16 bytes a row: its length in 4 bytes, then the bytes themselves if they are no more than
    /// 12, otherwise their first 4, and in 4 bytes each the number of the buffer and where in it they begin.
    #[allow(missing_docs)]
    View { views: &'a [[u8; 16]], buffers: &'a [&'a [u8]], text: bool, validity: Option<&'a [u8]> },
    /// UTF-16 code units, offsets in units.
    #[allow(missing_docs)]
    Utf16 { offsets: &'a [i32], units: &'a [u16], validity: Option<&'a [u8]> },
    /// 32-bit integers, of the system's own type of that width.
    #[allow(missing_docs)]
    Int32 { values: &'a [i32], validity: Option<&'a [u8]> },
    /// 64-bit integers.
    #[allow(missing_docs)]
    Int64 { values: &'a [i64], validity: Option<&'a [u8]> },
    /// A text or integer column whose values are of the type `ty`, in the system's spelling.
    #[allow(missing_docs)]
    Typed { ty: &'a str, column: &'a KeyColumn<'a> },
    /// Components in order, a column each, all of `len` rows.
    #[allow(missing_docs)]
    Tuple { len: usize, columns: &'a [KeyColumn<'a>] },
    /// Named components, a column each, all of `len` rows.
    #[allow(missing_docs)]
    Struct { len: usize, columns: &'a [(&'a str, KeyColumn<'a>)] },
}

fn invalid(message: impl Into<alloc::string::String>) -> Error {
    Error::new(ErrorKind::InvalidColumn, message)
}

/// Offsets as `usize`, checked by [`KeyColumn::check`].
trait Offset: Copy + PartialOrd {
    fn get(self) -> Option<usize>;
}

impl Offset for i32 {
    fn get(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

impl Offset for i64 {
    fn get(self) -> Option<usize> {
        usize::try_from(self).ok()
    }
}

fn check_offsets<O: Offset>(offsets: &[O], data: usize) -> Result<(), Error> {
    // All at once, which compilers turn into vectors; what is wrong is looked for afterwards.
    let ordered = offsets.windows(2).fold(true, |ordered, pair| ordered & (pair[0] <= pair[1]));
    if let ([first, ..], [.., last]) = (offsets, offsets)
        && ordered
        && first.get().is_some()
        && last.get().is_some_and(|last| last <= data)
    {
        return Ok(());
    }
    let mut last = 0;
    if offsets.is_empty() {
        return Err(invalid("offsets are empty: a column of n rows has n + 1"));
    }
    for (row, offset) in offsets.iter().enumerate() {
        match offset.get() {
            Some(offset) if offset >= last => last = offset,
            Some(offset) => {
                return Err(invalid(format!("offset {row} is {offset}, before the one at {} ({last})", row - 1)));
            }
            None => return Err(invalid(format!("offset {row} is negative, or beyond any memory"))),
        }
    }
    if last > data {
        return Err(invalid(format!("the last offset is {last}, beyond the data's length {data}")));
    }
    Ok(())
}

#[inline]
fn row<'a, O: Offset, T>(offsets: &[O], data: &'a [T], i: usize) -> &'a [T] {
    let at = |i: usize| offsets[i].get().unwrap_or(0);
    &data[at(i)..at(i + 1)]
}

#[inline]
fn is_null(validity: Option<&[u8]>, i: usize) -> bool {
    validity.is_some_and(|bits| bits[i / 8] >> (i % 8) & 1 == 0)
}

/// The bytes of a view; none where they are beyond the buffers.
#[inline]
fn view<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let word = |at: usize| {
        let bytes: [u8; 4] = view[at..at + 4].try_into().ok()?;
        usize::try_from(i32::from_le_bytes(bytes)).ok()
    };
    let len = word(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let from = word(12)?;
    buffers.get(word(8)?)?.get(from..from.checked_add(len)?)
}

impl<'a> KeyColumn<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            KeyColumn::Binary { offsets, .. } | KeyColumn::Utf8 { offsets, .. } | KeyColumn::Utf16 { offsets, .. } => {
                offsets.len().saturating_sub(1)
            }
            KeyColumn::LargeBinary { offsets, .. } | KeyColumn::LargeUtf8 { offsets, .. } => {
                offsets.len().saturating_sub(1)
            }
            KeyColumn::View { views, .. } => views.len(),
            KeyColumn::Int32 { values, .. } => values.len(),
            KeyColumn::Int64 { values, .. } => values.len(),
            KeyColumn::Typed { column, .. } => column.len(),
            KeyColumn::Tuple { len, .. } | KeyColumn::Struct { len, .. } => *len,
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks everything that a row's access relies on, once a batch.
    fn check(&self) -> Result<(), Error> {
        self.check_validity()?;
        match self {
            KeyColumn::Binary { offsets, data, .. } | KeyColumn::Utf8 { offsets, data, .. } => {
                check_offsets(offsets, data.len())
            }
            KeyColumn::LargeBinary { offsets, data, .. } | KeyColumn::LargeUtf8 { offsets, data, .. } => {
                check_offsets(offsets, data.len())
            }
            KeyColumn::View { views, buffers, validity, .. } => {
                let bad = (0..views.len()).find(|i| !is_null(*validity, *i) && view(&views[*i], buffers).is_none());
                bad.map_or(Ok(()), |row| Err(invalid(format!("the view of row {row} is beyond the buffers"))))
            }
            KeyColumn::Utf16 { offsets, units, .. } => check_offsets(offsets, units.len()),
            KeyColumn::Int32 { .. } | KeyColumn::Int64 { .. } => Ok(()),
            KeyColumn::Typed { column, .. } => column.check_component(column.len()),
            KeyColumn::Tuple { len, columns } => columns.iter().try_for_each(|column| column.check_component(*len)),
            KeyColumn::Struct { len, columns } => {
                columns.iter().try_for_each(|(_, column)| column.check_component(*len))
            }
        }
    }

    fn check_validity(&self) -> Result<(), Error> {
        let validity = match self {
            KeyColumn::Binary { validity, .. }
            | KeyColumn::Utf8 { validity, .. }
            | KeyColumn::LargeBinary { validity, .. }
            | KeyColumn::LargeUtf8 { validity, .. }
            | KeyColumn::View { validity, .. }
            | KeyColumn::Utf16 { validity, .. }
            | KeyColumn::Int32 { validity, .. }
            | KeyColumn::Int64 { validity, .. } => validity,
            KeyColumn::Typed { .. } | KeyColumn::Tuple { .. } | KeyColumn::Struct { .. } => return Ok(()),
        };
        match validity {
            Some(bits) if bits.len() < self.len().div_ceil(8) => Err(invalid(format!(
                "the validity bitmap has {} bytes, {} rows need {}",
                bits.len(),
                self.len(),
                self.len().div_ceil(8)
            ))),
            _ => Ok(()),
        }
    }

    fn check_component(&self, len: usize) -> Result<(), Error> {
        if matches!(self, KeyColumn::Tuple { .. } | KeyColumn::Struct { .. }) {
            return Err(invalid("a component of a tuple or struct column cannot itself be one"));
        }
        self.check()?;
        if self.len() != len {
            return Err(invalid(format!("a component has {} rows, the column {len}", self.len())));
        }
        Ok(())
    }

    /// The key of row `i` of a checked column that is neither a tuple nor a struct.
    #[inline]
    fn key(&self, int_types: [Option<&'a str>; 2], i: usize) -> Result<Key<'a>, KeyError> {
        let int = |ty: Option<&'a str>, bits: u32, value: i64| match ty {
            Some(ty) => Ok(Key::Typed(Typed { ty, value: Value::Int(value) })),
            None => Err(KeyError::new(format!("this system has no {bits}-bit integer keys: give bytes or text"))),
        };
        let text = |bytes: &'a [u8]| match core::str::from_utf8(bytes) {
            Ok(text) => Ok(Key::Text(text)),
            Err(e) => Err(KeyError::new(format!("not UTF-8 from byte {}", e.valid_up_to()))),
        };
        match *self {
            KeyColumn::Binary { validity, .. }
            | KeyColumn::Utf8 { validity, .. }
            | KeyColumn::LargeBinary { validity, .. }
            | KeyColumn::LargeUtf8 { validity, .. }
            | KeyColumn::View { validity, .. }
            | KeyColumn::Utf16 { validity, .. }
            | KeyColumn::Int32 { validity, .. }
            | KeyColumn::Int64 { validity, .. }
                if is_null(validity, i) =>
            {
                Ok(Key::Null)
            }
            KeyColumn::Binary { offsets, data, .. } => Ok(Key::Bytes(row(offsets, data, i))),
            KeyColumn::LargeBinary { offsets, data, .. } => Ok(Key::Bytes(row(offsets, data, i))),
            KeyColumn::Utf8 { offsets, data, .. } => text(row(offsets, data, i)),
            KeyColumn::LargeUtf8 { offsets, data, .. } => text(row(offsets, data, i)),
            KeyColumn::View { views, buffers, text: is_text, .. } => {
                let bytes = view(&views[i], buffers).unwrap_or_default();
                if is_text { text(bytes) } else { Ok(Key::Bytes(bytes)) }
            }
            KeyColumn::Utf16 { offsets, units, .. } => Ok(Key::Utf16(row(offsets, units, i))),
            KeyColumn::Int32 { values, .. } => int(int_types[0], 32, values[i].into()),
            KeyColumn::Int64 { values, .. } => int(int_types[1], 64, values[i]),
            KeyColumn::Typed { ty, column } => match column.key([Some(ty); 2], i)? {
                Key::Null => Ok(Key::Null),
                Key::Text(text) => Ok(Key::Typed(Typed { ty, value: Value::Text(text) })),
                typed @ Key::Typed(_) => Ok(typed),
                other => Err(KeyError::new(format!("a typed column holds text or integers, not {}", other.kind()))),
            },
            KeyColumn::Tuple { .. } | KeyColumn::Struct { .. } => {
                Err(KeyError::new("a component of a tuple or struct column cannot itself be one"))
            }
        }
    }

    /// The key of row `i` of a checked column of any kind.
    #[inline(never)]
    fn any_key<'k>(
        &self,
        int_types: [Option<&'a str>; 2],
        i: usize,
        parts: &'k mut Parts<'a>,
    ) -> Result<Key<'k>, KeyError> {
        match self {
            KeyColumn::Tuple { columns, .. } => {
                parts.keys.clear();
                for column in *columns {
                    parts.keys.push(column.key(int_types, i)?);
                }
                Ok(Key::Tuple(&parts.keys))
            }
            KeyColumn::Struct { columns, .. } => {
                parts.fields.clear();
                for (name, column) in *columns {
                    parts.fields.push((name, column.key(int_types, i)?));
                }
                Ok(Key::Fields(&parts.fields))
            }
            plain => plain.key(int_types, i),
        }
    }

    /// Calls `f` with the number and key of each row, in order. Integers are of the type that `system` has of their width.
    ///
    /// ```
    /// use keyfall_core::{Key, KeyColumn, registry};
    /// let column = KeyColumn::Utf8 { offsets: &[0, 1, 3], data: b"abb", validity: None };
    /// let mut keys = Vec::new();
    /// column.each_key(registry::SYSTEMS[0], |_, key| keys.push(format!("{:?}", key.unwrap())))?;
    /// assert_eq!(keys, [r#"Text("a")"#, r#"Text("bb")"#]);
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Offsets out of order or beyond the data, buffers that are too short. A row's own error is handed to `f`.
    #[inline]
    pub fn each_key(&self, system: &System, mut f: impl FnMut(usize, Result<Key<'_>, KeyError>)) -> Result<(), Error> {
        self.check()?;
        let int_types = [system.int32, system.int64];
        let mut parts = Parts { keys: Vec::new(), fields: Vec::new() };
        for i in 0..self.len() {
            // Written twice for speed; once for all schemes, where `f` is inlined into each.
            let key = match *self {
                KeyColumn::Binary { offsets, data, validity: None } => Ok(Key::Bytes(row(offsets, data, i))),
                _ => self.any_key(int_types, i, &mut parts),
            };
            f(i, key);
        }
        Ok(())
    }

    /// The rows of a column that has one value a row, to be asked for one by one.
    ///
    /// # Errors
    /// As [`KeyColumn::each_key`], and for a tuple or a struct.
    pub fn rows(self) -> Result<Rows<'a>, Error> {
        self.check_component(self.len())?;
        Ok(Rows(self))
    }

    /// Places each row by a direct function, if it is a column of bytes without nulls and the places fit; whether it did.
    pub(crate) fn place_bytes(&self, direct: &BoundDirect, out: &mut PlaceColumn<'_>) -> Result<bool, Error> {
        let KeyColumn::Binary { offsets, data, validity: None } = *self else { return Ok(false) };
        self.check()?;
        let longest = offsets.windows(2).fold(0, |longest, pair| longest.max(pair[1] - pair[0]));
        if longest as usize > BoundDirect::LONGEST {
            return Ok(false);
        }
        let rows = self.len();
        let at = |offset: i32| offset.get().unwrap_or(0);
        let keys = offsets.windows(2).map(|pair| &data[at(pair[0])..at(pair[1])]);
        // A loop each: what is the same for all rows is looked at once.
        match (direct, &mut out.places) {
            (BoundDirect::Index(call), Places::U32(places)) => {
                keys.zip(places.iter_mut()).for_each(|(key, place)| *place = call(key));
            }
            (BoundDirect::Counted(call, n), Places::U32(places)) => {
                keys.zip(places.iter_mut()).for_each(|(key, place)| *place = call(key, *n));
            }
            (BoundDirect::I64(call), Places::I64(places)) => {
                keys.zip(places.iter_mut()).for_each(|(key, place)| *place = call(key));
            }
            _ => return Ok(false),
        }
        out.status[..rows].fill(RowStatus::Placed as u8);
        if let Some(owners) = &mut out.owners {
            owners[..rows].fill(u32::MAX);
        }
        Ok(true)
    }

    /// Places each row and writes its place and status.
    #[inline]
    pub(crate) fn each(
        &self,
        system: &System,
        out: &mut PlaceColumn<'_>,
        mut place: impl FnMut(Key<'_>) -> Result<Outcome, KeyError>,
    ) -> Result<(), Error> {
        out.start();
        self.each_key(system, |i, key| out.write(i, key.and_then(&mut place)))
    }
}

/// The components of one row.
struct Parts<'a> {
    keys: Vec<Key<'a>>,
    fields: Vec<(&'a str, Key<'a>)>,
}

/// The rows of a column that has one value a row.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a>(KeyColumn<'a>);

impl<'a> Rows<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of row `i`; integers are of the type `int`.
    ///
    /// # Errors
    /// Text that is not UTF-8.
    ///
    /// # Panics
    /// If there are no more than `i` rows.
    #[inline]
    pub fn get(&self, i: usize) -> Result<Key<'a>, KeyError> {
        self.0.key([Some("int"); 2], i)
    }
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum RowStatus {
    /// It has a place.
    Placed = 0,
    /// The client chooses freely.
    Unpinned = 1,
    /// The system does not take this key.
    Rejected = 2,
    /// Not computable outside the system.
    Refused = 3,
    /// The key is malformed.
    Error = 4,
}

/// Where the places of a column go: one slice, of the type that the scheme's [`Domain`] has.
#[derive(Debug)]
#[non_exhaustive]
pub enum Places<'a> {
    /// Indices.
    U32(&'a mut [u32]),
    /// Signed 64-bit tokens, and signed 32-bit codes.
    I64(&'a mut [i64]),
    /// Unsigned 128-bit tokens; -1, the token of RandomPartitioner's empty key, is `u128::MAX`.
    U128(&'a mut [u128]),
    /// Bytes: cleared, then `offsets` gets one entry more than there are rows.
    #[allow(missing_docs)]
    Bytes { offsets: &'a mut Vec<i64>, data: &'a mut Vec<u8> },
}

/// The places of a column, one status byte a row ([`RowStatus`]). Where the status is not 0 the place is 0 or empty.
#[derive(Debug)]
pub struct PlaceColumn<'a> {
    /// The places.
    pub places: Places<'a>,
    /// A byte a row.
    pub status: &'a mut [u8],
    /// The owner of each row by index, where a topology or ring names one; `u32::MAX` where it does not.
    pub owners: Option<&'a mut [u32]>,
}

impl PlaceColumn<'_> {
    pub(crate) fn check(&self, scheme: &Scheme, rows: usize) -> Result<(), Error> {
        let (kind, len) = match &self.places {
            Places::U32(places) => ("u32", places.len()),
            Places::I64(places) => ("i64", places.len()),
            Places::U128(places) => ("u128", places.len()),
            Places::Bytes { .. } => ("bytes", rows),
        };
        let needed = match scheme.domain {
            Domain::Index => "u32",
            Domain::I32 | Domain::I64 => "i64",
            Domain::U128 => "u128",
            Domain::Bytes(_) => "bytes",
        };
        if kind != needed {
            return Err(invalid(format!("{}: places are {needed}, the output column is {kind}", scheme.id)));
        }
        for (what, len) in [
            ("places", Some(len)),
            ("status", Some(self.status.len())),
            ("owners", self.owners.as_ref().map(|o| o.len())),
        ] {
            if len.is_some_and(|len| len < rows) {
                return Err(invalid(format!("{what} has room for {} rows, the column has {rows}", len.unwrap_or(0))));
            }
        }
        Ok(())
    }

    fn start(&mut self) {
        if let Places::Bytes { offsets, data } = &mut self.places {
            data.clear();
            offsets.clear();
            offsets.push(0);
        }
    }

    #[inline]
    fn write(&mut self, i: usize, outcome: Result<Outcome, KeyError>) {
        // Written twice for speed, as in `each_key`.
        if let (Places::U32(places), Ok(Outcome::Placed(Place { at: Coord::Index(n), owner: None, .. })), None) =
            (&mut self.places, &outcome, &self.owners)
        {
            places[i] = *n;
            self.status[i] = RowStatus::Placed as u8;
            return;
        }
        self.write_any(i, outcome);
    }

    #[inline(never)]
    fn write_any(&mut self, i: usize, outcome: Result<Outcome, KeyError>) {
        let (status, place) = match outcome {
            Ok(Outcome::Placed(place)) => (RowStatus::Placed, Some(place)),
            Ok(Outcome::Unpinned(_)) => (RowStatus::Unpinned, None),
            Ok(Outcome::Rejected(_)) => (RowStatus::Rejected, None),
            Ok(Outcome::Refused(_)) => (RowStatus::Refused, None),
            Err(_) => (RowStatus::Error, None),
        };
        self.status[i] = status as u8;
        if let Some(owners) = &mut self.owners {
            owners[i] = place.as_ref().and_then(|place| place.owner).unwrap_or(u32::MAX);
        }
        let at = place.map(|place| place.at);
        match (&mut self.places, at) {
            (Places::U32(places), Some(Coord::Index(n))) => places[i] = n,
            (Places::I64(places), Some(Coord::I64(n))) => places[i] = n,
            (Places::I64(places), Some(Coord::I32(n))) => places[i] = n.into(),
            (Places::U128(places), Some(Coord::U128(n))) => places[i] = n,
            (Places::U128(places), Some(Coord::I64(n))) => places[i] = n as u128,
            (Places::Bytes { offsets, data }, Some(Coord::Bytes(bytes, _))) => {
                data.extend_from_slice(&bytes);
                offsets.push(data.len() as i64);
            }
            (Places::U32(places), _) => places[i] = 0,
            (Places::I64(places), _) => places[i] = 0,
            (Places::U128(places), _) => places[i] = 0,
            (Places::Bytes { offsets, data }, _) => offsets.push(data.len() as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn long_view(len: i32, buffer: i32, from: i32) -> [u8; 16] {
        let mut view = [0; 16];
        view[..4].copy_from_slice(&len.to_le_bytes());
        view[8..12].copy_from_slice(&buffer.to_le_bytes());
        view[12..].copy_from_slice(&from.to_le_bytes());
        view
    }

    #[test]
    fn views_hold_short_keys_and_point_at_long_ones() {
        let mut short = [0; 16];
        short[0] = 12;
        short[4..].copy_from_slice(b"twelve bytes");
        let buffers: &[&[u8]] = &[b"", b"..thirteen byte"];
        let views = [short, long_view(13, 1, 2), [0; 16], long_view(99, 7, 0)];
        let column = KeyColumn::View { views: &views, buffers, text: false, validity: Some(&[0b0111]) };
        let keys = column.rows().unwrap();
        let key = |i| keys.get(i).unwrap();
        assert_eq!(
            [key(0), key(1), key(2), key(3)],
            [Key::Bytes(b"twelve bytes"), Key::Bytes(b"thirteen byte"), Key::Bytes(b""), Key::Null]
        );
        for bad in
            [long_view(14, 1, 2), long_view(13, 2, 0), long_view(13, -1, 0), long_view(-1, 0, 0), long_view(13, 1, -1)]
        {
            let column = KeyColumn::View { views: &[short, bad], buffers, text: true, validity: None };
            let error = column.rows().unwrap_err();
            assert_eq!(error.to_string(), "the view of row 1 is beyond the buffers");
        }
    }
}
