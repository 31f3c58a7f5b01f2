package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.value.ColumnForms;
import dev.fulmar.postgres.value.RowForm;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.OutputStyle;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement that can be executed.
 *
 * @param parameters of the translated statement
 * @param formats of the columns of its result
 * @param portal that is executed; null for a statement of a Query
 * @param rowLimit rows that are sent now at most
 * @param isSilent whether its end is not told, as it is a part of a statement
 * @param form of the rows that are sent
 * @param taker takes the answer in place of the client; null for a statement that the client hears of
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
record Bound(
        Translation translation,
        byte[] parameters,
        ValueFormats formats,
        @Nullable ClientPortal portal,
        long rowLimit,
        boolean isSilent,
        RowForm form,
        @Nullable Consumer<Committed> taker) {
    /** A list of none. */
    static final byte[] NO_PARAMETERS = {0, 0};

    /** A statement whose rows are sent as those of results are, in the style of the session. */
    Bound(
            Translation translation,
            byte[] parameters,
            ValueFormats formats,
            @Nullable ClientPortal portal,
            long rowLimit,
            boolean isSilent,
            OutputStyle style) {
        this(translation, parameters, formats, portal, rowLimit, isSilent, RowForm.ofResults(formats, style), null);
    }

    /** A query whose rows are sent in another form. */
    static Bound inForm(Translation translation, RowForm form) {
        return new Bound(translation, NO_PARAMETERS, ValueFormats.TEXT, null, Long.MAX_VALUE, true, form, null);
    }

    /** A statement of a Query. */
    static Bound plain(Translation translation, boolean isSilent, OutputStyle style) {
        return new Bound(translation, NO_PARAMETERS, ValueFormats.TEXT, null, Long.MAX_VALUE, isSilent, style);
    }

    /** A part of a statement, whose rows another part takes. */
    static Bound part(Translation translation, byte[] parameters, OutputStyle style, Consumer<Committed> taker) {
        RowForm form = RowForm.ofResults(ValueFormats.TEXT, style);
        return new Bound(translation, parameters, ValueFormats.TEXT, null, Long.MAX_VALUE, true, form, taker);
    }

    /** Whether another part takes the answer; then it does. */
    boolean isTaken(Committed answer) {
        if (taker != null) {
            taker.accept(answer);
        }
        return taker != null;
    }

    /** The first rows of its result are here: the client hears of the columns. */
    void opened(ResultFeed feed, ClientOutput output) {
        formats.checkedFor(feed.columns().size(), "columns of the result");
        Supplier<BackendMessage> description = () ->
                new BackendMessage.RowDescription(ColumnForms.fields(feed.columns(), translation.names(), formats));
        if (portal == null) {
            output.send(description.get());
        } else {
            portal.describe(output, description);
            portal.opened(feed);
        }
    }

    /** Whether its client wants some rows of a query, and perhaps others later. */
    boolean isReadInParts() {
        return rowLimit < Long.MAX_VALUE && translation.isQuery();
    }

    /** The same statement with a text and parameters that its parts have made. */
    Bound with(Translation made, byte[] others) {
        return new Bound(made, others, formats, portal, rowLimit, isSilent, form, taker);
    }

    /** The same statement as its session completes it. */
    Bound with(Translation completed) {
        return new Bound(completed, parameters, formats, portal, rowLimit, isSilent, form, taker);
    }
}
