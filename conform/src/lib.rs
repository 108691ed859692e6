//! Vector files and the adapter protocol.
//!
//! * [`vectors`] is the model of a vector file: golden cases of one scheme, computed by real systems.
//! * [`adapter`] runs a program that speaks the adapter protocol and asks it where keys fall.
//! * [`diagnosis`] names the mistake behind cases that fail.
//! * [`oracle`] reads the `oracle.toml` of a folder that holds such a program, builds it and starts it.

pub mod adapter;
pub mod diagnosis;
pub mod oracle;
pub mod process;
pub mod vectors;
