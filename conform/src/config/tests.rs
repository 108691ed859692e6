use proptest::prelude::*;

use super::*;
use crate::contract::Contract;

/// Client, scheme or what there is instead, what decided it.
fn told(name: &str, text: &str) -> Vec<(String, String, String)> {
    let selected = read(name, text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let told = |selected: &Selected| {
        let partitioner = match &selected.partitioner {
            Partitioner::Scheme { scheme, ignore_keys, partitions } => {
                let ignores = if *ignore_keys { " ignoring keys" } else { "" };
                let partitions = partitions.as_ref().map(|n| format!(" of {n}")).unwrap_or_default();
                format!("{}{ignores}{partitions}", scheme.id.strip_prefix("kafka/").unwrap())
            }
            Partitioner::Unpinned(why) => format!("unpinned: {why}"),
            Partitioner::Unknown(why) => format!("unknown: {why}"),
            Partitioner::Nothing(why) => format!("nothing: {why}"),
        };
        (selected.client.name().to_string(), partitioner, selected.decided_by.clone())
    };
    selected.iter().map(told).collect()
}

#[track_caller]
fn one(name: &str, text: &str, client: &str, partitioner: &str, decided_by: &str) {
    let told = told(name, text);
    assert_eq!(told.len(), 1, "{told:?}");
    let (is, chosen, by) = &told[0];
    assert_eq!(is, client);
    assert!(chosen.starts_with(partitioner), "{told:?}");
    assert_eq!(by, decided_by);
}

fn key(name: &str, text: &str) -> Option<(Option<&'static str>, String)> {
    read(name, text, None).unwrap()[0].key.clone().map(|form| (form.ty, form.by))
}

fn refused(name: &str, text: &str) -> String {
    read(name, text, None).unwrap_err().to_string()
}

mod java {
    use super::*;

    const PRODUCER: &str = "\
# orders
bootstrap.servers = kafka-1:9092,\\
    kafka-2:9092
acks=all
security.protocol=SASL_SSL
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\"hunter2\";
key.serializer=org.apache.kafka.common.serialization.LongSerializer
value.serializer: io.confluent.kafka.serializers.KafkaAvroSerializer
";

    #[test]
    fn the_default() {
        one("producer.properties", PRODUCER, "java", "java", "no partitioner.class: the default");
        let (ty, by) = key("producer.properties", PRODUCER).unwrap();
        assert_eq!(ty, Some("long"));
        assert_eq!(by, "line 7: key.serializer=org.apache.kafka.common.serialization.LongSerializer");
    }

    #[test]
    fn classes() {
        const PACKAGE: &str = "org.apache.kafka.clients.producer";
        for (class, partitioner) in [
            ("org.apache.kafka.clients.producer.internals.DefaultPartitioner", "java"),
            ("org.apache.kafka.clients.producer.RoundRobinPartitioner", "unpinned: RoundRobinPartitioner looks"),
            ("org.apache.kafka.clients.producer.UniformStickyPartitioner", "unpinned: UniformStickyPartitioner looks"),
            (
                "com.example.TenantPartitioner",
                "unknown: unknown partitioner com.example.TenantPartitioner, cannot be told: write an adapter",
            ),
            ("com.example.DefaultPartitioner", "unknown: unknown partitioner com.example"),
            ("${PARTITIONER}", "unknown: partitioner.class is filled in elsewhere"),
            ("", "unknown: partitioner.class is empty"),
        ] {
            let told = told("a.properties", &format!("{PRODUCER}partitioner.class={class}\n"));
            assert!(told[0].1.starts_with(partitioner), "{class}: {told:?}");
            assert!(told[0].2.starts_with(&format!("line 9: partitioner.class={class}")), "{class}: {told:?}");
            assert_eq!(
                told[0].2.contains("4.0 does not start"),
                class.starts_with(PACKAGE) && class.contains("internals")
            );
        }
    }

    #[test]
    fn colons_are_properties_too() {
        let text = "bootstrap.servers: kafka:9092\nkey.serializer: a.B\nacks=all\n";
        one("a.properties", text, "java", "java", "no partitioner.class: the default");
    }

    #[test]
    fn ignoring_keys() {
        let text = format!("{PRODUCER}partitioner.ignore.keys=true\n");
        one("a.properties", &text, "java", "java ignoring keys", "line 9: partitioner.ignore.keys=true");
        // It has no effect beside a class.
        let class = "org.apache.kafka.clients.producer.internals.DefaultPartitioner";
        let told = told("a.properties", &format!("{text}partitioner.class={class}\n"));
        assert_eq!(told[0].1, "java");
    }

    #[test]
    fn the_last_of_two_holds() {
        let text = format!("partitioner.class=com.example.A\n{PRODUCER}partitioner.class=com.example.B\n");
        one(
            "a.properties",
            &text,
            "java",
            "unknown: unknown partitioner com.example.B",
            "line 10: partitioner.class=com.example.B",
        );
    }

    #[test]
    fn streams() {
        let text = "application.id=totals\nbootstrap.servers=kafka:9092\n\
            default.key.serde=org.apache.kafka.common.serialization.Serdes$IntegerSerde\n\
            producer.partitioner.class=com.example.P\npartitioner.class=com.example.Q\n";
        one(
            "streams.properties",
            text,
            "java",
            "unknown: unknown partitioner com.example.P",
            "line 4: producer.partitioner.class=com.example.P",
        );
        let (ty, by) = key("streams.properties", text).unwrap();
        assert_eq!(ty, Some("integer"));
        assert!(by.ends_with("unless the code says otherwise"), "{by}");
    }

    #[test]
    fn a_consumer_places_nothing() {
        let text = "bootstrap.servers=kafka:9092\ngroup.id=g\nkey.deserializer=org.apache.kafka.common.serialization.StringDeserializer\n";
        one("consumer.properties", text, "java", "nothing: a consumer", "no key of a producer");
    }

    #[test]
    fn text_that_is_not_utf_8_on_the_wire() {
        let text =
            "key.serializer=org.apache.kafka.common.serialization.StringSerializer\nkey.serializer.encoding=UTF-16\n";
        assert_eq!(key("a.properties", text), Some((None, "line 2: key.serializer.encoding=UTF-16".into())));
        let (ty, _) = key("a.properties", &text.replace("UTF-16", "UTF8")).unwrap();
        assert_eq!(ty, Some("string"));
    }
}

mod librdkafka {
    use super::*;

    #[test]
    fn properties() {
        let text = "bootstrap.servers=kafka:9092\nsasl.username=u\nsasl.password=hunter2\nlinger.ms=5\n";
        let default = "no partitioner: the default, consistent_random";
        one("kcat.conf", text, "librdkafka", "librdkafka-consistent-random", default);
        for (name, scheme) in [
            ("random", "librdkafka-random"),
            ("consistent", "librdkafka-consistent"),
            ("consistent_random", "librdkafka-consistent-random"),
            ("murmur2", "librdkafka-murmur2"),
            ("murmur2_random", "librdkafka-murmur2-random"),
            ("fnv1a", "librdkafka-fnv1a"),
            ("fnv1a_random", "librdkafka-fnv1a-random"),
            ("Murmur2", "unknown: Murmur2 is no partitioner of librdkafka"),
            ("murmur3", "unknown: murmur3 is no partitioner of librdkafka"),
        ] {
            let text = format!("{text}partitioner={name}\n");
            let told = told("librdkafka.properties", &text);
            assert!(told[0].1.starts_with(scheme), "{told:?}");
            assert_eq!(told[0].1.len() > scheme.len(), scheme.starts_with("unknown"), "{told:?}");
            assert_eq!(told[0].2, format!("line 5: partitioner={name}"));
        }
    }

    #[test]
    fn json() {
        let text = "{\n \"bootstrap.servers\": \"kafka:9092\",\n \"default.topic.config\": {\n  \"partitioner\": \"murmur2_random\"\n }\n}";
        let by = "line 4: default.topic.config.partitioner=murmur2_random";
        one("producer.json", text, "librdkafka", "librdkafka-murmur2-random", by);
        let both = text.replacen("\"default", "\"partitioner\": \"consistent\",\n \"default", 1);
        assert!(told("producer.json", &both)[0].1.contains("two partitioners"), "{both}");
        let nested =
            "{\"app\":{\"kafka\":{\"bootstrap.servers\":\"kafka:9092\",\"partitioner\":\"fnv1a\"}},\"debug\":true}";
        one("settings.json", nested, "librdkafka", "librdkafka-fnv1a", "line 1: app.kafka.partitioner=fnv1a");
    }

    #[test]
    fn sections() {
        let text =
            "[default]\nbootstrap.servers=kafka:9092\nsasl.username=u\nsasl.password=hunter2\n[consumer]\ngroup.id=g\n";
        let parts = |text: &str| told("client.ini", text).into_iter().map(|(_, chosen, _)| chosen).collect::<Vec<_>>();
        assert_eq!(parts(text), ["librdkafka-consistent-random", "nothing: a consumer's configuration"]);
        let text = format!("{text}[producer]\npartitioner=murmur2_random\n");
        assert_eq!(parts(&text), ["nothing: a consumer's configuration", "librdkafka-murmur2-random"]);
    }

    #[test]
    fn dotnet() {
        let text = "{\"Kafka\":{\"Producer\":{\"BootstrapServers\":\"kafka:9092\",\"Partitioner\":\"Murmur2Random\"}}}";
        let by = "line 1: Kafka.Producer.Partitioner=Murmur2Random";
        one("appsettings.json", text, "librdkafka", "librdkafka-murmur2-random", by);
    }

    #[test]
    fn a_consumer_places_nothing() {
        let text = "metadata.broker.list=kafka:9092\ngroup.id=g\nsasl.username=u\n";
        one("consumer.conf", text, "librdkafka", "nothing: a consumer", "no key of a producer");
    }
}

mod connect {
    use super::*;

    #[test]
    fn worker() {
        let text = "bootstrap.servers=kafka:9092\ngroup.id=connect\noffset.storage.topic=o\n\
            key.converter=org.apache.kafka.connect.storage.StringConverter\n\
            producer.sasl.jaas.config=PlainLoginModule required password=\"hunter2\";\n";
        let told = told("connect-distributed.properties", text);
        assert_eq!((&*told[0].0, &*told[0].1), ("connect", "java"));
        assert!(told[0].2.starts_with("no producer.partitioner.class"), "{told:?}");
        assert_eq!(key("connect-distributed.properties", text).unwrap().0, Some("string"));
        let text =
            format!("{text}producer.partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner\n");
        let by = "line 6: producer.partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner";
        one("connect-distributed.properties", &text, "connect", "unpinned: RoundRobin", by);
    }

    #[test]
    fn connectors() {
        let source = r#"{"name":"jdbc","config":{
            "connector.class":"io.confluent.connect.jdbc.JdbcSourceConnector",
            "connection.password":"hunter2",
            "key.converter":"org.apache.kafka.connect.converters.LongConverter",
            "producer.override.partitioner.class":"com.example.P"}}"#;
        one(
            "jdbc.json",
            source,
            "connect",
            "unknown: unknown partitioner com.example.P",
            "line 5: config.producer.override.partitioner.class=com.example.P",
        );
        assert_eq!(key("jdbc.json", source).unwrap().0, Some("long"));
        let sink = r#"{"connector.class":"io.confluent.connect.s3.S3SinkConnector","topics":"a"}"#;
        let told = told("list.json", &format!("[{source},{{\"name\":\"s3\",\"config\":{sink}}}]"));
        assert_eq!(told.len(), 2);
        assert!(told[1].1.starts_with("nothing: a sink"), "{told:?}");
        let parts = read("list.json", &format!("[{source},{{\"name\":\"s3\",\"config\":{sink}}}]"), None).unwrap();
        assert_eq!(parts.iter().map(|s| s.part.as_deref()).collect::<Vec<_>>(), [Some("jdbc"), Some("s3")]);
        let mirror = r#"{"connector.class":"org.apache.kafka.connect.mirror.MirrorSourceConnector","topics":".*"}"#;
        assert!(super::told("mm2.json", mirror)[0].1.contains("the partition that it had in the source"));
    }

    #[test]
    fn strimzi() {
        let text = "kind: KafkaConnector\nmetadata:\n  name: orders\nspec:\n  class: io.debezium.connector.postgresql.PostgresConnector\n  config:\n    producer.override.partitioner.ignore.keys: true\n";
        one(
            "connector.yaml",
            text,
            "debezium",
            "java ignoring keys",
            "line 7: spec.config.producer.override.partitioner.ignore.keys=true",
        );
    }
}

