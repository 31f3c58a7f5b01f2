package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a script's new statements, as the answer to a script that is undone. Between nodes of one version
 * only: a count, and for each result a byte that tells its kind, then an outcome or a code with a text. Behind all of
 * them is the digest of each, if the partition has made it; nodes that do not know of these leave them unread.
 */
public final class ScriptResults {
    private static final byte OUTCOME = 1;
    private static final byte FAILURE = 2;
    private static final byte READING = 3;
    private static final byte CHANGE = 4;
    private static final byte DIGESTED = 1;
    private static final byte UNKNOWN = 0;
    private static final int FIXED_BYTES = 1 + Integer.BYTES;
    private static final int DIGEST_BYTES = 1 + 2 * Long.BYTES;

    /**
     * Result of a statement.
     *
     * @param onlyReads whether it can have changed nothing
     * @param images digest of the rows that it changed, before and after; 0 for none, or if they are not compared
     * @param known digest of the result, with the images; null if the partition did not need it
     */
    public record Result(
            TransactionResponse response,
            boolean onlyReads,
            long images,
            @Nullable ResultDigest known) {
        /** One that changed nothing. */
        public Result(TransactionResponse response, boolean onlyReads) {
            this(response, onlyReads, 0, null);
        }

        private Result with(@Nullable ResultDigest digest) {
            return new Result(response, onlyReads, images, digest);
        }

        /** The digest of the answer, which is the result's. */
        public ResultDigest digest(Committed answer, String sql) {
            return known != null ? known : ResultDigest.of(answer, sql).with(images);
        }
    }

    private final List<Result> results = new ArrayList<>();
    private long bytes;

    /** Notes the result of the next statement, of which no digest is known. */
    public void add(Committed result) {
        add(result, false, 0, null);
    }

    /** Notes the result of the next statement. */
    public void add(Committed result, boolean onlyReads, long images, @Nullable ResultDigest digest) {
        results.add(new Result(result, onlyReads, images, digest));
        bytes += result.results().length;
    }

    /** Notes that the next statement has failed; none after it has run. */
    public void add(ErrorCode code, String message) {
        results.add(new Result(new Failed(code, message), false));
    }

    /** Bytes of all rows so far. */
    public long bytes() {
        return bytes;
    }

    /** The answer. */
    public Committed toAnswer() {
        List<byte[]> parts = new ArrayList<>();
        int size = Integer.BYTES;
        for (Result result : results) {
            byte[] part = switch (result.response()) {
                case Committed committed -> OutcomeBytes.of(committed);
                case Failed failed -> failed.message().getBytes(StandardCharsets.UTF_8);
            };
            parts.add(part);
            size = Math.addExact(size, FIXED_BYTES + markBytes(result) + part.length + DIGEST_BYTES);
        }
        byte[] written = new byte[size];
        ByteBuffer out = ByteBuffer.wrap(written).putInt(results.size());
        for (int i = 0; i < parts.size(); i++) {
            Result result = results.get(i);
            switch (result.response()) {
                case Committed _ when result.images() != 0 -> out.put(CHANGE).putLong(result.images());
                case Committed _ -> out.put(result.onlyReads() ? READING : OUTCOME);
                case Failed failed -> out.put(FAILURE).putInt(failed.code().number());
            }
            out.putInt(parts.get(i).length).put(parts.get(i));
        }
        for (Result result : results) {
            ResultDigest digest = result.known();
            out.put(digest == null ? UNKNOWN : DIGESTED);
            out.putLong(digest == null ? 0 : digest.high()).putLong(digest == null ? 0 : digest.low());
        }
        Invariants.check(!out.hasRemaining(), "an answer has what its results take");
        return new Committed(Kind.NOTHING, 0, written);
    }

    /** Bytes between the kind of the result and its length. */
    private static int markBytes(Result result) {
        return switch (result.response()) {
            case Committed _ -> result.images() == 0 ? 0 : Long.BYTES;
            case Failed _ -> Integer.BYTES;
        };
    }

    /** The results that the answer has, in the order of the statements; fewer than these if some did not run. */
    public static List<Result> read(Committed answer) {
        ByteBuffer in = ByteBuffer.wrap(answer.results());
        int count = in.getInt();
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            switch (in.get()) {
                case OUTCOME -> results.add(new Result(OutcomeBytes.read(part(in)), false));
                case READING -> results.add(new Result(OutcomeBytes.read(part(in)), true));
                case CHANGE -> {
                    long images = in.getLong();
                    results.add(new Result(OutcomeBytes.read(part(in)), false, images, null));
                }
                case FAILURE -> {
                    ErrorCode code = ErrorCode.ofNumber(in.getInt());
                    results.add(new Result(new Failed(code, new String(part(in), StandardCharsets.UTF_8)), false));
                }
                default ->
                    throw new FulmarException(
                            ErrorCode.MALFORMED_REQUEST,
                            "a node sent results of an unknown kind; do both run one version?");
            }
        }
        if (in.remaining() >= count * DIGEST_BYTES) {
            results.replaceAll(result -> result.with(digest(in)));
        }
        return results;
    }

    private static @Nullable ResultDigest digest(ByteBuffer in) {
        boolean isKnown = in.get() == DIGESTED;
        ResultDigest digest = new ResultDigest(in.getLong(), in.getLong());
        return isKnown ? digest : null;
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
