package oracle;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A KEY of the protocol. Text keeps its UTF-16 units, lone surrogates included. */
public sealed interface Key {
    record Null() implements Key {}

    record Bytes(byte[] bytes) implements Key {}

    record Text(String text) implements Key {}

    record Typed(String type, String value) implements Key {}

    record Tuple(List<Key> items) implements Key {}

    record Fields(Map<String, Key> fields) implements Key {}

    static Key decode(JsonElement json) {
        if (json.isJsonNull()) {
            return new Null();
        }
        JsonObject object = json.getAsJsonObject();
        if (object.has("type") && object.has("value") && object.size() == 2) {
            return new Typed(string(object.get("type")), string(object.get("value")));
        }
        if (object.size() != 1) {
            throw new IllegalArgumentException("not a KEY: " + json);
        }
        String form = object.keySet().iterator().next();
        JsonElement value = object.get(form);
        return switch (form) {
            case "hex" -> new Bytes(HexFormat.of().parseHex(string(value)));
            case "base64" -> new Bytes(Base64.getDecoder().decode(string(value)));
            case "text" -> new Text(string(value));
            case "utf16" -> new Text(units(value.getAsJsonArray()));
            case "tuple" -> new Tuple(items(value.getAsJsonArray()));
            case "fields" -> new Fields(fields(value.getAsJsonObject()));
            default -> throw new IllegalArgumentException("not a KEY: " + json);
        };
    }

    private static String string(JsonElement json) {
        if (json instanceof JsonPrimitive primitive && primitive.isString()) {
            return primitive.getAsString();
        }
        throw new IllegalArgumentException("not a string: " + json);
    }

    private static String units(JsonArray json) {
        StringBuilder text = new StringBuilder(json.size());
        for (JsonElement unit : json) {
            int value = unit.getAsBigDecimal().intValueExact();
            if (value < 0 || value > 0xffff) {
                throw new IllegalArgumentException("not a UTF-16 unit: " + unit);
            }
            text.append((char) value);
        }
        return text.toString();
    }

    private static List<Key> items(JsonArray json) {
        List<Key> items = new ArrayList<>(json.size());
        json.forEach(item -> items.add(decode(item)));
        return items;
    }

    /** A value is a KEY or a bare JSON value: a string is text, a number or boolean keeps its source text. */
    private static Map<String, Key> fields(JsonObject json) {
        Map<String, Key> fields = new LinkedHashMap<>();
        json.asMap().forEach((name, value) -> {
            if (value instanceof JsonPrimitive bare) {
                String text = bare.getAsString();
                fields.put(name, bare.isString() ? new Text(text)
                        : new Typed(bare.isBoolean() ? "boolean" : "number", text));
            } else {
                fields.put(name, decode(value));
            }
        });
        return fields;
    }
}
