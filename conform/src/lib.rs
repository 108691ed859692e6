//! Vector files, the adapter protocol, and clients held against what they should say.
//!
//! * [`vectors`] is the model of a vector file: golden cases of one scheme, computed by real systems.
//! * `golden` (a feature) holds keyfall's own.
//! * [`adapter`] runs a program that speaks the adapter protocol and asks it where keys fall.
//! * [`ask`] asks it about any number of keys.
//! * [`verify`] holds what it says against cases.
//! * [`config`] reads configurations of clients, and says whether what they select keeps a contract.
//! * [`contract`] is a fleet's `keyfall.toml`, its lock file, and what differs between two of them.
//! * [`diagnosis`] names the mistake behind cases that fail.
//! * [`oracle`] reads the `oracle.toml` of a folder that holds such a program, builds it and starts it.

pub mod adapter;
pub mod ask;
pub mod config;
pub mod contract;
pub mod diagnosis;
#[cfg(feature = "golden")]
pub mod golden;
pub mod oracle;
pub mod process;
pub mod vectors;
pub mod verify;
