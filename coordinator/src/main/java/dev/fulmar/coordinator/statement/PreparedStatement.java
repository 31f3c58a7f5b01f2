package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.access.TouchedTables;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Pace;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.routing.Reach;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.engine.plan.RowNumbers;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.Determinism;
import dev.fulmar.engine.procedure.JavaKind;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureParameter;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.invocation.SqlEntry;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.procedure.Expectation;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled query or DML statement, as a procedure of its own, with the router that finds its partitions. Thread-safe.
 */
public final class PreparedStatement {
    private static final String NAME = "(ad hoc SQL)";

    private final String sql;
    private final StatementPlan plan;
    private final Program program;
    private final CompiledStatement compiled;
    private final CallTarget target;
    private final List<AccessRight> needs;
    private final List<ColumnType> parameterTypes;
    private final List<GivenNumbers.Number> numbers;
    private final boolean needsNumbers;
    private final @Nullable StatementBasis basis;

    /** Made when a session asks first; threads that ask at once make the same. */
    private volatile @Nullable StatementReach reach;

    /** Made when a client prepares it first; threads that ask at once make the same. */
    private volatile @Nullable TouchedTables touched;

    /** A spare router; a thread that finds none makes another. */
    private final AtomicReference<@Nullable StatementRouting> spareRouting = new AtomicReference<>();

    /**
     * One of a plan.
     *
     * @param sql what other nodes compile to the same plan
     * @param basis what the plan depends on besides the catalog; null for nothing
     */
    PreparedStatement(String sql, StatementPlan plan, Program program, @Nullable StatementBasis basis) {
        this(sql, plan, program, basis, StatementNeeds.of(plan, program.catalog()));
    }

    /** As the other, with rights that do not follow from the plan. */
    PreparedStatement(
            String sql, StatementPlan plan, Program program, @Nullable StatementBasis basis, List<AccessRight> needs) {
        this(sql, plan, program, basis, needs, new Pace());
    }

    private PreparedStatement(
            String sql,
            StatementPlan plan,
            Program program,
            @Nullable StatementBasis basis,
            List<AccessRight> needs,
            Pace pace) {
        this.sql = sql;
        this.plan = plan;
        this.program = program;
        this.basis = basis;
        this.parameterTypes = plan.parameters();
        this.compiled = StatementCompiler.compile(program.catalog(), plan);
        this.needs = List.copyOf(needs);
        this.numbers = GivenNumbers.of(plan, program.catalog()::isDenseSequence);
        this.needsNumbers = numbers.stream()
                .anyMatch(number -> number.kind().isOnlyGiven() || number.kind().isBetterGiven());
        ProcedureStatement statement = new ProcedureStatement(0, compiled, Expectation.ANY);
        int parameters = plan.parameters().size();
        LoadedProcedure procedure = new LoadedProcedure(
                new ProcedureDefinition(NAME, Optional.empty(), new ProcedureDefinition.Sql(List.of(sql))),
                IntStream.range(0, parameters)
                        .mapToObj(i -> new ProcedureParameter(
                                "p" + (i + 1), JavaKind.of(plan.parameters().get(i)), false, true))
                        .toList(),
                List.of(),
                new LoadedProcedure.Code(
                        List.of(statement),
                        LoadedProcedure.Scope.MULTI_PARTITION,
                        plan.isReadOnly(),
                        Determinism.PROVEN,
                        new SqlEntry(
                                List.of(statement),
                                new int[][] {IntStream.range(0, parameters).toArray()})),
                false);
        this.target = new CallTarget(
                procedure, Program.AD_HOC, null, plan.isReadOnly() ? 0 : program.statementsRoutedSince(), pace);
    }

    /** The same statement for another program that plans like its own. */
    PreparedStatement with(Program other) {
        return new PreparedStatement(sql, plan, other, basis, needs, target.pace());
    }

    public Program program() {
        return program;
    }

    /** Whether the tables have changed so much since it was planned that it had better be planned anew. Quick. */
    boolean isOutdated(TableKnowledge tables) {
        return basis != null && basis.isOutdated(tables.renewed());
    }

    /** The types of its parameters, in order. */
    public List<ColumnType> parameterTypes() {
        return parameterTypes;
    }

    public CallTarget target() {
        return target;
    }

    /** The rights that running it needs. */
    public List<AccessRight> needs() {
        return needs;
    }

