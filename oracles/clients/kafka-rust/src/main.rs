//! The default partitioner of the crate kafka, through its producer. What it connects to is no broker, only as much of one as
//! names a topic's partitions and confirms a record: the confirmation names the partition that the producer wrote to.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use kafka::client::{KafkaClient, RequiredAcks};
use kafka::producer::{AsBytes, Producer, Record};
use oracle::{Failure, Outcome, REPEATS};

const VERSION: &str = "0.10.0"; // as in Cargo.toml
const MOST: i32 = 100_000;

/// A topic t12 has 12 partitions.
fn listen() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(stream, address));
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, address: SocketAddr) -> io::Result<()> {
    stream.set_nodelay(true)?;
    loop {
        let mut size = [0; 4];
        stream.read_exact(&mut size)?;
        let mut request = vec![0; u32::from_be_bytes(size) as usize];
        stream.read_exact(&mut request)?;

        let mut request = Request(&request);
        let (api, _version) = (request.int16()?, request.int16()?);
        let mut response = request.take(4)?.to_vec(); // the correlation id
        request.string()?; // the client id
        match api {
            0 => produce(request, &mut response)?,
            3 => metadata(request, &mut response, address)?,
            _ => return Err(io::Error::other("no such request here")),
        }
        stream.write_all(&(response.len() as u32).to_be_bytes())?;
        stream.write_all(&response)?;
    }
}

/// Produce, version 0, of one record.
fn produce(mut request: Request, response: &mut Vec<u8>) -> io::Result<()> {
    request.take(2 + 4 + 4)?; // acks, timeout, one topic
    let topic = request.string()?;
    request.take(4)?; // one partition
    let partition = request.take(4)?;
    response.extend(1_i32.to_be_bytes());
    string(response, topic);
    response.extend(1_i32.to_be_bytes());
    response.extend(partition);
    response.extend(0_i16.to_be_bytes()); // no error
    response.extend(0_i64.to_be_bytes()); // offset
    Ok(())
}

/// Metadata, version 0, of one topic.
fn metadata(mut request: Request, response: &mut Vec<u8>, address: SocketAddr) -> io::Result<()> {
    request.take(4)?; // one topic
    let topic = request.string()?;
    let partitions: i32 = topic[1..].parse().map_err(io::Error::other)?;
    response.extend(1_i32.to_be_bytes()); // one broker, of the id 0
    response.extend(0_i32.to_be_bytes());
    string(response, &address.ip().to_string());
    response.extend(i32::from(address.port()).to_be_bytes());
    response.extend(1_i32.to_be_bytes()); // one topic without error
    response.extend(0_i16.to_be_bytes());
    string(response, topic);
    response.extend(partitions.to_be_bytes());
    for partition in 0..partitions {
        response.extend(0_i16.to_be_bytes());
        response.extend(partition.to_be_bytes());
        for value in [0, 1, 0, 1, 0_i32] {
            response.extend(value.to_be_bytes()); // leader, replicas, replicas in sync
        }
    }
    Ok(())
}

fn string(response: &mut Vec<u8>, text: &str) {
    response.extend((text.len() as i16).to_be_bytes());
    response.extend(text.as_bytes());
}

struct Request<'a>(&'a [u8]);

impl<'a> Request<'a> {
    fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.0 = rest;
        Ok(taken)
    }

    fn int16(&mut self) -> io::Result<i16> {
        self.take(2).map(|bytes| i16::from_be_bytes([bytes[0], bytes[1]]))
    }

    fn string(&mut self) -> io::Result<&'a str> {
        let size = self.int16()?;
        std::str::from_utf8(self.take(size.max(0) as usize)?).map_err(io::Error::other)
    }
}

fn producer(address: SocketAddr, topic: &str) -> kafka::Result<Producer> {
    let mut client = KafkaClient::new(vec![address.to_string()]);
    client.load_metadata(&[topic])?;
    Producer::from_client(client)
        .with_ack_timeout(Duration::from_secs(1))
        .with_required_acks(RequiredAcks::One)
        .create()
}

fn send<K: AsBytes>(producer: &mut Producer, topic: &str, key: K) -> kafka::Result<i32> {
    let record = Record { key, value: "v".to_owned(), topic, partition: -1 };
    let confirmed = producer.send_all(&[record])?;
    Ok(confirmed[0].partition_confirms[0].partition)
}

/// A key may be unpinned where it is null or empty.
fn place(producer: &mut Producer, topic: &str, key: Option<&[u8]>) -> kafka::Result<Outcome> {
    let mut places = Vec::new();
    for _ in 0..if key.is_none_or(<[u8]>::is_empty) { REPEATS } else { 1 } {
        places.push(match key {
            None => send(producer, topic, ())?,
            Some(key) => send(producer, topic, key.to_vec())?,
        });
    }
    Ok(Outcome::observed(&places))
}

fn main() -> io::Result<()> {
    let address = listen()?;
    let mut producers = HashMap::new();
    oracle::serve("kafka-rust", VERSION, &["kafka/kafka-rust"], |_, params, keys| {
        let partitions = params.count("partitions", MOST)?;
        let topic = format!("t{partitions}");
        if producers.len() > 100 {
            producers.clear();
        }
        if !producers.contains_key(&partitions) {
            let made = producer(address, &topic).map_err(|error| Failure::Error(error.to_string()))?;
            producers.insert(partitions, made);
        }
        let producer = producers.get_mut(&partitions).expect("made above");
        oracle::each(keys, |key| {
            place(producer, &topic, key).or_else(|error| Ok(Outcome::Rejected(error.to_string())))
        })
    });
    Ok(())
}