mod debezium {
    use super::*;

    const CONNECTOR: &str = r#"{
  "name": "inventory",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.password": "hunter2",
    "transforms": "route, unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.route.type": "io.debezium.transforms.partitions.PartitionRouting",
    "transforms.route.partition.payload.fields": "change.id",
    "transforms.route.partition.topic.num": 12,
    "transforms.route.partition.hash.function": "murmur"
  }
}"#;

    #[test]
    fn the_transform() {
        let by = "line 11: config.transforms.route.partition.hash.function=murmur";
        one("inventory.json", CONNECTOR, "debezium", "debezium-murmur of 12", by);
        let unset = CONNECTOR.replace(",\n    \"transforms.route.partition.hash.function\": \"murmur\"", "");
        let by = "line 8: config.transforms.route.type=io.debezium.transforms.partitions.PartitionRouting, no \
                  partition.hash.function: the default, java";
        one("inventory.json", &unset, "debezium", "debezium-java of 12", by);
        let typo = CONNECTOR.replace("\"murmur\"", "\"murmur3\"");
        let told = told("inventory.json", &typo);
        assert!(told[0].1.starts_with("debezium-java") && told[0].2.contains("unknown to Debezium, which takes java"));
    }

    #[test]
    fn a_transform_that_is_not_listed_is_not_run() {
        let told = told("inventory.json", &CONNECTOR.replace("route, unwrap", "unwrap"));
        assert_eq!((&*told[0].0, &*told[0].1), ("debezium", "java"));
    }

    /// `PartitionRouting` asks `SmtManager.isValidEnvelope`, and passes on what is none.
    #[test]
    fn a_transform_after_the_envelope_is_gone() {
        let text = CONNECTOR.replace("route, unwrap", "unwrap, route");
        one(
            "a.json",
            &text,
            "debezium",
            "unknown: route passes on every record as it is after unwrap",
            "line 6: config.transforms=unwrap, route",
        );
    }

    #[test]
    fn a_predicate() {
        let text = CONNECTOR.replace(
            "\"transforms.route.partition.topic.num\"",
            "\"transforms.route.predicate\": \"mine\", \"transforms.route.partition.topic.num\"",
        );
        assert!(told("a.json", &text)[0].2.ends_with(", where predicate mine holds"));
    }

    #[test]
    fn other_transforms() {
        let other = CONNECTOR.replace("io.debezium.transforms.partitions.PartitionRouting", "com.example.SetPartition");
        assert!(told("a.json", &other)[0].1.contains("unknown partitioner com.example.SetPartition"));
        let outbox = CONNECTOR
            .replace("io.debezium.transforms.partitions.PartitionRouting", "io.debezium.transforms.outbox.EventRouter")
            .replace(
                "partition.payload.fields\": \"change.id",
                "table.fields.additional.placement\": \"kind:header,p:partition",
            );
        assert!(told("a.json", &outbox)[0].1.contains("a column of the outbox table"));
    }

    #[test]
    fn server() {
        let text = "debezium.sink.type=kafka\ndebezium.sink.kafka.producer.bootstrap.servers=kafka:9092\n\
            debezium.sink.kafka.producer.key.serializer=org.apache.kafka.common.serialization.StringSerializer\n\
            debezium.source.database.password=hunter2\n";
        let by = "no debezium.sink.kafka.producer.partitioner.class: the default";
        one("application.properties", text, "debezium", "java", by);
        assert_eq!(key("application.properties", text).unwrap().0, Some("string"));
        let told = told("application.properties", &text.replace("type=kafka", "type=kinesis"));
        assert!(told[0].1.starts_with("nothing"), "{told:?}");
    }
}

