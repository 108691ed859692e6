//! Every golden case in `vectors/`: one test for each scheme and flag, so that the names of the tests that fail say which
//! mistake was made, and a failure tells which flag's cases coincide best with all that fail. `scheme::column` places the
//! same keys a column at a time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use keyfall_conform::diagnosis::suspects;
use keyfall_conform::vectors::{Case, Vectors};
use keyfall_core::wire::OutcomeJson;
use keyfall_core::{
    BytesForm, Coord, Domain, KeyColumn, Outcome, OwnedKey, PlaceColumn, Placer, Places, RowStatus, Scheme, registry,
};
use libtest_mimic::{Arguments, Failed, Trial};

/// Failing cases that are shown in full.
const SHOWN: usize = 3;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut judged = Vec::new();
    for file in files() {
        let name = file.display().to_string();
        match read(&file) {
            Ok(vectors) => {
                let failures = Arc::default();
                trials.extend(tests(Arc::new(vectors), &failures));
                judged.push(failures);
            }
            Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
        }
    }
    let listed = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    // The closing line that every language's runner prints, for ci/test to put into one table.
    let cases = || judged.iter().filter_map(|failures| failures.get()).flatten();
    let failed = cases().filter(|failure| failure.is_some()).count();
    if !listed {
        println!("Rust: {} vector cases passed, {} failed", commas(cases().count() - failed), commas(failed));
    }
    conclusion.exit_code()
}

/// A number with a comma after each group of three digits.
fn commas(n: usize) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

/// `vectors/<system>/<variant>.json` of each registered system; what else is in there is no vector file.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors");
    let mut files = Vec::new();
    for system in registry::SYSTEMS {
        let folder = fs::read_dir(root.join(system.id)).into_iter().flatten().flatten();
        files.extend(folder.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json")));
    }
    files.sort();
    assert!(!files.is_empty(), "no vectors in {}", root.display());
    files
}

fn read(file: &Path) -> Result<Vectors, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Vectors::parse(&text).map_err(|e| format!("{}: {e}", file.display()))
}

fn tests(vectors: Arc<Vectors>, failures: &Arc<OnceLock<Failures>>) -> Vec<Trial> {
    let mut by_flag: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, case) in vectors.cases.iter().enumerate() {
        if case.flags.is_empty() {
            by_flag.entry("unflagged".into()).or_default().push(at);
        }
        for flag in &case.flags {
            by_flag.entry(flag.clone()).or_default().push(at);
        }
    }
    let scheme = vectors.scheme.clone();
    let mut trials: Vec<Trial> = by_flag
        .into_iter()
        .map(|(flag, cases)| {
            let (vectors, failures) = (Arc::clone(&vectors), Arc::clone(failures));
            Trial::test(format!("{scheme}::{flag}"), move || {
                check(&vectors, &cases, failures.get_or_init(|| all_failures(&vectors)))
            })
        })
        .collect();
    trials.push(Trial::test(format!("{scheme}::column"), move || columns(&vectors)));
    trials
}

/// What is wrong with each case, by its place in the file; nothing where it passes.
type Failures = Vec<Option<Failure>>;

/// A case that fails.
struct Failure {
    /// Whether the key falls elsewhere, which is what flags go by; otherwise only the hash that is shown differs.
    elsewhere: bool,
    text: String,
}

fn all_failures(vectors: &Vectors) -> Failures {
    vectors.cases.iter().map(|case| check_case(&vectors.scheme, case).err()).collect()
}

fn check(vectors: &Vectors, cases: &[usize], failures: &Failures) -> Result<(), Failed> {
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|at| {
            let case = &vectors.cases[*at];
            let what = &failures[*at].as_ref()?.text;
            Some(format!("case {}, key {}, params {}: {what}", case.id, shorten(case.key.get()), json(&case.params)))
        })
        .collect();
    if failed.is_empty() {
        return Ok(());
    }
    let mut text = format!("{} of {} cases fail\n", failed.len(), cases.len());
    let judged = vectors.cases.iter().zip(failures);
    let judged = judged.map(|(case, failure)| (case, failure.as_ref().is_some_and(|failure| failure.elsewhere)));
    if let Some(suspect) = suspects(judged).first() {
        let (flag, failed, cases) = (suspect.flag, suspect.failed, suspect.cases);
        let _ = writeln!(
            text,
            "{} keys of {} fall elsewhere; that looks most like {flag}, {failed} of whose {cases} cases do",
            suspect.failures, vectors.scheme
        );
    }
    text.extend(failed.into_iter().take(SHOWN));
    Err(text.into())
}

