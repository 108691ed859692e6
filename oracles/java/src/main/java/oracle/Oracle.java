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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The loop of the adapter protocol: JSON lines on stdin and stdout; whatever clients print goes to stderr. */
public final class Oracle {
    private static final PrintStream OUT = System.out;

    private final String name;
    private final String version;
    private final List<String> schemes;
    private final Adapter adapter;
    private final Adapter.Producer producer;

    private Oracle(String name, String version, List<String> schemes, Adapter adapter, Adapter.Producer producer) {
        this.name = name;
        this.version = version;
        this.schemes = schemes;
        this.adapter = adapter;
        this.producer = producer;
    }

    /** To be called first in main, before a client can log. */
    public static void claimStdout() {
        System.setOut(System.err);
    }

    /** Runs until stop or the end of stdin; clients' own threads do not keep the process. */
    public static void run(String name, String version, List<String> schemes, Adapter adapter) {
        run(name, version, schemes, adapter, (scheme, params, topic) -> {
            throw new Adapter.Skip("this adapter does not produce");
        });
    }

    public static void run(
            String name, String version, List<String> schemes, Adapter adapter, Adapter.Producer producer) {
        claimStdout();
        Oracle oracle = new Oracle(name, version, schemes, adapter, producer);
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
            case "place", "produce" -> {
                reply.add("seq", command.get("seq"));
                try {
                    reply.add("outcomes", ask(command));
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

    private JsonArray ask(JsonObject command) throws Exception {
        String scheme = command.get("scheme").getAsString();
        if (!schemes.contains(scheme)) {
            throw new Adapter.Skip("this source knows no " + scheme);
        }
        JsonElement given = command.get("params");
        Params params = new Params(given == null || given instanceof JsonNull ? new JsonObject() : given.getAsJsonObject());
        JsonArray keys = command.getAsJsonArray("keys");
        List<Outcome> outcomes;
        if (command.get("cmd").getAsString().equals("place")) {
            Adapter.Placer placer = adapter.bind(scheme, params);
            params.checkAllRead();
            outcomes = keys.asList().stream().map(key -> outcome(() -> placer.place(Key.decode(key)))).toList();
        } else {
            Adapter.Producer.Sender sender = producer.bind(scheme, params, command.get("topic").getAsString());
            params.checkAllRead();
            outcomes = produce(sender, keys, command.get("seq").getAsLong(), command.get("fill").getAsInt());
        }
        JsonArray encoded = new JsonArray();
        outcomes.forEach(outcome -> encoded.add(outcome.encode()));
        return encoded;
    }

    /** Writes each key once. The value of a record says which one it is. */
    private static List<Outcome> produce(Adapter.Producer.Sender sender, JsonArray keys, long seq, int fill) {
        List<Callable<Outcome>> sent = new ArrayList<>();
        for (int index = 0; index < keys.size(); index++) {
            try {
                Callable<Optional<Outcome>> delivered = sender.send(Key.decode(keys.get(index)), value(seq, index, fill));
                sent.add(() -> delivered.call().orElse(Outcome.produced()));
            } catch (Exception | AssertionError | StackOverflowError e) {
                sent.add(() -> Outcome.error(message(e)));
            }
        }
        return sent.stream().map(Oracle::outcome).toList();
    }

    private static byte[] value(long seq, int index, int fill) {
        byte[] value = (seq + "/" + index + "/").getBytes(StandardCharsets.US_ASCII);
        return Arrays.copyOf(value, value.length + fill);
    }

    private static Outcome outcome(Callable<Outcome> ask) {
        try {
            return ask.call();
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
