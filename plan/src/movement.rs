//! Movement between two placements.

use keyfall_core::{Domain, Key, Outcome, Param, ParamKind, Placer, Scheme};

/// How many keys another placement moves.
///
/// ```
/// use keyfall_core::{Key, Placer, params};
/// use keyfall_plan::Movement;
///
/// let old = Placer::new("kafka/java", params! { partitions: 12 })?;
/// let new = Placer::new("kafka/java", params! { partitions: 24 })?;
/// let mut movement = Movement::default();
/// (0..1000u32).for_each(|n| movement.add(&old, &new, Key::Text(&n.to_string())));
/// assert!((movement.share().unwrap() - 0.5).abs() < 0.05);
/// # Ok::<(), keyfall_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Movement {
    /// Keys that both placements place.
    pub keys: u64,
    /// Those of them whose place differs.
    pub moved: u64,
    /// Keys that one of the two does not place, and the other one does.
    pub gained_or_lost: u64,
}

impl Movement {
    /// Counts a key.
    pub fn add(&mut self, old: &Placer, new: &Placer, key: Key<'_>) {
        match (old.place(key), new.place(key)) {
            (Ok(Outcome::Placed(old)), Ok(Outcome::Placed(new))) => {
                self.keys += 1;
                self.moved += u64::from(old.at != new.at);
            }
            (Ok(Outcome::Placed(_)), _) | (_, Ok(Outcome::Placed(_))) => self.gained_or_lost += 1,
            _ => {}
        }
    }

    /// The share of keys that move; none without keys.
    pub fn share(&self) -> Option<f64> {
        (self.keys > 0).then(|| self.moved as f64 / self.keys as f64)
    }
}

/// The share of keys that a change is expected to move, by arithmetic, if hashes are uniform: none where the map is not
/// a plain modulo, or where the two have no common hash and other places than numbered ones.
///
/// Of the hashes below lcm(a, b), each remainder below min(a, b) is the same for both counts once, by the Chinese
/// remainder theorem: so many stay.
///
/// ```
/// use keyfall_core::{Placer, params};
/// use keyfall_plan::expected_share;
///
/// let java = |partitions: u64| Placer::new("kafka/java", params! { partitions: partitions }).unwrap();
/// assert_eq!(expected_share(&java(12), &java(24)), Some(0.5));
/// assert_eq!(expected_share(&java(12), &java(16)), Some(0.75));
/// assert_eq!(expected_share(&java(12), &java(12)), Some(0.0));
/// ```
pub fn expected_share(old: &Placer, new: &Placer) -> Option<f64> {
    let (a, b) = (modulo(old)?, modulo(new)?);
    if old.scheme().function == new.scheme().function {
        let stay = a.min(b) as f64 / (a as f64 / gcd(a, b) as f64 * b as f64);
        Some(1.0 - stay)
    } else {
        // Two hashes that have nothing to do with each other agree by chance.
        Some(1.0 - 1.0 / a.max(b) as f64)
    }
}

/// The count, where a placer's map is hash modulo count.
fn modulo(placer: &Placer) -> Option<u64> {
    let scheme: &Scheme = placer.scheme();
    if scheme.domain != Domain::Index || !scheme.function.ends_with("-modulo") {
        return None;
    }
    let mut counts = scheme.params.iter().filter(|spec| spec.required && matches!(spec.kind, ParamKind::Number { .. }));
    match (counts.next().and_then(|spec| placer.params().get(spec.name)), counts.next()) {
        (Some(Param::U64(count)), None) => Some(*count),
        _ => None,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::params;

    fn java(partitions: u64) -> Placer {
        Placer::new("kafka/java", params! { partitions: partitions }).unwrap()
    }

    fn measured(old: &Placer, new: &Placer) -> f64 {
        let mut movement = Movement::default();
        (0..20_000u32).for_each(|n| movement.add(old, new, Key::Text(&format!("user:{n}"))));
        movement.share().unwrap()
    }

    #[test]
    fn the_formula_is_what_is_measured() {
        for (a, b) in [(12, 24), (12, 16), (24, 12), (7, 8), (1, 5), (10, 15), (6, 6)] {
            let (old, new) = (java(a), java(b));
            let (formula, measured) = (expected_share(&old, &new).unwrap(), measured(&old, &new));
            assert!((formula - measured).abs() < 0.015, "{a} -> {b}: {formula} and {measured}");
        }
    }

    #[test]
    fn another_function_leaves_little_in_place() {
        let crc32 = Placer::new("kafka/librdkafka-consistent", params! { partitions: 12 }).unwrap();
        let (formula, measured) = (expected_share(&java(12), &crc32).unwrap(), measured(&java(12), &crc32));
        assert!((formula - measured).abs() < 0.015, "{formula} and {measured}");
    }

    #[test]
    fn no_formula_where_the_map_is_another() {
        let redis = Placer::new("redis/cluster", params! {}).unwrap();
        assert_eq!(expected_share(&redis, &redis), None);
    }

    #[test]
    fn keys_without_a_place_are_counted_apart() {
        let consistent = Placer::new("kafka/librdkafka-consistent-random", params! { partitions: 12 }).unwrap();
        let mut movement = Movement::default();
        movement.add(&java(12), &consistent, Key::Text(""));
        movement.add(&java(12), &java(12), Key::Null);
        assert_eq!(movement, Movement { keys: 0, moved: 0, gained_or_lost: 1 });
        assert_eq!(movement.share(), None);
    }
}
