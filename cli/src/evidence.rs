//! How the placements of a scheme are known: what its vector file says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Written by `cargo xtask gen` from `vectors/`: the sources of each scheme.
static TABLE: &str = include_str!("generated/evidence.json");

/// A real system or client that computed vectors of a scheme.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Source {
    /// server, client, emulator, published or derived.
    evidence: String,
    /// What was asked.
    name: String,
    /// Its versions.
    versions: Vec<String>,
    /// How many vectors they computed.
    cases: u64,
}

/// The sources of a scheme, strongest first; none where it has no vectors.
pub(crate) fn of(scheme: &str) -> Vec<Source> {
    let mut table: BTreeMap<String, Vec<Source>> =
        serde_json::from_str(TABLE).expect("the generated table is of this form");
    table.remove(scheme).unwrap_or_default()
}

/// The same in words, a line each.
pub(crate) fn lines(scheme: &str) -> Vec<String> {
    let sources = of(scheme);
    if sources.is_empty() {
        return vec!["none: the rule was read in its sources, and no running system was asked".into()];
    }
    let line = |s: &Source| format!("{}: {} {}: {} vectors", s.evidence, s.name, s.versions.join(", "), s.cases);
    sources.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use keyfall_core::{Evidence, registry};

    #[test]
    fn the_table_is_of_known_schemes_and_kinds() {
        let table: super::BTreeMap<String, Vec<super::Source>> = serde_json::from_str(super::TABLE).unwrap();
        for (scheme, sources) in table {
            assert!(registry::scheme(&scheme).is_ok(), "{scheme}");
            for source in sources {
                assert!(Evidence::ALL.iter().any(|kind| kind.word() == source.evidence), "{scheme}: {source:?}");
            }
        }
    }
}
