package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.CatalogChange.Unique;
import dev.fulmar.engine.catalog.CatalogChange.Validity;
import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.KeyName;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Parses what follows ALTER TABLE. */
final class AlterTableParser {
    private final TokenReader reader;
    private final DdlExpressions expressions;
    private final ConstraintNames names;

    AlterTableParser(TokenReader reader, DdlExpressions expressions, ConstraintNames names) {
        this.reader = reader;
        this.expressions = expressions;
        this.names = names;
    }

    AlterTable parse() {
        Presence presence = ifExists();
        Token first = reader.peek();
        String name = reader.objectName("a table name");
        Optional<Table> table = expressions.table(name);
        if (reader.peek().isWord("OWNER") && expressions.isThere(name)) { // of a view, too
            SilentAlterations.accept(reader);
            reader.expectEnd();
            return nothing(name);
        }
        if (table.isEmpty()) {
            if (presence == Presence.LENIENT) {
                return nothing(name);
            }
            throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, first.position(), expressions.noTable(name));
        }
        return parse(name, presence);
    }

    /** Parses what follows the name of a table that is there, or of a sequence. */
    AlterTable parse(String name, Presence presence) {
        Optional<Table> table = expressions.table(name);
        TableAlteration alteration = alteration(table.orElseThrow());
        reader.expectEnd();
        return new AlterTable(name, presence, table, alteration);
    }

    static AlterTable nothing(String name) {
        return new AlterTable(name, Presence.LENIENT, Optional.empty(), new TableAlteration.Nothing());
    }

    private Presence ifExists() {
        return reader.accept("IF", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
    }

    private TableAlteration alteration(Table table) {
        if (reader.accept("ADD", "USING", "TTL") || reader.accept("ALTER", "USING", "TTL")) {
            return new TableAlteration.SetExpiry(Optional.of(ExpiryParser.parse(reader)));
        }
        if (table.columnIndex("TTL") < 0 && reader.accept("DROP", "TTL")) {
            return new TableAlteration.SetExpiry(Optional.empty());
        }
        if (reader.accept("ADD")) {
            return add(table);
        }
        if (reader.accept("VALIDATE", "CONSTRAINT")) {
            return validated(table);
        }
        if (reader.accept("DROP", "CONSTRAINT")) {
            Presence presence = ifExists();
            return new TableAlteration.DropConstraint(constraintName(table), presence);
        }
        if (reader.accept("DROP")) {
            reader.accept("COLUMN");
            Presence presence = ifExists();
            String name = reader.name("a column name");
            boolean cascade = reader.accept("CASCADE");
            if (!cascade) {
                reader.accept("RESTRICT");
            }
            return new TableAlteration.DropColumn(name, presence, cascade);
        }
        if (reader.accept("RENAME", "TO")) {
            return renameTable(table);
        }
        if (reader.accept("RENAME")) {
            reader.accept("COLUMN");
            return renameColumn(table);
        }
        if (reader.accept("ALTER")) {
            reader.accept("COLUMN");
            return changeColumn(table);
        }
        if (SilentAlterations.accept(reader)) {
            return new TableAlteration.Nothing();
        }
        if (reader.accept("REPLICATED")) {
            return new TableAlteration.Repartition(new TablePartitioning.Replicated(), repartitioningStage());
        }
        if (reader.accept("PARTITIONED")) {
            return new TableAlteration.Repartition(
                    new TablePartitioning.ByKey(), new TableAlteration.RepartitioningStage.All());
        }
        if (reader.accept("PARTITION")) {
            reader.expect("ON");
            reader.accept("COLUMN");
            String column = table.columns().get(column(table)).name();
            return new TableAlteration.Repartition(new TablePartitioning.OnColumn(column), repartitioningStage());
        }
        throw reader.unexpected(
                "ADD, DROP, RENAME, VALIDATE CONSTRAINT, ALTER COLUMN, PARTITION ON COLUMN, PARTITIONED or REPLICATED");
    }

    /** {@code INTO} and {@code FROM} are for the texts that the log keeps. */
    private TableAlteration.RepartitioningStage repartitioningStage() {
        if (reader.accept("INTO")) {
            return new TableAlteration.RepartitioningStage.Begin(reader.name("the name of the successor"));
        }
        if (reader.accept("FROM")) {
            return new TableAlteration.RepartitioningStage.End(reader.name("the name of the successor"));
        }
        return new TableAlteration.RepartitioningStage.All();
    }

    private TableAlteration add(Table table) {
        Token first = reader.peek();
        Token second = reader.peek(1);
        boolean isConstraint = first.isWord("CONSTRAINT")
                || ((first.isWord("CHECK") || first.isWord("UNIQUE")) && second.isSymbol("("))
                || ((first.isWord("PRIMARY") || first.isWord("FOREIGN")) && second.isWord("KEY"));
        if (isConstraint) {
            return addConstraint(table);
        }
        reader.accept("COLUMN");
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        return new TableParser(reader, expressions, names).addedColumn(table, presence);
    }

    private TableAlteration addConstraint(Table table) {
        Optional<Token> name =
                reader.accept("CONSTRAINT") ? Optional.of(reader.nameToken("a constraint name")) : Optional.empty();
        Token first = reader.peek();
        TableAlteration added;
        List<Check> checks = new ArrayList<>();
        if (reader.accept("CHECK")) {
            String made =
                    name.map(Token::name).orElseGet(() -> CheckParser.freeName(table.name(), CheckParser.names(table)));
            Check check = CheckParser.parse(reader, made).over(table.name(), table.columns(), expressions);
            reader.accept("NO", "INHERIT"); // no table has heirs
            checks.add(check);
            names.check(name, first);
            added = new TableAlteration.AddCheck(check);
        } else if (reader.accept("UNIQUE")) {
            List<String> key = ColumnList.parse(reader);
            String made = name.map(given -> IndexParser.nameOn(table.name(), given.name()))
                    .orElseGet(() -> ColumnList.uniqueName(table.name(), key));
            names.unique(name, first, key);
            added = new TableAlteration.AddUnique(new Unique(made, key), validity());
        } else if (reader.accept("FOREIGN", "KEY")) {
            List<String> key = ColumnList.parse(reader);
            reader.expect("REFERENCES");
            ForeignKey reference = ForeignKeyParser.parse(reader, table.name(), name.map(Token::name), key);
            names.foreignKey(name, first, key);
            added = new TableAlteration.AddForeignKey(reference, validity());
        } else if (reader.accept("PRIMARY", "KEY")) {
            added = primaryKey(name, first);
        } else {
            throw reader.unexpected("CHECK, UNIQUE, PRIMARY KEY or FOREIGN KEY");
        }
        names.end(table.name(), Optional.of(table), table.columns(), checks, expressions);
        return added;
    }

    private TableAlteration primaryKey(Optional<Token> name, Token first) {
        Token last = reader.last();
        KeyName keyName = TableParser.keyName(reader, name);
        Optional<IndexKind> before = IndexParser.usingClause(reader);
        List<String> key = ColumnList.parse(reader);
        Optional<IndexKind> kind = IndexParser.usingClause(reader).or(() -> before);
        names.primaryKey(name, first, last, keyName, key);
        return new TableAlteration.AddPrimaryKey(keyName, key, kind, validity(), reader.accept("PARTITIONED"));
    }

    /** {@code NOT VALID}, or nothing. */
    private Validity validity() {
        return reader.accept("NOT", "VALID") ? Validity.LATER : Validity.NOW;
    }

    /** Reads on behind VALIDATE CONSTRAINT. {@code SINCE} is for the text that the log keeps. */
    private TableAlteration validated(Table table) {
        String name = constraintName(table);
        OptionalLong since = reader.accept("SINCE")
                ? OptionalLong.of(reader.longInteger("the version of the catalog", 1, Long.MAX_VALUE))
                : OptionalLong.empty();
        return new TableAlteration.ValidateConstraint(name, since);
    }

    /** Names of a temporary table's keys, and those that are made up, have its schema before them. */
    private String constraintName(Table table) {
        Token first = reader.peek();
        String given = reader.newName("a constraint name");
        if (reader.last().equals(first)) {
            names.existing(first, table);
        }
        String qualified = IndexParser.nameOn(table.name(), given);
        boolean isPlain = table.checks().stream().anyMatch(check -> check.name().equals(given))
                || table.foreignKeys().stream().anyMatch(key -> key.name().equals(given));
        return isPlain ? given : qualified;
    }

    private int column(Table table) {
        Token token = reader.peek();
        String name = reader.name("a column name");
        int place = table.columnIndex(name);
        if (place < 0) {
            throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, token.position(), table.noColumn(name));
        }
        return place;
    }

    private TableAlteration renameTable(Table table) {
        boolean isQualified = reader.isQualified(1);
        String given = reader.newName("a table name");
        String name = isQualified ? given : SchemaName.qualified(SchemaName.of(table.name()), given);
        return new TableAlteration.RenameTable(
                name,
                RewrittenChecks.ofRenamedTable(table, name, expressions),
                GenerationParser.ofRenamedTable(table, name, expressions));
    }

    private TableAlteration renameColumn(Table table) {
        int place = column(table);
        Column column = table.columns().get(place);
        reader.expect("TO");
        Column renamed = column.withName(reader.name("a column name"));
        List<Column> columns = columns(table, place, renamed);
        return new TableAlteration.ChangeColumn(
                column.name(),
                renamed,
                RewrittenChecks.ofRenamedColumn(table, place, columns, expressions),
                GenerationParser.changed(table, place, columns, true, expressions));
    }

    private static List<Column> columns(Table table, int place, Column changed) {
        List<Column> columns = new ArrayList<>(table.columns());
        columns.set(place, changed);
        return columns;
    }

    private TableAlteration retyped(Table table, int place, Column typed) {
        if (reader.peek().isWord("USING")) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "a column's type changes without USING; add a column, UPDATE it, and drop this one");
        }
        return new TableAlteration.ChangeColumn(
                typed.name(),
                typed,
                RewrittenChecks.ofRetypedColumn(table, place, columns(table, place, typed), expressions),
                Map.of());
    }

    private TableAlteration changeColumn(Table table) {
        int place = column(table);
        Column column = table.columns().get(place);
        Token first = reader.peek();
        Optional<TableAlteration> identity = ofIdentity(table, column);
        if (identity.isPresent()) {
            return identity.get();
        }
        if (reader.accept("DROP", "EXPRESSION")) {
            boolean isLenient = ifExists() == Presence.LENIENT;
            if (!column.isGenerated() && !isLenient) {
                throw SqlErrors.at(
                        ErrorCode.INVALID_DEFINITION,
                        first.position(),
                        "column " + column.name() + " of " + table.name() + " is not generated");
            }
            return changed(table, column, column.withGeneration(null));
        }
        boolean isOfDefault = reader.peek(1).isWord("DEFAULT") && (first.isWord("SET") || first.isWord("DROP"));
        if (column.isGenerated() && isOfDefault) {
            throw SqlErrors.syntax(
                    first.position(),
                    "column " + column.name() + " of " + table.name()
                            + " is generated and has no default; DROP EXPRESSION makes a plain column of it");
        }
        if (reader.accept("SET", "DEFAULT")) {
            DefaultParser.Default value = DefaultParser.parse(reader, column.type(), expressions);
            return changed(table, column, column.withDefault(value.value(), value.text()));
        }
        if (reader.accept("DROP", "DEFAULT")) {
            return changed(table, column, column.withDefault(null, null));
        }
        if (reader.accept("SET", "NOT", "NULL")) {
            return changed(table, column, column.withNullable(false));
        }
        if (reader.accept("DROP", "NOT", "NULL") || reader.accept("SET", "NULL")) {
            return nullable(table, place, column.withNullable(true));
        }
        if (reader.accept("SET", "DATA", "TYPE") || reader.accept("TYPE")) {
            return retyped(table, place, typed(table, place, TypeParser.parse(reader), first.position()));
        }
        if (SilentAlterations.acceptOfColumn(reader)) {
            return new TableAlteration.Nothing();
        }
        throw reader.unexpected(
                "SET DEFAULT, DROP DEFAULT, DROP EXPRESSION, SET NOT NULL, DROP NOT NULL or SET DATA TYPE");
    }

    private Optional<TableAlteration> ofIdentity(Table table, Column column) {
        return reader.peek().isWord("ADD") && reader.peek(1).isWord("GENERATED")
                ? Optional.of(identity(column))
                : IdentityParser.parse(reader, table, column, expressions);
    }

    private TableAlteration identity(Column column) {
        Token first = reader.take();
        SequenceParser.Option option =
                new SequenceParser(reader, expressions).identity().orElseThrow();
        TypeKind kind = column.type().kind();
        TableParser.checkIdentity(kind, option.rule(), first, column.type());
        if (!option.rule().isDense()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "rows exist, perhaps with numbers, so all partitions have to draw together; say (CACHE n) behind"
                            + " IDENTITY");
        }
        return new TableAlteration.AddIdentity(column.name(), option.rule(), option.always());
    }

    private static TableAlteration changed(Table table, Column column, Column changed) {
        return new TableAlteration.ChangeColumn(column.name(), changed, table.checks(), Map.of());
    }

    /** A planned expression may rest on a column that was never null. */
    private TableAlteration nullable(Table table, int place, Column changed) {
        List<Column> columns = columns(table, place, changed);
        RewrittenChecks.checkIndexes(table, columns, expressions);
        return new TableAlteration.ChangeColumn(
                changed.name(),
                changed,
                RewrittenChecks.ofNullableColumn(table, columns, expressions),
                GenerationParser.changed(table, place, columns, false, expressions));
    }

    private Column typed(Table table, int place, ColumnType type, Position position) {
        Column column = table.columns().get(place);
        String text = column.defaultText();
        for (Column other : table.columns()) {
            Generation generation = other.generation();
            if (generation != null && generation.reads(place) && !type.equals(column.type())) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        position,
                        "column " + other.name() + " of " + table.name() + " is computed from " + column.name()
                                + "; drop that one first, and add it again");
            }
        }
        Generation own = column.generation();
        if (own != null) {
            GenerationParser.checkMeaning(table, place, expressions);
            Column typed = new Column(column.name(), type, column.nullable(), null, null, own);
            return typed.withGeneration(new Generation(
                    own.text(), expressions.generated(table.name(), columns(table, place, typed), place, own.text())));
        }
        if (column.drawsFrom().isPresent()) {
            return new Column(column.name(), type, column.nullable(), column.defaultValue(), text);
        }
        return new Column(
                column.name(),
                type,
                column.nullable(),
                text == null ? null : expressions.defaultValue(text, type, position),
                text);
    }
}
