//! kafka-clients, and Streams, whose producers take `producer.` before their keys.
//!
//! Read in `ProducerConfig`, `KafkaProducer` and `StreamsConfig`.

use super::{Client, Config, KeyForm, Partitioner, Selected};

pub(super) fn read(config: &Config) -> Vec<Selected> {
    if places_nothing(config) {
        let why = (Partitioner::Nothing("a consumer's configuration"), "no key of a producer".into());
        return vec![config.selected(Client::Java, why, None)];
    }
    vec![select(config, Client::Java)]
}

/// What a producer's own keys select, or those of Streams.
pub(super) fn select(config: &Config, client: Client) -> Selected {
    // `producer.` goes before what has none.
    let mut merged = config.clone();
    merged.entries.extend(config.below("producer.").entries);
    let key = key(&merged).or_else(|| {
        let serde = merged.get("default.key.serde")?;
        Some(KeyForm { ty: ty(serde.value()), by: format!("{}, unless the code says otherwise", serde.said()) })
    });
    config.selected(client, producer(&merged, "no partitioner.class"), key)
}

/// Whether nothing in it is a producer's, and something is a consumer's.
fn places_nothing(config: &Config) -> bool {
    const CONSUMER: &[&str] = &["key.deserializer", "value.deserializer", "group.id", "auto.offset.reset"];
    const PRODUCER: &[&str] = &[
        "partitioner.class",
        "partitioner.ignore.keys",
        "key.serializer",
        "value.serializer",
        "acks",
        "linger.ms",
        "batch.size",
        "buffer.memory",
        "compression.type",
        "enable.idempotence",
        "transactional.id",
        "delivery.timeout.ms",
        "application.id",
        "default.key.serde",
    ];
    let any = |keys: &[&str]| keys.iter().any(|key| config.has(key));
    any(CONSUMER) && !any(PRODUCER) && !config.has_prefix("producer.")
}

/// What a producer's own keys select, and what decided it. `unset` says that there is none.
pub(super) fn producer(config: &Config, unset: &str) -> (Partitioner, String) {
    const DEFAULT: &str = "org.apache.kafka.clients.producer.internals.DefaultPartitioner";
    const NO_KEY: &[(&str, &str)] = &[
        ("org.apache.kafka.clients.producer.RoundRobinPartitioner", "RoundRobinPartitioner looks at no key"),
        (
            "org.apache.kafka.clients.producer.UniformStickyPartitioner",
            "UniformStickyPartitioner looks at no key, and is gone from 4.0 on",
        ),
    ];
    if let Some(entry) = config.get("partitioner.class") {
        let class = entry.value();
        let partitioner = if let Some(unfilled) = entry.unfilled() {
            unfilled
        } else if class == DEFAULT {
            Partitioner::scheme("kafka/java")
        } else if let Some((_, why)) = NO_KEY.iter().find(|(name, _)| *name == class) {
            Partitioner::Unpinned((*why).into())
        } else if class.is_empty() {
            Partitioner::Unknown("partitioner.class is empty: leave it out".into())
        } else {
            Partitioner::unknown_class(class)
        };
        let deprecated = if class == DEFAULT { " (deprecated; 4.0 does not start with it: leave it out)" } else { "" };
        return (partitioner, entry.said() + deprecated);
    }
    let mut partitioner = Partitioner::scheme("kafka/java");
    // It counts for the built-in partitioner alone.
    if let Some(entry) = config.get("partitioner.ignore.keys") {
        if let Some(unfilled) = entry.unfilled() {
            return (unfilled, entry.said());
        }
        if entry.value().eq_ignore_ascii_case("true") {
            if let Partitioner::Scheme { ignore_keys, .. } = &mut partitioner {
                *ignore_keys = true;
            }
            return (partitioner, entry.said());
        }
    }
    (partitioner, format!("{unset}: the default"))
}

/// How a producer's own keys make bytes of keys.
pub(super) fn key(config: &Config) -> Option<KeyForm> {
    let entry = config.get("key.serializer")?;
    let encoding = ["key.serializer.encoding", "serializer.encoding"].iter().find_map(|key| config.get(key));
    if let Some(encoding) = encoding.filter(|encoding| !encoding.value().replace('-', "").eq_ignore_ascii_case("utf8"))
    {
        return Some(KeyForm { ty: None, by: encoding.said() });
    }
    form(entry)
}

/// What a serializer, serde or converter writes; none where it cannot be told.
pub(super) fn form(entry: &super::Entry) -> Option<KeyForm> {
    let class = entry.value();
    let known = ty(class);
    let other = ["Json", "Protobuf", "Avro"].iter().any(|name| class.rsplit('.').next().unwrap_or("").contains(name));
    (known.is_some() || (other && entry.unfilled().is_none())).then(|| KeyForm { ty: known, by: entry.said() })
}

/// The type of the keys that a class writes. Byte arrays may hold any type.
pub(super) fn ty(class: &str) -> Option<&'static str> {
    // As does a nested class: Serdes$StringSerde.
    let (package, name) = class.rsplit_once(['.', '$'])?;
    const SERIALIZATION: &str = "org.apache.kafka.common.serialization";
    let of_kafka = [SERIALIZATION, "org.apache.kafka.common.serialization.Serdes"].contains(&package);
    let of_connect = ["org.apache.kafka.connect.storage", "org.apache.kafka.connect.converters"].contains(&package);
    Some(match name {
        "StringSerializer" | "StringSerde" if of_kafka => "string",
        "StringConverter" if of_connect => "string",
        "ToStringSerializer" if package == "org.springframework.kafka.support.serializer" => "string",
        "ShortSerializer" | "ShortSerde" if of_kafka => "short",
        "ShortConverter" if of_connect => "short",
        "IntegerSerializer" | "IntegerSerde" if of_kafka => "integer",
        "IntegerConverter" if of_connect => "integer",
        "LongSerializer" | "LongSerde" if of_kafka => "long",
        "LongConverter" if of_connect => "long",
        "FloatSerializer" | "FloatSerde" if of_kafka => "float",
        "FloatConverter" if of_connect => "float",
        "DoubleSerializer" | "DoubleSerde" if of_kafka => "double",
        "DoubleConverter" if of_connect => "double",
        "UUIDSerializer" | "UUIDSerde" if of_kafka => "uuid",
        "BooleanSerializer" | "BooleanSerde" if of_kafka => "boolean",
        "BooleanConverter" if of_connect => "boolean",
        "VoidSerializer" | "VoidSerde" if of_kafka => "void",
        "KafkaAvroSerializer" if package == "io.confluent.kafka.serializers" => "avro-confluent",
        "AvroConverter" if package == "io.confluent.connect.avro" => "avro-confluent",
        _ => return None,
    })
}
