//! The Python package of keyfall: Python's values in, [`keyfall_core`] behind. What users import is
//! `python/keyfall/__init__.py`; its types are in `_keyfall.pyi` beside it.

mod arrow;
mod direct;
#[rustfmt::skip]
mod direct_calls;

use keyfall_audit::{Auditor, Columns, Tally};
use keyfall_core::wire::{OutcomeJson, PlaceJson, SchemeJson, TraceJson, parse_key, parse_params};
use keyfall_core::{
    BoundDirect, Coord, Domain, Error, Key, KeyColumn, KeyError, MAX_KEY_LEN, Outcome, Params, PlaceColumn, Places,
    RowStatus, Why, registry,
};
use pyo3::buffer::PyBuffer;
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyString, PyTuple};

use arrow::{Column, Out, Owned, Table};

create_exception!(keyfall, KeyfallError, PyValueError, "A scheme, param or key that cannot be used.");
create_exception!(keyfall, Rejected, KeyfallError, "The system or client does not take this key.");
create_exception!(keyfall, Refused, KeyfallError, "The place cannot be computed outside the system.");

/// keyfall's own vectors, packed by build.rs: a JSON object of all files, by scheme, as xz has it.
static VECTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/vectors.xz"));

/// A scheme, such as ``kafka/java``, bound to its params: ``Placer("kafka/java", partitions=12)``.
#[pyclass(frozen, module = "keyfall")]
struct Placer(keyfall_core::Placer, Option<BoundDirect>);

#[pymethods]
impl Placer {
    #[new]
    #[pyo3(signature = (scheme, /, **params))]
    fn new(scheme: &str, params: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let placer = bind(scheme, params)?;
        let direct = placer.direct();
        Ok(Placer(placer, direct))
    }

