package oracle.kafkabroker;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import oracle.Adapter;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Asks a running broker, whose address is in KAFKA_BOOTSTRAP: the Java producer with its default settings writes a record
 * with the key, and the answer is the partition in which a consumer finds it.
 *
 * <p>A null key is written 64 times by one producer. Each of these records fills a batch, because from 2.4 on the
 * producer changes the partition of such records only then.
 */
public final class KafkaBroker {
    private static final int REPEATS = 64;
    private static final int BATCH_SIZE = 16 * 1024; // the producer's default
    private static final int PARTITIONS_MAX = 2000; // what a small broker creates in seconds
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Properties config = new Properties();
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaProducer<byte[], byte[]> keyIgnoringProducer;
    private final KafkaConsumer<byte[], byte[]> consumer;

    private String topic = "none-yet";
    private int partitions;
    private long written;

    private KafkaBroker(String bootstrap) {
        config.put("bootstrap.servers", bootstrap);
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "earliest");
        admin = Admin.create(config);
        consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        producer = producer(Map.of());
        keyIgnoringProducer = producer(Map.of("partitioner.ignore.keys", "true"));
    }

    public static void main(String[] args) {
        Oracle.claimStdout();
        KafkaBroker broker = new KafkaBroker(System.getenv("KAFKA_BOOTSTRAP"));
        Oracle.run("kafka-broker", AppInfoParser.getVersion(), List.of("kafka/java"), (scheme, params) -> {
            broker.useTopic(params.integer("partitions"));
            var producer = params.flag("ignore_keys") ? broker.keyIgnoringProducer : broker.producer;
            return key -> broker.place(producer, key);
        });
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, String> more) {
        Properties all = new Properties();
        all.put("bootstrap.servers", config.get("bootstrap.servers"));
        all.putAll(more);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * One topic at a time. Each partition gets one record at first: into a partition that is not ready yet, a burst of
     * batches may arrive out of order, and the producer then retries for two minutes and fails.
     */
    private void useTopic(int count) throws Exception {
        if (count == partitions) {
            return;
        }
        if (count < 1 || count > PARTITIONS_MAX) {
            throw new Adapter.Skip("a topic of " + count + " partitions is not created here");
        }
        if (partitions > 0) {
            admin.deleteTopics(List.of(topic)).all().get();
            partitions = 0;
        }
        topic = "placed-" + written + "-of-" + count;
        admin.createTopics(List.of(new NewTopic(topic, count, (short) 1))).all().get();
        List<TopicPartition> all = new ArrayList<>(count);
        List<Future<RecordMetadata>> sent = new ArrayList<>(count);
        for (int partition = 0; partition < count; partition++) {
            all.add(new TopicPartition(topic, partition));
            sent.add(producer.send(new ProducerRecord<>(topic, partition, null, value(-1, Long.BYTES))));
        }
        waitFor(sent);
        consumer.assign(all);
        partitions = count;
    }

    private Outcome place(KafkaProducer<byte[], byte[]> producer, Key key) throws Exception {
        byte[] bytes = serialize(key);
        try {
            if (bytes != null && producer != keyIgnoringProducer) {
                return Outcome.placed(write(producer, bytes, 1, Long.BYTES).first(), null);
            }
            if (partitions == 1) {
                return Outcome.error("with one partition nothing can be observed");
            }
            TreeSet<Integer> seen = write(producer, bytes, REPEATS, BATCH_SIZE);
            return seen.size() == 1
                    ? Outcome.placed(seen.first(), null)
                    : Outcome.unpinned(REPEATS + " records by one producer in " + seen.size() + " partitions");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RecordTooLargeException) {
                return Outcome.error("the default settings take no record of this size");
            }
            throw e;
        }
    }

    /** Writes records with this key and reads them back; the partitions in which they were found. */
    private TreeSet<Integer> write(KafkaProducer<byte[], byte[]> producer, byte[] key, int count, int size)
            throws Exception {
        long first = written;
        List<Future<RecordMetadata>> sent = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sent.add(producer.send(new ProducerRecord<>(topic, key, value(written++, size))));
        }
        producer.flush();
        waitFor(sent);

        TreeSet<Integer> found = new TreeSet<>();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (int missing = count; missing > 0; checkTime(deadline)) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                if (ByteBuffer.wrap(record.value()).getLong() >= first) {
                    if (!Arrays.equals(record.key(), key)) {
                        throw new IllegalStateException("another key was read than written");
                    }
                    found.add(record.partition());
                    missing--;
                }
            }
        }
        return found;
    }

    private static byte[] value(long number, int size) {
        return ByteBuffer.allocate(size).putLong(number).array();
    }

    private static void waitFor(List<Future<RecordMetadata>> sent) throws Exception {
        for (Future<RecordMetadata> one : sent) {
            one.get();
        }
    }

    private static void checkTime(long deadline) throws TimeoutException {
        if (System.nanoTime() > deadline) {
            throw new TimeoutException("the broker did not answer in " + LIMIT.toSeconds() + " s");
        }
    }

    /** By the client's own serializers. */
    private byte[] serialize(Key key) {
        if (key instanceof Key.Null) {
            return null;
        } else if (key instanceof Key.Bytes bytes) {
            return serialize(bytes.bytes());
        } else if (key instanceof Key.Text text) {
            return serialize(text.text());
        } else if (key instanceof Key.Typed typed) {
            String value = typed.value();
            return switch (typed.type()) {
                case "string" -> serialize(value);
                case "bytes" -> serialize(HexFormat.of().parseHex(value));
                case "short" -> serialize(Short.valueOf(value));
                case "integer" -> serialize(Integer.valueOf(value));
                case "long" -> serialize(Long.valueOf(value));
                case "float" -> serialize(Float.valueOf(value));
                case "double" -> serialize(Double.valueOf(value));
                case "uuid" -> serialize(UUID.fromString(value));
                case "boolean" -> serialize(Boolean.valueOf(value));
                case "void" -> null;
                default -> throw new IllegalArgumentException("no serializer for type " + typed.type());
            };
        }
        throw new IllegalArgumentException("no serializer for a tuple or fields");
    }

    @SuppressWarnings("unchecked")
    private <T> byte[] serialize(T value) {
        return Serdes.serdeFrom((Class<T>) value.getClass()).serializer().serialize(topic, value);
    }
}
