package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.execution.SoughtRow;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.RowLock;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.engine.spi.DraftedStatement;
import dev.fulmar.engine.spi.Invocation;
import dev.fulmar.engine.spi.NamesMark;
import dev.fulmar.engine.spi.PlanningTurn;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.engine.spi.Statistics;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.ddl.ConstraintNames;
import dev.fulmar.sql.ddl.DdlParser;
import dev.fulmar.sql.ddl.InvocationParser;
import dev.fulmar.sql.ddl.LikeTableParser;
import dev.fulmar.sql.ddl.TableAsParser;
import dev.fulmar.sql.ddl.TableAsParser.TableAs;
import dev.fulmar.sql.estimate.StatisticsUse;
import dev.fulmar.sql.explain.Analysis;
import dev.fulmar.sql.explain.PlanPrinter;
import dev.fulmar.sql.planner.Cascades;
import dev.fulmar.sql.planner.ConflictMerge;
import dev.fulmar.sql.planner.ConflictPlanner;
import dev.fulmar.sql.planner.MergePlanner;
import dev.fulmar.sql.planner.ReferenceRules;
import dev.fulmar.sql.planner.Returning;
import dev.fulmar.sql.planner.StatementPlanner;
import dev.fulmar.sql.planner.UpkeepPlanner;
import dev.fulmar.sql.text.AddedWords;
import dev.fulmar.sql.text.ComplexityCheck;
import dev.fulmar.sql.text.ConflictClause;
import dev.fulmar.sql.text.DraftedTables;
import dev.fulmar.sql.text.JoinedChange;
import dev.fulmar.sql.text.LibraryWords;
import dev.fulmar.sql.text.LiteralSearch;
import dev.fulmar.sql.text.LockingClause;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.MissingFrom;
import dev.fulmar.sql.text.OverridingClause;
import dev.fulmar.sql.text.PlaceClause;
import dev.fulmar.sql.text.ReturningClause;
import dev.fulmar.sql.text.ScriptSplitter;
import dev.fulmar.sql.text.SessionNames;
import dev.fulmar.sql.text.SkippingQuery;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementLimits;
import dev.fulmar.sql.text.StatementZone;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import dev.fulmar.sql.text.TruncateTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The SQL front end. Thread-safe; compiling the same text against the same catalog, with equal statistics, yields equal
 * plans.
 */
public final class SqlCompiler implements SqlFrontend {
    static {
        // What Calcite's assertions find would otherwise become a wrong plan; noticed, it is planned another way.
        ClassLoader loader = SqlCompiler.class.getClassLoader();
        if (loader != null) {
            loader.setPackageAssertionStatus("org.apache.calcite", true);
        }
    }

    private final StatementLimits limits;
    private final QueryParser parser = new QueryParser();

    public SqlCompiler() {
        this(StatementLimits.DEFAULT);
    }

    public SqlCompiler(StatementLimits limits) {
        this.limits = limits;
    }

    /**
     * Compiles a few statements to no end: the first plan of a process takes over a second, later ones milliseconds.
     */
    public void warmUp() {
        Catalog empty = Catalog.empty();
        compile(
                "SELECT COUNT(*), MAX(a) FROM (VALUES (1, 'x'), (2, 'y')) AS t (a, b) WHERE a > ? AND b = 'x' ORDER BY"
                        + " 1",
                empty);
        compile("SELECT t.a FROM (VALUES (1, 2)) AS t (a, b) JOIN (VALUES (3, 4)) AS s (a, b) ON t.a = s.b", empty);
    }

    /** Warms up on a thread of its own: that time is better spent before any client waits. */
    public void beginWarmUp() {
        Thread.ofPlatform().daemon().name("fulmar-warm-up").start(this::warmUp);
    }

    @Override
    public List<String> split(String script) {
        return ScriptSplitter.split(script);
    }

    @Override
    public Optional<Generalised> generalise(String sql) {
        return LiteralSearch.generalise(sql);
    }

    @Override
    public Optional<RowByRow> rowByRow(String sql, Catalog catalog) {
        List<Token> statement = withoutSemicolons(ComplexityCheck.tokens(sql, limits));
        return SessionNames.planning(sql, catalog, () -> SkippingQuery.of(sql, statement, catalog))
                .map(found -> new RowByRow(
                        TemporaryMark.copied(sql, found.keys()),
                        found.keysParameters(),
                        found.keyColumns(),
                        TemporaryMark.copied(sql, found.row()),
                        found.rowParameters(),
                        found.most()));
    }

