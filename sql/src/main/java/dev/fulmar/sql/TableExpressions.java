package dev.fulmar.sql;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.RandomNumbers;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.engine.plan.StatementPlan;
import dev.fulmar.engine.spi.TemporaryMark;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.engine.userfunction.UserFunctions;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Enumeration;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.DialectFunctions;
import dev.fulmar.sql.calcite.QueryParser;
import dev.fulmar.sql.ddl.DdlExpressions;
import dev.fulmar.sql.ddl.TakenNames;
import dev.fulmar.sql.expression.Conversion;
import dev.fulmar.sql.planner.AggregationPlanner;
import dev.fulmar.sql.planner.StatementPlanner;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SessionNames;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.calcite.rel.core.TableModify;

/**
 * Resolves the CHECK conditions, default values and computed index keys of one DDL statement, by planning each as part
 * of a query. A part of the statement stands in that query where it stands in the statement, so that errors name its
 * places.
 */
final class TableExpressions implements DdlExpressions {
    private static final int SCRATCH_TABLE = 1;
    private static final int MOST_SOURCES = 2;
    private static final String GENERATED = "generated column";

    private static final String OF_USERS =
            "calls a function of users, which may be replaced while what is stored stays";

    private static final Column NO_PARAMETER = new Column(" ", ColumnType.of(TypeKind.BOOLEAN), true, null);

    private final QueryParser parser;
    private final String statement;
    private final Catalog catalog;

    TableExpressions(QueryParser parser, String statement, Catalog catalog) {
        this.parser = parser;
        this.statement = statement;
        this.catalog = catalog;
    }

    @Override
    public Set<String> schemas() {
        return catalog.schemas();
    }

    @Override
    public Map<String, Enumeration> enumerations() {
        return catalog.enumerations();
    }

    @Override
    public String noTable(String name) {
        return catalog.noTable(name);
    }

    @Override
    public boolean isThere(String name) {
        return catalog.tables().containsKey(name)
                || catalog.views().containsKey(name)
                || catalog.tables().values().stream()
                        .flatMap(table -> table.indexes().stream())
                        .anyMatch(index -> index.name().equals(name));
    }

    @Override
    public TakenNames takenNames() {
        Set<String> relations = new TreeSet<>(catalog.views().keySet());
        Set<String> constraints = new TreeSet<>();
        for (Table table : catalog.tables().values()) {
            String schema = SchemaName.of(table.name());
            relations.add(table.name());
            for (Index index : table.indexes()) {
                relations.add(index.name());
                relations.add(SchemaName.qualified(schema, SchemaName.local(index.name())));
            }
            Stream.concat(
                            table.checks().stream().map(Check::name),
                            table.foreignKeys().stream().map(ForeignKey::name))
                    .forEach(name -> constraints.add(SchemaName.qualified(schema, SchemaName.local(name))));
        }
        return new TakenNames(relations, constraints);
    }

    @Override
    public Optional<Table> table(String name) {
        return Optional.ofNullable(catalog.tables().get(name));
    }

    @Override
    public Optional<Table> sequence(String name) {
        return Optional.ofNullable(SequenceNames.find(name, catalog));
    }

    @Override
    public Optional<View> view(String name) {
        return Optional.ofNullable(catalog.views().get(name));
    }

    @Override
    public Optional<Table> sequenceOf(Column column) {
        return catalog.tables().values().stream()
                .filter(table -> column.drawsFrom().equals(OptionalInt.of(table.id())))
                .findFirst();
    }

    @Override
    public Expression defaultValue(String text, ColumnType type, Position position) {
        return fitting(constant(text, type, position), text, type, position);
    }