    /// Where ``key`` falls: an int, or a str where places are bytes; None where the client chooses freely.
    #[pyo3(signature = (key, /))]
    fn place<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(place) = self.1.as_ref().and_then(|bound| direct::place_exact(bound, key)) {
            return Ok(Some(place));
        }
        let outcome = with_key(key, |key| self.0.place(key))?;
        match outcome {
            Ok(Outcome::Placed(place)) => place_object(key.py(), &place.at).map(Some),
            Ok(Outcome::Unpinned(_)) => Ok(None),
            other => Err(no_place(other)),
        }
    }

    /// What becomes of ``key``, as the machine interface has it: a dict with ``outcome`` and, where there are any,
    /// ``place`` (a str where it has over 53 bits), ``hash``, ``owner`` and ``why``.
    #[pyo3(signature = (key, /))]
    fn outcome<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let outcome = with_key(key, |key| self.0.place(key))?;
        outcome_dict(key.py(), OutcomeJson::new(&self.0, &outcome))
    }

    /// What becomes of ``key``, as ``outcome`` has it, and every step on the way: ``{"outcome": {...}, "steps": [...]}``,
    /// each step a dict of ``stage``, ``words`` and ``value``.
    #[pyo3(signature = (key, /))]
    fn explain<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let py = key.py();
        let traced = TraceJson::new(&self.0, with_key(key, |key| self.0.trace(key))?);
        let steps = PyList::empty(py);
        for step in traced.steps {
            let dict = PyDict::new(py);
            dict.set_item("stage", step.stage)?;
            dict.set_item("words", step.words)?;
            dict.set_item("value", step.value)?;
            steps.append(dict)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("outcome", outcome_dict(py, traced.outcome)?)?;
        dict.set_item("steps", steps)?;
        Ok(dict)
    }

    /// The scheme's id.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.scheme().id
    }

    /// What a place is: partition, slot, token, shard.
    #[getter]
    fn unit(&self) -> &'static str {
        self.0.scheme().unit
    }

    /// What places are: index, i32, i64, u128 or bytes.
    #[getter]
    fn domain(&self) -> &'static str {
        self.0.scheme().domain.word()
    }

    /// How many places there are, where they are indices.
    #[getter]
    fn places(&self) -> Option<u32> {
        self.0.places()
    }

    fn __repr__(&self) -> String {
        format!("<keyfall.Placer {}>", self.scheme())
    }

    /// Places an iterable of keys: a list of places, None where there is none, and a status byte a key.
    fn _place_list<'py>(
        &self,
        keys: &Bound<'py, PyList>,
        key_type: Option<&str>,
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyBytes>)> {
        let py = keys.py();
        let places = direct::list(py, keys.len())?;
        let mut status = vec![RowStatus::Placed as u8; keys.len()];
        let direct = self.1.as_ref().filter(|_| key_type.is_none());
        for (i, row) in status.iter_mut().enumerate() {
            // By number: another thread may shorten the list meanwhile, and then there is an error.
            let key = keys.get_item(i)?;
            let place = match direct.and_then(|bound| direct::place_exact(bound, &key)) {
                Some(place) => place,
                None => {
                    let outcome = match key_type {
                        None => with_key(&key, |key| self.0.place(key))?,
                        Some(ty) => with_typed(&key, ty, |key| self.0.place(key))?,
                    };
                    *row = match &outcome {
                        Ok(Outcome::Placed(_)) => RowStatus::Placed,
                        Ok(Outcome::Unpinned(_)) => RowStatus::Unpinned,
                        Ok(Outcome::Rejected(_)) => RowStatus::Rejected,
                        Ok(Outcome::Refused(_)) => RowStatus::Refused,
                        Err(_) => RowStatus::Error,
                    } as u8;
                    match outcome {
                        Ok(Outcome::Placed(place)) => place_object(py, &place.at)?,
                        _ => py.None().into_bound(py),
                    }
                }
            };
            direct::set(&places, i, place);
        }
        Ok((places, PyBytes::new(py, &status)))
    }

    /// Places rows of a fixed width, as NumPy has them: ``S`` bytes, ``U`` UCS-4 text, ``i`` and ``l`` integers.
    fn _place_fixed<'py>(
        &self,
        data: PyBuffer<u8>,
        kind: &str,
        width: usize,
        mask: Option<PyBuffer<u8>>,
        key_type: Option<&str>,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyByteArray>)> {
        // A copy: another thread may write to the array meanwhile.
        let data = data.to_vec(py)?;
        let mask = mask.map(|mask| mask.to_vec(py)).transpose()?;
        let placed = py.detach(|| {
            let rows = data.len().checked_div(width).unwrap_or(0);
            let validity = mask.map(|mask| {
                let mut bits = vec![0u8; rows.div_ceil(8)];
                mask.iter()
                    .take(rows)
                    .enumerate()
                    .filter(|(_, m)| **m == 0)
                    .for_each(|(i, _)| bits[i / 8] |= 1 << (i % 8));
                bits
            });
            let validity = validity.as_deref();
            let (mut bytes, mut units, mut offsets) = (Vec::new(), Vec::new(), vec![0i64]);
            let (narrow, wide): (Vec<i32>, Vec<i64>);
            let keys = match kind {
                "S" => {
                    bytes.reserve(data.len());
                    offsets.reserve(rows);
                    for row in data.chunks_exact(width.max(1)) {
                        // NumPy's own rule: NULs at the end are no part of a value.
                        let len = row.iter().rposition(|b| *b != 0).map_or(0, |at| at + 1);
                        bytes.extend_from_slice(&row[..len]);
                        offsets.push(bytes.len() as i64);
                    }
                    if bytes.len() <= MAX_KEY_LEN {
                        narrow = offsets.iter().map(|n| *n as i32).collect();
                        KeyColumn::Binary { offsets: &narrow, data: &bytes, validity }
                    } else {
                        KeyColumn::LargeBinary { offsets: &offsets, data: &bytes, validity }
                    }
                }
                "U" => {
                    let mut ends = vec![0i32];
                    for row in data.chunks_exact(width.max(1)) {
                        let points = row.as_chunks::<4>().0.iter().map(|c| u32::from_ne_bytes(*c));
                        let points: Vec<u32> = points.collect();
                        let len = points.iter().rposition(|c| *c != 0).map_or(0, |at| at + 1);
                        for point in &points[..len] {
                            match char::from_u32(*point) {
                                Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                                None => units.push(*point as u16),
                            }
                        }
                        ends.push(i32::try_from(units.len()).map_err(|_| too_large())?);
                    }
                    match String::from_utf16(&units) {
                        // Surrogates that meet at the border of two keys would pair up here, not there: only whole text.
                        Ok(_) if !units.iter().any(|unit| (0xd800..0xe000).contains(unit)) => {
                            bytes.clear();
                            offsets.truncate(1);
                            let mut from = 0;
                            for end in &ends[1..] {
                                for c in char::decode_utf16(units[from..*end as usize].iter().copied()).flatten() {
                                    bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                                }
                                from = *end as usize;
                                offsets.push(bytes.len() as i64);
                            }
                            KeyColumn::LargeUtf8 { offsets: &offsets, data: &bytes, validity }
                        }
                        _ => {
                            return place(
                                &self.0,
                                &KeyColumn::Utf16 { offsets: &ends, units: &units, validity },
                                key_type,
                            );
                        }
                    }
                }
                "i" => {
                    narrow = data.as_chunks::<4>().0.iter().map(|n| i32::from_ne_bytes(*n)).collect();
                    KeyColumn::Int32 { values: &narrow, validity }
                }
                _ => {
                    wide = data.as_chunks::<8>().0.iter().map(|n| i64::from_ne_bytes(*n)).collect();
                    KeyColumn::Int64 { values: &wide, validity }
                }
            };
            place(&self.0, &keys, key_type)
        })?;
        let status = PyByteArray::new(py, &placed.status);
        Ok((placed.objects(py, &self.0)?, status))
    }

    /// Where many keys fall: a list for a list or another iterable, a masked array for a NumPy array, Arrow for Arrow
    /// (pyarrow, polars, pandas, DuckDB). A key without a place is None, masked or null. With ``status`` a pair: the places,
    /// and a byte a key, 0 placed, 1 unpinned, 2 rejected, 3 refused, 4 error. ``key_type`` is the type of all keys, as the
    /// system spells it.
    #[pyo3(signature = (keys, /, *, status=false, key_type=None))]
    fn place_many<'py>(
        slf: &Bound<'py, Self>,
        keys: &Bound<'py, PyAny>,
        status: bool,
        key_type: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let options = PyDict::new(py);
        options.set_item("status", status)?;
        options.set_item("key_type", key_type)?;
        py.import(intern!(py, "keyfall._columns"))?.call_method(intern!(py, "place_many"), (slf, keys), Some(&options))
    }

    /// Where keys fall that lie one after the other in ``data``: ``offsets`` are where each begins and where the last one
    /// ends, a buffer of int32 or int64. The places are a bytearray of native uint32, or int64 for tokens; of other domains a
    /// list.
    #[pyo3(signature = (data, offsets, /, *, status=false))]
    fn place_offsets<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        status: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = data.py();
        let data = PyBuffer::<u8>::get(data)?;
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        if let Ok(offsets) = PyBuffer::<i32>::get(offsets) {
            narrow = offsets.to_vec(py)?;
        } else if let Ok(offsets) = PyBuffer::<i64>::get(offsets) {
            wide = offsets.to_vec(py)?;
        } else {
            return Err(PyTypeError::new_err(
                "offsets are a buffer of int32 or int64, such as array.array('i'), or 'q', or a NumPy array",
            ));
        }
        // A copy: another thread may write to the buffer meanwhile.
        let data = data.to_vec(py)?;
        if data.len() <= MAX_KEY_LEN && !wide.is_empty() {
            // The narrow form is the faster one. What does not fit is out of order or beyond the data.
            if let Ok(fit) = wide.iter().map(|n| i32::try_from(*n)).collect() {
                narrow = fit;
            }
        }
        let placed = py.detach(|| match narrow.is_empty() {
            true => place(&self.0, &KeyColumn::LargeBinary { offsets: &wide, data: &data, validity: None }, None),
            false => place(&self.0, &KeyColumn::Binary { offsets: &narrow, data: &data, validity: None }, None),
        })?;
        let statuses = PyByteArray::new(py, &placed.status);
        let places = placed.objects(py, &self.0)?;
        if status { Ok(PyTuple::new(py, [places, statuses.into_any()])?.into_any()) } else { Ok(places) }
    }

    /// Places a column that Arrow hands over: chunks of places and statuses, and whether it was a stream; none if it is no
    /// Arrow.
    fn _place_arrow<'py>(&self, keys: &Bound<'py, PyAny>, key_type: Option<&str>) -> PyResult<Option<Chunks>> {
        let py = keys.py();
        let Some(table) = Table::of(keys)? else { return Ok(None) };
        let names = table.names()?;
        let mut chunks = Vec::new();
        for columns in table.chunks() {
            let placed = place_columns(py, &self.0, &columns, names.as_deref(), key_type)?;
            let status = placed.status.clone();
            let out = placed.arrow(&self.0);
            chunks.push((
                ArrowColumn { out: std::sync::Mutex::new(Some((out, Some(status.clone())))), len: status.len() },
                ArrowColumn { len: status.len(), out: std::sync::Mutex::new(Some((Out::U8(status), None))) },
            ));
        }
        Ok(Some((chunks, table.stream)))
    }
}

