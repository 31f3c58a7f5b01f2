package dev.fulmar.sql.text;

import java.util.regex.Pattern;

/**
 * Decides whether a message of Calcite shows its internals, such as class names, and replaces it for clients if so.
 * Invariant: every text of the SQL library that becomes part of a message has passed this class; only a defect, whose
 * message asks for a report, shows the exception itself.
 */
public final class LibraryWords {
    /** Each alternative begins with what is seldom or short: a text may be a name of 100,000 characters. */
    private static final Pattern INSIDE = Pattern.compile("org\\.|com\\.|java[x]?\\.|dev\\.fulmar"
            + "|\\bclass |Exception|AssertionError|[Ii]ndex \\(?-?\\d|\\bCalcite"
            + "|\\b(?:Sql|Rex|Rel|Logical|Nls|Lex|Java)[A-Z]\\w+"
            + "|(?i:EXPR[$]|RecordType|Supported form)|[$][A-Za-z]|#[\\d:A-Z]|\\w@[0-9a-f]{5,}|: rel");

    private LibraryWords() {}

    /** Whether the text shows how the library is made. */
    public static boolean areOfTheInside(String text) {
        return INSIDE.matcher(text).find();
    }

    /** The text, or something else to say where it shows how the library is made. */
    public static String shown(String text, String otherwise) {
        return areOfTheInside(text) ? otherwise : text;
    }
}
