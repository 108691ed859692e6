//! From failing cases to the mistake behind them.
//!
//! A flag's cases are those that fail in a port which makes its mistake. So the flag whose cases are the failing ones, no
//! more and no fewer, names the mistake.

use std::collections::BTreeMap;

use crate::vectors::Case;

/// A flag, and how well its cases coincide with those that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspect<'v> {
    /// The flag.
    pub flag: &'v str,
    /// How many of its cases failed.
    pub failed: usize,
    /// How many cases carry it.
    pub cases: usize,
    /// How many cases failed in all.
    pub failures: usize,
}

impl Suspect<'_> {
    /// Cases that are both flagged and failed, as a share of those that are either: 1 where they coincide.
    pub fn likeness(&self) -> f64 {
        let either = self.cases + self.failures - self.failed;
        if either == 0 { 0.0 } else { self.failed as f64 / either as f64 }
    }
}

/// The flags of the cases that failed, likeliest first.
pub fn suspects<'v>(cases: impl IntoIterator<Item = (&'v Case, bool)>) -> Vec<Suspect<'v>> {
    let mut flags: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut failures = 0;
    for (case, failed) in cases {
        failures += usize::from(failed);
        for flag in &case.flags {
            let (hits, all) = flags.entry(flag).or_default();
            *hits += usize::from(failed);
            *all += 1;
        }
    }
    let mut suspects: Vec<Suspect<'_>> = flags
        .into_iter()
        .filter(|(_, (failed, _))| *failed > 0)
        .map(|(flag, (failed, cases))| Suspect { flag, failed, cases, failures })
        .collect();
    suspects.sort_by(|a, b| b.likeness().total_cmp(&a.likeness()));
    suspects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::Vectors;

    #[test]
    fn the_flag_whose_cases_failed_comes_first() {
        let case = |id: u32, flags: &str| {
            format!(r#"{{"id":{id},"key":null,"params":{{}},"outcome":"unpinned","flags":[{flags}],"sources":["s"]}}"#)
        };
        let cases = [case(1, r#""seed","utf8""#), case(2, r#""seed","sign-mask""#), case(3, r#""seed""#), case(4, "")];
        let file = format!(r#"{{"format":1,"scheme":"a/b","unit":"u","sources":[],"cases":[{}]}}"#, cases.join(","));
        let vectors = Vectors::parse(&file).unwrap();
        let ranked = |failed: &[u32]| -> Vec<String> {
            let cases = vectors.cases.iter().map(|case| (case, failed.contains(&case.id)));
            suspects(cases).iter().map(|s| format!("{} {}/{} {:.2}", s.flag, s.failed, s.cases, s.likeness())).collect()
        };
        assert_eq!(ranked(&[2]), ["sign-mask 1/1 1.00", "seed 1/3 0.33"]);
        assert_eq!(ranked(&[1, 2, 3]), ["seed 3/3 1.00", "sign-mask 1/1 0.33", "utf8 1/1 0.33"]);
        assert!(ranked(&[]).is_empty());
        assert!(ranked(&[4]).is_empty());
    }
}
