package dev.fulmar.postgres.session;

import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.ValueFormats;
import org.jspecify.annotations.Nullable;

/**
 * A statement that can be executed.
 *
 * @param parameters of the translated statement
 * @param formats of the columns of its result
 * @param portal that is executed; null for a statement of a Query
 * @param rowLimit rows that are sent now at most
 * @param isSilent whether its end is not told, as it is a part of a statement
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
record Bound(
        Translation translation,
        byte[] parameters,
        ValueFormats formats,
        @Nullable ClientPortal portal,
        long rowLimit,
        boolean isSilent) {
    private static final byte[] NO_PARAMETERS = {0, 0};

    /** A statement of a Query. */
    static Bound plain(Translation translation, boolean isSilent) {
        return new Bound(translation, NO_PARAMETERS, ValueFormats.TEXT, null, Long.MAX_VALUE, isSilent);
    }
}
