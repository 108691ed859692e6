//! `include/keyfall.h` is what cbindgen makes of the source.

use std::path::Path;

#[test]
fn header_is_current() {
    let ffi = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(ffi.join("cbindgen.toml")).expect("cbindgen.toml is read");
    let builder = cbindgen::Builder::new().with_config(config).with_src(ffi.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().expect("the source is read").write(&mut made);

    let header = ffi.join("include/keyfall.h");
    if std::env::var_os("KEYFALL_UPDATE").is_some() {
        std::fs::write(&header, &made).expect("the header is written");
    }
    let current = std::fs::read(&header).unwrap_or_default();
    assert!(
        made == current,
        "ffi-c/include/keyfall.h is not what the source says. To mend it: KEYFALL_UPDATE=1 cargo test -p keyfall-ffi --test header"
    );
}
