//! `ffi-c/include/keyfall.h`: what cbindgen makes of the source, with the version and the schemes' ids.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use keyfall_core::registry;

pub(super) fn text(root: &Path, direct_calls: &str) -> anyhow::Result<String> {
    let ffi = root.join("ffi-c");
    let mut config = cbindgen::Config::from_file(ffi.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    config.after_includes = Some(macros());
    // A copy: one of the sources is itself generated, and not written yet.
    let copy = tempfile::tempdir()?;
    for entry in fs::read_dir(ffi.join("src"))? {
        let entry = entry?;
        fs::copy(entry.path(), copy.path().join(entry.file_name()))?;
    }
    fs::write(copy.path().join("direct_calls.rs"), direct_calls)?;
    let builder = cbindgen::Builder::new().with_config(config).with_src(copy.path().join("lib.rs"));
    let mut made = Vec::new();
    builder.generate().context("ffi-c/src cannot be read")?.write(&mut made);
    Ok(String::from_utf8(made)?)
}

/// The version, and each scheme's id, so that a compiler finds a slip.
fn macros() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let [major, minor, patch] = [0, 1, 2].map(|i| version.split('.').nth(i).unwrap_or("0"));
    let mut out = format!(
        "\n// The version of this header.\n#define KEYFALL_VERSION \"{version}\"\n#define KEYFALL_VERSION_MAJOR {major}\n#define KEYFALL_VERSION_MINOR {minor}\n#define KEYFALL_VERSION_PATCH {patch}\n\n// The schemes, for keyfall_placer_new().\n"
    );
    for scheme in registry::schemes() {
        let name: String =
            scheme.id.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
        let _ = writeln!(out, "#define KEYFALL_SCHEME_{name} {:?}", scheme.id);
    }
    out.pop();
    out
}
