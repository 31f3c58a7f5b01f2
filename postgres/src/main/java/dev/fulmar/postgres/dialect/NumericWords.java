package dev.fulmar.postgres.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Writes what PostgreSQL computes with numerics as the engine knows it. The type {@code numeric} without digits, or
 * with more than a DECIMAL has, is NUMBER. A number with an exponent, or with many digits, is one too. A quotient has a
 * mark, {@code a / "#/" / b}, and {@code a ^ b} is a call. Functions and procedures of users keep the engine's own
 * meaning.
 */
final class NumericWords {
    private static final Set<String> TYPES = Set.of("NUMERIC", "DECIMAL", "DEC");
    private static final int MOST_DECIMAL_DIGITS = 38;

    /** Words that may stand behind the type of a column. */
    private static final Set<String> BEHIND_TYPE = Set.of(
            "NOT",
            "NULL",
            "DEFAULT",
            "PRIMARY",
            "UNIQUE",
            "CHECK",
            "REFERENCES",
            "CONSTRAINT",
            "COLLATE",
            "GENERATED",
            "USING");

    /** Words behind which, or before which, a number is written as it is. */
    private static final Set<String> COUNTED = Set.of("LIMIT", "OFFSET", "FIRST", "NEXT", "PRECEDING", "FOLLOWING");

    private final String source;
    private final Words words;
    private final Casts operands;

    /** The first word of the power that was written last; negative for none. */
    private int lastPower = -1;

    /** Powers within each other, of which that is the last. */
    private int levels;

    private NumericWords(String source, Words words) {
        this.source = source;
        this.words = words;
        this.operands = new Casts(source, words);
    }

    /** Types and numbers, before texts get their types. */
    static void replaceTypes(String source, Words words) {
        if (isOfUsers(words)) {
            return;
        }
        NumericWords numerics = new NumericWords(source, words);
        boolean isTable = isTable(words);
        int query = words.at(words.outside(2, "AS")).start();
        for (int i = 0; i < words.count(); i++) {
            Lexeme lexeme = words.at(i);
            if (TYPES.contains(lexeme.word()) && !words.at(i - 1).isSymbol(".")) {
                boolean isCast = words.at(i - 1).isWord("AS") && numerics.isInCast(i);
                if (isCast || (isTable && lexeme.start() < query && numerics.isOfColumn(i))) {
                    numerics.type(i);
                }
            } else if (lexeme.kind() == Lexeme.Kind.NUMBER) {
                numerics.number(i);
            }
        }
    }

    /** Operators. */
    static void replaceOperators(String source, Words words) {
        if (isOfUsers(words)) {
            return;
        }
        NumericWords numerics = new NumericWords(source, words);
        for (int i = 0; i < words.count(); i++) {
            Lexeme lexeme = words.at(i);
            boolean isSymbol = lexeme.kind() == Lexeme.Kind.SYMBOL && i > 0;
            if (isSymbol && lexeme.text().equals("/") && !isMarked(words, i)) {
                words.replace(i, i + 1, "/ \"#/\" /");
            } else if (isSymbol && lexeme.text().equals("^")) {
                i = numerics.power(i);
            }
        }
    }

    /** Whether the operator is marked already, as in texts that the catalog shows. */
    private static boolean isMarked(Words words, int place) {
        return words.at(place - 1).text().equals("\"#/\"")
                || words.at(place + 1).text().equals("\"#/\"");
    }

    /** Whether the statement makes a function or a procedure, whose text is the engine's SQL. */
    static boolean isOfUsers(Words words) {
        int kind = words.areAt(0, "CREATE", "OR", "REPLACE") ? 3 : 1;
        return words.at(0).isWord("CREATE")
                && (words.at(kind).isWord("FUNCTION") || words.at(kind).isWord("PROCEDURE"));
    }

    private static boolean isTable(Words words) {
        boolean isChange = words.at(0).isWord("CREATE") || words.at(0).isWord("ALTER");
        for (int i = 1; isChange && i <= 3; i++) {
            if (words.at(i).isWord("TABLE")) {
                return true;
            }
        }
        return false;
    }

    private boolean isInCast(int place) {
        int end = behindType(place);
        return words.at(end).isSymbol(")") && words.at(words.opening(end) - 1).isWord("CAST");
    }

    private int behindType(int place) {
        return words.at(place + 1).isSymbol("(") ? words.closing(place + 1) + 1 : place + 1;
    }

    private boolean isOfColumn(int place) {
        Lexeme before = words.at(place - 1);
        Lexeme after = words.at(behindType(place));
        boolean ends = after.isSymbol(",")
                || after.isSymbol(")")
                || after.kind() == Lexeme.Kind.END
                || BEHIND_TYPE.contains(after.word());
        return before.isName() && !before.isWord("AS") && ends;
    }