/// Chunks of places and statuses, and whether they are those of a stream.
type Chunks = (Vec<(ArrowColumn, ArrowColumn)>, bool);

/// A column that Arrow takes once.
#[pyclass(frozen, module = "keyfall")]
struct ArrowColumn {
    out: std::sync::Mutex<Option<(Out, Option<Vec<u8>>)>>,
    len: usize,
}

#[pymethods]
impl ArrowColumn {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // By the interface a producer may ignore what is requested.
        let _ = requested_schema;
        let taken = self.out.lock().map_or(None, |mut out| out.take());
        let (out, status) =
            taken.ok_or_else(|| PyValueError::new_err("this column was taken before: keep what took it"))?;
        arrow::export(py, out, status.as_deref())
    }

    fn __len__(&self) -> usize {
        self.len
    }
}

/// Counts verdicts on records, part by part.
#[pyclass(module = "keyfall")]
struct Audit {
    auditor: Auditor,
    tally: Tally,
}

#[pymethods]
impl Audit {
    #[new]
    #[pyo3(signature = (scheme, /, **params))]
    fn new(scheme: &str, params: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let auditor = Auditor::new(bind(scheme, params)?);
        let tally = auditor.tally();
        Ok(Audit { auditor, tally })
    }

    /// Judges the records of a table that Arrow hands over; the columns are named, the last three may be None.
    fn add(
        &mut self,
        table: &Bound<'_, PyAny>,
        fields: [Option<String>; 5],
        required: [bool; 5],
        key_type: Option<&str>,
    ) -> PyResult<()> {
        let py = table.py();
        let Some(table) = Table::of(table)? else {
            return Err(PyTypeError::new_err(
                "an audit takes a table that has __arrow_c_stream__: of pyarrow, polars, pandas, DuckDB",
            ));
        };
        let names =
            table.names()?.ok_or_else(|| PyTypeError::new_err("an audit takes a table, not a single column"))?;
        let mut at = [None; 5];
        for (i, field) in fields.iter().enumerate() {
            let Some(field) = field else { continue };
            at[i] = names.iter().position(|name| name == field);
            if at[i].is_none() && required[i] {
                let message = format!("the table has no column {field:?}: it has {}", names.join(", "));
                return Err(KeyfallError::new_err(message));
            }
        }
        for columns in table.chunks() {
            let mut buffers: [Vec<&[u8]>; 5] = Default::default();
            let mut owned: [Owned; 5] = Default::default();
            let mut read: [Option<KeyColumn<'_>>; 5] = [None; 5];
            for (((i, at), buffers), owned) in at.iter().enumerate().zip(&mut buffers).zip(&mut owned) {
                if let Some(at) = at {
                    read[i] = Some(columns[*at].column(buffers, owned)?);
                }
            }
            let [Some(keys), Some(found), offsets, times, producers] = read else {
                return Err(KeyfallError::new_err("an audit needs a column of keys and one of places"));
            };
            let typed;
            let keys = match key_type {
                None => keys,
                Some(ty) => {
                    typed = keys;
                    KeyColumn::Typed { ty, column: &typed }
                }
            };
            let mut columns = Columns::new(keys, found);
            (columns.offsets, columns.times, columns.producers) = (offsets, times, producers);
            let (auditor, tally) = (&self.auditor, &mut self.tally);
            let line = tally.records() + 1;
            py.detach(|| auditor.add_columns(tally, line, &columns)).map_err(error)?;
        }
        Ok(())
    }

    /// Takes in what another part has counted, as `pack` has it.
    fn merge(&mut self, part: &[u8]) -> PyResult<()> {
        let part = self.auditor.unpack(part).map_err(error)?;
        self.tally.merge(&part);
        Ok(())
    }

    /// What was counted, for `merge`.
    fn pack<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.auditor.pack(&mut self.tally))
    }

    /// The report, in its JSON form.
    #[pyo3(signature = (*, random_sample=false))]
    fn report(&mut self, random_sample: bool) -> String {
        let mut report = self.auditor.report(&mut self.tally);
        if random_sample {
            report = report.of_random_sample(&mut self.tally);
        }
        report.json()
    }
}

