//! Holding what a client says against what it should say.

mod known;
mod likely;
mod shrink;

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfall_core::wire::{OutcomeJson, PlaceJson};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::adapter::Adapter;
use crate::ask::{AskError, ask, ask_each};
use crate::vectors::{Case, ParamsJson};

pub use known::{Entry, Known};
pub use shrink::{Smallest, shrink};

/// Cases that an adapter is asked about.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The scheme whose cases they are.
    pub scheme: String,
    /// The dataset of a contract that they come from.
    pub dataset: Option<String>,
    /// What the adapter is asked for. It is another scheme where a client is held against a scheme that it does not know.
    pub asked: String,
    /// The cases.
    pub cases: Arc<[Case]>,
}

/// What became of a suite.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct SuiteReport {
    /// The scheme.
    pub scheme: String,
    /// The dataset, where the cases are those of a contract.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// What the adapter was asked for, where that is another scheme.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// How many cases there are: the four counts below, summed.
    pub cases: usize,
    /// Answers that are as they should be.
    pub passed: usize,
    /// Answers that are not.
    pub failed: usize,
    /// Cases that the adapter cannot put to its client.
    pub skipped: usize,
    /// Wrong answers that the list of known failures has.
    pub known_failures: usize,
    /// What is behind the failures, if that can be told.
    pub likely: Option<String>,
    /// Why cases were skipped, and how many.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, usize>,
    /// How the adapter failed, which ends the suite: all cases have failed then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The failures. None of them is known.
    pub failures: Vec<Failure>,
    /// The smallest key and params that show the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest: Option<Smallest>,
}

/// A wrong answer.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The case's number.
    pub id: u32,
    /// Its key.
    pub key: Box<RawValue>,
    /// Its params.
    pub params: Arc<ParamsJson>,
    /// The mistakes under which it fails.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// What was expected.
    pub expected: OutcomeJson,
    /// What the client said.
    pub got: OutcomeJson,
}

/// What a case expects.
fn expected(case: &Case) -> OutcomeJson {
    OutcomeJson {
        outcome: case.outcome.clone(),
        place: case.place.clone(),
        hash: case.hash.clone(),
        ..OutcomeJson::default()
    }
}

/// Asks an adapter about all cases of a suite. `known` notes which of its entries were met.
///
/// An adapter that fails is reported as that: [`SuiteReport::error`].
pub fn verify(adapter: &mut Adapter, suite: &Suite, known: &mut Known) -> SuiteReport {
    let mut report = SuiteReport {
        scheme: suite.scheme.clone(),
        dataset: suite.dataset.clone(),
        asked: (suite.asked != suite.scheme).then(|| suite.asked.clone()),
        cases: suite.cases.len(),
        ..SuiteReport::default()
    };
    let mut verdicts: Vec<Verdict> = Vec::new();
    verdicts.resize_with(suite.cases.len(), || Verdict::AsExpected);
    let asked =
        ask_each(adapter, &suite.asked, suite.cases.iter().map(|case| (&*case.key, &*case.params)), |at, said| {
            verdicts[at] = match said {
                Err(reason) => Verdict::Silent(reason.into()),
                Ok(got) if suite.cases[at].difference(&got).is_none() => Verdict::AsExpected,
                Ok(got) => Verdict::Wrong(Box::new(got)),
            };
        });
    match asked {
        Ok(()) => judge(&mut report, &adapter.hello().name, suite, &verdicts, known),
        Err(error @ (AskError::Adapter(_) | AskError::Said { .. })) => {
            report.failed = report.cases;
            report.error = Some(error.to_string());
        }
    }
    report
}

/// Compares two adapters: the cases' own outcomes count for nothing, the first one's answers are what is expected.
///
/// # Errors
/// A first adapter that fails; the second one's failure is in the report.
pub fn compare(first: &mut Adapter, second: &mut Adapter, suite: &Suite) -> Result<SuiteReport, AskError> {
    let said = ask(first, &suite.asked, suite.cases.iter().map(|case| (&*case.key, &*case.params)))?;
    let mut cases = Vec::new();
    let mut silent: BTreeMap<String, usize> = BTreeMap::new();
    for (case, said) in suite.cases.iter().zip(said) {
        match said {
            Ok(OutcomeJson { outcome, place, hash, .. }) => {
                cases.push(Case { outcome, place, hash, ..case.clone() });
            }
            Err(reason) => *silent.entry(reason).or_default() += 1,
        }
    }
    let expected = Suite { cases: cases.into(), ..suite.clone() };
    let mut report = verify(second, &expected, &mut Known::default());
    for (reason, count) in silent {
        report.cases += count;
        report.skipped += count;
        *report.reasons.entry(reason).or_default() += count;
    }
    Ok(report)
}

/// What is kept of an answer: of most of them nothing.
enum Verdict {
    AsExpected,
    Wrong(Box<OutcomeJson>),
    /// The adapter says nothing about the case; the reason.
    Silent(Box<str>),
}

/// An answer beside its case.
struct Answer<'a> {
    case: &'a Case,
    /// What was said, where that is not what is expected.
    wrong: Option<&'a OutcomeJson>,
}

impl Answer<'_> {
    /// The place that was said.
    fn place(&self) -> Option<&PlaceJson> {
        self.wrong.map_or(self.case.place.as_ref(), |got| got.place.as_ref())
    }
}

fn judge(report: &mut SuiteReport, adapter: &str, suite: &Suite, verdicts: &[Verdict], known: &mut Known) {
    for (case, verdict) in suite.cases.iter().zip(verdicts) {
        match verdict {
            Verdict::AsExpected => report.passed += 1,
            Verdict::Silent(reason) => {
                report.skipped += 1;
                *report.reasons.entry(reason.to_string()).or_default() += 1;
            }
            Verdict::Wrong(_) if known.has(adapter, suite, case) => report.known_failures += 1,
            Verdict::Wrong(got) => {
                report.failed += 1;
                report.failures.push(Failure {
                    id: case.id,
                    key: case.key.clone(),
                    params: Arc::clone(&case.params),
                    flags: case.flags.clone(),
                    expected: expected(case),
                    got: (**got).clone(),
                });
            }
        }
    }
    if report.failed > 0 {
        let answers = suite.cases.iter().zip(verdicts).filter_map(|(case, verdict)| match verdict {
            Verdict::AsExpected => Some(Answer { case, wrong: None }),
            Verdict::Wrong(got) => Some(Answer { case, wrong: Some(got) }),
            Verdict::Silent(_) => None,
        });
        report.likely = likely::likely(&suite.scheme, &answers.collect::<Vec<_>>());
    }
}
