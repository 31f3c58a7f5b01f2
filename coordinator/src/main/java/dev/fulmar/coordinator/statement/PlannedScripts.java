package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The plans of the statements that sessions sent last, for each of them is in all later scripts of its transaction. A
 * statement that is known was allowed to its caller under the same catalog. Transactions share places, so a script may
 * be forgotten at any time. Thread-safe.
 */
public final class PlannedScripts {
    /** A power of two: more than transactions that are under way at once on one node. */
    private static final int PLACES = 256;

    /** Scripts up to this size are always kept: in all places together some MiB that no transaction counts. */
    private static final int SMALL_BYTES = 64 << 10;

    /** Bytes of larger scripts together; one more takes the place of the others. */
    private static final int MOST_LARGE_BYTES = 48 << 20;

    /** Bytes of a planned statement beside its text and parameters, roughly. */
    private static final int PLAN_BYTES = 600;

    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

    /**
     * A script.
     *
     * @param transaction never 0
     * @param program for which it was planned
     * @param sent its statements as the session sent them
     * @param planned of each of them
     * @param bytes that it takes, roughly
     */
    private record Known(
            long transaction, Program program, List<ScriptStep> sent, List<PlannedStep> planned, long bytes) {
        long largeBytes() {
            return bytes > SMALL_BYTES ? bytes : 0;
        }
    }

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

    /** Bytes of the large scripts in them. */
    private final AtomicLong largeBytes = new AtomicLong();

    /** The program of the script that was kept last; no script of another one need stay. */
    private final AtomicReference<@Nullable Program> last = new AtomicReference<>();

    /** The plans of the script's statements, from the first one on, as far as they are known; a list of its own. */
    public List<PlannedStep> find(TransactionRequest.Script script, Program program) {
        List<PlannedStep> found = new ArrayList<>(script.steps().size());
        Known known = places.get(place(script.transaction()));
        if (known == null || known.transaction() != script.transaction() || !isOf(program, known.program())) {
            return found;
        }
        List<ScriptStep> steps = script.steps();
        for (int i = 0; i < steps.size() && i < known.sent().size(); i++) {
            ScriptStep step = steps.get(i);
            if (!saysTheSame(step, known.sent().get(i))) {
                break;
            }
            found.add(known.planned().get(i).of(script, step));
        }
        return found;
    }

    /** @param planned of all statements of the script */
    public void keep(TransactionRequest.Script script, List<PlannedStep> planned, Program program) {
        if (!isOf(program, last.getAndSet(program))) {
            for (int place = 0; place < PLACES; place++) {
                put(place, null);
            }
        }
        if (script.transaction() == 0) {
            return;
        }
        long bytes = ScriptStep.bytes(script.steps(), null) + (long) PLAN_BYTES * planned.size();
        int place = place(script.transaction());
        if (bytes > SMALL_BYTES && bytes + largeBytes.get() > MOST_LARGE_BYTES) {
            forgetOtherLarge(place); // some are of transactions that have ended
        }
        if (bytes <= MOST_LARGE_BYTES) {
            put(place, new Known(script.transaction(), program, script.steps(), planned, bytes));
        }
    }

    private void forgetOtherLarge(int place) {
        for (int other = 0; other < PLACES; other++) {
            Known known = places.get(other);
            if (other != place && known != null && known.largeBytes() > 0) {
                put(other, null);
            }
        }
    }

    private void put(int place, @Nullable Known known) {
        Known before = places.getAndSet(place, known);
        largeBytes.addAndGet((known == null ? 0 : known.largeBytes()) - (before == null ? 0 : before.largeBytes()));
    }

    /** Forgets the script: its transaction ends. */
    public void forget(TransactionRequest.Script script) {
        int place = place(script.transaction());
        Known known = places.get(place);
        if (known != null && known.transaction() == script.transaction()) {
            put(place, null);
        }
    }

    @SuppressWarnings("ReferenceEquality") // plans are of one program, which is known by its identity
    private static boolean isOf(Program program, @Nullable Program known) {
        return known == program;
    }

    /** A session has one object for each text and list; that says it quickly, and another one is planned anew. */
    @SuppressWarnings({"ReferenceEquality", "ArrayEquals", "StringEquality"})
    private static boolean saysTheSame(ScriptStep one, ScriptStep other) {
        return one.sql() == other.sql()
                && one.parameters() == other.parameters()
                && one.numbers() == other.numbers()
                && one.seed() == other.seed();
    }

    private static int place(long transaction) {
        return (int) ((transaction * MULTIPLIER) >>> (Long.SIZE - Integer.numberOfTrailingZeros(PLACES)));
    }
}
