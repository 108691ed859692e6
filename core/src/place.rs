//! Places and outcomes.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// What a placer's places are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A 0-based index: partition, slot, shard, node, bucket. A number in JSON.
    Index,
    /// A signed 32-bit hash code. A number in JSON.
    I32,
    /// A signed 64-bit token. A string in JSON.
    I64,
    /// An unsigned 128-bit token. A string in JSON. The one token below zero, RandomPartitioner's -1 of the empty key, is
    /// [`Coord::I64`]: its largest token, 2^127, leaves no room for a sign in 128 bits.
    U128,
    /// Bytes, written in this form.
    Bytes(BytesForm),
}

impl Domain {
    /// Its word in the machine interface.
    pub fn word(self) -> &'static str {
        match self {
            Domain::Index => "index",
            Domain::I32 => "i32",
            Domain::I64 => "i64",
            Domain::U128 => "u128",
            Domain::Bytes(_) => "bytes",
        }
    }
}

/// How places that are bytes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BytesForm {
    /// Lower-case hex without a prefix.
    HexLower,
    /// Upper-case hex without a prefix.
    HexUpper,
    /// The bytes are UTF-8 text.
    Text,
}

/// A place within its [`Domain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coord {
    /// A 0-based index.
    Index(u32),
    /// A signed 32-bit code.
    I32(i32),
    /// A signed 64-bit token.
    I64(i64),
    /// An unsigned 128-bit token.
    U128(u128),
    /// Bytes and the form in which they are written.
    Bytes(Vec<u8>, BytesForm),
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coord::Index(n) => n.fmt(f),
            Coord::I32(n) => n.fmt(f),
            Coord::I64(n) => n.fmt(f),
            Coord::U128(n) => n.fmt(f),
            Coord::Bytes(bytes, BytesForm::HexLower) => bytes.iter().try_for_each(|b| write!(f, "{b:02x}")),
            Coord::Bytes(bytes, BytesForm::HexUpper) => bytes.iter().try_for_each(|b| write!(f, "{b:02X}")),
            Coord::Bytes(bytes, BytesForm::Text) => f.write_str(&String::from_utf8_lossy(bytes)),
        }
    }
}

/// The last value before the map, as the system has it: signed or not, or hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hash {
    /// Signed 32 bits.
    I32(i32),
    /// Unsigned 32 bits.
    U32(u32),
    /// Signed 64 bits.
    I64(i64),
    /// Unsigned 64 bits.
    U64(u64),
    /// Unsigned 128 bits.
    U128(u128),
    /// Signed 128 bits.
    I128(i128),
    /// 16 bytes that the system writes in hex.
    Hex([u8; 16]),
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hash::I32(n) => n.fmt(f),
            Hash::U32(n) => n.fmt(f),
            Hash::I64(n) => n.fmt(f),
            Hash::U64(n) => n.fmt(f),
            Hash::U128(n) => n.fmt(f),
            Hash::I128(n) => n.fmt(f),
            Hash::Hex(bytes) => bytes.iter().try_for_each(|b| write!(f, "{b:02x}")),
        }
    }
}

/// Where a key falls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The place itself.
    pub at: Coord,
    /// The last value before the map, where there is one.
    pub hash: Option<Hash>,
    /// Who owns the place now: an index whose name [`crate::Placer::name`] gives. Only with a topology or a ring.
    pub owner: Option<u32>,
}

impl Place {
    /// A place by index, with its hash.
    pub fn index(index: u32, hash: Hash) -> Self {
        Place { at: Coord::Index(index), hash: Some(hash), owner: None }
    }
}

/// Why a key has no place, for people; never compared.
pub type Why = Cow<'static, str>;

/// What becomes of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has a place.
    Placed(Place),
    /// The client chooses freely: sticky, random or round robin.
    Unpinned(Why),
    /// The system or client does not take this key.
    Rejected(Why),
    /// Not computable outside the system.
    Refused(Why),
}

impl Outcome {
    /// Its word in the machine interface.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Placed(_) => "placed",
            Outcome::Unpinned(_) => "unpinned",
            Outcome::Rejected(_) => "rejected",
            Outcome::Refused(_) => "refused",
        }
    }

    /// The place, where there is one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Outcome::Placed(place) => Some(place),
            _ => None,
        }
    }

    /// The reason, where there is no place.
    pub fn why(&self) -> Option<&str> {
        match self {
            Outcome::Placed(_) => None,
            Outcome::Unpinned(why) | Outcome::Rejected(why) | Outcome::Refused(why) => Some(why),
        }
    }
}
