//! keyfall
fn main() {}
