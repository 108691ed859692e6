//! Whose configuration a text is, by what is in it. What may be of several clients is told, never guessed.

use super::{Client, Config, Entry, debezium, librdkafka, spring};

/// The producers of a file, and whose each is, or why that cannot be told.
pub(super) fn parts(documents: Vec<Config>, client: Option<Client>) -> Vec<(Result<Client, String>, Config)> {
    let documents: Vec<Config> = documents.into_iter().filter(|document| !document.entries.is_empty()).collect();
    // Spring's documents without a name of their own hold together.
    let spring = client == Some(Client::Spring) || (client.is_none() && documents.iter().any(is_spring));
    let together = |document: &Config| {
        let of_spring = client.is_some() || is_spring(document) || profile(document).is_some();
        spring && of_spring && document.part.is_none()
    };
    let (together, others): (Vec<Config>, Vec<Config>) = documents.into_iter().partition(together);
    let together = if together.is_empty() { Vec::new() } else { profiles(together) };
    let told = |config: Config| (client.map_or_else(|| detect(&config), Ok), config);
    let (not_read, others): (Vec<Config>, Vec<Config>) =
        others.into_iter().partition(|document| client.is_none() && not_read(document).is_some());
    let not_read = not_read.into_iter().map(|config| (Err(not_read_why(&config)), config));
    let told = together.into_iter().chain(others.into_iter().flat_map(unnest)).map(told);
    told.chain(not_read).collect()
}

/// Keys of frameworks that have names of their own for a client's settings, and are not read.
const NOT_READ: &[(&str, &str)] = &[
    ("mp.messaging.", "Quarkus (SmallRye Reactive Messaging)"),
    ("quarkus.kafka", "Quarkus"),
    ("quarkus.messaging.", "Quarkus"),
    ("kafka.producers.", "Micronaut"),
    ("ksql.", "ksqlDB"),
    ("akka.kafka", "Akka (HOCON)"),
    ("pekko.kafka", "Pekko (HOCON)"),
    ("alpakka.kafka", "Alpakka (HOCON)"),
];

fn not_read(config: &Config) -> Option<&'static str> {
    let of = |(prefix, framework): &(&str, &'static str)| config.has_prefix(prefix).then_some(*framework);
    NOT_READ.iter().find_map(of)
}

fn not_read_why(config: &Config) -> String {
    format!(
        "it is of {}, whose names for a client's settings are not read: give the producer's own settings in a file of \
         their own, or write an adapter",
        not_read(config).unwrap_or("a framework")
    )
}

fn is_spring(config: &Config) -> bool {
    config.entries.iter().any(|entry| {
        let key = spring::uniform(&entry.key);
        key.starts_with("spring.kafka.") || key.starts_with("spring.cloud.stream.")
    })
}

fn profile(config: &Config) -> Option<&Entry> {
    let names = ["spring.config.activate.onprofile", "spring.profiles"];
    config.entries.iter().find(|entry| names.contains(&&*spring::uniform(&entry.key)))
}

/// The documents that hold always, and for each profile that says something of Kafka these with its own.
fn profiles(documents: Vec<Config>) -> Vec<Config> {
    let (special, always): (Vec<Config>, Vec<Config>) =
        documents.into_iter().partition(|document| profile(document).is_some());
    let base = Config { part: None, entries: always.into_iter().flat_map(|document| document.entries).collect() };
    let special = special.into_iter().filter(is_spring).map(|document| {
        let name = super::shown(profile(&document).expect("it has one").value());
        Config { part: Some(format!("profile {name}")), entries: [base.entries.clone(), document.entries].concat() }
    });
    let special: Vec<Config> = special.collect();
    let base = Some(base).filter(|base| is_spring(base) || special.is_empty());
    base.into_iter().chain(special).collect()
}

/// More producers than a file has.
const MOST: usize = 500;

/// The configurations that stand below keys of others: connectors in a list, a client's settings in an application's.
fn unnest(config: Config) -> Vec<Config> {
    let below = |anchors: &[&str]| -> Vec<String> {
        let mut prefixes: Vec<String> = Vec::new();
        for entry in &config.entries {
            if prefixes.len() > MOST {
                break;
            }
            for anchor in anchors {
                let Some(prefix) = entry.key.strip_suffix(anchor) else { continue };
                let nested = prefix.is_empty() || prefix.ends_with('.');
                if nested && !prefixes.iter().any(|outer| prefix.starts_with(&**outer)) {
                    prefixes.retain(|inner| !inner.starts_with(prefix));
                    prefixes.push(prefix.to_string());
                }
            }
        }
        prefixes
    };
    // A resource of Strimzi: its class stands beside its `config`.
    if config.get("kind").is_some_and(|kind| kind.value() == "KafkaConnector") {
        let mut connector = config.below("spec.config.");
        let class = config.get("spec.class").map(|entry| Entry { key: "connector.class".into(), ..entry.clone() });
        connector.entries.extend(class);
        connector.part = config.get("metadata.name").map(|name| super::shown(name.value()));
        return vec![connector];
    }
    let mut prefixes = below(&["connector.class"]);
    if prefixes.is_empty() && !config.has_prefix("debezium.") {
        prefixes = below(&["bootstrap.servers", "metadata.broker.list", "BootstrapServers"]);
    }
    if prefixes.is_empty() || prefixes == [""] || prefixes.len() > MOST || is_spring(&config) {
        return vec![config];
    }
    let part = |prefix: String| {
        let inner = config.below(&prefix);
        // A connector's name stands in it, or beside its `config`.
        let outer = prefix.trim_end_matches('.');
        let named = outer.strip_suffix("config").map(|outer| format!("{outer}name"));
        let name = inner.get("name").or_else(|| config.get(&named?)).map(|entry| entry.value().to_string());
        Config { part: Some(super::shown(&name.unwrap_or(outer.to_string()))), ..inner }
    };
    prefixes.into_iter().map(part).collect()
}

