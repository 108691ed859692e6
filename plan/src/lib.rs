//! Planning: what a change of placement does to keys. Pure: keys in, numbers out.

mod movement;

pub use movement::{Movement, expected_share};
