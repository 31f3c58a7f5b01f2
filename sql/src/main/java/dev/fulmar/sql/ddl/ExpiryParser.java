package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;

/** Parses what follows USING TTL. */
final class ExpiryParser {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private ExpiryParser() {}

    static Expiry parse(TokenReader reader) {
        Token first = reader.peek();
        long count = reader.integer("how long rows stay", 1, Integer.MAX_VALUE);
        long seconds = count * unit(reader);
        if (seconds > Expiry.MOST_SECONDS) {
            throw SqlErrors.syntax(
                    first.position(), "TTL is a hundred years at most; leave it out if rows are to stay");
        }
        reader.expect("ON", "COLUMN");
        String column = reader.name("a column name");
        int batch = reader.accept("BATCH_SIZE")
                ? reader.integer("how many rows go at a time", 1, Expiry.MOST_BATCH)
                : Expiry.USUAL_BATCH;
        return new Expiry(column, seconds, batch);
    }

    private static long unit(TokenReader reader) {
        if (reader.accept("MINUTES") || reader.accept("MINUTE")) {
            return MINUTE;
        }
        if (reader.accept("HOURS") || reader.accept("HOUR")) {
            return HOUR;
        }
        if (reader.accept("DAYS") || reader.accept("DAY")) {
            return DAY;
        }
        if (!reader.accept("SECONDS")) {
            reader.accept("SECOND");
        }
        return 1;
    }
}