    @Override
    public Optional<DraftedStatement> drafted(String sql, Catalog catalog, Map<String, String> contents) {
        List<Token> statement = withoutSemicolons(ComplexityCheck.tokens(sql, limits));
        return SessionNames.planning(sql, catalog, () -> new DraftedTables(sql, statement, catalog, contents).read())
                .map(found -> new DraftedStatement(
                        TemporaryMark.copied(sql, found.query()), found.countsRows(), found.content()));
    }

    @Override
    public Compiled compile(String sql, Catalog catalog) {
        return compile(sql, catalog, Statistics.NONE);
    }

    @Override
    public Compiled compile(String sql, Catalog catalog, Statistics statistics) {
        List<Token> tokens = ComplexityCheck.tokens(sql, limits);
        List<Token> statement = withoutSemicolons(tokens);
        String text = sql.substring(0, statement.getLast().start());
        Supplier<Compiled> work = () -> {
            try {
                return compile(text, catalog, statement, StatisticsUse.by(statistics));
            } catch (FulmarException e) {
                throw PlacedErrors.placed(e, statement);
            }
        };
        return StatementZone.planning(sql, () -> guarded(() -> SessionNames.planning(sql, catalog, work)));
    }

    private Compiled compile(String sql, Catalog catalog, List<Token> tokens, StatisticsUse statisticsUse) {
        Token first = tokens.getFirst();
        if (first.kind() == Token.Kind.END) {
            throw SqlErrors.syntax(first.position(), "there is no statement");
        }
        if (first.isWord("EXPLAIN")) {
            return explain(sql, catalog, tokens, statisticsUse);
        }
        Optional<Invocation> call = InvocationParser.parse(sql, tokens, new ConstantArguments(parser));
        if (call.isPresent()) {
            return new Compiled.Call(call.get());
        }
        Optional<TableAs> made = LikeTableParser.parse(sql, tokens, catalog.schemas())
                .or(() -> TableAsParser.parse(sql, tokens, catalog.schemas()));
        if (made.isPresent()) {
            return new Compiled.TableOfQuery(table(made.get().sql(), catalog, made.get()));
        }
        Optional<CatalogChange> change = DdlParser.parse(sql, tokens, new TableExpressions(parser, sql, catalog));
        if (change.isPresent()) {
            return new Compiled.Change(SequenceNames.named(change.get(), catalog));
        }
        LockingClause clause = LockingClause.of(sql, tokens);
        StatementPlan plan =
                plan(TruncateTable.asDelete(clause.query(), tokens, catalog), catalog, tokens, statisticsUse);
        return new Compiled.Runnable(locking(sql, plan, clause, tokens, catalog), statisticsUse.weighed());
    }

