package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.catalog.ProcedureDefinition.JavaClass;
import dev.fulmar.engine.catalog.ProcedureDefinition.RowAccess;
import dev.fulmar.engine.catalog.ProcedureDefinition.Sql;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.execution.StatementCompiler;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.PartitionScope;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.procedure.Determinism;
import dev.fulmar.engine.procedure.JavaKind;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.LoadedProcedure.Scope;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.engine.procedure.ProcedureParameter;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.invocation.SqlEntry;
import dev.fulmar.engine.procedure.loading.ProcedureRegistry.Entry;
import dev.fulmar.engine.procedure.repeat.StatementScan;
import dev.fulmar.engine.procedure.scan.ClassSource;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import dev.fulmar.procedure.Expectation;
import dev.fulmar.procedure.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Makes registries of loaded procedures. Thread-safe. */
public final class ProcedureLoader {
    private final SqlFrontend sql;
    private final JavaProcedureLoader java;

    /**
     * @param builtin classes that come with the node, for procedures without a jar
     */
    public ProcedureLoader(SqlFrontend sql, ClassSource builtin, Clock clock, LoadingLimits limits) {
        this(sql, builtin, clock, limits, Weaving.ON);
    }

    /** As the other, with code that other loaders have loaded. */
    public ProcedureLoader(SqlFrontend sql, ClassSource builtin, Clock clock, LoadingLimits limits, SharedCode shared) {
        this(sql, new JavaProcedureLoader(builtin, clock, limits, Weaving.ON, shared));
    }

    /** As the other, with a choice that benchmarks of the weaving need. */
    public ProcedureLoader(SqlFrontend sql, ClassSource builtin, Clock clock, LoadingLimits limits, Weaving weaving) {
        this(sql, new JavaProcedureLoader(builtin, clock, limits, weaving, SharedCode.none()));
    }

    private ProcedureLoader(SqlFrontend sql, JavaProcedureLoader java) {
        this.sql = sql;
        this.java = java;
    }

    /**
     * Loads every procedure of the catalog. Those that nothing has changed for are taken from the previous registry.
     * The first that cannot be loaded fails the whole, with its name and the reason.
     */
    public ProcedureRegistry load(Catalog catalog, ProcedureJars jars, ProcedureRegistry previous) {
        Catalog bound = bound(catalog, jars, List.of(previous));
        checkViews(bound, previous.catalog());
        return new Loading(bound, jars, List.of(previous), false).registry();
    }

    /**
     * Loads every procedure of a catalog that was made before, by a change that this loader's node or another one has
     * verified. Automatic procedures are planned when they are first asked for: a restart must not wait for thousands
     * that nobody calls. What nothing has changed for is taken from the first registry that has it.
     */
    public ProcedureRegistry loadAgain(Catalog catalog, ProcedureJars jars, List<ProcedureRegistry> others) {
        return new Loading(bound(catalog, jars, others), jars, others, true).registry();
    }

    /** The catalog with the code of its functions; what others have loaded of it is taken from there. */
    private Catalog bound(Catalog catalog, ProcedureJars jars, List<ProcedureRegistry> others) {
        if (catalog.functions().isEmpty()) {
            return catalog;
        }
        SortedMap<String, UserFunction> functions = new TreeMap<>(catalog.functions());
        functions.replaceAll((name, function) -> others.stream()
                .map(other -> other.catalog().functions().get(name))
                .filter(known -> function.equals(known) && known.code() != null)
                .findFirst()
                .orElseGet(() -> bound(function, jars)));
        return catalog.withCode(functions);
    }

    private UserFunction bound(UserFunction function, ProcedureJars jars) {
        return switch (function.body()) {
            case UserFunction.Formula _, UserFunction.Aggregate _ -> function;
            case UserFunction.JavaMethod body -> {
                try {
                    yield function.boundTo(java.load(function, body, jars));
                } catch (FulmarException e) {
                    throw new FulmarException(e.code(), "function " + function.name() + ": " + e.getMessage(), e);
                }
            }
        };
    }

    /** Makes one registry. */
    private final class Loading {
        private final Catalog catalog;
        private final ProcedureJars jars;
        private final List<ProcedureRegistry> others;
        private final List<ProcedureRegistry> alike;
        private final boolean again;
        private final TableConnections connections;

        Loading(Catalog catalog, ProcedureJars jars, List<ProcedureRegistry> others, boolean again) {
            this.catalog = catalog;
            this.jars = jars;
            this.others = others;
            this.again = again;
            this.connections = TableConnections.of(catalog);
            this.alike = others.stream()
                    .filter(other -> catalog.views().equals(other.catalog().views())
                            && catalog.functions().equals(other.catalog().functions())
                            && catalog.enumerations().equals(other.catalog().enumerations()))
                    .toList();
        }

