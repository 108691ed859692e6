//! Each target over its corpus, and over changes of it: the same ones in every run.

use std::fs;
use std::path::Path;

use keyfall_fuzz::TARGETS;

/// Changed texts, for each target.
const CHANGES: usize = 1000;

/// What stands between things in the languages that are read, and what is at the edges of them.
const PIECES: [&[u8]; 28] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b":",
    b",",
    b"=",
    b"\n",
    b"#",
    b"- ",
    b"\t",
    b"\0",
    b"\\ud83d",
    b"\\u0000",
    b"\xff",
    b"null",
    b"-1",
    b"1e400",
    b"18446744073709551616",
    b"0.1",
    b"[[",
    b"'''",
    b"&a ",
    b"*a",
    b"${a}",
    "é".as_bytes(),
];

/// xorshift64*: <https://en.wikipedia.org/wiki/Xorshift#xorshift*>.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end.max(1)
    }
}

fn change(chance: &mut Chance, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut text = corpus[chance.below(corpus.len())].clone();
    for _ in 0..=chance.below(4) {
        let at = chance.below(text.len() + 1);
        let to = (at + chance.below(16)).min(text.len());
        match chance.below(6) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..to)),
            2 => text.splice(at..at, PIECES[chance.below(PIECES.len())].iter().copied()).for_each(drop),
            3 => {
                let again = text[at..to].repeat(1 + chance.below(50));
                text.splice(at..at, again).for_each(drop);
            }
            4 => {
                let other = &corpus[chance.below(corpus.len())];
                let from = chance.below(other.len() + 1);
                let part = &other[from..(from + chance.below(64)).min(other.len())];
                text.splice(at..to, part.iter().copied()).for_each(drop);
            }
            _ => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << chance.below(8);
                }
            }
        }
    }
    text
}

#[test]
fn targets_come_back_from_any_text() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        assert!(files.len() >= 3, "{name} has a corpus");
        let corpus: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        let run = |text: &[u8]| {
            if std::panic::catch_unwind(|| target(text)).is_err() {
                panic!("{name} panics over {:?}", String::from_utf8_lossy(text));
            }
        };
        corpus.iter().for_each(|text| run(text));
        let mut chance = Chance(0x6B65_7966_616C_6C00);
        for _ in 0..CHANGES {
            run(&change(&mut chance, &corpus));
        }
    }
}

/// Each target has a program for libFuzzer, and the other way round.
#[test]
fn each_target_has_its_program() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")), "{name}");
        assert!(fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap().contains("fuzz_target!"));
    }
    assert_eq!(fs::read_dir(fuzz.join("fuzz_targets")).unwrap().count(), TARGETS.len());
    assert_eq!(fs::read_dir(fuzz.join("corpus")).unwrap().count(), TARGETS.len());
}
