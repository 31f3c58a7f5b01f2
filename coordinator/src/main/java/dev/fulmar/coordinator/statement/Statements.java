package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.access.StatementNeeds;
import dev.fulmar.coordinator.request.CountedStatement;
import dev.fulmar.coordinator.request.DrawingStatement;
import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.catalog.access.AccessRight;
import dev.fulmar.engine.catalog.access.Privilege;
import dev.fulmar.engine.execution.LiteralCheck;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.engine.plan.RowNumbers;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.NamesMark;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.SqlFrontend.Generalised;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The compiler of ad hoc SQL, and the cache of compiled statements. Thread-safe. */
public final class Statements {
    /** The meaning of a compiled text. */
    public sealed interface Meaning {
        /**
         * A query or DML.
         *
         * @param request what to run it with: the one that came, or that with parameters in place of its literals
         */
        record Runs(PreparedStatement statement, TransactionRequest.AdHoc request) implements Meaning {}

        /**
         * DDL.
         *
         * @param sql the text that counts: that of the request, or with what its node adds
         */
        record Changes(CatalogChange change, String sql) implements Meaning {}

        /**
         * A table that is made of a query.
         *
         * @param needs the rights that the whole needs
         */
        record MakesTable(CreateTableAsPlan table, List<AccessRight> needs) implements Meaning {
            public MakesTable {
                needs = List.copyOf(needs);
            }
        }

        /** A call of a stored procedure. */
        record Calls(Invocation invocation) implements Meaning {}

        /**
         * EXPLAIN.
         *
         * @param needs what the statement itself would need; empty if it would change the catalog
         */
        record Explains(List<String> lines, Optional<List<AccessRight>> needs) implements Meaning {
            public Explains {
                lines = List.copyOf(lines);
            }
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Statements.class);
    private static final int COUNT_BYTES = 2;

    /** Of a text that calls a procedure; longer ones have values in them, and seldom come again. */
    private static final int MOST_KEPT_CHARACTERS = 1_000;

    private static final String BY_KEY = "PARTITIONED";

    private final SqlFrontend sql;
    private final TableKnowledge tables;
    private final PlanCache<PreparedStatement> cache;
    private final boolean partitionsByKey;
    private final Clock clock;

    /** Texts that call procedures; they mean the same in every catalog. */
    private final PlanCache<Invocation> calls;

    /** General texts that the program compiles with the literals in them, or not at all. */
    private final PlanCache<Program> tooGeneral;

    /**
     * None yet.
     *
     * @param tables what is known of them
     */
    public Statements(SqlFrontend sql, TableKnowledge tables, StatementSettings settings, Clock clock) {
        this.clock = clock;
        this.partitionsByKey = settings.partitionsByKey();
        this.sql = sql;
        this.tables = tables;
        this.cache = new PlanCache<>(settings.cached());
        this.calls = new PlanCache<>(settings.cached());
        this.tooGeneral = new PlanCache<>(settings.cached());
    }

    /** The statement if it is known and was planned for the program, or for one that plans alike; else null. Quick. */
    public @Nullable PreparedStatement find(String text, Program program) {
        PreparedStatement known = cache.find(text);
        if (known == null || known.program() == program) {
            return known;
        }
        if (!known.program().plansLike(program, text)) {
            return null;
        }
        // Keys have moved, as they do many times in a reconfiguration: planning all statements anew would take long.
        PreparedStatement moved = known.with(program);
        if (program.catalog().version() > known.program().catalog().version()) {
            cache.put(text, moved);
        }
        return moved;
    }

    /** The call of a procedure that the text is; null if that is not known of it. Quick. */
    public @Nullable Invocation findCall(String text) {
        return calls.find(text);
    }

    private boolean isTooGeneral(Generalised general, Program program) {
        Program known = tooGeneral.find(general.sql());
        return known != null && known.plansLike(program, general.sql());
    }

    /**
     * The compiled statement of the text; null also if the tables have changed so much since that it is better planned
     * anew.
     */
    private @Nullable PreparedStatement findCurrent(String text, Program program) {
        PreparedStatement found = find(text, program);
        return found == null || found.isOutdated(tables) ? null : found;
    }

