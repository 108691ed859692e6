//! Spring Boot's names for kafka-clients, and Spring Cloud Stream.
//!
//! Read in `KafkaProperties`: its `key-serializer` is `StringSerializer` unless set, and `producer.properties` goes before
//! it, and it before the common `properties`.

use super::{Client, Config, Entry, KeyForm, Partitioner, Selected, java};

/// A document for a profile changes those without one; each is a part. The producer of Kafka Streams is another one than that
/// of the application's own records.
pub(super) fn read(config: &Config) -> Vec<Selected> {
    let entry = |entry: &Entry| Entry { key: uniform(&entry.key), ..entry.clone() };
    let config = Config { part: config.part.clone(), entries: config.entries.iter().map(entry).collect() };
    let streams = config.has_prefix("spring.kafka.streams.").then(|| streams(&config));
    let own = ["spring.kafka.producer.", "spring.kafka.template.", "spring.cloud.stream."];
    let own = streams.is_none() || own.iter().any(|prefix| config.has_prefix(prefix));
    own.then(|| select(&config)).into_iter().chain(streams).collect()
}

/// `spring.kafka.streams.properties` goes before the common `properties`; both are Streams' own.
fn streams(config: &Config) -> Selected {
    let mut streams = config.below("spring.kafka.properties.");
    streams.entries.extend(config.below("spring.kafka.streams.properties.").entries);
    streams.part = Some(config.part.iter().map(|part| format!("{part}, ")).collect::<String>() + "Kafka Streams");
    java::select(&streams, Client::Spring)
}

/// Spring binds names without regard to case, dashes and underscores, and `[a.b]` as the key `a.b` of a map.
pub(super) fn uniform(key: &str) -> String {
    let key = key.replace('[', ".").replace([']', '-', '_'], "").to_lowercase();
    key.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
}

fn select(config: &Config) -> Selected {
    if let Some(cloud) = cloud(config) {
        return cloud;
    }
    let mut producer = config.below("spring.kafka.properties.");
    let common_serializer = |entry: &Entry| entry.key == "key.serializer";
    producer.entries.retain(|entry| !common_serializer(entry));
    let serializer = config.below("spring.kafka.producer.").entries.into_iter().filter(|e| e.key == "keyserializer");
    producer.entries.extend(serializer.map(|entry| Entry { key: "key.serializer".into(), ..entry }));
    producer.entries.extend(config.below("spring.kafka.producer.properties.").entries);
    let key = match producer.has("key.serializer") {
        true => java::key(&producer),
        false => Some(KeyForm {
            ty: Some("string"),
            by: "no spring.kafka.producer.key-serializer: the default, StringSerializer".into(),
        }),
    };
    let unset = "no spring.kafka.producer.properties[partitioner.class]";
    config.selected(Client::Spring, java::producer(&producer, unset), key)
}

/// What Spring Cloud Stream's keys select, if there are any and none of Spring for Kafka's producers.
fn cloud(config: &Config) -> Option<Selected> {
    let cloud: Vec<&Entry> =
        config.entries.iter().filter(|entry| entry.key.starts_with("spring.cloud.stream.")).collect();
    if cloud.is_empty() {
        return None;
    }
    let own = |entry: &&&Entry| {
        [
            ".producer.partitionkeyexpression",
            ".producer.partitionkeyextractorname",
            ".producer.partitionselectorname",
            ".producer.partitionselectorexpression",
        ]
        .iter()
        .any(|key| entry.key.ends_with(key))
    };
    if let Some(entry) = cloud.iter().find(own) {
        let why = "Spring Cloud Stream chooses the partition, by the hashCode of what the expression gives or by a bean: write an \
                   adapter, or leave it out and let Kafka's client choose";
        let decided_by = format!("line {}: {}", entry.line, super::shown(&entry.name));
        return Some(config.selected(Client::Spring, (Partitioner::Unknown(why.into()), decided_by), None));
    }
    if config.has_prefix("spring.kafka.producer.") {
        return None;
    }
    // The binder's, and those of each binding.
    let mut producer = Config::default();
    for key in ["partitioner.class", "partitioner.ignore.keys", "key.serializer"] {
        let set: Vec<&&Entry> = cloud.iter().filter(|entry| entry.key.ends_with(&format!(".{key}"))).collect();
        if let Some(other) = set.iter().find(|other| other.value() != set[0].value()) {
            let why = format!("bindings differ: {}, and {}", set[0].said(), other.said());
            return Some(config.selected(Client::Spring, (Partitioner::Unknown(why), set[0].said()), None));
        }
        producer.entries.extend(set.first().map(|entry| Entry { key: key.into(), ..(**entry).clone() }));
    }
    let chosen = java::producer(&producer, "no partitioner.class of the Kafka binder");
    Some(config.selected(Client::Spring, chosen, java::key(&producer)))
}
