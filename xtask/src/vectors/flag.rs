//! `cargo xtask vectors flag`: judges every case again, after the mistakes have changed. Nobody is asked.

use std::fs;

use keyfall_core::registry;

use crate::mistakes::Judge;

pub(super) fn run() -> anyhow::Result<()> {
    for mut vectors in super::load_all()? {
        let judge = Judge::new(registry::scheme(&vectors.scheme)?);
        for case in &mut vectors.cases {
            case.flags = judge.flags(case)?;
        }
        let mut text = Vec::new();
        vectors.write(&mut text)?;
        fs::write(super::file(&vectors.scheme), text)?;
    }
    Ok(())
}
