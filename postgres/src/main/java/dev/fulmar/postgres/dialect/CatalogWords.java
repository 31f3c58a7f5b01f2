package dev.fulmar.postgres.dialect;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Brings statements about pg_catalog and INFORMATION_SCHEMA into words that the engine knows. */
final class CatalogWords {
    private static final String CATALOG = "PG_CATALOG.";

    /** Words of ORDER BY one column that has a table's name before it. */
    private static final int ORDER_WORDS = 5;

    /** Columns that have no value in any row, so that arrays of what has one are empty. */
    private static final List<String> NEVER_SET = List.of("reloptions", "attacl is not null", "contypid");

    /** Functions of texts of objects, with the number of arguments before the choice of their form. */
    private static final Map<String, Integer> TEXTS =
            Map.of("PG_GET_CONSTRAINTDEF", 1, "PG_GET_EXPR", 2, "PG_GET_VIEWDEF", 1, "PG_GET_INDEXDEF", 2);

    /** Words before a table that columns follow in parentheses. */
    private static final Set<String> BEFORE_TABLE =
            Set.of("INTO", "TABLE", "EXISTS", "REFERENCES", "VIEW", "UPDATE", "INDEX", "SEQUENCE");

    private final Words words;
    private final SessionFacts facts;

    private CatalogWords(Words words, SessionFacts facts) {
        this.words = words;
        this.facts = facts;
    }

    static void replace(String source, Words words, SessionFacts facts) {
        if (isAboutCatalog(words)) {
            new CatalogWords(words, facts).replace(source);
        }
    }

    static boolean isAboutCatalog(Words words) {
        for (int i = 0; i < words.count(); i++) {
            Lexeme lexeme = words.at(i);
            if (!lexeme.isName()) {
                continue;
            }
            String name = lexeme.name();
            boolean isSchema = name.equals("pg_catalog") || name.equals("information_schema");
            boolean isTable = CatalogNames.isTable(name)
                    && (words.at(i - 1).isWord("FROM")
                            || words.at(i - 1).isWord("JOIN")
                            || words.at(i - 1).isSymbol(","));
            boolean isFunction =
                    words.areAt(i + 1, "(") && !words.at(i - 1).isSymbol(".") && CatalogNames.isFunctionOfObjects(name);
            boolean isCast = words.at(i - 1).isWord("AS") && words.areAt(i + 1, ")") && CatalogNames.isObjectType(name);
            if ((isSchema && words.areAt(i + 1, ".")) || isTable || isFunction || isCast) {
                return true;
            }
        }
        return false;
    }

    private void replace(String source) {
        tables();
        EmptyQueries.replace(words);
        arraysOfQueries();
        ExpandedArrays.replace(words);
        ExpandedVectors.replace(words);
        choices();
        ConstantArrays.replace(source, words);
        operators();
        new TableNames().replace();
    }

    /** The last argument of functions of texts says how these are broken into lines, and no text needs a parameter. */
    private void choices() {
        for (int i = 0; i < words.count(); i++) {
            Integer least = TEXTS.get(words.at(i).word());
            if (least != null && words.areAt(i + 1, "(")) {
                int end = words.closing(i + 1);
                int commas = 0;
                for (int j = i + 2; j < end; j++) {
                    commas += words.at(j).isSymbol(",") ? 1 : 0;
                    j = words.at(j).isSymbol("(") ? words.closing(j) : j;
                }
                boolean isParameter = words.at(end - 1).kind() == Lexeme.Kind.PARAMETER
                        && words.at(end - 2).isSymbol(",");
                if (isParameter && commas >= least) {
                    words.replace(end - 2, end, "");
                }
            }
        }
    }

    /** {@code ARRAY(SELECT ...)} in the forms that clients have. */
    private void arraysOfQueries() {
        for (int i = 0; i < words.count(); i++) {
            boolean isArray = words.areAt(i, "ARRAY", "(");
            if (!isArray && !words.areAt(i, "ARRAY_REMOVE", "(")) {
                continue;
            }
            int end = words.closing(i + 1);
            if (isArray && words.at(i + 2).text().endsWith(EmptyQueries.END)) {
                words.replace(i, end + 1, "'{}'");
                continue;
            }
            String inside = texts(i + 2, end);
            if (!isArray) {
                if (inside.contains("reloptions")) {
                    words.replace(words.areAt(i - 2, "PG_CATALOG", ".") ? i - 2 : i, end + 1, "CAST(NULL AS VARCHAR)");
                }
            } else if (!words.areAt(i + 2, "SELECT")) {
                continue;
            } else if (inside.contains("pg_auth_members") && isSought(end)) {
                words.replace(i, end + 1, CATALOG + "ROLES_OF(" + sought(end) + ")");
            } else if (inside.contains("pg_enum") && isInOrder(end) && isSought(end - ORDER_WORDS)) {
                words.replace(i, end + 1, CATALOG + "LABELS_OF(" + sought(end - ORDER_WORDS) + ")");
            } else if (NEVER_SET.stream().anyMatch(inside::contains)) {
                words.replace(i, end + 1, "'{}'");
            }
        }
    }

