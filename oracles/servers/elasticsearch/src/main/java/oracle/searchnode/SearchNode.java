package oracle.searchnode;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import oracle.Reflection;

/**
 * One node of Elasticsearch or OpenSearch: {@code SearchNode HOME SETTING=VALUE...}. The Node is the server's own, all that
 * is left out is the bootstrap, whose checks of the machine (another user than root, limits) an oracle need not pass.
 * What moved between 5.6 and 9.5 is found by the types of its parameters.
 */
public final class SearchNode {
    private static final String ROOT =
            Reflection.exists("org.opensearch.node.Node") ? "org.opensearch." : "org.elasticsearch.";

    private final Path home;
    private final Object settings;

    private SearchNode(String home, List<String> settings) throws Exception {
        this.home = Path.of(home);
        Object builder = Reflection.callStatic(type("common.settings.Settings"), "builder");
        Reflection.call(builder, "put", "path.home", home);
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            Reflection.call(builder, "put", parts[0], parts[1]);
        }
        this.settings = Reflection.call(builder, "build");
    }

    public static void main(String[] args) throws Exception {
        SearchNode node = new SearchNode(args[0], Arrays.asList(args).subList(1, args.length));
        node.start();
        Thread.currentThread().join();
    }

    private void start() throws Exception {
        Class<?> logging = type("common.logging.LogConfigurator");
        if (Reflection.has(logging, "configureESLogging")) {
            Reflection.callStatic(logging, "configureESLogging");
        }
        Object environment = create(type("node.InternalSettingsPreparer").getDeclaredMethods(), null);
        Class<?> type = type("node.Node");
        if (Modifier.isAbstract(type.getModifiers())) {
            type = Class.forName("oracle.searchnode.NodeOf68");
        }
        Object node = create(type.getDeclaredConstructors(), environment);
        Reflection.call(node, "start");
    }

    /** Calls the one of these whose parameters can all be given, of several that with the most. */
    private Object create(Executable[] all, Object environment) throws Exception {
        Executable best = null;
        for (Executable each : all) {
            boolean fits = each instanceof Constructor<?> || each.getName().equals("prepareEnvironment");
            fits &= environment == null || Arrays.stream(each.getParameterTypes()).anyMatch(t -> t.isInstance(environment));
            for (Type type : each.getGenericParameterTypes()) {
                fits &= argument(type, environment).isPresent();
            }
            if (fits && (best == null || best.getParameterCount() < each.getParameterCount())) {
                best = each;
            }
        }
        if (best == null) {
            throw new NoSuchMethodException("nothing fits of " + Arrays.toString(all));
        }
        Type[] types = best.getGenericParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument(types[i], environment).get().orElse(null);
        }
        best.setAccessible(true);
        try {
            return best instanceof Method method ? method.invoke(null, arguments)
                    : ((Constructor<?>) best).newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** What is given for a parameter; the inner one is empty for null, the outer one where nothing can be given. */
    private Optional<Optional<Object>> argument(Type type, Object environment) throws Exception {
        String name = type.getTypeName();
        if (name.equals(ROOT + "common.settings.Settings")) {
            return Optional.of(Optional.of(settings));
        } else if (name.equals(ROOT + "env.Environment") && environment != null) {
            return Optional.of(Optional.of(environment));
        } else if (name.endsWith(".Terminal")) {
            return Optional.of(Optional.empty());
        } else if (name.equals("boolean")) {
            return Optional.of(Optional.of(false));
        } else if (name.equals("java.nio.file.Path")) {
            return Optional.of(Optional.of(home.resolve("config")));
        } else if (name.startsWith("java.util.Map<")) {
            return Optional.of(Optional.of(Map.of()));
        } else if (name.startsWith("java.util.function.Supplier<")) {
            return Optional.of(Optional.of((Supplier<String>) () -> "oracle"));
        } else if (name.startsWith("java.util.Collection<")) {
            return Optional.of(Optional.of(transport(name.contains("PluginInfo"))));
        } else if (name.endsWith(".PluginsLoader") && environment != null) {
            return Optional.of(Optional.of(modules(environment)));
        }
        return Optional.empty();
    }

    /** To 7.17 and in OpenSearch: the transport is a plugin on the class path, in OpenSearch 3 with a description. */
    private static Collection<?> transport(boolean described) throws Exception {
        String name = ROOT + "transport.Netty4ModulePlugin";
        Class<?> plugin = Class.forName(Reflection.exists(name) ? name : ROOT + "transport.Netty4Plugin");
        if (!described) {
            return List.of(plugin);
        }
        Object current = type("Version").getField("CURRENT").get(null);
        for (Constructor<?> constructor : type("plugins.PluginInfo").getConstructors()) {
            if (constructor.getParameterCount() == 9 && constructor.getParameterTypes()[3].isInstance(current)) {
                return List.of(constructor.newInstance(plugin.getName(), "on the class path", "none", current, "21",
                        plugin.getName(), null, Collections.emptyList(), false));
            }
        }
        throw new NoSuchMethodException("PluginInfo");
    }

    /** From 8: modules are loaded from their folders. */
    private static Object modules(Object environment) throws Exception {
        Class<?> loader = type("plugins.PluginsLoader");
        Object bundles = load(loader, "loadModulesBundles", Reflection.call(environment, "modulesDir"));
        Object plugins = load(loader, "loadPluginsBundles", Reflection.call(environment, "pluginsDir"));
        return Reflection.callStatic(loader, "createPluginsLoader", bundles, plugins, Map.of(), false);
    }

    /** 8 takes the folder alone, 9 a flag too. */
    private static Object load(Class<?> loader, String method, Object folder) throws Exception {
        try {
            return Reflection.callStatic(loader, method, folder);
        } catch (NoSuchMethodException e) {
            return Reflection.callStatic(loader, method, folder, false);
        }
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(ROOT + name);
    }
}
