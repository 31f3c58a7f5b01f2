package dev.fulmar.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * An item of FROM.
 *
 * @param alias the name of a single table; null of a join
 * @param names of the columns, each common one once; null if the text does not say
 * @param common what the common columns mean
 * @param parts what it joins
 * @param using the join's own common columns, in their order
 * @param isCompared whether it is a join whose common columns are compared by ON
 */
record JoinSource(
        @Nullable String alias,
        @Nullable Set<String> names,
        Map<String, SqlNode> common,
        List<JoinSource> parts,
        List<String> using,
        boolean isCompared) {
    /** Stands for columns that no name means. */
    static final String UNNAMED = "";

    private static final SqlNode NOTHING = SqlLiteral.createNull(SqlParserPos.ZERO);

    /** A source of columns of these names; null if they are not known. */
    static JoinSource single(@Nullable String alias, @Nullable Set<String> names) {
        return new JoinSource(alias, names, Map.of(), List.of(), List.of(), false);
    }

    boolean hasAlias(String name) {
        return called(name) != null;
    }

    /** The one of that name, or null. */
    @Nullable JoinSource called(String name) {
        if (name.equals(alias)) {
            return this;
        }
        return parts.stream()
                .map(part -> part.called(name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The column by its table, or null if it cannot be told whose it is. */
    @Nullable SqlNode column(String name, SqlParserPos position) {
        SqlNode meant = common.get(name);
        if (meant != null) {
            return meant;
        }
        if (alias != null) {
            return names == null || names.contains(name) ? new SqlIdentifier(List.of(alias, name), position) : null;
        }
        SqlNode found = null;
        for (JoinSource part : parts) {
            Set<String> known = part.names;
            if (known == null) {
                return null;
            }
            if (known.contains(name)) {
                if (found != null) {
                    return null;
                }
                found = part.column(name, position);
            }
        }
        return found;
    }

    /** Whether a star would show common columns twice. */
    boolean hidesCommon() {
        return isCompared || parts.stream().anyMatch(JoinSource::hidesCommon);
    }

    /** Whether some common column is not the first table's. */
    boolean hasOther() {
        return common.keySet().stream().anyMatch(this::isOther)
                || parts.stream().anyMatch(JoinSource::hasOther);
    }

    /** Whether a join within has a common column of that name, which is not the first table's. */
    boolean hasOther(String name) {
        return isOther(name) || parts.stream().anyMatch(part -> part.hasOther(name));
    }

    /** Whether the common column of that name is not that of the first table that has one. */
    boolean isOther(String name) {
        SqlNode meant = common.get(name);
        boolean isFirst =
                meant instanceof SqlIdentifier column && column.names.getFirst().equals(firstWith(name));
        return meant != null && !isFirst;
    }

    private @Nullable String firstWith(String name) {
        if (alias != null) {
            return names == null || names.contains(name) ? alias : null;
        }
        return parts.stream()
                .map(part -> part.firstWith(name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The columns of a star: common ones first, those of the outermost join before others; null if not known. */
    @Nullable List<SqlNode> star(SqlParserPos position) {
        Set<String> known = names;
        if (known == null || known.contains(UNNAMED)) {
            return null;
        }
        List<SqlNode> items = new ArrayList<>();
        if (alias != null) {
            known.forEach(name -> items.add(new SqlIdentifier(List.of(alias, name), position)));
            return items;
        }
        using.forEach(name -> items.add(item(name, placed(common.getOrDefault(name, NOTHING), position))));
        for (JoinSource part : parts) {
            List<SqlNode> ofPart = part.star(position);
            if (ofPart == null) {
                return null;
            }
            ofPart.removeIf(item -> using.contains(nameOf(item)));
            items.addAll(ofPart);
        }
        return items;
    }

    /** The expression under that name. */
    static SqlNode item(String name, SqlNode said) {
        SqlParserPos position = said.getParserPosition();
        return said instanceof SqlIdentifier
                ? said
                : SqlStdOperatorTable.AS.createCall(position, said, new SqlIdentifier(name, position));
    }

    /** The name of a column, or of an expression that has one. */
    private static String nameOf(SqlNode item) {
        SqlNode named = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(1) : item;
        return ((SqlIdentifier) named).names.getLast();
    }

    /** A copy of its own for each place: the validator notes what each node means. */
    static SqlNode placed(SqlNode meaning, SqlParserPos position) {
        return switch (meaning) {
            case SqlIdentifier name -> name.clone(position);
            case SqlCall call ->
                call.getOperator()
                        .createCall(
                                position,
                                call.getOperandList().stream()
                                        .map(operand -> placed(operand, position))
                                        .toList());
            default -> meaning;
        };
    }
}