        ProcedureRegistry registry() {
            SortedMap<String, ProcedureDefinition> definitions = new TreeMap<>();
            Map<String, List<ProcedureDefinition>> automatic = new HashMap<>();
            for (Table table : catalog.tables().values()) {
                boolean isAlone = connections.with(List.of(table)).size() == 1;
                List<ProcedureDefinition> ofTable = isAlone ? ofAlone(table) : automatic(table, catalog);
                if (isAlone) {
                    automatic.put(table.name(), ofTable);
                }
                for (ProcedureDefinition definition : ofTable) {
                    definitions.put(definition.name().toUpperCase(Locale.ROOT), definition);
                }
            }
            definitions.putAll(catalog.procedures());
            SortedMap<String, Entry> entries = new TreeMap<>();
            definitions.forEach((name, definition) -> entries.put(name, entry(name, definition)));
            return new ProcedureRegistry(catalog, entries, automatic);
        }

        /** Those of a table that no other is connected with: they depend on it alone, so they are known already. */
        private List<ProcedureDefinition> ofAlone(Table table) {
            for (ProcedureRegistry other : others) {
                List<ProcedureDefinition> known = other.automatic(table);
                if (known != null) {
                    return known;
                }
            }
            return automatic(table, Catalog.empty().withTable(table));
        }

        private Entry entry(String name, ProcedureDefinition definition) {
            boolean isOfTable = definition.body() instanceof RowAccess; // which reads no view and calls no function
            for (ProcedureRegistry other : isOfTable ? others : alike) {
                Entry known = other.entry(name);
                if (known != null
                        && known.procedure().definition().equals(definition)
                        && known.tables().holdsIn(connections)) {
                    return known;
                }
            }
            boolean kept = others.stream()
                    .map(other -> other.entry(name))
                    .anyMatch(known ->
                            known != null && known.procedure().definition().equals(definition));
            return load(definition, kept);
        }

