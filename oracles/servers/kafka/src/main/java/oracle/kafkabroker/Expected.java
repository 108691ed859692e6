package oracle.kafkabroker;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HexFormat;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/**
 * What kafka-clients itself says of a key, with no broker: reads one key a line in hex, writes its partition.
 *
 * <p>Argument: the number of partitions.
 */
public final class Expected {
    public static void main(String[] args) throws Exception {
        int partitions = Integer.parseInt(args[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(BuiltInPartitioner.partitionForKey(HexFormat.of().parseHex(line), partitions));
        }
    }
}
