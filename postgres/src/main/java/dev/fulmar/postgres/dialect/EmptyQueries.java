package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Queries of tables that are always empty. They yield no rows, whatever functions their other parts call, so that those
 * parts need not be understood.
 */
final class EmptyQueries {
    private static final Set<String> ENDS_OF_FROM = Set.of(
            "WHERE",
            "GROUP",
            "HAVING",
            "ORDER",
            "LIMIT",
            "OFFSET",
            "FETCH",
            "UNION",
            "INTERSECT",
            "EXCEPT",
            "FOR",
            "SELECT");

    private static final Set<String> ENDS_OF_QUERY = Set.of("UNION", "INTERSECT", "EXCEPT");

    /** The end of a query that yields nothing. */
    static final String END = " FROM PG_CATALOG.PG_INHERITS WHERE FALSE";

    private static final String NONE = "CAST(NULL AS VARCHAR)";

    private final Words words;

    private EmptyQueries(Words words) {
        this.words = words;
    }

    static void replace(Words words) {
        EmptyQueries queries = new EmptyQueries(words);
        for (int i = 0; i < words.count(); i++) {
            if (words.at(i).isWord("SELECT")) {
                queries.query(i);
            }
        }
    }

    /** The next of these words at the same depth, or the end of the query. */
    private int next(int place, Set<String> ends) {
        int i = place;
        while (i < words.count() - 1) {
            Lexeme lexeme = words.at(i);
            if (lexeme.isSymbol("(") || lexeme.isSymbol("[")) {
                i = words.closing(i);
            } else if (lexeme.isSymbol(")") || (!words.at(i - 1).isSymbol(".") && ends.contains(lexeme.word()))) {
                return i;
            }
            i++;
        }
        return words.count() - 1;
    }

    private void query(int select) {
        int from = next(select + 1, Set.of("FROM", "UNION", "INTERSECT", "EXCEPT", "SELECT"));
        if (!words.at(from).isWord("FROM")) {
            return;
        }
        int end = next(from + 1, ENDS_OF_FROM);
        if (!isEmpty(from, end) || groups(select, from, end)) {
            return;
        }
        int last = next(end, ENDS_OF_QUERY);
        int order = next(end, Set.of("ORDER", "UNION", "INTERSECT", "EXCEPT"));
        boolean isPartOfUnion = ENDS_OF_QUERY.contains(words.at(last).word())
                || (select > 0
                        && (ENDS_OF_QUERY.contains(words.at(select - 1).word())
                                || words.at(select - 1).isWord("ALL")));
        // The order of a union follows its last query.
        int tail = isPartOfUnion && words.at(order).isWord("ORDER") ? order : last;
        List<String> items = items(select + 1, from);
        if (!items.isEmpty()) {
            words.replace(select, tail, "SELECT " + String.join(", ", items) + END);
        }
    }

    /** Whether a table of an inner join is always empty. */
    private boolean isEmpty(int from, int end) {
        boolean isOuter = false;
        boolean isEmpty = false;
        for (int i = from; i < end; i++) {
            Lexeme lexeme = words.at(i);
            if (lexeme.isSymbol("(")) {
                i = words.closing(i);
            } else if (lexeme.isWord("RIGHT") || lexeme.isWord("FULL")) {
                return false;
            } else if (lexeme.isWord("LEFT")) {
                isOuter = true;
            } else if (lexeme.isWord("FROM") || lexeme.isWord("JOIN") || lexeme.isSymbol(",")) {
                int name = words.areAt(i + 1, "PG_CATALOG", ".") ? i + 3 : i + 1;
                isEmpty |=
                        !isOuter && CatalogNames.EMPTY.contains(words.at(name).name());
                isOuter = false;
            }
        }
        return isEmpty;
    }

    /** Whether the query makes one row of all, which it does also of none. */
    private boolean groups(int select, int from, int end) {
        int group = next(end, Set.of("GROUP", "HAVING", "UNION", "INTERSECT", "EXCEPT"));
        if (words.at(group).isWord("GROUP") || words.at(group).isWord("HAVING")) {
            return true;
        }
        for (int i = select; i < from; i++) {
            boolean isAggregate = switch (words.at(i).word()) {
                case "COUNT", "SUM", "MIN", "MAX", "AVG", "STRING_AGG", "ARRAY_AGG", "BOOL_AND", "BOOL_OR", "EVERY" ->
                    words.areAt(i + 1, "(");
                default -> false;
            };
            if (words.at(i).isSymbol("(") && words.at(i + 1).isWord("SELECT")) {
                i = words.closing(i);
            } else if (isAggregate) {
                return true;
            }
        }
        return false;
    }

    /** The columns with their names; none if there may be others. */
    private List<String> items(int start, int end) {
        List<String> items = new ArrayList<>();
        int first = start;
        for (int i = start; i <= end; i++) {
            if (words.at(i).isSymbol("(") || words.at(i).isSymbol("[")) {
                i = words.closing(i);
            } else if (i == end || words.at(i).isSymbol(",")) {
                Lexeme last = words.at(i - 1);
                if (last.isSymbol("*")) {
                    return List.of();
                }
                boolean isNamed = i - first > 1 && words.at(i - 2).isWord("AS");
                boolean isConstant = last.isWord("NULL") || last.isWord("TRUE") || last.isWord("FALSE");
                boolean isColumn = (i - first == 1 && !isConstant)
                        || (i - first == 3 && words.at(i - 2).isSymbol("."));
                String name = isNamed || isColumn ? last.name() : "";
                items.add(NONE
                        + (name.isEmpty()
                                ? ""
                                : " AS \"" + NameFolding.mirrored(name).replace("\"", "\"\"") + "\""));
                first = i + 1;
            }
        }
        return items;
    }
}
