package oracle;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The loop of the adapter protocol: JSON lines on stdin and stdout; whatever clients print goes to stderr. */
public final class Oracle {
    private static final PrintStream OUT = System.out;

    private final String name;
    private final String version;
    private final List<String> schemes;
    private final Adapter adapter;

    private Oracle(String name, String version, List<String> schemes, Adapter adapter) {
        this.name = name;
        this.version = version;
        this.schemes = schemes;
        this.adapter = adapter;
    }

    /** To be called first in main, before a client can log. */
    public static void claimStdout() {
        System.setOut(System.err);
    }

    /** Runs until stop or the end of stdin; clients' own threads do not keep the process. */
    public static void run(String name, String version, List<String> schemes, Adapter adapter) {
        claimStdout();
        Oracle oracle = new Oracle(name, version, schemes, adapter);
        // A malformed byte is an exception, never a silent U+FFFD.
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                JsonObject command = JsonParser.parseString(line).getAsJsonObject();
                if (command.get("cmd").getAsString().equals("stop")) {
                    break;
                }
                write(oracle.answer(command));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.exit(0);
    }

    private JsonObject answer(JsonObject command) {
        JsonObject reply = new JsonObject();
        switch (command.get("cmd").getAsString()) {
            case "start" -> {
                reply.addProperty("version", 1);
                reply.addProperty("name", name);
                reply.addProperty("client_version", version);
                reply.addProperty("language", "java");
                JsonArray list = new JsonArray();
                schemes.forEach(list::add);
                reply.add("schemes", list);
            }
            case "place" -> {
                reply.add("seq", command.get("seq"));
                try {
                    reply.add("outcomes", place(command));
                } catch (Adapter.Skip skip) {
                    reply.addProperty("skipped", skip.getMessage());
                } catch (Exception e) {
                    reply.addProperty("error", message(e));
                }
            }
            default -> throw new IllegalArgumentException("unknown command: " + command);
        }
        return reply;
    }

    private JsonArray place(JsonObject command) throws Exception {
        String scheme = command.get("scheme").getAsString();
        if (!schemes.contains(scheme)) {
            throw new Adapter.Skip("this source knows no " + scheme);
        }
        JsonElement given = command.get("params");
        Params params = new Params(given == null || given instanceof JsonNull ? new JsonObject() : given.getAsJsonObject());
        Adapter.Placer placer = adapter.bind(scheme, params);
        params.checkAllRead();

        JsonArray outcomes = new JsonArray();
        for (JsonElement key : command.getAsJsonArray("keys")) {
            outcomes.add(place(placer, key).encode());
        }
        return outcomes;
    }

    private static Outcome place(Adapter.Placer placer, JsonElement key) {
        try {
            return placer.place(Key.decode(key));
        } catch (Exception | AssertionError | StackOverflowError e) {
            return Outcome.error(message(e));
        }
    }

    private static String message(Throwable e) {
        return e.getClass().getSimpleName() + ": " + e.getMessage();
    }

    /** ASCII alone, so that a lone surrogate survives as an escape. */
    private static void write(JsonObject reply) {
        String json = reply.toString();
        StringBuilder line = new StringBuilder(json.length() + 1);
        for (int i = 0; i < json.length(); i++) {
            char unit = json.charAt(i);
            if (unit < 0x7f) {
                line.append(unit);
            } else {
                line.append(String.format("\\u%04x", (int) unit));
            }
        }
        OUT.writeBytes(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
        OUT.flush();
    }
}
