//! The Python package of keyfall: Python's values in, [`keyfall_core`] behind. What users import is
//! `python/keyfall/__init__.py`; its types are in `_keyfall.pyi` beside it.

use keyfall_core::wire::{OutcomeJson, PlaceJson, parse_key, parse_params};
use keyfall_core::{Coord, Error, Key, KeyError, Outcome, Params};
use pyo3::buffer::PyBuffer;
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

create_exception!(keyfall, KeyfallError, PyValueError, "A scheme, param or key that cannot be used.");
create_exception!(keyfall, Rejected, KeyfallError, "The system or client does not take this key.");
create_exception!(keyfall, Refused, KeyfallError, "The place cannot be computed outside the system.");

/// A scheme, such as ``kafka/java``, bound to its params: ``Placer("kafka/java", partitions=12)``.
#[pyclass(frozen, module = "keyfall")]
struct Placer(keyfall_core::Placer);

#[pymethods]
impl Placer {
    #[new]
    #[pyo3(signature = (scheme, /, **params))]
    fn new(scheme: &str, params: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let params = match params {
            None => Params::new(),
            Some(params) => parse_params(&json(params)?).map_err(error)?,
        };
        keyfall_core::Placer::new(scheme, params).map(Placer).map_err(error)
    }

    /// Where ``key`` falls: an int, or a str where places are bytes; None where the client chooses freely.
    #[pyo3(signature = (key, /))]
    fn place<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.ask(key)? {
            Ok(Outcome::Placed(place)) => place_object(key.py(), &place.at).map(Some),
            Ok(Outcome::Unpinned(_)) => Ok(None),
            Ok(Outcome::Rejected(why)) => Err(Rejected::new_err(why)),
            Ok(Outcome::Refused(why)) => Err(Refused::new_err(why)),
            Err(malformed) => Err(KeyfallError::new_err(malformed.to_string())),
        }
    }

    /// What becomes of ``key``, as the machine interface has it: a dict with ``outcome`` and, where there are any,
    /// ``place`` (a str where it has over 53 bits), ``hash``, ``owner`` and ``why``.
    #[pyo3(signature = (key, /))]
    fn outcome<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let outcome = OutcomeJson::new(&self.0, &self.ask(key)?);
        let dict = PyDict::new(key.py());
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

    /// The scheme's id.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.0.scheme().id
    }

    fn __repr__(&self) -> String {
        format!("<keyfall.Placer {}>", self.scheme())
    }
}

impl Placer {
    /// The outcome of a Python key; an error is a key of a type that is none.
    fn ask(&self, key: &Bound<'_, PyAny>) -> PyResult<Result<Outcome, KeyError>> {
        if key.is_none() {
            return Ok(self.0.place(Key::Null));
        }
        if let Ok(text) = key.cast::<PyString>() {
            return match text.to_str() {
                Ok(text) => Ok(self.0.place(Key::Text(text))),
                // Lone surrogates have no UTF-8 form: as UTF-16 they are kept.
                Err(_) => Ok(self.0.place(Key::Utf16(&utf16(text)?))),
            };
        }
        if let Ok(bytes) = key.cast::<PyBytes>() {
            return Ok(self.0.place(Key::Bytes(bytes.as_bytes())));
        }
        if let Ok(dict) = key.cast::<PyDict>() {
            return Ok(parse_key(&json(dict)?).and_then(|key| key.with(|key| self.0.place(key))));
        }
        if let Ok(buffer) = PyBuffer::<u8>::get(key) {
            // A copy: another thread may write to the buffer meanwhile.
            return Ok(self.0.place(Key::Bytes(&buffer.to_vec(key.py())?)));
        }
        Err(PyTypeError::new_err(format!(
            "a key is str, bytes, bytearray, memoryview of bytes, None, or a dict such as \
             {{\"type\": \"bigint\", \"value\": \"42\"}}, not {}",
            key.get_type().name()?
        )))
    }
}

/// A place as Python has it.
fn place_object<'py>(py: Python<'py>, at: &Coord) -> PyResult<Bound<'py, PyAny>> {
    Ok(match at {
        Coord::Index(n) => n.into_pyobject(py)?.into_any(),
        Coord::I32(n) => n.into_pyobject(py)?.into_any(),
        Coord::I64(n) => n.into_pyobject(py)?.into_any(),
        Coord::U128(n) => n.into_pyobject(py)?.into_any(),
        bytes @ Coord::Bytes(..) => PyString::new(py, &bytes.to_string()).into_any(),
    })
}

fn utf16(text: &Bound<'_, PyString>) -> PyResult<Vec<u16>> {
    let bytes = text.call_method1(intern!(text.py(), "encode"), ("utf-16-le", "surrogatepass"))?;
    let (pairs, _) = bytes.cast::<PyBytes>()?.as_bytes().as_chunks();
    Ok(pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect())
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

#[pymodule]
fn _keyfall(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Placer>()?;
    module.add("KeyfallError", py.get_type::<KeyfallError>())?;
    module.add("Rejected", py.get_type::<Rejected>())?;
    module.add("Refused", py.get_type::<Refused>())
}