/// A column that was placed.
struct Placed {
    places: PlacesOut,
    status: Vec<u8>,
}

enum PlacesOut {
    U32(Vec<u32>),
    I64(Vec<i64>),
    /// As they are written, one after the other.
    Text {
        offsets: Vec<i64>,
        data: Vec<u8>,
    },
}

impl Placed {
    /// For NumPy: memory of uint32 or int64, or a list of ints or strs.
    fn objects<'py>(self, py: Python<'py>, placer: &keyfall_core::Placer) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.places {
            PlacesOut::U32(places) => memory(py, &places, |n| n.to_ne_bytes())?,
            PlacesOut::I64(places) => memory(py, &places, |n| n.to_ne_bytes())?,
            PlacesOut::Text { offsets, data } => {
                let int = py.get_type::<pyo3::types::PyInt>();
                let list = PyList::empty(py);
                for (i, ends) in offsets.windows(2).enumerate() {
                    let text = PyString::from_bytes(py, &data[ends[0] as usize..ends[1] as usize])?;
                    match self.status[i] {
                        0 if placer.scheme().domain == Domain::U128 => list.append(int.call1((text,))?)?,
                        0 => list.append(text)?,
                        _ => list.append(py.None())?,
                    }
                }
                list.into_any()
            }
        })
    }

    fn arrow(self, _: &keyfall_core::Placer) -> Out {
        match self.places {
            PlacesOut::U32(places) => Out::U32(places),
            PlacesOut::I64(places) => Out::I64(places),
            PlacesOut::Text { offsets, data } => Out::Text { offsets, data },
        }
    }
}

