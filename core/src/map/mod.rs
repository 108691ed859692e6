//! Maps: hash -> place. Nothing here knows a system.

pub mod modulo;
pub mod routing_shards;
pub mod slots;
