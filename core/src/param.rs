//! Params: what a scheme's map needs (`partitions`, `shards`, `nodes`), and their validation.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::{Error, ErrorKind, Topology};

/// The value of a param.
#[derive(Clone, Debug, PartialEq)]
pub enum Param {
    /// A count or another whole number.
    U64(u64),
    /// A word; also a number or boolean that is still in its command-line spelling.
    Text(String),
    /// Several words (`type` of several columns, `weights`).
    List(Vec<String>),
    /// Nodes with their weights.
    Nodes(Vec<(String, u32)>),
    /// Who owns which places now.
    Topology(Topology),
}

impl From<u64> for Param {
    fn from(n: u64) -> Self {
        Param::U64(n)
    }
}

impl From<u32> for Param {
    fn from(n: u32) -> Self {
        Param::U64(n.into())
    }
}

impl From<i32> for Param {
    /// A negative number is kept as text, so that validation names it.
    fn from(n: i32) -> Self {
        u64::try_from(n).map_or_else(|_| Param::Text(n.to_string()), Param::U64)
    }
}

impl From<bool> for Param {
    fn from(b: bool) -> Self {
        Param::Text(b.to_string())
    }
}

impl From<&str> for Param {
    fn from(text: &str) -> Self {
        Param::Text(text.into())
    }
}

impl From<String> for Param {
    fn from(text: String) -> Self {
        Param::Text(text)
    }
}

impl From<Topology> for Param {
    fn from(topology: Topology) -> Self {
        Param::Topology(topology)
    }
}

/// Named params, in the order given. The macro [`params!`](crate::params) writes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params(Vec<(String, Param)>);

impl Params {
    /// No params.
    pub fn new() -> Self {
        Params::default()
    }

    /// Sets a param; a second value replaces the first.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Param>) {
        let name = name.into();
        let value = value.into();
        match self.0.iter_mut().find(|(n, _)| *n == name) {
            Some((_, v)) => *v = value,
            None => self.0.push((name, value)),
        }
    }

    /// The value of a param.
    pub fn get(&self, name: &str) -> Option<&Param> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// Takes a param out.
    pub fn remove(&mut self, name: &str) -> Option<Param> {
        let at = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(at).1)
    }

    /// All params, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Param)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// A validated whole number.
    pub(crate) fn u64(&self, name: &str) -> Option<u64> {
        match self.get(name) {
            Some(Param::U64(n)) => Some(*n),
            _ => None,
        }
    }

    /// A validated count that fits 32 bits: its spec says so.
    pub(crate) fn u32(&self, name: &str) -> Option<u32> {
        self.u64(name).and_then(|n| u32::try_from(n).ok())
    }

    /// A validated boolean; absent is false.
    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Param::Text(t)) if t == "true")
    }
}

/// Writes [`Params`].
///
/// ```
/// use keyfall_core::{Param, params};
/// let p = params! { shards: 6, routing_shards: 768 };
/// assert_eq!(p.get("shards"), Some(&Param::U64(6)));
/// ```
#[macro_export]
macro_rules! params {
    ($($name:ident : $value:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut params = $crate::Params::new();
        $(params.set(stringify!($name), $value);)*
        params
    }};
}

/// What values a param may have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParamKind {
    /// A whole number within bounds, both included.
    Number {
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
    },
    /// `true` or `false`.
    Bool,
    /// One of these words or numbers.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
    /// Several texts.
    List,
    /// Node names; on the command line `a,b,c`.
    Nodes,
}

/// A param of a scheme: name, values, whether it must be given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamSpec {
    /// Its name, the same everywhere.
    pub name: &'static str,
    /// Its values.
    pub kind: ParamKind,
    /// Whether it must be given.
    pub required: bool,
    /// What it means, and the default where it is optional.
    pub doc: &'static str,
}

impl ParamSpec {
    /// A count from 1 to 2^31 - 1 that must be given.
    pub const fn count(name: &'static str, doc: &'static str) -> Self {
        ParamSpec { name, kind: ParamKind::Number { min: 1, max: i32::MAX as u64 }, required: true, doc }
    }

    /// The same spec, not required.
    pub const fn optional(self) -> Self {
        ParamSpec { required: false, ..self }
    }

    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match self.kind {
            ParamKind::Number { min, max } => format!("a whole number from {min} to {max}"),
            ParamKind::Bool => "true or false".into(),
            ParamKind::Choice(words) => format!("one of {}", words.join(", ")),
            ParamKind::Text => "text".into(),
            ParamKind::List => "a list (comma-separated on the command line)".into(),
            ParamKind::Nodes => "a list of node names (comma-separated on the command line)".into(),
        }
    }

    /// The value in the form that its kind has, or an error that names it.
    pub(crate) fn validate(&self, scheme: &str, value: Param) -> Result<Param, Error> {
        let wrong = |shown: &str| {
            let (name, allowed) = (self.name, self.allowed());
            Error::new(ErrorKind::InvalidParam, format!("{scheme}: param {name}={shown} is not {allowed}"))
        };
        let split = |text: &str| text.split(',').map(|part| part.trim().to_string()).collect::<Vec<_>>();
        match (self.kind, value) {
            (ParamKind::Number { min, max }, Param::U64(n)) => {
                if (min..=max).contains(&n) {
                    Ok(Param::U64(n))
                } else {
                    Err(wrong(&n.to_string()))
                }
            }
            (ParamKind::Number { .. }, Param::Text(text)) => {
                // Plain digits alone: a sign, a space, `1e3` or `12.0` is rather a slip than a count.
                let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                match text.parse() {
                    Ok(n) if plain => self.validate(scheme, Param::U64(n)),
                    _ => Err(wrong(&format!("{text:?}"))),
                }
            }
            (ParamKind::Bool, Param::Text(text)) if text == "true" || text == "false" => Ok(Param::Text(text)),
            (ParamKind::Choice(words), Param::Text(text)) if words.contains(&text.as_str()) => Ok(Param::Text(text)),
            (ParamKind::Choice(_), Param::U64(n)) => self.validate(scheme, Param::Text(n.to_string())),
            (ParamKind::Text, Param::Text(text)) => Ok(Param::Text(text)),
            (ParamKind::Text | ParamKind::List | ParamKind::Nodes, Param::U64(n)) => {
                self.validate(scheme, Param::Text(n.to_string()))
            }
            (ParamKind::List, Param::Text(text)) => Ok(Param::List(split(&text))),
            (ParamKind::List, Param::List(list)) => Ok(Param::List(list)),
            (ParamKind::Nodes, Param::Text(text)) => self.validate(scheme, Param::List(split(&text))),
            (ParamKind::Nodes, Param::List(list)) => {
                if list.is_empty() || list.iter().any(String::is_empty) {
                    return Err(wrong(&format!("{list:?}")));
                }
                Ok(Param::Nodes(list.into_iter().map(|name| (name, 1)).collect()))
            }
            (ParamKind::Nodes, Param::Nodes(nodes)) => Ok(Param::Nodes(nodes)),
            (_, Param::Text(text)) => Err(wrong(&format!("{text:?}"))),
            (_, Param::List(list)) => Err(wrong(&format!("{list:?}"))),
            (_, Param::U64(n)) => Err(wrong(&n.to_string())),
            (_, Param::Nodes(_)) => Err(wrong("(nodes)")),
            (_, Param::Topology(_)) => Err(wrong("(topology)")),
        }
    }
}