    private void type(int place) {
        int end = behindType(place);
        List<String> parts = new ArrayList<>();
        for (int i = place + 2; i < end - 1; i++) {
            parts.add(words.at(i).text());
        }
        String digits = parts.isEmpty() ? "" : parts.getFirst();
        String scale = parts.contains(",") ? String.join("", parts.subList(parts.indexOf(",") + 1, parts.size())) : "0";
        if (parts.isEmpty()) {
            words.replace(place, end, "NUMBER");
        } else if (!isShort(digits, scale)) {
            words.replace(place, end, "NUMBER(" + String.join(" ", parts) + ")");
        }
    }

    /** Whether a DECIMAL has the digits. */
    private static boolean isShort(String digits, String scale) {
        boolean areNumbers = digits.matches("\\d{1,4}") && scale.matches("\\d{1,4}");
        return areNumbers
                && Integer.parseInt(digits) <= MOST_DECIMAL_DIGITS
                && Integer.parseInt(scale) <= Integer.parseInt(digits);
    }

    private void number(int place) {
        String text = words.at(place).text();
        boolean isLong = text.chars().filter(Character::isDigit).count() > MOST_DECIMAL_DIGITS;
        boolean isCounted = COUNTED.contains(words.at(place - 1).word())
                || COUNTED.contains(words.at(place + 1).word());
        if ((isLong || text.indexOf('e') >= 0 || text.indexOf('E') >= 0) && !isCounted) {
            words.replace(place, place + 1, "CAST('" + text + "' AS NUMBER)");
        }
    }

    /** @return the place of the last word of the call */
    private int power(int place) {
        int start = leftOperand(place - 1);
        levels = start == lastPower ? levels + 1 : 1;
        if (levels > Parentheses.MOST_LEVELS) {
            throw Parentheses.tooDeep(source, words.at(place));
        }
        lastPower = start;
        int end = behindOperand(place + 1);
        int at = words.at(place).start();
        List<Lexeme> call = new ArrayList<>();
        call.add(new Lexeme(Lexeme.Kind.MADE, "\"#POWER\"", words.at(start).start()));
        call.add(new Lexeme(Lexeme.Kind.MADE, "(", words.at(start).start()));
        call.addAll(words.between(start, place));
        call.add(new Lexeme(Lexeme.Kind.MADE, ",", at));
        call.addAll(words.between(place + 1, end));
        call.add(new Lexeme(Lexeme.Kind.MADE, ")", at));
        words.replace(start, end, call);
        return start + call.size() - 1;
    }

    /** A sign that belongs to the operand binds more tightly. */
    private int leftOperand(int last) {
        int start = operands.operand(last);
        Lexeme before = words.at(start - 1);
        boolean isSign = start > 0 && (before.isSymbol("-") || before.isSymbol("+")) && !isValue(start - 2);
        return isSign ? start - 1 : start;
    }

    /** Whether a value ends at the place, so that a sign behind it is an operator. */
    private boolean isValue(int place) {
        Lexeme lexeme = words.at(place);
        return place >= 0
                && switch (lexeme.kind()) {
                    case NUMBER, STRING, ESCAPED, UNICODE, DOLLAR, QUOTED, PARAMETER -> true;
                    case MADE -> !lexeme.text().endsWith("/") && !lexeme.text().endsWith("(");
                    case WORD -> !Casts.isBeforeValue(lexeme.word());
                    case SYMBOL -> lexeme.text().equals(")") || lexeme.text().equals("]");
                    case BITS, END -> false;
                };
    }

    private int behindOperand(int first) {
        int place = first;
        while (words.at(place).isSymbol("-") || words.at(place).isSymbol("+")) {
            place++;
        }
        if (words.at(place).isWord("CASE")) {
            return behindCase(place);
        }
        place = words.at(place).isSymbol("(") ? words.closing(place) + 1 : place + 1;
        while (words.at(place).isSymbol(".") && place + 1 < words.count()) {
            place += 2;
        }
        while (words.at(place).isSymbol("(") || words.at(place).isSymbol("[")) {
            place = words.closing(place) + 1;
        }
        return Math.min(place, words.count() - 1);
    }

    private int behindCase(int start) {
        int depth = 0;
        for (int i = start; i < words.count(); i++) {
            depth += words.at(i).isWord("CASE") ? 1 : 0;
            if (words.at(i).isWord("END") && --depth == 0) {
                return i + 1;
            }
        }
        return words.count() - 1;
    }
}
