package dev.fulmar.sql.text;

import java.util.List;
import java.util.Optional;

/** The names of a column's own sequence: that of the catalog, and the one that PostgreSQL gives it. */
public final class ColumnSequence {
    private static final String END = "_SEQUENCE";
    private static final String FOREIGN_END = "_SEQ";

    private ColumnSequence() {}

    /** The catalog's name for one that PostgreSQL gives; empty for other names. */
    public static Optional<String> ofForeign(String name) {
        int start = name.length() - FOREIGN_END.length();
        return name.regionMatches(true, start, FOREIGN_END, 0, FOREIGN_END.length())
                ? Optional.of(name.substring(0, start) + END)
                : Optional.empty();
    }

    /** The names that PostgreSQL gives, of columns in capitals and others; none if the catalog's is another one. */
    public static List<String> foreign(String name) {
        if (!name.endsWith(END)) {
            return List.of();
        }
        String column = name.substring(0, name.length() - END.length());
        return List.of(column + FOREIGN_END, column + "_seq");
    }
}
