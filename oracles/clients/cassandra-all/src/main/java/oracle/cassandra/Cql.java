package oracle.cassandra;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import oracle.Reflection;
import org.antlr.runtime.RecognitionException;
import org.apache.cassandra.cql3.CQLFragmentParser;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.CqlParser;
import org.apache.cassandra.cql3.FieldIdentifier;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.schema.CQLTypeParser;
import org.apache.cassandra.schema.Types;
import org.apache.cassandra.utils.ByteBufferUtil;

/** The server's CQL: its type names, its literals, its CREATE TABLE. What moved between 3.11 and 5.0 goes by reflection. */
final class Cql {
    private static final Set<String> QUOTED = Set.of("ascii", "text", "varchar", "inet");
    private static final Set<String> QUOTED_UNLESS_INTEGER = Set.of("date", "time", "timestamp");

    private final List<UserType> userTypes = new ArrayList<>();

    private Types types() {
        return Types.of(userTypes.toArray(UserType[]::new));
    }

    /** A key's type, frozen as every key is. A user type is spelled with its fields: udt&lt;street:text,zip:int&gt;. */
    AbstractType<?> type(String name) {
        return CQLTypeParser.parse("ks", declareUserTypes(name), types()).freeze();
    }

    private String declareUserTypes(String name) {
        for (int start = name.lastIndexOf("udt<"); start >= 0; start = name.lastIndexOf("udt<")) {
            int end = closing(name, start + 3);
            List<FieldIdentifier> fields = new ArrayList<>();
            List<AbstractType<?>> fieldTypes = new ArrayList<>();
            for (String field : split(name.substring(start + 4, end))) {
                int colon = field.indexOf(':');
                fields.add(FieldIdentifier.forInternalString(field.substring(0, colon).trim()));
                fieldTypes.add(CQLTypeParser.parse("ks", field.substring(colon + 1).trim(), types()));
            }
            String declared = "u" + userTypes.size();
            userTypes.add(new UserType("ks", ByteBufferUtil.bytes(declared), fields, fieldTypes, true));
            name = name.substring(0, start) + declared + name.substring(end + 1);
        }
        return name;
    }

    private static int closing(String name, int open) {
        int depth = 0;
        for (int i = open; i < name.length(); i++) {
            depth += name.charAt(i) == '<' ? 1 : name.charAt(i) == '>' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("no closing > in " + name);
    }

    private static List<String> split(String fields) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < fields.length(); i++) {
            char c = fields.charAt(i);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(fields.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(fields.substring(start));
        return parts;
    }

    /** The value as a CQL literal of its type; a scalar comes without quotes. */
    ByteBuffer value(AbstractType<?> type, String value) throws Exception {
        String name = type.asCQL3Type().toString();
        boolean quoted = QUOTED.contains(name) || QUOTED_UNLESS_INTEGER.contains(name) && !value.matches("-?[0-9]+");
        String literal = quoted ? "'" + value.replace("'", "''") + "'" : value;
        // The rule for a term stops where the term ends: whole statements show that nothing follows.
        parse("query", "INSERT INTO ks.t (k) VALUES (" + literal + ")");
        parse("query", "SELECT * FROM ks.t WHERE k = " + literal);
        Term.Raw raw = (Term.Raw) parse("term", literal);
        if (!raw.getClass().getName().endsWith("Literal")) {
            throw new IllegalArgumentException("not a literal: " + literal);
        }
        ColumnSpecification column = new ColumnSpecification("ks", "t", new ColumnIdentifier("k", true), type);
        return raw.prepare("ks", column).bindAndGet(QueryOptions.DEFAULT);
    }

    /** Prepares a CREATE TABLE, which refuses what no key may be. */
    void createTable(String cql) throws Exception {
        Object raw = parse("query", cql);
        if (raw.getClass().getSimpleName().equals("RawStatement")) {
            Object prepared = Reflection.call(raw, "prepare", types());
            Object statement = prepared.getClass().getField("statement").get(prepared);
            Reflection.call(statement, "getCFMetaData");
            return;
        }
        Object statement = Reflection.call(raw, "prepare", new Object[] {null});
        Object builder = Reflection.call(statement, "builder", types());
        Reflection.call(builder, "build");
    }

    /** What a rule of the server's grammar reads. */
    private static Object parse(String rule, String text) {
        return CQLFragmentParser.parseAny(parser -> {
            try {
                return Reflection.call(parser, rule);
            } catch (RecognitionException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, text, rule);
    }

    static ByteBuffer compose(ByteBuffer[] values) throws Exception {
        try {
            Class<?> accessor = Class.forName("org.apache.cassandra.db.marshal.ByteBufferAccessor");
            return (ByteBuffer) Reflection.callStatic(CompositeType.class, "build", accessor.getField("instance").get(null),
                    values);
        } catch (ClassNotFoundException e) {
            return (ByteBuffer) Reflection.callStatic(CompositeType.class, "build", (Object) values);
        }
    }
}
