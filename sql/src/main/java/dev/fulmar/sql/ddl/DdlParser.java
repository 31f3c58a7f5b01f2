package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SessionNames;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.List;
import java.util.Optional;

/** Parses DDL, by recursive descent over tokens. */
public final class DdlParser {
    private final TokenReader reader;
    private final DdlExpressions expressions;
    private final ConstraintNames names;

    private DdlParser(TokenReader reader, DdlExpressions expressions, ConstraintNames names) {
        this.reader = reader;
        this.expressions = expressions;
        this.names = names;
    }

    /** The change that the statement asks for; empty where it is not DDL. */
    public static Optional<CatalogChange> parse(String sql, List<Token> tokens, DdlExpressions expressions) {
        return parse(sql, tokens, expressions, ConstraintNames.unsought());
    }

    /** The same, after which {@code names} knows the statement's constraints. */
    public static Optional<CatalogChange> parse(
            String sql, List<Token> tokens, DdlExpressions expressions, ConstraintNames names) {
        return new DdlParser(
                        new TokenReader(sql, tokens, expressions.schemas(), expressions.enumerations()),
                        expressions,
                        names)
                .parse();
    }

    private Optional<CatalogChange> parse() {
        if (AccessParser.begins(reader)) {
            return Optional.of(new CatalogChange.ChangeAccess(new AccessParser(reader).parse()));
        }
        if (reader.accept("CREATE")) {
            return Optional.of(create());
        }
        if (reader.accept("DROP")) {
            return Optional.of(drop());
        }
        if (reader.accept("PARTITION")) {
            return Optional.of(partition());
        }
        if (reader.accept("COMMENT", "ON")) {
            return Optional.of(CommentParser.parse(reader));
        }
        Token first = reader.peek();
        if (reader.accept("ALTER")) {
            return Optional.of(alter(first));
        }
        if (reader.peek().isWord("SELECT")
                && reader.peek(1).isWord("SETVAL")
                && reader.peek(2).isSymbol("(")) {
            return Optional.of(new SequenceParser(reader, expressions).parseSetval());
        }
        return Optional.empty();
    }

    private CatalogChange alter(Token first) {
        if (reader.accept("PROCEDURE")) {
            return alterProcedure();
        }
        if (reader.accept("TABLE")) {
            return new AlterTableParser(reader, expressions, names).parse();
        }
        if (reader.accept("INDEX")) {
            Presence presence = ifExists();
            String name = reader.objectName("an index name");
            if (isAbsent(name, presence) || isOfOwner(name)) {
                return AlterTableParser.nothing(name);
            }
            reader.expect("RENAME", "TO");
            Token written = reader.peek();
            String given = reader.newName("an index name");
            names.index(written, given, name);
            String newName = IndexParser.nameOn(name, given);
            reader.expectEnd();
            return new CatalogChange.RenameIndex(name, newName);
        }
        if (reader.accept("SEQUENCE")) {
            Presence presence = ifExists();
            String name = reader.objectName("a sequence name");
            if (reader.peek().isWord("RENAME")
                    && expressions.table(name).filter(Table::isSequence).isPresent()) {
                return new AlterTableParser(reader, expressions, names).parse(name, presence);
            }
            return isAbsent(name, presence) || isOfOwner(name)
                    ? AlterTableParser.nothing(name)
                    : new SequenceParser(reader, expressions)
                            .parseAlter(name, expressions.sequence(name).orElse(null));
        }
        if (reader.accept("TYPE")) {
            return new EnumerationParser(reader).alter();
        }
        if (reader.accept("VIEW") || reader.accept("MATERIALIZED", "VIEW")) {
            Presence presence = ifExists();
            String name = reader.objectName("a view name");
            if (!isAbsent(name, presence) && !isOfOwner(name)) {
                throw reader.unexpected("OWNER TO; a view is changed by DROP and CREATE");
            }
            return AlterTableParser.nothing(name);
        }
        if (reader.accept("SCHEMA")) {
            String name = reader.name("a schema name");
            reader.expect("OWNER", "TO");
            reader.name("a role's name");
            reader.expectEnd();
            return AlterTableParser.nothing(name);
        }
        throw SqlErrors.at(
                ErrorCode.NOT_SUPPORTED, first.position(), first.text() + " is not supported; DROP and CREATE");
    }

