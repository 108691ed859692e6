//! What a system's file says about itself: a [`System`] and its table of [`Scheme`] rows.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::placer::Bound;
use crate::{Coord, Domain, Error, ErrorKind, ParamSpec, Params};

/// What becomes of a null key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NullRule {
    /// The client chooses freely; the text says how.
    Unpinned(&'static str),
    /// Hashed as if it were the empty key.
    AsEmpty,
    /// Always this place.
    Fixed(u32),
    /// Not taken; the text says why.
    Rejected(&'static str),
    /// Not computable; the text says why and what to do instead.
    Refused(&'static str),
}

/// What becomes of an empty key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyRule {
    /// Hashed like any other.
    Hashed,
    /// Treated as null is.
    AsNull,
    /// Always this place.
    Fixed(u32),
    /// The client chooses freely; the text says how.
    Unpinned(&'static str),
    /// Not taken; the text says why.
    Rejected(&'static str),
}

/// What a scheme that hashes UTF-8 makes of a lone surrogate in a text key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Surrogates {
    /// Hashed as the UTF-16 code unit that it is.
    Kept,
    /// `?`, as Java's encoder writes.
    QuestionMark,
    /// U+FFFD (`ef bf bd`), as Node's encoder writes.
    Replacement,
    /// Three bytes, as UTF-8 would write it if it did (WTF-8).
    ThreeBytes,
    /// The key is rejected.
    Rejected,
}

/// How a value is known, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Evidence {
    /// A running server said so.
    Server,
    /// An official or popular client's own code said so.
    Client,
    /// An emulator said so.
    Emulator,
    /// Upstream publishes the value.
    Published,
    /// A rule read in source; the weakest.
    Derived,
}

impl Evidence {
    /// All, strongest first.
    pub const ALL: [Evidence; 5] =
        [Evidence::Server, Evidence::Client, Evidence::Emulator, Evidence::Published, Evidence::Derived];

    /// Its word in vector files.
    pub fn word(self) -> &'static str {
        match self {
            Evidence::Server => "server",
            Evidence::Client => "client",
            Evidence::Emulator => "emulator",
            Evidence::Published => "published",
            Evidence::Derived => "derived",
        }
    }
}

/// One system: its schemes and what they have in common.
#[derive(Debug)]
pub struct System {
    /// The first half of its schemes' ids.
    pub id: &'static str,
    /// Its name, for people.
    pub name: &'static str,
    /// The type name of a 32-bit integer column of keys, where it has one.
    pub int32: Option<&'static str>,
    /// The type name of a 64-bit integer column of keys, where it has one.
    pub int64: Option<&'static str>,
    /// Its schemes, defaults of their clients first.
    pub schemes: &'static [Scheme],
}

/// A function that places keys of bytes without a placer, for callers that count nanoseconds. `cargo xtask gen` writes one
/// of the same name for each binding. Null keys and keys of other forms are the placer's.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Direct {
    /// Its name in the bindings, in snake case.
    pub name: &'static str,
    /// Its path in this crate.
    pub path: &'static str,
    /// The function itself.
    pub call: DirectCall,
}

/// What a [`Direct`] function takes and gives.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DirectCall {
    /// The index of a key.
    Index(fn(&[u8]) -> u32),
    /// The index of a key among as many places as the scheme's one required param says.
    Counted(fn(&[u8], NonZeroU32) -> u32),
    /// The token of a key.
    I64(fn(&[u8]) -> i64),
}

/// A [`Direct`] function bound to a placer's count: see [`crate::Placer::direct`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BoundDirect {
    /// The index of a key.
    Index(fn(&[u8]) -> u32),
    /// The index of a key among so many places.
    Counted(fn(&[u8], NonZeroU32) -> u32, NonZeroU32),
    /// The token of a key.
    I64(fn(&[u8]) -> i64),
}

impl BoundDirect {
    /// The longest key that a direct function is for. Longer ones are the placer's: some systems take no more (Cassandra).
    pub const LONGEST: usize = u16::MAX as usize;