    /** Whether a condition {@code a.b = c.d} ends before the place. */
    private boolean isSought(int end) {
        return words.at(end - 2).isSymbol(".") && words.at(end - 4).isSymbol("=");
    }

    private String sought(int end) {
        return words.at(end - 3).text() + "." + words.at(end - 1).text();
    }

    /** Whether labels are asked for in their order. */
    private boolean isInOrder(int end) {
        return words.areAt(end - ORDER_WORDS, "ORDER", "BY")
                && words.at(end - 1).text().equalsIgnoreCase("enumsortorder");
    }

    private String texts(int from, int to) {
        return words.between(from, to).stream()
                .map(lexeme -> lexeme.text().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }

    private void operators() {
        for (int i = 0; i < words.count(); i++) {
            Lexeme lexeme = words.at(i);
            if (words.areAt(i, "PG_CATALOG", ".", "GENERATE_SERIES", "(")) {
                words.replace(i, i + 2, ""); // which is the engine's own
            } else if (words.areAt(i, "SELECT", "FROM")) {
                words.insert(i + 1, "1"); // of EXISTS, whose columns do not matter
            } else if (lexeme.isWord("COLLATE")) {
                words.replace(i, words.areAt(i + 2, ".") ? i + 4 : i + 2, "");
                i--;
            } else if (words.areAt(i, "&", "CAST", "(")
                    && words.at(i + 3).text().equals("1")) {
                words.replace(i, words.closing(i + 2) + 1, "% 2"); // of numbers that are not negative
            } else if (lexeme.isWord("CAST") && words.areAt(i + 1, "(")) {
                typeOfCast(i + 1);
            }
        }
    }

    private void typeOfCast(int open) {
        int close = words.closing(open);
        for (int i = close; i > open; i--) {
            if (words.at(i).isWord("AS")) {
                type(i + 1);
                return;
            }
        }
    }

    /** A type without its schema, but for those of objects, which have it always; arrays are text. */
    private void type(int place) {
        if (words.areAt(place, "PG_CATALOG", ".") || words.areAt(place, "INFORMATION_SCHEMA", ".")) {
            words.replace(place, place + 2, "");
        }
        String name = words.at(place).name();
        if (words.areAt(place + 1, "[", "]")) {
            words.replace(place, place + 3, "VARCHAR");
        } else if (CatalogNames.isObjectType(name)) {
            words.replace(place, place + 1, CATALOG + name.toUpperCase(Locale.ROOT));
        }
    }

    private Map<String, String> tablesByAlias() {
        Map<String, String> tables = new TreeMap<>();
        for (int i = 0; i < words.count(); i++) {
            if (words.areAt(i, "PG_CATALOG", ".")
                    && CatalogNames.isTable(words.at(i + 2).name())) {
                Lexeme alias = words.at(words.at(i + 3).isWord("AS") ? i + 4 : i + 3);
                if (alias.isName()) {
                    tables.putIfAbsent(alias.name(), words.at(i + 2).name());
                }
            }
        }
        return tables;
    }

    /** {@code t.tableoid}, the table that a row is of. */
    private void tables() {
        Map<String, String> tables = tablesByAlias();
        for (int i = 0; i < words.count(); i++) {
            String table =
                    words.areAt(i + 1, ".", "TABLEOID") ? tables.get(words.at(i).name()) : null;
            if (table != null) {
                words.replace(i, i + 3, "CAST('" + table + "' AS PG_CATALOG.REGCLASS)");
            } else if (words.areAt(i, "CURRENT_SETTING", "(") && words.areAt(i + 3, ".", "NAME", ")")) {
                int start = words.areAt(i - 2, "PG_CATALOG", ".") ? i - 2 : i;
                words.replace(start, i + 6, quoted(words.at(i + 2)) + ".\"SETTING\"");
            }
        }
    }

    private static String quoted(Lexeme name) {
        String mirrored = NameFolding.mirrored(name.name());
        return "\"" + mirrored.replace("\"", "\"\"") + "\"";
    }

    /** Tables get their schema, and names that are words of the engine's grammar become quoted. */
    private final class TableNames {
        /** For each parenthesis that is open, the part of the query that the words are in. */
        private final Deque<String> parts = new ArrayDeque<>(List.of(""));

        void replace() {
            for (int i = 0; i < words.count(); i++) {
                Lexeme lexeme = words.at(i);
                if (lexeme.isSymbol("(")) {
                    parts.push(words.at(i - 1).isWord("CAST") ? "CAST" : "");
                } else if (lexeme.isSymbol(")")) {
                    if (parts.size() > 1) {
                        parts.pop();
                    }
                } else if (!words.at(i - 1).isSymbol(".")) {
                    part(lexeme.word());
                }
                boolean isTable = part().equals("FROM")
                        && (words.at(i - 1).isWord("FROM")
                                || words.at(i - 1).isWord("JOIN")
                                || words.at(i - 1).isSymbol(","));
                if (isTable && lexeme.isName()) {
                    table(i);
                } else if (lexeme.isName()) {
                    name(i);
                }
            }
        }

        private String part() {
            return parts.getFirst();
        }

        private void part(String word) {
            switch (word) {
                case "SELECT", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION", "VALUES" -> set(word);
                case "FROM" -> {
                    if (part().equals("SELECT")) {
                        set(word);
                    }
                }
                default -> {
                    // The part goes on.
                }
            }
        }

        private void set(String word) {
            if (!part().equals("CAST")) {
                parts.pop();
                parts.push(word);
            }
        }

        private void table(int place) {
            boolean isQualified = words.areAt(place + 1, ".");
            String schema = isQualified ? words.at(place).name() : "";
            int last = isQualified ? place + 2 : place;
            String name = words.at(last).name();
            if (schema.equals("information_schema")) {
                words.replace(place, last + 1, "PG_INFORMATION_SCHEMA." + quoted(words.at(last)));
                alias(place + 1);
            } else if (schema.equals("pg_catalog") || (!isQualified && CatalogNames.isTable(name))) {
                words.replace(place, last + 1, catalogTable(name, last));
                alias(place + 1);
            } else if (isQualified) {
                name(last);
                alias(last + 1);
            } else {
                alias(place + 1);
            }
        }

        private void alias(int place) {
            int name = words.at(place).isWord("AS") ? place + 1 : place;
            if (words.at(name).kind() == Lexeme.Kind.WORD && CalledTables.isOtherName(words.at(name))) {
                words.replace(name, name + 1, quoted(words.at(name)));
            }
        }

        private String catalogTable(String name, int last) {
            boolean hasAlias = words.at(last + 1).isWord("AS") || CalledTables.isOtherName(words.at(last + 1));
            String own = hasAlias ? "" : " AS " + name.toUpperCase(Locale.ROOT);
            return switch (name) {
                case "pg_settings" -> OwnTables.settings(facts) + own;
                case "pg_database" -> OwnTables.database(facts) + own;
                case "pg_cursors" -> OwnTables.cursors(facts) + own;
                case "pg_prepared_statements" -> OwnTables.statements(facts) + own;
                case "pg_stat_activity" -> ActivityRows.of(facts) + own;
                default -> CATALOG + quoted(words.at(last));
            };
        }

        /** A name elsewhere: of a function, a column, or of what comes before a dot. */
        private void name(int place) {
            Lexeme lexeme = words.at(place);
            boolean isCalled = words.areAt(place + 1, "(");
            boolean isBehindDot = words.at(place - 1).isSymbol(".");
            if (isCalled && !isBehindDot && CatalogNames.isFunction(lexeme.name())) {
                words.replace(place, place + 1, CATALOG + lexeme.name().toUpperCase(Locale.ROOT));
            } else if (words.areAt(place, "PG_CATALOG", ".")
                    && words.areAt(place + 3, "(")
                    && !BEFORE_TABLE.contains(words.at(place - 1).word())) {
                String function = words.at(place + 2).name();
                words.replace(
                        place,
                        place + 3,
                        (CatalogNames.isFunction(function) ? CATALOG : "") + function.toUpperCase(Locale.ROOT));
            } else if (words.areAt(place, "PG_CATALOG", ".")
                    && CatalogNames.isTable(words.at(place + 2).name())) {
                words.replace(place, place + 3, CATALOG + quoted(words.at(place + 2)));
            } else if (lexeme.kind() == Lexeme.Kind.WORD && !isCalled) {
                boolean isAlias = words.at(place - 1).isWord("AS") && !part().equals("CAST");
                boolean isBehindQuery =
                        part().equals("FROM") && words.at(place - 1).isSymbol(")") && CalledTables.isOtherName(lexeme);
                if (isBehindDot || words.areAt(place + 1, ".") || isAlias || isBehindQuery) {
                    words.replace(place, place + 1, quoted(lexeme));
                }
            }
        }
    }
}
