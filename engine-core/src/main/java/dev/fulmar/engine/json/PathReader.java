package dev.fulmar.engine.json;

import dev.fulmar.engine.json.PathStep.Comparison;
import dev.fulmar.engine.json.PathStep.Condition;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a path of SQL/JSON. Strict mode, arithmetic and most methods are refused by name. */
final class PathReader {
    private static final int MOST_CHARACTERS = 10_000;
    private static final int DEEPEST = 100;
    private static final int MOST_PLACE = 1 << 20;

    private static final Map<String, Comparison> COMPARISONS = Map.of(
            "==", Comparison.EQUAL,
            "!=", Comparison.NOT_EQUAL,
            "<>", Comparison.NOT_EQUAL,
            "<=", Comparison.LESS_OR_EQUAL,
            "<", Comparison.LESS,
            ">=", Comparison.GREATER_OR_EQUAL,
            ">", Comparison.GREATER);

    private static final List<String> SIGNS = List.of("==", "!=", "<>", "<=", ">=", "<", ">");

    private final String text;
    private int place;
    private int depth;

    PathReader(String text) {
        this.text = text;
        if (text.isEmpty()) {
            throw new FulmarException(ErrorCode.INVALID_TEXT, "a path of JSON is not empty; $ is the document");
        }
        if (text.length() > MOST_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX, "a path of JSON has at most " + MOST_CHARACTERS + " characters");
        }
    }

    /** An operand or all of a path: a path, or a condition. */
    private record Part(List<PathStep> path, @Nullable Condition condition) {
        Part {
            path = List.copyOf(path);
        }

        static Part of(Condition condition) {
            return new Part(List.of(), condition);
        }
    }

    List<PathStep> read() {
        if (takesWord("strict")) {
            throw refused("the strict mode");
        }
        takesWord("lax");
        Part whole = disjunction();
        skipBlank();
        if (place < text.length()) {
            throw wrong();
        }
        Condition condition = whole.condition();
        return condition == null ? whole.path() : List.of(new PathStep.Test(condition));
    }

    private Part disjunction() {
        if (++depth > DEEPEST) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX, "a path of JSON nests at most " + DEEPEST + " levels deep");
        }
        Part part = conjunction();
        while (takes("||")) {
            part = Part.of(new Condition.Or(condition(part), condition(conjunction())));
        }
        depth--;
        return part;
    }

    private Part conjunction() {
        Part part = comparison();
        while (takes("&&")) {
            part = Part.of(new Condition.And(condition(part), condition(comparison())));
        }
        return part;
    }

    private Condition condition(Part part) {
        Condition condition = part.condition();
        if (condition == null) {
            throw wrong();
        }
        return condition;
    }

    private List<PathStep> path(Part part) {
        if (part.condition() != null) {
            throw wrong();
        }
        return part.path();
    }

    private Part comparison() {
        Part one = operand();
        for (String sign : SIGNS) {
            if (takes(sign)) {
                Comparison comparison = COMPARISONS.getOrDefault(sign, Comparison.EQUAL);
                return Part.of(new Condition.Compare(comparison, path(one), path(operand())));
            }
        }
        if (takesWord("starts")) {
            if (!takesWord("with")) {
                throw wrong();
            }
            return Part.of(new Condition.Compare(Comparison.STARTS_WITH, path(one), path(operand())));
        }
        if (takesWord("like_regex")) {
            throw refused("like_regex");
        }
        skipBlank();
        if (place < text.length() && "+-*/%".indexOf(text.charAt(place)) >= 0) {
            throw refused("arithmetic");
        }
        return one;
    }

    private Part operand() {
        if (takes("!")) {
            skipBlank();
            if (place == text.length() || (text.charAt(place) != '(' && !text.startsWith("exists", place))) {
                throw wrong();
            }
            return Part.of(new Condition.Not(condition(operand())));
        }
        if (takesWord("exists")) {
            expect("(");
            Part inner = disjunction();
            expect(")");
            return Part.of(new Condition.Exists(path(inner)));
        }
        if (takes("(")) {
            Part inner = disjunction();
            expect(")");
            if (inner.condition() == null) {
                return new Part(accessors(new ArrayList<>(inner.path())), null);
            }
            if (takesWord("is")) {
                if (!takesWord("unknown")) {
                    throw wrong();
                }
                return Part.of(new Condition.IsUnknown(condition(inner)));
            }
            return inner;
        }
        return new Part(accessors(new ArrayList<>(List.of(origin()))), null);
    }

    private PathStep origin() {
        skipBlank();
        if (place == text.length()) {
            throw wrong();
        }
        char first = text.charAt(place);
        if (first == '@') {
            place++;
            return new PathStep.Root(PathStep.Origin.ITEM);
        }
        if (first == '$') {
            place++;
            boolean isNamed = place < text.length() && (text.charAt(place) == '"' || isOfName(text.charAt(place)));
            return isNamed ? new PathStep.Variable(key()) : new PathStep.Root(PathStep.Origin.DOCUMENT);
        }
        if (first == '"') {
            return new PathStep.Constant(new JsonValue.Text(quoted()));
        }
        if (first == '-' || first == '.' || Character.isDigit(first)) {
            return new PathStep.Constant(number());
        }
        for (String word : List.of("true", "false", "null")) {
            if (takesWord(word)) {
                return new PathStep.Constant(JsonReader.value(word));
            }
        }
        throw wrong();
    }

    private JsonValue number() {
        int start = place;
        place += text.charAt(place) == '-' ? 1 : 0;
        while (place < text.length() && isOfNumber(place)) {
            place++;
        }
        try {
            return JsonReader.value(text.substring(start, place));
        } catch (FulmarException e) {
            throw new FulmarException(ErrorCode.SYNTAX, "a number of a path of JSON is wrong: " + e.getMessage(), e);
        }
    }

    private boolean isOfNumber(int at) {
        char each = text.charAt(at);
        boolean isSign = (each == '+' || each == '-') && (text.charAt(at - 1) == 'e' || text.charAt(at - 1) == 'E');
        return Character.isLetterOrDigit(each) || each == '.' || isSign;
    }

    private List<PathStep> accessors(List<PathStep> path) {
        while (true) {
            if (takes("[")) {
                path.add(takes("*") ? closed(new PathStep.AnyElement()) : elements());
            } else if (takes("?")) {
                expect("(");
                path.add(new PathStep.Filter(condition(disjunction())));
                expect(")");
            } else if (takes(".")) {
                path.add(member());
            } else {
                return path;
            }
        }
    }

    private PathStep closed(PathStep step) {
        expect("]");
        return step;
    }

    private PathStep member() {
        if (takes("**")) {
            throw refused(".**");
        }
        if (takes("*")) {
            return new PathStep.AnyKey();
        }
        skipBlank();
        boolean isQuoted = place < text.length() && text.charAt(place) == '"';
        String key = key();
        if (isQuoted || !takes("(")) {
            return new PathStep.Key(key);
        }
        if (!takes(")") || !(key.equals("size") || key.equals("type"))) {
            throw refused("." + key + "()");
        }
        return key.equals("size") ? new PathStep.Size() : new PathStep.Kind();
    }

    private PathStep elements() {
        List<PathStep.Range> ranges = new ArrayList<>();
        do {
            PathStep.Place from = elementPlace();
            ranges.add(new PathStep.Range(from, takesWord("to") ? elementPlace() : from));
        } while (takes(","));
        return closed(new PathStep.Elements(ranges));
    }

    private PathStep.Place elementPlace() {
        if (takesWord("last")) {
            return new PathStep.Place(takes("-") ? whole() : 0, true);
        }
        boolean isNegative = takes("-");
        int number = whole();
        return new PathStep.Place(isNegative ? -number : number, false);
    }

    private int whole() {
        skipBlank();
        int start = place;
        while (place < text.length() && text.charAt(place) >= '0' && text.charAt(place) <= '9') {
            place++;
        }
        if (place == start || place - start > 7) {
            throw refused("a subscript that is no plain number");
        }
        return Math.min(Integer.parseInt(text.substring(start, place)), MOST_PLACE);
    }

    private String key() {
        skipBlank();
        if (place < text.length() && text.charAt(place) == '"') {
            return quoted();
        }
        int start = place;
        while (place < text.length() && isOfName(text.charAt(place))) {
            place++;
        }
        if (start == place || Character.isDigit(text.charAt(start))) {
            throw wrong();
        }
        return text.substring(start, place);
    }

    private static boolean isOfName(char each) {
        return Character.isLetterOrDigit(each) || each == '_' || each == '$' || each >= 0x80;
    }

    private String quoted() {
        int end = place + 1;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length()) {
            throw wrong();
        }
        String quoted = text.substring(place, end + 1);
        place = end + 1;
        return JsonReader.value(quoted) instanceof JsonValue.Text(String value) ? value : quoted;
    }

    private void skipBlank() {
        while (place < text.length() && " \t\n\r\f".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
    }

    private boolean takes(String sign) {
        skipBlank();
        boolean isNext = text.startsWith(sign, place);
        place += isNext ? sign.length() : 0;
        return isNext;
    }

    private boolean takesWord(String word) {
        skipBlank();
        int end = place + word.length();
        boolean isNext = text.startsWith(word, place) && (end == text.length() || !isOfName(text.charAt(end)));
        place = isNext ? end : place;
        return isNext;
    }

    private void expect(String sign) {
        if (!takes(sign)) {
            throw wrong();
        }
    }

    private FulmarException wrong() {
        String rest = text.substring(Math.min(place, text.length()));
        return new FulmarException(
                ErrorCode.SYNTAX,
                "a path of JSON is wrong at '" + (rest.length() > 20 ? rest.substring(0, 20) : rest) + "'");
    }

    private static FulmarException refused(String what) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED, "a path of JSON with " + what + " is not supported; docs/SQL.md says what is");
    }
}