    /// Where a key of bytes falls.
    #[inline]
    pub fn place(&self, key: &[u8]) -> Coord {
        match self {
            BoundDirect::Index(call) => Coord::Index(call(key)),
            BoundDirect::Counted(call, n) => Coord::Index(call(key, *n)),
            BoundDirect::I64(call) => Coord::I64(call(key)),
        }
    }
}

impl Direct {
    pub(crate) const fn new(name: &'static str, path: &'static str, call: DirectCall) -> Self {
        Direct { name, path, call }
    }
}

/// Makes a rule of a scheme and its validated params.
pub(crate) type Bind = fn(&'static Scheme, &Params) -> Result<Box<dyn Bound>, Error>;

/// What one system or client does: a function plus its rules for null and empty keys.
pub struct Scheme {
    /// `system/variant`.
    pub id: &'static str,
    /// Its function. Schemes of a system that share one are twins: on ordinary keys nobody can tell them apart.
    pub function: &'static str,
    /// The system, client or library that does this.
    pub client: &'static str,
    /// Its versions.
    pub versions: &'static str,
    /// Whether it is what that client does unless told otherwise.
    pub default: bool,
    /// What to set in that client to get this scheme.
    pub setting: &'static str,
    /// The rule, in one line.
    pub rule: &'static str,
    /// What a place is: partition, slot, token, shard.
    pub unit: &'static str,
    /// Whether records or documents are placed by it: an audit attributes to these alone.
    pub records: bool,
    /// The domain of its places.
    pub domain: Domain,
    /// Null keys.
    pub null: NullRule,
    /// Empty keys.
    pub empty: EmptyRule,
    /// Lone surrogates.
    pub surrogates: Surrogates,
    /// What may become of records whose keys have a lone surrogate, although they lie where they belong: an audit counts
    /// them, and says this.
    pub lone_surrogates: Option<&'static str>,
    /// Its params.
    pub params: &'static [ParamSpec],
    /// Where the rule was read, beside the oracles that its vectors name.
    pub sources: &'static [&'static str],
    /// What surprises people.
    pub quirks: &'static [&'static str],
    /// The function that places a key of bytes without a placer, where the scheme is hot enough to have one.
    pub direct: Option<Direct>,
    /// Binds validated params.
    pub(crate) bind: Bind,
}

impl core::fmt::Debug for Scheme {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scheme").field("id", &self.id).field("function", &self.function).finish_non_exhaustive()
    }
}

impl Scheme {
    /// The id's first half.
    pub fn system(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(system, _)| system)
    }

    /// The spec of a param, or an error that lists what there is.
    pub fn param(&self, name: &str) -> Result<&'static ParamSpec, Error> {
        self.params.iter().find(|spec| spec.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.params.iter().map(|spec| spec.name).collect();
            let known =
                if known.is_empty() { "it takes none".to_string() } else { format!("allowed: {}", known.join(", ")) };
            Error::new(ErrorKind::UnknownParam, format!("{}: unknown param {name}; {known}", self.id))
        })
    }

    /// Checks every param against its spec.
    pub(crate) fn validate(&self, params: Params) -> Result<Params, Error> {
        let mut valid = Params::new();
        for (name, value) in params.iter() {
            valid.set(name, self.param(name)?.validate(self.id, value.clone())?);
        }
        match self.params.iter().find(|spec| spec.required && valid.get(spec.name).is_none()) {
            Some(spec) => Err(Error::new(
                ErrorKind::MissingParam,
                format!("{}: param {} is missing: {} ({})", self.id, spec.name, spec.allowed(), spec.doc),
            )),
            None => Ok(valid),
        }
    }

    /// An error about one of this scheme's params.
    pub(crate) fn invalid(&self, message: impl core::fmt::Display) -> Error {
        Error::new(ErrorKind::InvalidParam, format!("{}: {message}", self.id))
    }
}
