//! The mistakes that ports make, and the cases that catch them: what every flag of a vector rests on.
//!
//! A scheme has a table of [`Mistake`]s. A mistake is a function from a key to the answer of a port that makes it; a case
//! carries the mistake's flag if that answer is not the oracle's. Where no answer can be computed the shape of the key
//! decides. The flags in a scheme's table are the flags that apply to it, and `cargo xtask vectors lint` wants a case
//! for each.

mod cassandra;
mod debezium;
mod elasticsearch;
mod kafka;
mod keys;
mod redis;
mod scylla;

use std::collections::BTreeSet;

use anyhow::{Context, anyhow};
use keyfall_conform::vectors::Case;
use keyfall_core::wire::{OutcomeJson, PlaceJson};
use keyfall_core::{Key, OwnedKey, Params, Placer, Scheme};

/// Flags that do not apply to a scheme, although they do to its like, and why.
const NOT_FOR: &[(&str, &str, &str)] = &[
    ("kafka/kafka-node-keyed", "binary-key", "the client itself decodes bytes as UTF-8, lossily"),
    ("kafka/kafka-node-keyed", "signed-tail", "it hashes text alone"),
    ("kafka/no-kafka-crc32", "binary-key", "the client itself decodes bytes as UTF-8, lossily"),
    ("kafka/no-kafka-crc32", "utf8", "the client itself takes the low byte of each unit"),
    ("kafka/kafkajs-legacy", "int-minimum", "rounded products reach the ends so seldom that no key was found"),
    ("kafka/group-coordinator", "binary-key", "a group id is text"),
    ("kafka/group-coordinator", "signed-tail", "a group id is text"),
    ("scylla/murmur3", "null-key", "a driver leaves null to the server, which cannot be had here"),
    ("scylla/murmur3", "empty-key", "drivers have another token for it than the server, which cannot be had here"),
    ("scylla/cdc", "null-key", "the partitioner is never given null"),
    ("scylla/cdc-driver", "null-key", "a driver leaves null to the server"),
    ("elasticsearch/time-series", "binary-key", "a document is JSON, which has no bytes"),
    ("elasticsearch/logsdb", "binary-key", "a document is JSON, which has no bytes"),
    ("redis/go-redis", "null-key", "a Go string is never nil"),
    ("kafka/group-coordinator", "surrogate", "its units are hashed, and no request can carry one"),
];

/// A case that may catch a mistake.
pub(crate) struct Subject<'a> {
    scheme: &'static Scheme,
    case: &'a Case,
    key: OwnedKey,
    params: Params,
    placer: Placer,
}

impl<'a> Subject<'a> {
    fn new(scheme: &'static Scheme, case: &'a Case) -> anyhow::Result<Subject<'a>> {
        let params = case.params()?;
        let key = case.key().map_err(|e| anyhow!("{e}"))?;
        Ok(Subject { scheme, case, key, placer: Placer::bind(scheme, params.clone())?, params })
    }

    fn is_placed(&self) -> bool {
        self.case.outcome == "placed"
    }

    /// A param that is a number; as parsed, numbers are text.
    fn number(&self, name: &str) -> Option<u32> {
        self.case.params.get(name)?.as_u64()?.try_into().ok()
    }

    /// What the scheme says about another key: mistakes made before the hash.
    fn place(&self, key: &OwnedKey) -> Answer {
        key.with(|key| Answer::of(&self.placer, key))
    }

    /// What another scheme, or this one with other params, says about the key.
    fn place_as(&self, scheme: &str, params: Params) -> Option<Answer> {
        let placer = Placer::new(scheme, params).ok()?;
        Some(self.key.with(|key| Answer::of(&placer, key)))
    }

    /// The params without one.
    fn params_without(&self, name: &str) -> Params {
        let mut params = self.params.clone();
        params.remove(name);
        params
    }
}

/// What a port answers.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    outcome: String,
    place: Option<PlaceJson>,
}

