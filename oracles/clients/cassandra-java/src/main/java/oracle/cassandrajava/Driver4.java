package oracle.cassandrajava;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.registry.CodecRegistry;
import com.datastax.oss.driver.internal.core.metadata.schema.parsing.DataTypeCqlNameParser;
import com.datastax.oss.driver.internal.core.metadata.token.ByteOrderedToken;
import com.datastax.oss.driver.internal.core.metadata.token.TokenFactory;
import com.datastax.oss.driver.internal.core.type.UserDefinedTypeBuilder;
import com.datastax.oss.driver.internal.core.util.RoutingKey;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import oracle.Reflection;

/** A driver of 4.x. */
final class Driver4 implements CassandraJava.Driver {
    static final String SHARDING = "com.datastax.oss.driver.internal.core.protocol.ShardingInfo";

    private final Map<String, TypeCodec<Object>> codecs = new ConcurrentHashMap<>();

    @Override
    public ByteBuffer encode(String type, String literal) {
        TypeCodec<Object> codec = codecs.computeIfAbsent(type, name -> CodecRegistry.DEFAULT.codecFor(type(name)));
        return codec.encode(codec.parse(literal), ProtocolVersion.V4);
    }

    /** A user type is spelled with its fields: udt&lt;street:text,zip:int&gt;. */
    private static DataType type(String name) {
        if (name.startsWith("frozen<udt<")) {
            UserDefinedTypeBuilder builder = new UserDefinedTypeBuilder("ks", "u").frozen();
            for (String field : CassandraJava.split(name.substring(11, name.length() - 2))) {
                int colon = field.indexOf(':');
                builder.withField(CqlIdentifier.fromInternal(field.substring(0, colon)), type(field.substring(colon + 1)));
            }
            return builder.build();
        }
        return new DataTypeCqlNameParser().parse(CqlIdentifier.fromInternal("ks"), name, null, null);
    }

    @Override
    public ByteBuffer compose(ByteBuffer[] components) {
        return RoutingKey.compose(components);
    }

    private static Token hash(String partitioner, ByteBuffer routingKey) throws Exception {
        String name = partitioner.substring(partitioner.lastIndexOf('.') + 1).replace("Partitioner", "TokenFactory");
        Class<?> factory = Class.forName(TokenFactory.class.getPackageName() + "." + name);
        return ((TokenFactory) factory.getDeclaredConstructor().newInstance()).hash(routingKey);
    }

    @Override
    public String token(String partitioner, ByteBuffer routingKey) throws Exception {
        Token token = hash(partitioner, routingKey);
        if (token instanceof ByteOrderedToken bytes) {
            byte[] copy = new byte[bytes.getValue().remaining()];
            bytes.getValue().duplicate().get(copy);
            return HexFormat.of().formatHex(copy);
        }
        return Reflection.call(token, "getValue").toString();
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
