package dev.fulmar.coordinator;

import dev.fulmar.coordinator.lease.LeaseAsker;
import dev.fulmar.coordinator.lease.LeaseSeries;
import dev.fulmar.coordinator.lease.LeaseWish;
import dev.fulmar.coordinator.lease.RowLeases;
import dev.fulmar.coordinator.request.RowSearch;
import dev.fulmar.coordinator.request.ScriptEnding;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PlannedStep;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.CancelledRequests;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.engine.spi.SqlFrontend.RowByRow;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Leases for transactions of sessions. The nodes that lead the partitions of the rows have the lease; a new primary
 * knows of none. Thread-safe.
 */
final class LeaseRouting {
    /** Time for which a transaction that did not ask for a lease waits for one. */
    private static final long QUEUE_NANOS = 100_000_000;

    private static final Committed NOT_KEPT = new Committed(Kind.VALUE, 0, new byte[0]);
    private static final Committed KEPT = new Committed(Kind.VALUE, 1, new byte[0]);

    private final RequestHomes places;
    private final RowLeases leases;
    private final CallLimits limits;
    private final CancelledRequests cancelled;
    private final Clock clock;
    private final BiFunction<String, Catalog, Optional<RowByRow>> rowByRow;

    /** @param rowByRow takes a query of several rows apart */
    LeaseRouting(
            RequestHomes places,
            CallLimits limits,
            CancelledRequests cancelled,
            Clock clock,
            Scheduler scheduler,
            BiFunction<String, Catalog, Optional<RowByRow>> rowByRow) {
        this.clock = clock;
        this.rowByRow = rowByRow;
        this.places = places;
        this.cancelled = cancelled;
        this.limits = limits;
        this.leases = new RowLeases(
                clock, scheduler, limits.leaseNanos(), wish -> cancelled.has(wish.clientId(), wish.requestId()));
    }

    /** The client has cancelled the statement, which {@link CancelledRequests} knows: it waits for no lease here. */
    void cancel(long clientId, long requestId) {
        leases.cancel(clientId, requestId);
    }

    /** Whether the script is about leases only. */
    static boolean concerns(TransactionRequest.Script script) {
        return switch (script.ending()) {
            case LEASE, LEASE_HERE, TURN, QUEUE, RELEASE -> true;
            case UNDO, TRY, COMMIT, ASK, CHANGE -> false;
        };
    }

    /** The refusal of {@code FOR UPDATE} in a transaction that only reads. */
    static FulmarException keepsNothing() {
        return new FulmarException(
                ErrorCode.READ_ONLY_TRANSACTION,
                "a transaction that only reads keeps no rows as they are; begin one without READ ONLY, or leave FOR"
                        + " UPDATE out");
    }

    void route(IncomingRequest incoming, TransactionRequest.Script script, List<PlannedStep> planned, Program program) {
        PlannedStep wanted = planned.getFirst();
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
        Committed answer = lock.isPresent() ? KEPT : NOT_KEPT;
        List<RowArea> areas = areas(script, wanted);
        if (areas.isEmpty()) {
            answer(incoming, answer);
            return;
        }
        List<LeaseWish> wishes =
                areas.stream().map(area -> wish(script, statement, area)).toList();
        Consumer<Boolean> then = granted -> answer(incoming, granted ? answer : without(script, statement, skips));
        BitSet homes = homes(wanted, areas, program);
        int first = homes.nextSetBit(0);
        if (script.ending() == ScriptEnding.LEASE_HERE) {
            new LeaseSeries(leases, clock, wishes, then).goOn();
        } else if (homes.cardinality() > 1) {
            new LeaseVisits(places.homes(), leases, clock, script, incoming.sink(), wishes, homes, then).goOn();
        } else if (!places.homes().isHere(first)) {
            places.passing().pass(first, incoming.with(script));
        } else if (lock.equals(Optional.of(RowLock.SHARED_OR_SKIP))) {
            answer(incoming, leases.isOfAnother(areas.getFirst(), asker(script)) ? nothing(statement) : answer);
        } else {
            new LeaseSeries(leases, clock, wishes, then).goOn();
        }
    }

    /** The areas whose leases the statement is to have: of a change that of its table. */
    private static List<RowArea> areas(TransactionRequest.Script script, PlannedStep wanted) {
        PreparedStatement statement = wanted.statement();
        byte[] parameters = wanted.request().parameters();
        boolean isLocking = statement.lock().isPresent() && script.ending() != ScriptEnding.QUEUE;
        if (isLocking) {
            return isWanted(statement.lock().get()) ? statement.areas(parameters) : List.of();
        }
        RowArea area = statement.area(parameters);
        return area == null || !isWanted(script, statement, area) ? List.of() : List.of(area);
    }

    /** SHARED_OR_SKIP only asks whose rows they are. */
    private static boolean isWanted(RowLock lock) {
        return lock != RowLock.SHARED;
    }

    private static boolean isWanted(TransactionRequest.Script script, PreparedStatement statement, RowArea area) {
        if (script.ending() == ScriptEnding.QUEUE) {
            return area.isRow();
        }
        // The words FOR UPDATE may be in a text of a change.
        return !statement.target().procedure().isReadOnly() && script.ending() != ScriptEnding.LEASE;
    }

