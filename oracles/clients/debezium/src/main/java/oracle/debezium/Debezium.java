package oracle.debezium;

import io.debezium.Module;
import io.debezium.data.Envelope;
import io.debezium.transforms.partitions.PartitionRouting;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Asks Debezium's transform PartitionRouting for the partition of a change record.
 *
 * <p>The key is what the transform hashes: the value of a field of the row, or a tuple or named fields for the values of
 * several. Each becomes a field of a row, the row the "after" of an envelope, and the transform names the record's partition.
 * Names have no part in that, so the row has names of its own. Bytes are a ByteBuffer, as Debezium's connectors emit them.
 */
public final class Debezium {
    private static final Schema SOURCE = SchemaBuilder.struct().name("source").field("table", Schema.STRING_SCHEMA).build();

    private record Value(Schema schema, Object value) {}

    public static void main(String[] args) {
        Oracle.claimStdout();
        Oracle.run("debezium", Module.version(), List.of("kafka/debezium-java", "kafka/debezium-murmur"), (scheme, params) -> {
            String function = scheme.substring("kafka/debezium-".length());
            int partitions = params.integer("partitions");
            return key -> place(function, partitions, key);
        });
    }

    private static Outcome place(String function, int partitions, Key key) {
        List<Value> values = parts(key).stream().map(Debezium::value).toList();
        PartitionRouting<SourceRecord> routing = routing(function, partitions, values.size());
        Integer partition = partition(routing, values);
        if (partition == null) {
            return Outcome.unpinned("the transform names no partition: it is left to the producer and the record's own key");
        }
        return Outcome.placed(partition, (String) null);
    }

    private static List<Key> parts(Key key) {
        if (key instanceof Key.Tuple tuple) {
            return tuple.items();
        }
        return key instanceof Key.Fields named ? List.copyOf(named.fields().values()) : List.of(key);
    }

    private static Integer partition(PartitionRouting<SourceRecord> routing, List<Value> values) {
        SchemaBuilder rows = SchemaBuilder.struct().name("row");
        for (int i = 0; i < values.size(); i++) {
            rows.field("f" + i, values.get(i).schema());
        }
        Struct row = new Struct(rows.build());
        for (int i = 0; i < values.size(); i++) {
            row.put("f" + i, values.get(i).value());
        }
        Envelope envelope = Envelope.defineSchema().withName("table.Envelope").withRecord(row.schema()).withSource(SOURCE).build();
        Struct change = envelope.create(row, new Struct(SOURCE).put("table", "t"), Instant.EPOCH);
        return routing.apply(new SourceRecord(Map.of(), Map.of(), "topic", envelope.schema(), change)).kafkaPartition();
    }

    private static PartitionRouting<SourceRecord> routing(String function, int partitions, int fields) {
        PartitionRouting<SourceRecord> routing = new PartitionRouting<>();
        routing.configure(Map.of(
                "partition.payload.fields", IntStream.range(0, fields).mapToObj(i -> "after.f" + i).collect(Collectors.joining(",")),
                "partition.topic.num", partitions,
                "partition.hash.function", function));
        return routing;
    }

    private static Value value(Key key) {
        if (key instanceof Key.Null) {
            return new Value(Schema.OPTIONAL_STRING_SCHEMA, null);
        } else if (key instanceof Key.Text text) {
            return new Value(Schema.STRING_SCHEMA, text.text());
        } else if (key instanceof Key.Bytes bytes) {
            return new Value(Schema.BYTES_SCHEMA, ByteBuffer.wrap(bytes.bytes()));
        } else if (key instanceof Key.Typed typed) {
            String value = typed.value();
            return switch (typed.type()) {
                case "string" -> new Value(Schema.STRING_SCHEMA, value);
                case "bytes" -> new Value(Schema.BYTES_SCHEMA, ByteBuffer.wrap(HexFormat.of().parseHex(value)));
                case "short" -> new Value(Schema.INT16_SCHEMA, Short.valueOf(value));
                case "integer" -> new Value(Schema.INT32_SCHEMA, Integer.valueOf(value));
                case "long" -> new Value(Schema.INT64_SCHEMA, Long.valueOf(value));
                case "float" -> new Value(Schema.FLOAT32_SCHEMA, Float.valueOf(value));
                case "double" -> new Value(Schema.FLOAT64_SCHEMA, Double.valueOf(value));
                case "boolean" -> new Value(Schema.BOOLEAN_SCHEMA, Boolean.valueOf(value));
                case "void" -> new Value(Schema.OPTIONAL_STRING_SCHEMA, null);
                default -> throw new IllegalArgumentException("no field of type " + typed.type() + " here");
            };
        }
        throw new IllegalArgumentException("a row's field is a scalar here");
    }
}