    /** Takes the rest of a statement about an object that need not be there, and is not. */
    private boolean isAbsent(String name, Presence presence) {
        boolean isAbsent = presence == Presence.LENIENT && !expressions.isThere(name);
        if (isAbsent) {
            reader.takeRest();
        }
        return isAbsent;
    }

    /** Takes the rest of a statement that says by whom an object is owned; other rests are for others. */
    private boolean isOfOwner(String name) {
        Token first = reader.peek();
        boolean isOwned = reader.accept("OWNED");
        if (isOwned) {
            reader.expect("BY");
            reader.dottedName("a column, or NONE");
        }
        if (!isOwned && !(first.isWord("OWNER") && SilentAlterations.accept(reader))) {
            return false;
        }
        reader.expectEnd();
        if (!expressions.isThere(name)) {
            throw SqlErrors.at(ErrorCode.UNKNOWN_OBJECT, first.position(), "there is no " + name);
        }
        return true;
    }

    private CatalogChange alterProcedure() {
        String name = reader.dottedName("a procedure name");
        reader.expect("LOG");
        boolean byValue = reader.accept("VALUES");
        if (!byValue) {
            reader.expect("COMMANDS");
        }
        reader.expectEnd();
        return new CatalogChange.AlterProcedure(name, byValue);
    }

