package dev.fulmar.sql.ddl;

/**
 * Parses alterations that tools for PostgreSQL write, and that mean nothing here: who owns an object, and how its rows
 * are stored on disk. Rights come from GRANT alone, and rows are in memory.
 */
final class SilentAlterations {
    private SilentAlterations() {}

    /** Whether such an alteration comes next, which is taken then. */
    static boolean accept(TokenReader reader) {
        if (reader.accept("OWNER")) {
            reader.expect("TO");
            reader.name("a role's name");
            return true;
        }
        if (reader.accept("CLUSTER")) {
            reader.expect("ON");
            reader.name("an index name");
            return true;
        }
        if (reader.accept("REPLICA", "IDENTITY")) {
            if (reader.accept("USING", "INDEX")) {
                reader.name("an index name");
            } else if (!reader.accept("DEFAULT") && !reader.accept("FULL") && !reader.accept("NOTHING")) {
                throw reader.unexpected("DEFAULT, FULL, NOTHING or USING INDEX");
            }
            return true;
        }
        if (reader.accept("SET", "TABLESPACE") || reader.accept("SET", "ACCESS", "METHOD")) {
            reader.name("a name");
            return true;
        }
        return reader.accept("SET", "WITHOUT", "CLUSTER")
                || reader.accept("SET", "WITHOUT", "OIDS")
                || reader.accept("SET", "LOGGED")
                || reader.accept("SET", "UNLOGGED")
                || parameters(reader);
    }

    /** The same for an alteration of a column. */
    static boolean acceptOfColumn(TokenReader reader) {
        if (reader.accept("SET", "STATISTICS")) {
            reader.acceptSymbol("-");
            reader.take();
            return true;
        }
        if (reader.accept("SET", "STORAGE") || reader.accept("SET", "COMPRESSION")) {
            reader.take();
            return true;
        }
        return parameters(reader);
    }

    /** {@code SET (fillfactor = 70)} and {@code RESET (fillfactor)}. */
    private static boolean parameters(TokenReader reader) {
        boolean isSet = reader.peek().isWord("SET") || reader.peek().isWord("RESET");
        if (!isSet || !reader.peek(1).isSymbol("(")) {
            return false;
        }
        while (!reader.peek().isSymbol(")")) {
            if (reader.isAtEnd()) {
                throw reader.unexpected(")");
            }
            reader.take();
        }
        reader.take();
        return true;
    }
}
