package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statement of a procedure, as the answer to a script whose new statement calls it and has not run. The session
 * sends it in place of the call. So what follows from a statement's text, as the order of its rows, follows from this
 * one's. Within a node only.
 *
 * @param parameters those of the call
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record CalledStatement(String sql, byte[] parameters) {
    private static final int PARTS = 2;
    private static final int FIRST_BYTES = 256;
    private static final int MOST_BYTES = 128 << 20;

    /** No result of a statement has that. */
    private static final long MARK = -1;

    /** The answer. */
    public Committed toAnswer() {
        ParameterWriter writer =
                new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin().add(sql).add(parameters);
        writer.end();
        return new Committed(Kind.TABLE, MARK, writer.toByteArray());
    }

    /** The request with the statement in place of the call; null if the response is another one. */
    public static TransactionRequest.@Nullable AdHoc of(TransactionResponse response, TransactionRequest.AdHoc call) {
        if (!(response instanceof Committed answer) || answer.kind() != Kind.TABLE || answer.value() != MARK) {
            return null;
        }
        byte[] parts = answer.results();
        ParameterReader in = new ParameterReader(PARTS).wrap(parts, 0, parts.length);
        return call.with(Objects.requireNonNull(in.string(0)), Objects.requireNonNull(in.bytes(1)));
    }
}