    /** Leases are of single rows: a query of several is one that can be taken apart. */
    private StatementPlan locking(
            String sql, StatementPlan plan, LockingClause clause, List<Token> tokens, Catalog catalog) {
        boolean skips = clause.lock().map(RowLock::skips).orElse(false);
        if (skips && !SoughtRow.isAllOf(plan, catalog) && !isOfRows(sql, tokens, catalog)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    LockingClause.skipping(tokens).position(),
                    "SKIP LOCKED takes a query of one row by all columns of a unique key, or one of rows of a table with"
                            + " a primary key, with WHERE, ORDER BY and LIMIT up to " + RowByRow.MOST_ROWS
                            + "; read keys without it, and then one row after another with it");
        }
        return plan.locking(clause.lock(), clause.tables(tokens, catalog));
    }

    /** Whether the query yields rows as the table has them, which can be sought one by one. */
    private boolean isOfRows(String sql, List<Token> tokens, Catalog catalog) {
        return SkippingQuery.of(sql, tokens, catalog)
                .filter(found -> {
                    String row = found.row().substring(0, found.row().lastIndexOf(" FOR "));
                    return SoughtRow.isAllOf(plan(row, catalog, Tokenizer.tokens(row)), catalog);
                })
                .isPresent();
    }

    /** The words before the query become blanks, so that positions stay what they are. */
    private CreateTableAsPlan table(String sql, Catalog catalog, TableAs made) {
        int start = made.query().getFirst().start();
        String written = sql.substring(start, made.query().getLast().start());
        String query = TemporaryMark.copiedWithoutNames(sql, TemporaryMark.removed(written)); // WITH DATA is behind it
        StatementPlan plan = plan(blank(sql.substring(0, start)) + query, catalog, made.query());
        return new CreatedTable(made, plan).of(withSchemas(query, catalog), catalog);
    }

    /** The rows of a table are read by a statement of the engine, perhaps of the tables of a later moment. */
    private String withSchemas(String query, Catalog catalog) {
        return SessionNames.path().isEmpty()
                ? query
                : parser.withSchemas(
                        MissingFrom.of(query, Tokenizer.tokens(query)).text(), catalog);
    }

    /** Semicolons may follow a statement; the first of them becomes its end. */
    private static List<Token> withoutSemicolons(List<Token> tokens) {
        int end = tokens.size() - 1;
        while (end > 0 && tokens.get(end - 1).isSymbol(";")) {
            end--;
        }
        for (Token token : tokens.subList(0, end)) {
            if (token.isSymbol(";") && !tokens.getFirst().isWord("CREATE")) {
                throw SqlErrors.syntax(token.position(), "one statement at a time; split the script at its semicolons");
            }
        }
        Token last = tokens.get(end);
        List<Token> statement = new ArrayList<>(tokens.subList(0, end));
        statement.add(new Token(Token.Kind.END, "", last.start(), last.start(), last.position()));
        return statement;
    }

    /** The plan of a part of a change, which is the same whatever is known of the tables. */
    private StatementPlan plan(String sql, Catalog catalog, List<Token> tokens) {
        return plan(sql, catalog, tokens, StatisticsUse.none());
    }

    /** The grammar does not know UPSERT INTO, which otherwise is INSERT INTO. */
    private StatementPlan plan(String sql, Catalog catalog, List<Token> tokens, StatisticsUse statisticsUse) {
        return plan(sql, catalog, tokens, statisticsUse, Cascades.none(), false);
    }

    /**
     * @param cascades by which the statement comes from a client's
     * @param isPart whether it is a part of a MERGE, which has looked on all partitions for a key of ON CONFLICT
     */
    private StatementPlan plan(
            String sql,
            Catalog catalog,
            List<Token> tokens,
            StatisticsUse statisticsUse,
            Cascades cascades,
            boolean isPart) {
        Token first = tokens.getFirst();
        Optional<AddedWords> deletion = JoinedChange.delete(sql, tokens);
        if (deletion.isPresent()) {
            return plan(deletion.get(), catalog);
        }
        if (JoinedChange.isUpdate(tokens)) {
            ReturningClause clause = ReturningClause.of(sql, tokens);
            MergeStatement merge = JoinedChange.update(clause.change(), Tokenizer.tokens(clause.change()));
            return merge(sql, catalog, merge, clause);
        }
        ConflictClause.Split split = ConflictClause.split(sql, tokens);
        Optional<MergeStatement> overPartitions = isPart ? Optional.empty() : ConflictMerge.of(split, catalog);
        if (overPartitions.isPresent()) {
            return merge(sql, catalog, overPartitions.get(), ReturningClause.of(split.text(), split.tokens()));
        }
        OverridingClause given =
                OverridingClause.of(NextValues.numbered(split.text(), split.tokens(), catalog), split.tokens());
        ReturningClause clause = ReturningClause.of(given.text(), split.tokens());
        String write = clause.change();
        if (first.isWord("MERGE")) {
            List<Token> merge = Tokenizer.tokens(clause.change());
            return merge(sql, catalog, MergeStatement.of(clause.change(), merge), clause);
        }
        boolean upsert = first.isWord("UPSERT");
        String known = upsert ? write.substring(0, first.start()) + "INSERT" + write.substring(first.end()) : write;
        QueryParser.Parsed insertion = parse(known, catalog, given.values());
        if (insertion.isQuery()) {
            statisticsUse.begin(catalog, insertion.uses());
        }
        if (split.clause().isPresent() || clause.query().isPresent()) {
            checkHidden(Returning.table(insertion));
        }
        ConflictPlanner.Planned conflict = split.clause()
                .map(each -> conflict(each, insertion, catalog, isPart))
                .orElseGet(() -> withoutClause(upsert));
        QueryParser.Parsed parsed =
                insertion.with(conflict.parameters(), split.alias().map(Token::name));
        StatementPlanner.Nested nested =
                text -> SessionNames.asWritten(() -> plan(text, catalog, Tokenizer.tokens(text)));
        StatementPlan plan =
                StatementPlanner.plan(sql.strip(), parsed, conflict.action(), nested, catalog, statisticsUse);
        ReferenceRules.check(plan, catalog);
        StatementPlan yielding = clause.query()
                .map(list -> Returning.plan(plan, parser.parse(list + Returning.from(parsed), catalog)))
                .orElse(plan);
        return UpkeepPlanner.kept(
                yielding,
                catalog,
                (text, way) -> SessionNames.asWritten(
                        () -> plan(text, catalog, Tokenizer.tokens(text), StatisticsUse.none(), way, false)),
                cascades);
    }

    private static ConflictPlanner.Planned withoutClause(boolean upsert) {
        return new ConflictPlanner.Planned(upsert ? ConflictAction.REPLACE : ConflictAction.FAIL, List.of());
    }

    private ConflictPlanner.Planned conflict(
            ConflictClause clause, QueryParser.Parsed insertion, Catalog catalog, boolean isPart) {
        return ConflictPlanner.plan(
                clause,
                Returning.table(insertion),
                catalog,
                insertion.parameters().size(),
                query -> parser.parseValues(query, catalog),
                isPart);
    }

    private QueryParser.Parsed parse(String known, Catalog catalog, OverridingClause.Values values) {
        AddedWords complete = MissingFrom.of(known, Tokenizer.tokens(known));
        try {
            return parser.parse(complete.text(), catalog, values);
        } catch (FulmarException e) {
            throw complete.placed(e);
        }
    }

    private StatementPlan plan(AddedWords statement, Catalog catalog) {
        try {
            return plan(statement.text(), catalog, Tokenizer.tokens(statement.text()));
        } catch (FulmarException e) {
            throw statement.placed(e);
        }
    }

    private StatementPlan merge(String sql, Catalog catalog, MergeStatement merge, ReturningClause clause) {
        Table table = MergePlanner.target(merge, catalog);
        checkHidden(table);
        QueryParser.Parsed query = parser.parse(merge, table, catalog);
        StatementPlan plan = MergePlanner.plan(
                sql.strip(),
                merge,
                table,
                query,
                text -> SessionNames.asWritten(
                        () -> plan(text, catalog, Tokenizer.tokens(text), StatisticsUse.none(), Cascades.none(), true)),
                catalog);
        return clause.query()
                .map(list -> Returning.plan(plan, parser.parse(list + Returning.from(table, query), catalog)))
                .orElse(plan);
    }

    /** Clauses of a write name its table again, by the name that would be the temporary one's. */
    private static void checkHidden(Table table) {
        if (SessionNames.isElsewhere(table.name())) {
            throw SqlErrors.notSupported("MERGE, ON CONFLICT, RETURNING and UPDATE ... FROM of table " + table.name()
                    + " are not supported while a temporary table or a schema of search_path hides it; DROP the"
                    + " temporary table, or SET search_path = public");
        }
    }

    /** The words before the statement become blanks, so that positions stay what they are. */
    private Compiled explain(String sql, Catalog catalog, List<Token> tokens, StatisticsUse statisticsUse) {
        boolean isAnalysis = tokens.get(1).isWord("ANALYZE") || tokens.get(1).isWord("ANALYSE");
        int statement =
                isAnalysis ? 2 : tokens.get(1).isWord("PLAN") && tokens.get(2).isWord("FOR") ? 3 : 1;
        Token first = tokens.get(statement);
        if (first.kind() == Token.Kind.END) {
            throw SqlErrors.syntax(first.position(), "EXPLAIN needs a statement");
        }
        String explained = blank(sql.substring(0, first.start())) + sql.substring(first.start());
        List<Token> rest = tokens.subList(statement, tokens.size());
        if (InvocationParser.isOne(rest)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "EXPLAIN shows the plan of one statement, and a procedure has its own; EXPLAIN those");
        }
        Optional<TableAs> made = TableAsParser.parse(explained, rest, catalog.schemas());
        if (made.isPresent() && !isAnalysis) {
            CreateTableAsPlan table = table(explained, catalog, made.get());
            List<String> lines = new ArrayList<>();
            if (!table.isThere()) {
                lines.add(table.creation(table.name()));
                table.filling(table.name()).ifPresent(lines::add);
            }
            lines.addAll(PlanPrinter.print(table.query(), catalog));
            return new Compiled.Explanation(lines, Optional.empty());
        }
        Optional<CatalogChange> change =
                DdlParser.parse(explained, rest, new TableExpressions(parser, explained, catalog));
        if (change.isPresent()) {
            if (isAnalysis) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        first.position(),
                        "EXPLAIN ANALYZE runs the statement, so it takes queries only");
            }
            return new Compiled.Explanation(changeLines(change.get(), catalog), Optional.empty());
        }
        LockingClause clause = LockingClause.of(explained, rest);
        StatementPlan plan = locking(
                explained,
                plan(TruncateTable.asDelete(clause.query(), rest, catalog), catalog, rest, statisticsUse),
                clause,
                rest,
                catalog);
        if (!isAnalysis) {
            return new Compiled.Explanation(PlanPrinter.print(plan, catalog, statisticsUse), Optional.of(plan));
        }
        statisticsUse.ask();
        StatementPlan analysis = Analysis.of(sql.strip(), plan, catalog, statisticsUse);
        return new Compiled.Runnable(analysis, statisticsUse.weighed());
    }

    private static List<String> changeLines(CatalogChange change, Catalog catalog) {
        List<String> lines = new ArrayList<>(List.of("changes the catalog on all partitions"));
        if (change instanceof CatalogChange.CreateTable create) {
            lines.add(TablePartitioning.explained(create, catalog));
        }
        return lines;
    }

    @Override
    public String placed(String sql, String clause) {
        String bare = TemporaryMark.removed(sql);
        String placed = PlaceClause.added(bare, withoutSemicolons(ComplexityCheck.tokens(bare, limits)), clause);
        return TemporaryMark.copied(sql, placed);
    }

    @Override
    public String named(String sql, Catalog catalog) {
        String bare = TemporaryMark.removed(sql);
        List<Token> tokens = withoutSemicolons(ComplexityCheck.tokens(bare, limits));
        ConstraintNames names = ConstraintNames.sought(NamesMark.isIn(sql));
        Supplier<Optional<CatalogChange>> work =
                () -> DdlParser.parse(bare, tokens, new TableExpressions(parser, bare, catalog), names);
        StatementZone.planning(sql, () -> SessionNames.planning(sql, catalog, work));
        return TemporaryMark.copiedWithoutNames(sql, names.in(bare));
    }

    @Override
    public String timed(String sql, long micros) {
        String bare = TemporaryMark.removed(sql);
        List<Token> tokens = withoutSemicolons(ComplexityCheck.tokens(bare, limits));
        return TemporaryMark.copied(sql, bare.substring(0, tokens.getLast().start()) + "\nAS OF " + micros);
    }

    private static String blank(String text) {
        return text.replaceAll("[^\n]", " ");
    }

    private static FulmarException tooDeep() {
        return SqlErrors.tooComplex("the statement nests too deeply; simplify it, or compute in steps");
    }

    /** Calcite wraps what goes wrong in reflective calls, layer by layer. */
    private static boolean isOverflow(Throwable error) {
        Throwable cause = error;
        while (cause != null) {
            if (cause instanceof StackOverflowError) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Runs the planner's work, whose failure is an error of this statement, and of nothing else. */
    private static Compiled guarded(Supplier<Compiled> work) {
        try {
            return work.get();
        } catch (FulmarException e) {
            PlanningTurn.goOn(); // what was caught on the way may be that the time is over, in other words
            throw isOverflow(e) ? tooDeep() : e;
        } catch (StackOverflowError e) {
            throw tooDeep();
        } catch (UnsupportedOperationException e) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "this statement is not supported: "
                            + LibraryWords.shown(String.valueOf(e.getMessage()), "write it differently"),
                    e);
        } catch (RuntimeException | AssertionError e) {
            FatalErrors.throwFatalCause(e);
            PlanningTurn.goOn();
            throw isOverflow(e)
                    ? tooDeep()
                    : new FulmarException(
                            ErrorCode.INTERNAL,
                            "the planner failed on this statement (" + e
                                    + "); please report it, and write it differently until then",
                            e);
        }
    }
}