mod spring {
    use super::*;

    const YAML: &str = "\
spring:
  application: { name: orders }
  kafka:
    bootstrap-servers: kafka:9092
    properties:
      sasl.jaas.config: PlainLoginModule required password=\"hunter2\";
    producer:
      keySerializer: org.apache.kafka.common.serialization.LongSerializer
      properties:
        \"[partitioner.class]\": com.example.P
";

    #[test]
    fn yaml() {
        let by = "line 10: spring.kafka.producer.properties.[partitioner.class]=com.example.P";
        one("application.yml", YAML, "spring", "unknown: unknown partitioner com.example.P", by);
        assert_eq!(key("application.yml", YAML).unwrap().0, Some("long"));
        let default = "spring:\n  kafka:\n    bootstrap-servers: kafka:9092\n";
        let by = "no spring.kafka.producer.properties[partitioner.class]: the default";
        one("application.yml", default, "spring", "java", by);
        assert_eq!(key("application.yml", default).unwrap().0, Some("string"));
    }

    #[test]
    fn properties() {
        let text = "spring.kafka.properties[partitioner.class]=com.example.A\n\
            spring.kafka.producer.properties.partitioner.class=com.example.B\n\
            spring.kafka.producer.key-serializer=org.springframework.kafka.support.serializer.JsonSerializer\n";
        let by = "line 2: spring.kafka.producer.properties.partitioner.class=com.example.B";
        one("application.properties", text, "spring", "unknown: unknown partitioner com.example.B", by);
        assert_eq!(key("application.properties", text).unwrap().0, None);
    }

