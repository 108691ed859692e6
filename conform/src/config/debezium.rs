//! Debezium: its connectors, its transforms that name a partition, and Debezium Server (`debezium.`).
//!
//! Read in `PartitionRouting` and `EventRouterConfigDefinition`.

use super::{Client, Config, Partitioner, Selected, connect, java, shown};

pub(super) fn read(config: &Config) -> Vec<Selected> {
    if !config.has_prefix("debezium.") {
        return vec![connect::select(config, Client::Debezium)];
    }
    let server = config.below("debezium.");
    if let Some(sink) = server.get("sink.type").filter(|sink| sink.value() != "kafka" && sink.unfilled().is_none()) {
        let why = (Partitioner::Nothing("its sink is not Kafka"), sink.said());
        return vec![config.selected(Client::Debezium, why, None)];
    }
    let producer = server.below("sink.kafka.producer.");
    let (chosen, key) = match transforms(&server) {
        Some(routed) => (routed, None),
        None => (java::producer(&producer, "no debezium.sink.kafka.producer.partitioner.class"), java::key(&producer)),
    };
    vec![config.selected(Client::Debezium, chosen, key)]
}

/// What a connector's transforms select, if one of them names a partition: the last that does.
pub(super) fn transforms(config: &Config) -> Option<(Partitioner, String)> {
    // Those that are not listed are not run.
    let listed = config.get("transforms")?;
    // Names in environments have lost their case.
    let lower = listed.name == listed.name.to_uppercase();
    let mut chosen = None;
    let mut unwrapped: Option<String> = None;
    for name in listed.value().split(',').map(str::trim) {
        let name = if lower { name.to_lowercase() } else { name.into() };
        let transform = config.below(&format!("transforms.{name}."));
        let Some(ty) = transform.get("type") else { continue };
        let class = ty.value();
        match class.rsplit('.').next().unwrap_or("") {
            "PartitionRouting" if class == ROUTING => {
                chosen = Some(match &unwrapped {
                    None => routing(&transform),
                    Some(before) => {
                        let why = format!(
                            "{} passes on every record as it is after {}, which leaves no envelope: list it before",
                            shown(&name),
                            shown(before)
                        );
                        (Partitioner::Unknown(why), listed.said())
                    }
                });
            }
            "ExtractNewRecordState" | "ExtractNewDocumentState" => unwrapped = Some(name),
            "EventRouter" => {
                let placement = transform.get("table.fields.additional.placement");
                let column = |field: &str| field.trim().split(':').nth(1) == Some("partition");
                if let Some(entry) = placement.filter(|entry| entry.value().split(',').any(column)) {
                    let why = "the partition is a column of the outbox table: whoever writes that column is to keep the contract";
                    chosen = Some((Partitioner::Unknown(why.into()), entry.said()));
                }
                unwrapped = Some(name);
            }
            name if name.contains("Partition") => chosen = Some((Partitioner::unknown_class(class), ty.said())),
            _ => {}
        }
    }
    chosen
}

pub(super) const ROUTING: &str = "io.debezium.transforms.partitions.PartitionRouting";

fn routing(transform: &Config) -> (Partitioner, String) {
    let function = transform.get("partition.hash.function");
    let decided_by = match function {
        Some(entry) => entry.said(),
        None => {
            let ty = transform.get("type").expect("it has one").said();
            format!("{ty}, no partition.hash.function: the default, java")
        }
    };
    if let Some(unfilled) = function.and_then(super::Entry::unfilled) {
        return (unfilled, decided_by);
    }
    let mut decided_by = decided_by;
    let id = match function.map(|entry| entry.value().to_ascii_lowercase()) {
        Some(name) if name == "murmur" => "kafka/debezium-murmur",
        // What Debezium does not know is java to it.
        Some(name) if name != "java" => {
            decided_by += &format!(" ({} is unknown to Debezium, which takes java)", shown(&name));
            "kafka/debezium-java"
        }
        _ => "kafka/debezium-java",
    };
    if let Some(predicate) = transform.get("predicate") {
        decided_by += &format!(", where predicate {} holds", shown(predicate.value()));
    }
    let mut partitioner = Partitioner::scheme(id);
    if let Partitioner::Scheme { partitions, .. } = &mut partitioner {
        let count = transform.get("partition.topic.num").filter(|entry| entry.unfilled().is_none());
        *partitions = count.map(|entry| entry.value().to_string());
    }
    (partitioner, decided_by)
}
