package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The results of a script's new statements, as the answer to a script that is undone. Between nodes of one version
 * only: a count, and for each result a byte that tells its kind, then an outcome or a code with a text.
 */
public final class ScriptResults {
    private static final byte OUTCOME = 1;
    private static final byte FAILURE = 2;
    private static final int FIXED_BYTES = 16;

    private final List<TransactionResponse> results = new ArrayList<>();
    private long bytes;

    /** Notes the result of the next statement. */
    public void add(Committed result) {
        results.add(result);
        bytes += result.results().length;
    }

    /** Notes that the next statement has failed; none after it has run. */
    public void add(ErrorCode code, String message) {
        results.add(new Failed(code, message));
    }

    /** Bytes of all rows so far. */
    public long bytes() {
        return bytes;
    }

    /** The answer. */
    public Committed toAnswer() {
        List<byte[]> parts = new ArrayList<>();
        int size = Integer.BYTES;
        for (TransactionResponse result : results) {
            byte[] part = switch (result) {
                case Committed committed -> OutcomeBytes.of(committed);
                case Failed failed -> failed.message().getBytes(StandardCharsets.UTF_8);
            };
            parts.add(part);
            size = Math.addExact(size, FIXED_BYTES + part.length);
        }
        ByteBuffer out = ByteBuffer.allocate(size).putInt(results.size());
        for (int i = 0; i < parts.size(); i++) {
            switch (results.get(i)) {
                case Committed _ -> out.put(OUTCOME);
                case Failed failed -> out.put(FAILURE).putInt(failed.code().number());
            }
            out.putInt(parts.get(i).length).put(parts.get(i));
        }
        byte[] written = new byte[out.flip().remaining()];
        out.get(written);
        return new Committed(Kind.NOTHING, 0, written);
    }

    /** The results that the answer has, in the order of the statements; fewer than these if some did not run. */
    public static List<TransactionResponse> read(Committed answer) {
        ByteBuffer in = ByteBuffer.wrap(answer.results());
        int count = in.getInt();
        List<TransactionResponse> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            switch (in.get()) {
                case OUTCOME -> results.add(OutcomeBytes.read(part(in)));
                case FAILURE -> {
                    ErrorCode code = ErrorCode.ofNumber(in.getInt());
                    results.add(new Failed(code, new String(part(in), StandardCharsets.UTF_8)));
                }
                default ->
                    throw new FulmarException(
                            ErrorCode.MALFORMED_REQUEST,
                            "a node sent results of an unknown kind; do both run one version?");
            }
        }
        return results;
    }

    private static byte[] part(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new FulmarException(ErrorCode.MALFORMED_REQUEST, "a node sent results that are cut off");
        }
        byte[] part = new byte[length];
        in.get(part);
        return part;
    }
}
