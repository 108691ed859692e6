//! Arrow's C data interface, through PyCapsules: columns of keys in and places out, without a copy and without a library.
//! Spec: <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::{ptr, slice};

use keyfall_core::KeyColumn;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

#[repr(C)]
pub(crate) struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
pub(crate) struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// A schema that is ours to release.
struct Schema(ArrowSchema);

impl Drop for Schema {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: the producer's own function, called once, as the interface asks.
            unsafe { release(&mut self.0) };
        }
    }
}

/// An array that is ours to release. Its memory never changes.
struct Array(ArrowArray);

impl Drop for Array {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: as above.
            unsafe { release(&mut self.0) };
        }
    }
}

// SAFETY: the interface allows to read and release an array from any thread.
unsafe impl Send for Array {}
// SAFETY: nothing writes to it.
unsafe impl Sync for Array {}
// SAFETY: as for arrays.
unsafe impl Send for Schema {}
// SAFETY: as for arrays.
unsafe impl Sync for Schema {}

const EMPTY_SCHEMA: ArrowSchema = ArrowSchema {
    format: ptr::null(),
    name: ptr::null(),
    metadata: ptr::null(),
    flags: 0,
    n_children: 0,
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
    release: None,
    private_data: ptr::null_mut(),
};

const EMPTY_ARRAY: ArrowArray = ArrowArray {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: ptr::null_mut(),
    children: ptr::null_mut(),
    dictionary: ptr::null_mut(),
    release: None,
    private_data: ptr::null_mut(),
};

/// What an object hands over: its type, and its chunks.
pub(crate) struct Table {
    schema: Schema,
    chunks: Vec<Array>,
    /// Whether it is a stream of chunks, not a single array.
    pub(crate) stream: bool,
}

/// A column whose integers had to be widened, or whose rows had to be gathered: memory for [`Column::column`].
#[derive(Default)]
pub(crate) struct Owned {
    integers: Vec<i64>,
    views: Vec<[u8; 16]>,
    validity: Vec<u8>,
}

impl Table {
    /// What `object` hands over; none if it is not Arrow.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Table>> {
        let py = object.py();
        if object.hasattr("__arrow_c_stream__")? {
            let capsule = object.call_method0("__arrow_c_stream__")?;
            // SAFETY: the name is checked by Python; the pointer is valid while the capsule is.
            let stream = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), c"arrow_array_stream".as_ptr()) }
                .cast::<ArrowArrayStream>();
            if stream.is_null() {
                return Err(PyErr::fetch(py));
            }
            // SAFETY: a stream by the interface, used by this thread alone.
            return unsafe { read_stream(stream) }.map(Some);
        }
        if object.hasattr("__arrow_c_array__")? {
            let pair = object.call_method0("__arrow_c_array__")?;
            let pair = pair.cast::<PyTuple>()?;
            let (schema, array) = (pair.get_item(0)?, pair.get_item(1)?);
            // SAFETY: the names are checked by Python; the pointers are valid while the capsules are.
            let (schema, array) = unsafe {
                (
                    ffi::PyCapsule_GetPointer(schema.as_ptr(), c"arrow_schema".as_ptr()).cast::<ArrowSchema>(),
                    ffi::PyCapsule_GetPointer(array.as_ptr(), c"arrow_array".as_ptr()).cast::<ArrowArray>(),
                )
            };
            if schema.is_null() || array.is_null() {
                return Err(PyErr::fetch(py));
            }
            // SAFETY: both are moved out of their capsules, as a consumer must: what stays behind is marked as released.
            unsafe {
                let moved =
                    Table { schema: Schema(ptr::read(schema)), chunks: vec![Array(ptr::read(array))], stream: false };
                (*schema).release = None;
                (*array).release = None;
                return Ok(Some(moved));
            }
        }
        Ok(None)
    }

    /// The columns of a table, by name; none for a single column.
    pub(crate) fn names(&self) -> PyResult<Option<Vec<String>>> {
        if self.schema.0.text(self.schema.0.format)? != "+s" {
            return Ok(None);
        }
        self.schema.0.children().map(|child| child.text(child.name).map(Into::into)).collect::<PyResult<_>>().map(Some)
    }

    /// The chunks, each as columns: one, or all of a table.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = Vec<Column<'_>>> {
        let schema = &self.schema.0;
        self.chunks.iter().map(move |chunk| match schema.n_children {
            0 => vec![Column { schema, array: &chunk.0, from: 0, rows: chunk.0.length }],
            // SAFETY: the interface: an array has its schema's children.
            _ => schema
                .children()
                .zip(unsafe { slice::from_raw_parts(chunk.0.children, chunk.0.n_children as usize) })
                .map(|(schema, array)| Column {
                    schema,
                    // SAFETY: as above; valid while the chunk is.
                    array: unsafe { &**array },
                    from: chunk.0.offset,
                    rows: chunk.0.length,
                })
                .collect(),
        })
    }
}

