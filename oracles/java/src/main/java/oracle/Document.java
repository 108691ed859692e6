package oracle;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A KEY of a search engine: an id, or the tuple (routing, id). Null stands for what the request does not give. */
public record Document(String id, String routing) {
    public static Document of(Key key) {
        if (key instanceof Key.Tuple tuple) {
            if (tuple.items().size() != 2) {
                throw new IllegalArgumentException("a tuple is (routing, id)");
            }
            return new Document(text(tuple.items().get(1)), text(tuple.items().get(0)));
        }
        return new Document(text(key), null);
    }

    private static String text(Key key) {
        if (key instanceof Key.Null) {
            return null;
        } else if (key instanceof Key.Text text) {
            return text.text();
        } else if (key instanceof Key.Bytes bytes) {
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.bytes())).toString();
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("an id is text: these bytes are no UTF-8");
            }
        }
        throw new IllegalArgumentException("an id is text");
    }
}