    #[test]
    fn profiles() {
        let text = format!(
            "{YAML}---\nspring.config.activate.on-profile: prod\nspring.kafka.producer.properties.partitioner.class: com.example.Q\n---\nspring.config.activate.on-profile: test\nserver.port: 0\n"
        );
        let selected = read("application.yml", &text, None).unwrap();
        let parts: Vec<_> = selected.iter().map(|s| (s.part.as_deref(), &*s.decided_by)).collect();
        assert_eq!(parts[0].0, None);
        assert_eq!(
            parts[1],
            (Some("profile prod"), "line 13: spring.kafka.producer.properties.partitioner.class=com.example.Q")
        );
        assert_eq!(parts.len(), 2);
    }

    #[test]
    fn merge_keys() {
        let text = "common: &common\n  partitioner.class: com.example.M\nspring:\n  kafka:\n    producer:\n      properties:\n        <<: *common\n        linger.ms: 5\n";
        let by = "line 2: spring.kafka.producer.properties.partitioner.class=com.example.M";
        one("application.yml", text, "spring", "unknown: unknown partitioner com.example.M", by);
    }

    #[test]
    fn cloud_stream() {
        let text = "spring.cloud.stream:\n  bindings.out-0.producer:\n    partition-key-expression: payload.id\n    partition-count: 12\n";
        assert!(told("application.yml", text)[0].1.contains("Spring Cloud Stream chooses"), "{text}");
        let text = "spring.cloud.stream.kafka.binder.producer-properties:\n  partitioner.class: com.example.P\n";
        assert!(told("application.yml", text)[0].1.contains("unknown partitioner com.example.P"), "{text}");
    }
}