        /** @param kept whether a catalog before has the procedure too, so that a change of tables is what fails */
        private Entry load(ProcedureDefinition definition, boolean kept) {
            try {
                return switch (definition.body()) {
                    case JavaClass code -> loadJava(definition, code, connections, jars);
                    case Sql script -> loadSql(definition, script, connections);
                    case RowAccess access -> loadRowAccess(definition, access, connections, !again);
                };
            } catch (FulmarException e) {
                if (kept && e.code() == ErrorCode.UNKNOWN_OBJECT) {
                    throw new FulmarException(
                            ErrorCode.DEPENDENT_OBJECTS,
                            "procedure " + definition.name() + " uses what would be gone (" + e.getMessage()
                                    + "); drop the procedure first, or replace it by one that does without",
                            e);
                }
                throw new FulmarException(e.code(), "procedure " + definition.name() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Whether the table is one that other clients never name. */
    private static boolean isUnknownToOthers(String name) {
        return SchemaName.isPending(name) || SchemaName.isInTemporary(name);
    }

    private static List<ProcedureDefinition> automatic(Table table, Catalog catalog) {
        boolean isWrittenByUsers = !table.isSequence() && !table.isAggregation() && !isUnknownToOthers(table.name());
        return isWrittenByUsers ? RowAccessText.definitions(table, catalog) : List.of();
    }

    /** Every view must still yield the columns that it had when it was made. */
    private void checkViews(Catalog catalog, Catalog before) {
        boolean isSame = catalog.views().equals(before.views())
                && catalog.functions().equals(before.functions())
                && catalog.enumerations().equals(before.enumerations())
                && catalog.seenBy("").tables().equals(before.seenBy("").tables()); // no view is of temporary tables
        if (isSame) {
            return;
        }
        for (View view : catalog.views().values()) {
            String reason = "";
            try {
                boolean same = sql.compile(view.text(), catalog) instanceof SqlFrontend.Compiled.Runnable runnable
                        && types(runnable.plan().columns()).equals(types(view.columns()));
                reason = same ? "" : "its columns would be others";
            } catch (FulmarException e) {
                PlanningTurn.goOn(); // it says nothing of the view that the time is over
                reason = String.valueOf(e.getMessage());
            }
            if (!reason.isEmpty()) {
                throw new FulmarException(
                        ErrorCode.DEPENDENT_OBJECTS,
                        "view " + view.name() + " uses what would change (" + reason
                                + "); drop the view first, or replace it by one that does without");
            }
        }
    }

    private static List<ColumnType> types(List<ResultColumn> columns) {
        return columns.stream().map(ResultColumn::type).toList();
    }

    private Entry loadJava(
            ProcedureDefinition definition, JavaClass code, TableConnections connections, ProcedureJars jars) {
        Catalog catalog = connections.catalog();
        JavaProcedureLoader.JavaCode loaded = java.load(code, jars);
        List<PlannedStatement> planned = new ArrayList<>();
        List<Statement> constants = new ArrayList<>();
        for (StatementConstants.Constant constant : loaded.constants()) {
            try {
                planned.add(plan(
                        planned.size(),
                        constant.statement().sql(),
                        constant.statement().expectation(),
                        catalog));
            } catch (FulmarException e) {
                throw new FulmarException(e.code(), constant.place() + ": " + e.getMessage(), e);
            }
            constants.add(constant.statement());
        }
        if (loaded.readOnly()) {
            requireReadOnly(planned);
        }
        return finish(
                definition,
                loaded.run().parameters(),
                planned,
                constants,
                loaded.determinism(),
                loaded.entry(),
                loaded.anySnapshot(),
                connections);
    }

    private static void requireReadOnly(List<PlannedStatement> planned) {
        for (PlannedStatement statement : planned) {
            if (!statement.plan().isReadOnly()) {
                throw refused("it is marked @ReadOnly but has the statement \""
                        + statement.plan().sql() + "\"; remove the one or the other");
            }
        }
    }

    private Entry loadSql(ProcedureDefinition definition, Sql script, TableConnections connections) {
        Catalog catalog = connections.catalog();
        List<PlannedStatement> planned = new ArrayList<>();
        int[][] sources = new int[script.statements().size()][];
        int next = 0;
        List<ProcedureParameter> parameters = new ArrayList<>();
        for (String text : script.statements()) {
            PlannedStatement statement = plan(planned.size(), text, Expectation.ANY, catalog);
            int count = statement.plan().parameters().size();
            sources[planned.size()] = IntStream.range(next, next + count).toArray();
            for (ColumnType type : statement.plan().parameters()) {
                next++;
                parameters.add(new ProcedureParameter("p" + next, JavaKind.of(type), false, true));
            }
            planned.add(statement);
        }
        return finish(
                definition,
                parameters,
                planned,
                List.of(),
                Determinism.PROVEN,
                new SqlEntry(statements(planned), sources),
                false,
                connections);
    }

    /** @param now whether it is planned now, not when it is first asked for */
    private Entry loadRowAccess(
            ProcedureDefinition definition, RowAccess access, TableConnections connections, boolean now) {
        Catalog catalog = connections.catalog();
        Table table = catalog.table(access.table());
        List<ProcedureParameter> parameters = parameters(table, access.operation());
        definition.partitioning().ifPresent(partitioning -> checkPartitioning(partitioning, parameters, catalog));
        LoadedProcedure procedure = new LoadedProcedure(
                definition, parameters, () -> rowAccess(definition, table, access.operation(), catalog));
        if (now) {
            procedure.plan();
        }
        return new Entry(procedure, TableUse.of(table, connections));
    }

    private static List<ProcedureParameter> parameters(Table table, RowAccess.Operation operation) {
        int[] sources = RowAccessText.sources(table, operation);
        ProcedureParameter[] parameters = new ProcedureParameter[sources.length];
        for (int i = 0; i < sources.length; i++) {
            boolean keyOnly = operation == RowAccess.Operation.SELECT || operation == RowAccess.Operation.DELETE;
            int column = (keyOnly ? table.primaryKey() : RowAccessText.given(table)).get(sources[i]);
            parameters[sources[i]] = new ProcedureParameter(
                    table.columns().get(column).name().toLowerCase(Locale.ROOT),
                    JavaKind.of(table.columns().get(column).type()),
                    false,
                    true);
        }
        return List.of(parameters);
    }

    private LoadedProcedure.Code rowAccess(
            ProcedureDefinition definition, Table table, RowAccess.Operation operation, Catalog catalog) {
        PlannedStatement statement = plan(0, RowAccessText.sql(table, operation), Expectation.ANY, catalog);
        return code(
                definition,
                List.of(statement),
                Determinism.PROVEN,
                new SqlEntry(List.of(statement.statement()), new int[][] {RowAccessText.sources(table, operation)}),
                catalog);
    }

    private static Entry finish(
            ProcedureDefinition definition,
            List<ProcedureParameter> parameters,
            List<PlannedStatement> planned,
            List<Statement> constants,
            Determinism determinism,
            ProcedureEntry entry,
            boolean anySnapshot,
            TableConnections connections) {
        Catalog catalog = connections.catalog();
        definition.partitioning().ifPresent(partitioning -> checkPartitioning(partitioning, parameters, catalog));
        LoadedProcedure procedure = new LoadedProcedure(
                definition, parameters, constants, code(definition, planned, determinism, entry, catalog), anySnapshot);
        return new Entry(
                procedure,
                TableUse.of(planned.stream().map(PlannedStatement::plan).toList(), connections));
    }

    private static LoadedProcedure.Code code(
            ProcedureDefinition definition,
            List<PlannedStatement> planned,
            Determinism determinism,
            ProcedureEntry entry,
            Catalog catalog) {
        List<StatementPlan> plans = planned.stream().map(PlannedStatement::plan).toList();
        boolean readOnly = plans.stream().allMatch(StatementPlan::isReadOnly);
        return new LoadedProcedure.Code(
                statements(planned),
                scope(definition, plans),
                readOnly,
                readOnly ? determinism : determinism.and(reasons(definition, planned, catalog)),
                entry);
    }

    private static List<String> reasons(
            ProcedureDefinition definition, List<PlannedStatement> planned, Catalog catalog) {
        if (definition.byValue()) {
            return List.of("ALTER PROCEDURE " + definition.name() + " LOG VALUES was asked for");
        }
        return planned.stream()
                .flatMap(statement ->
                        StatementScan.reason(
                                statement.plan(), statement.statement().expectation(), catalog)
                                .stream())
                .toList();
    }

    private static List<ProcedureStatement> statements(List<PlannedStatement> planned) {
        return planned.stream().map(PlannedStatement::statement).toList();
    }

    private static void checkPartitioning(
            ProcedureDefinition.Partitioning partitioning, List<ProcedureParameter> parameters, Catalog catalog) {
        if (partitioning.parameter() < 0 || partitioning.parameter() >= parameters.size()) {
            throw refused("it is partitioned by parameter " + partitioning.parameter() + " but has only "
                    + parameters.size() + " parameters, counted from 0; name one of them after PARAMETER");
        }
        ProcedureParameter parameter = parameters.get(partitioning.parameter());
        if (parameter.array()) {
            throw refused("its parameter " + parameter
                    + " is an array and cannot choose a partition; name another one after PARAMETER");
        }
        Table table = catalog.table(partitioning.table());
        int column = table.columnIndex(partitioning.column());
        if (table.partitioningColumn().isEmpty() || table.partitioningColumn().getAsInt() != column) {
            throw refused("it is partitioned on " + partitioning.table() + "." + partitioning.column()
                    + ", which is not that table's partitioning column; name that one, or PARTITION TABLE first");
        }
    }

    /** Without statements or with statements that read replicated tables only, a procedure can run on any partition. */
    private static Scope scope(ProcedureDefinition definition, List<StatementPlan> plans) {
        if (definition.partitioning().isPresent()) {
            return Scope.KEYED;
        }
        boolean anywhere = plans.stream().allMatch(plan -> plan.steps().isEmpty())
                && plans.stream()
                        .flatMap(plan -> plan.fragments().stream())
                        .allMatch(fragment -> fragment.scope() instanceof PartitionScope.Any);
        return anywhere ? Scope.ANYWHERE : Scope.MULTI_PARTITION;
    }

    private PlannedStatement plan(int number, String text, Expectation expectation, Catalog catalog) {
        return switch (sql.compile(text, catalog)) {
            case SqlFrontend.Compiled.Runnable runnable -> {
                if (GivenNumbers.needs(runnable.plan(), catalog::isDenseSequence)) {
                    throw refused("\"" + text + "\" uses numbers that the node of a connection gives to statements:"
                            + " random ones, currval, lastval, or those of a sequence with CACHE; take random() or uuid()"
                            + " of the context, a parameter, or a sequence without CACHE");
                }
                yield new PlannedStatement(
                        runnable.plan(),
                        new ProcedureStatement(
                                number, StatementCompiler.compile(catalog, runnable.plan()), expectation));
            }
            case SqlFrontend.Compiled.Change change ->
                throw refused("\"" + text + "\" changes the catalog, which no procedure can; run it by itself");
            case SqlFrontend.Compiled.TableOfQuery made ->
                throw refused("\"" + text + "\" changes the catalog, which no procedure can; run it by itself");
            case SqlFrontend.Compiled.Call call ->
                throw refused("\"" + text + "\" calls a procedure, which no procedure can; write its statements");
            case SqlFrontend.Compiled.Explanation explanation ->
                throw refused("\"" + text + "\" explains a statement, which no procedure can; run it by itself");
        };
    }

    private static FulmarException refused(String message) {
        return new FulmarException(ErrorCode.PROCEDURE_REFUSED, message);
    }
}
