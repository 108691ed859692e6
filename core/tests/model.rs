//! The model, proved on every row of the schemes that keyfall is to know: keys, params, places, topologies and columns
//! of each go through `Key`, `Param`, `Domain`, `Coord`, `Topology`, `KeyColumn`, `PlaceColumn` and the JSON forms, and
//! come back unchanged. The places here show shapes, they are no expected values: those are in `vectors/`.

use keyfall_core::wire::{KeyJson, OutcomeJson, PlaceJson, parse_key, parse_params, parse_topology};
use keyfall_core::{BytesForm, Coord, Domain, Key, KeyColumn, OwnedKey, Param, Position};

use Domain::{I32, I64, Index, U128};
const LOWER: Domain = Domain::Bytes(BytesForm::HexLower);
const UPPER: Domain = Domain::Bytes(BytesForm::HexUpper);
const TEXT: Domain = Domain::Bytes(BytesForm::Text);

/// Rows that share a shape: ids, params, keys, domain, and an OUTCOME of a placed key.
type Row = (&'static str, &'static str, &'static [&'static str], Domain, &'static str);

const BYTES: &[&str] = &[
    "null",
    r#"{"hex":""}"#,
    r#"{"hex":"00ff"}"#,
    r#"{"base64":"AP8="}"#,
    r#"{"text":"ключ"}"#,
    r#"{"utf16":[55357]}"#,
];
const KAFKA: &[&str] = &[
    "null",
    r#"{"hex":"00ff"}"#,
    r#"{"text":"user:42"}"#,
    r#"{"utf16":[97,55357]}"#,
    r#"{"type":"integer","value":"-1"}"#,
    r#"{"type":"uuid","value":"123e4567-e89b-12d3-a456-426614174000"}"#,
    r#"{"type":"void","value":""}"#,
    r#"{"type":"avro-confluent","value":"7:02ff"}"#,
];
const CQL: &[&str] = &[
    r#"{"hex":"80"}"#,
    r#"{"text":"it's"}"#,
    r#"{"type":"bigint","value":"-9223372036854775808"}"#,
    r#"{"type":"decimal","value":"1.00"}"#,
    r#"{"type":"frozen<map<text,int>>","value":"{'b':2,'a':1}"}"#,
    r#"{"type":"frozen<udt<street:text,zip:int,note:blob>>","value":"{street:'s',zip:1}"}"#,
    r#"{"type":"vector<tinyint,3>","value":"[1,2,3]"}"#,
    r#"{"tuple":[{"text":"a"},{"type":"int","value":"1"},{"hex":"00"}]}"#,
];
const SEARCH: &[&str] =
    &[r#"{"text":"id"}"#, r#"{"utf16":[55357]}"#, r#"{"tuple":[{"text":"routing"},{"text":"id"}]}"#, "null"];
const DIMENSIONS: &[&str] = &[r#"{"fields":{"host.name":"a","cpu":1.0,"up":true,"pod":{"text":"x"},"gone":null}}"#];
const SQL: &[&str] = &[
    r#"{"text":"1.50"}"#,
    r#"{"hex":"00ff"}"#,
    r#"{"tuple":[{"text":"1"},null,{"text":"b"}]}"#,
    r#"{"type":"jsonb","value":"{\"a\": 1.0}"}"#,
];
const BSON: &[&str] = &[
    "null",
    r#"{"text":"x"}"#,
    r#"{"type":"long","value":"9223372036854775807"}"#,
    r#"{"type":"double","value":"2.9"}"#,
    r#"{"type":"object","value":"{\"a\":{\"$numberInt\":\"1\"}}"}"#,
    r#"{"type":"minKey","value":""}"#,
];
const COSMOS: &[&str] = &[
    r#"{"text":"x"}"#,
    "null",
    r#"{"type":"number","value":"1.5"}"#,
    r#"{"type":"bool","value":"true"}"#,
    r#"{"tuple":[{"text":"a"},{"text":"b"}]}"#,
];
const LAKE: &[&str] = &[
    r#"{"type":"decimal(4,2)","value":"14.20"}"#,
    r#"{"type":"timestamp_ns","value":"-1"}"#,
    r#"{"type":"fixed[16]","value":"00112233445566778899aabbccddeeff"}"#,
    r#"{"type":"uuid","value":"f79c3e09677c4bbda4793f349cb785e7"}"#,
    r#"{"text":"iceberg"}"#,
];

const ROWS: &[Row] = &[
    (
        "kafka/java kafka/kafka-python kafka/sarama-hash kafka/librdkafka-consistent-random kafka/kafkajs-legacy kafka/pykafka-hashing kafka/kafka-rust kafka/debezium-java",
        r#"{"partitions":12,"ignore_keys":true}"#,
        KAFKA,
        Index,
        r#"{"outcome":"placed","place":9,"hash":"275646681"}"#,
    ),
    (
        "kafka/franz-go-sarama-fnv1a",
        r#"{"partitions":12,"int_bits":32}"#,
        KAFKA,
        Index,
        r#"{"outcome":"placed","place":9,"hash":"2166136261"}"#,
    ),
    (
        "kafka/scala-0.8.2 kafka/kafka-node-keyed kafka/no-kafka-crc32",
        r#"{"partitions":12}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":0,"hash":"-2147483648"}"#,
    ),
    (
        "kafka/group-coordinator",
        r#"{"partitions":50}"#,
        &[r#"{"text":"group"}"#],
        Index,
        r#"{"outcome":"placed","place":49,"hash":"-1"}"#,
    ),
    (
        "redis/cluster redis/ioredis redis/redisson redis/go-redis redis/enterprise",
        "{}",
        BYTES,
        Index,
        r#"{"outcome":"placed","place":16383,"owner":"127.0.0.1:7000"}"#,
    ),
    (
        "cassandra/murmur3",
        "{}",
        CQL,
        I64,
        r#"{"outcome":"placed","place":"-9223372036854775808","hash":"-9223372036854775808","owner":"node-1"}"#,
    ),
    ("cassandra/random", "{}", CQL, U128, r#"{"outcome":"placed","place":"170141183460469231731687303715884105728"}"#),
    ("cassandra/byte-ordered", "{}", CQL, LOWER, r#"{"outcome":"placed","place":"00ff"}"#),
    ("cassandra/order-preserving", "{}", CQL, TEXT, r#"{"outcome":"placed","place":"ключ"}"#),
    (
        "scylla/murmur3",
        r#"{"shards":8,"msb_ignore":12,"tablets":true}"#,
        CQL,
        Index,
        r#"{"outcome":"placed","place":7,"hash":"-1","owner":"node-1"}"#,
    ),
    (
        "scylla/cdc scylla/cdc-driver",
        "{}",
        &[r#"{"hex":"00112233445566778899aabbccddeeff"}"#],
        I64,
        r#"{"outcome":"placed","place":"-9223372036854775808"}"#,
    ),
    (
        "elasticsearch/legacy opensearch/routing elasticsearch/modulo",
        r#"{"shards":6,"routing_shards":768,"routing_partition_size":2,"index_major":6}"#,
        SEARCH,
        Index,
        r#"{"outcome":"placed","place":5,"hash":"-1"}"#,
    ),
    (
        "elasticsearch/time-series elasticsearch/logsdb",
        r#"{"shards":6,"index_version":"8.19"}"#,
        DIMENSIONS,
        Index,
        r#"{"outcome":"placed","place":5}"#,
    ),
    ("elasticsearch/djb", r#"{"shards":5}"#, SEARCH, Index, r#"{"outcome":"placed","place":4}"#),
    ("postgres/hash", r#"{"type":"int4"}"#, SQL, I32, r#"{"outcome":"placed","place":-1905060026}"#),
    (
        "postgres/hash-partition",
        r#"{"type":["int4","text"],"modulus":8,"collation":"C"}"#,
        SQL,
        Index,
        r#"{"outcome":"placed","place":7,"hash":"18446744073709551615"}"#,
    ),
    (
        "citus/hash",
        r#"{"type":"text","shards":32}"#,
        SQL,
        Index,
        r#"{"outcome":"placed","place":31,"hash":"-1","owner":"worker-2"}"#,
    ),
    (
        "yugabyte/ycql yugabyte/ysql",
        r#"{"tablets":4}"#,
        CQL,
        Index,
        r#"{"outcome":"placed","place":65535,"owner":"3"}"#,
    ),
    (
        "mongodb/hashed",
        r#"{"chunks":4}"#,
        BSON,
        I64,
        r#"{"outcome":"placed","place":"-9223372036854775808","owner":"shard-a"}"#,
    ),
    (
        "couchbase/vbucket couchbase/python-nul",
        r#"{"vbuckets":1024}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":1023}"#,
    ),
    (
        "cosmos/v2 cosmos/multi-hash cosmos/v1-java cosmos/v1-node cosmos/v1-python",
        "{}",
        COSMOS,
        UPPER,
        r#"{"outcome":"placed","place":"05C1D9CD673C1E"}"#,
    ),
    (
        "eventhubs/java pulsar/java-string-hash pinot/hash-code",
        r#"{"partitions":32}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":31}"#,
    ),
    (
        "kinesis/md5",
        r#"{"shards":4}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":3,"hash":"340282366920938463463374607431768211455"}"#,
    ),
    (
        "spark/murmur3 flink/key-group",
        r#"{"partitions":200,"max_parallelism":128,"parallelism":4}"#,
        &[r#"{"type":"bigint","value":"1"}"#, r#"{"tuple":[{"text":"a"},null]}"#],
        Index,
        r#"{"outcome":"placed","place":199,"hash":"-1"}"#,
    ),
    ("iceberg/bucket", r#"{"buckets":16}"#, LAKE, Index, r#"{"outcome":"placed","place":12,"hash":"1488055340"}"#),
    (
        "pinot/murmur3",
        r#"{"partitions":8,"seed":9001,"variant":"x64_32","use_raw_bytes":true}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":7}"#,
    ),
    (
        "solr/composite-id",
        r#"{"shards":4}"#,
        &[r#"{"text":"a/8!b!c"}"#, r#"{"utf16":[55357,33]}"#],
        Index,
        r#"{"outcome":"placed","place":3,"hash":"-1"}"#,
    ),
    (
        "vespa/bucket",
        "{}",
        &[r#"{"text":"id:ns:type:n=1:x"}"#],
        U128,
        r#"{"outcome":"placed","place":"16717361816799281152"}"#,
    ),
    (
        "ring/md5-le64 ring/ketama custom/ring maglev pymemcache/rendezvous",
        r#"{"nodes":["a:1","b:2"],"weights":[1,2],"vnodes":100,"naming":"libmemcached-weighted","hash":"md5-le64","seed":7}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":1,"hash":"18446744073709551615","owner":"b:2"}"#,
    ),
    (
        "jump/hash",
        r#"{"buckets":10}"#,
        &[r#"{"type":"int64","value":"-1"}"#],
        Index,
        r#"{"outcome":"placed","place":9}"#,
    ),
    (
        "nginx/consistent haproxy/map-crc32 twemproxy/modula-crc32",
        r#"{"nodes":["a:1","b:2"]}"#,
        BYTES,
        Index,
        r#"{"outcome":"placed","place":1,"owner":"b:2"}"#,
    ),
];

/// The JSON that a KEY comes back as: bare scalars in fields and base64 have a second spelling.
fn again(key: &OwnedKey) -> OwnedKey {
    parse_key(&key.with(|key| KeyJson(key).to_string())).expect("what is written can be read")
}

#[test]
fn keys_go_through_json_and_back() {
    for (ids, _, keys, ..) in ROWS {
        for json in *keys {
            let key = parse_key(json).unwrap_or_else(|e| panic!("{ids}: {json}: {e}"));
            assert_eq!(again(&key), key, "{ids}: {json}");
        }
    }
}

#[test]
fn params_keep_every_value() {
    for (ids, json, ..) in ROWS {
        let params = parse_params(json).unwrap_or_else(|e| panic!("{ids}: {e}"));
        let expect: serde_json::Value = serde_json::from_str(json).unwrap();
        for (name, value) in expect.as_object().unwrap() {
            let text = |v: &serde_json::Value| v.as_str().map_or_else(|| v.to_string(), Into::into);
            match (params.get(name), value) {
                (Some(Param::Text(got)), value) => assert_eq!(*got, text(value), "{ids}: {name}"),
                (Some(Param::List(got)), serde_json::Value::Array(items)) => {
                    assert_eq!(*got, items.iter().map(text).collect::<Vec<_>>(), "{ids}: {name}");
                }
                (got, _) => panic!("{ids}: {name}: {got:?}"),
            }
        }
    }
}

#[test]
fn places_go_through_json_and_back() {
    for (ids, _, _, domain, json) in ROWS {
        let outcome: OutcomeJson = serde_json::from_str(json).unwrap_or_else(|e| panic!("{ids}: {e}"));
        let place = outcome.place.clone().expect("placed");
        let coord = place.coord(*domain).unwrap_or_else(|| panic!("{ids}: {place} is not of {domain:?}"));
        assert_eq!(PlaceJson::new(&coord), place, "{ids}");
        assert_eq!(serde_json::to_string(&outcome).unwrap(), *json, "{ids}");
        // A number holds at most 53 bits: only indices and 32-bit codes are numbers.
        assert_eq!(matches!(place, PlaceJson::Number(_)), matches!(domain, Index | I32), "{ids}");
    }
}

/// The column form of a key's shape: one row.
#[test]
fn every_shape_of_key_has_a_column() {
    let shape = |key: &OwnedKey| match key {
        OwnedKey::Tuple(parts) => parts.iter().any(|p| matches!(p, OwnedKey::Tuple(_) | OwnedKey::Fields(_))),
        OwnedKey::Fields(parts) => parts.iter().any(|(_, p)| matches!(p, OwnedKey::Tuple(_) | OwnedKey::Fields(_))),
        _ => false,
    };
    for (ids, _, keys, ..) in ROWS {
        for json in *keys {
            // Components are plain, so that a struct column of plain columns carries them.
            assert!(!shape(&parse_key(json).unwrap()), "{ids}: {json}");
        }
    }
    let text = KeyColumn::Utf8 { offsets: &[0, 1], data: b"a", validity: None };
    let decimal = KeyColumn::Utf8 { offsets: &[0, 4], data: b"1.00", validity: None };
    let columns = [
        KeyColumn::Binary { offsets: &[0, 1], data: b"a", validity: Some(&[1]) },
        KeyColumn::LargeBinary { offsets: &[0, 1], data: b"a", validity: None },
        KeyColumn::LargeUtf8 { offsets: &[0, 1], data: b"a", validity: None },
        KeyColumn::Utf16 { offsets: &[0, 1], units: &[0xd83d], validity: None },
        KeyColumn::Int32 { values: &[-1], validity: None },
        KeyColumn::Int64 { values: &[-1], validity: None },
        KeyColumn::Typed { ty: "decimal", column: &decimal },
        KeyColumn::Tuple { len: 1, columns: &[text, KeyColumn::Typed { ty: "decimal", column: &decimal }] },
        KeyColumn::Struct { len: 1, columns: &[("host", text)] },
    ];
    assert!(columns.iter().all(|column| column.len() == 1));
}

/// A topology's file, and owners by example: (place, owner).
type Owners = (&'static str, &'static [(Coord, &'static str)]);

#[test]
fn topologies_carry_every_kind_of_owner() {
    let u128_max = Coord::U128(u128::MAX);
    let slots = r#"{"format":1,"unit":"slot","epoch":7,"entries":[{"first":0,"last":5460,"owner":"node-1"},{"first":5461,"last":16383,"owner":"node-2"}]}"#;
    // A token range that wraps is two entries.
    let tokens = r#"{"format":1,"unit":"token","epoch":1,"entries":[{"first":"-9223372036854775808","last":"-1","owner":"a"},{"first":"0","last":"9223372036854775806","owner":"b"},{"first":"9223372036854775807","last":"9223372036854775807","owner":"a"}]}"#;
    let shards = r#"{"format":1,"unit":"shard","epoch":0,"entries":[{"first":"0","last":"340282366920938463463374607431768211455","owner":"shardId-000"}]}"#;
    let tablets = r#"{"format":1,"unit":"token","epoch":3,"entries":[{"first":"-9223372036854775808","last":"9223372036854775807","owner":"node-1/shard-3"}]}"#;
    let rows: &[Owners] = &[
        (slots, &[(Coord::Index(0), "node-1"), (Coord::Index(5460), "node-1"), (Coord::Index(5461), "node-2")]),
        (
            tokens,
            &[(Coord::I64(i64::MIN), "a"), (Coord::I64(-1), "a"), (Coord::I64(0), "b"), (Coord::I64(i64::MAX), "a")],
        ),
        (shards, &[(Coord::U128(0), "shardId-000")]),
        (tablets, &[(Coord::I64(7), "node-1/shard-3")]),
    ];
    for (json, owners) in rows {
        let topology = parse_topology(json).unwrap();
        for (at, owner) in *owners {
            assert_eq!(topology.owner(at).and_then(|i| topology.name(i)), Some(*owner), "{at} in {json}");
        }
    }
    let shards = parse_topology(shards).unwrap();
    assert!(shards.owner(&u128_max).is_some());
    assert_eq!(Position::of(&Coord::Bytes(vec![1], BytesForm::HexLower)), None);
}

#[test]
fn a_borrowed_key_is_small_and_copied_freely() {
    fn copy<T: Copy>(_: T) {}
    copy(Key::Null);
    assert!(size_of::<Key<'_>>() <= 48);
}
