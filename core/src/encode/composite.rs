//! Cassandra's composite partition keys: each component as u16 length, bytes, and a zero byte; one component alone is
//! its bare bytes.
//!
//! Spec: <https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/db/marshal/CompositeType.java>.

use alloc::format;
use alloc::vec::Vec;

use super::EncodeError;
use crate::Why;

/// Appends one component of several.
///
/// ```
/// let mut out = Vec::new();
/// keyfall_core::encode::composite::component(0, b"ab", &mut out)?;
/// assert_eq!(out, [0, 2, b'a', b'b', 0]);
/// # Ok::<(), keyfall_core::encode::EncodeError>(())
/// ```
///
/// # Errors
/// Rejected where the component has over 65,535 bytes: its length does not fit.
pub fn component(index: usize, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let len = u16::try_from(bytes.len()).map_err(|_| {
        EncodeError::Rejected(Why::Owned(format!(
            "component {index} has {} bytes, at most 65535 are allowed",
            bytes.len()
        )))
    })?;
    out.extend_from_slice(&len.to_be_bytes());
    out.extend_from_slice(bytes);
    out.push(0);
    Ok(())
}