impl ArrowSchema {
    fn children(&self) -> impl Iterator<Item = &ArrowSchema> {
        let children = match self.n_children {
            0 => &[][..],
            // SAFETY: the interface: there are so many, valid while the schema is.
            n => unsafe { slice::from_raw_parts(self.children, n as usize) },
        };
        // SAFETY: as above.
        children.iter().map(|child| unsafe { &**child })
    }

    fn text(&self, text: *const c_char) -> PyResult<&str> {
        if text.is_null() {
            return Ok("");
        }
        // SAFETY: the interface: it ends with NUL and is valid while the schema is.
        unsafe { CStr::from_ptr(text) }
            .to_str()
            .map_err(|_| PyValueError::new_err("a name in an Arrow schema is not UTF-8"))
    }
}

/// # Safety
/// `stream` is a stream by the interface.
unsafe fn read_stream(stream: *mut ArrowArrayStream) -> PyResult<Table> {
    let released = || PyValueError::new_err("the Arrow stream was consumed before");
    // SAFETY: the caller's, in all of this function.
    unsafe {
        let (Some(get_schema), Some(get_next)) = ((*stream).get_schema, (*stream).get_next) else {
            return Err(released());
        };
        if (*stream).release.is_none() {
            return Err(released());
        }
        let failed = |code: c_int| {
            let text = (*stream).get_last_error.map_or(ptr::null(), |get| get(stream));
            let text = if text.is_null() { "".into() } else { CStr::from_ptr(text).to_string_lossy() };
            PyValueError::new_err(format!("the Arrow stream failed with {code}: {text}"))
        };
        let mut schema = Schema(EMPTY_SCHEMA);
        match get_schema(stream, &mut schema.0) {
            0 => {}
            code => return Err(failed(code)),
        }
        let mut chunks = Vec::new();
        loop {
            let mut array = Array(EMPTY_ARRAY);
            match get_next(stream, &mut array.0) {
                0 if array.0.release.is_none() => break,
                0 => chunks.push(array),
                code => return Err(failed(code)),
            }
        }
        Ok(Table { schema, chunks, stream: true })
    }
}

/// A column of a chunk.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    schema: &'a ArrowSchema,
    array: &'a ArrowArray,
    /// The row of its table at which the chunk begins, and how many there are.
    from: i64,
    rows: i64,
}

/// Milliseconds in a unit of time, as a fraction.
fn milliseconds(format: &str) -> Option<(i64, i64)> {
    match format.get(..3)? {
        "tss" => Some((1000, 1)),
        "tsm" => Some((1, 1)),
        "tsu" => Some((1, 1000)),
        "tsn" => Some((1, 1_000_000)),
        _ => None,
    }
}

