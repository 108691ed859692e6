//! Records a column at a time, in Arrow's layout.

use keyfall_core::wire::PlaceJson;
use keyfall_core::{Coord, Domain, Error, ErrorKind, Key, KeyColumn, Value, registry};

use crate::{Auditor, Record, Tally};

/// Records as columns, all of as many rows.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Columns<'a> {
    /// The keys.
    pub keys: KeyColumn<'a>,
    /// Where each was found: integers, or text as the place is written.
    pub found: KeyColumn<'a>,
    /// Offsets within their places: integers.
    pub offsets: Option<KeyColumn<'a>>,
    /// Times in milliseconds since 1970-01-01 UTC: integers.
    pub times: Option<KeyColumn<'a>>,
    /// Who wrote each: text.
    pub producers: Option<KeyColumn<'a>>,
}

impl<'a> Columns<'a> {
    /// Records of which nothing is known but their keys and where they were found.
    pub fn new(keys: KeyColumn<'a>, found: KeyColumn<'a>) -> Self {
        Columns { keys, found, offsets: None, times: None, producers: None }
    }
}

impl Auditor {
    /// Judges records and counts them; the first is number `first_line`. One whose place is null or none of this scheme's
    /// is counted as malformed.
    ///
    /// ```
    /// use keyfall_audit::{Auditor, Columns};
    /// use keyfall_core::{KeyColumn, Placer, params};
    ///
    /// let auditor = Auditor::new(Placer::new("kafka/java", params! { partitions: 12 })?);
    /// let mut tally = auditor.tally();
    /// let keys = KeyColumn::Utf8 { offsets: &[0, 9, 18], data: b"100:48069100:48069", validity: None };
    /// let found = KeyColumn::Int32 { values: &[9, 3], validity: None };
    /// auditor.add_columns(&mut tally, 1, &Columns::new(keys, found))?;
    /// assert_eq!(auditor.report(&mut tally).misplaced, 1);
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Columns of different lengths or types that do not fit: then nothing is counted.
    pub fn add_columns(&self, tally: &mut Tally, first_line: u64, columns: &Columns<'_>) -> Result<(), Error> {
        let Columns { keys, found, offsets, times, producers } = *columns;
        for (what, column) in [
            ("found", Some(&found)),
            ("offsets", offsets.as_ref()),
            ("times", times.as_ref()),
            ("producers", producers.as_ref()),
        ] {
            if let Some(column) = column
                && column.len() != keys.len()
            {
                let message = format!("{what} has {} rows, the column of keys {}", column.len(), keys.len());
                return Err(Error::new(ErrorKind::InvalidColumn, message));
            }
        }
        let found = found.rows()?;
        let offsets = offsets.map(KeyColumn::rows).transpose()?;
        let times = times.map(KeyColumn::rows).transpose()?;
        let producers = producers.map(KeyColumn::rows).transpose()?;
        let scheme = self.placer().scheme();
        let system = registry::system(scheme.system()).expect("a scheme belongs to a registered system");
        keys.each_key(system, |i, key| {
            let found = found.get(i).ok().and_then(|found| coord(found, scheme.domain));
            let (Ok(key), Some(found)) = (key, found) else { return tally.add_malformed() };
            let mut record = Record::new(first_line + i as u64, key, found);
            record.offset = offsets.and_then(|offsets| u64::try_from(integer(offsets.get(i).ok()?)?).ok());
            record.time = times.and_then(|times| integer(times.get(i).ok()?));
            record.producer = producers.and_then(|producers| text(producers.get(i).ok()?));
            self.add(tally, &record);
        })
    }
}

/// A place as a column has it; none if it is null or no place of this domain.
#[inline]
fn coord(found: Key<'_>, domain: Domain) -> Option<Coord> {
    match (found, domain) {
        (Key::Text(text), domain) => PlaceJson::Text(text.into()).coord(domain),
        (found, Domain::Index) => u32::try_from(integer(found)?).ok().map(Coord::Index),
        (found, Domain::I32) => i32::try_from(integer(found)?).ok().map(Coord::I32),
        (found, Domain::I64) => integer(found).map(Coord::I64),
        _ => None,
    }
}

#[inline]
fn integer(value: Key<'_>) -> Option<i64> {
    match value {
        Key::Typed(typed) => match typed.value {
            Value::Int(n) => Some(n),
            _ => None,
        },
        _ => None,
    }
}

#[inline]
fn text(value: Key<'_>) -> Option<&str> {
    match value {
        Key::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyfall_core::{Placer, params};

    fn auditor() -> Auditor {
        Auditor::new(Placer::new("kafka/java", params! { partitions: 12 }).unwrap())
    }

    #[test]
    fn columns_are_the_records_that_they_hold() {
        let auditor = auditor();
        let keys = KeyColumn::Utf8 {
            offsets: &[0, 9, 18, 18, 27, 27],
            data: b"100:48069100:48069100:48069",
            validity: Some(&[0b11011]),
        };
        let mut columns =
            Columns::new(keys, KeyColumn::Int64 { values: &[9, 3, 5, -1, 9], validity: Some(&[0b11111]) });
        columns.offsets = Some(KeyColumn::Int64 { values: &[7, 8, 9, 10, 11], validity: None });
        columns.times = Some(KeyColumn::Int64 { values: &[0, 1_777_716_672_000, 0, 0, 0], validity: None });
        columns.producers = Some(KeyColumn::Utf8 { offsets: &[0, 1, 2, 2, 2, 2], data: b"ab", validity: None });
        let mut tally = auditor.tally();
        auditor.add_columns(&mut tally, 1, &columns).unwrap();

        let mut by_hand = auditor.tally();
        let times = [0, 1_777_716_672_000, 0, 0, 0];
        for (i, (key, found)) in [(Some("100:48069"), 9), (Some("100:48069"), 3), (None, 5), (None, 99), (Some(""), 9)]
            .into_iter()
            .enumerate()
        {
            if i == 3 {
                by_hand.add_malformed();
                continue;
            }
            let mut record = Record::new(1 + i as u64, Key::from(key), Coord::Index(found));
            record.offset = Some(7 + i as u64);
            record.time = Some(times[i]);
            record.producer = Some(["a", "b", "", "", ""][i]);
            auditor.add(&mut by_hand, &record);
        }
        assert_eq!(auditor.report(&mut tally), auditor.report(&mut by_hand));
        assert_eq!(tally.records(), 5);
    }

    #[test]
    fn lengths_that_differ_count_nothing() {
        let auditor = auditor();
        let keys = KeyColumn::Utf8 { offsets: &[0, 1, 2], data: b"ab", validity: None };
        let mut tally = auditor.tally();
        let columns = Columns::new(keys, KeyColumn::Int32 { values: &[1], validity: None });
        let error = auditor.add_columns(&mut tally, 1, &columns).unwrap_err();
        assert_eq!(error.to_string(), "found has 1 rows, the column of keys 2");
        let torn = KeyColumn::Utf8 { offsets: &[0, 5, 2], data: b"ab", validity: None };
        let columns = Columns::new(torn, KeyColumn::Int32 { values: &[1, 2], validity: None });
        assert!(auditor.add_columns(&mut tally, 1, &columns).is_err());
        assert_eq!(tally.records(), 0);
    }
}