    /**
     * The compiled statement of the request, or of its form with parameters; null if none is known. It was compiled for
     * the program, and for tables of about this size. Quick.
     */
    public Meaning.@Nullable Runs find(TransactionRequest.AdHoc request, Program program) {
        PreparedStatement found = findCurrent(request.sql(), program);
        if (found != null) {
            return new Meaning.Runs(found, request);
        }
        Generalised general = generalised(request);
        PreparedStatement statement =
                general == null || isTooGeneral(general, program) ? null : findCurrent(general.sql(), program);
        return general == null || statement == null ? null : bound(statement, general, request);
    }

    /** The queries that stand for one of several rows with SKIP LOCKED; empty for any other statement. Quick. */
    public Optional<SqlFrontend.RowByRow> rowByRow(String text, Catalog catalog) {
        return sql.rowByRow(text, catalog);
    }

    /**
     * Whether the text may be that of a query, or of a question about one: false if its first letter is that of
     * something else. Quick.
     */
    public static boolean mayBeQuery(String text) {
        String start = text.stripLeading();
        return start.isEmpty()
                || (start.charAt(0) >= ' ' && "IUDCAMTGRP".indexOf(Character.toUpperCase(start.charAt(0))) < 0);
    }

    /** The text that {@link #compile} begins with; its compilation serves all requests with the same one. Quick. */
    public String textToCompile(TransactionRequest.AdHoc request, Program program) {
        Generalised general = generalised(request);
        return general == null || isTooGeneral(general, program) ? request.sql() : general.sql();
    }

    /**
     * Compiles the request's text for the program, unless another request has done so meanwhile; takes milliseconds.
     */
    public Meaning compile(TransactionRequest.AdHoc request, Program program) {
        if (CostedStatement.isWeighed(request.sql())) {
            throw new FulmarException(ErrorCode.SYNTAX, "1:1: a statement does not begin with a control character");
        }
        if (CountedStatement.isOne(request.sql())) {
            return compile(request, request.sql(), program, false);
        }
        Meaning.Runs found = find(request, program);
        if (found != null) {
            return found;
        }
        Invocation call = findCall(request.sql());
        if (call != null) {
            return new Meaning.Calls(call);
        }
        Generalised general = generalised(request);
        if (general != null && !isTooGeneral(general, program) && findCurrent(general.sql(), program) == null) {
            Meaning.Runs runs = compileGeneral(general, request, program);
            if (runs != null) {
                return runs;
            }
        }
        return compile(request, request.sql(), program, true);
    }

    /** Compiles the text for the program, for a request whose parameters are elsewhere. */
    public PreparedStatement compile(String text, Program program) {
        TransactionRequest.AdHoc request = new TransactionRequest.AdHoc(0, 0, 0, text, new byte[COUNT_BYTES]);
        if (compile(request, text, program, false) instanceof Meaning.Runs runs) {
            return runs.statement();
        }
        throw new FulmarException(ErrorCode.NOT_SUPPORTED, "the statement does not run on partitions: " + text);
    }

    /** The change of the catalog that the request's text is; it must be one. */
    public CatalogChange change(TransactionRequest.AdHoc request, Program program) {
        if (compile(request, request.sql(), program, false) instanceof Meaning.Changes(var change, var _)) {
            return change;
        }
        throw new FulmarException(
                ErrorCode.NOT_SUPPORTED, "the statement does not change the catalog: " + request.sql());
    }

