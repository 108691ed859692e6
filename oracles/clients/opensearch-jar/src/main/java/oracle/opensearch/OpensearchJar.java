package oracle.opensearch;

import java.util.List;
import java.util.OptionalInt;
import oracle.Adapter;
import oracle.Document;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Params;
import oracle.Reflection;
import org.opensearch.OpenSearchException;
import org.opensearch.Version;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.cluster.routing.Murmur3HashFunction;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.common.settings.Settings;

/**
 * Asks the server's own code, in process, for the shard of a document.
 *
 * <p>The index is a real IndexMetadata; its count of routing shards comes from the code that creates indices, which also
 * refuses what does not divide. A key becomes an IndexRequest, is validated as in a bulk, and
 * OperationRouting.generateShardId names its shard. No node runs.
 */
public final class OpensearchJar {
    public static void main(String[] args) {
        Oracle.claimStdout();
        Oracle.run("opensearch", Version.CURRENT.toString(), List.of("opensearch/routing"), OpensearchJar::bind);
    }

    private static Adapter.Placer bind(String scheme, Params params) throws Exception {
        Settings.Builder settings = Settings.builder()
                .put("index.number_of_shards", params.integer("shards"))
                .put("index.number_of_replicas", 0);
        params.optionalInteger("routing_shards").ifPresent(n -> settings.put("index.number_of_routing_shards", n));
        OptionalInt partitionSize = params.optionalInteger("routing_partition_size");
        partitionSize.ifPresent(n -> settings.put("index.routing_partition_size", n));
        settings.put("index.version.created", created(params.optionalInteger("index_major")));
        try {
            IndexMetadata.SETTING_INDEX_VERSION_CREATED.get(settings.build());
        } catch (IllegalArgumentException e) {
            throw new Adapter.Skip("this version reads no index of that age: " + e.getMessage());
        }

        int routingShards = (int) Reflection.callStatic(MetadataCreateIndexService.class, "getIndexNumberOfRoutingShards",
                settings.build(), null);
        IndexMetadata.Builder index = IndexMetadata.builder("index").settings(settings).setRoutingNumShards(routingShards);
        boolean partitioned = partitionSize.orElse(1) != 1;
        if (partitioned) {
            requireRouting(index);
        }
        IndexMetadata built = index.build();
        return key -> place(built, partitioned, key);
    }

    /** The id of the version that created the index. */
    private static int created(OptionalInt major) {
        if (major.isEmpty()) {
            return Version.CURRENT.id;
        }
        return switch (major.getAsInt()) {
            case 5 -> 5_06_16_99;
            case 6 -> 6_08_23_99;
            default -> throw new IllegalArgumentException("index_major is 5 or 6");
        };
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

    private static Outcome place(IndexMetadata index, boolean partitioned, Key key) throws Exception {
        Document document = Document.of(key);
        if (document.id() == null) {
            return Outcome.refused("the server makes an id of its own");
        }
        IndexRequest request = new IndexRequest("index").id(document.id()).routing(document.routing()).source("field", "");
        IllegalArgumentException invalid = request.validate();
        if (invalid != null) {
            return Outcome.rejected(invalid);
        }
        int shard;
        try {
            request.process(Version.CURRENT, index.mapping(), "index");
            shard = OperationRouting.generateShardId(index, request.id(), request.routing());
        } catch (IllegalArgumentException | OpenSearchException e) {
            return Outcome.rejected(e);
        }
        String effective = request.routing() == null ? request.id() : request.routing();
        return Outcome.placed(shard, partitioned ? null : Integer.toString(Murmur3HashFunction.hash(effective)));
    }
}
