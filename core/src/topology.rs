//! Who owns which places now: the mutable part of placement, with an epoch.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::{Coord, Domain, Error, ErrorKind, Scheme};

/// A position among places: any index, signed token or 128-bit token, in one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    negative: bool,
    magnitude: u128,
}

impl Position {
    /// The position of a place; none for places that are bytes.
    pub fn of(at: &Coord) -> Option<Position> {
        Some(match at {
            Coord::Index(n) => Position { negative: false, magnitude: (*n).into() },
            Coord::I32(n) => Position { negative: *n < 0, magnitude: n.unsigned_abs().into() },
            Coord::I64(n) => Position { negative: *n < 0, magnitude: n.unsigned_abs().into() },
            Coord::U128(n) => Position { negative: false, magnitude: *n },
            Coord::Bytes(..) => return None,
        })
    }

    /// Reads a decimal integer.
    pub fn parse(text: &str) -> Option<Position> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let magnitude = digits.parse().ok()?;
        Some(Position { negative: magnitude != 0 && digits.len() < text.len(), magnitude })
    }

    /// The position after this one; none after the last.
    fn next(self) -> Option<Position> {
        match (self.negative, self.magnitude) {
            (true, 1) => Some(Position { negative: false, magnitude: 0 }),
            (true, m) => Some(Position { negative: true, magnitude: m - 1 }),
            (false, m) => m.checked_add(1).map(|magnitude| Position { negative: false, magnitude }),
        }
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        match (self.negative, other.negative) {
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (mine, _) => {
                if mine {
                    core::cmp::Ordering::Less
                } else {
                    core::cmp::Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.magnitude)
    }
}

/// Ranges of places and their owners, without gaps or overlaps between them.
///
/// ```
/// use keyfall_core::{Coord, Position, Topology};
/// let at = |n: &str| Position::parse(n).unwrap();
/// let t = Topology::new("slot", 7, vec![(at("0"), at("8191"), "a".into()), (at("8192"), at("16383"), "b".into())])?;
/// assert_eq!(t.owner(&Coord::Index(9000)).and_then(|i| t.name(i)), Some("b"));
/// # Ok::<(), keyfall_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    unit: String,
    epoch: u64,
    entries: Vec<(Position, Position, u32)>,
    owners: Vec<String>,
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidTopology, message)
}

impl Topology {
    /// A topology of `(first, last, owner)` ranges, both ends included, in any order.
    ///
    /// # Errors
    /// No entries, a range whose first is after its last, overlaps, and gaps between ranges.
    pub fn new(
        unit: impl Into<String>,
        epoch: u64,
        entries: Vec<(Position, Position, String)>,
    ) -> Result<Topology, Error> {
        let unit = unit.into();
        let mut owners: Vec<String> = Vec::new();
        let mut ranges = Vec::with_capacity(entries.len());
        for (first, last, owner) in entries {
            if first > last {
                return Err(invalid(format!("topology: range {first}..={last} of {owner} ends before it begins")));
            }
            let index = owners.iter().position(|o| *o == owner).unwrap_or_else(|| {
                owners.push(owner);
                owners.len() - 1
            });
            ranges.push((first, last, u32::try_from(index).map_err(|_| invalid("topology: too many owners"))?));
        }
        ranges.sort_by_key(|(first, ..)| *first);
        if ranges.is_empty() {
            return Err(invalid("topology: no entries"));
        }
        for pair in ranges.windows(2) {
            let ((first, last, a), (next, end, b)) = (pair[0], pair[1]);
            let (a, b) = (&owners[a as usize], &owners[b as usize]);
            if next <= last {
                return Err(invalid(format!(
                    "topology: {unit} ranges {first}..={last} ({a}) and {next}..={end} ({b}) overlap"
                )));
            }
            if last.next() != Some(next) {
                return Err(invalid(format!(
                    "topology: no owner for the {unit}s between {last} ({a}) and {next} ({b})"
                )));
            }
        }
        Ok(Topology { unit, epoch, entries: ranges, owners })
    }

    /// What its places are: slot, token, shard.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Its version: a higher epoch is newer.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The ranges in order: first, last, owner.
    pub fn entries(&self) -> impl Iterator<Item = (Position, Position, &str)> {
        self.entries.iter().map(|(first, last, owner)| (*first, *last, self.owners[*owner as usize].as_str()))
    }

    /// The owner of a place, by index; none where the topology has none.
    pub fn owner(&self, at: &Coord) -> Option<u32> {
        let at = Position::of(at)?;
        let after = self.entries.partition_point(|(first, ..)| *first <= at);
        let (_, last, owner) = self.entries.get(after.checked_sub(1)?)?;
        (at <= *last).then_some(*owner)
    }

    /// An owner's name.
    pub fn name(&self, owner: u32) -> Option<&str> {
        self.owners.get(owner as usize).map(String::as_str)
    }

    /// Whether it can serve `scheme`, which has `places` places where they are indices.
    pub(crate) fn check(&self, scheme: &Scheme, places: Option<u32>) -> Result<(), Error> {
        if self.unit != scheme.unit {
            return Err(invalid(format!(
                "{}: the topology is of {}s, this scheme places {}s",
                scheme.id, self.unit, scheme.unit
            )));
        }
        let (Some((first, ..)), Some((_, last, _))) = (self.entries.first(), self.entries.last()) else {
            return Ok(());
        };
        let whole = match (scheme.domain, places) {
            (Domain::Index, Some(n)) => Some(("0".to_string(), (n - 1).to_string())),
            (Domain::I64, _) => Some((i64::MIN.to_string(), i64::MAX.to_string())),
            _ => None,
        };
        match whole {
            Some((lowest, highest)) if (first.to_string(), last.to_string()) != (lowest.clone(), highest.clone()) => {
                let unit = scheme.unit;
                Err(invalid(format!(
                    "{}: the topology covers {unit}s {first}..={last}, there are {lowest}..={highest}",
                    scheme.id
                )))
            }
            _ => Ok(()),
        }
    }
}
