//! What vectors do not hold: how many places a placer has, and which keys are errors.

use std::num::NonZeroU32;

use keyfall_core::{
    Coord, DirectCall, Domain, Key, KeyColumn, MAX_KEY_LEN, Params, PlaceColumn, Placer, Places, Position, RowStatus,
    Topology, Typed, Value, params, registry,
};

/// How many places there are, which `audit` and `verify` rely on.
#[test]
fn every_placer_of_numbered_places_knows_how_many() {
    for scheme in registry::schemes().filter(|scheme| scheme.domain == Domain::Index) {
        let mut params = Params::new();
        scheme.params.iter().filter(|spec| spec.required).for_each(|spec| params.set(spec.name, 12u64));
        let places = if scheme.params.iter().any(|spec| spec.required) { 12 } else { 16384 };
        assert_eq!(Placer::bind(scheme, params).unwrap().places(), Some(places), "{}", scheme.id);
    }
}

/// Keys whose place depends on an object that keyfall was not given, or that the client cannot have.
#[test]
fn keys_that_a_client_cannot_have_are_errors() {
    let typed = |ty| Key::Typed(Typed { ty, value: Value::Text("7") });
    for (scheme, key, said) in [
        ("kafka/scala-0.8.0", typed("long"), "the Scala producer hashes the object"),
        ("kafka/group-coordinator", Key::Bytes(b"\xff"), "UTF-8"),
    ] {
        let mut params = Params::new();
        params.set("partitions", 12u64);
        let outcome = Placer::new(scheme, params).unwrap().place(key);
        let words = match &outcome {
            Err(error) => error.to_string(),
            Ok(outcome) => outcome.why().unwrap_or_default().to_string(),
        };
        assert!(words.contains(said), "{scheme}: {outcome:?}");
    }
}