mod environments {
    use super::*;

    #[test]
    fn names() {
        for (text, client, partitioner) in [
            (
                "KAFKA_BOOTSTRAP_SERVERS=kafka:9092\nKAFKA_PARTITIONER_CLASS=com.example.P\n",
                "java",
                "unknown: unknown partitioner com.example.P",
            ),
            ("KAFKA_PARTITIONER_CLASS\n", "java", "unknown: KAFKA_PARTITIONER_CLASS is filled in elsewhere"),
            ("export KAFKA_PARTITIONER='murmur2_random'\n", "librdkafka", "librdkafka-murmur2-random"),
            (
                "CONNECT_KEY_CONVERTER=a.B\nCONNECT_PRODUCER_PARTITIONER_IGNORE_KEYS=\"true\" # no order\n",
                "connect",
                "java ignoring keys",
            ),
            (
                "SPRING_KAFKA_PRODUCER_PROPERTIES_PARTITIONER_CLASS=com.example.P\n",
                "spring",
                "unknown: unknown partitioner",
            ),
            (
                "DEBEZIUM_SINK_TYPE=kafka\nDEBEZIUM_TRANSFORMS=Route\nDEBEZIUM_TRANSFORMS_ROUTE_TYPE=io.debezium.transforms.partitions.PartitionRouting\n",
                "debezium",
                "debezium-java",
            ),
        ] {
            let told = told(".env", text);
            assert_eq!(told[0].0, client, "{told:?}");
            assert!(told[0].1.starts_with(partitioner), "{told:?}");
        }
        assert_eq!(
            key(".env", "SPRING_KAFKA_PRODUCER_KEYSERIALIZER=org.apache.kafka.common.serialization.LongSerializer\n")
                .unwrap()
                .0,
            Some("long")
        );
        assert_eq!(
            key(".env", "SPRING_KAFKA_PRODUCER_KEY_SERIALIZER=org.apache.kafka.common.serialization.LongSerializer\n")
                .unwrap()
                .0,
            Some("long")
        );
    }

