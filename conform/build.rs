//! Packs `vectors/` into the library, for its feature `golden`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_GOLDEN").is_none() {
        return;
    }
    let vectors = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../vectors");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let mut table = String::from("&[\n");
    for system in entries(&vectors).into_iter().filter(|path| path.is_dir()) {
        let name = stem(&system);
        if ["data", "corpus", "runs"].contains(&name.as_str()) {
            continue;
        }
        println!("cargo::rerun-if-changed={}", system.display());
        for file in entries(&system) {
            let packed = out.join(format!("{name}-{}.zlib", stem(&file)));
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(&read(&file)).expect("a Vec takes all");
            fs::write(&packed, encoder.finish().expect("a Vec takes all")).expect("OUT_DIR can be written");
            table += &format!("({:?}, include_bytes!({packed:?})),\n", format!("{name}/{}", stem(&file)));
        }
    }
    fs::write(out.join("golden.rs"), table + "]").expect("OUT_DIR can be written");
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

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
