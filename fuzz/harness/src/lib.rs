//! What is fuzzed: everything that reads text which others write. A target takes any bytes; it must come back, without a
//! panic, and what it has read must be what it would write.
//!
//! `fuzz/` runs the targets under libFuzzer; `tests/corpus.rs` runs them over the corpus, and over changes of it that are the
//! same in every run.

use std::path::Path;

use keyfall_conform::adapter::{self, Answer};
use keyfall_conform::config;
use keyfall_conform::contract::{Contract, Lock};
use keyfall_conform::vectors::{self, Vectors};
use keyfall_conform::verify::Known;
use keyfall_core::wire;

/// A target.
pub type Target = fn(&[u8]);

/// All targets, by name: that of the folder of its corpus.
pub const TARGETS: [(&str, Target); 7] = [
    ("protocol", protocol),
    ("vectors", read_vectors),
    ("lock", lock),
    ("contract", contract),
    ("known", known),
    ("config", read_config),
    ("key", key),
];

/// Keys of the batch whose answer is read.
const KEYS: usize = 3;

/// The lines of an adapter.
pub fn protocol(line: &[u8]) {
    let short = |failure: &adapter::Failure| {
        // A line of megabytes is shown shortened.
        assert!(failure.to_string().len() < 4000, "{}", failure.to_string().len());
    };
    match adapter::read_answer(line, 1, KEYS) {
        Ok(Answer::Outcomes(outcomes)) => {
            assert_eq!(outcomes.len(), KEYS);
            assert!(outcomes.iter().all(|outcome| outcome.place.is_some() == (outcome.outcome == "placed")));
        }
        Ok(_) => {}
        Err(failure) => short(&failure),
    }
    match adapter::read_hello(line) {
        Ok(hello) => assert_eq!(hello.version, adapter::VERSION),
        Err(failure) => short(&failure),
    }
}

/// Vector files.
pub fn read_vectors(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let Ok(read) = Vectors::parse(text) else { return };
    for case in &read.cases {
        let _ = (case.key(), case.params());
    }
    let written = |vectors: &Vectors| {
        let mut out = Vec::new();
        vectors.write(&mut out).expect("a Vec takes all");
        String::from_utf8(out).expect("it writes JSON")
    };
    let once = written(&read);
    let again = Vectors::parse(&once).unwrap_or_else(|error| panic!("{error}: {once}"));
    assert_eq!(written(&again), once);
}

/// Locks of a contract.
pub fn lock(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let Ok(read) = Lock::parse(text) else { return };
    let once = read.text();
    let again = Lock::parse(&once).unwrap_or_else(|error| panic!("{error}: {once}"));
    assert_eq!(again.text(), once);
}

/// Contracts. The files that they name hold a key.
pub fn contract(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let read = |file: &Path| if file.is_absolute() { Err("none".to_string()) } else { Ok("1\n\n-1\n".to_string()) };
    let Ok(contract) = Contract::parse(text, &read) else { return };
    let _ = (contract.broken_colocations(), keyfall_conform::contract::risks(&contract));
    let lock = Lock::by_keyfall(&contract);
    assert_eq!(lock.stale(&contract), Vec::<String>::new());
    let again = Lock::parse(&lock.text()).unwrap_or_else(|error| panic!("{error}: {}", lock.text()));
    assert_eq!(again.stale(&contract), Vec::<String>::new());
    assert!(keyfall_conform::contract::changes(&contract, &contract).is_empty());
}

/// Lists of known failures.
pub fn known(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    if let Ok(known) = Known::parse(text) {
        for entry in known.stale() {
            let _ = entry.to_string();
        }
    }
}

/// Configurations of clients, in each form of text, as each client's.
pub fn read_config(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    for name in ["a.properties", "a.json", "a.yaml", "a.env", "a"] {
        for client in config::Client::ALL.map(Some).into_iter().chain([None]) {
            if let Err(error) = config::read(name, text, client) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}

/// KEYs.
pub fn key(text: &[u8]) {
    let Ok(text) = str::from_utf8(text) else { return };
    let Ok(key) = wire::parse_key(text) else { return };
    let json = key.with(vectors::key_json);
    let again = wire::parse_key(json.get()).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(again, key, "{json}");
}
