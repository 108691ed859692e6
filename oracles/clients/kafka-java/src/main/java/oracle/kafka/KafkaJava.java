package oracle.kafka;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import oracle.Adapter;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Params;
import oracle.Reflection;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Asks the Java producer of Kafka, any version from 0.8.2.
 *
 * <p>The key goes through the client's own serializer, then through the private {@code partition} method of a real
 * KafkaProducer with default settings: thus the version's own default is asked, whatever class holds it. No broker is
 * reached; the topic's partitions are handed over as a Cluster. Reflection covers what moved between the versions.
 *
 * <p>A key that the producer does not pin is placed 64 times by one producer, each record filling a batch. From 3.3 the
 * producer leaves such a record to its accumulator, which is then asked.
 */
public final class KafkaJava {
    private static final String TOPIC = "topic";
    private static final int REPEATS = 64;
    private static final int DELIVERY_SECONDS = 60;
    /** RecordMetadata.UNKNOWN_PARTITION: the accumulator chooses. */
    private static final int UNKNOWN_PARTITION = -1;

    private static KafkaProducer<byte[], byte[]> keyed;
    private static KafkaProducer<byte[], byte[]> keyless;

    public static void main(String[] args) throws Exception {
        Oracle.claimStdout();
        Oracle.run("kafka-clients", clientVersion(), List.of("kafka/java"), (scheme, params) -> {
            Cluster cluster = cluster(params.integer("partitions"));
            boolean ignoreKeys = ignoreKeys(params);
            return key -> place(key, cluster, ignoreKeys);
        }, (scheme, params, topic) -> {
            params.integer("partitions"); // the topic has them
            var producer = CONNECTED.computeIfAbsent(ignoreKeys(params), KafkaJava::connect);
            return (key, value) -> send(producer, topic, key, value);
        });
    }

    private static boolean ignoreKeys(Params params) throws Adapter.Skip {
        boolean ignoreKeys = params.flag("ignore_keys");
        if (ignoreKeys && !Reflection.exists("org.apache.kafka.clients.producer.internals.BuiltInPartitioner")) {
            throw new Adapter.Skip("partitioner.ignore.keys came with 3.3");
        }
        return ignoreKeys;
    }

    private static final Map<Boolean, KafkaProducer<byte[], byte[]>> CONNECTED = new HashMap<>();

    /** With default settings; the serializers are for what is serialized already. */
    private static KafkaProducer<byte[], byte[]> connect(boolean ignoreKeys) {
        return producer(ignoreKeys, Map.of("bootstrap.servers", System.getenv("KAFKA_BOOTSTRAP")));
    }

    private static Callable<Optional<Outcome>> send(
            KafkaProducer<byte[], byte[]> producer, String topic, Key key, byte[] value) throws Exception {
        Future<RecordMetadata> sent = producer.send(new ProducerRecord<>(topic, serialize(key), value));
        return () -> {
            try {
                sent.get(DELIVERY_SECONDS, TimeUnit.SECONDS);
                return Optional.empty();
            } catch (ExecutionException e) {
                return Optional.of(e.getCause() instanceof RecordTooLargeException
                        ? Outcome.rejected(e.getCause())
                        : Outcome.error("delivery: " + e.getCause()));
            }
        };
    }

    private static Outcome place(Key key, Cluster cluster, boolean ignoreKeys) throws Exception {
        byte[] bytes;
        try {
            bytes = serialize(key);
        } catch (ClassNotFoundException e) {
            return Outcome.error("this version has no " + e.getMessage());
        }
        KafkaProducer<byte[], byte[]> producer = ignoreKeys
                ? (keyless = keyless == null ? producer(true) : keyless)
                : (keyed = keyed == null ? producer(false) : keyed);
        int partition = partition(producer, bytes, cluster);
        if (bytes == null || partition == UNKNOWN_PARTITION) {
            return observe(bytes, cluster, ignoreKeys);
        }
        return Outcome.placed(partition, Integer.toString(Utils.murmur2(bytes)));
    }