/// What librdkafka has and the Java client does not.
const LIBRDKAFKA: &[&str] = &[
    "api.version.fallback.ms",
    "api.version.request",
    "batch.num.messages",
    "broker.address.family",
    "broker.version.fallback",
    "compression.codec",
    "enable.gapless.guarantee",
    "enable.ssl.certificate.verification",
    "message.send.max.retries",
    "message.timeout.ms",
    "queue.buffering.backpressure.threshold",
    "queue.buffering.max.kbytes",
    "queue.buffering.max.messages",
    "queue.buffering.max.ms",
    "queuing.strategy",
    "request.required.acks",
    "sasl.mechanisms",
    "sasl.oauthbearer.config",
    "sasl.password",
    "sasl.username",
    "socket.keepalive.enable",
    "socket.nagle.disable",
    "socket.timeout.ms",
    "ssl.ca.location",
    "ssl.ca.pem",
    "ssl.certificate.location",
    "ssl.key.location",
    "statistics.interval.ms",
    "sticky.partitioning.linger.ms",
    "topic.metadata.refresh.interval.ms",
    "BootstrapServers",
];

/// What the Java client has and librdkafka does not.
const JAVA: &[&str] = &[
    "application.id",
    "auto.include.jmx.reporter",
    "buffer.memory",
    "default.key.serde",
    "default.value.serde",
    "interceptor.classes",
    "key.deserializer",
    "key.serializer",
    "max.block.ms",
    "max.request.size",
    "metric.reporters",
    "partitioner.adaptive.partitioning.enable",
    "partitioner.availability.timeout.ms",
    "partitioner.class",
    "partitioner.ignore.keys",
    "receive.buffer.bytes",
    "sasl.client.callback.handler.class",
    "sasl.jaas.config",
    "sasl.login.callback.handler.class",
    "send.buffer.bytes",
    "ssl.truststore.location",
    "ssl.truststore.type",
    "value.deserializer",
    "value.serializer",
];

const CONNECT: &[&str] = &[
    "config.storage.topic",
    "connector.class",
    "key.converter",
    "offset.storage.file.filename",
    "offset.storage.topic",
    "plugin.path",
    "value.converter",
];

fn detect(config: &Config) -> Result<Client, String> {
    if ["broker.id", "process.roles", "log.dirs", "controller.quorum.voters"].iter().any(|key| config.has(key)) {
        return Err("it is a broker's: give the configurations of those who write to it".into());
    }
    let scala = config.get("partitioner.class").is_some_and(|class| class.value().starts_with("kafka.producer."));
    if scala || config.has("serializer.class") || config.has("producer.type") {
        return Err(
            "it is of the Scala producer, whose rule changed in 0.8.2: name kafka/scala-0.8.0 or kafka/scala-0.8.2 \
                    and hold it with `keyfall verify`"
                .into(),
        );
    }
    if is_spring(config) {
        return Ok(Client::Spring);
    }
    let found = |keys: &[&'static str]| keys.iter().copied().find(|key| config.has(key));
    let routing = config.entries.iter().any(|entry| entry.key.ends_with(".type") && entry.value() == debezium::ROUTING);
    let debezium = config.get("connector.class").is_some_and(|class| class.value().starts_with("io.debezium."));
    if routing || debezium || config.has_prefix("debezium.sink.") || config.has_prefix("debezium.source.") {
        return Ok(Client::Debezium);
    }
    if found(CONNECT).is_some() || config.has_prefix("producer.override.") {
        return Ok(Client::Connect);
    }
    let names_one = |entry: &&Entry| librdkafka::is_partitioner(&entry.key);
    let partitioner = config.entries.iter().find(names_one).map(|_| "partitioner");
    let prefixed = |keys: &[&'static str]| keys.iter().copied().find(|key| config.has(&format!("producer.{key}")));
    let rdkafka = partitioner.or_else(|| found(LIBRDKAFKA));
    let rdkafka = rdkafka.or_else(|| config.has_prefix("default.topic.config.").then_some("default.topic.config"));
    match (found(JAVA).or_else(|| prefixed(JAVA)), rdkafka) {
        (Some(_), None) => Ok(Client::Java),
        (None, Some(_)) => Ok(Client::Librdkafka),
        (Some(java), Some(rdkafka)) => {
            Err(format!("it may be of two clients: {java} is the Java client's, {rdkafka} is librdkafka's: {CHOOSE}"))
        }
        (None, None) => Err(format!("no setting tells which client it is for: {CHOOSE}")),
    }
}

const CHOOSE: &str = "say it with --client java, librdkafka, connect, debezium or spring";
