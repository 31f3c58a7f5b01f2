package dev.fulmar.engine.spi;

/**
 * The comment at the end of a statement's text by which constraints without a name get those that PostgreSQL gives. It
 * stands before the marks of temporary tables and of the zone. The node that makes the change writes the names into the
 * text, and takes the comment away. So logs have the names alone, and a comment that is left in one says nothing.
 */
public final class NamesMark {
    private static final String MARK = "/* NAMES POSTGRES */";

    private NamesMark() {}

    /** The statement with the mark. */
    public static String added(String sql) {
        return sql + " " + MARK;
    }

    /** Whether the statement, which has no other marks behind it, has the mark. */
    static boolean ends(String bare) {
        return bare.endsWith(MARK);
    }

    /** Whether the statement has the mark. */
    public static boolean isIn(String sql) {
        return sql.contains(MARK) && ends(TemporaryMark.ofOthersRemoved(sql));
    }

    /** The statement, which has no other marks behind it, without the mark. */
    static String removed(String bare) {
        return ends(bare) ? bare.substring(0, bare.length() - MARK.length()).stripTrailing() : bare;
    }
}
