//! The order of serialized values, in which the server writes the elements of sets and the entries of maps.
//!
//! Spec: the `compareCustom` of each type in
//! <https://github.com/apache/cassandra/tree/trunk/src/java/org/apache/cassandra/db/marshal>.

use core::cmp::Ordering;

use super::number::{compare_decimals, compare_varints};
use super::types::{Scalar, Type};

/// Takes parts off the front of a serialized value. What this module reads was written by this module: where bytes are
/// missing, it is content with those that are there.
#[derive(Clone, Copy)]
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, n: usize) -> &'b [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    fn int(&mut self) -> i32 {
        self.take(4).iter().fold(0, |n, byte| n << 8 | i32::from(*byte))
    }

    /// A value with its length; none for null, and where the value is shorter than its type.
    fn value(&mut self) -> Option<&'b [u8]> {
        if self.0.is_empty() {
            return None;
        }
        usize::try_from(self.int()).ok().map(|n| self.take(n))
    }

    /// A vector's element.
    fn element(&mut self, fixed: Option<usize>) -> &'b [u8] {
        let length = fixed.unwrap_or_else(|| {
            let first = self.take(1).first().copied().unwrap_or(0);
            let more = first.leading_ones() as usize;
            let high = usize::from(first) & (0xff >> more.min(8));
            self.take(more).iter().fold(high, |n, byte| n << 8 | usize::from(*byte))
        });
        self.take(length)
    }
}

/// How two serialized values of a type stand to each other. Different bytes may be equal: the decimals 1.0 and 1.00, a
/// tuple and the same tuple with a null at its end.
pub(super) fn compare(ty: &Type<'_>, a: &[u8], b: &[u8]) -> Ordering {
    let (mut left, mut right) = (Reader(a), Reader(b));
    match ty {
        Type::Scalar(scalar) => compare_scalars(*scalar, a, b),
        Type::List(element) | Type::Set(element) => {
            compare_elements(left.int(), right.int(), || compare_next(element, &mut left, &mut right))
        }
        Type::Map(entry) => compare_elements(left.int(), right.int(), || {
            compare_next(&entry.0, &mut left, &mut right).then_with(|| compare_next(&entry.1, &mut left, &mut right))
        }),
        Type::Tuple(parts) => compare_parts(parts, left, right),
        Type::Udt(udt) => compare_parts(&udt.types, left, right),
        Type::Vector(element, dimension) => {
            let fixed = element.fixed();
            (0..*dimension)
                .map(|_| compare(element, left.element(fixed), right.element(fixed)))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        }
    }
}

/// By the elements that both have, then the shorter first.
fn compare_elements(left: i32, right: i32, mut next: impl FnMut() -> Ordering) -> Ordering {
    (0..left.min(right)).map(|_| next()).find(|order| order.is_ne()).unwrap_or_else(|| left.cmp(&right))
}

fn compare_next(ty: &Type<'_>, left: &mut Reader<'_>, right: &mut Reader<'_>) -> Ordering {
    compare(ty, left.value().unwrap_or_default(), right.value().unwrap_or_default())
}

/// Nulls first; what a short tuple leaves out is null.
fn compare_parts(types: &[Type<'_>], mut left: Reader<'_>, mut right: Reader<'_>) -> Ordering {
    let parts = types.iter().map(|ty| match (left.value(), right.value()) {
        (Some(a), Some(b)) => compare(ty, a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    });
    parts.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn compare_scalars(scalar: Scalar, a: &[u8], b: &[u8]) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.len().cmp(&b.len());
    }
    match scalar {
        Scalar::Ascii | Scalar::Blob | Scalar::Boolean | Scalar::Date | Scalar::Inet | Scalar::Text | Scalar::Time => {
            a.cmp(b)
        }
        Scalar::TinyInt | Scalar::SmallInt | Scalar::Int | Scalar::BigInt | Scalar::Timestamp => {
            signed(a).cmp(&signed(b))
        }
        Scalar::Varint => compare_varints(a, b),
        Scalar::Decimal => compare_decimals(a, b),
        // -0.0 before 0.0, NaN last.
        Scalar::Float => f32::from_bits(signed(a) as u32).total_cmp(&f32::from_bits(signed(b) as u32)),
        Scalar::Double => f64::from_bits(signed(a) as u64).total_cmp(&f64::from_bits(signed(b) as u64)),
        // Version by version; those of version 1 by time.
        Scalar::Uuid => match (version(a), version(b)) {
            (1, 1) => timestamp(a).cmp(&timestamp(b)).then_with(|| a[8..].cmp(&b[8..])),
            (left, right) => left.cmp(&right).then_with(|| a.cmp(b)),
        },
        // Of two at the same time the rest compares byte by byte, signed.
        Scalar::TimeUuid => timestamp(a).cmp(&timestamp(b)).then_with(|| {
            let signed = |uuid: &[u8]| -> [i8; 8] { core::array::from_fn(|i| uuid[8 + i] as i8) };
            signed(a).cmp(&signed(b))
        }),
    }
}

/// A big-endian integer of at most eight bytes.
fn signed(bytes: &[u8]) -> i64 {
    let sign = if bytes[0] >= 0x80 { -1 } else { 0 };
    bytes.iter().fold(sign, |n, byte| n << 8 | i64::from(*byte))
}

fn version(uuid: &[u8]) -> u8 {
    uuid[6] >> 4
}

/// The time of a UUID of version 1: its low, middle and high parts stand in that order.
fn timestamp(uuid: &[u8]) -> [u8; 8] {
    let [low, middle, high] = [&uuid[0..4], &uuid[4..6], &uuid[6..8]];
    let mut time = [0; 8];
    time[..2].copy_from_slice(high);
    time[2..4].copy_from_slice(middle);
    time[4..].copy_from_slice(low);
    time
}
