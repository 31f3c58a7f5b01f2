package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A session's transaction that is forwarded, as bytes; see {@link RequestFormat}. */
final class ScriptFormat {
    private static final long FIXED_BYTES = 81;
    private static final long FIXED_STEP_BYTES = 64;

    private static final int READ_ONLY = 1;
    private static final int COMPARES_IMAGES = 2;

    /** In place of a text: it is that of the step before. */
    private static final byte[] REPEATED = new byte[0];

    private ScriptFormat() {}

    /** Whether a step has the text of the one before. A session keeps such a text once, and so does the message. */
    static boolean repeatsTexts(TransactionRequest.Script script) {
        for (int i = 1; i < script.steps().size(); i++) {
            if (repeats(script.steps(), i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether it commits statements that have not run before. Nodes that do not know the form would commit those before
     * one that fails.
     */
    static boolean commitsAtOnce(TransactionRequest.Script script) {
        return script.ending() == ScriptEnding.COMMIT && script.steps().stream().anyMatch(ScriptStep::isNew);
    }

    private static boolean repeats(List<ScriptStep> steps, int place) {
        return place > 0 && steps.get(place).sql().equals(steps.get(place - 1).sql());
    }

    static ByteBuffer write(byte version, byte kind, long number, TransactionRequest.Script script) {
        byte[] user = script.caller().user().getBytes(StandardCharsets.UTF_8);
        boolean repeats = repeatsTexts(script) || commitsAtOnce(script);
        List<byte[]> texts = new ArrayList<>();
        long bytes = FIXED_BYTES + user.length;
        for (int i = 0; i < script.steps().size(); i++) {
            ScriptStep step = script.steps().get(i);
            byte[] text = repeats(script.steps(), i) ? REPEATED : step.sql().getBytes(StandardCharsets.UTF_8);
            texts.add(text);
            bytes += FIXED_STEP_BYTES
                    + text.length
                    + step.parameters().length
                    + (long) Long.BYTES * step.numbers().length;
        }
        ByteBuffer message = ByteBuffer.allocate(Math.toIntExact(bytes))
                .put(version)
                .put(kind)
                .putLong(number)
                .putLong(script.clientId())
                .putLong(script.requestId())
                .putLong(script.timeoutNanos())
                .putLong(script.catalogVersion())
                .putLong(script.micros())
                .putLong(script.term())
                .putLong(script.transaction())
                .put((byte) ((script.readOnly() ? READ_ONLY : 0) | (script.comparesImages() ? COMPARES_IMAGES : 0)))
                .put((byte) script.ending().ordinal())
                .put((byte) (script.caller().isTrusted() ? 1 : 0))
                .putInt(user.length)
                .put(user)
                .putInt(script.steps().size());
        for (int i = 0; i < texts.size(); i++) {
            if (repeats) {
                message.put((byte) (repeats(script.steps(), i) ? 1 : 0));
            }
            if (!repeats(script.steps(), i)) {
                message.putInt(texts.get(i).length).put(texts.get(i));
            }
            writeStep(script.steps().get(i), message);
        }
        return message.flip();
    }

    /** Writes all but the text. */
    private static void writeStep(ScriptStep step, ByteBuffer message) {
        ResultDigest shown = step.shown();
        message.putInt(step.parameters().length)
                .put(step.parameters())
                .putLong(step.seed())
                .putInt(step.numbers().length);
        for (long number : step.numbers()) {
            message.putLong(number);
        }
        message.putInt(step.failure() == null ? 0 : step.failure().number()).put((byte) (shown == null ? 0 : 1));
        if (shown != null) {
            message.putLong(shown.high()).putLong(shown.low()).putInt(step.shownBytes());
        }
    }

    /**
     * Reads one.
     *
     * @param hasTransaction whether it has what the first form did not have
     * @param hasFlags whether it may say more than that it only reads
     * @param repeats whether each step says if it has the text of the one before
     */
    static TransactionRequest.Script read(boolean hasTransaction, boolean hasFlags, boolean repeats, MessageReader in) {
        long clientId = in.getLong();
        long requestId = in.getLong();
        long timeoutNanos = in.getLong();
        long catalogVersion = in.getLong();
        long micros = in.getLong();
        long term = in.getLong();
        long transaction = hasTransaction ? in.getLong() : 0;
        int flags = hasTransaction ? in.getByte() : 0;
        if ((flags & ~(hasFlags ? READ_ONLY | COMPARES_IMAGES : READ_ONLY)) != 0) {
            throw new IllegalArgumentException("flags " + flags);
        }
        ScriptEnding ending = in.constant(ScriptEnding.values(), ScriptEnding::ordinal);
        boolean isTrusted = in.getByte() != 0;
        Caller caller = RequestFormat.caller(isTrusted, in.text());
        if (timeoutNanos < 0) {
            throw new IllegalArgumentException("a time-out of " + timeoutNanos);
        }
        int count = in.getInt();
        List<ScriptStep> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = repeats && in.flag() ? lastText(steps) : in.text();
            steps.add(step(text, hasTransaction, in));
        }
        return new TransactionRequest.Script(
                clientId,
                requestId,
                timeoutNanos,
                steps,
                ending,
                transaction,
                (flags & READ_ONLY) != 0,
                (flags & COMPARES_IMAGES) != 0,
                micros,
                term,
                caller,
                catalogVersion);
    }

    private static String lastText(List<ScriptStep> steps) {
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("the first statement has the text of one before");
        }
        return steps.getLast().sql();
    }

    private static ScriptStep step(String sql, boolean hasNumbers, MessageReader in) {
        byte[] parameters = in.bytes();
        long seed = in.getLong();
        long[] numbers = new long[hasNumbers ? in.count(Long.BYTES) : 0];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.getLong();
        }
        int failure = in.getInt();
        ResultDigest shown = in.getByte() == 0 ? null : new ResultDigest(in.getLong(), in.getLong());
        int shownBytes = shown != null && hasNumbers ? in.natural() : 0;
        return new ScriptStep(
                sql, parameters, seed, numbers, shown, shownBytes, failure == 0 ? null : ErrorCode.ofNumber(failure));
    }
}
