//! OpenSearch: as Elasticsearch before 9.4.

use super::elasticsearch::{COMMA, INDEX_MAJOR, PARTITION_SIZE, ROUTING_SHARDS, ROW, SHARDS, SPLIT, opensearch};
use crate::{Scheme, System};

/// OpenSearch.
pub static SYSTEM: System = System {
    id: "opensearch",
    name: "OpenSearch",
    int32: None,
    int64: None,
    schemes: &[Scheme {
        id: "opensearch/routing",
        client: "OpenSearch",
        versions: "1.0 to 3.x",
        setting: "what every index does",
        sources: &[
            "https://github.com/opensearch-project/OpenSearch/blob/main/server/src/main/java/org/opensearch/cluster/routing/OperationRouting.java",
        ],
        params: &[SHARDS, ROUTING_SHARDS, PARTITION_SIZE, INDEX_MAJOR],
        quirks: &[
            "an empty routing value counts as none",
            COMMA,
            SPLIT,
            "an id's limit of 512 bytes counts a lone surrogate as 3 bytes from 2.19, as 1 byte before",
        ],
        bind: opensearch,
        ..ROW
    }],
};
