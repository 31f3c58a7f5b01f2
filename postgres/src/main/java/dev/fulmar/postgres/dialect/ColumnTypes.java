package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Set;

/** Names of types that the engine does not have become those that hold the same values. */
final class ColumnTypes {
    /** The engine's function that rounds a time, under a name that no client writes. */
    static final String ROUNDED = "\"#ROUNDED\"";

    /** A name has 63 characters at most. */
    private static final String NAME = "VARCHAR(63)";

    /** Words that may stand behind the type of a column. */
    private static final Set<String> BEHIND_TYPE = Set.of(
            "NOT", "NULL", "DEFAULT", "PRIMARY", "UNIQUE", "CHECK", "REFERENCES", "CONSTRAINT", "COLLATE", "GENERATED");

    /** Words before {@code name} that are not the name of a column. */
    private static final Set<String> NO_COLUMN = Set.of(
            "COLUMN",
            "TABLE",
            "ADD",
            "DROP",
            "ALTER",
            "EXISTS",
            "RENAME",
            "TO",
            "ON",
            "ONLY",
            "BY",
            "KEY",
            "AS",
            "SELECT",
            "DISTINCT",
            "CONSTRAINT",
            "REFERENCES");

    private final Words words;

    private ColumnTypes(Words words) {
        this.words = words;
    }

    static void replace(String source, Words words) {
        ColumnTypes types = new ColumnTypes(words);
        boolean isTable = types.isTable();
        int query = words.at(words.outside(2, "AS")).start();
        for (int i = 0; i < words.count(); i++) {
            while (words.areAt(i, "[", "]", "[", "]")) {
                words.replace(i + 2, i + 4, ""); // a type holds arrays of any dimensions, whatever it says
            }
            boolean isCast = words.at(i - 1).isWord("AS") && words.areAt(i + 1, ")") && types.isInCast(i);
            if (words.at(i).isWord("NAME")
                    && (isCast || (isTable && words.at(i).start() < query && types.isOfColumn(i)))) {
                words.replace(i, i + 1, NAME);
            } else if ((words.at(i).isWord("TIME") || words.at(i).isWord("TIMESTAMP"))
                    && !words.at(i - 1).isSymbol(".")) {
                types.datetime(source, i, isTable);
            } else if (isTable && words.at(i).isWord("TIMESTAMPTZ") && types.hasDigits(i)) {
                words.insert(i + 4, " ROUNDED ");
            }
        }
    }

    /** A column's type says its digits, and nothing of its zone; elsewhere a value with fewer digits is rounded. */
    private void datetime(String source, int place, boolean isTable) {
        boolean hasDigits = hasDigits(place);
        int behind = hasDigits ? place + 4 : place + 1;
        boolean isRounded = hasDigits && !words.at(place + 2).text().equals("6") && rounded(source, place, behind);
        if (isTable && !isRounded && words.areAt(behind, "WITHOUT", "TIME", "ZONE")) {
            words.replace(behind, behind + 3, "");
        }
        if (isTable && hasDigits && !isRounded && !words.at(place + 2).text().equals("6")) {
            words.insert(behind, " ROUNDED ");
        }
    }

    private boolean hasDigits(int place) {
        return words.areAt(place + 1, "(")
                && words.at(place + 2).kind() == Lexeme.Kind.NUMBER
                && words.areAt(place + 3, ")");
    }

    /** Whether the type stands before a text or in a CAST, whose value is rounded then. */
    private boolean rounded(String source, int place, int behindDigits) {
        boolean hasZone = words.areAt(behindDigits, "WITH", "TIME", "ZONE")
                || words.areAt(behindDigits, "WITHOUT", "TIME", "ZONE");
        int end = hasZone ? behindDigits + 3 : behindDigits;
        boolean isLiteral = switch (words.at(end).kind()) {
            case STRING, ESCAPED, DOLLAR -> true;
            default -> false;
        };
        boolean isCast = words.at(place - 1).isWord("AS") && words.areAt(end, ")") && isInCast(end - 1);
        if (!isLiteral && !isCast) {
            return false;
        }
        String digits = words.at(place + 2).text();
        if (digits.length() > 1 || digits.charAt(0) > '6') {
            throw fewerDigits(source, words.at(place));
        }
        int start = isCast ? words.opening(end) - 1 : place;
        words.insert(end + 1, ", " + digits + ")");
        words.replace(place + 1, behindDigits, "");
        words.insert(start, ROUNDED + "(");
        return true;
    }

    static FulmarException fewerDigits(String source, Lexeme time) {
        return Place.error(
                ErrorCode.NOT_SUPPORTED,
                source,
                time.start(),
                "times have at most six digits behind the second; write 0 to 6");
    }

    private boolean isTable() {
        boolean isChange = words.at(0).isWord("CREATE") || words.at(0).isWord("ALTER");
        return isChange && (words.at(1).isWord("TABLE") || words.at(2).isWord("TABLE"));
    }

    private boolean isInCast(int place) {
        int open = words.opening(place + 1);
        return words.at(open - 1).isWord("CAST");
    }

    private boolean isOfColumn(int place) {
        Lexeme before = words.at(place - 1);
        Lexeme after = words.at(place + 1);
        boolean ends = after.isSymbol(",")
                || after.isSymbol(")")
                || after.kind() == Lexeme.Kind.END
                || BEHIND_TYPE.contains(after.word());
        return before.isName() && !NO_COLUMN.contains(before.word()) && ends;
    }
}
