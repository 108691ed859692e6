//! Whose work it is: which other functions of the system put the misplaced records where they were found.

use std::collections::BTreeMap;

use keyfall_core::{Placer, Scheme, registry};

use crate::report::{Attribution, Fix};

/// Functions are bits of a `u64`; no system has as many.
const MAX_SUSPECTS: usize = 64;

/// Every other function of the system. Of two that explain as much, the one that clients have by default is the likelier:
/// it comes first.
pub(crate) fn suspects(audited: &Placer) -> Vec<Placer> {
    let mut suspects = audited.rivals();
    suspects.truncate(MAX_SUSPECTS);
    suspects
}

/// Misplaced records by the set of suspects that put them where they were found, a bit each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Suspicions(BTreeMap<u64, u64>);

impl Suspicions {
    /// All sets of suspects, with their counts.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|(suspects, records)| (*suspects, *records))
    }

    /// Counts as they were.
    pub(crate) fn of(all: Vec<(u64, u64)>) -> Suspicions {
        Suspicions(all.into_iter().collect())
    }

    /// Counts a misplaced record.
    pub(crate) fn add(&mut self, suspects: u64) {
        *self.0.entry(suspects).or_default() += 1;
    }

    /// Takes another part of the input in.
    pub(crate) fn merge(&mut self, other: &Suspicions) {
        for (suspects, records) in &other.0 {
            *self.0.entry(*suspects).or_default() += records;
        }
    }

    /// Misplaced records that no suspect explains.
    pub(crate) fn unattributed(&self) -> u64 {
        self.0.get(&0).copied().unwrap_or(0)
    }

    fn count(&self, which: impl Fn(u64) -> bool) -> u64 {
        self.0.iter().filter(|(suspects, _)| which(**suspects)).map(|(_, records)| records).sum()
    }

    /// The suspects that explain any record, highest first.
    pub(crate) fn attribution(&self, audited: &Placer, suspects: &[Placer]) -> Vec<Attribution> {
        let has = |set: u64, bit: usize| set >> bit & 1 == 1;
        let mut order: Vec<(usize, u64)> =
            (0..suspects.len()).map(|bit| (bit, self.count(|set| has(set, bit)))).filter(|(_, n)| *n > 0).collect();
        // Stable: defaults stay first among equals.
        order.sort_by_key(|(_, records)| std::cmp::Reverse(*records));
        let mut higher = 0u64;
        let mut entries = Vec::new();
        for (bit, records) in order {
            let left = self.count(|set| set & higher == 0);
            let explains = self.count(|set| set & higher == 0 && has(set, bit));
            higher |= 1 << bit;
            let function = suspects[bit].scheme();
            let likely = beyond_chance(explains, left, audited.places());
            entries.push(Attribution {
                function: function.function,
                schemes: registry::twins(function).map(|scheme| scheme.id).collect(),
                records,
                explains,
                likely,
                fix: if likely { fixes(function, audited.scheme()) } else { Vec::new() },
            });
        }
        entries
    }
}

/// Whether a function puts `explained` of `left` records where they were found for another reason than chance, by which
/// it does so with one in `places`.
fn beyond_chance(explained: u64, left: u64, places: Option<u32>) -> bool {
    let chance = places.map_or(0.0, |places| 1.0 / f64::from(places));
    let expected = left as f64 * chance;
    let deviation = (expected * (1.0 - chance)).sqrt();
    explained > 0 && (explained == left || explained as f64 > expected + 4.0 * deviation)
}

/// For each client whose schemes have the culprit's function: what to set to have the audited one.
fn fixes(culprit: &Scheme, audited: &Scheme) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = Vec::new();
    for twin in registry::twins(culprit) {
        if fixes.iter().any(|fix| fix.client == twin.client) {
            continue;
        }
        let scheme = registry::as_done_by(twin.client, audited);
        fixes.push(Fix {
            client: twin.client,
            scheme: scheme.map(|scheme| scheme.id),
            setting: scheme.map(|scheme| scheme.setting),
        });
    }
    fixes
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::params;

    fn placer(id: &str) -> Placer {
        Placer::new(id, params! { partitions: 12 }).unwrap()
    }

    fn bit(suspects: &[Placer], function: &str) -> u64 {
        1 << suspects.iter().position(|s| s.scheme().function == function).expect(function)
    }

    #[test]
    fn every_other_function_once_defaults_first() {
        let suspects = suspects(&placer("kafka/java"));
        let functions: Vec<_> = suspects.iter().map(|s| s.scheme().function).collect();
        assert_eq!(functions.iter().filter(|f| **f == "crc32-modulo").count(), 1);
        assert!(!functions.contains(&"murmur2-masked-modulo"));
        let default = |s: &Placer| registry::twins(s.scheme()).any(|twin| twin.default);
        assert!(suspects.is_sorted_by_key(|s| !default(s)), "{functions:?}");
    }

    #[test]
    fn params_of_other_schemes_are_no_obstacle() {
        let audited = Placer::new("kafka/java", params! { partitions: 12, ignore_keys: false }).unwrap();
        assert!(suspects(&audited).iter().any(|s| s.scheme().function == "crc32-modulo"));
    }

    #[test]
    fn overlaps_are_counted_in_both_and_explained_once() {
        let audited = placer("kafka/java");
        let suspects = suspects(&audited);
        let (crc, fnv) = (bit(&suspects, "crc32-modulo"), bit(&suspects, "fnv1a-abs-modulo"));
        let mut a = Suspicions::default();
        for (set, records) in [(crc, 60), (crc | fnv, 5), (fnv, 30), (0, 2)] {
            (0..records).for_each(|_| a.add(set));
        }
        let entries = a.attribution(&audited, &suspects);
        let short: Vec<_> = entries.iter().map(|e| (e.function, e.records, e.explains, e.likely)).collect();
        assert_eq!(short, [("crc32-modulo", 65, 65, true), ("fnv1a-abs-modulo", 35, 30, true)]);
        assert_eq!(entries[0].schemes[0], "kafka/librdkafka-consistent-random");
        assert_eq!(a.unattributed(), 2);
    }

    #[test]
    fn chance_is_no_culprit() {
        assert!(beyond_chance(1, 1, Some(12)), "all that there is");
        assert!(!beyond_chance(100, 1200, Some(12)));
        assert!(!beyond_chance(120, 1200, Some(12)));
        assert!(beyond_chance(200, 1200, Some(12)));
        assert!(!beyond_chance(0, 0, Some(12)));
        assert!(beyond_chance(1, 50, None), "tokens do not agree by chance");
    }

    #[test]
    fn the_fix_is_the_same_clients_setting_with_the_same_null_rule() {
        let fixes = fixes(placer("kafka/librdkafka-consistent-random").scheme(), placer("kafka/java").scheme());
        assert_eq!(fixes[0].client, "librdkafka");
        assert_eq!(fixes[0].scheme, Some("kafka/librdkafka-murmur2-random"));
        assert_eq!(fixes[0].setting, Some("partitioner=murmur2_random"));
    }

    #[test]
    fn a_client_without_the_function_has_no_setting() {
        let fixes = fixes(placer("kafka/java").scheme(), placer("kafka/librdkafka-consistent-random").scheme());
        let java = fixes.iter().find(|fix| fix.client.starts_with("kafka-clients")).unwrap();
        assert_eq!((java.scheme, java.setting), (None, None));
    }
}
