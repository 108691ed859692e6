//! The one list of systems: a line each.

use alloc::format;

use crate::error::nearest;
use crate::{Error, ErrorKind, Scheme, System, schemes};

/// Every system that keyfall knows.
pub static SYSTEMS: &[&System] = &[
    &schemes::kafka::SYSTEM,
    &schemes::redis::SYSTEM,
    &schemes::cassandra::SYSTEM,
    &schemes::scylla::SYSTEM,
    &schemes::elasticsearch::SYSTEM,
    &schemes::opensearch::SYSTEM,
];

/// All schemes, system by system.
pub fn schemes() -> impl Iterator<Item = &'static Scheme> {
    SYSTEMS.iter().flat_map(|system| system.schemes)
}

/// The system with this id.
pub fn system(id: &str) -> Option<&'static System> {
    SYSTEMS.iter().find(|system| system.id == id).copied()
}

/// The scheme with this id.
///
/// ```
/// let error = keyfall_core::registry::scheme("kafka/jva").unwrap_err();
/// assert_eq!(error.to_string(), "unknown scheme kafka/jva; did you mean kafka/java?");
/// ```
///
/// # Errors
/// An unknown id: the message offers the nearest ones.
pub fn scheme(id: &str) -> Result<&'static Scheme, Error> {
    schemes().find(|scheme| scheme.id == id).ok_or_else(|| {
        let near = nearest(id, schemes().map(|scheme| scheme.id));
        let hint = if near.is_empty() {
            "`keyfall schemes` lists them all".into()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        Error::new(ErrorKind::UnknownScheme, format!("unknown scheme {id}; {hint}"))
    })
}

/// The schemes of the same system that share `scheme`'s function, itself among them: defaults of their clients first.
pub fn twins(scheme: &Scheme) -> impl Iterator<Item = &'static Scheme> {
    let same = |other: &&Scheme| other.function == scheme.function;
    let all = system(scheme.system()).map_or(&[][..], |system| system.schemes);
    all.iter().filter(move |s| same(s) && s.default).chain(all.iter().filter(move |s| same(s) && !s.default))
}

/// The scheme by which `client` does what `wanted` does: what to set in that client is its [`Scheme::setting`]. None if it
/// cannot.
///
/// ```
/// use keyfall_core::registry;
/// let wanted = registry::scheme("kafka/java")?;
/// assert_eq!(registry::as_done_by("librdkafka", wanted).unwrap().setting, "partitioner=murmur2_random");
/// # Ok::<(), keyfall_core::Error>(())
/// ```
pub fn as_done_by(client: &str, wanted: &Scheme) -> Option<&'static Scheme> {
    // The same null rule, of the same kind at least, is what makes it the wanted scheme; a client without one still has the
    // function.
    let same_kind = |rule| core::mem::discriminant(&rule) == core::mem::discriminant(&wanted.null);
    twins(wanted).filter(|s| s.client == client).min_by_key(|s| (!same_kind(s.null), s.empty != wanted.empty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_belong_to_their_system() {
        let mut seen = BTreeSet::new();
        for system in SYSTEMS {
            for scheme in system.schemes {
                assert!(seen.insert(scheme.id), "{} twice", scheme.id);
                assert_eq!(scheme.system(), system.id, "{}", scheme.id);
                assert!(
                    !scheme.rule.is_empty() && !scheme.sources.is_empty() && !scheme.setting.is_empty(),
                    "{}",
                    scheme.id
                );
            }
        }
    }
}
