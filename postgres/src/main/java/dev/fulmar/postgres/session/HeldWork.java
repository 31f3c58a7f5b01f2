package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of a session since a place where no transaction was open, as far as its replies have not left. If its
 * transaction fails because of another one, the client has seen nothing of it. Then the replies are taken back, and the
 * same work is done again: the replies of that run take their place. Not thread-safe.
 */
final class HeldWork {
    private static final int MOST = 10_000;
    private static final long MOST_BYTES = 1 << 20;

    /** So many bytes are accounted together. */
    private static final long PIECE_BYTES = 4 << 10;

    private final ClientOutput output;
    private final PreparedTexts prepared;
    private final HeldMemory memory;
    private final int mostReruns;
    private final List<Work> done = new ArrayList<>();

    /** Whether all that was done since the place is here, and can be done again. */
    private boolean isHeld;

    private long place;
    private int reruns;

    /** The client wants no more of what is executed. */
    private boolean isCancelled;

    /** Of the numbers that the transactions since the place have drawn; null if none has begun. */
    private @Nullable AnswerSink numbers;

    private long bytes;
    private long unaccountedBytes;
    private long heldBytes;

    /** @param mostReruns how often the same work is done again */
    HeldWork(ClientOutput output, PreparedTexts prepared, HeldMemory memory, int mostReruns) {
        this.output = output;
        this.prepared = prepared;
        this.memory = memory;
        this.mostReruns = mostReruns;
    }

    /** A rerun begins here, and not earlier: no transaction is open, and no portal. */
    void beginHere() {
        if (isHeld && done.isEmpty()) {
            return; // the work of this place comes again
        }
        drop();
        isHeld = mostReruns > 0;
        if (isHeld) {
            place = output.place();
            prepared.mark();
        }
    }

    /** Drops the work unless a transaction is open, for no other would take back what comes. */
    void dropUnless(boolean isOpen) {
        if (!isOpen) {
            drop();
        }
    }

    /** The work so far cannot be done again; the next place is another one. */
    void drop() {
        if (isHeld) {
            isHeld = false;
            prepared.unmark();
        }
        forget();
        reruns = 0;
        isCancelled = false;
        AnswerSink drawn = numbers;
        numbers = null;
        if (drawn != null) {
            drawn.settleNumbers();
        }
    }

    private void forget() {
        done.clear();
        memory.release(heldBytes);
        heldBytes = 0;
        unaccountedBytes = 0;
        bytes = 0;
    }

    /** Keeps work that is done next. */
    void add(Work work) {
        if (!isHeld) {
            return;
        }
        long more = work.bytes();
        bytes += more;
        unaccountedBytes += more;
        if (!output.holds(place) || done.size() >= MOST || bytes > MOST_BYTES || !account()) {
            drop();
        } else {
            done.add(work);
        }
    }

    /** False if there is no memory for it. */
    private boolean account() {
        if (unaccountedBytes < PIECE_BYTES) {
            return true;
        }
        try {
            heldBytes += memory.hold(unaccountedBytes);
        } catch (FulmarException noMemory) {
            return false;
        }
        unaccountedBytes = 0;
        return true;
    }

    /** A transaction begins, whose statements draw numbers of sequences. */
    void begins(AnswerSink sink) {
        if (isHeld && numbers == null) {
            numbers = sink;
            sink.holdNumbers();
        }
    }

    /** The client wants no more of what is executed, or is about to be executed again. */
    void cancel() {
        isCancelled = hasWork();
    }

    /** Whether something was done since the place. */
    boolean hasWork() {
        return !done.isEmpty();
    }

    /** Whether the work may be done again, after this failure. */
    boolean mayRunAgain(ErrorCode failure) {
        return isHeld
                && failure == ErrorCode.SERIALIZATION_FAILURE
                && reruns < mostReruns
                && !isCancelled
                && output.holds(place);
    }

    /**
     * Takes back all that came of the work, whose transaction has ended.
     *
     * @return the work, which is to be done again
     */
    List<Work> takeBack() {
        List<Work> again = List.copyOf(done);
        forget();
        reruns++;
        output.takeBack(place);
        prepared.takeBack();
        AnswerSink drawn = numbers;
        numbers = null;
        if (drawn != null) {
            drawn.forgetNumbers();
        }
        return again;
    }
}