    #[test]
    fn of_containers() {
        let compose = "services:\n  connect:\n    image: a\n    environment:\n      CONNECT_KEY_CONVERTER: a.B\n      \
            CONNECT_PRODUCER_PARTITIONER_CLASS: com.example.P\n  orders:\n    environment:\n      - KAFKA_PARTITIONER=murmur2\n      - DB_PASSWORD=hunter2\n  db:\n    environment:\n      POSTGRES_PASSWORD: hunter2\n";
        let selected = read("docker-compose.yml", compose, None).unwrap();
        let said: Vec<_> =
            selected.iter().map(|s| (s.part.as_deref().unwrap(), s.client.name(), &*s.decided_by)).collect();
        assert_eq!(
            said,
            [
                ("connect", "connect", "line 6: CONNECT_PRODUCER_PARTITIONER_CLASS=com.example.P"),
                ("orders", "librdkafka", "line 9: KAFKA_PARTITIONER=murmur2"),
            ]
        );
        let pod = "kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: orders\n          env:\n            \
            - name: SPRING_KAFKA_BOOTSTRAP_SERVERS\n              value: kafka:9092\n            \
            - name: SPRING_KAFKA_PRODUCER_PROPERTIES_PARTITIONER_CLASS\n              valueFrom: {configMapKeyRef: {name: a, key: b}}\n";
        let selected = read("deployment.yaml", pod, None).unwrap();
        assert_eq!(selected[0].part.as_deref(), Some("orders"));
        assert!(matches!(&selected[0].partitioner, Partitioner::Unknown(why) if why.contains("filled in elsewhere")));
    }

    #[test]
    fn quoted_lines_and_comments() {
        let text = "# a\nKAFKA_SASL_JAAS_CONFIG=\"Plain required\npassword=\\\"hunter2\\\";\"\nDB_URL=x\n\nKAFKA_PARTITIONER_CLASS=${P:-a}\n";
        one(
            "service.env",
            text,
            "java",
            "unknown: KAFKA_PARTITIONER_CLASS is filled in elsewhere",
            "line 6: KAFKA_PARTITIONER_CLASS=${P:-a}",
        );
        assert_eq!(refused("a.env", "KAFKA_ACKS=\"all\nX=1\n"), "line 1: a quote that does not end");
        assert_eq!(refused("a.env", "X=1\nhunter2 is it\n"), "line 2: not NAME=value");
    }
}

#[test]
fn what_cannot_be_told_is_not_guessed() {
    let said = refused("a.properties", "bootstrap.servers=kafka:9092\nacks=all\n");
    assert!(said.contains("no setting tells which client it is for: say it with --client"), "{said}");
    let said = refused("a.properties", "partitioner=murmur2\nkey.serializer=a.B\n");
    assert!(said.contains("key.serializer is the Java client's, partitioner is librdkafka's"), "{said}");
    let said = refused("server.properties", "broker.id=0\nssl.truststore.location=/a\n");
    assert!(said.starts_with("it is a broker's"), "{said}");
    let said =
        refused("a.properties", "metadata.broker.list=kafka:9092\nserializer.class=kafka.serializer.StringEncoder\n");
    assert!(said.starts_with("it is of the Scala producer"), "{said}");
    assert_eq!(read("a.properties", "acks=all\n", Some(Client::Librdkafka)).unwrap().len(), 1);
    for (name, text, said) in [
        ("a.properties", "  \n", "it is empty"),
        ("a.properties", "# nothing\n", "it has no settings"),
        ("a.txt", "hunter2\n", "it is none of the known forms"),
        ("a.xml", "<a b=\"hunter2\"/>\n", "it is none of the known forms"),
        ("a.json", "{\n\"a\": hunter2}", "line 2: not JSON, at column 6"),
        ("a.json", "\"hunter2\"", "it is no JSON object"),
        ("a.yaml", "a: hunter2\n  b: hunter2\n", "line 2: not YAML"),
        ("a.properties", "a=1\npassword=\\u00zz hunter2\n", "line 2: not a line of properties"),
    ] {
        let refused = refused(name, text);
        assert!(refused.starts_with(said), "{text:?}: {refused}");
        assert!(!refused.contains("hunter2"), "{refused}");
    }
}