fn check_case(scheme: &str, case: &Case) -> Result<(), Failure> {
    let malformed = |text: String| Failure { elsewhere: true, text };
    let key = case.key().map_err(|e| malformed(e.to_string()))?;
    let params = case.params().map_err(|e| malformed(e.to_string()))?;
    let placer = Placer::new(scheme, params).map_err(|e| malformed(e.to_string()))?;
    let (got, trace) = key.with(|key| {
        let traced = placer.trace(key);
        let got = OutcomeJson::new(&placer, &placer.place(key));
        (got, traced)
    });
    // What explains a placement is what places.
    let told = traced_outcome(&placer, &trace);
    let Some(what) = case.difference(&got).or_else(|| case.difference(&told)) else { return Ok(()) };
    let mut text = format!("{what} differs, as {} say\n", case.sources.join(", "));
    let expected = OutcomeJson {
        outcome: case.outcome.clone(),
        place: case.place.clone(),
        hash: case.hash.clone(),
        ..OutcomeJson::default()
    };
    let _ = writeln!(text, "  expected  {}", json(&expected));
    let _ = writeln!(text, "  got       {}", json(&got));
    if got != told {
        let _ = writeln!(text, "  traced    {}", json(&told));
    }
    for step in trace.map(|(_, steps)| steps).unwrap_or_default() {
        let _ = writeln!(text, "  {:<8}  {}: {}", step.stage.word(), step.words, step.value);
    }
    Err(Failure { elsewhere: what != "hash", text })
}

type Traced = Result<(Outcome, keyfall_core::Trace), keyfall_core::KeyError>;

