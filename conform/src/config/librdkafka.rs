//! librdkafka, and its bindings: `partitioner`, of the client or of a topic. Read in `rdkafka_conf.c`, which takes the seven
//! names as they are spelt here; .NET has an enum of its own.

use super::{Client, Config, Entry, Partitioner, Selected, shown};

pub(super) const NAMES: &[&str] =
    &["random", "consistent", "consistent_random", "murmur2", "murmur2_random", "fnv1a", "fnv1a_random"];

pub(super) fn read(config: &Config) -> Vec<Selected> {
    vec![config.selected(Client::Librdkafka, partitioner(config), None)]
}

fn partitioner(config: &Config) -> (Partitioner, String) {
    let set: Vec<&Entry> = config.entries.iter().filter(|entry| is_partitioner(&entry.key)).collect();
    let Some(entry) = set.last() else {
        if places_nothing(config) {
            return (Partitioner::Nothing("a consumer's configuration"), "no key of a producer".into());
        }
        let default = Partitioner::scheme("kafka/librdkafka-consistent-random");
        return (default, "no partitioner: the default, consistent_random".into());
    };
    // `default.topic.config` and the client's own: which holds is the binding's choice.
    if let Some(other) = set.iter().find(|other| other.key != entry.key && other.value() != entry.value()) {
        let why = format!("two partitioners: {}, and {}", other.said(), entry.said());
        return (Partitioner::Unknown(format!("{why}: leave one")), entry.said());
    }
    let partitioner = match entry.unfilled() {
        Some(unfilled) => unfilled,
        None => match name(entry) {
            Some(name) => Partitioner::scheme(&format!("kafka/librdkafka-{}", name.replace('_', "-"))),
            None => Partitioner::Unknown(format!(
                "{} is no partitioner of librdkafka: {}",
                shown(entry.value()),
                NAMES.join(", ")
            )),
        },
    };
    (partitioner, entry.said())
}

pub(super) fn is_partitioner(key: &str) -> bool {
    matches!(key.rsplit('.').next(), Some("partitioner" | "Partitioner"))
}

fn name(entry: &Entry) -> Option<&'static str> {
    let dotnet = entry.key.ends_with("Partitioner");
    let plain = |name: &str| name.replace('_', "");
    let same =
        |name: &&&str| **name == entry.value() || (dotnet && plain(name).eq_ignore_ascii_case(&plain(entry.value())));
    NAMES.iter().find(same).copied()
}

/// Whether nothing in it is a producer's, and something is a consumer's.
fn places_nothing(config: &Config) -> bool {
    const PRODUCER: &[&str] = &[
        "acks",
        "request.required.acks",
        "linger.ms",
        "queue.buffering.",
        "compression.",
        "enable.idempotence",
        "message.timeout.ms",
        "delivery.",
        "batch.",
        "message.send.max.retries",
        "retries",
        "transactional.id",
        "sticky.partitioning.linger.ms",
        "dr_",
        "Acks",
        "LingerMs",
        "EnableIdempotence",
    ];
    let producer = |entry: &Entry| {
        let key = entry.key.strip_prefix("default.topic.config.").unwrap_or(&entry.key);
        PRODUCER.iter().any(|name| key == *name || (name.ends_with(['.', '_']) && key.starts_with(name)))
    };
    (config.has("group.id") || config.has("GroupId")) && !config.entries.iter().any(producer)
}
