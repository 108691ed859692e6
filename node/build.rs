//! Linker arguments of a Node addon, where a platform needs some.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() != Ok("wasm") {
        napi_build::setup();
    }
}
