//! Generated files: `cargo xtask gen` writes them, a test fails where one has drifted.

mod evidence;

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Makes a file's text, given the repository's root.
type Text = fn(&Path) -> anyhow::Result<String>;

/// Every generated file, from the root, and how its text is made.
const FILES: &[(&str, Text)] = &[("cli/src/generated/evidence.json", evidence::text)];

/// Writes those that have changed.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = crate::root();
    for (path, text) in FILES {
        let text = text(&root).context(*path)?;
        let file = root.join(path);
        if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            fs::write(&file, text).context(*path)?;
            println!("{path}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        let root = crate::root();
        for (path, text) in FILES {
            let written = fs::read_to_string(root.join(path)).unwrap_or_default();
            assert!(written == text(&root).unwrap(), "{path} has drifted: run `cargo xtask gen`");
        }
    }
}
