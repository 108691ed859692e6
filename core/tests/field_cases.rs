//! What people have reported in public: each row of `vectors/data/field-cases.jsonl` is a key, and where the real system
//! put it.

use keyfall_core::hash::{crc32::crc32, fnv1a::fnv1a_32};
use keyfall_core::wire::{OutcomeJson, PlaceJson, parse_key, parse_params};
use keyfall_core::{Key, Placer, registry};
use serde::Deserialize;
use serde_json::value::RawValue;

const ROWS: &str = include_str!("../../vectors/data/field-cases.jsonl");

/// Schemes whose rows are left out, and why. One that is registered must not stand here.
const NOT_REGISTERED: &[(&str, &str)] =
    &[("iceberg/bucket", "Iceberg is not supported yet"), ("pulsar/murmur3", "Pulsar is not supported yet")];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row<'a> {
    scheme: Option<String>,
    hash_function: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    key: &'a RawValue,
    outcome: Option<String>,
    place: Option<PlaceJson>,
    hash: Option<String>,
    source: String,
}

fn rows() -> impl Iterator<Item = (&'static str, Row<'static>)> {
    ROWS.lines().map(|line| (line, serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))))
}

#[test]
fn every_reported_key_falls_where_it_was_reported() {
    for (line, row) in rows() {
        let Some(scheme) = row.scheme.filter(|id| !NOT_REGISTERED.iter().any(|(other, _)| other == id)) else {
            continue;
        };
        let params = parse_params(row.params.map_or("{}", RawValue::get)).unwrap();
        let placer = Placer::new(&scheme, params).unwrap_or_else(|e| panic!("{line}: {e}"));
        let key = parse_key(row.key.get()).unwrap();
        let (outcome, trace) = key.with(|key| (OutcomeJson::new(&placer, &placer.place(key)), placer.trace(key)));
        let context = format!("{line}\nreported in {}\n{trace:#?}", row.source);
        assert_eq!(Some(&outcome.outcome), row.outcome.as_ref(), "{context}");
        assert_eq!(outcome.place, row.place, "{context}");
        if row.hash.is_some() {
            assert_eq!(outcome.hash, row.hash, "{context}");
        }
    }
}

#[test]
fn every_reported_hash_is_right() {
    for (line, row) in rows() {
        let Some(function) = row.hash_function else { continue };
        let hash = match function.as_str() {
            "crc32" => crc32,
            "fnv1a32" => fnv1a_32,
            other => panic!("{line}: no hash function {other}"),
        };
        let hash = parse_key(row.key.get()).unwrap().with(|key| match key {
            Key::Bytes(bytes) => hash(bytes),
            other => panic!("{line}: {other:?}"),
        });
        assert_eq!(Some(hash.to_string()), row.hash, "{line}");
    }
}

#[test]
fn rows_are_left_out_for_a_reason() {
    for (id, why) in NOT_REGISTERED {
        assert!(registry::scheme(id).is_err(), "{id} is registered now, but left out: {why}");
        assert!(rows().any(|(_, row)| row.scheme.as_deref() == Some(id)), "{id} has no row to leave out");
    }
    for (line, row) in rows() {
        assert!(row.scheme.is_some() != row.hash_function.is_some(), "{line}: either a scheme or a hash function");
    }
}