    private CatalogChange create() {
        if (reader.accept("TABLE")) {
            return new TableParser(reader, expressions, names).parse();
        }
        if (reader.accept("SEQUENCE")) {
            return new SequenceParser(reader, expressions).parse();
        }
        if (reader.accept("SCHEMA")) {
            Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
            String name = reader.name("a schema name");
            reader.expectEnd();
            return new CatalogChange.CreateSchema(name, presence);
        }
        if (reader.accept("TYPE")) {
            return new EnumerationParser(reader).create();
        }
        if (reader.accept("UNIQUE", "INDEX")) {
            return IndexParser.parse(reader, true, expressions, names);
        }
        if (reader.accept("INDEX")) {
            return IndexParser.parse(reader, false, expressions, names);
        }
        if (reader.accept("OR", "REPLACE", "VIEW")) {
            return view(true);
        }
        Token extended = reader.peek();
        if (reader.accept("OR", "EXTEND", "VIEW")) {
            CatalogChange.CreateView view = view(true);
            checkExtends(view.view(), extended);
            return view;
        }
        if (reader.accept("VIEW")) {
            return view(false);
        }
        if (reader.accept("MATERIALIZED", "VIEW")) {
            return materializedView();
        }
        if (reader.peek().isWord("TEMPORARY") || reader.peek().isWord("TEMP")) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    reader.peek().position(),
                    "temporary tables are for clients of PostgreSQL's protocol; CREATE TABLE, and DROP it later");
        }
        return routine();
    }

    private CatalogChange routine() {
        if (reader.accept("OR", "REPLACE", "PROCEDURE")) {
            return new ProcedureParser(reader).parse(true);
        }
        if (reader.accept("PROCEDURE")) {
            return new ProcedureParser(reader).parse(false);
        }
        if (reader.accept("OR", "REPLACE", "FUNCTION")) {
            return new FunctionParser(reader, expressions).parse(true);
        }
        if (reader.accept("FUNCTION")) {
            return new FunctionParser(reader, expressions).parse(false);
        }
        if (reader.accept("OR", "REPLACE", "AGGREGATE")) {
            return new AggregateParser(reader, expressions).parse(true);
        }
        if (reader.accept("AGGREGATE")) {
            return new AggregateParser(reader, expressions).parse(false);
        }
        throw reader.unexpected(
                "TABLE, INDEX, UNIQUE INDEX, VIEW, MATERIALIZED VIEW, SEQUENCE, SCHEMA, TYPE, PROCEDURE, FUNCTION, AGGREGATE or"
                        + " OR REPLACE");
    }

    /** A view that clients of PostgreSQL's protocol replace keeps its columns, and may get more behind them. */
    private void checkExtends(View view, Token place) {
        List<ResultColumn> before =
                expressions.view(view.name()).map(View::columns).orElse(List.of());
        for (int i = 0; i < before.size(); i++) {
            ResultColumn old = before.get(i);
            ResultColumn now = i < view.columns().size() ? view.columns().get(i) : null;
            if (now == null || !now.name().equals(old.name()) || !now.type().equals(old.type())) {
                throw SqlErrors.at(
                        ErrorCode.INVALID_DEFINITION,
                        place.position(),
                        "column " + old.name() + " of view " + view.name()
                                + " would be another one; DROP the view, and CREATE it");
            }
        }
    }

    private CatalogChange.CreateView view(boolean replace) {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        String name = viewName();
        List<String> columns = reader.peek().isSymbol("(") ? ColumnList.parse(reader) : List.of();
        List<String> options = ViewOptions.parse(reader);
        reader.expect("AS");
        if (reader.isAtEnd()) {
            throw reader.unexpected("a query");
        }
        View view = expressions.view(name, columns, reader.peek().start()).withOptions(options);
        return new CatalogChange.CreateView(view, replace, presence);
    }

    private CatalogChange materializedView() {
        Presence presence = reader.accept("IF", "NOT", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
        String name = viewName();
        List<String> columns = reader.peek().isSymbol("(") ? ColumnList.parse(reader) : List.of();
        reader.expect("AS");
        if (reader.isAtEnd()) {
            throw reader.unexpected("a query");
        }
        DdlExpressions.Materialized made =
                expressions.aggregation(name, columns, reader.peek().start());
        return new CatalogChange.CreateMaterializedView(name, made.sources(), made.aggregation(), presence);
    }

    private String viewName() {
        Token first = reader.peek();
        String name = reader.createdName("a view name");
        if (SchemaName.isInTemporary(name)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED, first.position(), "temporary views are not supported; name the tables");
        }
        return name;
    }

    /** Whether what depends on a dropped thing goes too; IF EXISTS may also come last. */
    private boolean cascade() {
        boolean cascade = reader.accept("CASCADE");
        if (!cascade) {
            reader.accept("RESTRICT");
        }
        return cascade;
    }

    private CatalogChange drop() {
        if (reader.accept("TABLE")) {
            Presence before = ifExists();
            String name = reader.objectName("a table name");
            boolean cascade = cascade();
            return new CatalogChange.DropTable(name, ended(before), cascade);
        }
        if (reader.accept("VIEW") || reader.accept("MATERIALIZED", "VIEW")) {
            Presence before = ifExists();
            String name = reader.objectName("a view name");
            boolean cascade = cascade();
            return new CatalogChange.DropView(name, ended(before), cascade);
        }
        if (reader.accept("SEQUENCE")) {
            Presence before = ifExists();
            String name = reader.objectName("a sequence name");
            return new CatalogChange.DropSequence(name, endedAlone(before));
        }
        if (reader.accept("SCHEMA")) {
            Presence before = ifExists();
            Token first = reader.peek();
            String name = reader.name("a schema name");
            SessionNames.check(name, first.position());
            boolean cascade = cascade();
            return new CatalogChange.DropSchema(name, ended(before), cascade);
        }
        if (reader.accept("INDEX")) {
            Presence before = ifExists();
            String name = reader.objectName("an index name");
            return new CatalogChange.DropIndex(name, endedAlone(before));
        }
        if (reader.accept("PROCEDURE")) {
            Presence before = ifExists();
            String name = reader.dottedName("a procedure name");
            return new CatalogChange.DropProcedure(name, endedAlone(before));
        }
        if (reader.accept("TYPE")) {
            return new EnumerationParser(reader).drop(ifExists());
        }
        if (reader.accept("FUNCTION") || reader.accept("AGGREGATE")) {
            Presence before = ifExists();
            String name = new FunctionParser(reader, expressions).parseDropped();
            return new CatalogChange.DropFunction(name, endedAlone(before));
        }
        throw reader.unexpected("TABLE, VIEW, INDEX, SEQUENCE, SCHEMA, TYPE, PROCEDURE, FUNCTION or AGGREGATE");
    }

    private Presence ifExists() {
        return reader.accept("IF", "EXISTS") ? Presence.LENIENT : Presence.STRICT;
    }

    /** IF EXISTS may also come last. */
    private Presence ended(Presence before) {
        Presence presence = before == Presence.LENIENT ? before : ifExists();
        reader.expectEnd();
        return presence;
    }

    /** The end behind an object that is not dropped while others depend on it, so that none of them can go too. */
    private Presence endedAlone(Presence before) {
        cascade();
        return ended(before);
    }

    private CatalogChange partition() {
        reader.expect("TABLE");
        String table = reader.objectName("a table name");
        reader.expect("ON", "COLUMN");
        String column = reader.name("a column name");
        reader.expectEnd();
        return new CatalogChange.PartitionTable(table, column);
    }
}
