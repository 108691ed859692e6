//! What is remembered of each key: enough to tell how many lie in two or more places.

use keyfall_core::{Coord, Key, Value};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Up to this many distinct keys, counts of keys are exact.
pub const MAX_EXACT_KEYS: usize = 1_000_000;

/// 64 bits that stand for a key. Among a million keys the chance that any two share them is 1 in 37 million, unless somebody
/// makes keys for the purpose; such two would be counted as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of `key`. Text and its UTF-8 bytes are one key: dumps write either. `scratch` is for keys that are
    /// not one run of bytes.
    #[inline]
    pub(crate) fn of(key: Key<'_>, scratch: &mut Vec<u8>) -> Fingerprint {
        Fingerprint(match key {
            Key::Bytes(bytes) => xxh3_64(bytes),
            Key::Text(text) => xxh3_64(text.as_bytes()),
            other => {
                scratch.clear();
                match other {
                    Key::Utf16(units) => match String::from_utf16(units) {
                        Ok(text) => xxh3_64(text.as_bytes()),
                        Err(_) => {
                            write(other, scratch);
                            xxh3_64_with_seed(scratch, 1)
                        }
                    },
                    other => {
                        write(other, scratch);
                        xxh3_64_with_seed(scratch, 1)
                    }
                }
            }
        })
    }

    /// Whether it belongs to the sample of one key in 2^level. The table uses the lower bits.
    fn sampled(self, level: u32) -> bool {
        self.0.leading_zeros() >= level
    }
}

/// Writes a key so that different keys are different bytes: every part with its kind and length.
fn write(key: Key<'_>, out: &mut Vec<u8>) {
    let mut part = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        out.extend_from_slice(bytes);
    };
    match key {
        Key::Null => part(0, b""),
        Key::Bytes(bytes) => part(1, bytes),
        Key::Text(text) => part(1, text.as_bytes()),
        Key::Utf16(units) => part(2, &units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>()),
        Key::Typed(typed) => {
            part(3, typed.ty.as_bytes());
            match typed.value {
                Value::Int(n) => part(3, n.to_string().as_bytes()),
                Value::Text(text) => part(3, text.as_bytes()),
                other => part(3, format!("{other:?}").as_bytes()),
            }
        }
        Key::Tuple(keys) => {
            part(4, &(keys.len() as u64).to_le_bytes());
            keys.iter().for_each(|key| write(*key, out));
        }
        Key::Fields(fields) => {
            // Their order says nothing.
            let mut fields = fields.to_vec();
            fields.sort_by_key(|(name, _)| *name);
            part(5, &(fields.len() as u64).to_le_bytes());
            for (name, key) in fields {
                write(Key::Text(name), out);
                write(key, out);
            }
        }
    }
}

/// What is known of one key, from the lowest bit: three flags, the number of its records, and the place where it was seen
/// first. Small, as there may be a million, and an audit waits for the memory that holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen(u64);

/// It was seen in another place, too.
const SPLIT: u64 = 1;
/// The scheme places it.
const KEYED: u64 = 2;
/// One of its records is misplaced.
const MISPLACED: u64 = 4;
/// One record.
const RECORD: u64 = 8;
/// One place. Below it there is room for 10^11 records.
const PLACE: u64 = 1 << 40;

impl Seen {
    fn new(place: u32, flags: u64) -> Seen {
        Seen((u64::from(place) * PLACE) | RECORD | flags)
    }

    fn join(&mut self, other: Seen) {
        let (flags, counted) = (RECORD - 1, PLACE - RECORD);
        let split = if (self.0 ^ other.0) >= PLACE { SPLIT } else { 0 };
        self.0 = (self.0 + (other.0 & counted)) | (other.0 & flags) | split;
    }

    fn records(self) -> u64 {
        self.0 % PLACE / RECORD
    }

    fn has(self, flag: u64) -> bool {
        self.0 & flag != 0
    }
}

/// A number below 2^24 that stands for a place. Partitions, slots and shards stand for themselves; of wider places two
/// share a number once in 16 million, so that one split key in so many is not seen to be one.
fn place_number(place: &Coord) -> u32 {
    let hashed = |bytes: &[u8]| xxh3_64(bytes) as u32 >> 8;
    match place {
        Coord::Index(n) if *n < 1 << 24 => *n,
        Coord::Index(n) => hashed(&n.to_le_bytes()),
        Coord::I32(n) => hashed(&n.to_le_bytes()),
        Coord::I64(n) => hashed(&n.to_le_bytes()),
        Coord::U128(n) => hashed(&n.to_le_bytes()),
        Coord::Bytes(bytes, _) => hashed(bytes),
    }
}

/// A slot of the table: a quarter of a cache line. Nothing is in it if it has no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
struct Slot {
    key: Fingerprint,
    seen: Seen,
}

const EMPTY: Slot = Slot { key: Fingerprint(0), seen: Seen(0) };