impl Answer {
    fn of(placer: &Placer, key: Key<'_>) -> Answer {
        let got = OutcomeJson::new(placer, &placer.place(key));
        Answer { outcome: got.outcome, place: got.place }
    }

    /// An index; a mistaken one may be negative.
    fn at(index: impl Into<i64>) -> Answer {
        Answer { outcome: "placed".into(), place: Some(PlaceJson::Number(index.into())) }
    }

    /// What a port says that has another rule for null and empty keys: pinned where this one is not, and the reverse.
    fn other_rule(subject: &Subject<'_>) -> Answer {
        if subject.case.outcome == "unpinned" { Answer::at(0) } else { Answer::without_place("unpinned") }
    }

    fn without_place(outcome: &str) -> Answer {
        Answer { outcome: outcome.into(), place: None }
    }

    /// What a port says about a hash at an end of its range that it takes for an error (-1), for none (0), or that has no
    /// absolute value (-2^31).
    fn at_an_end(hash: i32) -> Option<Answer> {
        [i32::MIN, -1, 0, i32::MAX].contains(&hash).then(|| Answer::without_place("error"))
    }

    fn token(token: impl ToString) -> Answer {
        Answer { outcome: "placed".into(), place: Some(PlaceJson::Text(token.to_string())) }
    }
}

