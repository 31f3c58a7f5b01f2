package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.RowBindings;
import dev.fulmar.engine.execution.StatementMerge;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Executes the batches of one attempt of a multi-partition transaction, one after the other. All fragments of a batch
 * go to their partitions at once, and the answers are put together statement by statement. A statement that needs one
 * partition only runs there as a whole. One fiber at a time.
 */
final class DistributedStatements implements StatementRunner {
    private static final int FIRST_PARAMETER_BYTES = 256;
    private static final int MAX_PARAMETER_BYTES = 64 << 20;

    private final PartitionRuntimes runtimes;
    private final Clock clock;
    private final ExecutionContext merges;
    private final MergeWorkspace tools;
    private final ParameterWriter parameters = new ParameterWriter(FIRST_PARAMETER_BYTES, MAX_PARAMETER_BYTES);
    private final List<FragmentPartitions> targets = new ArrayList<>();
    private final int[] taken;
    private final long intermediateBytes;
    private final Runnable interruption;

    private @Nullable FragmentDispatch dispatch;
    private @Nullable Program program;
    private @Nullable LoadedProcedure procedure;

    /** The procedures of a batch's statements, where each has its own; else none. */
    private List<LoadedProcedure> procedures = List.of();

    private boolean tellsImages;

    /** Digests of the rows that were changed: of each procedure's statement where each has its own, else of all. */
    private long[] images = new long[1];

    private final long[] ofAll = images;

    private long transactionMicros;
    private long timeNanos;
    private long deadlineNanos;
    private int home;

    /** The partition of fragments that can run anywhere: one where the transaction is already, if there is one. */
    private int anywhere = -1;

    /** @param interruption throws if the call under way was interrupted */
    DistributedStatements(PartitionRuntimes runtimes, Clock clock, long intermediateBytes, Runnable interruption) {
        this.runtimes = runtimes;
        this.interruption = interruption;
        this.clock = clock;
        this.merges = ExecutionContext.withoutPartition(intermediateBytes, this::checkDeadline);
        merges.measureWith(clock);
        this.tools = new MergeWorkspace(merges);
        this.taken = new int[runtimes.count()];
        this.intermediateBytes = intermediateBytes;
    }

    /**
     * Turns to another attempt.
     *
     * @param newHome where fragments go that can run anywhere, if the transaction is nowhere yet
     * @param newTimeNanos how long the attempt, and each of its fragments, may run
     */
    DistributedStatements open(
            FragmentDispatch newDispatch,
            Program newProgram,
            LoadedProcedure newProcedure,
            PartitionId newHome,
            long newTransactionMicros,
            long newTimeNanos) {
        Invariants.check(dispatch == null, "a coordinator's workspace serves one attempt at a time");
        dispatch = newDispatch;
        program = newProgram;
        procedure = newProcedure;
        procedures = List.of();
        tellsImages = false;
        ofAll[0] = 0;
        images = ofAll;
        home = newHome.number();
        transactionMicros = newTransactionMicros;
        timeNanos = newTimeNanos;
        deadlineNanos = clock.monotonicNanos() + newTimeNanos;
        anywhere = -1;
        tools.use(newProgram);
        merges.setTransactionMicros(newTransactionMicros);
        merges.endFunctionsBy(deadlineNanos);
        return this;
    }

    /**
     * The statements of the only batch are those of these procedures, in their order. None of them runs in steps or is
     * narrowed.
     */
    void each(List<LoadedProcedure> ofStatements) {
        procedures = List.copyOf(ofStatements);
        images = new long[ofStatements.size()];
    }

    /** From now on until it closes, partitions tell of the rows that statements change. */
    void tellImages() {
        tellsImages = true;
    }

    /**
     * Digest of the rows that were changed, before and after; 0 if there are none.
     *
     * @param number of the procedure, where each statement has its own; else 0
     */
    long images(int number) {
        return images[number];
    }

    void close() {
        dispatch = null;
    }

    private Program program() {
        Program opened = program;
        if (opened == null) {
            throw Invariants.breach("statements run during an attempt");
        }
        return opened;
    }

    /** Memory on the heap that stays for the next call. */
    int keptBytes() {
        return parameters.array().length;
    }

    @Override
    public void execute(StatementBatch batch) {
        FragmentDispatch to = dispatch;
        if (to == null) {
            throw Invariants.breach("statements run during an attempt");
        }
        int from = 0;
        for (int i = 0; i < batch.size(); i++) {
            ProcedureStatement.Steps steps = batch.statement(i).steps();
            ProcedureStatement.SemiJoin semiJoin = batch.statement(i).semiJoin();
            if (steps != null) {
                execute(batch, from, i, to);
                runSteps(batch, i, steps, to);
                from = i + 1;
            } else if (semiJoin != null && !isOnOne(batch, i)) {
                execute(batch, from, i, to);
                runNarrowed(batch, i, semiJoin, to);
                from = i + 1;
            }
        }
        execute(batch, from, batch.size(), to);
    }

