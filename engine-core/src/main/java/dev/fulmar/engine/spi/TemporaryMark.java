package dev.fulmar.engine.spi;

import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The comment at the end of a statement's text, before that of its time zone, that names the schema of its session's
 * temporary tables. So it is a part of the text, by which plans are found, statements are logged and other nodes plan.
 * The name is a secret of the session: a statement that has it sees the tables.
 */
public final class TemporaryMark {
    private static final Pattern MARK = Pattern.compile("/\\* TEMPORARY (\\S+) \\*/[\\s;]*");
    private static final String BEGIN = "/* TEMPORARY ";

    private TemporaryMark() {}

    /**
     * The statement of a session.
     *
     * @param schema of its temporary tables; empty for none
     */
    public static String added(String sql, String schema) {
        return schema.isEmpty() ? sql : sql + " " + BEGIN + schema + " */";
    }

    /** The statement without this mark, that of its zone and that of names. */
    public static String removed(String sql) {
        return NamesMark.removed(ofOthersRemoved(sql));
    }

    /** The statement without the marks that stand behind that of names. */
    static String ofOthersRemoved(String sql) {
        String bare = ZoneMark.removed(sql);
        int begin = bare.lastIndexOf(BEGIN);
        return begin >= 0 && mark(bare, begin).matches()
                ? bare.substring(0, begin).stripTrailing()
                : bare;
    }

    /** The schema of the statement's temporary tables; empty for none. */
    public static String of(String sql) {
        int begin = sql.lastIndexOf(BEGIN);
        if (begin < 0) {
            return ""; // as almost always
        }
        String bare = ZoneMark.removed(sql);
        begin = bare.lastIndexOf(BEGIN);
        if (begin < 0) {
            return "";
        }
        Matcher mark = mark(bare, begin);
        return mark.matches() && SchemaName.isTemporary(mark.group(1)) ? mark.group(1) : "";
    }

    /** The refusal of a client's own text that has the mark, which the sessions of nodes add alone. */
    public static FulmarException refused() {
        return new FulmarException(
                ErrorCode.SYNTAX,
                "a statement of a client does not end with a comment about temporary tables; leave it out");
    }

    /** Another text with all marks that the statement has. */
    public static String copied(String sql, String other) {
        return copiedWithoutNames(sql, NamesMark.isIn(sql) ? NamesMark.added(other) : other);
    }

    /** Another text, which has the names of constraints, with the other marks of the statement. */
    public static String copiedWithoutNames(String sql, String other) {
        return ZoneMark.added(added(other, of(sql)), ZoneMark.style(sql));
    }

    private static Matcher mark(String sql, int begin) {
        return MARK.matcher(sql).region(begin, sql.length());
    }
}
