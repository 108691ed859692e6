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
    check(&validator, &keyfall("explain -s redis/cluster --format json foo{}{bar}").json_lines()[0]);
    assert!(!validator.is_valid(&serde_json::json!({ "format": 2 })));
}

/// An adapter of `tests/adapters`.
fn adapter(mode: &str) -> [String; 3] {
    let program = root().join("cli/tests/adapters/adapter.py");
    ["python3".into(), program.to_str().unwrap().into(), mode.into()]
}

#[test]
fn verify() {
    let validator = validator("verify");
    for modes in [&["java"][..], &["crc32", "not-json"], &["early"]] {
        for more in [&[][..], &["--shrink"], &["--differential"]] {
            let mut args: Vec<String> =
                ["verify", "--format", "json"].iter().chain(more).map(ToString::to_string).collect();
            let modes = if more == ["--differential"] { &["java", "abs"] } else { modes };
            for mode in modes {
                args.push("--".into());
                args.extend(adapter(mode));
            }
            let run = common::run(&mut common::command(&args), b"");
            check(&validator, &serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}")));
        }
    }
    assert!(!validator.is_valid(&serde_json::json!({ "format": 1, "adapters": [{ "name": "a" }] })));
}

const CONTRACT: &str = r#"version = 1
[datasets.a]
scheme = "kafka/java"
params = { partitions = 12 }
key_type = "string"
fixtures = ["x", { hex = "00" }, { null = true }]
fixtures_file = "keys.txt"
owners = ["me"]
[[colocate]]
datasets = ["a", "a"]
[[allow]]
dataset = "a"
change = "partitions 12 -> 24"
reason = "planned"
"#;

#[test]
fn contract() {
    let read = |path: &str| serde_json::from_str(&std::fs::read_to_string(root().join(path)).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&read("docs/schema/keyfall.toml.json")).unwrap();
    check(&schema, &toml::from_str(CONTRACT).unwrap());
    // Each level is closed, as the reader is.
    for (from, to) in [("version = 1", "version = 2"), ("[datasets.a]", "x = 1\n[datasets.a]"), ("owners", "owner")] {
        assert!(!schema.is_valid(&toml::from_str(&CONTRACT.replacen(from, to, 1)).unwrap()), "{to}");
    }

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("keys.txt"), "a\nb\nc\n").unwrap();
    std::fs::write(folder.path().join("old.toml"), CONTRACT).unwrap();
    std::fs::write(folder.path().join("new.toml"), CONTRACT.replacen("partitions = 12", "partitions = 24", 1)).unwrap();
    let args = ["contract", "diff", "old.toml", "new.toml", "--format", "json"];
    let run = common::run(common::command(args).current_dir(folder.path()), b"");
    check(
        &validator("contract-diff"),
        &serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}")),
    );
}

/// The schema of SARIF 2.1.0, as the package that we write it with brings it.
fn sarif_schema() -> Value {
    let metadata = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("cargo metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").expect("we use it");
    let manifest = std::path::Path::new(package["manifest_path"].as_str().expect("a path"));
    let schema = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("its schema");
    serde_json::from_str(&schema).expect("JSON")
}

#[test]
fn sarif() {
    let schema = jsonschema::validator_for(&sarif_schema()).unwrap();
    for modes in [&["java"][..], &["crc32", "not-json", "early"]] {
        let mut args: Vec<String> = ["verify", "--format", "sarif"].map(Into::into).into();
        for mode in modes {
            args.push("--".into());
            args.extend(adapter(mode));
        }
        let run = common::run(&mut common::command(&args), b"");
        check(&schema, &serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run}")));
    }
    assert!(!schema.is_valid(&serde_json::json!({ "version": "2.0.0", "runs": [] })));
}
