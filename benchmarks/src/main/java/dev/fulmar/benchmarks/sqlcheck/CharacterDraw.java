package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.List;

/**
 * Draws conditions on CHAR: a column and plain text with blanks at its end, in every place where a condition compares.
 */
final class CharacterDraw {
    private static final List<String> TEXTS =
            List.of("'a'", "'a '", "'b'", "'b '", "'b   '", "'ab'", "'ab '", "''", "' '", "'abcd'", "'zz'");
    private static final List<String> COMPARISONS = List.of("=", "=", "<>", "<", "<=", ">", ">=");

    private final Draw draw;

    CharacterDraw(Draw draw) {
        this.draw = draw;
    }

    /** A condition on the column. */
    Phrase condition(String column, Scope scope) {
        return switch (draw.between(0, 7)) {
            case 0, 1 -> phrase(column, draw.pick(COMPARISONS), text());
            case 2 -> phrase(text(), draw.pick(COMPARISONS), column);
            case 3 -> phrase(column, draw.pick("", "NOT"), "IN (", Phrase.list(texts()), ")");
            case 4 -> phrase(column, draw.pick("", "NOT"), "BETWEEN", text(), "AND", text());
            case 5 ->
                phrase(
                        "CASE",
                        column,
                        "WHEN",
                        text(),
                        "THEN 1 WHEN",
                        text(),
                        "THEN 2 ELSE 3 END",
                        "=",
                        draw.pick("1", "2"));
            case 6 -> phrase(column, "IS", draw.pick("", "NOT"), "DISTINCT FROM", text());
            default -> tuple(column, draw.pick(scope.own()));
        };
    }

    private Phrase tuple(String column, Scope.Name other) {
        List<Phrase> rows = new ArrayList<>();
        for (int i = draw.between(1, 3); i > 0; i--) {
            rows.add(Phrase.of("", "(" + text() + ", " + other.type().drawLiteral(draw) + ")"));
        }
        return phrase("(" + column + ", " + other.text() + ")", "IN (", Phrase.list(rows), ")");
    }

    private List<Phrase> texts() {
        List<Phrase> texts = new ArrayList<>();
        for (int i = draw.between(1, 3); i > 0; i--) {
            texts.add(Phrase.of("", text()));
        }
        return texts;
    }

    private String text() {
        return draw.pick(TEXTS);
    }

    private static Phrase phrase(Object... parts) {
        List<Object> all = new ArrayList<>(List.of("("));
        all.addAll(List.of(parts));
        all.add(")");
        return Phrase.of(ValueType.BOOLEAN, all.toArray());
    }
}
