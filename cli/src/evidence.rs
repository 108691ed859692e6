//! How the placements of a scheme are known: what its vector file says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Written by `cargo xtask gen` from `vectors/`: the sources of each scheme.
static TABLE: &str = include_str!("generated/evidence.json");

/// A real system or client that computed vectors of a scheme.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Source {
    /// server, client, emulator, published or derived.
    pub(crate) evidence: String,
    /// What was asked.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// How many vectors it computed.
    pub(crate) cases: u64,
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
        return vec!["no vectors: the rule was read in the sources, and no system was asked".into()];
    }
    let line = |s: &Source| format!("{}: {} {}, {} vectors", s.evidence, s.name, s.version, s.cases);
    sources.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_table_can_be_read() {
        super::of("kafka/java");
    }
}
