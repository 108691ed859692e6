//! Where rdkafka puts keys, with the configuration of service.rs: they are produced to librdkafka's own mock cluster, and the
//! delivery report says where each went.

#[allow(dead_code)]
mod oracle;
mod service;

use std::collections::HashSet;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use oracle::{Failure, Key, Outcome, REPEATS};
use rdkafka::error::{KafkaError, RDKafkaErrorCode::QueueFull};
use rdkafka::message::{DeliveryResult, Message};
use rdkafka::mocking::MockCluster;
use rdkafka::producer::{BaseRecord, ProducerContext, ThreadedProducer};
use rdkafka::{ClientContext, config::FromClientConfigAndContext};

const MOST_MOCKED: i32 = 10_000; // partitions of a topic of the mock cluster
const STICKY: Duration = Duration::from_millis(11); // longer than the default sticky.partitioning.linger.ms

struct Reports;

impl ClientContext for Reports {}

impl ProducerContext for Reports {
    type DeliveryOpaque = Box<(usize, Sender<(usize, Result<i32, String>)>)>;

    fn delivery(&self, result: &DeliveryResult<'_>, record: Self::DeliveryOpaque) {
        let place = result.as_ref().map(|message| message.partition()).map_err(|(error, _)| error.to_string());
        let _ = record.1.send((record.0, place));
    }
}

type Producer = ThreadedProducer<Reports>;

/// The place of each key, in order.
fn produce(producer: &Producer, topic: &str, keys: &[Option<Vec<u8>>]) -> Result<Vec<Result<i32, String>>, KafkaError> {
    let (sender, reports) = channel();
    for (at, key) in keys.iter().enumerate() {
        let mut record = BaseRecord::with_opaque_to(topic, Box::new((at, sender.clone()))).payload("");
        record.key = key.as_deref();
        while let Err((error, back)) = producer.send::<[u8], str>(record) {
            if error != KafkaError::MessageProduction(QueueFull) {
                return Err(error);
            }
            record = back;
            std::thread::sleep(STICKY);
        }
    }
    let mut places: Vec<_> = reports.iter().take(keys.len()).collect();
    places.sort_by_key(|(at, _)| *at);
    Ok(places.into_iter().map(|(_, place)| place).collect())
}

/// A null or empty key may be unpinned: it is produced until it lands in a second place, at most 64 times.
fn place(producer: &Producer, topic: &str, keys: &[Result<Key, String>]) -> Result<Vec<Outcome>, KafkaError> {
    let keys: Vec<_> = keys.iter().map(|key| key.as_ref().map_err(String::clone)?.bytes()).collect();
    let asked: Vec<Option<Vec<u8>>> = keys.iter().filter_map(|key| key.clone().ok()).collect();
    let mut placed = produce(producer, topic, &asked)?.into_iter();
    let mut outcomes = Vec::new();
    for key in keys {
        let mut places = match key {
            Err(why) => { outcomes.push(Outcome::Error(why)); continue }
            Ok(_) => match placed.next().expect("one for each") {
                Err(why) => { outcomes.push(Outcome::Rejected(why)); continue }
                Ok(place) => vec![place],
            },
        };
        while let Ok(None) | Ok(Some([])) = key.as_ref().map(Option::as_deref)
            && places.len() < REPEATS && places.last() == places.first()
        {
            std::thread::sleep(STICKY);
            places.extend(produce(producer, topic, &[key.clone().expect("matched")])?.into_iter().flatten());
        }
        outcomes.push(Outcome::observed(&places));
    }
    Ok(outcomes)
}

fn main() -> Result<(), KafkaError> {
    let cluster = MockCluster::new(1)?;
    let mut config = service::producer();
    config.set("bootstrap.servers", cluster.bootstrap_servers());
    let producer = Producer::from_config_and_context(&config, Reports)?;
    let mut topics = HashSet::new();
    oracle::serve(service::NAME, &rdkafka::util::get_rdkafka_version().1, &[service::SCHEME], |_, params, keys| {
        let partitions = params.count("partitions", MOST_MOCKED)?;
        let topic = format!("t{partitions}");
        let failed = |error: KafkaError| Failure::Error(error.to_string());
        if topics.insert(partitions) {
            cluster.create_topic(&topic, partitions, 1).map_err(failed)?;
        }
        place(&producer, &topic, keys).map_err(failed)
    });
    Ok(())
}
