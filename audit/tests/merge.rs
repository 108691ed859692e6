//! Tallies of parts, in any order, are the tally of the whole.

use keyfall_audit::{Auditor, Record, Report, Tally};
use keyfall_core::{Coord, Key, Placer, params};
use proptest::prelude::*;

/// A record of few keys and places, so that they meet.
#[derive(Clone, Debug)]
struct Made {
    key: Option<String>,
    partition: u32,
    offset: Option<u64>,
    time: Option<i64>,
    producer: Option<String>,
    readable: bool,
}

fn made() -> impl Strategy<Value = Made> {
    let key = prop_oneof![
        8 => "[a-d]{1,2}".prop_map(Some),
        1 => Just(None),
        1 => prop::sample::select(vec!["", "null", "\u{fffd}", "\u{7f}"]).prop_map(|key| Some(key.into())),
    ];
    (key, 0..14u32, prop::option::of(0..50u64), prop::option::of(0..50i64), prop::option::of("[xyz]"), 0..20u8)
        .prop_map(|(key, partition, offset, time, producer, readable)| Made {
            key,
            partition,
            offset,
            time,
            producer,
            readable: readable > 0,
        })
}

fn count(auditor: &Auditor, records: &[(u64, Made)]) -> Tally {
    let mut tally = auditor.tally();
    for (line, made) in records {
        if !made.readable {
            tally.add_malformed();
            continue;
        }
        let mut record = Record::new(*line, Key::from(made.key.as_deref()), Coord::Index(made.partition));
        record.bare = true;
        record.offset = made.offset;
        record.time = made.time;
        record.producer = made.producer.as_deref();
        auditor.add(&mut tally, &record);
    }
    tally
}

fn report(auditor: &Auditor, mut tally: Tally) -> Report {
    auditor.report(&mut tally).of_random_sample(&mut tally)
}

proptest! {
    #[test]
    fn parts_in_any_order_merge_to_the_whole(
        records in prop::collection::vec(made(), 0..120),
        order in any::<prop::sample::Index>(),
        parts in 1usize..6,
        scheme in prop::sample::select(vec!["kafka/java", "kafka/librdkafka-consistent-random"]),
    ) {
        let auditor = Auditor::new(Placer::new(scheme, params! { partitions: 12 }).unwrap());
        let records: Vec<(u64, Made)> = (1..).zip(records).collect();
        let whole = report(&auditor, count(&auditor, &records));
        prop_assert_eq!(
            whole.records,
            whole.keyed + whole.unpinned + whole.undecidable + whole.rejected + whole.malformed
        );

        let mut tallies: Vec<Tally> = records
            .chunks(records.len().div_ceil(parts).max(1))
            .map(|part| count(&auditor, part))
            .collect();
        if !tallies.is_empty() {
            let first = order.index(tallies.len());
            tallies.rotate_left(first);
        }
        let mut merged = auditor.tally();
        // Every other part comes from another process.
        for (i, part) in tallies.iter_mut().enumerate() {
            match i % 2 {
                0 => merged.merge(part),
                _ => merged.merge(&auditor.unpack(&auditor.pack(part)).unwrap()),
            }
        }
        prop_assert_eq!(report(&auditor, merged), whole);
    }
}
