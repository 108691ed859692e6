//! What the Node package has of the registry: types of schemes, and the direct functions of hot ones.

use keyfall_core::{DirectCall, Domain, ParamKind, ParamSpec, Scheme, registry};

/// `node/schemes.d.ts`.
pub(super) fn types() -> String {
    let mut text = String::from(
        "// Written by `cargo xtask gen` from the registry.\n\nimport { Key } from './index.js'\n\n\
         /** What a scheme takes and gives: its params, the place that place() returns, and the one that outcome() has. */\n\
         export interface SchemeTypes {\n  params: object\n  place: number | bigint | string\n  json: number | string\n}\n\n\
         /** Every scheme. */\nexport interface Schemes {\n",
    );
    for scheme in registry::schemes() {
        text += &row(scheme);
    }
    text +=
        "}\n\n/** Functions of hot schemes, without a placer; like place() otherwise. */\nexport interface Direct {\n";
    for (scheme, name, param) in direct() {
        let (place, _) = places(scheme);
        let count = param.map(|param| format!(", {param}: number")).unwrap_or_default();
        text += &format!("  /** {} */\n  {name}(key: Key{count}): {place} | null\n", scheme.id);
    }
    text + "}\n"
}

fn row(scheme: &Scheme) -> String {
    let (place, json) = places(scheme);
    let param = |spec: &ParamSpec| {
        let mark = if spec.required { "" } else { "?" };
        format!(
            "      /** {}: {} */\n      {}{mark}: {}\n",
            sentence(spec.doc),
            spec.allowed(),
            spec.name,
            values(spec)
        )
    };
    let params: String = scheme.params.iter().map(param).collect();
    let params = if params.is_empty() { "{}".into() } else { format!("{{\n{params}    }}") };
    let default = if scheme.default { " (its default)" } else { "" };
    format!(
        "  /** {}{default}: {}. A place is a {}. */\n  '{}': {{\n    params: {params}\n    place: {place}\n    json: {json}\n  }}\n",
        sentence(scheme.client),
        sentence(scheme.rule),
        scheme.unit,
        scheme.id
    )
}

/// A text that ends no comment.
fn sentence(text: &str) -> String {
    text.replace("*/", "* /")
}

/// The types of a place, as `place` gives it and in an outcome.
fn places(scheme: &Scheme) -> (&'static str, &'static str) {
    match scheme.domain {
        Domain::Index | Domain::I32 => ("number", "number"),
        Domain::I64 | Domain::U128 => ("bigint", "string"),
        Domain::Bytes(_) => ("string", "string"),
    }
}

/// The type of a param's values.
fn values(spec: &ParamSpec) -> String {
    match spec.kind {
        ParamKind::Number { max, .. } if max < 1 << 53 => "number".into(),
        ParamKind::Number { .. } => "number | bigint".into(),
        ParamKind::Bool => "boolean".into(),
        ParamKind::Choice(words) => {
            let number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
            let word = |word: &&str| if number(word) { (*word).into() } else { format!("'{word}'") };
            words.iter().map(word).collect::<Vec<_>>().join(" | ")
        }
        ParamKind::Text => "string | number".into(),
        ParamKind::List => "readonly (string | number)[] | string | number".into(),
        ParamKind::Nodes => "readonly string[] | string".into(),
        _ => "unknown".into(),
    }
}

/// Direct functions: the scheme, the function's name, the param that is its second argument.
fn direct() -> impl Iterator<Item = (&'static Scheme, String, Option<&'static str>)> {
    registry::schemes().filter_map(|scheme| {
        let direct = scheme.direct?;
        let counted = matches!(direct.call, DirectCall::Counted(_));
        let param = scheme.params.iter().find(|spec| spec.required && counted).map(|spec| spec.name);
        Some((scheme, camel(direct.name), param))
    })
}

/// `kafka_java` as `kafkaJava`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_string();
    words.fold(first, |all, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        all + &head.to_uppercase() + tail
    })
}

/// `node/lib/direct.js`.
pub(super) fn functions() -> String {
    let mut text = String::from(
        "'use strict'\n\n// Written by `cargo xtask gen` from the registry: direct functions, each with its scheme and the param that is its second argument.\n\nmodule.exports = {\n",
    );
    let rows: Vec<String> = direct()
        .map(|(scheme, name, param)| {
            let param = param.map(|param| format!(", '{param}'")).unwrap_or_default();
            format!("  {name}: ['{}'{param}]", scheme.id)
        })
        .collect();
    text += &rows.join(",\n");
    text + "\n}\n"
}
