//! Misplaced records by producer.

use std::collections::HashMap;

/// Up to this many producers are counted exactly.
const MAX: usize = 4096;

/// Counts by name in bounded memory, after Misra and Gries ("Finding repeated elements", 1982): exact up to [`MAX`] names;
/// beyond that counts are too low by at most `missed`, and whoever has more than that is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Producers {
    counts: HashMap<String, u64>,
    /// How much a count may be too low.
    missed: u64,
}

impl Producers {
    /// Counts a misplaced record of `name`'s.
    pub(crate) fn add(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(name.into(), 1);
                self.shrink(MAX);
            }
        }
    }

    /// Counts as they were.
    pub(crate) fn of(counts: HashMap<String, u64>, missed: u64) -> Producers {
        Producers { counts, missed }
    }

    /// Takes the counts of another part of the input in.
    pub(crate) fn merge(&mut self, other: &Producers) {
        self.missed += other.missed;
        for (name, count) in &other.counts {
            *self.counts.entry(name.clone()).or_default() += count;
        }
        self.shrink(MAX);
    }

    /// Takes from every count what leaves at most `max` of them.
    fn shrink(&mut self, max: usize) {
        if self.counts.len() <= max {
            return;
        }
        let mut counts: Vec<u64> = self.counts.values().copied().collect();
        let (_, cut, _) = counts.select_nth_unstable_by(max, |a, b| b.cmp(a));
        let cut = *cut;
        self.missed += cut;
        self.counts.retain(|_, count| {
            *count = count.saturating_sub(cut);
            *count > 0
        });
    }

    /// How much a count may be too low; 0 if all are exact.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    /// Names and counts, highest first.
    pub(crate) fn sorted(&self) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.counts.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        all.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_producers_are_exact_in_any_order() {
        let mut a = Producers::default();
        ["x", "y", "x"].iter().for_each(|name| a.add(name));
        let mut b = Producers::default();
        ["z", "y"].iter().for_each(|name| b.add(name));
        let (mut ab, mut ba) = (a.clone(), b.clone());
        ab.merge(&b);
        ba.merge(&a);
        assert_eq!(ab, ba);
        assert_eq!((ab.sorted(), ab.missed()), (vec![("x", 2), ("y", 2), ("z", 1)], 0));
    }

    #[test]
    fn among_many_the_frequent_ones_are_found() {
        let mut producers = Producers::default();
        for i in 0..200_000 {
            producers.add(&format!("once-{i}"));
            if i % 10 == 0 {
                producers.add("often");
            }
        }
        assert!(producers.counts.len() <= MAX);
        let (name, count) = producers.sorted()[0];
        assert_eq!(name, "often");
        assert!(count <= 20_000 && count + producers.missed() >= 20_000, "{count} + {}", producers.missed());
        assert!(producers.missed() <= 220_000 / MAX as u64 + 1, "{}", producers.missed());
    }
}
