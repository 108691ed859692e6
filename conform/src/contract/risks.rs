//! Choices that are allowed, and have gone wrong for others.

use std::collections::HashSet;

use serde::Serialize;

use super::{Contract, Dataset};
use crate::vectors;

/// A risky choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Risk {
    /// The dataset.
    pub dataset: String,
    /// Its name, for programs.
    pub code: &'static str,
    /// What may happen, and what to do instead.
    pub message: String,
}

/// Fewer keys for each place than this, and some places have twice the load of others by chance alone.
const FEW: usize = 20;

/// The risky choices of a contract.
pub fn risks(contract: &Contract) -> Vec<Risk> {
    let all = contract.datasets.iter().flat_map(|(name, dataset)| {
        let risk = |(code, message)| Risk { dataset: name.clone(), code, message };
        dataset_risks(dataset).into_iter().map(risk)
    });
    all.collect()
}

fn dataset_risks(dataset: &Dataset) -> Vec<(&'static str, String)> {
    let mut risks = Vec::new();
    let id = dataset.scheme.id;
    if id == "kafka/librdkafka-consistent-random" {
        risks.push((
            "librdkafka-default",
            "this is librdkafka's default, CRC32: the Java client, Streams and Connect put the same keys elsewhere. With \
             partitioner=murmur2_random librdkafka does as they do"
                .into(),
        ));
    }
    let places = dataset.placer().ok().and_then(|placer| placer.places());
    if let Some(places) = places.filter(|n| id.starts_with("kafka/") && n.is_power_of_two() && *n > 1) {
        risks.push((
            "power-of-two",
            format!(
                "at {places} partitions, a power of two, clients that treat the sign of the hash otherwise agree, and part \
                 once the count changes: add fixtures for another count, or check clients with `keyfall verify`"
            ),
        ));
    }
    let sample = &dataset.fixtures[dataset.fixtures.len() - dataset.from_file..];
    let distinct: HashSet<String> = sample.iter().map(|key| key.with(vectors::key_json).get().to_string()).collect();
    if let Some(places) = places.filter(|n| !sample.is_empty() && distinct.len() < FEW * *n as usize) {
        let keys = distinct.len();
        let unit = dataset.scheme.unit;
        risks.push((
            "few-keys",
            format!(
                "fixtures_file has {keys} distinct keys for {places} {unit}s: if these are all, some {unit}s get far more \
                 than others; it takes some {} keys to even out",
                FEW * places as usize
            ),
        ));
    }
    if let Some(ty) = dataset.key_type.as_deref().filter(|ty| matches!(*ty, "float" | "double" | "float4" | "float8")) {
        risks.push((
            "float-key",
            format!("keys of type {ty}: 0.0 and -0.0, NaNs, and a value that was rounded once more are other bytes"),
        ));
    }
    if dataset.key_type.as_deref().is_some_and(|ty| ty.starts_with("avro")) {
        risks.push((
            "schema-id",
            "Avro keys carry their schema's id: the same key falls elsewhere after a change of schema, and in another \
             registry. Use a string or long as the key"
                .into(),
        ));
    }
    if dataset.scheme.params.iter().any(|spec| spec.name == "int_bits") {
        risks.push((
            "int-width",
            "this client's place depends on the width of Go's int: 32-bit builds put keys elsewhere".into(),
        ));
    }
    if dataset.fixtures.is_empty() {
        risks.push(("no-fixtures", "there are no fixtures: no client can be checked. Give some real keys".into()));
    }
    risks
}
