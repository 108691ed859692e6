package oracle.cassandra;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.dht.ByteOrderedPartitioner;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.OrderPreservingPartitioner;
import org.apache.cassandra.dht.RandomPartitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.CassandraException;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Asks the server's own code, in process, for the token of a partition key.
 *
 * <p>A key takes the way it takes in a server: CREATE TABLE with the key's types is parsed and prepared (it refuses
 * what no key may be), values are read as CQL literals of their column's type, several columns are composed with
 * CompositeType.build, QueryProcessor.validateKey sees the result, and the partitioner decorates it.
 */
public final class CassandraAll {
    private static final Map<String, IPartitioner> PARTITIONERS = Map.of(
            "cassandra/murmur3", Murmur3Partitioner.instance,
            "cassandra/random", RandomPartitioner.instance,
            "cassandra/byte-ordered", ByteOrderedPartitioner.instance,
            "cassandra/order-preserving", OrderPreservingPartitioner.instance);

    public static void main(String[] args) {
        Oracle.claimStdout();
        DatabaseDescriptor.clientInitialization();
        DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
        Oracle.run("cassandra-all", FBUtilities.getReleaseVersionString(), PARTITIONERS.keySet().stream().sorted().toList(),
                (scheme, params) -> key -> place(PARTITIONERS.get(scheme), key));
    }

    private static Outcome place(IPartitioner partitioner, Key key) throws Exception {
        ByteBuffer bytes;
        try {
            bytes = partitionKey(key);
        } catch (Rejected rejected) {
            return Outcome.rejected(rejected.getCause());
        }
        Token token = partitioner.decorateKey(bytes).getToken();
        String place = partitioner.getTokenFactory().toString(token);
        boolean number = partitioner == Murmur3Partitioner.instance || partitioner == RandomPartitioner.instance;
        return Outcome.placed(place, number ? place : null);
    }

    private static ByteBuffer partitionKey(Key key) throws Exception {
        List<Key> columns = key instanceof Key.Tuple tuple ? tuple.items() : List.of(key);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a partition key has at least one column");
        }
        Cql cql = new Cql();
        List<AbstractType<?>> types = columns.stream().<AbstractType<?>>map(column -> cql.type(typeName(column))).toList();

        String names = IntStream.range(0, types.size()).mapToObj(i -> "k" + i).collect(Collectors.joining(", "));
        String definitions = IntStream.range(0, types.size())
                .mapToObj(i -> "k" + i + " " + types.get(i).asCQL3Type()).collect(Collectors.joining(", "));
        try {
            cql.createTable("CREATE TABLE ks.t (" + definitions + ", PRIMARY KEY ((" + names + ")))");
        } catch (CassandraException e) {
            throw new Rejected(e);
        }

        ByteBuffer[] values = new ByteBuffer[types.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(cql, types.get(i), columns.get(i));
        }
        ByteBuffer bytes;
        try {
            bytes = values.length == 1 ? values[0] : Cql.compose(values);
        } catch (RuntimeException | AssertionError e) {
            throw new Rejected(e);
        }
        // What token() gives for the empty key is asked for, although no server stores it.
        if (bytes == null || bytes.hasRemaining()) {
            try {
                QueryProcessor.validateKey(bytes);
            } catch (RuntimeException e) {
                throw new Rejected(e);
            }
        }
        return bytes;
    }

    private static String typeName(Key column) {
        return column instanceof Key.Typed typed ? typed.type() : column instanceof Key.Text ? "text" : "blob";
    }

    private static ByteBuffer value(Cql cql, AbstractType<?> type, Key column) throws Exception {
        if (column instanceof Key.Null) {
            return null;
        } else if (column instanceof Key.Bytes bytes) {
            return ByteBuffer.wrap(bytes.bytes());
        } else if (column instanceof Key.Text text) {
            return utf8(text.text());
        } else if (column instanceof Key.Typed typed) {
            utf8(typed.value());
            return cql.value(type, typed.value());
        }
        throw new IllegalArgumentException("no column holds a tuple or fields");
    }

    /** A server sees bytes: what a client makes of a lone surrogate is not its affair. */
    private static ByteBuffer utf8(String text) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a lone surrogate has no UTF-8");
        }
    }

    private static final class Rejected extends Exception {
        Rejected(Throwable cause) {
            super(cause);
        }
    }
}