    /** Whether one partition has all that the statement reads. */
    private boolean isOnOne(StatementBatch batch, int position) {
        ProcedureStatement statement = batch.statement(position);
        FragmentPartitions alone = new FragmentPartitions();
        alone.place(tools.router(statement), statement.compiled(), program().plan(), batch.bindings(position));
        alone.settle(anywhere < 0 ? home : anywhere);
        return alone.isOnOne();
    }

    /**
     * Reads the small side's keys, and with few of them what is needed of the other side; with more of them all of it.
     */
    private void runNarrowed(
            StatementBatch batch, int position, ProcedureStatement.SemiJoin semiJoin, FragmentDispatch to) {
        NestedQuery nested = new NestedQuery(this, intermediateBytes);
        Bindings own = batch.bindings(position);
        ResultBlock keys = nested.rows(semiJoin.keys(), own);
        int room = semiJoin.narrow().compiled().parameterTypes().count() - own.count();
        if (keys.rowCount() > room) {
            execute(batch, position, position + 1, to);
            return;
        }
        ResultBlock rows = nested.rows(semiJoin.narrow(), own, all -> {
            for (int i = 0; i < room && keys.rowCount() > 0; i++) {
                RowBindings.bindOne(keys.at(i % keys.rowCount()), 0, all, own.count() + i);
            }
        });
        int start = batch.writer().appendBlock(rows.array(), 0, rows.totalBytes()); // a block of its own
        batch.completeRows(start);
    }

    private void runSteps(StatementBatch batch, int position, ProcedureStatement.Steps steps, FragmentDispatch to) {
        DistributedSteps inSteps = new DistributedSteps(this, to, intermediateBytes);
        ProcedureStatement statement = batch.statement(position);
        if (statement.yieldsRows()) {
            int start = batch.writer().size();
            inSteps.run(
                    steps,
                    batch.bindings(position),
                    batch.writer(),
                    statement.compiled().resultLayout());
            batch.completeRows(start);
        } else {
            batch.completeChange(inSteps.run(steps, batch.bindings(position)));
        }
    }

    /** Executes the statements from one position to before another, all at once. */
    private void execute(StatementBatch batch, int from, int end, FragmentDispatch to) {
        if (from == end) {
            return;
        }
        place(batch, from, end);
        TreeMap<PartitionId, List<FragmentWork>> work = new TreeMap<>();
        int first = to.nextStatement();
        for (int i = from; i < end; i++) {
            int statement = i == from ? first : to.nextStatement();
            addWork(batch, i, statement, work);
        }
        collect(batch, from, end, first, to, to.run(work));
    }

    private void place(StatementBatch batch, int from, int end) {
        PartitionPlan plan = program().plan();
        for (int i = from; i < end; i++) {
            while (i >= targets.size()) {
                targets.add(new FragmentPartitions());
            }
            FragmentPartitions target = targets.get(i);
            target.place(tools.router(batch.statement(i)), batch.statement(i).compiled(), plan, batch.bindings(i));
            if (anywhere < 0) {
                anywhere = target.first();
            }
        }
        if (anywhere < 0) {
            anywhere = home;
        }
        for (int i = from; i < end; i++) {
            targets.get(i).settle(anywhere);
        }
    }

    private void addWork(
            StatementBatch batch, int position, int statement, TreeMap<PartitionId, List<FragmentWork>> work) {
        batch.bindings(position).writeTo(parameters);
        byte[] list = parameters.toByteArray();
        FragmentPartitions target = targets.get(position);
        if (target.isOnOne()) {
            StatementFragment whole = fragment(batch, position, statement, StatementFragment.WHOLE, list);
            workOf(target.first(), work).add(whole);
            return;
        }
        for (int fragment = 0; fragment < target.fragmentCount(); fragment++) {
            StatementFragment piece = fragment(batch, position, statement, fragment, list);
            BitSet partitions = target.partitions(fragment);
            for (int p = partitions.nextSetBit(0); p >= 0; p = partitions.nextSetBit(p + 1)) {
                workOf(p, work).add(piece);
            }
        }
    }

    private StatementFragment fragment(
            StatementBatch batch, int position, int statement, int fragment, byte[] parameterList) {
        LoadedProcedure running = procedures.isEmpty() ? procedure : procedures.get(position);
        if (running == null) {
            throw Invariants.breach("statements run during an attempt");
        }
        return new StatementFragment(
                runtimes,
                program(),
                running,
                statement,
                batch.statement(position),
                fragment,
                parameterList,
                transactionMicros,
                timeNanos,
                tellsImages && !running.isReadOnly());
    }