/// What a port that makes the mistake answers; none where the mistake cannot show.
type Answers = dyn Fn(&Subject<'_>) -> Option<Answer>;

/// How a mistake shows.
enum Shows {
    /// The answer of a port that makes it; none where it does not touch the key.
    Answer(Box<Answers>),
    /// The keys of a shape.
    Shape(Box<dyn Fn(&Subject<'_>) -> bool>),
}

/// A mistake that a port can make.
pub(crate) struct Mistake {
    /// The flag of the cases that catch it.
    pub(crate) flag: &'static str,
    /// What a port does that makes it.
    pub(crate) what: &'static str,
    shows: Shows,
}

impl Mistake {
    fn answer(
        flag: &'static str,
        what: &'static str,
        answer: impl Fn(&Subject<'_>) -> Option<Answer> + 'static,
    ) -> Mistake {
        Mistake { flag, what, shows: Shows::Answer(Box::new(answer)) }
    }

    fn shape(flag: &'static str, what: &'static str, shape: impl Fn(&Subject<'_>) -> bool + 'static) -> Mistake {
        Mistake { flag, what, shows: Shows::Shape(Box::new(shape)) }
    }

    /// Whether the case fails in a port that makes this mistake.
    fn is_caught_by(&self, subject: &Subject<'_>) -> bool {
        match &self.shows {
            Shows::Shape(shape) => shape(subject),
            Shows::Answer(answer) => answer(subject)
                .is_some_and(|answer| answer.outcome != subject.case.outcome || answer.place != subject.case.place),
        }
    }
}

/// The mistakes that a port of `scheme` can make.
pub(crate) fn table(scheme: &Scheme) -> Vec<Mistake> {
    let mut table = keys::table(scheme);
    table.extend(match scheme.system() {
        "kafka" => kafka::table(scheme),
        "redis" => redis::table(scheme),
        "cassandra" => cassandra::table(scheme),
        "scylla" => scylla::table(scheme),
        "elasticsearch" | "opensearch" => elasticsearch::table(scheme),
        _ => Vec::new(),
    });
    table.retain(|mistake| !NOT_FOR.iter().any(|(id, flag, _)| *id == scheme.id && *flag == mistake.flag));
    table
}

/// The flags that apply to `scheme`, each with the mistakes behind it.
pub(crate) fn applicable(scheme: &Scheme) -> BTreeSet<&'static str> {
    table(scheme).iter().map(|mistake| mistake.flag).collect()
}

/// Judges cases of one scheme.
pub(crate) struct Judge {
    scheme: &'static Scheme,
    table: Vec<Mistake>,
}

impl Judge {
    pub(crate) fn new(scheme: &'static Scheme) -> Judge {
        Judge { scheme, table: table(scheme) }
    }

    /// The flags that `case` carries, in the order of their names.
    pub(crate) fn flags(&self, case: &Case) -> anyhow::Result<Vec<String>> {
        let subject = Subject::new(self.scheme, case)
            .with_context(|| format!("{}, key {}, params {:?}", self.scheme.id, case.key, case.params))?;
        let mut flags = BTreeSet::new();
        for mistake in &self.table {
            if !flags.contains(mistake.flag) && mistake.is_caught_by(&subject) {
                flags.insert(mistake.flag);
            }
        }
        Ok(flags.into_iter().map(Into::into).collect())
    }
}

/// What a port does with a hash at an end of its range.
const AT_AN_END: &str = "a hash at an end of its range is taken for an error, or for none, or has no absolute value";

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use keyfall_conform::diagnosis::suspects;
    use keyfall_conform::vectors::Vectors;
    use keyfall_core::registry;

    /// Each flag that applies to a scheme: at least one mistake of its class is planted, cases fail, and all that do carry
    /// the flag.
    #[test]
    fn a_mistake_of_every_flag_is_planted_and_told() {
        let vectors = crate::vectors::load_all().unwrap();
        let vectors: BTreeMap<&str, &Vectors> = vectors.iter().map(|file| (file.scheme.as_str(), file)).collect();
        let mut wrong = Vec::new();
        for scheme in registry::schemes() {
            // What is refused altogether has no cases.
            let Some(file) = vectors.get(scheme.id) else { continue };
            let subjects: Vec<Subject<'_>> =
                file.cases.iter().map(|case| Subject::new(scheme, case).unwrap()).collect();
            let mut told: BTreeMap<&str, usize> = applicable(scheme).into_iter().map(|flag| (flag, 0)).collect();
            for mistake in table(scheme).iter().filter(|mistake| matches!(mistake.shows, Shows::Answer(_))) {
                for subject in subjects.iter().filter(|subject| mistake.is_caught_by(subject)) {
                    if subject.case.flags.iter().any(|flag| flag == mistake.flag) {
                        *told.get_mut(mistake.flag).expect("it applies") += 1;
                    } else {
                        wrong.push(format!("{} case {}: {:?} is not told", scheme.id, subject.case.id, mistake.what));
                    }
                }
            }
            wrong.extend(
                told.into_iter()
                    .filter(|(_, cases)| *cases == 0)
                    .map(|(flag, _)| format!("{}: {flag} is not planted", scheme.id)),
            );
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The cases that a port fails which makes one mistake of the table point to its flag: first, or second where two
    /// flags hold nearly the same cases.
    #[test]
    fn a_port_with_one_mistake_is_told_its_flag() {
        let mut wrong = Vec::new();
        let mut ranks = [0; 3];
        for vectors in crate::vectors::load_all().unwrap() {
            let scheme = registry::scheme(&vectors.scheme).unwrap();
            let subjects: Vec<Subject<'_>> =
                vectors.cases.iter().map(|case| Subject::new(scheme, case).unwrap()).collect();
            for mistake in table(scheme).iter().filter(|mistake| matches!(mistake.shows, Shows::Answer(_))) {
                let suspects = suspects(subjects.iter().map(|s| (s.case, mistake.is_caught_by(s))));
                let rank = suspects.iter().position(|suspect| suspect.flag == mistake.flag);
                ranks[rank.unwrap_or(2).min(2)] += 1;
                if rank.is_none_or(|rank| rank > 1) {
                    let likely: Vec<_> = suspects.iter().take(4).map(|s| (s.flag, s.failed, s.cases)).collect();
                    wrong.push(format!("{}: {:?} is {}, not {likely:?}", scheme.id, mistake.what, mistake.flag));
                }
            }
        }
        println!("{ranks:?}");
        assert!(wrong.is_empty(), "{ranks:?}\n{}", wrong.join("\n"));
    }
}
