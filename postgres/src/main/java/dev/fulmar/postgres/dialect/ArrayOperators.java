package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.type.ArrayForm;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code = ANY (array)} as IN and {@code <> ALL (array)} as NOT IN, which the engine finds by an index. The
 * array is a parameter, a text such as {@code '{1,2}'} or {@code ARRAY[...]}, and may be cast.
 */
final class ArrayOperators {
    /** Of the name of a type, which each element has behind it. */
    private static final int MOST_TYPE_CHARACTERS = 200;

    /** A query of no rows and one column. */
    private static final String NONE = "SELECT CAST(NULL AS %s) FROM (VALUES (0)) AS \"#E\" WHERE 1 = 0";

    private final String source;
    private final Words words;

    /** Types to which the elements of parameters are cast, or an empty text, by the places of the parameters. */
    private final Map<Integer, String> parameters = new TreeMap<>();

    private ArrayOperators(String source, Words words) {
        this.source = source;
        this.words = words;
    }

    /** The types to which elements are cast, or an empty text, of each parameter that is such an array. */
    static Map<Integer, String> replace(String source, Words words) {
        ArrayOperators operators = new ArrayOperators(source, words);
        for (int i = 1; i < words.count(); i++) {
            operators.replace(i);
        }
        return operators.parameters;
    }

    /** The items of an empty array. */
    static String none(String type) {
        return String.format(NONE, type);
    }

    /** The value as one of the type, or as it is where the type is empty. */
    static String cast(String value, String type) {
        return type.isEmpty() ? value : "CAST(" + value + " AS " + type + ")";
    }

    private void replace(int operator) {
        boolean isAny = words.at(operator).isSymbol("=")
                && (words.at(operator + 1).isWord("ANY")
                        || words.at(operator + 1).isWord("SOME"));
        boolean isNotAll =
                (words.at(operator).isSymbol("<>") || words.at(operator).isSymbol("!="))
                        && words.at(operator + 1).isWord("ALL");
        int open = operator + 2;
        if (!(isAny || isNotAll) || !words.at(open).isSymbol("(")) {
            return;
        }
        int close = words.closing(open);
        int from = open + 1;
        int end = close;
        while (words.at(from).isSymbol("(") && words.closing(from) == end - 1) {
            from++;
            end--;
        }
        List<Lexeme> items = items(from, end);
        if (items != null) {
            List<Lexeme> list = new ArrayList<>();
            list.add(made(isAny ? "IN" : "NOT IN", operator));
            list.add(made("(", open));
            list.addAll(items);
            list.add(made(")", close));
            words.replace(operator, close + 1, list);
        }
    }

    private Lexeme made(String text, int place) {
        return new Lexeme(Lexeme.Kind.MADE, text, words.at(place).start());
    }

    /** The items of the list that stands for the array, or null if this is none of the known forms. */
    private @Nullable List<Lexeme> items(int from, int end) {
        if (words.areAt(from, "CAST", "(") && words.closing(from + 1) == end - 1) {
            for (int as = from + 3; as < end - 1; as++) {
                if (words.at(as).isWord("AS")) {
                    String type = elementType(as + 1, end - 1);
                    return type == null ? null : items(from + 2, as, type);
                }
            }
        }
        return items(from, end, "");
    }

    /** The type of the elements of an array type, or null if it is none. */
    private @Nullable String elementType(int from, int end) {
        boolean isArray = end - from > 2
                && words.at(end - 2).isSymbol("[")
                && words.at(end - 1).isSymbol("]");
        if (!isArray) {
            return null;
        }
        String type = words.between(from, end - 2).stream().map(Lexeme::text).collect(Collectors.joining(" "));
        return type.length() > MOST_TYPE_CHARACTERS ? null : type;
    }

    private @Nullable List<Lexeme> items(int from, int end, String type) {
        Lexeme first = words.at(from);
        if (first.isSymbol("(") && words.closing(from) == end - 1) {
            return items(from + 1, end - 1, type);
        }
        if (end == from + 1) {
            return switch (first.kind()) {
                case PARAMETER -> {
                    parameters.put(first.start(), type);
                    yield List.of(first);
                }
                case STRING, ESCAPED, DOLLAR -> List.of(made(ofText(first, type), from));
                default -> null;
            };
        }
        boolean isConstructor =
                first.isWord("ARRAY") && words.at(from + 1).isSymbol("[") && words.closing(from + 1) == end - 1;
        return isConstructor ? ofConstructor(from + 2, end - 1, type) : null;
    }

    private String ofText(Lexeme literal, String type) {
        byte[] text = TextLiteral.value(source, literal).getBytes(StandardCharsets.UTF_8);
        List<@Nullable Object> values = ArrayForm.parse(PostgresType.TEXT, text, 0, text.length, ZoneOffset.UTC);
        words.checkMade(text.length + values.size() * (long) cast("'', ", type).length());
        if (values.isEmpty()) {
            return none(type.isEmpty() ? "VARCHAR" : type);
        }
        return values.stream()
                .map(value ->
                        cast(value == null ? "NULL" : "'" + value.toString().replace("'", "''") + "'", type))
                .collect(Collectors.joining(", "));
    }

    private List<Lexeme> ofConstructor(int from, int end, String type) {
        if (from == end) {
            if (type.isEmpty()) {
                throw Place.error(
                        ErrorCode.INDETERMINATE_TYPE,
                        source,
                        words.at(from).start(),
                        "cannot determine type of empty array; cast it, as ARRAY[]::integer[]");
            }
            return List.of(made(none(type), from));
        }
        if (type.isEmpty()) {
            return words.between(from, end);
        }
        List<Lexeme> items = new ArrayList<>();
        int depth = 0;
        items.add(made("CAST(", from));
        for (int i = from; i < end; i++) {
            Lexeme word = words.at(i);
            depth += word.isSymbol("(") || word.isSymbol("[") ? 1 : word.isSymbol(")") || word.isSymbol("]") ? -1 : 0;
            if (depth == 0 && word.isSymbol(",")) {
                items.add(made("AS " + type + "), CAST(", i));
            } else {
                items.add(word);
            }
        }
        items.add(made("AS " + type + ")", end));
        return items;
    }
}
