package oracle.elasticsearch;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import oracle.Adapter;
import oracle.Document;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Params;
import oracle.Reflection;
import org.elasticsearch.ElasticsearchException;
import org.elasticsearch.action.index.IndexRequest;
import org.elasticsearch.cluster.metadata.IndexMetadata;
import org.elasticsearch.cluster.metadata.MetadataCreateIndexService;
import org.elasticsearch.cluster.routing.IndexRouting;
import org.elasticsearch.cluster.routing.Murmur3HashFunction;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.xcontent.XContentType;

/**
 * Asks the server's own code, in process, for the shard of a document.
 *
 * <p>The index is a real IndexMetadata; its count of routing shards comes from the code that creates indices, which also
 * refuses what does not divide; the version that created it chooses the routing function. A key becomes an
 * IndexRequest, is validated as in a bulk, and IndexRouting names its shard. No node runs.
 */
public final class ElasticsearchJar {
    private static final String LEGACY = "elasticsearch/legacy";
    private static final String MODULO = "elasticsearch/modulo";

    public static void main(String[] args) throws Exception {
        Oracle.claimStdout();
        configureLogging();
        List<String> schemes = createdBeforeModulo().isPresent() ? List.of(LEGACY, MODULO) : List.of(LEGACY);
        Oracle.run("elasticsearch", version(), schemes, ElasticsearchJar::bind);
    }

    private static Adapter.Placer bind(String scheme, Params params) throws Exception {
        Settings.Builder settings = Settings.builder()
                .put("index.number_of_shards", params.integer("shards"))
                .put("index.number_of_replicas", 0);
        params.optionalInteger("routing_shards").ifPresent(n -> settings.put("index.number_of_routing_shards", n));
        OptionalInt partitionSize = params.optionalInteger("routing_partition_size");
        partitionSize.ifPresent(n -> settings.put("index.routing_partition_size", n));
        settings.put("index.version.created", created(scheme, params));

        int routingShards = (int) Reflection.callStatic(MetadataCreateIndexService.class, "getIndexNumberOfRoutingShards",
                settings.build(), null);
        IndexMetadata.Builder index = IndexMetadata.builder("index").settings(settings).setRoutingNumShards(routingShards);
        boolean partitioned = partitionSize.orElse(1) != 1;
        if (partitioned) {
            requireRouting(index);
        }
        IndexMetadata built = index.build();
        return key -> place(built, IndexRouting.fromIndexMetadata(built), partitioned, key);
    }

    /** No partitioned index is created without this in its mapping. */
    private static void requireRouting(IndexMetadata.Builder index) throws Exception {
        String mapping = "{\"_doc\":{\"_routing\":{\"required\":true}}}";
        try {
            Reflection.call(index, "putMapping", mapping);
        } catch (NoSuchMethodException e) {
            Reflection.call(index, "putMapping", "_doc", mapping);
        }
    }

    /** The id of the version that created the index. */
    private static int created(String scheme, Params params) throws Exception {
        OptionalInt major = params.optionalInteger("index_major");
        if (scheme.equals(MODULO)) {
            if (major.isPresent()) {
                throw new IllegalArgumentException(MODULO + " has no index_major");
            }
            return current();
        }
        if (major.isPresent()) {
            return switch (major.getAsInt()) {
                case 5 -> 5_06_16_99;
                case 6 -> 6_08_23_99;
                default -> throw new IllegalArgumentException("index_major is 5 or 6");
            };
        }
        return createdBeforeModulo().orElse(current());
    }

    private static Outcome place(IndexMetadata index, IndexRouting routing, boolean partitioned, Key key)
            throws Exception {
        Document document = Document.of(key);
        if (document.id() == null) {
            return Outcome.refused("the server makes an id of its own");
        }
        IndexRequest request = new IndexRequest("index").id(document.id()).routing(document.routing())
                .source("{}".getBytes(StandardCharsets.UTF_8), XContentType.JSON);
        IllegalArgumentException invalid = request.validate();
        if (invalid != null) {
            return Outcome.rejected(invalid);
        }
        int shard;
        try {
            shard = shard(index, routing, request);
        } catch (IllegalArgumentException | ElasticsearchException e) {
            return Outcome.rejected(e);
        }
        String effective = request.routing() == null ? request.id() : request.routing();
        return Outcome.placed(shard, partitioned ? null : Integer.toString(Murmur3HashFunction.hash(effective)));
    }

    /** What a bulk does with an item: 7.17, then 8, then 9. */
    private static int shard(IndexMetadata index, IndexRouting routing, IndexRequest request) throws Exception {
        if (!Reflection.has(IndexRequest.class, "preRoutingProcess")) {
            request.process(org.elasticsearch.Version.CURRENT, index.mapping(), "index");
            return routing.shardId(request.id(), request.routing());
        }
        Reflection.call(request, "preRoutingProcess", routing);
        return Reflection.has(IndexRouting.class, "rerouteToTarget")
                ? (int) Reflection.call(routing, "indexShard", request)
                : (int) Reflection.call(routing, "indexShard", request.id(), request.routing(), XContentType.JSON,
                        request.source());
    }

    /** 9.4 and later: the last version id whose indices are routed the legacy way. */
    private static OptionalInt createdBeforeModulo() throws Exception {
        try {
            Field modulo = Class.forName("org.elasticsearch.index.IndexVersions").getField("MOD_ROUTING_FUNCTION");
            return OptionalInt.of((int) Reflection.call(modulo.get(null), "id") - 1);
        } catch (ClassNotFoundException | NoSuchFieldException e) {
            return OptionalInt.empty();
        }
    }

    private static int current() throws Exception {
        try {
            Class<?> type = Class.forName("org.elasticsearch.index.IndexVersion");
            return (int) Reflection.call(Reflection.callStatic(type, "current"), "id");
        } catch (ClassNotFoundException e) {
            return org.elasticsearch.Version.CURRENT.id;
        }
    }

    private static String version() throws Exception {
        Class<?> build = Class.forName("org.elasticsearch.Build");
        return Reflection.has(build, "current")
                ? (String) Reflection.call(Reflection.callStatic(build, "current"), "qualifiedVersion")
                : org.elasticsearch.Version.CURRENT.toString();
    }

    private static void configureLogging() throws Exception {
        Class<?> configurator = Class.forName("org.elasticsearch.common.logging.LogConfigurator");
        if (Reflection.has(configurator, "configureESLogging")) {
            Reflection.callStatic(configurator, "configureESLogging");
        }
    }
}
