package dev.fulmar.sql.postgres;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyExpression;
import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Objects as PostgreSQL's functions write them. Expressions are as their author wrote them. */
final class ObjectTexts {
    private static final Pattern PLAIN = Pattern.compile("[a-z_][a-z0-9_$]*");

    private ObjectTexts() {}

    /** The client's name of an object, without its schema. */
    static String name(String catalogName) {
        return MirroredName.of(SchemaName.local(catalogName));
    }

    /** The client's name of an object's schema. */
    static String schema(String catalogName) {
        return MirroredName.of(SchemaName.of(catalogName));
    }

    static String quoted(String name) {
        return PLAIN.matcher(name).matches() ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /** The client's name of a schema of the catalog. */
    static String nameOfSchema(String schema) {
        return MirroredName.of(schema);
    }

    static String quotedName(String catalogName) {
        return quoted(name(catalogName));
    }

    /** With its schema, unless that is public. */
    static String shortName(String catalogName) {
        boolean isPublic = SchemaName.of(catalogName).equals(SchemaName.PUBLIC);
        return isPublic ? quotedName(catalogName) : fullName(catalogName);
    }

    static String fullName(String catalogName) {
        return quoted(schema(catalogName)) + "." + quotedName(catalogName);
    }

    static String column(Table table, IndexColumn key) {
        return key.expression().map(KeyExpression::text).orElseGet(() -> quoted(MirroredName.of(key.text(table))));
    }

    private static String keys(Table table, Index index) {
        List<String> keys = new ArrayList<>();
        for (IndexColumn key : index.columns()) {
            String text = column(table, key);
            boolean needsParentheses = key.isComputed() && !text.startsWith("(");
            keys.add((needsParentheses ? "(" + text + ")" : text) + (key.descending() ? " DESC" : ""));
        }
        return String.join(", ", keys);
    }

    static String accessMethod(Table table, Index index) {
        boolean isOrdered = index.kind() == IndexKind.ORDERED
                || (index.primary()
                        && table.indexes().stream()
                                .anyMatch(other -> other.primary() && other.kind() == IndexKind.ORDERED));
        return isOrdered ? "btree" : "hash";
    }

    static String index(Table table, Index index) {
        return "CREATE " + (index.unique() ? "UNIQUE " : "") + "INDEX " + quotedName(index.name()) + " ON "
                + fullName(table.name()) + " USING " + accessMethod(table, index) + " (" + keys(table, index) + ")"
                + index.condition()
                        .map(Check::text)
                        .map(text -> " WHERE " + text)
                        .orElse("");
    }

    static String key(Table table, Index index) {
        return (index.primary() ? "PRIMARY KEY (" : "UNIQUE (")
                + index.columns().stream()
                        .map(key -> quoted(MirroredName.of(key.text(table))))
                        .collect(Collectors.joining(", "))
                + ")" + validity(index.isValidated());
    }

    static String foreignKey(ForeignKey key) {
        return "FOREIGN KEY (" + columns(key.columns()) + ") REFERENCES " + shortName(key.parent()) + "("
                + columns(key.parentColumns()) + ")"
                + action(" ON UPDATE ", key.onUpdate())
                + action(" ON DELETE ", key.onDelete())
                + validity(key.isValidated());
    }

    private static String columns(List<String> names) {
        return names.stream().map(name -> quoted(MirroredName.of(name))).collect(Collectors.joining(", "));
    }

    private static String action(String when, ForeignKey.Action action) {
        return action == ForeignKey.Action.NO_ACTION ? "" : when + action.name().replace('_', ' ');
    }

    private static String validity(boolean isValidated) {
        return isValidated ? "" : " NOT VALID";
    }

    static String check(Check check) {
        return "CHECK " + check.text();
    }
}