impl<'a> Column<'a> {
    /// A buffer of the array. By the interface it holds what its type says: `len` elements up to the last row.
    fn buffer<T>(&self, at: usize, len: usize) -> PyResult<&'a [T]> {
        let raw = match self.array.n_buffers {
            0 => &[][..],
            // SAFETY: the interface: there are so many.
            n => unsafe { slice::from_raw_parts(self.array.buffers, n as usize) },
        };
        // SAFETY: the interface.
        unsafe { memory(raw.get(at).copied().unwrap_or(ptr::null()), len) }
    }

    /// The column as keys. `owned` is memory for what is not in the form that core reads.
    pub(crate) fn column<'b>(&self, buffers: &'b mut Vec<&'b [u8]>, owned: &'b mut Owned) -> PyResult<KeyColumn<'b>>
    where
        'a: 'b,
    {
        let format = self.schema.text(self.schema.format)?;
        let name = self.schema.text(self.schema.name)?;
        let wrong = |why: &str| Err(PyTypeError::new_err(format!("Arrow column {name:?} of type {format:?}: {why}")));
        if !self.schema.dictionary.is_null() {
            return wrong("dictionaries are not read here: cast it to the type of its values");
        }
        let (Ok(offset), Ok(rows)) = (usize::try_from(self.array.offset + self.from), usize::try_from(self.rows))
        else {
            return wrong("a negative length or offset");
        };
        if self.array.n_buffers < 1 && format != "n" {
            return wrong("no buffers");
        }
        let raw = match self.array.n_buffers {
            0 => &[][..],
            // SAFETY: the interface: there are so many.
            n => unsafe { slice::from_raw_parts(self.array.buffers, n as usize) },
        };
        let buffer = |i: usize| raw.get(i).copied().unwrap_or(ptr::null());
        // The bits of the rows; shifted where they do not begin with a byte.
        if !buffer(0).is_null() && self.array.null_count != 0 && format != "n" {
            let bits = self.buffer::<u8>(0, (offset + rows).div_ceil(8))?;
            owned.validity = match offset % 8 {
                0 => bits[offset / 8..].to_vec(),
                _ => {
                    let mut shifted = vec![0u8; rows.div_ceil(8)];
                    for i in (0..rows).filter(|i| bits[(offset + i) / 8] >> ((offset + i) % 8) & 1 == 1) {
                        shifted[i / 8] |= 1 << (i % 8);
                    }
                    shifted
                }
            };
        } else if format == "n" {
            owned.validity = vec![0u8; rows.div_ceil(8)];
        }
        let all_null = format == "n";
        let has_nulls = all_null || (!buffer(0).is_null() && self.array.null_count != 0);
        macro_rules! widened {
            ($ty:ty) => {{
                let values = self.buffer::<$ty>(1, offset + rows)?;
                owned.integers =
                    values[offset..].iter().map(|n| i64::try_from(*n)).collect::<Result<_, _>>().map_err(|_| {
                        PyValueError::new_err(format!("Arrow column {name:?}: an integer over 63 bits"))
                    })?;
                let validity = has_nulls.then_some(&owned.validity[..]);
                KeyColumn::Int64 { values: &owned.integers, validity }
            }};
        }
        Ok(match format {
            "n" => {
                owned.integers = vec![0; rows];
                KeyColumn::Int64 { values: &owned.integers, validity: Some(&owned.validity) }
            }
            "z" | "u" => {
                let offsets = self.buffer::<i32>(1, offset + rows + 1)?;
                let offsets = offsets.get(offset..).unwrap_or(&[0]);
                let len = offsets.last().copied().unwrap_or(0).max(0) as usize;
                let data = self.buffer::<u8>(2, len)?;
                let validity = has_nulls.then_some(&owned.validity[..]);
                match format {
                    "z" => KeyColumn::Binary { offsets, data, validity },
                    _ => KeyColumn::Utf8 { offsets, data, validity },
                }
            }
            "Z" | "U" => {
                let offsets = self.buffer::<i64>(1, offset + rows + 1)?;
                let offsets = offsets.get(offset..).unwrap_or(&[0]);
                let len = offsets.last().copied().unwrap_or(0).max(0) as usize;
                let data = self.buffer::<u8>(2, len)?;
                let validity = has_nulls.then_some(&owned.validity[..]);
                match format {
                    "Z" => KeyColumn::LargeBinary { offsets, data, validity },
                    _ => KeyColumn::LargeUtf8 { offsets, data, validity },
                }
            }
            "vz" | "vu" => {
                let views = self.buffer::<[u8; 16]>(1, offset + rows)?;
                // The last buffer holds the lengths of the others.
                let variadic = raw.len().saturating_sub(3);
                let lengths = self.buffer::<i64>(raw.len() - 1, variadic)?;
                for (i, len) in lengths.iter().enumerate() {
                    buffers.push(self.buffer::<u8>(2 + i, usize::try_from(*len).unwrap_or(0))?);
                }
                let validity = has_nulls.then_some(&owned.validity[..]);
                KeyColumn::View { views: &views[offset..], buffers, text: format == "vu", validity }
            }
            "i" => {
                let values = self.buffer::<i32>(1, offset + rows)?;
                let validity = has_nulls.then_some(&owned.validity[..]);
                KeyColumn::Int32 { values: &values[offset..], validity }
            }
            "l" => {
                let values = self.buffer::<i64>(1, offset + rows)?;
                let validity = has_nulls.then_some(&owned.validity[..]);
                KeyColumn::Int64 { values: &values[offset..], validity }
            }
            "c" => widened!(i8),
            "C" => widened!(u8),
            "s" => widened!(i16),
            "S" => widened!(u16),
            "I" => widened!(u32),
            "L" => widened!(u64),
            fixed if fixed.starts_with("w:") => {
                let Ok(width) = fixed[2..].parse::<usize>() else { return wrong("no width") };
                let data = self.buffer::<u8>(1, (offset + rows) * width)?;
                let data = &data[offset * width..];
                // As views: a row of up to 12 bytes holds them itself.
                owned.views = (0..rows)
                    .map(|i| {
                        let mut view = [0u8; 16];
                        view[..4].copy_from_slice(&(width as i32).to_le_bytes());
                        if width <= 12 {
                            view[4..4 + width].copy_from_slice(&data[i * width..(i + 1) * width]);
                        } else {
                            view[12..].copy_from_slice(&((i * width) as i32).to_le_bytes());
                        }
                        view
                    })
                    .collect();
                if rows * width > i32::MAX as usize {
                    return wrong("over 2 GiB in one chunk: cast it to large_binary");
                }
                buffers.push(data);
                let validity = has_nulls.then_some(&owned.validity[..]);
                KeyColumn::View { views: &owned.views, buffers, text: false, validity }
            }
            time if milliseconds(time).is_some() => {
                let (times, by) = milliseconds(time).unwrap_or((1, 1));
                let values = self.buffer::<i64>(1, offset + rows)?;
                owned.integers = values[offset..].iter().map(|n| n.saturating_mul(times).div_euclid(by)).collect();
                let validity = has_nulls.then_some(&owned.validity[..]);
                KeyColumn::Int64 { values: &owned.integers, validity }
            }
            _ => {
                return wrong(
                    "keys are binary, string, their large and view forms, fixed-size binary or integers; cast it to one",
                );
            }
        })
    }
}