    private Expression constant(String text, ColumnType type, Position position) {
        StatementZone.holdsKeptText();
        try {
            String query = "VALUES (CAST((" + text + ") AS " + type + "))";
            QueryParser.Parsed parsed = parser.parse(query, withTypesAndFunctions(Catalog.empty()));
            if (parsed.parameters().isEmpty()) {
                Expression value = StatementPlanner.constant(parsed);
                if (UserFunctions.in(value).isEmpty()) {
                    return value;
                }
                throw SqlErrors.notSupported(OF_USERS);
            }
        } catch (FulmarException e) {
            throw SqlErrors.at(e.code(), position, "DEFAULT " + text + " of " + type + ": " + e.getMessage());
        } catch (IllegalStateException e) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position,
                    "DEFAULT " + text + " reads rows; a default is computed from constants and the transaction's time");
        }
        throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, position, "a default has no parameters; write the value");
    }

    /** A literal that is left to be converted when it is stored is one that cannot be. */
    private static Expression fitting(Expression value, String text, ColumnType type, Position position) {
        if (value instanceof Expression.Call call
                && call.function() == ScalarFunction.CAST
                && call.arguments().getFirst() instanceof Expression.Literal) {
            throw SqlErrors.at(
                    ErrorCode.TYPE_MISMATCH,
                    position,
                    "DEFAULT " + text + " is no " + type + "; write a value of that type");
        }
        return value;
    }

    @Override
    public Expression condition(String table, List<Column> columns, int start, int end) {
        return condition(table, columns, selecting(start, end), start);
    }

    @Override
    public Expression condition(String table, List<Column> columns, String text) {
        return condition(table, columns, "SELECT " + text, 0);
    }

    private Expression condition(String table, List<Column> columns, String select, int start) {
        Expression condition = ofRow(table, columns, select, start, "CHECK");
        if (condition.type().kind() != TypeKind.BOOLEAN) {
            throw SqlErrors.at(
                    ErrorCode.TYPE_MISMATCH,
                    position(start),
                    "a CHECK is a condition, and this is of type " + condition.type());
        }
        return condition;
    }

    @Override
    public Expression value(String table, List<Column> columns, int start, int end) {
        String select = selecting(start, end);
        return ofRow(
                table, columns, select.substring(0, start - 1) + "(" + select.substring(start) + ")", start, "key");
    }

    @Override
    public Expression generated(String table, List<Column> columns, int column, int start, int end) {
        return generated(table, columns, column, selecting(start, end), start);
    }

    @Override
    public Expression generated(String table, List<Column> columns, int column, String text) {
        return generated(table, columns, column, "SELECT " + text, 0);
    }

    private Expression generated(String table, List<Column> columns, int column, String select, int start) {
        Column target = columns.get(column);
        Expression value = ofRow(table, columns, select, start, GENERATED);
        for (int other = 0; other < columns.size(); other++) {
            if (columns.get(other).isGenerated() && new Generation(select, value).reads(other)) {
                throw SqlErrors.at(
                        ErrorCode.INVALID_DEFINITION,
                        position(start),
                        "column " + target.name() + " is generated from "
                                + columns.get(other).name()
                                + ", which is generated itself; write its expression instead");
            }
        }
        if (DdlExpressions.readsClock(value) || Drawing.happensIn(value)) {
            throw SqlErrors.at(
                    ErrorCode.INVALID_DEFINITION,
                    position(start),
                    "the value of " + target.name() + " would not follow from its row alone; use DEFAULT, or compute it"
                            + " in the statement that writes");
        }
        if (!(value instanceof Expression.Literal) && !isAssignable(value.type(), target.type())) {
            throw SqlErrors.at(
                    ErrorCode.TYPE_MISMATCH,
                    position(start),
                    "column " + target.name() + " is " + target.type() + ", and its expression is " + value.type()
                            + "; write a CAST");
        }
        return Conversion.assign(value, target.type());
    }

    @Override
    public boolean isAssignable(ColumnType from, ColumnType to) {
        return to.kind() == from.kind()
                || to.kind().isCharacter()
                || (isNumber(from) && isNumber(to))
                || (isMoment(from) && isMoment(to));
    }

    private static boolean isNumber(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, NUMERIC -> true;
            default -> false;
        };
    }

    private static boolean isMoment(ColumnType type) {
        return switch (type.kind()) {
            case DATE, TIMESTAMP, TIMESTAMP_TZ -> true;
            default -> false;
        };
    }

    /** A query of a part of the statement, which stands there where it stands in the statement. */
    private String selecting(int start, int end) {
        String select = "SELECT";
        return select
                + statement.substring(select.length(), start).replaceAll("[^\n]", " ")
                + statement.substring(start, end);
    }

    private Expression ofRow(String table, List<Column> columns, String select, int start, String what) {
        StatementZone.holdsKeptText();
        Table scratch = new Table(SCRATCH_TABLE, table, columns, OptionalInt.empty(), List.of(), List.of());
        String query = select + "\nFROM " + quoted(table) + " AS " + quoted(SchemaName.local(table));
        Catalog alone = withTypesAndFunctions(Catalog.empty().withTable(scratch));
        QueryParser.Parsed parsed = SessionNames.asWritten(() -> parser.parse(query, alone));
        Expression value =
                StatementPlanner.ofRow(parsed).orElseThrow(() -> refused(start, what, "reads other rows than its own"));
        if (!parsed.parameters().isEmpty()) {
            throw refused(start, what, "has parameters");
        }
        if (!UserFunctions.in(value).isEmpty()) {
            throw refused(start, what, OF_USERS);
        }
        if (RandomNumbers.areIn(value)) {
            throw refused(start, what, "has a random value, so that it would not follow from the row");
        }
        if (DdlExpressions.readsClock(value) && !what.equals(GENERATED)) {
            throw refused(start, what, "reads the clock, so that it would not mean tomorrow what it means today");
        }
        return value;
    }

    @Override
    public Expression formula(String function, List<Column> parameters, int start, int end) {
        return formula(function, parameters, selecting(start, end), start);
    }

    @Override
    public Expression formula(String function, List<Column> parameters, String text) {
        return formula(function, parameters, "SELECT " + text, 0);
    }

    private Expression formula(String function, List<Column> parameters, String select, int start) {
        return ofRow(function, parameters.isEmpty() ? List.of(NO_PARAMETER) : parameters, select, start, "function");
    }

    @Override
    public Map<String, UserFunction> functions() {
        return catalog.functions();
    }

    @Override
    public Expression.Literal valueOf(String text, ColumnType type, Position position) {
        if (type.kind() == TypeKind.VARBINARY) {
            return bytesOf(text, type, position);
        }
        Expression.Literal written = new Expression.Literal(ColumnType.varchar(Math.max(1, text.length())), text);
        if (Conversion.cast(written, type) instanceof Expression.Literal value) {
            return value;
        }
        throw SqlErrors.at(ErrorCode.INVALID_TEXT, position, "'" + text + "' is no " + type);
    }

    /** Bytes are written as {@code \x} and pairs of hexadecimal digits. */
    private static Expression.Literal bytesOf(String text, ColumnType type, Position position) {
        boolean isHexadecimal = text.matches("\\\\x(?:[0-9a-fA-F]{2})*") && text.length() / 2 - 1 <= type.precision();
        if (!isHexadecimal) {
            throw SqlErrors.at(
                    ErrorCode.INVALID_TEXT, position, "'" + text + "' is no " + type + "; write bytes as '\\x0a1b'");
        }
        return new Expression.Literal(type, HexFormat.of().parseHex(text.substring(2)));
    }

    @Override
    public boolean isBuiltIn(String function) {
        return DialectFunctions.areBuiltIn(function);
    }

    /** Names are known then, though what stays in the catalog calls none of them. */
    private Catalog withTypesAndFunctions(Catalog scratch) {
        Catalog all = scratch;
        for (UserFunction function : catalog.functions().values()) {
            all = all.withFunction(function);
        }
        for (Enumeration enumeration : catalog.enumerations().values()) {
            all = all.withEnumeration(enumeration);
        }
        return all;
    }

    @Override
    public View view(String name, List<String> columns, int start) {
        StatementZone.holdsKeptText();
        String text = TemporaryMark.removed(statement.substring(start)); // which is no part of a view that others see
        String before = statement.substring(0, start).replaceAll("[^\n]", " ");
        QueryParser.Parsed read = parser.parse(before + text, catalog);
        String kept = parser.withSchemas(text, catalog);
        QueryParser.Parsed parsed = kept.equals(text) ? read : parser.parse(before + kept, catalog);
        if (parsed.root().rel instanceof TableModify
                || text.toUpperCase(Locale.ROOT).contains(SchemaName.INFORMATION)
                || text.toUpperCase(Locale.ROOT).contains(SchemaName.POSTGRES_CATALOG)) {
            throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, position(start), "a view is a query of tables and views");
        }
        if (!parsed.parameters().isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED, position(start), "a view has no parameters; make a procedure of it");
        }
        if (parsed.uses().stream().anyMatch(SchemaName::isInTemporary)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position(start),
                    "views of temporary tables are not supported; name the tables in the queries");
        }
        if (!columns.isEmpty() && columns.size() != parsed.columns().size()) {
            throw SqlErrors.syntax(
                    position(start),
                    "the query has " + parsed.columns().size()
                            + (parsed.columns().size() == 1 ? " column" : " columns") + ", and view " + name + " names "
                            + columns.size());
        }
        List<ResultColumn> named = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        StatementPlan plan = StatementPlanner.plan(kept, parsed, ConflictAction.FAIL, nested -> {
            throw Invariants.breach("a query has no steps");
        });
        if (RandomNumbers.areIn(plan)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position(start),
                    "a view has no random values; draw them where it is queried");
        }
        for (ResultColumn column : plan.columns()) {
            String own = names.contains(column.name())
                    ? parsed.root().validatedRowType.getFieldNames().get(named.size())
                    : column.name(); // views of earlier builds have such names for columns of a star
            String given = columns.isEmpty() ? own : columns.get(named.size());
            if (!names.add(given)) {
                throw SqlErrors.syntax(
                        position(start),
                        "view " + name + " has two columns " + given
                                + "; name its columns: CREATE VIEW v (a, b) AS ...");
            }
            named.add(new ResultColumn(given, column.type(), column.nullable()));
        }
        return new View(name, named, kept, parsed.uses());
    }

    @Override
    public Materialized aggregation(String name, List<String> columns, int start) {
        View view = view(name, columns, start);
        List<Table> sources = new ArrayList<>();
        Catalog bare = Catalog.empty().withSchemas(catalog.schemas());
        for (String used : new TreeSet<>(view.uses())) { // in one order, however the join is written and planned
            Table source = catalog.tables().get(used);
            if (source == null || source.isSequence() || source.isAggregation() || sources.size() == MOST_SOURCES) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        position(start),
                        "a materialized view is of one table, or of two that are joined; it reads "
                                + String.join(", ", new TreeSet<>(view.uses())));
            }
            bare = bare.withTable(new Table(
                    SCRATCH_TABLE + sources.size(),
                    source.name(),
                    source.columns(),
                    OptionalInt.empty(),
                    List.of(),
                    List.of()));
            sources.add(source);
        }
        if (sources.isEmpty()) {
            throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, position(start), "a materialized view reads a table");
        }
        QueryParser.Parsed parsed = parser.parse(
                statement.substring(0, start).replaceAll("[^\n]", " ") + view.text(), withTypesAndFunctions(bare));
        StatementPlan plan = StatementPlanner.plan(view.text(), parsed, ConflictAction.FAIL, nested -> {
            throw Invariants.breach("a query has no steps");
        });
        if (!UserFunctions.in(plan).isEmpty()) {
            throw SqlErrors.at(ErrorCode.NOT_SUPPORTED, position(start), "a materialized view " + OF_USERS);
        }
        Aggregation aggregation = AggregationPlanner.of(view.text(), sources, SCRATCH_TABLE, view.columns(), plan);
        boolean readsClock = Stream.concat(
                        aggregation.condition().stream(),
                        aggregation.measures().stream().flatMap(each -> each.argument().stream()))
                .anyMatch(DdlExpressions::readsClock);
        if (readsClock) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    position(start),
                    "a materialized view does not read the clock, for it would change when no row does");
        }
        return new Materialized(sources, aggregation);
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    private FulmarException refused(int start, String what, String why) {
        return SqlErrors.at(
                ErrorCode.NOT_SUPPORTED,
                position(start),
                "this " + what + " " + why + "; compute that in the procedure that writes");
    }

    private Position position(int offset) {
        int line = 1;
        int begin = 0;
        for (int i = 0; i < offset; i++) {
            if (statement.charAt(i) == '\n') {
                line++;
                begin = i + 1;
            }
        }
        return new Position(line, offset - begin + 1);
    }
}
