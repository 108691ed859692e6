package oracle.elasticsearch1;

import java.util.List;
import oracle.Adapter;
import oracle.Document;
import oracle.Key;
import oracle.Oracle;
import oracle.Outcome;
import oracle.Params;
import org.elasticsearch.Version;
import org.elasticsearch.action.ActionRequestValidationException;
import org.elasticsearch.action.index.IndexRequest;
import org.elasticsearch.cluster.ClusterName;
import org.elasticsearch.cluster.ClusterState;
import org.elasticsearch.cluster.metadata.IndexMetaData;
import org.elasticsearch.cluster.metadata.MetaData;
import org.elasticsearch.cluster.routing.RoutingTable;
import org.elasticsearch.cluster.routing.operation.hash.djb.DjbHashFunction;
import org.elasticsearch.cluster.routing.operation.plain.PlainOperationRouting;
import org.elasticsearch.common.settings.ImmutableSettings;

/**
 * Asks the code of Elasticsearch 1.x, in process, for the shard of a document. The index is a real IndexMetaData, created
 * by this version; a key becomes an IndexRequest, is validated, and PlainOperationRouting names its shard, by the hash
 * function that a node has by default. A tuple is (type, id), on a node with cluster.routing.operation.use_type. No node
 * runs: 1.x asks the JVM for its boot class path, which none has had since Java 9.
 */
public final class Elasticsearch1Jar {
    private static final PlainOperationRouting PLAIN = routing(false);
    private static final PlainOperationRouting TYPED = routing(true);

    private static PlainOperationRouting routing(boolean useType) {
        var settings = ImmutableSettings.builder().put("cluster.routing.operation.use_type", useType).build();
        return new PlainOperationRouting(settings, new DjbHashFunction(), null);
    }

    public static void main(String[] args) {
        Oracle.claimStdout();
        Oracle.run("elasticsearch", Version.CURRENT.number(), List.of("elasticsearch/djb"), Elasticsearch1Jar::bind);
    }

    private static Adapter.Placer bind(String scheme, Params params) {
        int shards = params.integer("shards");
        ClusterState state = state(shards);
        return key -> place(key instanceof Key.Tuple ? TYPED : PLAIN, state, Document.of(key));
    }

    private static ClusterState state(int shards) {
        IndexMetaData index = IndexMetaData.builder("index").settings(ImmutableSettings.builder()
                .put(IndexMetaData.SETTING_VERSION_CREATED, Version.CURRENT.id)
                .put(IndexMetaData.SETTING_NUMBER_OF_SHARDS, shards)
                .put(IndexMetaData.SETTING_NUMBER_OF_REPLICAS, 0)
                .build()).build();
        return ClusterState.builder(new ClusterName("oracle"))
                .metaData(MetaData.builder().put(index, false))
                .routingTable(RoutingTable.builder().addAsNew(index))
                .build();
    }

    /** What Document calls a routing value is the type here. */
    private static Outcome place(PlainOperationRouting routing, ClusterState state, Document document) {
        if (document.id() == null) {
            return Outcome.refused("the server makes an id of its own");
        }
        String type = document.routing() == null ? "doc" : document.routing();
        IndexRequest request = new IndexRequest("index", type, document.id()).source("{}");
        ActionRequestValidationException invalid = request.validate();
        if (invalid != null) {
            return Outcome.rejected(invalid);
        }
        int shard = routing.indexShards(state, "index", request.type(), request.id(), request.routing())
                .shardId().id();
        return Outcome.placed(shard, null);
    }
}