/// Numbers as a bytearray.
fn memory<'py, T: Copy, const N: usize>(
    py: Python<'py>,
    numbers: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> PyResult<Bound<'py, PyAny>> {
    let array = PyByteArray::new_with(py, numbers.len() * N, |memory| {
        memory.as_chunks_mut::<N>().0.iter_mut().zip(numbers).for_each(|(to, n)| *to = bytes(*n));
        Ok(())
    })?;
    Ok(array.into_any())
}

fn too_large() -> PyErr {
    PyValueError::new_err("over 2 GiB of text in one array: place it in parts")
}

/// Places a column; of a type, if one is given.
fn place(placer: &keyfall_core::Placer, keys: &KeyColumn<'_>, key_type: Option<&str>) -> PyResult<Placed> {
    let typed;
    let keys = match key_type {
        None => keys,
        Some(ty) => {
            typed = KeyColumn::Typed { ty, column: keys };
            &typed
        }
    };
    let rows = keys.len();
    let mut status = vec![0u8; rows];
    let mut run = |places: Places<'_>| {
        placer.place_column(keys, &mut PlaceColumn { places, status: &mut status, owners: None }).map_err(error)
    };
    let places = match placer.scheme().domain {
        Domain::Index => {
            let mut places = vec![0u32; rows];
            run(Places::U32(&mut places))?;
            PlacesOut::U32(places)
        }
        Domain::I32 | Domain::I64 => {
            let mut places = vec![0i64; rows];
            run(Places::I64(&mut places))?;
            PlacesOut::I64(places)
        }
        Domain::U128 => {
            let mut places = vec![0u128; rows];
            run(Places::U128(&mut places))?;
            let (mut offsets, mut data) = (vec![0i64], Vec::new());
            for place in places {
                use std::io::Write;
                // All bits set is -1, the one place below zero.
                let written = if place == u128::MAX { write!(data, "-1") } else { write!(data, "{place}") };
                written.expect("a Vec takes all");
                offsets.push(data.len() as i64);
            }
            PlacesOut::Text { offsets, data }
        }
        Domain::Bytes(form) => {
            let (mut ends, mut bytes) = (Vec::new(), Vec::new());
            run(Places::Bytes { offsets: &mut ends, data: &mut bytes })?;
            let (mut offsets, mut data) = (vec![0i64], Vec::new());
            for ends in ends.windows(2) {
                use std::io::Write;
                let place = Coord::Bytes(bytes[ends[0] as usize..ends[1] as usize].to_vec(), form);
                write!(data, "{place}").expect("a Vec takes all");
                offsets.push(data.len() as i64);
            }
            PlacesOut::Text { offsets, data }
        }
    };
    Ok(Placed { places, status })
}

