package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.SessionCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a transaction whose client has got no answer since BEGIN. If the client has sent its COMMIT already,
 * it waits for nothing else, so the answers before that one stay here. While all of them do, the transaction can run
 * again, and other answers take their place. Touched where the session's events are handled.
 */
final class HeldAnswers {
    private static final int MOST_REQUESTS = 1_000;
    private static final int MOST_BYTES = 64 << 10;

    /** Longer texts are no COMMIT. */
    private static final int MOST_LETTERS = 64;

    /** A request of the client, whose answer may stay here. */
    private final class Own extends PassingSink<TransactionRequest.AdHoc> {
        private @Nullable TransactionResponse answer;

        Own(TransactionRequest.AdHoc request, ResponseSink sink) {
            super(request, sink);
        }

        @Override
        public void respond(TransactionRequest asked, TransactionResponse response) {
            if (isTakenBack) {
                return;
            }
            answer = response;
            if (!stays(response)) {
                leave();
            }
            if (hasLeft) {
                send();
            }
        }

        private void send() {
            TransactionResponse given = answer;
            if (given != null) {
                answer = null;
                sink.respond(request, given);
                sink.flush();
            }
        }

        @Override
        public boolean asksForOutcomes() {
            return sink.asksForOutcomes();
        }

        /** Numbers that a run has drawn are forgotten with it. */
        @Override
        public @Nullable LastNumbers lastNumbers() {
            LastNumbers ofConnection = super.lastNumbers();
            LastNumbers drawn = numbers;
            return ofConnection == null || drawn == null ? ofConnection : drawn;
        }
    }

    private final int mostReruns;
    private final List<Asked> all = new ArrayList<>();
    private boolean hasLeft;

    /** Whether answers are dropped, as the requests come again. */
    private boolean isTakenBack;

    /** Whether the last request is the COMMIT. */
    private boolean isWhole;

    private int reruns;
    private long bytes;

    /** Numbers that the statements have drawn; null once an answer has left, and before a statement. */
    private volatile @Nullable LastNumbers numbers;

    /** @param mostReruns how often the transaction runs again */
    HeldAnswers(int mostReruns) {
        this.mostReruns = mostReruns;
        this.hasLeft = mostReruns == 0;
    }

    /** The request of the client as the session is to execute it. */
    Asked of(TransactionRequest.AdHoc request, ResponseSink sink) {
        if (hasLeft) {
            return new Asked(request, sink);
        }
        if (all.isEmpty()) {
            LastNumbers ofConnection = sink.lastNumbers();
            numbers = ofConnection == null ? null : ofConnection.above();
        }
        Asked own = new Asked(request, new Own(request, sink));
        all.add(own);
        isWhole = isCommit(request.sql());
        if (all.size() > MOST_REQUESTS) {
            leave();
        }
        return own;
    }

    private static boolean isCommit(String sql) {
        try {
            return sql.length() <= MOST_LETTERS && SessionCommand.of(sql) instanceof SessionCommand.Commit;
        } catch (FulmarException noCommand) {
            return false;
        }
    }

    /** Whether an answer need not leave now. */
    private boolean stays(TransactionResponse response) {
        if (hasLeft || !isWhole || !(all.getLast().sink() instanceof Own last) || last.answer != null) {
            return false;
        }
        bytes += response instanceof Committed committed ? committed.results().length : 0;
        return bytes <= MOST_BYTES;
    }

    /** All answers so far leave, and those that come. */
    private void leave() {
        if (hasLeft) {
            return;
        }
        hasLeft = true;
        LastNumbers drawn = numbers;
        numbers = null;
        if (drawn != null) {
            drawn.settle();
        }
        for (Asked asked : all) {
            if (asked.sink() instanceof Own own) {
                own.send();
            }
        }
        all.clear();
    }

    /** Whether the transaction may run again. */
    boolean mayRunAgain() {
        return !hasLeft && reruns < mostReruns;
    }

    /**
     * Takes all answers back.
     *
     * @param failing has the statement fail under way, which may be a part of one of the client
     * @return the client's requests since BEGIN
     */
    List<Asked> runAgain(Runnable failing) {
        reruns++;
        bytes = 0;
        isTakenBack = true;
        try {
            failing.run();
        } finally {
            isTakenBack = false;
        }
        for (Asked asked : all) {
            if (asked.sink() instanceof Own own) {
                own.answer = null;
            }
        }
        LastNumbers drawn = numbers;
        numbers = drawn == null ? null : drawn.anew();
        return List.copyOf(all);
    }
}
