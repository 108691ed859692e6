//! Hash functions: bytes -> integer. One file each, with its spec's link and check value; nothing here knows a system.

pub mod crc16;
pub mod crc32;
pub mod djb2;
pub mod fnv1a;
pub mod java_hash_code;
pub mod murmur2;
pub mod murmur2_float;
pub mod murmur3_x64_128;
pub mod murmur3_x64_64_draft;
pub mod murmur3_x86_32;
pub mod xxh32;
