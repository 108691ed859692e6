//! What is asked: the name under which the service is reported, the function that its configuration selects (`keyfall
//! schemes` lists them), and that configuration, without the brokers. Put your service's own here.

use rdkafka::ClientConfig;

pub const NAME: &str = "rdkafka-service";
pub const SCHEME: &str = "kafka/librdkafka-consistent-random";

pub fn producer() -> ClientConfig {
    ClientConfig::new() // its default is partitioner=consistent_random
}
