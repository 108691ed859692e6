#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| keyfall_fuzz::protocol(data));