    private List<FragmentWork> workOf(int partition, TreeMap<PartitionId, List<FragmentWork>> work) {
        return work.computeIfAbsent(id(partition), key -> new ArrayList<>());
    }

    private PartitionId id(int partition) {
        return runtimes.all().get(partition).partition().id();
    }

    private void collect(
            StatementBatch batch,
            int from,
            int end,
            int first,
            FragmentDispatch sender,
            FragmentDispatch.Outcome outcome) {
        FragmentFailure failure = outcome.failure();
        int done = failure == null ? end : from + failure.statement() - first;
        Arrays.fill(taken, 0);
        for (int i = from; i < done; i++) {
            try {
                complete(batch, i, outcome);
            } catch (FulmarException e) {
                sender.undoFrom(first + i - from + 1); // what came after this statement has run, but must not have
                throw e;
            }
        }
        if (failure != null) {
            throw new FulmarException(failure.code(), failure.message());
        }
    }

    private void complete(StatementBatch batch, int position, FragmentDispatch.Outcome outcome) {
        ProcedureStatement statement = batch.statement(position);
        FragmentPartitions target = targets.get(position);
        int start = batch.writer().size();
        long changedRows;
        if (target.isOnOne()) {
            FragmentResult result = next(outcome, position, target.first());
            changedRows = result.changedRows();
            if (statement.yieldsRows()) {
                batch.writer().appendBlock(result.rows(), 0, result.rows().length);
            }
        } else {
            changedRows = merge(batch, position, statement, outcome);
        }
        if (statement.yieldsRows()) {
            batch.completeRows(start);
        } else {
            batch.completeChange(changedRows);
        }
    }

    private long merge(
            StatementBatch batch, int position, ProcedureStatement statement, FragmentDispatch.Outcome outcome) {
        StatementMerge merge = tools.merge(statement);
        merge.begin(batch.bindings(position));
        try {
            int[] partitions = statement.yieldsRows()
                    ? tools.router(statement).partitionsOfRows(0, program().plan(), batch.bindings(position))
                    : null;
            if (partitions == null) {
                addAll(merge, position, statement, outcome);
            } else {
                addInserted(merge, position, statement, partitions, outcome);
            }
            return merge.finish(batch.writer());
        } finally {
            merge.release();
        }
    }

    /** Adds the rows of an INSERT of several rows, in the order of these where each has yielded one. */
    private void addInserted(
            StatementMerge merge,
            int position,
            ProcedureStatement statement,
            int[] partitions,
            FragmentDispatch.Outcome outcome) {
        Map<Integer, byte[]> yielded = new TreeMap<>();
        BitSet all = targets.get(position).partitions(0);
        for (int p = all.nextSetBit(0); p >= 0; p = all.nextSetBit(p + 1)) {
            yielded.put(p, next(outcome, position, p).rows());
        }
        byte[] ordered =
                InsertedRows.inOrder(partitions, yielded, statement.compiled().resultLayout());
        if (ordered == null) {
            yielded.values().forEach(rows -> merge.addRows(0, rows, 0, rows.length));
        } else {
            merge.addRows(0, ordered, 0, ordered.length);
        }
    }

    private void addAll(
            StatementMerge merge, int position, ProcedureStatement statement, FragmentDispatch.Outcome outcome) {
        FragmentPartitions target = targets.get(position);
        for (int fragment = 0; fragment < target.fragmentCount(); fragment++) {
            BitSet partitions = target.partitions(fragment);
            for (int p = partitions.nextSetBit(0); p >= 0; p = partitions.nextSetBit(p + 1)) {
                FragmentResult result = next(outcome, position, p);
                if (statement.yieldsRows()) {
                    merge.addRows(fragment, result.rows(), 0, result.rows().length);
                } else {
                    merge.addCount(fragment, result.changedRows());
                }
            }
        }
    }

    /** The partition's results come in the order of its work. */
    private FragmentResult next(FragmentDispatch.Outcome outcome, int position, int partition) {
        List<FragmentResult> results = outcome.results().get(id(partition));
        if (results == null) {
            throw Invariants.breach("a statement that did not fail has a result from each partition");
        }
        FragmentResult result = results.get(taken[partition]++);
        images[procedures.isEmpty() ? 0 : position] += result.images();
        return result;
    }

    private void checkDeadline() {
        if (clock.monotonicNanos() - deadlineNanos > 0) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_TIME_BUDGET,
                    "a statement was stopped when the time budget of its call was spent; read fewer rows or raise the budget");
        }
        interruption.run();
    }
}
