package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.PortalReader;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query of this node at one snapshot, fetched part by part. Each fetch is answered once; what ends the
 * reading between two fetches is the answer to the next one. Thread-safe; its owner fetches the next part when it has
 * the one before.
 */
final class FetchedParts implements PortalReader.Listener {
    /** The answer to a fetch. */
    sealed interface Answer {
        /**
         * @param rows a result block
         * @param isLast whether no rows are left
         */
        @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
        record Part(byte[] rows, boolean isLast) implements Answer {}

        /** No part comes any more. */
        record Broken(Failed why) implements Answer {}
    }

    /** The reader behind it. */
    interface Source {
        /** Fetches the next part. */
        void fetch(PartSize size);

        /** Ends the reading, if it has not ended. */
        void end(ErrorCode code, String message);
    }

    private final AtomicReference<@Nullable Consumer<Answer>> awaited = new AtomicReference<>();
    private final AtomicReference<@Nullable Failed> broken = new AtomicReference<>();

    /** Fetches a part from the source that has this as its listener. */
    void fetch(Source source, PartSize size, Consumer<Answer> then) {
        Consumer<Answer> earlier = awaited.getAndSet(then);
        Invariants.check(earlier == null, "a part is fetched after the one before");
        Failed before = broken.get();
        if (before == null) {
            source.fetch(size);
            before = broken.get(); // it may have ended before it knew of anyone who waits
        }
        if (before != null) {
            answer(new Answer.Broken(before));
        }
    }

    @Override
    public void part(byte[] rows, boolean isLast, long snapshot) {
        answer(new Answer.Part(rows, isLast));
    }

    @Override
    public void failed(ErrorCode code, String message) {
        Failed why = new Failed(code, message);
        broken.set(why);
        answer(new Answer.Broken(why));
    }

    private void answer(Answer answer) {
        Consumer<Answer> then = awaited.getAndSet(null);
        if (then != null) {
            then.accept(answer);
        }
    }
}
