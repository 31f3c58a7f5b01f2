package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.engine.plan.RandomNumbers;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementLimits;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Parses what follows CREATE TABLE. */
final class TableParser {
    private static final int MAX_COLUMNS = StatementLimits.DEFAULT.tableColumns();

    private final TokenReader reader;
    private final DdlExpressions expressions;
    private final ConstraintNames names;
    private final GenerationParser generations;
    private final List<Column> columns = new ArrayList<>();
    private final List<CatalogChange.Unique> uniques = new ArrayList<>();
    private final List<CheckParser.Written> checks = new ArrayList<>();
    private final List<ForeignKey> foreignKeys = new ArrayList<>();
    private final List<CatalogChange.Identity> identities = new ArrayList<>();
    private final Set<String> constraintNames = new TreeSet<>();
    private List<String> primaryKey = List.of();
    private KeyName keyName = new KeyName.Unsaid();
    private Optional<IndexKind> primaryKeyKind = Optional.empty();
    private String table = "";

    TableParser(TokenReader reader, DdlExpressions expressions, ConstraintNames names) {
        this.reader = reader;
        this.expressions = expressions;
        this.names = names;
        generations = new GenerationParser(reader, expressions);
    }

    CatalogChange.CreateTable parse() {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        table = reader.createdName("a table name");
        refuseLikeness(0);
        reader.expectSymbol("(");
        refuseLikeness(1);
        do {
            element();
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        Optional<Expiry> expiry =
                reader.accept("USING", "TTL") ? Optional.of(ExpiryParser.parse(reader)) : Optional.empty();
        TablePartitioning partitioning = partitioning();
        reader.expectEnd();
        checkKeyColumns();
        List<Column> all = generations.over(table, keyColumnsNotNull());
        List<Check> conditions = conditions(all);
        names.end(table, Optional.empty(), all, conditions, expressions);
        return new CatalogChange.CreateTable(
                table,
                all,
                primaryKey,
                keyName,
                primaryKeyKind,
                uniques,
                conditions,
                foreignKeys,
                identities,
                expiry,
                partitioning,
                presence);
    }

    private List<Check> conditions(List<Column> all) {
        return checks.stream().map(check -> check.over(table, all, expressions)).toList();
    }

    private TablePartitioning partitioning() {
        if (reader.accept("REPLICATED")) {
            return new TablePartitioning.Replicated();
        }
        if (reader.accept("PARTITION", "ON", "ROW")) {
            return new TablePartitioning.OnRow();
        }
        if (reader.accept("PARTITION")) {
            reader.expect("ON", "COLUMN");
            return new TablePartitioning.OnColumn(reader.name("a column name"));
        }
        return reader.accept("PARTITIONED") ? new TablePartitioning.ByKey() : new TablePartitioning.Unsaid();
    }

    /** Other databases make a table like another one so; a column may be called LIKE. */
    private void refuseLikeness(int open) {
        Token end = reader.peek(2);
        boolean isOtherTable = open == 0
                || end.isSymbol(")")
                || end.isSymbol(".")
                || end.isWord("INCLUDING")
                || end.isWord("EXCLUDING");
        if (reader.peek().isWord("LIKE") && isOtherTable && !TypeParser.isType(reader.peek(1))) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "there is no CREATE TABLE ... LIKE; CREATE TABLE " + table + " AS SELECT * FROM "
                            + reader.peek(1).text() + " WHERE 1 = 0 makes one with the same columns");
        }
    }

    /** Parses the rest of ADD COLUMN. */
    TableAlteration addedColumn(Table altered, Presence presence) {
        table = altered.name();
        constraintNames.addAll(CheckParser.names(altered));
        Token first = reader.peek();
        column();
        Column column = columns.getFirst();
        if (!primaryKey.isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "a column of the primary key cannot be added; create a table with it, and INSERT ... SELECT");
        }
        if (!identities.isEmpty() || column.drawsFrom().isPresent()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "a column that draws numbers cannot be added, for the rows that exist have no numbers; create a table with it, and"
                            + " INSERT ... SELECT");
        }
        if (altered.visibleColumns().size() == MAX_COLUMNS) {
            throw SqlErrors.tooComplex(
                    first.position() + ": a table has at most " + MAX_COLUMNS + " columns; use several tables");
        }
        if (column.defaultValue() != null && RandomNumbers.areIn(column.defaultValue())) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "the default of " + column.name()
                            + " depends on chance, and rows exist already; add the column"
                            + " without it, UPDATE, and ALTER COLUMN SET DEFAULT");
        }
        TableAlteration.DefaultTime time = defaultTime(column);
        List<Column> known = new ArrayList<>(altered.visibleColumns());
        known.add(column);
        List<Column> all = generations.over(table, known);
        List<Check> conditions = conditions(all);
        names.end(table, Optional.of(altered), all, conditions, expressions);
        return new TableAlteration.AddColumn(all.getLast(), conditions, uniques, foreignKeys, presence, time);
    }

    /** The time of the default of a new column; {@code AS OF} is for the texts that the log keeps. */
    private TableAlteration.DefaultTime defaultTime(Column column) {
        if (column.defaultValue() == null || !DdlExpressions.readsClock(column.defaultValue())) {
            return new TableAlteration.DefaultTime.Any();
        }
        return reader.accept("AS", "OF")
                ? new TableAlteration.DefaultTime.At(reader.longInteger("microseconds", 0, Long.MAX_VALUE))
                : new TableAlteration.DefaultTime.Unsaid();
    }

    private void element() {
        Token first = reader.peek();
        if (reader.accept("CONSTRAINT")) {
            constraint(Optional.of(reader.nameToken("a constraint name")));
        } else if ((first.isWord("PRIMARY") && reader.peek(1).isWord("KEY"))
                || (first.isWord("UNIQUE") && reader.peek(1).isSymbol("("))
                || (first.isWord("CHECK") && reader.peek(1).isSymbol("("))
                || (first.isWord("FOREIGN") && reader.peek(1).isWord("KEY"))) {
            constraint(Optional.empty());
        } else {
            column();
        }
    }

    private void constraint(Optional<Token> name) {
        Token first = reader.peek();
        if (reader.accept("PRIMARY", "KEY")) {
            Token last = reader.last();
            keyName = keyName(reader, name);
            setPrimaryKey(first, ColumnList.parse(reader));
            names.primaryKey(name, first, last, keyName, primaryKey);
            primaryKeyKind = indexKind();
        } else if (reader.accept("UNIQUE")) {
            addUnique(name, first, ColumnList.parse(reader));
        } else if (reader.accept("CHECK")) {
            addCheck(name, first);
        } else if (reader.accept("FOREIGN", "KEY")) {
            List<String> key = ColumnList.parse(reader);
            reader.expect("REFERENCES");
            addForeignKey(name, first, key);
        } else {
            throw reader.unexpected("PRIMARY KEY, UNIQUE, CHECK or FOREIGN KEY");
        }
    }

    /** Reads on behind PRIMARY KEY. NAMED is for the texts that the log keeps. */
    static KeyName keyName(TokenReader reader, Optional<Token> name) {
        if (reader.accept(ConstraintNames.NAMED)) {
            return new KeyName.Given(
                    name.orElseThrow(() -> reader.unexpected("CONSTRAINT with a name before PRIMARY KEY"))
                            .name());
        }
        return name.<KeyName>map(token -> new KeyName.Written(token.name())).orElseGet(KeyName.Unsaid::new);
    }

    /** A condition without a name is called after its table, and numbered. */
    private void addCheck(Optional<Token> name, Token first) {
        String given = name.map(Token::name).orElseGet(() -> CheckParser.freeName(table, constraintNames));
        constraintNames.add(given);
        checks.add(CheckParser.parse(reader, given));
        names.check(name, first);
        reader.accept("NO", "INHERIT"); // no table has heirs
    }

    private void addForeignKey(Optional<Token> name, Token first, List<String> key) {
        foreignKeys.add(ForeignKeyParser.parse(reader, table, name.map(Token::name), key));
        names.foreignKey(name, first, key);
    }

    private void setPrimaryKey(Token where, List<String> key) {
        if (!primaryKey.isEmpty()) {
            throw SqlErrors.syntax(
                    where.position(), "table " + table + " has two primary keys; list all columns in one");
        }
        primaryKey = key;
    }

    private void addUnique(Optional<Token> name, Token first, List<String> uniqueColumns) {
        String made = ColumnList.uniqueName(table, uniqueColumns);
        uniques.add(new CatalogChange.Unique(
                name.map(given -> IndexParser.nameOn(table, given.name())).orElse(made), uniqueColumns));
        names.unique(name, first, uniqueColumns);
    }

    /** The index kind that USING asks for, if any. */
    private Optional<IndexKind> indexKind() {
        return IndexParser.usingClause(reader);
    }

    private void column() {
        Token first = reader.peek();
        String name = reader.name("a column name");
        if (columns.stream().anyMatch(column -> column.name().equals(name))) {
            throw SqlErrors.syntax(first.position(), "column " + name + " is defined twice");
        }
        if (columns.size() == MAX_COLUMNS) {
            throw SqlErrors.tooComplex(
                    first.position() + ": a table has at most " + MAX_COLUMNS + " columns; use several tables");
        }
        ColumnType type = TypeParser.parse(reader);
        boolean nullable = true;
        DefaultParser.Default defaultValue = DefaultParser.Default.NONE;
        Optional<Generation> generation = Optional.empty();
        while (!isColumnEnd()) {
            Token option = reader.peek();
            boolean hasOther = defaultValue.value() != null || isIdentity(name);
            Optional<Generation> computed = generations.parse(name, hasOther);
            Optional<SequenceParser.Option> identity =
                    computed.isPresent() ? Optional.empty() : new SequenceParser(reader, expressions).identity();
            if (computed.isPresent()) {
                generation = computed;
            } else if (identity.isPresent()) {
                addIdentity(option, name, type, identity.get());
                nullable = false;
            } else if (reader.accept("NOT", "NULL")) {
                nullable = false;
            } else if (reader.accept("NULL")) {
                nullable = true;
            } else if (reader.accept("CONSTRAINT")) {
                columnConstraint(name, Optional.of(reader.nameToken("a constraint name")));
            } else if (reader.accept("DEFAULT")) {
                defaultValue = DefaultParser.parse(reader, type, expressions);
            } else if (isColumnConstraint(option)) {
                columnConstraint(name, Optional.empty());
            } else {
                throw reader.unexpected(
                        "NOT NULL, DEFAULT, IDENTITY, GENERATED, PRIMARY KEY, UNIQUE, CHECK, ',' or ')'");
            }
        }
        if (generation.isPresent() && (defaultValue.value() != null || isIdentity(name))) {
            throw SqlErrors.syntax(
                    first.position(), "column " + name + " has one of DEFAULT, IDENTITY and an expression");
        }
        columns.add(
                new Column(name, type, nullable, defaultValue.value(), defaultValue.text(), generation.orElse(null)));
    }

    private boolean isColumnEnd() {
        Token next = reader.peek();
        return next.isSymbol(",") || next.isSymbol(")") || DefaultParser.isTime(reader) || reader.isAtEnd();
    }

    private boolean isIdentity(String column) {
        return identities.stream().anyMatch(identity -> identity.column().equals(column));
    }

    private void addIdentity(Token where, String column, ColumnType type, SequenceParser.Option identity) {
        checkIdentity(type.kind(), identity.rule(), where, type);
        identities.add(new CatalogChange.Identity(column, identity.rule(), identity.always()));
    }

    /** Ranges of partitions would be longer than all numbers of a SMALLINT. */
    static void checkIdentity(TypeKind kind, SequenceRule rule, Token where, ColumnType type) {
        boolean isShort = kind == TypeKind.SMALLINT && rule.isDense();
        if (kind != TypeKind.INTEGER && kind != TypeKind.BIGINT && !isShort) {
            throw SqlErrors.at(
                    kind == TypeKind.SMALLINT ? ErrorCode.TYPE_MISMATCH : ErrorCode.INVALID_ARGUMENT,
                    where.position(),
                    "an IDENTITY column is INTEGER or BIGINT, or SMALLINT with (CACHE n), not " + type);
        }
    }

    private static boolean isColumnConstraint(Token token) {
        return token.isWord("PRIMARY") || token.isWord("UNIQUE") || token.isWord("CHECK") || token.isWord("REFERENCES");
    }

    private void columnConstraint(String column, Optional<Token> name) {
        Token first = reader.peek();
        if (reader.accept("PRIMARY", "KEY")) {
            Token last = reader.last();
            keyName = keyName(reader, name);
            setPrimaryKey(first, List.of(column));
            names.primaryKey(name, first, last, keyName, primaryKey);
            primaryKeyKind = indexKind();
        } else if (reader.accept("UNIQUE")) {
            addUnique(name, first, List.of(column));
        } else if (reader.accept("CHECK")) {
            addCheck(name, first);
        } else if (reader.accept("REFERENCES")) {
            addForeignKey(name, first, List.of(column));
        } else {
            throw reader.unexpected("PRIMARY KEY, UNIQUE, CHECK or REFERENCES");
        }
    }

    private void checkKeyColumns() {
        List<List<String>> keys = new ArrayList<>(List.of(primaryKey));
        uniques.forEach(unique -> keys.add(unique.columns()));
        for (List<String> key : keys) {
            for (String name : key) {
                if (columns.stream().noneMatch(column -> column.name().equals(name))) {
                    throw SqlErrors.at(
                            ErrorCode.UNKNOWN_OBJECT,
                            reader.peek().position(),
                            "a key of table " + table + " names " + name + ", which is none of its columns");
                }
            }
        }
    }

    private List<Column> keyColumnsNotNull() {
        return columns.stream()
                .map(column -> primaryKey.contains(column.name()) ? column.withNullable(false) : column)
                .toList();
    }
}