    /**
     * @param asked whether a client asks for the statement: one that is already logged may have literals that no new
     *     one may
     */
    private Meaning compile(TransactionRequest.AdHoc request, String text, Program program, boolean asked) {
        String numbered = NumberedStatement.sql(text);
        if (numbered != null) {
            return compileNumbered(request, text, numbered, program);
        }
        String counted = CountedStatement.query(text);
        if (counted != null && compile(request, counted, program, false) instanceof Meaning.Runs(var query, var _)) {
            return known(text, query, request);
        }
        OptionalInt drawn = DrawingStatement.sequence(text);
        if (drawn.isPresent()) {
            return known(
                    text,
                    new PreparedStatement(
                            text, RangePlan.of(text, drawn.getAsInt(), program.catalog()), program, null, List.of()),
                    request);
        }
        if (asked && partitionsByKey && isExplanation(text)) {
            String placed = sql.placed(text, BY_KEY);
            if (!placed.equals(text)) {
                return compile(request, placed, program, true);
            }
        }
        CostedStatement weighed = CostedStatement.of(text);
        Statistics statistics = weighed == null ? tables.known() : weighed.statistics();
        return switch (sql.compile(weighed == null ? text : weighed.sql(), program.catalog(), statistics)) {
            case SqlFrontend.Compiled.Runnable(var plan, var weighs) -> {
                if (asked) {
                    LiteralCheck.check(plan, program.catalog());
                }
                yield new Meaning.Runs(prepared(text, weighed, plan, weighs, statistics, program), request);
            }
            case SqlFrontend.Compiled.Change(var change) -> {
                String whole = asked ? completed(text, change, program.catalog(), clock.wallMicros()) : text;
                yield whole.equals(text) ? new Meaning.Changes(change, text) : compile(request, whole, program, false);
            }
            case SqlFrontend.Compiled.TableOfQuery(var table)
            when asked && partitionsByKey && table.placement().isEmpty() ->
                compile(request, sql.placed(text, BY_KEY), program, false);
            case SqlFrontend.Compiled.TableOfQuery(var table) ->
                new Meaning.MakesTable(table, needsOf(table, program.catalog()));
            case SqlFrontend.Compiled.Call(var invocation) -> {
                if (text.length() <= MOST_KEPT_CHARACTERS) {
                    calls.put(text, invocation);
                }
                yield new Meaning.Calls(invocation);
            }
            case SqlFrontend.Compiled.Explanation(var lines, var plan) ->
                new Meaning.Explains(lines, plan.map(explained -> StatementNeeds.of(explained, program.catalog())));
        };
    }

    private PreparedStatement prepared(
            String text,
            @Nullable CostedStatement weighed,
            StatementPlan plan,
            SortedSet<Integer> weighs,
            Statistics statistics,
            Program program) {
        PreparedStatement statement = weighed != null || weighs.isEmpty()
                ? new PreparedStatement(text, plan, program, null)
                : new PreparedStatement(
                        new CostedStatement(text, statistics.of(weighs)).text(),
                        plan,
                        program,
                        new StatementBasis(weighs, statistics));
        if (!text.contains(SqlFrontend.ONCE)) {
            cache.put(text, statement);
        }
        return statement;
    }

    private static List<AccessRight> needsOf(CreateTableAsPlan table, Catalog catalog) {
        List<AccessRight> needs = new ArrayList<>(StatementNeeds.of(table.query(), catalog));
        needs.add(AccessRight.onEverything(Privilege.DDL));
        return needs;
    }

    /** Compiles the text for a catalog that no program has yet; nothing of it is kept. */
    public SqlFrontend.Compiled prospective(String text, Catalog catalog) {
        return sql.compile(text, catalog, tables.known());
    }

    /** The text of the statement that all nodes plan alike, whatever they know of its tables. */
    public static String unweighed(String text) {
        String query = CountedStatement.query(text);
        return query == null
                ? new CostedStatement(text, Statistics.NONE).text()
                : CountedStatement.text(unweighed(query));
    }

    /** The statement about tables that a transaction has made or altered as a query of those of before. */
    public Optional<DraftedStatement> drafted(String text, Catalog catalog, Map<String, String> contents) {
        return sql.drafted(text, catalog, contents);
    }

    /** Compiles the text as {@link #unweighed} says it, for a catalog that no program need have. */
    public SqlFrontend.Compiled prospectiveUnweighed(String text, Catalog catalog) {
        return sql.compile(text, catalog);
    }

    /** A statement that was compiled for such a catalog, and reads nothing that is stored; nothing of it is kept. */
    public PreparedStatement prepared(String text, StatementPlan plan, Program program) {
        return new PreparedStatement(text, plan, program, null, List.of());
    }

    /**
     * The text of a change that counts: the one that came, or that with what the node adds.
     *
     * @param catalog for which the change was compiled
     * @param micros the time of the statement, since the epoch
     */
    public String completed(String text, CatalogChange change, Catalog catalog, long micros) {
        String named = saysNoNames(text, change) ? sql.named(text, catalog) : text;
        return saysNoTime(change)
                ? sql.timed(named, micros)
                : saysNoPartitioning(change) ? sql.placed(named, BY_KEY) : named;
    }

    /** Whether names of constraints may be other ones than those that the text says. */
    private static boolean saysNoNames(String text, CatalogChange change) {
        return switch (change) {
            case CatalogChange.CreateTable create when create.keyName() instanceof KeyName.Written -> true;
            case CatalogChange.AlterTable(var _, var _, var _, TableAlteration.AddPrimaryKey add)
            when add.name() instanceof KeyName.Written -> true;
            case CatalogChange.AlterTable(var _, var _, var _, TableAlteration.DropConstraint _) -> true;
            case CatalogChange.AlterTable(var _, var _, var _, TableAlteration.ValidateConstraint _) -> true;
            default -> NamesMark.isIn(text);
        };
    }

