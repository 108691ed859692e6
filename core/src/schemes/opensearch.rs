//! OpenSearch: as Elasticsearch before 9.4.

use super::elasticsearch::ROW;
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
        quirks: &["an empty routing value counts as none"],
        ..ROW
    }],
};
