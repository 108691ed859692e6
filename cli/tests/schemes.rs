//! `keyfall schemes`.

mod common;

use common::keyfall;
use keyfall_core::registry;

#[test]
fn every_scheme_is_listed_and_shown() {
    let list = keyfall("schemes");
    assert_eq!(list.stdout, keyfall("schemes list").stdout);
    let json = keyfall("schemes --format json").json_lines().remove(0);
    assert_eq!(json["format"], 1);
    let ids: Vec<&str> =
        json["schemes"].as_array().unwrap().iter().filter_map(|scheme| scheme["id"].as_str()).collect();
    assert_eq!(ids, registry::schemes().map(|scheme| scheme.id).collect::<Vec<_>>());
    for scheme in registry::schemes() {
        let id = scheme.id;
        assert!(list.stdout.contains(&format!("  {id}")), "{id} is not listed");
        let shown = keyfall(&format!("schemes show {id}"));
        assert!(shown.status == 0 && shown.stdout.contains(scheme.rule), "{shown}");
        let json = keyfall(&format!("schemes show {id} --format json")).json_lines().remove(0);
        assert_eq!(json["scheme"]["id"], id);
    }
}

#[test]
fn shown() {
    insta::assert_snapshot!("show", keyfall("schemes show opensearch/routing").without_evidence());
    let mut json = keyfall("schemes --format json show redis/cluster").json_lines().remove(0);
    json["scheme"]["evidence"].take();
    insta::assert_json_snapshot!("show_json", json);
}

#[test]
fn twins_are_told() {
    let json = keyfall("schemes show kafka/java --format json").json_lines().remove(0);
    let twins = json["scheme"]["twins"].as_array().unwrap();
    assert!(twins.iter().any(|twin| twin == "kafka/librdkafka-murmur2-random"), "{twins:?}");
    assert!(!twins.iter().any(|twin| twin == "kafka/java" || twin == "kafka/librdkafka-consistent"), "{twins:?}");
}