    private static boolean saysNoTime(CatalogChange change) {
        return change instanceof CatalogChange.AlterTable alter
                && alter.alteration() instanceof TableAlteration.AddColumn add
                && add.time() instanceof TableAlteration.DefaultTime.Unsaid;
    }

    private boolean saysNoPartitioning(CatalogChange change) {
        return partitionsByKey
                && change instanceof CatalogChange.CreateTable create
                && create.partitioning() instanceof TablePartitioning.Unsaid;
    }

    private static boolean isExplanation(String text) {
        return text.stripLeading().regionMatches(true, 0, "EXPLAIN", 0, "EXPLAIN".length());
    }

    /** Compiles a statement that is given its numbers of sequences, and needs the rights of one that draws them. */
    private Meaning compileNumbered(TransactionRequest.AdHoc request, String text, String plain, Program program) {
        if (!(sql.compile(plain, program.catalog(), tables.known())
                instanceof SqlFrontend.Compiled.Runnable(var plan, var _))) {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, "the statement draws no numbers: " + plain);
        }
        List<GivenNumbers.Number> drawn = GivenNumbers.of(plan, program.catalog()::isDenseSequence);
        List<Integer> sequences = NumberedStatement.sequences(text);
        boolean isCounted = !RowNumbers.sequences(plan).isEmpty(); // else it would be as many as it has rows
        boolean isSame = (isCounted || drawn.size() == NumberedStatement.numbers(text))
                && (sequences == null || sequences.equals(List.copyOf(PreparedStatement.sequences(drawn))));
        if (!isSame) {
            throw new FulmarException(
                    ErrorCode.WRONG_NODE,
                    "the statement draws other numbers of sequences since tables were changed; send it again");
        }
        return known(
                text,
                new PreparedStatement(
                        text,
                        GivenNumbers.given(plan, program.catalog()::isDenseSequence, NumberedStatement.numbers(text)),
                        program,
                        null,
                        StatementNeeds.of(plan, program.catalog())),
                request);
    }

    private Meaning known(String text, PreparedStatement statement, TransactionRequest.AdHoc request) {
        cache.put(text, statement);
        return new Meaning.Runs(statement, request);
    }

    /**
     * Compiles the form with parameters; null if that does not serve this request. With parameters the statement may
     * mean something else, or nothing, or these literals may not fit. Then the text as it stands counts, for its errors
     * too.
     */
    private Meaning.@Nullable Runs compileGeneral(
            Generalised general, TransactionRequest.AdHoc request, Program program) {
        try {
            if (compile(request, general.sql(), program, true) instanceof Meaning.Runs(var statement, var compiled)
                    && statement.parameterTypes().size() == general.literals().size()
                    && !dependsOnValues(statement, program.catalog())) {
                return bound(statement, general, compiled); // other requests' literals may fit where these do not
            }
        } catch (FulmarException e) {
            PlanningTurn.goOn(); // it says nothing of the statement that its time is over
            LOG.trace("not compiled with parameters", e);
        }
        tooGeneral.put(general.sql(), program);
        return null;
    }

    /**
     * Whether a plan may depend on values: a table has a partial index, or one with computed keys. Such an index serves
     * a statement that names the value and not one with a parameter.
     */
    private static boolean dependsOnValues(PreparedStatement statement, Catalog catalog) {
        return statement.needs().stream()
                .map(right -> catalog.tables().get(right.object()))
                .anyMatch(table -> table != null
                        && table.indexes().stream()
                                .anyMatch(index -> index.condition().isPresent() || index.isComputed()));
    }

    private static Meaning.@Nullable Runs bound(
            PreparedStatement statement, Generalised general, TransactionRequest.AdHoc request) {
        byte[] parameters = LiteralParameters.of(general.literals(), statement.parameterTypes());
        return parameters == null ? null : new Meaning.Runs(statement, request.with(general.sql(), parameters));
    }

    /** The form of the text with parameters; null for a request that brings its values as parameters already. */
    private @Nullable Generalised generalised(TransactionRequest.AdHoc request) {
        return request.parameters().length > COUNT_BYTES || CountedStatement.isOne(request.sql())
                ? null
                : sql.generalise(request.sql()).orElse(null);
    }
}
