package oracle.searchnode;

import java.util.Collection;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.Plugin;

/** In 6.8 a node must say how its name gets into the log; this one has no name there. */
public final class NodeOf68 extends Node {
    NodeOf68(Environment environment, Collection<Class<? extends Plugin>> plugins, boolean forbidPrivateSettings) {
        super(environment, plugins, forbidPrivateSettings);
    }

    @Override
    protected void registerDerivedNodeNameWithLogger(String name) {}
}
