//! Who owns which places now: the mutable part of placement, with an epoch.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::{Coord, Domain, Error, ErrorKind, Scheme};

#[cfg(feature = "json")]
mod cassandra;
#[cfg(feature = "json")]
pub(crate) mod read;
#[cfg(feature = "json")]
mod redis;

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
    /// It is a ring: who owns what lies beyond the entries.
    wraps: Option<u32>,
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidTopology, message)
}

/// Owners by index, each name once.
#[derive(Default)]
struct Owners(Vec<String>);

impl Owners {
    fn index(&mut self, owner: String) -> Result<u32, Error> {
        let index = self.0.iter().position(|o| *o == owner).unwrap_or_else(|| {
            self.0.push(owner);
            self.0.len() - 1
        });
        u32::try_from(index).map_err(|_| invalid("topology: too many owners"))
    }
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
        let mut owners = Owners::default();
        let mut ranges = Vec::with_capacity(entries.len());
        for (first, last, owner) in entries {
            if first > last {
                return Err(invalid(format!("topology: range {first}..={last} of {owner} ends before it begins")));
            }
            ranges.push((first, last, owners.index(owner)?));
        }
        let owners = owners.0;
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
        Ok(Topology { unit, epoch, entries: ranges, owners, wraps: None })
    }

    /// A ring of `(token, owner)` in any order: a token owns what lies after the one before it, up to itself; the first
    /// one owns what lies after the last, too.
    ///
    /// ```
    /// use keyfall_core::{Coord, Position, Topology};
    /// let at = |n: &str| Position::parse(n).unwrap();
    /// let ring = Topology::ring("token", 0, vec![(at("-10"), "a".into()), (at("10"), "b".into())])?;
    /// let owner = |token| ring.owner(&Coord::I64(token)).and_then(|i| ring.name(i));
    /// assert_eq!([-11, -10, -9, 10, 11].map(owner), [Some("a"), Some("a"), Some("b"), Some("b"), Some("a")]);
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// No tokens, or one that stands twice.
    pub fn ring(unit: impl Into<String>, epoch: u64, mut tokens: Vec<(Position, String)>) -> Result<Topology, Error> {
        let unit = unit.into();
        tokens.sort_by_key(|(token, _)| *token);
        if let Some([(token, a), (_, b)]) = tokens.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(invalid(format!("topology: {unit} {token} stands twice (of {a} and of {b})")));
        }
        let mut owners = Owners::default();
        let mut entries: Vec<(Position, Position, u32)> = Vec::with_capacity(tokens.len());
        for (token, owner) in tokens {
            let first = entries.last().map_or(Some(token), |(_, before, _)| before.next());
            entries.push((first.unwrap_or(token), token, owners.index(owner)?));
        }
        let Some((.., first)) = entries.first() else { return Err(invalid("topology: no entries")) };
        Ok(Topology { unit, epoch, wraps: Some(*first), entries, owners: owners.0 })
    }

    /// What its places are: slot, token, shard.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Its version: a higher epoch is newer.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The ranges in order: first, last, owner. Of a ring, the first range is its first token alone.
    pub fn entries(&self) -> impl Iterator<Item = (Position, Position, &str)> {
        self.entries.iter().map(|(first, last, owner)| (*first, *last, self.owners[*owner as usize].as_str()))
    }

    /// The owner of a place, by index; none where the topology has none.
    pub fn owner(&self, at: &Coord) -> Option<u32> {
        let at = Position::of(at)?;
        self.entry(at).map(|(.., owner)| owner).or(self.wraps)
    }

    fn entry(&self, at: Position) -> Option<(Position, Position, u32)> {
        let after = self.entries.partition_point(|(first, ..)| *first <= at);
        self.entries.get(after.checked_sub(1)?).copied().filter(|(_, last, _)| at <= *last)
    }

    /// In words, where in the topology a place stands.
    pub(crate) fn whereabouts(&self, at: &Coord) -> String {
        let unit = &self.unit;
        let found = Position::of(at).map(|position| self.entry(position));
        match (found, self.wraps, self.entries.first(), self.entries.last()) {
            (Some(Some((first, last, _))), None, ..) => format!("{unit} {at} is one of {first} to {last}"),
            (Some(Some((first, last, _))), Some(_), Some((lowest, ..)), _) if first != *lowest => {
                format!("the first of the ring's {}s from {unit} {at} on is {last}", self.unit)
            }
            (Some(_), Some(_), Some((lowest, ..)), Some((_, highest, _))) => format!(
                "{unit} {at} is none of those after {lowest} and up to {highest}: the ring begins again, at {lowest}"
            ),
            _ => format!("{unit} {at} is not in the topology"),
        }
    }

    /// An owner's name.
    pub fn name(&self, owner: u32) -> Option<&str> {
        self.owners.get(owner as usize).map(String::as_str)
    }

    /// Whether it can serve `scheme`, which has `places` places where they are indices.
    pub(crate) fn check(&self, scheme: &Scheme, places: Option<u32>) -> Result<(), Error> {
        self.check_as(scheme.id, scheme.unit, scheme.domain, places)
    }

    /// Whether it is of such places, for the scheme `id`.
    pub(crate) fn check_as(&self, id: &str, unit: &str, domain: Domain, places: Option<u32>) -> Result<(), Error> {
        if self.unit != unit {
            return Err(invalid(format!("{id}: the topology is of {}s, this scheme places {unit}s", self.unit)));
        }
        let (Some((first, ..)), Some((_, last, _))) = (self.entries.first(), self.entries.last()) else {
            return Ok(());
        };
        let parse = |n: String| Position::parse(&n).expect("a number is a position");
        let (lowest, highest) = match (domain, places) {
            (Domain::Index, Some(n)) => (parse("0".to_string()), parse((n - 1).to_string())),
            (Domain::I64, _) => (parse(i64::MIN.to_string()), parse(i64::MAX.to_string())),
            // Of RandomPartitioner, whose tokens are from 0 to 2^127.
            (Domain::U128, _) if unit == "token" => (parse("0".to_string()), parse((1_u128 << 127).to_string())),
            (Domain::Bytes(_), _) => {
                return Err(invalid(format!(
                    "{id}: its {unit}s are bytes, and those of a topology are whole numbers: their owners are not known"
                )));
            }
            _ => return Ok(()),
        };
        if self.wraps.is_some() {
            let beyond = [first, last].into_iter().find(|token| **token < lowest || **token > highest);
            return beyond.map_or(Ok(()), |token| {
                Err(invalid(format!(
                    "{id}: the topology has {unit} {token}, there are {lowest}..={highest}: it is of another partitioner"
                )))
            });
        }
        if (*first, *last) != (lowest, highest) {
            return Err(invalid(format!(
                "{id}: the topology covers {unit}s {first}..={last}, there are {lowest}..={highest}"
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn at(n: &str) -> Position {
        Position::parse(n).unwrap()
    }

    fn ring(tokens: &[(&str, &str)]) -> Result<Topology, Error> {
        Topology::ring("token", 0, tokens.iter().map(|(token, owner)| (at(token), owner.to_string())).collect())
    }

    fn slots(ranges: &[(&str, &str, &str)]) -> Result<Topology, Error> {
        let range = |(first, last, owner): &(&str, &str, &str)| (at(first), at(last), owner.to_string());
        Topology::new("slot", 0, ranges.iter().map(range).collect())
    }

    #[test]
    fn a_ring_wraps_at_both_ends() {
        let min = i64::MIN.to_string();
        for (tokens, owners) in [
            (&[("0", "a")][..], &[(i64::MIN, "a"), (0, "a"), (1, "a"), (i64::MAX, "a")][..]),
            (
                &[("10", "b"), ("-10", "a"), ("20", "a")],
                &[(i64::MIN, "a"), (-10, "a"), (-9, "b"), (10, "b"), (11, "a"), (20, "a"), (21, "a"), (i64::MAX, "a")],
            ),
            (&[(min.as_str(), "a"), ("0", "b")], &[(i64::MIN, "a"), (i64::MIN + 1, "b"), (0, "b"), (1, "a")]),
            (&[("0", "a"), ("9223372036854775807", "b")], &[(i64::MIN, "a"), (0, "a"), (1, "b"), (i64::MAX, "b")]),
        ] {
            let ring = ring(tokens).unwrap();
            for (token, owner) in owners {
                let found = ring.owner(&Coord::I64(*token)).and_then(|i| ring.name(i));
                assert_eq!(found, Some(*owner), "{token} in {tokens:?}");
            }
        }
    }

    #[test]
    fn where_a_place_stands_is_told() {
        let ring = ring(&[("-10", "a"), ("10", "b")]).unwrap();
        for (token, told) in [
            (-11, "token -11 is none of those after -10 and up to 10: the ring begins again, at -10"),
            (-10, "token -10 is none of those after -10 and up to 10: the ring begins again, at -10"),
            (-9, "the first of the ring's tokens from token -9 on is 10"),
            (10, "the first of the ring's tokens from token 10 on is 10"),
            (11, "token 11 is none of those after -10 and up to 10: the ring begins again, at -10"),
        ] {
            assert_eq!(ring.whereabouts(&Coord::I64(token)), told);
        }
        let slots = slots(&[("0", "5", "a"), ("6", "9", "b")]).unwrap();
        assert_eq!(slots.whereabouts(&Coord::Index(6)), "slot 6 is one of 6 to 9");
        assert_eq!(slots.whereabouts(&Coord::Index(10)), "slot 10 is not in the topology");
        assert_eq!(slots.owner(&Coord::Index(10)), None);
    }

    #[test]
    fn what_is_no_topology_says_why() {
        for (made, said) in [
            (ring(&[]), "no entries"),
            (ring(&[("1", "a"), ("5", "b"), ("1", "b")]), "token 1 stands twice (of a and of b)"),
            (slots(&[]), "no entries"),
            (slots(&[("5", "4", "a")]), "range 5..=4 of a ends before it begins"),
            (slots(&[("0", "5", "a"), ("5", "9", "b")]), "slot ranges 0..=5 (a) and 5..=9 (b) overlap"),
            (slots(&[("0", "9", "a"), ("3", "4", "b")]), "slot ranges 0..=9 (a) and 3..=4 (b) overlap"),
            (slots(&[("0", "4", "a"), ("7", "9", "b")]), "no owner for the slots between 4 (a) and 7 (b)"),
        ] {
            let error = made.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidTopology);
            assert!(error.to_string().contains(said), "{error}");
        }
    }

    #[test]
    fn a_topology_fits_its_scheme_or_says_why_not() {
        let check = |id: &str, topology: &Topology, places| topology.check(registry::scheme(id).unwrap(), places);
        let whole = slots(&[("0", "16383", "a")]).unwrap();
        let short = slots(&[("0", "16382", "a")]).unwrap();
        let murmur3 = ring(&[("-10", "a"), ("10", "b")]).unwrap();
        let random = ring(&[("0", "a"), ("170141183460469231731687303715884105728", "b")]).unwrap();
        assert_eq!(check("redis/cluster", &whole, Some(16384)), Ok(()));
        assert_eq!(check("cassandra/murmur3", &murmur3, None), Ok(()));
        assert_eq!(check("cassandra/random", &random, None), Ok(()));
        for (id, topology, places, said) in [
            ("redis/cluster", &short, Some(16384), "covers slots 0..=16382, there are 0..=16383"),
            ("redis/cluster", &murmur3, Some(16384), "the topology is of tokens, this scheme places slots"),
            ("cassandra/murmur3", &whole, None, "the topology is of slots, this scheme places tokens"),
            ("cassandra/murmur3", &random, None, "it is of another partitioner"),
            ("cassandra/random", &murmur3, None, "has token -10, there are 0..="),
            ("cassandra/byte-ordered", &murmur3, None, "its tokens are bytes"),
            ("cassandra/order-preserving", &murmur3, None, "its tokens are bytes"),
        ] {
            let error = check(id, topology, places).unwrap_err().to_string();
            assert!(error.contains(said) && error.starts_with(id), "{error}");
        }
    }
}