/// The keys of an input, or, once there are more than [`MAX_EXACT_KEYS`], a sample of them: those whose fingerprint
/// begins with `level` zeros. Whether a key is in the sample depends on nothing but the key, so all of its records were
/// seen, in whatever order and parts the input came.
///
/// The table has a slot for each key, at the place that the key's own bits say or behind it (linear probing). It is no
/// library's, as a library's gives no way to look at many slots at once: the table is larger than the processor's caches,
/// and an audit would spend a third of its time waiting for memory, one key after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyTable {
    level: u32,
    /// A power of two of them, or none.
    slots: Vec<Slot>,
    /// How many have a key.
    len: usize,
    /// Records that are still to be counted.
    waiting: Vec<Slot>,
}

/// So many records wait.
const WAITING: usize = 256;

/// The table grows before it is this full, in eighths.
const FULL: usize = 7;

/// Numbers of keys in a [`KeyTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyCounts {
    /// Distinct keys.
    pub(crate) keys: u64,
    /// Those in two or more places.
    pub(crate) split: u64,
    /// The records of these.
    pub(crate) split_records: u64,
    /// Those that the scheme places.
    pub(crate) keyed: u64,
    /// Those of them that have a misplaced record.
    pub(crate) misplaced: u64,
}

impl KeyTable {
    /// Counts a record.
    #[inline]
    pub(crate) fn add(&mut self, key: Fingerprint, place: &Coord, keyed: bool, misplaced: bool) {
        let flags = if keyed { KEYED } else { 0 } | if misplaced { MISPLACED } else { 0 };
        self.waiting.push(Slot { key, seen: Seen::new(place_number(place), flags) });
        if self.waiting.len() == WAITING {
            self.count_waiting();
        }
    }

