//! Packs keyfall's vectors into the library, as xz, which Python's standard library reads.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo")).join("vectors.xz");
    println!("cargo::rerun-if-changed=build.rs");
    // A source distribution has them packed.
    let packed = here.join("vectors.xz");
    println!("cargo::rerun-if-changed={}", packed.display());
    let root = here.join("../vectors");
    if !root.is_dir() {
        fs::copy(&packed, out)
            .unwrap_or_else(|error| panic!("neither {} nor {}: {error}", root.display(), packed.display()));
        return;
    }
    let mut text = String::from("{");
    for system in entries(&root).into_iter().filter(|path| path.is_dir()) {
        let name = stem(&system);
        if ["data", "corpus", "runs"].contains(&name.as_str()) {
            continue;
        }
        println!("cargo::rerun-if-changed={}", system.display());
        for file in entries(&system).into_iter().filter(|path| path.extension().is_some_and(|e| e == "json")) {
            let comma = if text.len() > 1 { "," } else { "" };
            let json = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            text += &format!("{comma}\n\"{name}/{}\": {json}", stem(&file));
        }
    }
    text += "}\n";
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(text.as_bytes()).expect("a Vec takes all");
    fs::write(&out, encoder.finish().expect("a Vec takes all")).expect("OUT_DIR can be written");
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = read.map(|entry| entry.expect("a readable folder").path()).collect();
    entries.sort();
    entries
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("it has a name").to_string_lossy().into_owned()
}
