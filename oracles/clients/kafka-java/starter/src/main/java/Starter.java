import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;
import oracle.Adapter;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Where the Java client puts keys, with the configuration of Service.java. The producer's own method is asked, which is
 * private: thus its partitioner, its settings and its default all count. No broker is reached.
 */
public final class Starter {
    private static final String TOPIC = "topic";

    public static void main(String[] args) throws Exception {
        Oracle.claimStdout();
        Properties config = Service.producer();
        config.putIfAbsent("bootstrap.servers", "localhost:9"); // never asked
        var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        var partition = KafkaProducer.class.getDeclaredMethod(
                "partition", ProducerRecord.class, byte[].class, byte[].class, Cluster.class);
        partition.setAccessible(true);
        Oracle.run(Service.NAME, AppInfoParser.getVersion(), List.of(Service.SCHEME), (scheme, params) -> {
            Cluster cluster = cluster(params.integer("partitions"));
            if (params.flag("ignore_keys")) {
                throw new Adapter.Skip("partitioner.ignore.keys is a setting: Service.java has them");
            }
            return key -> {
                byte[] bytes = bytes(key);
                int place = (int) partition.invoke(
                        producer, new ProducerRecord<>(TOPIC, bytes, new byte[0]), bytes, new byte[0], cluster);
                // RecordMetadata.UNKNOWN_PARTITION: its accumulator may choose any.
                return place < 0 ? Outcome.unpinned("the producer leaves it open") : Outcome.placed(place, (String) null);
            };
        });
    }

    private static byte[] bytes(Key key) {
        if (key instanceof Key.Bytes bytes) {
            return bytes.bytes();
        } else if (key instanceof Key.Text text) {
            return text.text().getBytes(StandardCharsets.UTF_8); // as StringSerializer does
        } else if (key instanceof Key.Null) {
            return null;
        }
        throw new IllegalArgumentException("no serializer for " + key);
    }

    private static Cluster cluster(int partitions) {
        Node[] node = {new Node(0, "localhost", 9)};
        List<PartitionInfo> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new PartitionInfo(TOPIC, partition, node[0], node, node))
                .toList();
        return new Cluster("cluster", List.of(node), all, Set.of(), Set.of());
    }
}