    /// Counts the records that wait.
    pub(crate) fn count_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        // Nothing here depends on what is in the slots, so the processor fetches many of them together.
        let bits = |at: usize| self.slots.get(at).map_or(0, |slot| slot.seen.0);
        let fetched = waiting.iter().map(|record| bits(self.home(record.key)));
        std::hint::black_box(fetched.fold(0, |all, bits| all ^ bits));
        for record in &waiting {
            self.join(*record, MAX_EXACT_KEYS);
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    /// The first slot in which a key may be.
    fn home(&self, key: Fingerprint) -> usize {
        if self.slots.is_empty() { 0 } else { key.0 as usize & (self.slots.len() - 1) }
    }

    fn join(&mut self, record: Slot, max: usize) {
        if !record.key.sampled(self.level) {
            return;
        }
        if self.len * 8 >= self.slots.len() * FULL {
            self.rebuild((2 * self.slots.len()).max(64));
        }
        if self.put(record) {
            self.len += 1;
            while self.len > max {
                self.level += 1;
                self.rebuild(self.slots.len());
            }
        }
    }

    /// Puts a record to its key. True if the key is new. There must be an empty slot.
    #[inline]
    fn put(&mut self, record: Slot) -> bool {
        let mut at = self.home(record.key);
        let last = self.slots.len() - 1;
        loop {
            let slot = &mut self.slots[at];
            if slot.seen == EMPTY.seen {
                *slot = record;
                return true;
            }
            if slot.key == record.key {
                slot.seen.join(record.seen);
                return false;
            }
            at = (at + 1) & last;
        }
    }

    /// Moves all keys that are in the sample to a table of `size` slots.
    fn rebuild(&mut self, size: usize) {
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
        self.len = 0;
        for slot in old {
            if slot.seen != EMPTY.seen && slot.key.sampled(self.level) {
                self.len += usize::from(self.put(slot));
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().copied().filter(|slot| slot.seen != EMPTY.seen)
    }

    /// Takes the keys of another part of the input in.
    pub(crate) fn merge(&mut self, other: &KeyTable) {
        self.merge_max(other, MAX_EXACT_KEYS);
    }

    fn merge_max(&mut self, other: &KeyTable, max: usize) {
        if other.level > self.level {
            self.level = other.level;
            self.rebuild(self.slots.len());
        }
        for record in other.iter().chain(other.waiting.iter().copied()) {
            self.join(record, max);
        }
    }

    /// How much of the keys is sampled, as a power of two.
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    /// Writes the keys. No record may wait.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for Slot { key, seen } in self.iter() {
            out.extend_from_slice(&key.0.to_le_bytes());
            out.extend_from_slice(&seen.0.to_le_bytes());
        }
    }

    /// The table of keys that were written; none if they are cut.
    pub(crate) fn read(level: u32, bytes: &[u8]) -> Option<KeyTable> {
        let (keys, rest) = bytes.as_chunks::<16>();
        let mut table = KeyTable { level: level.min(u64::BITS), ..KeyTable::default() };
        for key in keys {
            let (key, seen) = (u128::from_le_bytes(*key) as u64, (u128::from_le_bytes(*key) >> 64) as u64);
            if seen != EMPTY.seen.0 {
                table.join(Slot { key: Fingerprint(key), seen: Seen(seen) }, MAX_EXACT_KEYS);
            }
        }
        rest.is_empty().then_some(table)
    }

    /// One key in how many is remembered; 1 is all.
    pub(crate) fn one_in(&self) -> u64 {
        1 << self.level
    }

    /// The counts over the keys that are remembered. No record may wait.
    pub(crate) fn counts(&self) -> KeyCounts {
        debug_assert!(self.waiting.is_empty());
        let mut counts = KeyCounts { keys: self.len as u64, ..KeyCounts::default() };
        for Slot { seen, .. } in self.iter() {
            if seen.has(SPLIT) {
                counts.split += 1;
                counts.split_records += seen.records();
            }
            counts.keyed += u64::from(seen.has(KEYED));
            counts.misplaced += u64::from(seen.has(MISPLACED));
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::{OwnedKey, wire};
    use proptest::prelude::*;

    fn of(json: &str) -> Fingerprint {
        let key: OwnedKey = wire::parse_key(json).unwrap();
        key.with(|key| Fingerprint::of(key, &mut Vec::new()))
    }

    #[test]
    fn one_key_in_several_forms_is_one_key() {
        for (a, b) in [
            (r#"{"text":"ab"}"#, r#"{"hex":"6162"}"#),
            (r#"{"text":"ab"}"#, r#"{"utf16":[97,98]}"#),
            (r#"{"fields":{"a":1,"b":2}}"#, r#"{"fields":{"b":2,"a":1}}"#),
        ] {
            assert_eq!(of(a), of(b), "{a} {b}");
        }
    }

    #[test]
    fn different_keys_are_different() {
        let keys = [
            r#"{"text":"ab"}"#,
            r#"{"text":""}"#,
            r#"{"utf16":[55357]}"#,
            r#"{"type":"int","value":"12"}"#,
            r#"{"type":"in","value":"t12"}"#,
            r#"{"tuple":[{"text":"a"},{"text":"b"}]}"#,
            r#"{"tuple":[{"text":"ab"},{"text":""}]}"#,
            r#"{"tuple":[{"text":"ab"}]}"#,
            r#"{"tuple":[{"text":"ab"},null]}"#,
            r#"{"fields":{"a":"b"}}"#,
            r#"{"fields":{"a":"b","c":null}}"#,
        ];
        for (i, a) in keys.iter().enumerate() {
            for b in &keys[..i] {
                assert_ne!(of(a), of(b), "{a} {b}");
            }
        }
    }

    /// Records of keys 0..keys, round and round; a key that is a multiple of `every` is in place 1 in every second round.
    fn table(records: std::ops::Range<u64>, keys: u64, every: u64, max: usize) -> KeyTable {
        let mut table = KeyTable::default();
        for record in records {
            let key = record % keys;
            let elsewhere = key.is_multiple_of(every) && (record / keys) % 2 == 1;
            let key = Fingerprint::of(Key::Bytes(&key.to_le_bytes()), &mut Vec::new());
            let flags = if elsewhere { KEYED | MISPLACED } else { KEYED };
            table.join(Slot { key, seen: Seen::new(elsewhere.into(), flags) }, max);
        }
        table
    }

    #[test]
    fn exact_up_to_the_limit() {
        let table = table(0..4000, 1000, 10, 1000);
        assert_eq!(table.one_in(), 1);
        let expect = KeyCounts { keys: 1000, split: 100, split_records: 400, keyed: 1000, misplaced: 100 };
        assert_eq!(table.counts(), expect);
    }

    #[test]
    fn beyond_the_limit_an_estimate_in_bounded_memory() {
        let (keys, every) = (200_000, 10);
        let table = table(0..2 * keys, keys, every, 1 << 12);
        assert!(table.len <= 1 << 12 && table.slots.len() <= 1 << 13 && table.one_in() >= keys / (1 << 12));
        let (counts, one_in) = (table.counts(), table.one_in());
        for (estimate, truth) in [
            (counts.keys * one_in, keys),
            (counts.split * one_in, keys / every),
            (counts.split_records * one_in, 2 * keys / every),
            (counts.misplaced * one_in, keys / every),
        ] {
            // The sample has at least 2048 keys and about 200 split ones: four standard deviations are 30 %.
            let error = estimate as f64 / truth as f64 - 1.0;
            assert!(error.abs() < 0.3, "{estimate} for {truth}");
        }
    }

    proptest! {
        #[test]
        fn parts_merge_to_the_whole(records in 1u64..3000, cut in 0u64..3000, keys in 1u64..900, max in 1usize..200) {
            let cut = cut.min(records);
            let whole = table(0..records, keys, 3, max);
            for (first, second) in [(0..cut, cut..records), (cut..records, 0..cut)] {
                let mut merged = table(first, keys, 3, max);
                merged.merge_max(&table(second, keys, 3, max), max);
                prop_assert_eq!(merged.one_in(), whole.one_in());
                prop_assert_eq!(merged.counts(), whole.counts());
            }
        }
    }
}