#[test]
fn the_form_is_told_by_the_content_where_the_name_does_not() {
    for (text, client) in [
        ("{\"partitioner\":\"murmur2\"}", "librdkafka"),
        ("spring:\n  kafka:\n    client-id: a\n", "spring"),
        ("KAFKA_PARTITIONER=murmur2\n", "librdkafka"),
        ("partitioner = murmur2\n", "librdkafka"),
        ("# a\n\nexport KAFKA_PARTITIONER=murmur2\n", "librdkafka"),
        ("[default]\npartitioner = murmur2\n", "librdkafka"),
    ] {
        assert_eq!(told("config", text)[0].0, client, "{text}");
    }
}

#[test]
fn nesting_and_aliases_have_an_end() {
    let refused = |name: &str, text: &str| assert!(read(name, text, None).is_err(), "{name}");
    refused("a.yaml", &"- ".repeat(100_000));
    refused("a.yaml", &"[".repeat(100_000));
    refused("a.yaml", &"a:\n".repeat(3).replace("a:", "? "));
    refused("a.json", &"[".repeat(100_000));
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_string();
    for n in 1..12 {
        laughs += &format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", "));
    }
    refused("a.yaml", &laughs);
}

const CONTRACT: &str = r#"version = 1
[datasets.orders]
scheme = "kafka/java"
params = { partitions = 12 }
key_type = "string"
[datasets.nulls]
scheme = "kafka/java"
params = { partitions = 12 }
fixtures = ["a", { null = true }]
[datasets.rows]
scheme = "kafka/debezium-java"
params = { partitions = 12 }
[datasets.clicks]
scheme = "kafka/java"
params = { partitions = 12, ignore_keys = true }
"#;

fn kept(dataset: &str, text: &str) -> Kept {
    let contract = Contract::parse(CONTRACT, &|_| Err("none".into())).unwrap();
    let selected = read("a.properties", text, None).unwrap();
    judge(&selected[0], &contract.datasets[dataset]).unwrap()
}

#[test]
fn a_selection_against_a_contract() {
    const ROUTING: &str = "connector.class=a.B\ntransforms=r\n\
        transforms.r.type=io.debezium.transforms.partitions.PartitionRouting\ntransforms.r.partition.topic.num=";
    let long = "key.serializer=org.apache.kafka.common.serialization.LongSerializer\n";
    let string = "key.serializer=org.apache.kafka.common.serialization.StringSerializer\n";
    for (dataset, text, keeps, why) in [
        ("orders", string, true, "same function: murmur2-masked-modulo; keys are string"),
        ("orders", long, false, "keys are long, string by the contract (line 1: key.serializer="),
        ("orders", "partitioner=murmur2_random\n", true, "same function"),
        ("orders", "partitioner=murmur2\n", true, "same function: murmur2-masked-modulo; null keys: partition "),
        ("nulls", "partitioner=murmur2\n", false, " here, unpinned by the contract, which has one among its fixtures"),
        (
            "orders",
            "sasl.username=u\nacks=all\n",
            false,
            "kafka/librdkafka-consistent-random places by crc32(key) % partitions, unsigned, kafka/java by",
        ),
        ("orders", "sasl.username=u\nacks=all\n", false, "set partitioner=murmur2_random"),
        ("orders", "partitioner.ignore.keys=true\n", false, "as if it were null"),
        ("clicks", "partitioner.ignore.keys=true\n", true, "same function"),
        (
            "orders",
            "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner\n",
            false,
            "looks at no key",
        ),
        (
            "clicks",
            "partitioner.class=org.apache.kafka.clients.producer.RoundRobinPartitioner\n",
            true,
            "no key is pinned",
        ),
        ("orders", "partitioner.class=a.B\n", false, "write an adapter"),
        ("rows", &format!("{ROUTING}12\n"), true, "same function: debezium-hash-code-sum"),
        ("rows", &format!("{ROUTING}13\n"), false, "partition.topic.num is 13, the contract has 12 partitions"),
        ("rows", "connector.class=a.B\n", false, "kafka/java places by"),
    ] {
        let kept = kept(dataset, text);
        assert!(kept.keeps == keeps && kept.why.contains(why), "{dataset}, {text}: {kept:?}");
    }
}

