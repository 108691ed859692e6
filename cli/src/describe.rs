//! What a scheme says of itself, in words and in JSON: shared by `explain` and `schemes`.

use std::io::{self, Write};

use keyfall_core::{EmptyRule, NullRule, Param, Params, Scheme, Surrogates};
use serde::Serialize;

/// Null keys, in words.
pub(crate) fn null(scheme: &Scheme) -> String {
    match scheme.null {
        NullRule::Unpinned(how) => format!("unpinned: {how}"),
        NullRule::AsEmpty => "placed as the empty key".into(),
        NullRule::Fixed(place) => format!("always {} {place}", scheme.unit),
        NullRule::Rejected(why) => format!("rejected: {why}"),
        NullRule::Refused(why) => format!("refused: {why}"),
        ref other => format!("{other:?}"),
    }
}

/// Empty keys, in words.
pub(crate) fn empty(scheme: &Scheme) -> String {
    match scheme.empty {
        EmptyRule::Hashed => "hashed like any other".into(),
        EmptyRule::AsNull => "taken for a null key".into(),
        EmptyRule::Fixed(place) => format!("always {} {place}", scheme.unit),
        EmptyRule::Unpinned(how) => format!("unpinned: {how}"),
        EmptyRule::Rejected(why) => format!("rejected: {why}"),
        ref other => format!("{other:?}"),
    }
}

/// Lone surrogates in text keys, in words.
pub(crate) fn surrogates(scheme: &Scheme) -> String {
    match scheme.surrogates {
        Surrogates::Kept => "hashed as the UTF-16 code unit that it is".into(),
        Surrogates::QuestionMark => "written as `?` (3f)".into(),
        Surrogates::Replacement => "written as U+FFFD (ef bf bd)".into(),
        Surrogates::ThreeBytes => "hashed as three bytes (ed a0 80 to ed bf bf)".into(),
        Surrogates::Rejected => "rejected".into(),
        ref other => format!("{other:?}"),
    }
}

/// What a scheme does with keys that are not hashed like any other.
#[derive(Serialize)]
pub(crate) struct RulesJson {
    null: RuleJson,
    empty: RuleJson,
    lone_surrogate: &'static str,
}

#[derive(Default, Serialize)]
struct RuleJson {
    rule: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

/// The rules of a scheme.
pub(crate) fn rules_json(scheme: &Scheme) -> RulesJson {
    let rule = |rule| RuleJson { rule, ..RuleJson::default() };
    let because = |rule, why| RuleJson { rule, why: Some(why), place: None };
    let fixed = |place| RuleJson { rule: "fixed", place: Some(place), why: None };
    RulesJson {
        null: match scheme.null {
            NullRule::Unpinned(how) => because("unpinned", how),
            NullRule::AsEmpty => rule("as-empty"),
            NullRule::Fixed(place) => fixed(place),
            NullRule::Rejected(why) => because("rejected", why),
            NullRule::Refused(why) => because("refused", why),
            _ => rule("other"),
        },
        empty: match scheme.empty {
            EmptyRule::Hashed => rule("hashed"),
            EmptyRule::AsNull => rule("as-null"),
            EmptyRule::Fixed(place) => fixed(place),
            EmptyRule::Unpinned(how) => because("unpinned", how),
            EmptyRule::Rejected(why) => because("rejected", why),
            _ => rule("other"),
        },
        lone_surrogate: match scheme.surrogates {
            Surrogates::Kept => "kept",
            Surrogates::QuestionMark => "question-mark",
            Surrogates::Replacement => "replacement",
            Surrogates::ThreeBytes => "three-bytes",
            Surrogates::Rejected => "rejected",
            _ => "other",
        },
    }
}

/// Params as the command line has them.
pub(crate) fn params(params: &Params) -> String {
    let value = |param: &Param| match param {
        Param::U64(n) => n.to_string(),
        Param::Text(text) => text.clone(),
        Param::List(list) => list.join(","),
        Param::Nodes(nodes) => nodes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(","),
        Param::Topology(_) => "(topology)".into(),
    };
    params.iter().map(|(name, param)| format!("{name}={}", value(param))).collect::<Vec<_>>().join(" ")
}

/// The rules that a scheme has beside its function, a line each.
pub(crate) fn rules(out: &mut impl Write, scheme: &Scheme) -> io::Result<()> {
    let default = if scheme.default { "; its default" } else { "" };
    writeln!(out, "  rule            {}", scheme.rule)?;
    writeln!(out, "  client          {}, {}{default}", scheme.client, scheme.versions)?;
    writeln!(out, "  setting         {}", scheme.setting)?;
    writeln!(out, "  null key        {}", null(scheme))?;
    writeln!(out, "  empty key       {}", empty(scheme))?;
    writeln!(out, "  lone surrogate  {}", surrogates(scheme))?;
    scheme.quirks.iter().try_for_each(|quirk| writeln!(out, "  quirk           {quirk}"))
}

/// Rows in columns; the last one is not filled up.
pub(crate) fn table<const N: usize>(out: &mut impl Write, rows: &[[String; N]]) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
        writeln!(out, "{}", cells.collect::<String>().trim_end())?;
    }
    Ok(())
}
