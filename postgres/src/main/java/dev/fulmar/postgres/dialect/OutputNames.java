package dev.fulmar.postgres.dialect;

import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names that PostgreSQL gives to the columns of a query which has not named them. Each is that of the function, of
 * the type that is cast to, or {@code ?column?} (its parser's {@code FigureColname}).
 */
final class OutputNames {
    private static final String UNKNOWN = "?column?";

    /** Words behind which an item ends. */
    private static final Set<String> ENDS = Set.of(
            "FROM",
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
            "WINDOW",
            "FOR");

    /** Words that are values or part of an operator, and so no alias. */
    private static final Set<String> NO_ALIAS = Set.of("NULL", "TRUE", "FALSE", "END", "UNKNOWN", "DISTINCT");

    /** Words that are operators, or parts of one. */
    private static final Set<String> OPERATORS =
            Set.of("AND", "OR", "NOT", "IS", "IN", "LIKE", "ILIKE", "SIMILAR", "BETWEEN", "CASE");

    /** Words before a parenthesis that belong to the call before them. */
    private static final Set<String> OF_CALL = Set.of("OVER", "FILTER", "GROUP");

    private OutputNames() {}

    /**
     * The name for each item of the statement's first select list. It is empty for one that names itself, as a column
     * does. None where items may stand for several columns.
     */
    static List<String> of(List<Lexeme> lexemes) {
        int depth = 0;
        for (int i = 0; i < lexemes.size(); i++) {
            Lexeme lexeme = lexemes.get(i);
            depth += depthOf(lexeme);
            if (depth == 0 && lexeme.isWord("SELECT")) {
                return items(lexemes, i + 1);
            }
            if (depth == 0 && lexeme.isWord("VALUES")) {
                return values(lexemes, i + 1);
            }
            if (depth == 0 && lexeme.isWord("INSERT")) {
                return List.of();
            }
        }
        return List.of();
    }

    private static int depthOf(Lexeme lexeme) {
        if (lexeme.isSymbol("(") || lexeme.isSymbol("[")) {
            return 1;
        }
        return lexeme.isSymbol(")") || lexeme.isSymbol("]") ? -1 : 0;
    }

    private static List<String> values(List<Lexeme> lexemes, int start) {
        List<String> names = new ArrayList<>();
        int depth = 0;
        for (int i = start; i < lexemes.size(); i++) {
            depth += depthOf(lexemes.get(i));
            if (names.isEmpty() || (depth == 1 && lexemes.get(i).isSymbol(","))) {
                names.add("column" + (names.size() + 1));
            }
            if (depth == 0) {
                break;
            }
        }
        return names;
    }

    private static List<String> items(List<Lexeme> lexemes, int start) {
        List<String> names = new ArrayList<>();
        List<Lexeme> item = new ArrayList<>();
        int depth = 0;
        for (int i = behindKeys(lexemes, start); i < lexemes.size(); i++) {
            Lexeme lexeme = lexemes.get(i);
            boolean isEnd = depth == 0
                    && (lexeme.kind() == Lexeme.Kind.END || lexeme.isSymbol(")") || ENDS.contains(lexeme.word()))
                    && !(lexeme.isWord("GROUP")
                            && !item.isEmpty()
                            && item.getLast().isWord("WITHIN"));
            if (isEnd || (depth == 0 && lexeme.isSymbol(","))) {
                if (item.stream().anyMatch(word -> word.isSymbol("*"))
                        && item.getLast().isSymbol("*")) {
                    return List.of();
                }
                names.add(name(item));
                item.clear();
            } else if (!(item.isEmpty() && (lexeme.isWord("ALL") || lexeme.isWord("DISTINCT")))) {
                item.add(lexeme);
            }
            if (isEnd) {
                break;
            }
            depth += depthOf(lexeme);
        }
        return names;
    }

    /** The place behind {@code DISTINCT ON (keys)}, which is no item. */
    private static int behindKeys(List<Lexeme> lexemes, int start) {
        boolean hasKeys = start + 1 < lexemes.size()
                && lexemes.get(start).isWord("DISTINCT")
                && lexemes.get(start + 1).isWord("ON");
        int depth = 0;
        for (int i = start + 2; hasKeys && i < lexemes.size(); i++) {
            depth += depthOf(lexemes.get(i));
            if (depth == 0) {
                return i + 1;
            }
        }
        return start;
    }

    private static String name(List<Lexeme> item) {
        int size = item.size();
        if (size > 2 && item.get(size - 2).isWord("OVER") && item.getLast().isName()) {
            return inner(item.subList(0, size - 2)); // a window with a name, which is no name of the item
        }
        if (isInterval(item)) {
            return "interval";
        }
        if (item.isEmpty() || hasAlias(item) || isColumn(item)) {
            return "";
        }
        long casts = item.stream().filter(word -> word.isSymbol("::")).count();
        return casts > Parentheses.MOST_LEVELS ? UNKNOWN : inner(item);
    }

    private static boolean hasAlias(List<Lexeme> item) {
        int depth = 0;
        for (Lexeme lexeme : item) {
            depth += depthOf(lexeme);
            if (depth == 0 && lexeme.isWord("AS")) {
                return true;
            }
        }
        Lexeme last = item.getLast();
        if (item.size() == 1 || !last.isName() || NO_ALIAS.contains(last.word())) {
            return false;
        }
        Lexeme before = item.get(item.size() - 2);
        return before.kind() != Lexeme.Kind.SYMBOL
                ? before.kind() != Lexeme.Kind.WORD || isEndOfValue(before)
                : before.isSymbol(")") || before.isSymbol("]");
    }

    private static boolean isEndOfValue(Lexeme word) {
        return !Set.of(
                        "NOT",
                        "AND",
                        "OR",
                        "IS",
                        "LIKE",
                        "IN",
                        "BETWEEN",
                        "CASE",
                        "THEN",
                        "ELSE",
                        "WHEN",
                        "INTERVAL",
                        "DATE",
                        "TIME",
                        "TIMESTAMP")
                .contains(word.word());
    }

    private static boolean isColumn(List<Lexeme> item) {
        for (int i = 0; i < item.size(); i++) {
            boolean fits = i % 2 == 0 ? item.get(i).isName() : item.get(i).isSymbol(".");
            if (!fits) {
                return false;
            }
        }
        boolean isValue = NO_ALIAS.contains(item.getLast().word())
                || item.getLast().isWord("CURRENT_DATE")
                || item.getLast().isWord("CURRENT_TIMESTAMP")
                || item.getLast().isWord("LOCALTIMESTAMP")
                || item.getLast().isWord("CURRENT_USER")
                || item.getLast().isWord("SESSION_USER");
        return !(item.size() == 1 && isValue);
    }

    /** The name of an item with its other name, or of a column. */
    private static String shownName(List<Lexeme> item) {
        if (item.isEmpty()) {
            return UNKNOWN;
        }
        boolean isNamed = isColumn(item) || hasAlias(item);
        return isNamed ? item.getLast().name() : name(item);
    }

    /** The words in the parentheses that are the whole item; null if there are others. */
    private static @Nullable List<Lexeme> inParentheses(List<Lexeme> item) {
        boolean areWhole = item.size() > 2
                && item.getFirst().isSymbol("(")
                && item.getLast().isSymbol(")")
                && opening(item, item.size() - 1) == 0;
        return areWhole ? item.subList(1, item.size() - 1) : null;
    }

    /** The name of the first column of a query that stands for a value. */
    private static String ofQuery(List<Lexeme> query) {
        List<Lexeme> first = new ArrayList<>();
        int depth = 0;
        for (int i = behindKeys(query, 1); i < query.size(); i++) {
            Lexeme lexeme = query.get(i);
            boolean isEnd = depth == 0 && (lexeme.isSymbol(",") || ENDS.contains(lexeme.word()));
            if (isEnd) {
                break;
            }
            if (!(first.isEmpty() && (lexeme.isWord("ALL") || lexeme.isWord("DISTINCT")))) {
                first.add(lexeme);
            }
            depth += depthOf(lexeme);
        }
        return first.size() > 1 && first.getLast().isSymbol("*") ? UNKNOWN : shownName(first);
    }

    /** Whether the item is an interval with its fields behind it: {@code interval '1:30' minute to second}. */
    private static boolean isInterval(List<Lexeme> item) {
        if (item.size() < 2 || !item.getFirst().isWord("INTERVAL")) {
            return false;
        }
        Words words = new Words(item);
        int text = words.areAt(1, "(") ? words.closing(1) + 1 : 1;
        return text < item.size() && isText(item.get(text)) && Casts.behindFields(words, text + 1) == item.size();
    }

    private static boolean isText(Lexeme lexeme) {
        return lexeme.kind() == Lexeme.Kind.STRING
                || lexeme.kind() == Lexeme.Kind.ESCAPED
                || lexeme.kind() == Lexeme.Kind.DOLLAR;
    }

    /** Whether the item is {@code x AT TIME ZONE z}, which is a call of the function timezone. */
    private static boolean isInZone(List<Lexeme> item) {
        int depth = 0;
        boolean isFound = false;
        for (int i = 0; i < item.size(); i++) {
            Lexeme lexeme = item.get(i);
            if (depth == 0) {
                boolean isOperator = lexeme.kind() == Lexeme.Kind.SYMBOL
                        && depthOf(lexeme) == 0
                        && !lexeme.isSymbol(".")
                        && !lexeme.isSymbol("::");
                if (isOperator || OPERATORS.contains(lexeme.word())) {
                    return false;
                }
                isFound |= i > 0
                        && i + 3 < item.size()
                        && lexeme.isWord("AT")
                        && item.get(i + 1).isWord("TIME")
                        && item.get(i + 2).isWord("ZONE");
            }
            depth += depthOf(lexeme);
        }
        return isFound;
    }

    private static String inner(List<Lexeme> item) {
        if (isInZone(item)) {
            return "timezone";
        }
        List<Lexeme> within = inParentheses(item);
        if (within != null) {
            return within.getFirst().isWord("SELECT") ? ofQuery(within) : shownName(within);
        }
        if (item.getLast().isSymbol("]")) {
            int open = opening(item, item.size() - 1);
            boolean isArray = open == 1 && item.getFirst().isWord("ARRAY");
            return isArray ? "array" : open > 0 ? shownName(item.subList(0, open)) : UNKNOWN;
        }
        int cast = lastCast(item);
        if (cast > 0) {
            List<Lexeme> operand = item.subList(0, cast);
            String name = isColumn(operand) ? operand.getLast().name() : inner(operand);
            boolean isOfType = name.equals(UNKNOWN) || (!isColumn(operand) && isWithoutName(operand));
            return isOfType ? typeName(item.get(cast + 1)) : name;
        }
        if (item.size() == 1) {
            return single(item.getFirst());
        }
        if (isTypedText(item)) {
            return typeName(item.getFirst());
        }
        if (item.getFirst().isWord("CASE") && item.getLast().isWord("END")) {
            return "case";
        }
        return item.getLast().isSymbol(")") ? call(item) : UNKNOWN;
    }

    /** Whether a value is named by its type or form alone, which the type of a cast of it replaces. */
    private static boolean isWithoutName(List<Lexeme> item) {
        int cast = lastCast(item);
        if (cast > 0) {
            List<Lexeme> operand = item.subList(0, cast);
            return !isColumn(operand) && isWithoutName(operand);
        }
        boolean isCase = item.getFirst().isWord("CASE") && item.getLast().isWord("END");
        return item.size() == 1 || isCase || isTypedText(item);
    }

    /** A text behind the name of its type. */
    private static boolean isTypedText(List<Lexeme> item) {
        List<Lexeme> type = item.subList(0, item.size() - 1);
        return isText(item.getLast())
                && type.stream().allMatch(word -> word.kind() == Lexeme.Kind.WORD)
                && TypeWords.find(type.stream().map(Lexeme::text).collect(Collectors.joining(" "))) != null;
    }

    private static String single(Lexeme lexeme) {
        return switch (lexeme.word()) {
            case "TRUE", "FALSE" -> "bool";
            case "CURRENT_DATE", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_USER", "SESSION_USER" -> lexeme.name();
            default -> UNKNOWN;
        };
    }

    /** Place of a cast that ends the item; 0 for none. */
    private static int lastCast(List<Lexeme> item) {
        int depth = 0;
        for (int i = item.size() - 1; i > 0; i--) {
            depth -= depthOf(item.get(i));
            if (depth == 0 && item.get(i).isSymbol("::")) {
                return i + 1 < item.size() && isOperand(item.subList(0, i)) ? i : 0;
            }
            if (depth == 0
                    && item.get(i).kind() == Lexeme.Kind.SYMBOL
                    && depthOf(item.get(i)) == 0
                    && !item.get(i).isSymbol(".")) {
                return 0;
            }
        }
        return 0;
    }

    /** Whether the words before a cast are one operand, so that the cast is the whole item. */
    private static boolean isOperand(List<Lexeme> words) {
        int depth = 0;
        for (Lexeme word : words) {
            boolean isOperator = word.kind() == Lexeme.Kind.SYMBOL
                    && depthOf(word) == 0
                    && !word.isSymbol(".")
                    && !word.isSymbol("::");
            if (depth == 0 && isOperator) {
                return false;
            }
            depth += depthOf(word);
        }
        return true;
    }

    /** The name of a call that is the whole item. */
    private static String call(List<Lexeme> item) {
        int open = opening(item, item.size() - 1);
        while (open > 1 && OF_CALL.contains(item.get(open - 1).word())) {
            int before = open - 2;
            while (before > 0 && !item.get(before).isSymbol(")")) {
                before--;
            }
            open = opening(item, before);
        }
        if (open < 1 || !item.get(open - 1).isName()) {
            return UNKNOWN;
        }
        int start = open - 1;
        while (start > 1 && item.get(start - 1).isSymbol(".")) {
            start -= 2;
        }
        if (start != 0) {
            return UNKNOWN;
        }
        Lexeme function = item.get(open - 1);
        return function.isWord("CAST") ? cast(item, open) : function.name();
    }

    private static String cast(List<Lexeme> item, int open) {
        for (int i = item.size() - 2; i > open; i--) {
            if (item.get(i).isWord("AS")) {
                List<Lexeme> operand = item.subList(open + 1, i);
                return isColumn(operand) ? operand.getLast().name() : typeName(item.get(i + 1));
            }
        }
        return UNKNOWN;
    }

    private static int opening(List<Lexeme> item, int close) {
        int depth = 0;
        for (int i = close; i >= 0; i--) {
            depth -= depthOf(item.get(i));
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static String typeName(Lexeme type) {
        PostgresType known = TypeWords.find(type.name());
        return known == null ? type.name() : known.typeName();
    }
}
