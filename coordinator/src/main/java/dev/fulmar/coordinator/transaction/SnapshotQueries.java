package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.execution.SnapshotPartsQuery;
import dev.fulmar.engine.execution.SnapshotQuery;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.version.VersionReader;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fragments bound to a partition to be read at a timestamp. As many runs of one fragment may be under way as there are
 * readers; those that have ended serve the next ones. For the partition's thread.
 */
final class SnapshotQueries {
    private static final int KEPT_FRAGMENTS = 1000;
    private static final int KEPT_RUNS = 8;
    private static final int FIRST_BYTES = 1 << 10;

    private record Key(ProcedureStatement statement, int fragment) {}

    private final ExecutionContext context;
    private final Clock clock;
    private final int maxResultBytes;
    private final ByteBudget underWay;
    private final boolean isOfCopy;
    private final ParameterReader parameters = new ParameterReader(ParameterWriter.MAX_PARAMETERS);

    /** Asked for single fragments only. */
    private final Map<Key, ArrayDeque<Run>> spare = new HashMap<>();

    private final ProgramHistory programs;

    /** @param isOfCopy whether it reads while no transaction runs here, and the program is whatever fits the tables */
    SnapshotQueries(
            ExecutionContext context,
            Clock clock,
            int maxResultBytes,
            ByteBudget underWay,
            boolean isOfCopy,
            Program program) {
        this.programs = new ProgramHistory(program);
        this.isOfCopy = isOfCopy;
        this.context = context;
        this.clock = clock;
        this.maxResultBytes = maxResultBytes;
        this.underWay = underWay;
    }

    /** Follows another version of the catalog from now on. A run under another one fails with its next slice. */
    void use(Program newProgram) {
        programs.replace(newProgram);
        spare.clear();
    }

    /** Whether this version of the catalog counts. */
    boolean uses(Program wanted) {
        return programs.isCurrent(wanted);
    }

    /** The programs by the timestamps of snapshots. */
    ProgramHistory programs() {
        return programs;
    }

    /**
     * The fragment as it is read here at the timestamp; fails if it was made for another version of the catalog.
     */
    StatementFragment fragment(StatementWork work, PartitionRuntime runtime, long timestamp) {
        return isOfCopy ? (StatementFragment) work : work.readAt(runtime, timestamp);
    }

    /** Begins to read the fragment. */
    Run start(StatementFragment fragment, VersionReader reader) {
        checkProgram(fragment.program(), reader);
        Key key = new Key(fragment.procedureStatement(), fragment.fragment());
        ArrayDeque<Run> known = spare.get(key);
        Run run = known == null ? null : known.pollFirst();
        if (run == null) {
            run = new Run(key);
        }
        run.start(fragment, reader);
        return run;
    }

    /** Begins to read the fragment in parts. */
    Run startParts(StatementFragment fragment, VersionReader reader) {
        checkProgram(fragment.program(), reader);
        Run run = new Run(
                new Key(fragment.procedureStatement(), fragment.fragment()),
                fragment.procedureStatement()
                        .compiled()
                        .snapshotParts(fragment.fragment() == StatementFragment.WHOLE, context, clock));
        run.start(fragment, reader);
        return run;
    }

    private void checkProgram(Program wanted, VersionReader reader) {
        if (!programs.isReadWith(wanted, reader.timestamp())) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "the catalog changed while the transaction ran; send the request again");
        }
    }

    /** One reading of a fragment. */
    final class Run {
        private final Key key;
        private final SnapshotQuery query;
        private final @Nullable SnapshotPartsQuery parts;
        private final Bindings bindings;
        private final ResultBlockWriter rows;
        private long transactionMicros;
        private long timeNanos;
        private long leftNanos;
        private @Nullable Program program;
        private @Nullable VersionReader reader;

        private Run(Key key) {
            this(
                    key,
                    key.fragment == StatementFragment.WHOLE
                            ? key.statement.compiled().snapshotOn(context, clock)
                            : key.statement.compiled().snapshotFragment(key.fragment, context, clock));
        }

        private Run(Key key, SnapshotQuery query) {
            this.key = key;
            this.query = query;
            this.parts = query instanceof SnapshotPartsQuery inParts ? inParts : null;
            this.bindings = key.statement.compiled().newBindings();
            this.rows = new ResultBlockWriter(FIRST_BYTES, maxResultBytes, underWay);
        }

        private void start(StatementFragment fragment, VersionReader newReader) {
            program = fragment.program();
            reader = newReader;
            bindings.reset(key.statement.compiled().parameterTypes());
            bindings.readFrom(parameters.wrap(fragment.parameters(), 0, fragment.parameters().length));
            rows.clear();
            transactionMicros = fragment.transactionMicros();
            timeNanos = fragment.timeNanos();
            leftNanos = timeNanos;
            query.start(newReader, bindings, rows);
        }

        /** Goes on for about so long; whether that was the end. */
        boolean runOn(long nanos, int mostRows) {
            if (program == null || reader == null) {
                throw Invariants.breach("a reading goes on after it has begun");
            }
            checkProgram(program, reader);
            if (leftNanos <= 0) {
                throw new FulmarException(
                        ErrorCode.PROCEDURE_TIME_BUDGET,
                        "a statement was stopped when the time budget of its call was spent; read fewer rows or raise the budget");
            }
            context.setTransactionMicros(transactionMicros);
            long startNanos = clock.monotonicNanos();
            context.endFunctionsBy(startNanos + leftNanos);
            boolean complete = query.run(nanos, mostRows);
            leftNanos -= clock.monotonicNanos() - startNanos;
            return complete;
        }

        /** Wants the next part of a run in parts, for which it has its time anew. */
        void want(PartSize size) {
            inParts().want(size);
            leftNanos = timeNanos;
        }

        /** Whether a part is full; the run goes on when the next one is wanted. */
        boolean isPartFull() {
            return parts != null && parts.isFull();
        }

        /** Takes the full part. The run holds nothing but its place until the next one is wanted. */
        FragmentResult takePart() {
            inParts().endPart();
            FragmentResult result = new FragmentResult(rows.toByteArray(), 0);
            rows.shrink(0);
            return result;
        }

        private SnapshotPartsQuery inParts() {
            SnapshotPartsQuery known = parts;
            if (known == null) {
                throw Invariants.breach("a reading in parts was begun as one");
            }
            return known;
        }

        /** Ends a run that has read all; returns its rows. */
        FragmentResult finish() {
            FragmentResult result = new FragmentResult(rows.toByteArray(), 0);
            giveBack();
            return result;
        }

        void cancel() {
            query.cancel();
            rows.shrink(ResultBlockWriter.FREE_BYTES);
        }

        private void giveBack() {
            rows.shrink(ResultBlockWriter.FREE_BYTES);
            boolean isCurrent = program != null && programs.isCurrent(program);
            program = null;
            reader = null;
            if (!isCurrent || parts != null) {
                return;
            }
            if (spare.size() >= KEPT_FRAGMENTS) {
                spare.clear();
            }
            ArrayDeque<Run> runs = spare.computeIfAbsent(key, unused -> new ArrayDeque<>());
            if (runs.size() < KEPT_RUNS) {
                runs.addFirst(this);
            }
        }
    }
}
