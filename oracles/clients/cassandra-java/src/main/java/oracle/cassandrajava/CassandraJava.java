package oracle.cassandrajava;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import oracle.Adapter;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Params;
import oracle.Reflection;

/**
 * Asks a Java driver for the token by which it routes a statement: the driver's codecs read each column's CQL literal and
 * write its bytes, the driver composes the routing key, its token factory hashes it. Those of ScyllaDB also tell the shard.
 */
public final class CassandraJava {
    private static final Set<String> QUOTED = Set.of("ascii", "text", "varchar", "inet");
    private static final Set<String> QUOTED_UNLESS_INTEGER = Set.of("date", "time", "timestamp");

    /** What differs between the drivers of 3.x and 4.x. */
    interface Driver {
        /** The bytes of a CQL literal; an exception where the driver has none. */
        ByteBuffer encode(String type, String literal) throws Exception;

        ByteBuffer compose(ByteBuffer[] components) throws Exception;

        /** The token's text. */
        String token(String partitioner, ByteBuffer routingKey) throws Exception;

        /** The shard of a key, of a node that announces these options. */
        int shard(ByteBuffer routingKey, Map<String, List<String>> options) throws Exception;
    }

    private static final Map<String, String> PARTITIONERS = Map.of(
            "cassandra/murmur3", "org.apache.cassandra.dht.Murmur3Partitioner",
            "cassandra/random", "org.apache.cassandra.dht.RandomPartitioner",
            "cassandra/byte-ordered", "org.apache.cassandra.dht.ByteOrderedPartitioner",
            "scylla/cdc-driver", "com.scylladb.dht.CDCPartitioner");

    public static void main(String[] args) throws Exception {
        Oracle.claimStdout();
        boolean four = Reflection.exists("com.datastax.oss.driver.api.core.CqlSession");
        Driver driver = four ? new Driver4() : new Driver3();
        List<String> schemes = new ArrayList<>(
                List.of("cassandra/murmur3", "cassandra/random", "cassandra/byte-ordered"));
        if (Reflection.exists(four ? Driver4.SHARDING : Driver3.SHARDING)) {
            schemes.addAll(List.of("scylla/murmur3", "scylla/cdc-driver"));
        }
        Oracle.run("cassandra-java", args[0], schemes, (scheme, params) -> bind(driver, scheme, params));
    }

    private static Adapter.Placer bind(Driver driver, String scheme, Params params) throws Exception {
        if (!scheme.equals("scylla/murmur3")) {
            return key -> {
                String token = driver.token(PARTITIONERS.get(scheme), routingKey(driver, key));
                return Outcome.placed(token, scheme.endsWith("byte-ordered") ? null : token);
            };
        }
        if (params.flag("tablets")) {
            throw new Adapter.Skip("a driver asks the cluster for its tablets");
        }
        Map<String, List<String>> options = Map.of(
                "SCYLLA_SHARD", List.of("0"),
                "SCYLLA_NR_SHARDS", List.of(Integer.toString(params.integer("shards"))),
                "SCYLLA_PARTITIONER", List.of(PARTITIONERS.get("cassandra/murmur3")),
                "SCYLLA_SHARDING_ALGORITHM", List.of("biased-token-round-robin"),
                "SCYLLA_SHARDING_IGNORE_MSB", List.of(Integer.toString(params.optionalInteger("msb_ignore").orElse(12))));
        return key -> Outcome.placed(driver.shard(routingKey(driver, key), options), null);
    }

    private static ByteBuffer routingKey(Driver driver, Key key) throws Exception {
        List<Key> columns = key instanceof Key.Tuple tuple ? tuple.items() : List.of(key);
        ByteBuffer[] components = new ByteBuffer[columns.size()];
        int size = 0;
        for (int i = 0; i < components.length; i++) {
            components[i] = component(driver, columns.get(i));
            size += components[i].remaining();
        }
        // What a key may not be is the server's to say.
        if (columns.isEmpty() || size + 3 * (columns.size() - 1) > 65535) {
            throw new IllegalArgumentException("the driver leaves it to the server to refuse this");
        }
        return components.length == 1 ? components[0] : driver.compose(components);
    }

    private static ByteBuffer component(Driver driver, Key column) throws Exception {
        if (column instanceof Key.Bytes bytes) {
            return driver.encode("blob", "0x" + HexFormat.of().formatHex(bytes.bytes()));
        } else if (column instanceof Key.Text text) {
            return driver.encode("text", quoted(text.text()));
        } else if (column instanceof Key.Typed typed) {
            String type = typed.type();
            if (type.equals("duration") || type.equals("counter")) {
                throw new IllegalArgumentException("the driver leaves it to the server to refuse this");
            }
            boolean quoted = QUOTED.contains(type)
                    || QUOTED_UNLESS_INTEGER.contains(type) && !typed.value().matches("-?[0-9]+");
            return driver.encode(type, quoted ? quoted(typed.value()) : typed.value());
        } else if (column instanceof Key.Null) {
            throw new IllegalArgumentException("the driver leaves it to the server to refuse null");
        }
        throw new IllegalArgumentException("no column holds a tuple or fields");
    }

    private static String quoted(String text) {
        try {
            StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a lone surrogate has no UTF-8");
        }
        return "'" + text.replace("'", "''") + "'";
    }

    /** The parts of a type's parameters. */
    static List<String> split(String parameters) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < parameters.length(); i++) {
            char c = parameters.charAt(i);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(parameters.substring(start, i).trim());
                start = i + 1;
            }
        }
        parts.add(parameters.substring(start).trim());
        return parts;
    }
}
