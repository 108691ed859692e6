//! The mistakes that ports make.
use keyfall_conform::vectors::Case;
use keyfall_core::Scheme;

pub(crate) fn flags(_: &Scheme, _: &Case) -> anyhow::Result<Vec<String>> {
    Ok(Vec::new())
}
