//! Since when: the first misplaced record of each place.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use keyfall_core::{Coord, Position};

/// For this many places the first misplaced record is kept, the lowest places first. Partitions, slots and shards are
/// fewer; where places are tokens, nearly every key has one of its own.
const MAX: usize = 65_536;

/// A place in the order of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ordered(pub(crate) Coord);

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Coord::Index(a), Coord::Index(b)) => a.cmp(b),
            (Coord::Bytes(a, _), Coord::Bytes(b, _)) => a.cmp(b),
            (a, b) => Position::of(a).cmp(&Position::of(b)),
        }
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where consumers must reprocess from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct First {
    /// The lowest offset, where records have any.
    pub(crate) offset: Option<u64>,
    /// The time of that record; of the earliest one where there are no offsets.
    pub(crate) time: Option<i64>,
}

impl First {
    fn join(&mut self, other: First) {
        // What is known comes before what is not.
        let rank = |first: &First| (first.offset.is_none(), first.offset, first.time.is_none(), first.time);
        if rank(&other) < rank(self) {
            *self = other;
        }
    }
}

/// The first misplaced record of each place, whatever the order in which they come.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Onsets {
    firsts: BTreeMap<Ordered, First>,
    full: bool,
}

impl Onsets {
    /// Notes a misplaced record.
    pub(crate) fn add(&mut self, place: &Coord, first: First) {
        self.add_max(&Ordered(place.clone()), first, MAX);
    }

    fn add_max(&mut self, place: &Ordered, first: First, max: usize) {
        match self.firsts.get_mut(place) {
            Some(known) => known.join(first),
            None => {
                self.firsts.insert(place.clone(), first);
                if self.firsts.len() > max {
                    self.firsts.pop_last();
                    self.full = true;
                }
            }
        }
    }

    /// Takes another part of the input in.
    pub(crate) fn merge(&mut self, other: &Onsets) {
        self.full |= other.full;
        for (place, first) in &other.firsts {
            self.add_max(place, *first, MAX);
        }
    }

    /// What was found in places; `full` if there were more.
    pub(crate) fn of(firsts: Vec<(Coord, First)>, full: bool) -> Onsets {
        let mut onsets = Onsets { full, ..Onsets::default() };
        firsts.into_iter().for_each(|(place, first)| onsets.add_max(&Ordered(place), first, MAX));
        onsets
    }

    /// Whether places are left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.full
    }

    /// All, by place.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Coord, First)> {
        self.firsts.iter().map(|(place, first)| (&place.0, *first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_offset_counts_not_the_first_line() {
        let mut onsets = Onsets::default();
        for (place, offset, time) in [(3, 9, 90), (3, 4, 95), (1, 7, 70), (3, 12, 10)] {
            onsets.add(&Coord::Index(place), First { offset: Some(offset), time: Some(time) });
        }
        let first = |offset, time| First { offset: Some(offset), time: Some(time) };
        let got: Vec<_> = onsets.iter().collect();
        assert_eq!(got, [(&Coord::Index(1), first(7, 70)), (&Coord::Index(3), first(4, 95))]);
    }

    #[test]
    fn without_offsets_the_earliest_time_counts() {
        let mut first = First { offset: None, time: None };
        for time in [Some(5), None, Some(3), Some(4)] {
            first.join(First { offset: None, time });
        }
        assert_eq!(first, First { offset: None, time: Some(3) });
        first.join(First { offset: Some(8), time: None });
        assert_eq!(first, First { offset: Some(8), time: None });
    }

    #[test]
    fn places_are_in_order_and_bounded() {
        let none = First { offset: None, time: None };
        let (mut up, mut down) = (Onsets::default(), Onsets::default());
        for n in -5..5 {
            up.add_max(&Ordered(Coord::I64(n)), none, 4);
            down.add_max(&Ordered(Coord::I64(-n)), none, 4);
        }
        let places = |onsets: &Onsets| onsets.iter().map(|(at, _)| at.to_string()).collect::<Vec<_>>();
        assert_eq!(places(&up), ["-5", "-4", "-3", "-2"]);
        assert_eq!(places(&down), ["-4", "-3", "-2", "-1"]);
        assert!(up.is_cut());
        up.merge(&down);
        assert_eq!(places(&up), ["-5", "-4", "-3", "-2", "-1"]);
    }
}
