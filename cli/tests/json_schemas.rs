//! Reports for programs are of their documented form: `cli/schemas/`.

mod common;

use common::{keyfall, root};
use jsonschema::{Registry, Validator};
use keyfall_core::{ParamSpec, registry};
use serde_json::Value;

fn validator(name: &str) -> Validator {
    let read = |name: &str| -> Value {
        let path = root().join(format!("cli/schemas/{name}.schema.json"));
        serde_json::from_str(&std::fs::read_to_string(path).expect("a schema")).expect("JSON")
    };
    let shared = Registry::new().add("urn:keyfall:schemes", read("schemes")).unwrap().prepare().unwrap();
    jsonschema::options().with_registry(&shared).build(&read(name)).expect("a JSON Schema")
}

fn check(validator: &Validator, report: &Value) {
    let errors: Vec<String> = validator.iter_errors(report).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report}");
}

#[test]
fn schemes() {
    let validator = validator("schemes");
    check(&validator, &keyfall("schemes --format json").json_lines()[0]);
    check(&validator, &keyfall("schemes show kafka/java --format json").json_lines()[0]);
    assert!(!validator.is_valid(&serde_json::json!({ "format": 1, "schemes": [{ "id": "kafka/java" }] })));
}

#[test]
fn explain() {
    let validator = validator("explain");
    for scheme in registry::schemes() {
        let required = scheme.params.iter().filter(|spec| spec.required);
        let params: String = required.map(|ParamSpec { name, .. }| format!("-p {name}=12 ")).collect();
        for key in ["null", r#"{"text":"somekey"}"#, r#"{"hex":""}"#] {
            let run = keyfall(&format!("explain -s {} {params} --format json --key-format json {key}", scheme.id));
            assert!(run.status < 2, "{run}");
            check(&validator, &run.json_lines()[0]);
        }
    }
    assert!(!validator.is_valid(&serde_json::json!({ "format": 2 })));
}