proptest! {
    /// And what they say is one line of text that does not drive a terminal.
    #[test]
    fn no_text_breaks_a_reader(text in text(), name in prop::sample::select(vec!["a.properties", "a.json", "a.yaml", "a.env", "a"]),
                               client in prop::option::of(prop::sample::select(Client::ALL.to_vec()))) {
        match read(name, &text, client) {
            Ok(selected) => for selected in selected {
                prop_assert!(!selected.decided_by.contains(char::is_control));
            },
            Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
        }
    }
}

/// Any text, and text that is nearly a configuration.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "partitioner",
        ".",
        "class",
        "=",
        ":",
        " ",
        "\n",
        "  ",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "\\",
        "\\u",
        ",",
        "&a",
        "*a",
        "<<",
        "- ",
        "---",
        "#",
        "spring.kafka.producer",
        "transforms",
        "connector.class",
        "KAFKA_",
        "SPRING_",
        "_",
        "murmur2",
        "bootstrap.servers",
        "group.id",
        "?",
        "|",
        "\u{1b}",
        "é",
        "\u{feff}",
        "debezium.",
        "true",
        "null",
        "0",
    ]);
    prop_oneof![any::<String>(), prop::collection::vec(word, 0..40).prop_map(|words| words.concat())]
}

#[test]
fn what_is_not_read_says_so() {
    for (name, text, framework) in [
        (
            "application.properties",
            "kafka.bootstrap.servers=a:1\nmp.messaging.outgoing.o.partitioner.class=a.B\n",
            "Quarkus",
        ),
        ("application.properties", "quarkus.kafka-streams.application-id=a\n", "Quarkus"),
        (
            "application.yml",
            "kafka:\n  bootstrap:\n    servers: a:1\n  producers:\n    default:\n      acks: all\n",
            "Micronaut",
        ),
        ("ksql-server.properties", "bootstrap.servers=a:1\nksql.streams.producer.partitioner.class=a.B\n", "ksqlDB"),
        ("application.conf", "akka.kafka.producer { kafka-clients { partitioner.class = \"a.B\" } }\n", "Akka"),
    ] {
        let said = refused(name, text);
        assert!(said.contains(&format!("it is of {framework}")) && said.contains("are not read"), "{name}: {said}");
    }
    // Whose it is was said: that is what is read.
    let text = "bootstrap.servers=a:1\nksql.service.id=x\n";
    assert!(matches!(
        read("a.properties", text, Some(Client::Java)).unwrap()[0].partitioner,
        Partitioner::Scheme { .. }
    ));
}

#[test]
fn spring_with_kafka_streams() {
    let streams = "spring.kafka.streams.application-id=a\nspring.kafka.streams.properties[producer.partitioner.class]=com.example.P\n";
    let by = "line 2: spring.kafka.streams.properties[producer.partitioner.class]=com.example.P";
    one("application.properties", streams, "spring", "unknown: unknown partitioner com.example.P", by);
    let both = format!("{streams}spring.kafka.producer.acks=all\n");
    let selected = read("application.properties", &both, None).unwrap();
    let parts: Vec<_> =
        selected.iter().map(|s| (s.part.as_deref(), matches!(s.partitioner, Partitioner::Scheme { .. }))).collect();
    assert_eq!(parts, [(None, true), (Some("Kafka Streams"), false)]);
    let common = "spring.kafka.properties[partitioner.ignore.keys]=true\nspring.kafka.streams.application-id=a\n";
    one(
        "application.properties",
        common,
        "spring",
        "java ignoring keys",
        "line 1: spring.kafka.properties[partitioner.ignore.keys]=true",
    );
}
