//! Encodings: a typed key -> canonical bytes. One file a family; nothing here hashes.
//!
//! A family's `encode` borrows the key's own bytes where they are already canonical, and otherwise writes into the
//! caller's buffer, which allocates nothing until then.

pub mod composite;
pub mod cql;
pub mod kafka;
pub mod text;

use crate::{KeyError, Why};

/// Why a key has no bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum EncodeError {
    /// The key is malformed in keyfall's terms.
    Malformed(KeyError),
    /// The system or client does not take this key.
    Rejected(Why),
    /// The system takes this key, but not always as the same bytes.
    Refused(Why),
}

impl From<KeyError> for EncodeError {
    fn from(e: KeyError) -> Self {
        EncodeError::Malformed(e)
    }
}
