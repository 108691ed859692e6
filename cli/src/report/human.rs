//! The report for people: the most telling first, so that its first lines are enough.

use std::io::Write;

use anstyle::Style;
use keyfall_audit::{Attribution, Finding, Fix, Onset, Report};
use keyfall_core::{Scheme, registry};
use textwrap::{Options, WordSplitter};

use super::Redactor;
use crate::stdio;

/// Lines are no longer than this.
const WIDTH: usize = 100;
/// What is said begins here, behind its label.
const INDENT: usize = 12;
/// So many places of an onset are shown.
const PLACES: usize = 36;
/// So many twins, producers and reasons are shown.
const FEW: usize = 5;
/// A longer key is cut.
const KEY_WIDTH: usize = 40;

/// A report and what it is about.
pub(crate) struct Human<'a> {
    /// The report.
    pub(crate) report: &'a Report,
    /// The audited scheme.
    pub(crate) scheme: &'static Scheme,
    /// Whether keys are hidden.
    pub(crate) redactor: &'a Redactor,
}

impl Human<'_> {
    /// Writes it.
    pub(crate) fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let report = self.report;
        let likely: Vec<&Attribution> = report.attribution.iter().filter(|entry| entry.likely).collect();

        for text in self.incomplete() {
            say(out, "incomplete", &text)?;
        }
        say(out, "misplaced", &self.misplaced())?;
        say(out, "split keys", &self.split_keys())?;
        if report.misplaced > 0 {
            self.culprits(&likely, out)?;
            self.since(out)?;
            for entry in &likely {
                if let Some(fix) = entry.fix.first() {
                    say(out, "fix", &self.fix(fix))?;
                }
            }
            if let Some(doubt) = self.doubt(&likely) {
                say(out, "hint", &doubt)?;
            }
        }

        writeln!(out)?;
        say(out, "records", &self.records())?;
        if let Some(interval) = report.interval {
            let text = format!(
                "{} of {} are misplaced: in all that this is a random sample of, {}% to {}% of the keys, with {}% \
                 confidence (Clopper-Pearson)",
                count(interval.misplaced_keys),
                plural(interval.keys, "distinct key"),
                digits(100.0 * interval.low),
                digits(100.0 * interval.high),
                100.0 * interval.level,
            );
            let none = format!(
                "none of {} is misplaced: in all that this is a random sample of, at most {}% of the keys, with {}% \
                 confidence (Clopper-Pearson)",
                plural(interval.keys, "distinct key"),
                digits(100.0 * interval.high),
                100.0 * interval.level,
            );
            say(out, "sample", if interval.misplaced_keys == 0 { &none } else { &text })?;
        }
        self.undecidable(out)?;
        if let Some(lone) = report.lone_surrogates {
            let keys = plural(lone.records, "record");
            say(out, "at risk", &format!("{keys} with a lone surrogate in the key: {}", lone.why))?;
        }
        let reasons = report.reasons.iter().map(|(why, records)| format!("{}: {why}", count(*records)));
        if let Some(text) = few(reasons, report.reasons.len(), "; ") {
            say(out, "not placed", &text)?;
        }
        if let Some(text) = self.producers() {
            say(out, "producers", &text)?;
        }
        for fix in likely.iter().flat_map(|entry| entry.fix.iter().skip(1)) {
            say(out, "fix", &format!("if it is {}", self.fix(fix)))?;
        }
        for (i, example) in report.examples.iter().enumerate() {
            say(out, if i == 0 { "examples" } else { "" }, &self.example(example))?;
        }
        Ok(())
    }

    fn incomplete(&self) -> Vec<String> {
        let report = self.report;
        let mut texts = Vec::new();
        if let Some(range) = report.out_of_range {
            let unit = self.scheme.unit;
            texts.push(format!(
                "{} in {unit}s that do not exist: there are {} with {}, and a record in {unit} {} needs {}. \
                 Nothing below holds if the params are wrong.",
                are(range.records, "record"),
                count(range.places.into()),
                self.params(),
                range.highest,
                count(u64::from(range.highest) + 1),
            ));
        }
        let unread = report.malformed - report.out_of_range.map_or(0, |range| range.records);
        if unread > 0 {
            texts.push(format!("{} malformed and not counted below.", are(unread, "line")));
        }
        if texts.is_empty() && !report.complete {
            texts.push("the input could not be read to its end.".into());
        }
        texts
    }

    fn params(&self) -> String {
        let bare = |value: &serde_json::Value| value.as_str().map_or(value.to_string(), Into::into);
        let params: Vec<String> =
            self.report.params.iter().map(|(name, value)| format!("{name}={}", bare(value))).collect();
        if params.is_empty() { "no params".into() } else { params.join(", ") }
    }

    fn misplaced(&self) -> String {
        let (report, id) = (self.report, self.scheme.id);
        match (report.misplaced, report.keyed) {
            (_, 0) => format!("no record has a key that {id} places"),
            (0, keyed) => format!("none of {}: all are where {id} puts them", plural(keyed, "keyed record")),
            (n, keyed) => {
                let is = if n == 1 { "is" } else { "are" };
                let share = share(n, keyed);
                format!("{} of {} ({share}) {is} not where {id} puts them", count(n), plural(keyed, "keyed record"))
            }
        }
    }

    fn split_keys(&self) -> String {
        let (report, unit) = (self.report, self.scheme.unit);
        let split = report.split_keys;
        let keys = plural(report.distinct_keys, "key");
        let text = match split.keys {
            0 => format!("none of {keys} lies in two or more {unit}s"),
            1 => format!("1 of {keys} lies in two or more {unit}s, with {}", plural(split.records, "record")),
            n => {
                format!("{} of {keys} lie in two or more {unit}s, with {}", count(n), plural(split.records, "record"))
            }
        };
        if split.approximate {
            format!("about {text} (estimated from 1 key in {}, as there are over a million)", split.one_in)
        } else {
            text
        }
    }

    fn culprits(&self, likely: &[&Attribution], out: &mut impl Write) -> anyhow::Result<()> {
        let report = self.report;
        let mut left = report.misplaced;
        for (i, entry) in likely.iter().enumerate() {
            let of = if i == 0 { count(left) } else { format!("the other {}", count(left)) };
            let are = if entry.explains == 1 { "is" } else { "are" };
            let them = if entry.explains == 1 { "it" } else { "them" };
            let text = format!(
                "{} of {of} {are} where {} puts {them}: {}",
                count(entry.explains),
                entry.function,
                schemes(entry),
            );
            say(out, if i == 0 { "culprit" } else { "and" }, &text)?;
            left -= entry.explains;
        }
        // What explains as much as the first, and was counted with it.
        let first = likely.first().map_or(0, |entry| entry.records);
        for entry in report.attribution.iter().skip(1).filter(|entry| entry.records == first && entry.explains == 0) {
            say(out, "or", &format!("just as well {}: {}", entry.function, schemes(entry)))?;
        }
        if likely.is_empty() {
            let system = registry::system(self.scheme.system()).map_or("this system", |system| system.name);
            let best = report.attribution.first().map_or(String::new(), |entry| {
                format!(
                    " The nearest, {}, has {} of {}, as chance would.",
                    entry.function,
                    count(entry.records),
                    count(report.misplaced)
                )
            });
            let text = format!(
                "unknown: no other function of {system} puts them where they are.{best} A changed count, another \
                 encoding of the keys, or a partitioner of one's own would look like this."
            );
            say(out, "culprit", &text)?;
        } else if report.unattributed > 0 {
            let text = format!("{} where no known function puts them", are(report.unattributed, "record"));
            say(out, "and", &text)?;
        }
        Ok(())
    }

    fn since(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (report, unit) = (self.report, self.scheme.unit);
        let mut onset: Vec<&Onset> = report.onset.iter().collect();
        // Times in UTC sort as text, but for the Z behind those without milliseconds. A place without one comes last.
        onset.sort_by_key(|onset| {
            (onset.timestamp.is_none(), onset.timestamp.as_deref().map(|time| time.trim_end_matches('Z')))
        });
        let Some(first) = onset.first().filter(|first| first.offset.is_some() || first.timestamp.is_some()) else {
            return say(out, "since", "unknown: the records have neither offsets nor times");
        };
        let place = |onset: &&Onset| match (onset.offset, &onset.timestamp) {
            (Some(offset), _) => format!("{}:{offset}", onset.place),
            (None, Some(time)) => format!("{} ({time})", onset.place),
            (None, None) => onset.place.to_string(),
        };
        let what = if first.offset.is_some() { "first offset" } else { "first" };
        let intro = match &first.timestamp {
            Some(time) => format!("{time}; {what} of each {unit}, earliest first:"),
            None => format!("{what} of each {unit}:"),
        };
        say(out, "since", &intro)?;
        let more = report.onset.len().saturating_sub(PLACES);
        let mut places: Vec<String> = onset.iter().take(PLACES).map(place).collect();
        if more > 0 {
            places.push(format!("and {} more (--format json has all)", count(more as u64)));
        }
        say(out, "", &places.join(" "))
    }

    fn fix(&self, fix: &Fix) -> String {
        match (fix.setting, fix.scheme) {
            (Some(setting), Some(scheme)) => format!("{}: {setting} ({scheme})", fix.client),
            _ => format!(
                "{}: it has no setting for {}; compute the {} with `keyfall place` or a binding and set it",
                fix.client, self.scheme.function, self.scheme.unit
            ),
        }
    }

    /// When most records are misplaced, it is rather the scheme that is wrong.
    fn doubt(&self, likely: &[&Attribution]) -> Option<String> {
        let report = self.report;
        if report.misplaced * 2 <= report.keyed || report.keyed < 10 {
            return None;
        }
        let scheme = likely.first().filter(|entry| entry.records * 10 >= report.misplaced * 9);
        let ask = match scheme.and_then(|entry| entry.schemes.first()) {
            Some(id) => format!("is {id} the scheme that they are meant to follow?"),
            None => format!("are {} and the encoding of the keys (--key-type, --key-format) right?", self.params()),
        };
        Some(format!("more than half of the records are misplaced: {ask}"))
    }

    fn records(&self) -> String {
        let report = self.report;
        let nulls = match report.null_keys {
            0 => String::new(),
            nulls => format!(" ({})", plural(nulls, "null key")),
        };
        let mut parts = vec![format!("{} keyed", count(report.keyed))];
        if report.unpinned > 0 || report.null_keys > 0 {
            parts.push(format!("{} unpinned{nulls}", count(report.unpinned)));
        }
        for (records, what) in
            [(report.undecidable, "undecidable"), (report.rejected, "rejected"), (report.malformed, "malformed")]
        {
            if records > 0 {
                parts.push(format!("{} {what}", count(records)));
            }
        }
        format!("{}: {}", count(report.records), parts.join(", "))
    }

    fn undecidable(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let report = self.report;
        let damaged = report.replacement_characters + report.null_texts;
        if damaged == 0 {
            return Ok(());
        }
        let mut kinds = Vec::new();
        if report.replacement_characters > 0 {
            kinds.push(format!(
                "{} with U+FFFD, which stands for bytes that were not UTF-8",
                count(report.replacement_characters)
            ));
        }
        if report.null_texts > 0 {
            kinds.push(format!("{} of the text null, as which some tools write a null key", count(report.null_texts)));
        }
        let keys = if damaged == 1 { "key" } else { "keys" };
        let text = format!(
            "{} {keys} that the dump may have damaged: {}. `kcat -C -J` writes the bytes of keys as they are, if nothing \
             behind it reads and writes them again as text; elsewhere dump keys as hex or base64 and read them with \
             --key-format.",
            count(damaged),
            kinds.join(", "),
        );
        say(out, "undecidable", &text)
    }

    fn producers(&self) -> Option<String> {
        let report = self.report;
        let each = report.producers.iter().map(|p| format!("{} {}", p.producer.escape_debug(), count(p.misplaced)));
        let text = few(each, report.producers.len(), ", ")?;
        Some(match report.producers_missed {
            0 => format!("misplaced records of each: {text}"),
            missed => format!("misplaced records of each, perhaps up to {} more: {text}", count(missed)),
        })
    }

    fn example(&self, example: &Finding) -> String {
        let unit = self.scheme.unit;
        let mut text = format!(
            "line {}: {} is in {unit} {}, belongs in {}",
            example.line,
            self.key(&example.key),
            example.found,
            example.expected
        );
        let offset = example.offset.map(|offset| format!("offset {offset}"));
        let producer = example.producer.as_ref().map(|producer| producer.escape_debug().to_string());
        let details: Vec<String> = offset.into_iter().chain(producer).collect();
        if !details.is_empty() {
            text.push_str(&format!(" ({})", details.join(", ")));
        }
        text
    }

    fn key(&self, key: &serde_json::Value) -> String {
        let shown = match key.get("text").and_then(|text| text.as_str()) {
            Some(text) => format!("{text:?}"),
            None if self.redactor.hides() => format!("key {}", key["redacted"].as_str().unwrap_or_default()),
            None => key.to_string(),
        };
        if shown.chars().count() <= KEY_WIDTH {
            return shown;
        }
        format!("{}...", shown.chars().take(KEY_WIDTH - 3).collect::<String>())
    }
}

