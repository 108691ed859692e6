//! Linker arguments of a Node addon, where a platform needs some.

fn main() {
    napi_build::setup();
}
