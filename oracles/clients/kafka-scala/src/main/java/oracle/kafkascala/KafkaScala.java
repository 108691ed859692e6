package oracle.kafkascala;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import oracle.Adapter;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Reflection;

/**
 * Asks the old producer of Kafka, written in Scala, from 0.8.0 to its last version 1.1.1.
 *
 * <p>A key goes through the private getPartition of a real DefaultEventHandler. A text is a String and meets the default
 * partitioner; bytes meet ByteArrayPartitioner, since the default one takes the identity hash of an array. A null key is
 * placed 64 times, and between two of them the handler forgets its partition of the topic, as it does on every refresh of
 * its metadata (every ten minutes by default): until then the old producer stays on one. No broker is reached.
 */
public final class KafkaScala {
    private static final String TOPIC = "topic";
    private static final int REPEATS = 64;
    private static final String GET_PARTITION = "kafka$producer$async$DefaultEventHandler$$getPartition";

    private static Object strings;
    private static Object arrays;

    public static void main(String[] args) throws Exception {
        Oracle.claimStdout();
        Class<?> log4j = Class.forName("org.apache.log4j.Level");
        Reflection.call(Reflection.callStatic(Class.forName("org.apache.log4j.Logger"), "getRootLogger"), "setLevel",
                log4j.getField("OFF").get(null));

        strings = handler("kafka.producer.DefaultPartitioner");
        arrays = handler("kafka.producer.ByteArrayPartitioner");
        String scheme = args[0].startsWith("0.8.0") || args[0].startsWith("0.8.1") ? "kafka/scala-0.8.0" : "kafka/scala-0.8.2";
        Oracle.run("kafka-scala", args[0], List.of(scheme), (name, params) -> {
            Object partitions = partitions(params.integer("partitions"));
            return key -> place(key, partitions);
        });
    }

    private static Outcome place(Key key, Object partitions) throws Exception {
        if (key instanceof Key.Null || key instanceof Key.Typed typed && typed.type().equals("void")) {
            return observe(partitions);
        } else if (key instanceof Key.Text text) {
            return place(strings, text.text(), partitions);
        } else if (key instanceof Key.Bytes bytes) {
            return place(arrays, bytes.bytes(), partitions);
        } else if (key instanceof Key.Typed typed && typed.type().equals("string")) {
            return place(strings, typed.value(), partitions);
        } else if (key instanceof Key.Typed typed && typed.type().equals("bytes")) {
            return place(arrays, HexFormat.of().parseHex(typed.value()), partitions);
        }
        throw new IllegalArgumentException("neither text nor bytes");
    }

    private static Outcome place(Object handler, Object key, Object partitions) throws Exception {
        int hash = key instanceof byte[] bytes ? Arrays.hashCode(bytes) : key.hashCode();
        int partition = (int) Reflection.call(handler, GET_PARTITION, TOPIC, key, partitions);
        return Outcome.placed(partition, Integer.toString(hash));
    }

    private static Outcome observe(Object partitions) throws Exception {
        TreeSet<Integer> seen = new TreeSet<>();
        for (int i = 0; i < REPEATS; i++) {
            seen.add((int) Reflection.call(strings, GET_PARTITION, TOPIC, null, partitions));
            Reflection.call(Reflection.call(strings, "sendPartitionPerTopicCache"), "clear");
        }
        if (seen.size() > 1) {
            return Outcome.unpinned(REPEATS + " records in " + seen.size() + " partitions, the metadata refreshed after each");
        }
        return (int) Reflection.call(partitions, "size") == 1
                ? Outcome.error("with one partition nothing can be observed")
                : Outcome.placed(seen.first(), (String) null);
    }

    private static Object handler(String partitioner) throws Exception {
        Properties properties = new Properties();
        properties.put("metadata.broker.list", "127.0.0.1:9");
        Object config = make("kafka.producer.ProducerConfig", properties);
        Object verifiable = Reflection.call(config, "props");
        Object encoder = make("kafka.serializer.DefaultEncoder", verifiable);
        Class<?> handler = Class.forName("kafka.producer.async.DefaultEventHandler");
        Object[] arguments = {config, make(partitioner, verifiable), encoder, encoder, make("kafka.producer.ProducerPool", config),
                make("scala.collection.mutable.HashMap"), null};
        var constructor = handler.getConstructors()[0];
        return constructor.newInstance(Arrays.copyOf(arguments, constructor.getParameterCount()));
    }

    /** An instance by the constructor of so many arguments. */
    private static Object make(String type, Object... arguments) throws Exception {
        for (var constructor : Class.forName(type).getConstructors()) {
            if (constructor.getParameterCount() == arguments.length) {
                return constructor.newInstance(arguments);
            }
        }
        throw new NoSuchMethodException(type);
    }

    private static final Map<Integer, Object> TOPICS = new HashMap<>();

    /** A topic's partitions, as the producer would have learnt them: a leader for each. */
    private static Object partitions(int count) throws Exception {
        if (count < 1 || count > 100_000) {
            throw new Adapter.Skip("a topic of " + count + " partitions is not built here");
        }
        Object known = TOPICS.get(count);
        if (known != null) {
            return known;
        }
        Object leader = make("scala.Some", 0);
        Object partitions = make("scala.collection.mutable.ArrayBuffer");
        for (int i = 0; i < count; i++) {
            Reflection.call(partitions, "$plus$eq", make("kafka.producer.PartitionAndLeader", TOPIC, i, leader));
        }
        TOPICS.put(count, partitions);
        return partitions;
    }
}