    /**
     * The version of the catalog since which all sendings of a request with this statement go to the same place. A
     * statement of one key follows it, as its outcome does. One of several keys runs where they all are, or over
     * several partitions, which remember its outcome elsewhere: any hand-off may part its keys, or unite them.
     */
    public long routedSince(TransactionRequest request) {
        PartitionPlan plan = program.plan();
        long known = request.catalogVersion();
        boolean isFollowed = target.procedure().isReadOnly()
                || known < target.routedSince() // its parameters may be those of another statement
                || known >= plan.version()
                || !hasSeveralKeys(request.parameters(), plan);
        return isFollowed ? target.routedSince() : plan.version();
    }

    /** The partitions that it needs with these parameters; empty if any one will do. */
    public BitSet partitions(byte[] parameters, PartitionPlan plan) {
        StatementRouting routing = takeRouting();
        BitSet partitions = routing.partitions(parameters, plan);
        spareRouting.set(routing);
        return partitions;
    }

    /** Number of the row that it seeks by a unique key with these parameters; 0 if it seeks none. */
    public long soughtRow(byte[] parameters) {
        StatementRouting routing = takeRouting();
        long row = routing.soughtRow(parameters);
        spareRouting.set(routing);
        return row;
    }

    /**
     * The rows of one table that it reads or changes with these parameters, by which sessions take turns. Null if there
     * are none, or if it does not tell.
     */
    public @Nullable RowArea area(byte[] parameters) {
        StatementRouting routing = takeRouting();
        RowArea area = routing.area(parameters);
        spareRouting.set(routing);
        return area;
    }

    /** The rows of each of its tables of which it tells with these parameters; by the tables' ids. */
    public List<RowArea> areas(byte[] parameters) {
        StatementRouting routing = takeRouting();
        List<RowArea> areas = routing.areas(parameters);
        spareRouting.set(routing);
        return areas;
    }

    /** The rows that it depends on and changes with these parameters. */
    Reach reach(byte[] parameters) {
        StatementReach known = reach;
        if (known == null) {
            known = StatementReach.of(plan, program.catalog());
            reach = known;
        }
        try {
            return known.reach(area(parameters));
        } catch (FulmarException wrongParameters) { // the statement will say so
            return Reach.anywhere(!plan.columns().isEmpty());
        }
    }

    /** The tables that it reads and changes. */
    public TouchedTables touched() {
        TouchedTables known = touched;
        if (known == null) {
            known = StatementNeeds.touched(plan, program.catalog());
            touched = known;
        }
        return known;
    }

    /** The numbers of sequences that it can be given; empty if it is not known which it draws, or if it draws none. */
    public List<GivenNumbers.Number> numbers() {
        return numbers;
    }

    /** Whether its rows say how many numbers it needs of each sequence; {@link #numbers} has one of each then. */
    public boolean needsAsMany() {
        return !RowNumbers.sequences(plan).isEmpty();
    }

    /** The ids of the sequences that its numbers are of, ascending; 0 for the last number of any. */
    public SortedSet<Integer> sequences() {
        return sequences(numbers);
    }

    static SortedSet<Integer> sequences(List<GivenNumbers.Number> numbers) {
        SortedSet<Integer> ids = new TreeSet<>();
        numbers.forEach(number -> ids.add(number.sequence()));
        return ids;
    }

    /** Whether it waits for its numbers: it cannot run without them, or not so well. */
    public boolean needsNumbers() {
        return needsNumbers;
    }

    /** Whether it inserts or updates. */
    public boolean addsRows() {
        return plan.addsRows();
    }

    /** Whether it seeks one row by a unique key. */
    public boolean seeksOneRow() {
        StatementRouting routing = takeRouting();
        boolean seeks = routing.seeksOneRow();
        spareRouting.set(routing);
        return seeks;
    }

    /** Columns of its result; none if it yields a count. */
    public List<ResultColumn> columns() {
        return plan.columns();
    }

    /** Its wish for its rows until its transaction ends. */
    public Optional<RowLock> lock() {
        return plan.lock();
    }

    private boolean hasSeveralKeys(byte[] parameters, PartitionPlan plan) {
        StatementRouting routing = takeRouting();
        boolean several = routing.hasSeveralKeys(parameters, plan);
        spareRouting.set(routing);
        return several;
    }

    private StatementRouting takeRouting() {
        StatementRouting spare = spareRouting.getAndSet(null);
        return spare == null ? new StatementRouting(compiled) : spare;
    }
}
