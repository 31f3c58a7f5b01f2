package dev.fulmar.coordinator;

import dev.fulmar.coordinator.lease.LeaseAsker;
import dev.fulmar.coordinator.lease.RowLeases;
import dev.fulmar.coordinator.request.RowSearch;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.engine.spi.SqlFrontend.RowByRow;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Leases for transactions of sessions. The node that leads the row's partition has the lease; a new primary knows of
 * none. Thread-safe.
 */
final class LeaseRouting {
    /** How long a transaction that did not ask for a lease waits for one. */
    private static final long QUEUE_NANOS = 100_000_000;

    private static final Committed NOT_KEPT = new Committed(Kind.VALUE, 0, new byte[0]);
    private static final Committed KEPT = new Committed(Kind.VALUE, 1, new byte[0]);

    private final RequestHomes places;
    private final RowLeases leases;
    private final CallLimits limits;
    private final BiFunction<String, Catalog, Optional<RowByRow>> rowByRow;

    /** @param rowByRow takes a query of several rows apart */
    LeaseRouting(
            RequestHomes places,
            RowLeases leases,
            CallLimits limits,
            BiFunction<String, Catalog, Optional<RowByRow>> rowByRow) {
        this.rowByRow = rowByRow;
        this.places = places;
        this.leases = leases;
        this.limits = limits;
    }

    /** Whether the script is about leases only. */
    static boolean concerns(TransactionRequest.Script script) {
        return switch (script.ending()) {
            case LEASE, QUEUE, RELEASE -> true;
            case UNDO, COMMIT, ASK, CHANGE -> false;
        };
    }

    /** The refusal of {@code FOR UPDATE} in a transaction that only reads. */
    static FulmarException keepsNothing() {
        return new FulmarException(
                ErrorCode.READ_ONLY_TRANSACTION,
                "a transaction that only reads keeps no rows as they are; begin one without READ ONLY, or leave FOR"
                        + " UPDATE out");
    }

    void route(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            List<ScriptRouting.Planned> planned,
            Program program) {
        ScriptRouting.Planned wanted = planned.getFirst();
        PreparedStatement statement = wanted.statement();
        Optional<RowLock> lock = statement.lock();
        if (script.readOnly() && lock.isPresent()) {
            throw keepsNothing();
        }
        boolean skips = lock.map(RowLock::skips).orElse(false);
        if (skips && !statement.seeksOneRow()) {
            answer(incoming, search(wanted, program));
            return;
        }
        long row = statement.soughtRow(wanted.request().parameters());
        Committed answer = lock.isPresent() ? KEPT : NOT_KEPT;
        boolean isWanted = script.ending() == ScriptEnding.QUEUE
                ? statement.target().procedure().isReadOnly()
                : lock.isPresent() && lock.get() != RowLock.SHARED; // SHARED_OR_SKIP only asks whose it is
        int home = home(wanted, program);
        if (row == 0 || !isWanted || home < 0) {
            answer(incoming, answer);
        } else if (!places.homes().isHere(home)) {
            places.homes().pass(home, script, incoming.sink());
        } else if (script.ending() == ScriptEnding.LEASE && lock.equals(Optional.of(RowLock.SHARED_OR_SKIP))) {
            answer(incoming, leases.isOfAnother(row, asker(script)) ? nothing(statement) : answer);
        } else {
            leases.ask(
                    row,
                    asker(script),
                    patienceNanos(script, lock),
                    granted -> answer(incoming, granted ? answer : skips ? nothing(statement) : without(script)));
        }
    }

    /** The session seeks the rows one by one, for leases are of single rows. */
    private Committed search(ScriptRouting.Planned wanted, Program program) {
        RowByRow queries = rowByRow.apply(wanted.request().sql(), program.catalog())
                .orElseThrow(() -> Invariants.breach("a query that skips rows of others can be taken apart"));
        return RowSearch.of(queries, wanted.request().parameters()).toAnswer();
    }

    /** The result of a query that leaves out its only row. */
    private static Committed nothing(PreparedStatement statement) {
        ResultLayout layout = new ResultLayout(statement.columns());
        ResultBlockWriter writer = new ResultBlockWriter(layout.headerBytes(), layout.headerBytes());
        writer.begin(layout);
        writer.end();
        return new Committed(Kind.TABLE, 0, writer.toByteArray());
    }

    /**
     * The partition at whose primary the lease is; negative if the statement seeks several rows on several partitions.
     * Replicas share one. The key of a row may not say where it is; then its number chooses a partition.
     */
    private static int home(ScriptRouting.Planned wanted, Program program) {
        byte[] parameters = wanted.request().parameters();
        BitSet partitions = wanted.statement().partitions(parameters, program.plan());
        if (partitions.cardinality() <= 1) {
            return Math.max(0, partitions.nextSetBit(0));
        }
        long row = wanted.statement().soughtRow(parameters);
        return row == 0 ? -1 : Math.floorMod(row, program.plan().partitionCount());
    }

    private long patienceNanos(TransactionRequest.Script script, Optional<RowLock> lock) {
        if (script.ending() == ScriptEnding.QUEUE) {
            return QUEUE_NANOS;
        }
        boolean waits = lock.equals(Optional.of(RowLock.EXCLUSIVE));
        return waits ? limits.timeoutNanos(script.timeoutNanos()) : 0;
    }

    private static TransactionResponse without(TransactionRequest.Script script) {
        return script.ending() == ScriptEnding.QUEUE
                ? NOT_KEPT
                : Answers.failed(new FulmarException(
                        ErrorCode.LOCK_NOT_AVAILABLE,
                        "another transaction has the row that is read FOR UPDATE; try again later, or wait longer"));
    }

    /**
     * Ends the leases of a transaction here, and where the rows of its statements are. A statement that is not known
     * any more is passed over: its lease ends by itself. A node hears once for each partition, which does no harm.
     *
     * @param known the planned form of a statement; null if it is not planned
     */
    void release(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            Function<ScriptStep, ScriptRouting.@Nullable Planned> known,
            Program program) {
        leases.release(asker(script));
        BitSet homes = new BitSet();
        for (ScriptStep step : script.steps()) {
            int home = home(step, known, program);
            if (home >= 0 && !places.homes().isHere(home)) {
                homes.set(home);
            }
        }
        homes.stream().forEach(home -> places.homes().pass(home, script.with(List.of()), incoming.sink()));
        answer(incoming, Committed.DONE);
    }

    private static int home(
            ScriptStep step, Function<ScriptStep, ScriptRouting.@Nullable Planned> known, Program program) {
        try {
            ScriptRouting.Planned wanted = known.apply(step);
            return wanted == null ? -1 : home(wanted, program);
        } catch (FulmarException notRightAnyMore) {
            return -1;
        }
    }

    private static LeaseAsker asker(TransactionRequest.Script script) {
        return new LeaseAsker(script.transaction(), script.micros());
    }

    private static void answer(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }
}
