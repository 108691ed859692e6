//! Generated files: `cargo xtask gen` writes them, a test fails where one has drifted.

mod bugs;
mod direct;
mod docs;
mod evidence;
mod flags;
mod header;
mod node;
mod readme;
mod stubs;

use std::fs;

use anyhow::{Context, bail};
use keyfall_core::registry;

/// Every generated file: its path from the root, and its text.
fn files() -> anyhow::Result<Vec<(String, String)>> {
    let root = crate::root();
    let vectors = crate::vectors::load_all()?;
    let mut files = vec![
        ("cli/src/generated/evidence.json".to_string(), evidence::text(&vectors)?),
        ("vectors/FLAGS.md".to_string(), flags::text(&root)?),
        ("vectors/BUGS.md".to_string(), bugs::text(&root, &vectors)?),
        ("README.md".to_string(), readme::text(&root, &vectors)?),
        ("ffi-c/include/keyfall.h".to_string(), header::text(&root, &direct::c())?),
        ("ffi-c/src/direct_calls.rs".to_string(), direct::c()),
        ("python/src/direct_calls.rs".to_string(), direct::python()),
        ("python/python/keyfall/_keyfall.pyi".to_string(), stubs::text(&root)?),
        ("node/schemes.d.ts".to_string(), node::types()),
        ("node/lib/direct.js".to_string(), node::functions()),
    ];
    let reasons = crate::vectors::codebases::reasons()?;
    for system in registry::SYSTEMS {
        files.push((format!("docs/schemes/{}.md", system.id), docs::text(system, &vectors, &reasons)));
    }
    Ok(files)
}

/// Writes those that have changed; with `check` it fails instead, and names them.
pub(crate) fn run(check: bool) -> anyhow::Result<()> {
    let drifted = drifted()?;
    for (path, text) in &drifted {
        println!("{path}");
        if !check {
            let file = crate::root().join(path);
            fs::create_dir_all(file.parent().expect("a file in the repository"))?;
            fs::write(&file, text).with_context(|| path.clone())?;
        }
    }
    if check && !drifted.is_empty() {
        bail!("{} generated files have drifted: run `cargo xtask gen`", drifted.len());
    }
    Ok(())
}

/// The files that are not what they should be, and what they should be.
fn drifted() -> anyhow::Result<Vec<(String, String)>> {
    let drifted =
        |(path, text): &(String, String)| fs::read_to_string(crate::root().join(path)).ok().as_ref() != Some(text);
    Ok(files()?.into_iter().filter(drifted).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_files_are_up_to_date() {
        let drifted: Vec<String> = super::drifted().unwrap().into_iter().map(|(path, _)| path).collect();
        assert!(drifted.is_empty(), "{drifted:?} have drifted: run `cargo xtask gen`");
    }
}
