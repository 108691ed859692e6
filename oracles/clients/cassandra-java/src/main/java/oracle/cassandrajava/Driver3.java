package oracle.cassandrajava;

import com.datastax.driver.core.CodecRegistry;
import com.datastax.driver.core.DataType;
import com.datastax.driver.core.ProtocolVersion;
import com.datastax.driver.core.SimpleStatement;
import com.datastax.driver.core.Token;
import com.datastax.driver.core.TupleType;
import com.datastax.driver.core.TypeCodec;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import oracle.Reflection;

/** A driver of 3.x. */
final class Driver3 implements CassandraJava.Driver {
    static final String SHARDING = "com.datastax.driver.core.ShardingInfo";

    @Override
    public ByteBuffer encode(String type, String literal) {
        TypeCodec<Object> codec = CodecRegistry.DEFAULT_INSTANCE.codecFor(type(type));
        return codec.serialize(codec.parse(literal), ProtocolVersion.V4);
    }

    private static DataType type(String name) {
        if (!name.contains("<")) {
            for (DataType type : DataType.allPrimitiveTypes()) {
                if (type.getName().toString().equals(name)) {
                    return type;
                }
            }
            throw new IllegalArgumentException("the driver has no type " + name);
        }
        int open = name.indexOf('<');
        String inner = name.substring(open + 1, name.length() - 1);
        if (name.startsWith("frozen<")) {
            return type(inner);
        }
        List<DataType> types = CassandraJava.split(inner).stream().map(Driver3::type).toList();
        return switch (name.substring(0, open)) {
            case "list" -> DataType.frozenList(types.get(0));
            case "set" -> DataType.frozenSet(types.get(0));
            case "map" -> DataType.frozenMap(types.get(0), types.get(1));
            case "tuple" -> TupleType.of(ProtocolVersion.V4, CodecRegistry.DEFAULT_INSTANCE, types.toArray(DataType[]::new));
            default -> throw new IllegalArgumentException("a type that needs the cluster's schema: " + name);
        };
    }

    @Override
    public ByteBuffer compose(ByteBuffer[] components) {
        return new SimpleStatement("").setRoutingKey(components)
                .getRoutingKey(ProtocolVersion.V4, CodecRegistry.DEFAULT_INSTANCE);
    }

    private static Token hash(String partitioner, ByteBuffer routingKey) throws Exception {
        Class<?> token = Class.forName("com.datastax.driver.core.Token");
        String inner = switch (partitioner.substring(partitioner.lastIndexOf('.') + 1)) {
            case "Murmur3Partitioner" -> "M3PToken";
            case "RandomPartitioner" -> "RPToken";
            case "ByteOrderedPartitioner" -> "OPPToken";
            default -> "CDCToken";
        };
        var factory = Class.forName(token.getName() + "$" + inner).getDeclaredField("FACTORY");
        factory.setAccessible(true);
        return (Token) Reflection.call(factory.get(null), "hash", routingKey);
    }

    @Override
    public String token(String partitioner, ByteBuffer routingKey) throws Exception {
        Object value = hash(partitioner, routingKey).getValue();
        if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return HexFormat.of().formatHex(copy);
        }
        return value.toString();
    }

    @Override
    public int shard(ByteBuffer routingKey, Map<String, List<String>> options) throws Exception {
        Object connection = Reflection.callStatic(Class.forName(SHARDING), "parseShardingInfo", options);
        var field = connection.getClass().getDeclaredField("shardingInfo");
        field.setAccessible(true);
        return (int) Reflection.call(field.get(connection), "shardId",
                hash(options.get("SCYLLA_PARTITIONER").get(0), routingKey));
    }
}
