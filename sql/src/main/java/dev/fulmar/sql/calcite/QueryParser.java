package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.foundation.data.ColumnOrigin;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.sql.text.MergeStatement;
import dev.fulmar.sql.text.OverridingClause;
import dev.fulmar.sql.text.SessionNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/**
 * Parses and validates a query or DML statement against a catalog, and yields its relational tree as written.
 * Thread-safe.
 */
public final class QueryParser {
    private static final int MAX_NAME_LENGTH = 128;

    static final SqlParser.Config PARSER = SqlParser.config()
            .withParserFactory(CompletedTokens.FACTORY)
            .withConformance(new DialectConformance())
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.TO_UPPER)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(true)
            .withIdentifierMaxLength(MAX_NAME_LENGTH);

    private static final SqlValidator.Config VALIDATOR = SqlValidator.Config.DEFAULT
            .withConformance(new DialectConformance())
            .withDefaultNullCollation(NullCollation.HIGH)
            .withIdentifierExpansion(true)
            .withTypeCoercionEnabled(true)
            .withTypeCoercionFactory(DialectCoercion::new);

    /**
     * The configuration of the converter: conditions of joins stay whole. If the inputs computed what they compare, as
     * more columns, the planner would not see any more that an input is a table, and perhaps one that has an index of
     * just that.
     */
    private static final SqlToRelConverter.Config CONVERTER = SqlToRelConverter.config()
            .withExpand(false)
            .withTrimUnusedFields(false)
            .withInSubQueryThreshold(Integer.MAX_VALUE)
            .addRelBuilderConfigTransform(config -> config.withSimplifyValues(true)
                    .withSimplify(false)
                    .withBloat(-1)
                    .withPushJoinCondition(false));

    /** Constants are computed by the engine, whose rules they follow, and not by code that Calcite generates. */
    private static final RexExecutor LEFT_TO_THE_ENGINE = (rexBuilder, constants, reduced) -> reduced.addAll(constants);

    private static final SqlOperatorTable OPERATORS = DialectFunctions.operatorTable();

    private final AtomicReference<CatalogSchema> newestSchema;
    private final AtomicReference<@Nullable CatalogSchema> lastTemporary = new AtomicReference<>();

    public QueryParser() {
        newestSchema = new AtomicReference<>(CatalogSchema.of(Catalog.empty(), ""));
    }

    /**
     * A statement with its meaning.
     *
     * @param columns of the result; for DML of no use
     * @param uses names of the tables and views
     * @param alias what a write calls its table, if it says so
     */
    public record Parsed(
            RelRoot root,
            List<ColumnType> parameters,
            List<ResultColumn> columns,
            Set<String> uses,
            Optional<String> alias) {
        public Parsed {
            uses = Set.copyOf(uses);
            parameters = List.copyOf(parameters);
            columns = List.copyOf(columns);
        }

        /** The same with more parameters, and another name for the table that it writes if there is one. */
        public Parsed with(List<ColumnType> more, Optional<String> other) {
            List<ColumnType> all = new ArrayList<>(parameters);
            all.addAll(more);
            return new Parsed(root, all, columns, uses, other.or(() -> alias));
        }

        /** Whether it writes nothing. */
        public boolean isQuery() {
            return !(root.rel instanceof TableModify);
        }
    }

    /** Parses, validates and converts what is kept, as a view: its texts have the lengths that they always had. */
    public Parsed parse(String sql, Catalog catalog) {
        return parse(sql, catalog, OverridingClause.Values.USUAL, false);
    }

    /**
     * The text of a query with the schemas of the session's path before plain names of tables. It is for texts that are
     * kept, which others read without the path. The same text if the session has none.
     */
    public String withSchemas(String query, Catalog catalog) {
        if (SessionNames.path().isEmpty()) {
            return query;
        }
        List<SqlIdentifier> found = guarded(query, catalog, () -> {
            String lines = query.replaceAll("\\r(?!\\n)", " "); // which are lines to the parser alone
            SqlNode parsed = TiedRows.settled(
                    SqlParser.create(new StatementReader(lines), PARSER).parseStmt(), lines);
            SetQueries.settle(parsed);
            List<SqlIdentifier> plain = new ArrayList<>();
            SessionTableNames.settle(parsed, plain::add);
            return plain;
        });
        return SessionTableNames.written(query, found);
    }

    /** As {@link #parse}, of a query whose list is values of a statement, one item for each. */
    public Parsed parseValues(String sql, Catalog catalog) {
        return guarded(sql, catalog, () -> {
            ValueList.check(SqlParser.create(new StatementReader(sql), PARSER).parseQuery());
            return parse(sql, catalog);
        });
    }

    /** As the other; the values say what a write gives to columns that draw numbers. */
    public Parsed parse(String sql, Catalog catalog, OverridingClause.Values values) {
        return parse(sql, catalog, values, true);
    }

    private Parsed parse(String sql, Catalog catalog, OverridingClause.Values values, boolean isShown) {
        return guarded(sql, catalog, () -> {
            SqlNode written = SqlParser.create(new StatementReader(sql), PARSER).parseStmt();
            SqlNode parsed = CurrentSchemas.settled(TiedRows.settled(written, sql), sql);
            SetQueries.settle(parsed);
            StatementKinds.check(parsed, sql);
            SessionTableNames.settle(parsed);
            StatementKinds.checkTarget(parsed, catalog);
            WrittenColumns.settle(parsed, catalog);
            RecursionRules.check(parsed);
            if (sql.toUpperCase(Locale.ROOT).contains(SchemaName.POSTGRES_CATALOG)) {
                CatalogFunctions.settle(parsed, schema(catalog).lookups());
            }
            RowFunctions.settle(parsed);
            WrittenForms.settle(parsed, catalog);
            JoinedColumns.settle(parsed, catalog);
            DistinctOn.settle(parsed);
            GroupedKeys.settle(parsed, catalog);
            ListedRows.settle(parsed);
            new GivenValues(catalog, PARSER, values).settle(parsed);
            RandomCalls.settle(parsed, catalog);
            InsertedQueries.settle(parsed);
            UntypedItems.settle(parsed);
            ConditionBalance.balance(parsed);
            CopiedOperands.copy(parsed);
            TreeConversion trees = new TreeConversion(schema(catalog), CONVERTER);
            return convert(parsed, trees, StatementKinds.alias(parsed), isShown);
        });
    }

    /** As {@link #parse}, of the query that a MERGE of the table begins with. */
    public Parsed parse(MergeStatement merge, Table table, Catalog catalog) {
        return guarded(merge.sql(), catalog, () -> {
            SqlNode tree = TiedRows.settled(new MergeQuery(merge, table, PARSER).tree(), merge.sql());
            SqlNode query = CurrentSchemas.settled(tree, merge.sql());
            SessionTableNames.settle(query);
            RecursionRules.check(query);
            RandomCalls.settle(query, catalog);
            RowFunctions.settle(query);
            WrittenForms.settle(query, catalog);
            JoinedColumns.settle(query, catalog);
            DistinctOn.settle(query);
            GroupedKeys.settle(query, catalog);
            ConditionBalance.balance(query);
            CopiedOperands.copy(query);
            boolean isOrdered = merge.constants()
                    .filter(MergeStatement.Constants::isOfQuery)
                    .isPresent();
            TreeConversion trees = new TreeConversion(
                    schema(catalog), isOrdered ? CONVERTER.withRemoveSortInSubQuery(false) : CONVERTER);
            return convert(query, trees, Optional.of(merge.alias()), false);
        });
    }

    /** A call of Calcite. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws SqlParseException;
    }

    private static <T> T guarded(String sql, Catalog catalog, Work<T> work) {
        try {
            return work.run();
        } catch (SqlParseException e) {
            FatalErrors.throwFatalCause(e);
            throw ParserErrors.of(sql, e);
        } catch (CalciteContextException e) {
            throw CalciteErrors.ofValidator(sql, catalog, e);
        } catch (CalciteException e) {
            throw CalciteErrors.ofCalcite(e);
        } catch (FulmarException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            FatalErrors.throwFatalCause(e);
            throw CalciteErrors.ofDefect(e);
        }
    }

    private Parsed convert(SqlNode parsed, TreeConversion trees, Optional<String> alias, boolean isShown) {
        DialectValidator validator = trees.validator();
        validator.names().ofStatement(parsed);
        SqlNode validated = validator.validate(parsed);
        List<ColumnType> parameters = ParameterTypes.of(validated, validator);
        RelRoot root = trees.tree(validated, validator);
        List<Optional<ColumnOrigin>> origins = ColumnOrigins.of(validated, validator, trees.catalog);
        List<ResultColumn> columns = new ArrayList<>();
        for (RelDataTypeField field : root.validatedRowType.getFieldList()) {
            columns.add(new ResultColumn(
                    name(field, validator),
                    isShown ? ShownTexts.type(validated, root.rel, field) : TypeMapping.columnType(field.getType()),
                    field.getType().isNullable(),
                    origins.get(field.getIndex())));
        }
        Set<String> uses = new TreeSet<>(trees.views.names());
        TablesOfTree.collect(root.rel, uses);
        return new Parsed(root, parameters, columns, uses, alias);
    }

    /** Converts the text of one statement, and of the views in it, to one tree. */
    private static final class TreeConversion {
        private final Catalog catalog;
        private final SqlToRelConverter.Config config;
        private final DialectTypeFactory typeFactory = new DialectTypeFactory();
        private final ViewExpansion views = new ViewExpansion(this::ofView);
        private final CalciteCatalogReader reader;
        private final SqlOperatorTable operators;
        private final RelOptCluster cluster;

        TreeConversion(CatalogSchema schema, SqlToRelConverter.Config config) {
            this.config = config;
            catalog = schema.catalog();
            reader = reader(schema.root(), typeFactory);
            operators = SqlOperatorTables.chain(
                    OPERATORS,
                    schema.lookups().operators(),
                    UserFunctionOperator.table(catalog),
                    EnumCast.table(catalog));
            HepPlanner planner = new HepPlanner(HepProgram.builder().build());
            planner.setExecutor(LEFT_TO_THE_ENGINE);
            cluster = RelOptCluster.create(planner, new DialectRexBuilder(typeFactory));
        }

        DialectValidator validator() {
            return new DialectValidator(operators, reader, typeFactory, VALIDATOR);
        }

        RelRoot tree(SqlNode validated, SqlValidator validator) {
            SqlToRelConverter converter =
                    new SqlToRelConverter(views, validator, reader, cluster, StandardConvertletTable.INSTANCE, config);
            RelRoot root = converter.convertQuery(validated, false, true);
            return root.withRel(SoughtTexts.settle(NumberedSets.settle(root.rel)));
        }

        private RelRoot ofView(String text) {
            try {
                SqlNode query = TiedRows.settled(
                        SqlParser.create(new StatementReader(text), PARSER).parseQuery(), text);
                RowFunctions.settle(query);
                WrittenForms.settle(query, catalog);
                JoinedColumns.settle(query, catalog);
                DistinctOn.settle(query);
                GroupedKeys.settle(query, catalog);
                ConditionBalance.balance(query);
                CopiedOperands.copy(query);
                SqlValidator validator = validator();
                return tree(validator.validate(query), validator);
            } catch (SqlParseException e) {
                throw new IllegalStateException("the text of a view is a query", e);
            }
        }
    }

    /** An expression without a name is C and its position, from 1. */
    private static String name(RelDataTypeField field, DialectValidator validator) {
        return field.getName().startsWith("EXPR$")
                ? "C" + (field.getIndex() + 1)
                : validator.names().shown(field.getName());
    }

    private static CalciteCatalogReader reader(CalciteSchema root, DialectTypeFactory typeFactory) {
        Properties properties = new Properties();
        properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
        return new CalciteCatalogReader(root, List.of(), typeFactory, new CalciteConnectionConfigImpl(properties));
    }

    private CatalogSchema schema(Catalog catalog) {
        String temporary = SessionNames.temporary();
        CatalogSchema seen = temporary.isEmpty() ? newestSchema(catalog) : schema(catalog, temporary);
        return seen.withPath(SessionNames.path());
    }

    private CatalogSchema newestSchema(Catalog catalog) {
        CatalogSchema newest = newestSchema.get();
        if (newest.catalog() == catalog) {
            return newest;
        }
        CatalogSchema made = CatalogSchema.of(catalog, "");
        newestSchema.set(made);
        return made;
    }

    private CatalogSchema schema(Catalog catalog, String temporary) {
        CatalogSchema last = lastTemporary.get();
        if (last != null && last.temporary().equals(temporary) && last.catalog() == catalog) {
            return last;
        }
        CatalogSchema made = CatalogSchema.of(catalog, temporary);
        lastTemporary.set(made);
        return made;
    }
}