/// A culprit's schemes: the first in words, of the other clients one each.
fn schemes(entry: &Attribution) -> String {
    let mut schemes = entry.schemes.iter().filter_map(|id| registry::scheme(id).ok());
    let Some(first) = schemes.next() else { return String::new() };
    let default = if first.default { "'s default" } else { "" };
    let mut clients = vec![first.client];
    let mut also: Vec<&str> = Vec::new();
    for twin in schemes {
        if !clients.contains(&twin.client) {
            clients.push(twin.client);
            also.push(twin.id.split_once('/').map_or(twin.id, |(_, variant)| variant));
        }
    }
    let text = format!("{}{default}, {}", first.client, first.setting);
    match few(also.iter().map(|id| (*id).to_string()), also.len(), ", ") {
        Some(also) => format!("{text}; also {also}"),
        None => text,
    }
}

/// The first of `items`, and how many more there are.
fn few(items: impl Iterator<Item = String>, len: usize, separator: &str) -> Option<String> {
    let shown: Vec<String> = items.take(FEW).collect();
    let more = len - shown.len();
    match (shown.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(shown.join(separator)),
        (false, more) => Some(format!("{}{separator}and {more} more", shown.join(separator))),
    }
}

/// Writes a text behind its label.
fn say(out: &mut impl Write, label: &str, text: &str) -> anyhow::Result<()> {
    let indent = " ".repeat(INDENT);
    let options = Options::new(WIDTH).initial_indent(&indent).subsequent_indent(&indent);
    let filled = textwrap::fill(text, options.word_splitter(WordSplitter::NoHyphenation));
    let bold = stdio::style(Style::new().bold());
    writeln!(out, "{bold}{label:INDENT$}{bold:#}{}", filled.get(INDENT..).unwrap_or_default())?;
    Ok(())
}

/// A number with commas.
fn count(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}

fn plural(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(n))
}

fn are(n: u64, what: &str) -> String {
    format!("{} {}", plural(n, what), if n == 1 { "is" } else { "are" })
}

/// A share in percent, never rounded to all or nothing.
fn share(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole as f64;
    if part < whole && percent > 99.9 {
        return "over 99.9%".into();
    }
    format!("{}%", digits(percent))
}

/// A number of percent, with as many digits as tell something.
fn digits(percent: f64) -> String {
    if percent == 0.0 || percent == 100.0 {
        percent.to_string()
    } else if percent >= 1.0 {
        format!("{percent:.1}")
    } else if percent >= 0.01 {
        format!("{percent:.2}")
    } else {
        format!("{percent:.6}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(count));
        assert_eq!((plural(1, "key"), plural(0, "key")), ("1 key".into(), "0 keys".into()));
        for (part, whole, text) in [
            (1, 2, "50.0%"),
            (2, 2, "100%"),
            (99_999, 100_000, "over 99.9%"),
            (22, 10_000, "0.22%"),
            (1, 1_000_000, "0.000100%"),
        ] {
            assert_eq!(share(part, whole), text);
        }
    }
}