/// franz-go's `SaramaHasher` casts to an `int`: 64 bits, unless 32 are said.
#[test]
fn the_width_of_int_is_64_bits_unless_said() {
    let place = |bits: Option<&str>| {
        let mut params = Params::new();
        params.set("partitions", 12u64);
        bits.into_iter().for_each(|bits| params.set("int_bits", bits));
        let placer = Placer::new("kafka/franz-go-sarama-fnv1a", params).unwrap();
        (0..40).map(|n| placer.place(Key::Text(&n.to_string())).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(place(None), place(Some("64")));
    assert_ne!(place(None), place(Some("32")));
}

#[test]
fn a_partition_size_is_below_the_routing_shards() {
    let error = |size: u64| {
        let mut params = Params::new();
        params.set("shards", 5u64);
        params.set("routing_shards", 5u64);
        params.set("routing_partition_size", size);
        Placer::new("elasticsearch/legacy", params).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!((error(1), error(4)), (Ok(()), Ok(())));
    assert!(error(5).unwrap_err().contains("is not below the number of routing shards"));
}

/// Direct functions say what placers say, of every key that is bytes.
#[test]
fn direct_functions_agree_with_their_placers() {
    let keys: Vec<Vec<u8>> = (0..1100u32).map(|n| (0..n % 70).map(|i| (n * 31 + i * 7) as u8).collect()).collect();
    let mut names = std::collections::BTreeSet::new();
    for scheme in registry::schemes() {
        let Some(direct) = scheme.direct else { continue };
        assert!(names.insert(direct.name), "{} twice", direct.name);
        let (system, rest) = direct.name.split_once('_').unwrap();
        assert!(scheme.system() == system && direct.path.starts_with(&format!("schemes::{system}::")), "{}", scheme.id);
        assert!(rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{}", direct.name);
        let required: Vec<_> = scheme.params.iter().filter(|spec| spec.required).collect();
        assert_eq!(required.len(), usize::from(matches!(direct.call, DirectCall::Counted(_))), "{}", scheme.id);
        for count in [1u32, 2, 12, 1000, i32::MAX as u32] {
            let mut params = Params::new();
            required.iter().for_each(|spec| params.set(spec.name, count));
            let placer = Placer::bind(scheme, params).unwrap();
            for key in &keys {
                let at = match direct.call {
                    DirectCall::Index(call) => Coord::Index(call(key)),
                    DirectCall::Counted(call) => Coord::Index(call(key, NonZeroU32::new(count).unwrap())),
                    DirectCall::I64(call) => Coord::I64(call(key)),
                    other => panic!("{}: {other:?}", scheme.id),
                };
                let outcome = placer.place(Key::Bytes(key)).unwrap();
                assert_eq!(outcome.place().map(|place| &place.at), Some(&at), "{} {key:?} of {count}", scheme.id);
                assert_eq!(placer.direct().unwrap().place(key), at, "{}", scheme.id);
            }
        }
    }
    assert!(names.len() >= 5);
}

/// A direct function knows neither other params nor owners, and a column by it is as one by the placer.
#[test]
fn direct_functions_are_bound_where_they_say_all() {
    let java = |params| Placer::new("kafka/java", params).unwrap();
    assert!(java(params! { partitions: 12 }).direct().is_some());
    assert!(java(params! { partitions: 12, ignore_keys: true }).direct().is_none());
    let [first, last] = [0, 16383].map(|slot| Position::of(&Coord::Index(slot)).unwrap());
    let topology = Topology::new("slot", 0, vec![(first, last, "a".to_string())]);
    assert!(Placer::new("redis/cluster", params! { topology: topology.unwrap() }).unwrap().direct().is_none());

    let data: Vec<u8> = (0..4000u32).map(|i| (i * 31) as u8).collect();
    let offsets: Vec<i32> = (0..90).map(|i| i * (i - 1) / 2).collect();
    for scheme in registry::schemes().filter(|scheme| scheme.direct.is_some()) {
        let mut params = Params::new();
        scheme.params.iter().filter(|spec| spec.required).for_each(|spec| params.set(spec.name, 1009));
        let placer = Placer::bind(scheme, params).unwrap();
        let place = |validity| {
            let keys = KeyColumn::Binary { offsets: &offsets, data: &data, validity };
            let (mut indices, mut tokens, mut status, mut owners) = ([7u32; 89], [7i64; 89], [9u8; 89], [7u32; 89]);
            let places =
                if scheme.domain == Domain::I64 { Places::I64(&mut tokens) } else { Places::U32(&mut indices) };
            let mut out = PlaceColumn { places, status: &mut status, owners: Some(&mut owners) };
            placer.place_column(&keys, &mut out).unwrap();
            (indices, tokens, status, owners)
        };
        assert!(placer.direct().is_some() && place(None) == place(Some(&[0xff; 12])), "{}", scheme.id);
    }
}

/// A column with a key that is too long for direct functions goes the other way.
#[test]
fn a_long_key_in_a_column_is_the_placers() {
    let long = vec![b'k'; 65536];
    let placer = Placer::new("cassandra/murmur3", Params::new()).unwrap();
    let keys = KeyColumn::Binary { offsets: &[0, 1, 65536], data: &long, validity: None };
    let (mut places, mut status) = ([7i64; 2], [7u8; 2]);
    placer
        .place_column(&keys, &mut PlaceColumn { places: Places::I64(&mut places), status: &mut status, owners: None })
        .unwrap();
    assert_eq!(status, [0, 0]);
    let keys = KeyColumn::Binary { offsets: &[0, 65536], data: &long, validity: None };
    placer
        .place_column(&keys, &mut PlaceColumn { places: Places::I64(&mut places), status: &mut status, owners: None })
        .unwrap();
    assert_eq!(status[0], RowStatus::Rejected as u8);
}

/// No system takes a key of 2 GiB, and lengths of 32 bits would go round. The pages are never touched.
#[test]
#[cfg(target_pointer_width = "64")]
fn a_key_over_two_gib_is_an_error() {
    let zeros = vec![0u8; MAX_KEY_LEN + 1];
    let mut params = Params::new();
    params.set("partitions", 12u64);
    let placer = Placer::new("kafka/java", params).unwrap();
    let said = "a key of length 2147483648: no system takes more than 2147483647";
    assert_eq!(placer.place(Key::Bytes(&zeros)).unwrap_err().to_string(), said);
    assert_eq!(placer.trace(Key::Bytes(&zeros)).unwrap_err().to_string(), said);
    let keys = KeyColumn::LargeBinary { offsets: &[0, zeros.len() as i64], data: &zeros, validity: None };
    let (mut places, mut status) = ([7u32], [7u8]);
    let mut out = PlaceColumn { places: Places::U32(&mut places), status: &mut status, owners: None };
    placer.place_column(&keys, &mut out).unwrap();
    assert_eq!((places, status), ([0], [RowStatus::Error as u8]));
}
