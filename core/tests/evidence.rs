//! What running servers have confirmed: enough of it, of the right versions, and where their rules differ.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use keyfall_conform::vectors::{Case, Vectors};
use keyfall_core::{Key, OwnedKey, Placer, params};

fn vectors(scheme: &str) -> Vectors {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../vectors/{scheme}.json"));
    Vectors::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn servers(vectors: &Vectors) -> BTreeSet<&str> {
    vectors.sources.iter().filter(|source| source.evidence == "server").map(|source| source.id.as_str()).collect()
}

fn confirmed<'v>(case: &'v Case, servers: &BTreeSet<&str>) -> impl Iterator<Item = &'v str> {
    case.sources.iter().map(|id| &**id).filter(|id| servers.contains(id)).collect::<Vec<_>>().into_iter()
}

/// The id of a document, as JSON.
fn id(case: &Case) -> String {
    match case.key().unwrap() {
        OwnedKey::Tuple(parts) => format!("{:?}", parts.last()),
        key => format!("{key:?}"),
    }
}

/// Each running node of Elasticsearch and OpenSearch, with at least 500 ids.
#[test]
fn running_nodes_place_documents_as_their_scheme_says() {
    for (scheme, nodes) in [
        ("elasticsearch/legacy", &["5.6.16", "6.8.23", "7.17.29", "8.19.21", "9.5.3/upgraded"][..]),
        ("elasticsearch/modulo", &["9.5.3"]),
        ("opensearch/routing", &["1.3.20", "2.19.6", "3.9.0"]),
    ] {
        let vectors = vectors(scheme);
        let servers = servers(&vectors);
        let mut ids: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for case in vectors.cases.iter().filter(|case| case.outcome == "placed") {
            for server in confirmed(case, &servers) {
                ids.entry(server).or_default().insert(id(case));
            }
        }
        let system = scheme.split('/').next().unwrap();
        for node in nodes {
            let count = ids.get(format!("{system}-{node}").as_str()).map_or(0, BTreeSet::len);
            assert!(count >= 500, "{scheme}: {node} has confirmed {count} ids");
        }
    }
}

/// And with at least 500 in an index of one count, six shards.
#[test]
fn running_nodes_place_500_ids_in_six_shards() {
    for (scheme, node) in [
        ("elasticsearch/legacy", "elasticsearch-7.17.29"),
        ("elasticsearch/legacy", "elasticsearch-8.19.21"),
        ("elasticsearch/modulo", "elasticsearch-9.5.3"),
        ("opensearch/routing", "opensearch-2.19.6"),
        ("opensearch/routing", "opensearch-3.9.0"),
    ] {
        let vectors = vectors(scheme);
        let of_six = vectors.cases.iter().filter(|case| {
            let alone = case.params.len() == 1 && case.params.get("shards").is_some_and(|n| n.as_u64() == Some(6));
            alone && case.outcome == "placed" && case.sources.iter().any(|id| **id == *node)
        });
        let ids: BTreeSet<String> = of_six.map(id).collect();
        assert!(ids.len() >= 500, "{scheme}: {node} has confirmed {} ids", ids.len());
    }
}

/// One id, two indices of six shards: one made by 8.19, one by 9.5.
#[test]
fn an_index_made_by_9_4_or_later_places_documents_elsewhere() {
    let mut places = Vec::new();
    for scheme in ["elasticsearch/legacy", "elasticsearch/modulo"] {
        let placer = Placer::new(scheme, params! { shards: 6 }).unwrap();
        let place = placer.place(Key::Text("user:42")).unwrap();
        let place = place.place().unwrap().at.to_string();
        let vectors = vectors(scheme);
        let servers = servers(&vectors);
        let case = vectors.cases.iter().find(|case| {
            let alone = case.params.len() == 1 && case.params.get("shards").is_some_and(|n| n.as_u64() == Some(6));
            alone && case.key().unwrap() == OwnedKey::Text("user:42".into())
        });
        let case = case.expect("user:42 in six shards");
        assert_eq!(case.place.as_ref().unwrap().to_string(), place, "{scheme}");
        assert!(confirmed(case, &servers).count() > 0, "{scheme}: no running node was asked");
        places.push(place);
    }
    assert_eq!(places, ["2", "3"]);
}

fn type_name(column: &OwnedKey) -> Option<String> {
    match column {
        OwnedKey::Typed(ty, _) => Some(ty.clone()),
        _ => None,
    }
}

/// Every typed key that has a token was stored in a running server, which said that token.
#[test]
fn every_token_of_a_typed_key_was_read_back_from_a_server() {
    for partitioner in ["murmur3", "random", "byte-ordered", "order-preserving"] {
        let vectors = vectors(&format!("cassandra/{partitioner}"));
        let servers = servers(&vectors);
        assert_eq!(servers.len(), 4, "3.11, 4.0, 4.1, 5.0");
        let mut components = BTreeSet::new();
        let mut types = BTreeSet::new();
        for case in vectors.cases.iter().filter(|case| case.outcome == "placed") {
            let key = case.key().unwrap();
            let columns = match &key {
                OwnedKey::Tuple(columns) => &columns[..],
                column => std::slice::from_ref(column),
            };
            let typed: Vec<String> = columns.iter().filter_map(type_name).collect();
            if !typed.is_empty() {
                types.extend(typed);
                assert!(confirmed(case, &servers).count() > 0, "cassandra/{partitioner} case {}", case.id);
                components.insert(columns.len());
            }
        }
        assert!([1, 2, 3].iter().all(|n| components.contains(n)), "{components:?}");
        for ty in ["text", "varint", "decimal", "inet", "timeuuid", "frozen<set<text>>", "vector<text,2>"] {
            assert!(types.contains(ty), "{ty} of {types:?}");
        }
    }
}
