package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterTag;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.FulmarException;

/** The arguments of a system procedure's call. */
final class CallArguments {
    private static final int MAX_COUNT = ParameterWriter.MAX_PARAMETERS;

    private final TransactionRequest.Call request;
    private final ParameterReader reader;
    private final int length;
    private final String usage;
    private final String procedure;

    /** @param usage how the procedure is called, for the message */
    CallArguments(TransactionRequest.Call request, String usage) {
        this.request = request;
        byte[] parameters = request.parameters();
        this.procedure = request.procedure();
        this.usage = usage;
        this.length = parameters.length;
        this.reader = new ParameterReader(Math.min(MAX_COUNT, Math.max(1, length)));
        reader.wrap(length == 0 ? new byte[Short.BYTES] : parameters, 0, Math.max(Short.BYTES, length));
    }

    int count() {
        return reader.count();
    }

    String text(int position) {
        if (position >= count() || reader.tag(position) != ParameterTag.STRING) {
            throw wrong();
        }
        String text = reader.string(position);
        return text == null ? "" : text;
    }

    String textOr(int position, String defaultValue) {
        return position < count() ? text(position) : defaultValue;
    }

    long whole(int position) {
        if (position >= count() || reader.tag(position) != ParameterTag.LONG) {
            throw wrong();
        }
        return reader.getLong(position);
    }

    byte[] bytes(int position) {
        if (position >= count() || reader.tag(position) != ParameterTag.BYTES) {
            throw wrong();
        }
        byte[] bytes = reader.bytes(position);
        return bytes == null ? new byte[0] : bytes;
    }

    /** The arguments from the position on as a list of their own. */
    byte[] rest(int position) {
        ParameterWriter writer = new ParameterWriter(Math.max(Short.BYTES, length), Math.max(Short.BYTES, length));
        for (int i = position; i < count(); i++) {
            writer.addCopy(reader, i);
        }
        return writer.toByteArray();
    }

    /**
     * The statement at the position, with the arguments behind it as its parameters, under the call's handle.
     *
     * @param prefix before its text
     */
    TransactionRequest.AdHoc statement(int position, String prefix) {
        if (!TemporaryMark.of(text(position)).isEmpty()) {
            throw TemporaryMark.refused();
        }
        return new TransactionRequest.AdHoc(
                request.clientId(),
                request.requestId(),
                request.timeoutNanos(),
                request.consistency(),
                prefix + text(position),
                rest(position + 1),
                request.caller(),
                request.catalogVersion());
    }

    FulmarException wrong() {
        return Responses.wrongParameters(procedure, usage);
    }
}
