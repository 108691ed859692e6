//! **Where does this key fall?** The placement of keys in hash-partitioned systems as a pure function:
//! key -> canonical bytes -> hash -> place, for each system and each popular client of it.
//!
//! ```
//! use keyfall_core::{Key, Outcome, Placer, params};
//!
//! let placer = Placer::new("kafka/java", params! { partitions: 12 })?;
//! let Outcome::Placed(place) = placer.place(Key::Bytes(b"100:48069"))? else { unreachable!() };
//! assert_eq!(place.at.to_string(), "9");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`registry`] lists the systems; a [`Scheme`] is what one system or client does.
//! * [`Placer`] is a scheme bound to validated [`Params`]; it places one [`Key`], a [`KeyColumn`], or traces each step.
//! * [`schemes`] has direct functions for Rust users: [`schemes::kafka::java`], [`schemes::redis::slot`],
//!   [`schemes::cassandra::token`].
//! * `wire` (feature `json`) holds the JSON forms that every front end shares.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod column;
pub mod encode;
mod error;
pub mod hash;
mod key;
pub mod map;
mod param;
mod place;
mod placer;
pub mod registry;
mod scheme;
pub mod schemes;
mod topology;
mod trace;
#[cfg(feature = "json")]
pub mod wire;

pub use column::{KeyColumn, PlaceColumn, Places, RowStatus, Rows};
pub use error::{Error, ErrorKind, KeyError};
pub use key::{Key, MAX_KEY_LEN, OwnedKey, Typed, Value};
pub use param::{Param, ParamKind, ParamSpec, Params};
pub use place::{BytesForm, Coord, Domain, Hash, Outcome, Place, Why};
pub use placer::Placer;
pub use scheme::{BoundDirect, Direct, DirectCall, EmptyRule, Evidence, NullRule, Scheme, Surrogates, System};
pub use topology::{Position, Topology};
pub use trace::{Stage, Step, Trace};
