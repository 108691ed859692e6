//! Every vector, through `place --jsonl`: the machine interface gives what the real systems answered.

mod common;

use common::{command, root, run};
use keyfall_core::registry::SYSTEMS;
use serde_json::{Value, json};

#[test]
fn every_vector_through_jsonl() {
    let mut files = 0;
    for system in SYSTEMS {
        let Ok(folder) = std::fs::read_dir(root().join("vectors").join(system.id)) else { continue };
        for file in folder {
            let text = std::fs::read_to_string(file.expect("a folder").path()).expect("a vector file");
            check(&serde_json::from_str(&text).expect("JSON"));
            files += 1;
        }
    }
    assert!(files > 0);
}

fn check(vectors: &Value) {
    let scheme = vectors["scheme"].as_str().expect("a scheme");
    let cases = vectors["cases"].as_array().expect("cases");
    let line = |case: &Value| json!({ "id": case["id"], "key": case["key"], "params": case["params"] }).to_string();
    let input: Vec<String> = cases.iter().map(line).collect();
    let run = run(&mut command(["place", "-s", scheme, "--jsonl"]), input.join("\n").as_bytes());
    let answers = run.json_lines();
    assert_eq!(answers.len(), cases.len(), "{scheme}");
    for (case, answer) in cases.iter().zip(&answers) {
        for name in ["id", "outcome", "place"] {
            assert_eq!(answer[name], case[name], "{scheme}: {case}");
        }
    }
    let findings = cases.iter().any(|case| case["outcome"] == "rejected" || case["outcome"] == "refused");
    assert_eq!(run.status, i32::from(findings), "{scheme}");
}
