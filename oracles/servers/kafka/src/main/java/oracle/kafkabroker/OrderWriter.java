package oracle.kafkabroker;

import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The Java writer of the example topic: the Java producer with every setting at its default.
 *
 * <p>Arguments: the broker's address and the topic. Reads one JSON line an order, {@code {"ts":..,"key":..,"value":..}};
 * an empty line ends a batch, whose orders are then sent. The first line written is
 * the version of kafka-clients; a batch is answered with one line an order: partition, space, offset.
 */
public final class OrderWriter {
    private record Order(long ts, String key, String value) {}

    public static void main(String[] args) throws Exception {
        String topic = args[1];
        Properties settings = new Properties();
        settings.put("bootstrap.servers", args[0]);

        Gson json = new Gson();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        out.println(AppInfoParser.getVersion());
        out.flush();
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> batch = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!line.isEmpty()) {
                    Order order = json.fromJson(line, Order.class);
                    Integer partition = null; // the partitioner chooses
                    batch.add(producer.send(
                            new ProducerRecord<>(topic, partition, order.ts, order.key, order.value)));
                    continue;
                }
                producer.flush();
                for (Future<RecordMetadata> written : batch) {
                    RecordMetadata where = written.get();
                    out.println(where.partition() + " " + where.offset());
                }
                out.flush();
                batch.clear();
            }
        }
    }
}