    private LeaseWish wish(TransactionRequest.Script script, PreparedStatement statement, RowArea area) {
        Optional<RowLock> lock = statement.lock();
        long timeoutNanos = limits.timeoutNanos(script.timeoutNanos());
        if (script.ending() == ScriptEnding.QUEUE) {
            return wish(script, area, QUEUE_NANOS, false);
        }
        if (lock.isEmpty()) { // after that time those that have it now may have it no more
            return wish(script, area, Math.min(timeoutNanos, limits.leaseNanos()), false);
        }
        boolean waits = lock.get() == RowLock.EXCLUSIVE;
        return wish(script, area, waits ? timeoutNanos : 0, true);
    }

    private static LeaseWish wish(
            TransactionRequest.Script script, RowArea area, long patienceNanos, boolean keepsWriters) {
        return new LeaseWish(area, asker(script), patienceNanos, keepsWriters, script.clientId(), script.requestId());
    }

    /**
     * The new change that is to wait, by its place among the new statements; negative if all may run. Those that are to
     * wait are of rows that another transaction keeps here. It costs nothing where none keeps any.
     */
    int awaited(TransactionRequest.Script script, List<PlannedStep> planned) {
        if (!leases.keepsWriters()) {
            return -1;
        }
        int place = 0;
        for (PlannedStep each : planned) {
            if (each.step().isNew()) {
                boolean isChange = !each.statement().target().procedure().isReadOnly();
                RowArea area = isChange ? each.statement().area(each.request().parameters()) : null;
                if (area != null && leases.keepsOff(area, asker(script))) {
                    return place;
                }
                place++;
            }
        }
        return -1;
    }

    /** The session seeks the rows one by one, for leases are of single rows. */
    private Committed search(PlannedStep wanted, Program program) {
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
     * The partitions at whose primaries the lease is. Replicas share that of a row. The key of a row may not say where
     * it is; then its number chooses a partition.
     */
    private static BitSet homes(PlannedStep wanted, RowArea area, Program program) {
        int count = program.plan().partitionCount();
        BitSet homes = wanted.statement().partitions(wanted.request().parameters(), program.plan());
        if (homes.isEmpty() && !area.isRow()) {
            homes.set(0, count); // all have the replicas, and any may begin a change of them
        } else if (area.isRow() && homes.cardinality() != 1) {
            int home = homes.isEmpty() ? 0 : Math.floorMod(area.row(), count);
            homes.clear();
            homes.set(home);
        }
        return homes;
    }

    /** All partitions at whose primaries some of the leases are. */
    private static BitSet homes(PlannedStep wanted, List<RowArea> areas, Program program) {
        if (areas.size() == 1) {
            return homes(wanted, areas.getFirst(), program);
        }
        return homes(
                wanted.statement().partitions(wanted.request().parameters(), program.plan()),
                areas,
                id -> program.catalog().tables().values().stream()
                        .anyMatch(table -> table.id() == id && table.isReplicated()),
                program.plan().partitionCount());
    }

    /**
     * The partitions at whose primaries the leases of a join's ranges are. Any partition may begin a change of a
     * replicated table, whichever ones the query needs.
     *
     * @param needed by the query
     */
    static BitSet homes(BitSet needed, List<RowArea> areas, IntPredicate isReplicated, int partitions) {
        BitSet homes = new BitSet();
        homes.or(needed);
        if (areas.stream().anyMatch(area -> isReplicated.test(area.table()))) {
            homes.set(0, partitions);
        }
        return homes;
    }

    private TransactionResponse without(TransactionRequest.Script script, PreparedStatement statement, boolean skips) {
        if (cancelled.has(script)) {
            return Answers.failed(CancelledRequests.failure());
        }
        if (skips) {
            return nothing(statement);
        }
        return script.ending() == ScriptEnding.QUEUE || statement.lock().isEmpty()
                ? NOT_KEPT
                : Answers.failed(new FulmarException(
                        ErrorCode.LOCK_NOT_AVAILABLE,
                        "another transaction has rows that are read FOR UPDATE; try again later, or wait longer"));
    }

    /**
     * Ends the leases of a transaction here, and where the rows of its statements are. A node hears once for each
     * partition, which does no harm.
     *
     * @param known the planned form of a statement; null if it is not planned
     */
    void release(
            IncomingRequest incoming,
            TransactionRequest.Script script,
            Function<ScriptStep, @Nullable PlannedStep> known,
            Program program) {
        leases.release(asker(script));
        BitSet homes = new BitSet();
        for (ScriptStep step : script.steps()) {
            homes.or(places(step, known, program));
        }
        homes.stream()
                .filter(home -> !places.homes().isHere(home))
                .forEach(home -> places.homes().pass(home, script.with(List.of()), incoming.sink()));
        answer(incoming, Committed.DONE);
    }

    /** Where leases of the statement may be: anywhere if its plan is not kept any more, or it is not understood. */
    static BitSet places(ScriptStep step, Function<ScriptStep, @Nullable PlannedStep> known, Program program) {
        try {
            PlannedStep wanted = known.apply(step);
            if (wanted != null) {
                byte[] parameters = wanted.request().parameters();
                List<RowArea> areas = new ArrayList<>(wanted.statement().areas(parameters));
                RowArea area = wanted.statement().area(parameters);
                if (area != null && areas.isEmpty()) {
                    areas.add(area);
                }
                return homes(wanted, areas, program);
            }
        } catch (FulmarException notRightAnyMore) {
            // Its lease is somewhere all the same.
        }
        BitSet all = new BitSet();
        all.set(0, program.plan().partitionCount());
        return all;
    }

    private static LeaseAsker asker(TransactionRequest.Script script) {
        return new LeaseAsker(script.transaction(), script.micros());
    }

    private static void answer(IncomingRequest incoming, TransactionResponse response) {
        incoming.sink().respond(incoming.request(), response);
        incoming.sink().flush();
    }
}
