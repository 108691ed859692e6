//! Kafka Connect: a worker's `producer.` keys, a connector's `producer.override.`, and transforms that name a partition.
//! Connect's producers are handed bytes: the converter is what makes them.

use super::{Client, Config, KeyForm, Partitioner, Selected, debezium, java};

pub(super) fn read(config: &Config) -> Vec<Selected> {
    vec![select(config, Client::Connect)]
}

pub(super) fn select(config: &Config, client: Client) -> Selected {
    let key = config.get("key.converter").and_then(java::form);
    let key = key.map(|form| match config.get("key.converter.encoding") {
        Some(entry) if !entry.value().replace('-', "").eq_ignore_ascii_case("utf8") => {
            KeyForm { ty: None, by: entry.said() }
        }
        _ => form,
    });
    if let Some(entry) = config.get("connector.class") {
        let class = entry.value().rsplit('.').next().unwrap_or("");
        if class.contains("Sink") {
            let why = (Partitioner::Nothing("a sink: it writes no records to Kafka"), entry.said());
            return config.selected(client, why, None);
        }
        if matches!(class, "MirrorSourceConnector" | "MirrorSource") {
            let why = "each record goes to the partition that it had in the source: hold the source's producers to the contract";
            return config.selected(client, (Partitioner::Unknown(why.into()), entry.said()), None);
        }
    }
    if let Some(routed) = debezium::transforms(config) {
        // The row's fields are hashed; the record's own key plays no part.
        return config.selected(client, routed, None);
    }
    // Without `connector.class` it is a worker's, or a part of a connector's.
    let (keys, unset) = if config.has("connector.class") || config.has_prefix("producer.override.") {
        (
            "producer.override.",
            "no producer.override.partitioner.class, unless the worker has producer.partitioner.class",
        )
    } else {
        ("producer.", "no producer.partitioner.class, unless a connector has producer.override.partitioner.class")
    };
    config.selected(client, java::producer(&config.below(keys), unset), key)
}
