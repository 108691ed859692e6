//! librdkafka through the crate rdkafka: its producer against its mock cluster. The delivery report says where a record went,
//! and with which key.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use oracle::{Failure, Key, Outcome, REPEATS};
use rdkafka::ClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{DeliveryResult, Message};
use rdkafka::mocking::MockCluster;
use rdkafka::producer::{BaseRecord, DefaultProducerContext, ProducerContext, ThreadedProducer};

const SCHEMES: [&str; 7] = [
    "kafka/librdkafka-random",
    "kafka/librdkafka-consistent",
    "kafka/librdkafka-consistent-random",
    "kafka/librdkafka-murmur2",
    "kafka/librdkafka-murmur2-random",
    "kafka/librdkafka-fnv1a",
    "kafka/librdkafka-fnv1a-random",
];
const MOST_MOCKED: i32 = 10_000; // partitions of a topic of the mock cluster
const STICKY: Duration = Duration::from_millis(11); // longer than the default sticky.partitioning.linger.ms

struct Report {
    index: usize,
    place: Result<i32, Outcome>,
}

/// A record carries its index, its key and where its report goes.
type Sent = Box<(usize, Option<Vec<u8>>, Sender<Report>)>;

struct Context;

impl ClientContext for Context {}

impl ProducerContext for Context {
    type DeliveryOpaque = Sent;

    fn delivery(&self, result: &DeliveryResult<'_>, sent: Sent) {
        let (index, key, reports) = *sent;
        let place = match result {
            Ok(message) if message.key() != key.as_deref() => {
                Err(Outcome::Error(format!("on the wire the key was {:x?}", message.key())))
            }
            Ok(message) => Ok(message.partition()),
            Err((error, _)) => Err(Outcome::Rejected(error.to_string())),
        };
        reports.send(Report { index, place }).expect("the receiver waits for every report");
    }
}

struct Oracle {
    cluster: MockCluster<'static, DefaultProducerContext>,
    topics: HashSet<String>,
    producers: HashMap<String, ThreadedProducer<Context>>,
}

impl Oracle {
    fn topic(&mut self, partitions: i32) -> Result<String, KafkaError> {
        let name = format!("t{partitions}");
        if !self.topics.contains(&name) {
            self.cluster.create_topic(&name, partitions, 1)?;
            self.topics.insert(name.clone());
        }
        Ok(name)
    }

    fn producer(&mut self, partitioner: &str) -> Result<&ThreadedProducer<Context>, KafkaError> {
        if !self.producers.contains_key(partitioner) {
            let producer = ClientConfig::new()
                .set("bootstrap.servers", self.cluster.bootstrap_servers())
                .set("partitioner", partitioner)
                .set("linger.ms", "0")
                .create_with_context(Context)?;
            self.producers.insert(partitioner.to_owned(), producer);
        }
        Ok(&self.producers[partitioner])
    }

    fn place(&mut self, partitioner: &str, partitions: i32, keys: &[Result<Key, String>]) -> Result<Vec<Outcome>, KafkaError> {
        let topic = self.topic(partitions)?;
        let producer = self.producer(partitioner)?;

        let mut outcomes: Vec<_> = keys.iter().map(|_| None).collect();
        let mut asked = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            match key.as_ref().map_err(String::clone).and_then(Key::bytes) {
                Ok(key) => asked.push((index, key)),
                Err(why) => outcomes[index] = Some(Outcome::Error(why)),
            }
        }

        let mut places = vec![Vec::new(); keys.len()];
        for turn in 0..REPEATS {
            produce(producer, &topic, &asked, |report| match report.place {
                Ok(place) => places[report.index].push(place),
                Err(outcome) => outcomes[report.index] = Some(outcome),
            })?;
            // A key may be unpinned where it is null or empty.
            asked.retain(|(index, key)| {
                let often = partitioner == "random" || key.as_ref().is_none_or(Vec::is_empty);
                let seen = &places[*index];
                if outcomes[*index].is_none() && (!often || seen.last() != seen.first() || turn == REPEATS - 1) {
                    outcomes[*index] = Some(Outcome::observed(seen));
                }
                outcomes[*index].is_none()
            });
            if asked.is_empty() {
                break;
            }
            std::thread::sleep(STICKY);
        }
        Ok(outcomes.into_iter().map(|outcome| outcome.expect("every key was placed")).collect())
    }
}

/// One record for each key, and one report for each record.
fn produce(
    producer: &ThreadedProducer<Context>,
    topic: &str,
    keys: &[(usize, Option<Vec<u8>>)],
    mut report: impl FnMut(Report),
) -> Result<(), KafkaError> {
    let (sender, reports) = channel();
    for (index, key) in keys {
        let mut record =
            BaseRecord::with_opaque_to(topic, Box::new((*index, key.clone(), sender.clone()))).payload("v".as_bytes());
        if let Some(key) = key {
            record = record.key(key.as_slice());
        }
        while let Err((error, back)) = producer.send(record) {
            if error != KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull) {
                return Err(error);
            }
            record = back;
            std::thread::sleep(STICKY);
        }
    }
    drop(sender);
    reports.iter().take(keys.len()).for_each(&mut report);
    Ok(())
}

fn main() {
    let cluster = MockCluster::new(1).expect("a mock cluster");
    let mut oracle = Oracle { cluster, topics: HashSet::new(), producers: HashMap::new() };
    oracle::serve("rdkafka-rust", "0.39.0", &SCHEMES, |scheme, params, keys| {
        let partitions = params.count("partitions", MOST_MOCKED)?;
        let partitioner = scheme.trim_start_matches("kafka/librdkafka-").replace('-', "_");
        oracle.place(&partitioner, partitions, keys).map_err(|error| Failure::Error(error.to_string()))
    });
}
