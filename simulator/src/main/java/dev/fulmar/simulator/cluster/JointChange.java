package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.simulator.world.SimulatedDatabase;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** A transaction of statements that change the catalog together, from BEGIN to COMMIT. */
final class JointChange implements SessionLink.Listener {
    private static final long PATIENCE_NANOS = 15_000_000_000L;
    private static final String COMMIT = "COMMIT";

    private final SessionLink link;
    private final long client;
    private final long firstRequest;
    private final Outcome outcome;
    private final Queue<String> left = new ArrayDeque<>();
    private long sent;
    private String last = "";

    /** Hears once what became of it. */
    interface Outcome {
        void done();

        /** @param failure why it was refused */
        void refused(Failed failure);

        /** It never came to its COMMIT. */
        void noEffect();

        /** Its COMMIT may have been executed, or may be yet. */
        void unknown();
    }

    /** @param firstRequest with which its requests begin, under this client's id */
    JointChange(SessionLink link, long client, long firstRequest, List<String> statements, Outcome outcome) {
        this.link = link;
        this.client = client;
        this.firstRequest = firstRequest;
        this.outcome = outcome;
        left.add("BEGIN");
        left.addAll(statements);
        left.add(COMMIT);
    }

    /** The requests that it takes. */
    static int requests(List<String> statements) {
        return statements.size() + 2;
    }

    void next() {
        last = left.remove();
        TransactionRequest.AdHoc request =
                new TransactionRequest.AdHoc(client, firstRequest + sent++, 0, last, SimulatedDatabase.parameters());
        link.send(1, request, new long[0], PATIENCE_NANOS, this);
    }

    @Override
    public void answered(List<long[]> rows) {
        if (left.isEmpty()) {
            link.breaks();
            outcome.done();
        } else {
            next();
        }
    }

    @Override
    public void refused(ErrorCode code, String message) {
        link.breaks();
        if (!last.equals(COMMIT) || isDefinite(code)) {
            outcome.refused(new Failed(code, message));
        } else {
            outcome.unknown();
        }
    }

    /** Whether a COMMIT that fails so has certainly had no effect. */
    private static boolean isDefinite(ErrorCode code) {
        return code == ErrorCode.SERIALIZATION_FAILURE || code.category() == ErrorCode.Category.USER;
    }

    @Override
    public void lost() {
        if (last.equals(COMMIT)) {
            outcome.unknown();
        } else {
            outcome.noEffect();
        }
    }
}