fn traced_outcome(placer: &Placer, trace: &Traced) -> OutcomeJson {
    OutcomeJson::new(placer, &trace.as_ref().map(|(outcome, _)| outcome.clone()).map_err(Clone::clone))
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn shorten(key: &str) -> String {
    if key.len() <= 200 {
        return key.into();
    }
    let start: String = key.chars().take(160).collect();
    format!("{start}... ({} bytes of JSON)", key.len())
}

/// The null, bytes, text and UTF-16 keys of the file, a column for each form and params, against `place`.
fn columns(vectors: &Vectors) -> Result<(), Failed> {
    let mut by_params: BTreeMap<String, (Placer, Vec<OwnedKey>)> = BTreeMap::new();
    for case in &vectors.cases {
        let params = json(&case.params);
        if !by_params.contains_key(&params) {
            let placer = Placer::new(&vectors.scheme, case.params()?)?;
            by_params.insert(params.clone(), (placer, Vec::new()));
        }
        by_params.get_mut(&params).expect("inserted").1.push(case.key()?);
    }
    for (placer, keys) in by_params.values() {
        let some = |wanted: fn(&OwnedKey) -> bool| {
            keys.iter().filter(|key| wanted(key) || **key == OwnedKey::Null).cloned().collect::<Vec<_>>()
        };
        binary(placer, &some(|key| matches!(key, OwnedKey::Bytes(_))), false)?;
        binary(placer, &some(|key| matches!(key, OwnedKey::Text(_))), true)?;
        utf16(placer, &some(|key| matches!(key, OwnedKey::Utf16(_))))?;
    }
    Ok(())
}

fn validity(keys: &[OwnedKey]) -> Vec<u8> {
    let mut bits = vec![0; keys.len().div_ceil(8)];
    for (i, _) in keys.iter().enumerate().filter(|(_, key)| **key != OwnedKey::Null) {
        bits[i / 8] |= 1 << (i % 8);
    }
    bits
}

fn binary(placer: &Placer, keys: &[OwnedKey], text: bool) -> Result<(), Failed> {
    let (mut data, mut offsets) = (Vec::new(), vec![0i32]);
    for key in keys {
        match key {
            OwnedKey::Bytes(bytes) => data.extend_from_slice(bytes),
            OwnedKey::Text(text) => data.extend_from_slice(text.as_bytes()),
            _ => {}
        }
        offsets.push(i32::try_from(data.len())?);
    }
    let long: Vec<i64> = offsets.iter().map(|offset| i64::from(*offset)).collect();
    let bits = validity(keys);
    let (offsets, long, data, validity) = (&offsets[..], &long[..], &data[..], Some(&bits[..]));
    let columns = if text {
        [KeyColumn::Utf8 { offsets, data, validity }, KeyColumn::LargeUtf8 { offsets: long, data, validity }]
    } else {
        [KeyColumn::Binary { offsets, data, validity }, KeyColumn::LargeBinary { offsets: long, data, validity }]
    };
    columns.iter().try_for_each(|column| same(placer, keys, column))
}

fn utf16(placer: &Placer, keys: &[OwnedKey]) -> Result<(), Failed> {
    let (mut units, mut offsets) = (Vec::new(), vec![0i32]);
    for key in keys {
        if let OwnedKey::Utf16(key) = key {
            units.extend_from_slice(key);
        }
        offsets.push(i32::try_from(units.len())?);
    }
    let bits = validity(keys);
    same(placer, keys, &KeyColumn::Utf16 { offsets: &offsets, units: &units, validity: Some(&bits) })
}

/// Compares a column's rows with what `place` says about each key.
fn same(placer: &Placer, keys: &[OwnedKey], column: &KeyColumn<'_>) -> Result<(), Failed> {
    let scheme: &Scheme = placer.scheme();
    let rows = keys.len();
    let mut status = vec![u8::MAX; rows];
    let (mut index, mut token, mut wide) = (vec![u32::MAX; rows], vec![i64::MAX; rows], vec![u128::MAX; rows]);
    let (mut offsets, mut data) = (Vec::new(), Vec::new());
    let places = match scheme.domain {
        Domain::Index => Places::U32(&mut index),
        Domain::I32 | Domain::I64 => Places::I64(&mut token),
        Domain::U128 => Places::U128(&mut wide),
        Domain::Bytes(_) => Places::Bytes { offsets: &mut offsets, data: &mut data },
    };
    placer.place_column(column, &mut PlaceColumn { places, status: &mut status, owners: None })?;
    for (i, key) in keys.iter().enumerate() {
        let outcome = key.with(|key| placer.place(key));
        let expected = match &outcome {
            Ok(Outcome::Placed(_)) => RowStatus::Placed,
            Ok(Outcome::Unpinned(_)) => RowStatus::Unpinned,
            Ok(Outcome::Rejected(_)) => RowStatus::Rejected,
            Ok(Outcome::Refused(_)) => RowStatus::Refused,
            Err(_) => RowStatus::Error,
        };
        let place = outcome.ok().and_then(|outcome| outcome.place().map(|place| place.at.clone()));
        let agrees = match (scheme.domain, place) {
            (Domain::Index, Some(Coord::Index(n))) => index[i] == n,
            (Domain::I32, Some(Coord::I32(n))) => token[i] == i64::from(n),
            (Domain::I64, Some(Coord::I64(n))) => token[i] == n,
            (Domain::U128, Some(Coord::U128(n))) => wide[i] == n,
            // Only RandomPartitioner's empty key.
            (Domain::U128, Some(Coord::I64(n))) => wide[i] == n as u128,
            (Domain::Bytes(form), Some(at @ Coord::Bytes(..))) => {
                let row = offsets[i] as usize..offsets[i + 1] as usize;
                written(&data[row], form) == at.to_string()
            }
            (Domain::Index, None) => index[i] == 0,
            (Domain::I32 | Domain::I64, None) => token[i] == 0,
            (Domain::U128, None) => wide[i] == 0,
            (Domain::Bytes(_), None) => offsets[i] == offsets[i + 1],
            (domain, Some(at)) => return Err(format!("{at:?} is no place of {domain:?}").into()),
        };
        if status[i] != expected as u8 || !agrees {
            return Err(format!("{}, row {i}, {key:?}: column and place differ", scheme.id).into());
        }
    }
    Ok(())
}

fn written(bytes: &[u8], form: BytesForm) -> String {
    Coord::Bytes(bytes.into(), form).to_string()
}