/// # Safety
/// `from` is NULL, or valid for `len` elements of `T`.
unsafe fn memory<'a, T>(from: *const c_void, len: usize) -> PyResult<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    let from = from.cast::<T>();
    if from.is_null() || !from.is_aligned() {
        return Err(PyValueError::new_err("an Arrow buffer is absent, or not aligned to its values"));
    }
    // SAFETY: the caller's; NULL and the alignment are checked.
    Ok(unsafe { slice::from_raw_parts(from, len) })
}

/// A column that is handed out: what its buffers are made of.
pub(crate) enum Out {
    U32(Vec<u32>),
    I64(Vec<i64>),
    Text { offsets: Vec<i64>, data: Vec<u8> },
    U8(Vec<u8>),
}

/// The memory of an array that was handed out.
struct Held {
    _out: Out,
    _validity: Option<Vec<u8>>,
    buffers: Vec<*const c_void>,
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: called once by whoever holds the array; private_data came from Box::into_raw below.
    unsafe {
        drop(Box::from_raw((*array).private_data.cast::<Held>()));
        (*array).release = None;
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // The format and the name are constants.
    // SAFETY: called once by whoever holds the schema.
    unsafe { (*schema).release = None };
}

/// The capsules of `__arrow_c_array__`: a schema and an array. `placed` are the rows that are not null.
pub(crate) fn export<'py>(py: Python<'py>, out: Out, placed: Option<&[u8]>) -> PyResult<Bound<'py, PyTuple>> {
    let (format, length) = match &out {
        Out::U32(values) => (c"I", values.len()),
        Out::I64(values) => (c"l", values.len()),
        Out::Text { offsets, .. } => (c"U", offsets.len() - 1),
        Out::U8(values) => (c"C", values.len()),
    };
    let mut nulls = 0;
    let validity = placed.map(|status| {
        let mut bits = vec![0u8; status.len().div_ceil(8)];
        for (i, status) in status.iter().enumerate() {
            if *status == 0 {
                bits[i / 8] |= 1 << (i % 8);
            } else {
                nulls += 1;
            }
        }
        bits
    });
    let mut buffers = vec![validity.as_ref().filter(|_| nulls > 0).map_or(ptr::null(), |bits| bits.as_ptr().cast())];
    match &out {
        Out::U32(values) => buffers.push(values.as_ptr().cast()),
        Out::I64(values) => buffers.push(values.as_ptr().cast()),
        Out::U8(values) => buffers.push(values.as_ptr().cast()),
        Out::Text { offsets, data } => buffers.extend([offsets.as_ptr().cast(), data.as_ptr().cast()]),
    }
    let mut held = Box::new(Held { _out: out, _validity: validity, buffers });
    let array = ArrowArray {
        length: length as i64,
        null_count: nulls,
        n_buffers: held.buffers.len() as i64,
        buffers: held.buffers.as_mut_ptr(),
        release: Some(release_array),
        private_data: Box::into_raw(held).cast(),
        ..EMPTY_ARRAY
    };
    // ARROW_FLAG_NULLABLE
    let schema = ArrowSchema {
        format: format.as_ptr(),
        name: c"".as_ptr(),
        flags: 2,
        release: Some(release_schema),
        ..EMPTY_SCHEMA
    };
    let schema = capsule(py, schema, c"arrow_schema", free_schema)?;
    let array = capsule(py, array, c"arrow_array", free_array)?;
    PyTuple::new(py, [schema, array])
}

fn capsule<'py, T>(
    py: Python<'py>,
    value: T,
    name: &'static CStr,
    free: unsafe extern "C" fn(*mut ffi::PyObject),
) -> PyResult<Bound<'py, PyAny>> {
    let value = Box::into_raw(Box::new(value));
    // SAFETY: the name is static, and `free` is given what was boxed here.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(value.cast(), name.as_ptr(), Some(free))) }
}

unsafe extern "C" fn free_schema(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this once, with the capsule that `capsule` made.
    unsafe {
        let schema = ffi::PyCapsule_GetPointer(capsule, c"arrow_schema".as_ptr()).cast::<ArrowSchema>();
        if !schema.is_null() {
            drop(Schema(*Box::from_raw(schema)));
        }
    }
}

unsafe extern "C" fn free_array(capsule: *mut ffi::PyObject) {
    // SAFETY: as above.
    unsafe {
        let array = ffi::PyCapsule_GetPointer(capsule, c"arrow_array".as_ptr()).cast::<ArrowArray>();
        if !array.is_null() {
            drop(Array(*Box::from_raw(array)));
        }
    }
}
