//! Cassandra's composite partition keys: each component as u16 length, bytes, and a zero byte; one component alone is
//! its bare bytes.
//!
//! Spec: <https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/db/marshal/CompositeType.java>.

use alloc::vec::Vec;

/// The longest partition key, in bytes: the whole of it, not a component.
pub const MAX_KEY: usize = u16::MAX as usize;

/// Appends one component of several: the bytes that `write` appends, if it says that there are any. A component whose
/// length does not fit its two bytes makes a key that is longer than [`MAX_KEY`], which the caller rejects.
///
/// ```
/// use keyfall_core::encode::composite::component;
/// let mut out = Vec::new();
/// component(&mut out, |out| {
///     out.extend_from_slice(b"ab");
///     Ok::<_, ()>(true)
/// })?;
/// assert_eq!(out, [0, 2, b'a', b'b', 0]);
/// # Ok::<(), ()>(())
/// ```
///
/// # Errors
/// Those of `write`.
pub fn component<E>(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Result<bool, E>) -> Result<bool, E> {
    let at = out.len();
    out.extend_from_slice(&[0; 2]);
    if !write(out)? {
        out.truncate(at);
        return Ok(false);
    }
    let length = (out.len() - at - 2) as u16;
    out[at..at + 2].copy_from_slice(&length.to_be_bytes());
    out.push(0);
    Ok(true)
}
