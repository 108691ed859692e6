//! Verdicts on records that were found in places: which are where their scheme puts them, which are not, since when, and
//! whose work that is.
//!
//! ```
//! use keyfall_audit::{Auditor, Record, Verdict};
//! use keyfall_core::{Coord, Key, Placer, params};
//!
//! let auditor = Auditor::new(Placer::new("kafka/java", params! { partitions: 12 })?);
//! let mut tally = auditor.tally();
//! for (line, key, partition) in [(1, "100:48069", 9), (2, "100:48069", 3)] {
//!     auditor.add(&mut tally, &Record::new(line, Key::Text(key), Coord::Index(partition)));
//! }
//! let report = auditor.report(&mut tally);
//! assert_eq!((report.keyed, report.misplaced, report.split_keys.keys), (2, 1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Auditor`] judges records one by one and counts them in a [`Tally`]. Tallies of parts of the input, in any order,
//! [`merge`](Tally::merge) to the tally of the whole; their memory is bounded whatever the input's size. A [`Report`] is a
//! tally in the documented form. Nothing here reads files or prints.
#![forbid(unsafe_code)]

mod attribution;
mod auditor;
mod columns;
mod interval;
mod keys;
mod onset;
mod pack;
mod producers;
mod report;
mod tally;

pub use auditor::{Auditor, Doubt, Record, Verdict};
pub use columns::Columns;
pub use interval::clopper_pearson;
pub use keys::MAX_EXACT_KEYS;
pub use report::{Attribution, Finding, Fix, Interval, LoneSurrogates, Onset, OutOfRange, Producer, Report, SplitKeys};
pub use tally::Tally;
