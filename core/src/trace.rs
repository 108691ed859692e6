//! Traces: every intermediate value of one placement, for `explain` and for failing tests.

use alloc::string::String;
use alloc::vec::Vec;

/// Which part of the way a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// key -> canonical bytes.
    Encode,
    /// A part of the bytes is chosen: a hash tag, a routing value.
    Select,
    /// bytes -> integer or digest.
    Hash,
    /// Integer -> place.
    Map,
    /// place -> owner.
    Owner,
    /// A rule that ends it early: null, empty, rejected.
    Rule,
}

impl Stage {
    /// Its word in the machine interface.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Encode => "encode",
            Stage::Select => "select",
            Stage::Hash => "hash",
            Stage::Map => "map",
            Stage::Owner => "owner",
            Stage::Rule => "rule",
        }
    }
}

/// One step: what was done, in words, and the value that came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The part of the way.
    pub stage: Stage,
    /// What was done.
    pub words: String,
    /// What came out: bytes in hex, numbers in decimal.
    pub value: String,
}

/// The steps of one placement, in order.
pub type Trace = Vec<Step>;

/// Receives steps. The placing code is written once, generic over this: what `explain` shows is what `place` does.
pub(crate) trait Tracer {
    /// Receives a step; `step` is only called where somebody listens.
    fn step(&mut self, step: impl FnOnce() -> Step);

    /// A step of `stage`; `f` gives its words and value.
    #[inline(always)]
    fn say(&mut self, stage: Stage, f: impl FnOnce() -> (String, String)) {
        self.step(|| {
            let (words, value) = f();
            Step { stage, words, value }
        });
    }
}

/// Listens to nothing, at no cost.
pub(crate) struct NoTrace;

impl Tracer for NoTrace {
    #[inline(always)]
    fn step(&mut self, _: impl FnOnce() -> Step) {}
}

impl Tracer for Trace {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.push(step());
    }
}

/// Bytes as people read them in a step: hex, long ones cut in the middle.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use core::fmt::Write;
    let mut out = String::new();
    let mut put = |bytes: &[u8]| bytes.iter().for_each(|b| write!(out, "{b:02x}").expect("a String takes all"));
    if bytes.len() <= 72 {
        put(bytes);
    } else {
        put(&bytes[..32]);
        write!(out, "...({} bytes)...", bytes.len() - 64).expect("a String takes all");
        bytes[bytes.len() - 32..].iter().for_each(|b| write!(out, "{b:02x}").expect("a String takes all"));
    }
    out
}