/// Places a chunk: one column, or several as the components of a key by name.
fn place_columns(
    py: Python<'_>,
    placer: &keyfall_core::Placer,
    columns: &[Column<'_>],
    names: Option<&[String]>,
    key_type: Option<&str>,
) -> PyResult<Placed> {
    let mut buffers: Vec<Vec<&[u8]>> = columns.iter().map(|_| Vec::new()).collect();
    let mut owned: Vec<Owned> = columns.iter().map(|_| Owned::default()).collect();
    let mut keys = Vec::with_capacity(columns.len());
    for ((column, buffers), owned) in columns.iter().zip(&mut buffers).zip(&mut owned) {
        keys.push(column.column(buffers, owned)?);
    }
    match (&keys[..], names) {
        ([key], _) => py.detach(|| place(placer, key, key_type)),
        (keys, Some(names)) => {
            let fields: Vec<(&str, KeyColumn<'_>)> =
                names.iter().map(String::as_str).zip(keys.iter().copied()).collect();
            let len = keys.first().map_or(0, KeyColumn::len);
            py.detach(|| place(placer, &KeyColumn::Struct { len, columns: &fields }, None))
        }
        _ => Err(PyTypeError::new_err("a column of keys, or a table of them")),
    }
}

/// Calls `f` with a Python key; an error is an object of a type that is none.
#[inline]
fn with_key<R>(
    key: &Bound<'_, PyAny>,
    f: impl FnOnce(Key<'_>) -> Result<R, KeyError>,
) -> PyResult<Result<R, KeyError>> {
    if let Ok(bytes) = key.cast_exact::<PyBytes>() {
        return Ok(f(Key::Bytes(bytes.as_bytes())));
    }
    if let Ok(text) = key.cast::<PyString>() {
        return match text.to_str() {
            Ok(text) => Ok(f(Key::Text(text))),
            // Lone surrogates have no UTF-8 form: as UTF-16 they are kept.
            Err(_) => Ok(f(Key::Utf16(&utf16(text)?))),
        };
    }
    if key.is_none() {
        return Ok(f(Key::Null));
    }
    if let Ok(bytes) = key.cast::<PyBytes>() {
        return Ok(f(Key::Bytes(bytes.as_bytes())));
    }
    if let Ok(dict) = key.cast::<PyDict>() {
        return Ok(parse_key(&json(dict)?).and_then(|key| key.with(f)));
    }
    if key.cast::<PyTuple>().is_ok() {
        // The components are told from each other by how they are written in JSON.
        let py = key.py();
        let dict = PyDict::new(py);
        dict.set_item("tuple", py.import("keyfall._forms")?.call_method1("components", (key,))?)?;
        return Ok(parse_key(&json(&dict)?).and_then(|key| key.with(f)));
    }
    if let Ok(buffer) = PyBuffer::<u8>::get(key) {
        if buffer.len_bytes() > MAX_KEY_LEN {
            return Ok(Err(KeyError::too_long(buffer.len_bytes())));
        }
        // A copy: another thread may write to the buffer meanwhile.
        return Ok(f(Key::Bytes(&buffer.to_vec(key.py())?)));
    }
    Err(PyTypeError::new_err(format!(
        "a key is str, bytes, bytearray, memoryview of bytes, None, a tuple of components, or a dict such as \
         {{\"type\": \"bigint\", \"value\": \"42\"}} (keyfall.typed writes it), not {}",
        key.get_type().name()?
    )))
}

/// Calls `f` with the value of a type: a str, or an int.
fn with_typed<R>(
    key: &Bound<'_, PyAny>,
    ty: &str,
    f: impl FnOnce(Key<'_>) -> Result<R, KeyError>,
) -> PyResult<Result<R, KeyError>> {
    if key.is_none() {
        return Ok(f(Key::Null));
    }
    let dict = key.py().import("keyfall._forms")?.call_method1("typed", (ty, key))?;
    with_key(&dict, f)
}

/// What is raised where there is no place.
#[cold]
fn no_place(outcome: Result<Outcome, KeyError>) -> PyErr {
    match outcome {
        Ok(Outcome::Rejected(why)) => Rejected::new_err(why),
        Ok(Outcome::Refused(why)) => Refused::new_err(why),
        Ok(Outcome::Placed(_) | Outcome::Unpinned(_)) => KeyfallError::new_err(Why::Borrowed("it has a place")),
        Err(malformed) => KeyfallError::new_err(malformed.to_string()),
    }
}

/// A place as Python has it.
#[inline]
fn place_object<'py>(py: Python<'py>, at: &Coord) -> PyResult<Bound<'py, PyAny>> {
    Ok(match at {
        Coord::Index(n) => n.into_pyobject(py)?.into_any(),
        Coord::I32(n) => n.into_pyobject(py)?.into_any(),
        Coord::I64(n) => n.into_pyobject(py)?.into_any(),
        Coord::U128(n) => n.into_pyobject(py)?.into_any(),
        bytes @ Coord::Bytes(..) => PyString::new(py, &bytes.to_string()).into_any(),
    })
}

fn outcome_dict(py: Python<'_>, outcome: OutcomeJson) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("outcome", outcome.outcome)?;
    match outcome.place {
        None => {}
        Some(PlaceJson::Number(place)) => dict.set_item("place", place)?,
        Some(PlaceJson::Text(place)) => dict.set_item("place", place)?,
    }
    for (name, value) in [("hash", outcome.hash), ("owner", outcome.owner), ("why", outcome.why)] {
        if let Some(value) = value {
            dict.set_item(name, value)?;
        }
    }
    Ok(dict)
}

fn utf16(text: &Bound<'_, PyString>) -> PyResult<Vec<u16>> {
    let bytes = text.call_method1(intern!(text.py(), "encode"), ("utf-16-le", "surrogatepass"))?;
    let (pairs, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks();
    Ok(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect())
}

fn bind(scheme: &str, params: Option<&Bound<'_, PyDict>>) -> PyResult<keyfall_core::Placer> {
    let params = match params {
        None => Params::new(),
        Some(params) => parse_params(&json(params)?).map_err(error)?,
    };
    keyfall_core::Placer::new(scheme, params).map_err(error)
}

/// A dict as JSON, the one form in which keys of every kind and params are read. Integers of other libraries are taken too.
fn json(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let py = dict.py();
    let options = PyDict::new(py);
    options.set_item("default", py.import("operator")?.getattr("index")?)?;
    py.import("json")?.call_method("dumps", (dict,), Some(&options))?.extract()
}

fn error(error: Error) -> PyErr {
    KeyfallError::new_err(error.to_string())
}

/// All schemes, as JSON.
#[pyfunction]
fn schemes_json() -> String {
    let schemes: Vec<SchemeJson> = registry::schemes().map(SchemeJson::new).collect();
    serde_json::to_string(&schemes).expect("schemes are JSON")
}

/// The vectors, packed.
#[pyfunction]
fn packed_vectors(py: Python<'_>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, VECTORS)
}

#[pymodule]
fn _keyfall(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Placer>()?;
    module.add_class::<ArrowColumn>()?;
    module.add_class::<Audit>()?;
    module.add_function(wrap_pyfunction!(schemes_json, module)?)?;
    module.add_function(wrap_pyfunction!(packed_vectors, module)?)?;
    module.add("KeyfallError", py.get_type::<KeyfallError>())?;
    module.add("Rejected", py.get_type::<Rejected>())?;
    module.add("Refused", py.get_type::<Refused>())?;
    direct_calls::add(module)
}
