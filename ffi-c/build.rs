//! Gives the shared library its soname, which says with which versions it goes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    if ["linux", "android", "freebsd", "netbsd", "openbsd"].contains(&os.as_str()) {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libkeyfall.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    }
}