    private static int partition(KafkaProducer<byte[], byte[]> producer, byte[] key, Cluster cluster) throws Exception {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TOPIC, key, new byte[1]);
        Method method = method(KafkaProducer.class, "partition");
        if (method != null) {
            return (int) method.invoke(producer, record, key, record.value(), cluster);
        }
        // 0.8.2: Partitioner.partition(record, cluster)
        Object partitioner = field(producer, "partitioner");
        return (int) method(partitioner.getClass(), "partition").invoke(partitioner, record, cluster);
    }

    /** One producer of its own for the key, so that a full buffer never blocks. */
    private static Outcome observe(byte[] key, Cluster cluster, boolean ignoreKeys) throws Exception {
        TreeSet<Integer> seen = new TreeSet<>();
        boolean leftOpen = false;
        KafkaProducer<byte[], byte[]> producer = producer(ignoreKeys);
        try {
            for (int i = 0; i < REPEATS; i++) {
                int partition = partition(producer, key, cluster);
                if (partition == UNKNOWN_PARTITION) {
                    leftOpen = true;
                    partition = append(producer, key, cluster);
                } else {
                    newBatch(producer, cluster, partition);
                }
                seen.add(partition);
            }
        } finally {
            close(producer);
        }
        // One partition shows nothing, except where the producer itself says that the key does not decide.
        if (seen.size() > 1 || leftOpen) {
            return Outcome.unpinned(REPEATS + " records by one producer in " + seen.size() + " partitions");
        }
        return cluster.partitionsForTopic(TOPIC).size() == 1
                ? Outcome.error("with one partition nothing can be observed")
                : Outcome.placed(seen.first(), (String) null);
    }

    /** 3.3 and later: RecordAccumulator.append reports the partition it chose to its callbacks. */
    private static int append(KafkaProducer<byte[], byte[]> producer, byte[] key, Cluster cluster) throws Exception {
        Object accumulator = field(producer, "accumulator");
        Method append = method(accumulator.getClass(), "append");
        int[] chosen = {UNKNOWN_PARTITION};
        Object[] arguments = Arrays.stream(append.getParameterTypes()).map(type -> {
            if (type.isInterface() && type.getSimpleName().equals("AppendCallbacks")) {
                return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> {
                    if (method.getName().equals("setPartition")) {
                        chosen[0] = (int) values[0];
                    }
                    return null;
                });
            }
            return type == Cluster.class ? cluster : type == String.class ? TOPIC : type == boolean.class ? false
                    : type == int.class ? (Object) UNKNOWN_PARTITION : type == long.class ? (Object) 0L : null;
        }).toArray();
        // append(topic, partition, timestamp, key, value, headers, ...): the value fills a batch.
        arguments[3] = key;
        arguments[4] = new byte[256];
        append.invoke(accumulator, arguments);
        return chosen[0];
    }

    /** Drops what the accumulator holds: close() alone would wait two minutes for a broker. 0.8.2 holds nothing here. */
    private static void close(KafkaProducer<byte[], byte[]> producer) {
        try {
            producer.close(Duration.ZERO);
        } catch (NoSuchMethodError e) {
            producer.close();
        }
    }

    /** 2.4 to 3.2: what the producer tells its sticky partitioner when a batch is full. */
    private static void newBatch(KafkaProducer<byte[], byte[]> producer, Cluster cluster, int partition)
            throws Exception {
        Object partitioner = field(producer, "partitioner");
        Method onNewBatch = method(partitioner.getClass(), "onNewBatch");
        if (onNewBatch != null) {
            onNewBatch.invoke(partitioner, TOPIC, cluster, partition);
        }
    }

    private static byte[] serialize(Key key) throws Exception {
        if (key instanceof Key.Null) {
            return null;
        } else if (key instanceof Key.Bytes bytes) {
            return serialize("ByteArraySerializer", bytes.bytes());
        } else if (key instanceof Key.Text text) {
            return serialize("StringSerializer", text.text());
        } else if (key instanceof Key.Typed typed) {
            String value = typed.value();
            return switch (typed.type()) {
                case "short" -> serialize("ShortSerializer", parse(() -> Short.valueOf(value)));
                case "integer" -> serialize("IntegerSerializer", parse(() -> Integer.valueOf(value)));
                case "long" -> serialize("LongSerializer", parse(() -> Long.valueOf(value)));
                case "float" -> serialize("FloatSerializer", parse(() -> Float.valueOf(decimal(value))));
                case "double" -> serialize("DoubleSerializer", parse(() -> Double.valueOf(decimal(value))));
                case "uuid" -> serialize("UUIDSerializer", parse(() -> uuid(value)));
                case "boolean" -> serialize("BooleanSerializer", parse(() -> switch (value) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException("not a boolean");
                }));
                case "string" -> serialize("StringSerializer", value);
                case "bytes" -> serialize("ByteArraySerializer", parse(() -> HexFormat.of().parseHex(value)));
                case "void" -> serialize("VoidSerializer", parse(() -> {
                    if (!value.isEmpty()) {
                        throw new IllegalArgumentException("void has no value");
                    }
                    return null;
                }));
                default -> throw new IllegalArgumentException("no serializer for type " + typed.type());
            };
        }
        throw new IllegalArgumentException("no serializer for a tuple or fields");
    }

    @SuppressWarnings("unchecked")
    private static byte[] serialize(String serializer, Object value) throws Exception {
        Class<?> type;
        try {
            type = Class.forName("org.apache.kafka.common.serialization." + serializer);
        } catch (ClassNotFoundException e) {
            throw new ClassNotFoundException(serializer);
        }
        return ((Serializer<Object>) type.getConstructor().newInstance()).serialize(TOPIC, value);
    }

    private static Object parse(Callable<Object> value) throws Exception {
        try {
            return value.call();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the value does not parse: " + e.getMessage());
        }
    }

    /** Java alone would take "1f", " 1" and "0x1p3" as well. */
    private static String decimal(String value) {
        if (!value.matches("[-+]?(NaN|Infinity|[0-9.]+([eE][-+]?[0-9]+)?)")) {
            throw new IllegalArgumentException("not a number");
        }
        return value;
    }

    /** Java alone would take "1-1-1-1-1" as well. */
    private static UUID uuid(String value) {
        UUID uuid = UUID.fromString(value);
        if (!uuid.toString().equalsIgnoreCase(value)) {
            throw new IllegalArgumentException("not a UUID");
        }
        return uuid;
    }

    /** Nothing listens at the address; a batch of 64 bytes is full after one record. */
    private static KafkaProducer<byte[], byte[]> producer(boolean ignoreKeys) {
        return producer(ignoreKeys,
                Map.of("bootstrap.servers", "127.0.0.1:9", "batch.size", "64", "reconnect.backoff.ms", "60000"));
    }

    private static KafkaProducer<byte[], byte[]> producer(boolean ignoreKeys, Map<String, String> settings) {
        Properties config = new Properties();
        config.putAll(settings);
        config.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        config.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        if (ignoreKeys) {
            config.put("partitioner.ignore.keys", "true");
        }
        return new KafkaProducer<>(config);
    }

    private static final Map<Integer, Cluster> CLUSTERS = new HashMap<>();

    private static Cluster cluster(int partitions) throws Exception {
        if (partitions < 1 || partitions > 200_000) {
            throw new Adapter.Skip("a topic of " + partitions + " partitions is not built here");
        }
        Cluster known = CLUSTERS.get(partitions);
        if (known != null) {
            return known;
        }
        Node node = new Node(0, "127.0.0.1", 9);
        List<PartitionInfo> infos = new ArrayList<>(partitions);
        for (int i = 0; i < partitions; i++) {
            infos.add(new PartitionInfo(TOPIC, i, node, new Node[] {node}, new Node[] {node}));
        }
        Cluster cluster;
        try {
            cluster = new Cluster("cluster", List.of(node), infos, Collections.emptySet(), Collections.emptySet());
        } catch (NoSuchMethodError e) {
            // 0.8.2
            cluster = Cluster.class.getConstructor(java.util.Collection.class, java.util.Collection.class)
                    .newInstance(List.of(node), infos);
        }
        if (CLUSTERS.size() > 64) {
            CLUSTERS.clear();
        }
        CLUSTERS.put(partitions, cluster);
        return cluster;
    }

    private static String clientVersion() throws Exception {
        try (var in = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            if (in != null) {
                Properties properties = new Properties();
                properties.load(in);
                return properties.getProperty("version");
            }
        }
        // 0.8.2 carries no version but in its jar's name.
        Path jar = Path.of(KafkaProducer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        return jar.getFileName().toString().replaceAll("^kafka-clients-|\\.jar$", "");
    }

    /** The declared method of this name with the fewest parameters, or null. */
    private static Method method(Class<?> type, String name) {
        Method found = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name) && !method.isSynthetic())
                .min((a, b) -> Integer.compare(a.getParameterCount(), b.getParameterCount()))
                .orElse(null);
        if (found != null) {
            found.setAccessible(true);
        }
        return found;
    }

    private static Object field(Object object, String name) throws Exception {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
}
