//! Routing shards: a floored modulo over many virtual shards, divided down to the real ones, so that a count can be
//! split by a factor without moving a key between the parts.

use super::modulo::floored;

/// The shard of `hash`: `floorMod(hash, routing_shards) / (routing_shards / shards)`. `routing_shards` is a multiple of
/// `shards`.
///
/// ```
/// assert_eq!(keyfall_core::map::routing_shards::shard(-1, 768, 6), 5);
/// ```
#[inline]
pub fn shard(hash: i32, routing_shards: u32, shards: u32) -> u32 {
    debug_assert!(routing_shards.is_multiple_of(shards));
    floored(hash, routing_shards) / (routing_shards / shards)
}
