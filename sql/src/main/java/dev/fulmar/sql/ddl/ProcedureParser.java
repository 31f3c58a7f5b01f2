package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Parses what follows CREATE PROCEDURE:
 * {@code [name] [PARTITION ON TABLE t COLUMN c [PARAMETER n]] AS sql | AS BEGIN sql; ... END | FROM CLASS x.y.Z}.
 * Without a name the class gives its own.
 */
final class ProcedureParser {
    private static final int MAX_PARAMETER = 1_023;

    private final TokenReader reader;

    ProcedureParser(TokenReader reader) {
        this.reader = reader;
    }

    CatalogChange.CreateProcedure parse(boolean replace) {
        Optional<String> name = Optional.empty();
        Optional<ProcedureDefinition.Partitioning> partitioning = Optional.empty();
        boolean named = !(reader.peek().isWord("PARTITION") && reader.peek(1).isWord("ON"))
                && !(reader.peek().isWord("FROM") && reader.peek(1).isWord("CLASS"));
        if (named) {
            name = Optional.of(reader.dottedName("a procedure name"));
        }
        if (reader.accept("PARTITION", "ON")) {
            partitioning = Optional.of(partitioning());
        }
        if (reader.accept("FROM", "CLASS")) {
            String className = reader.dottedName("a class name");
            reader.expectEnd();
            String simpleName = className.substring(className.lastIndexOf('.') + 1);
            return change(
                    name.orElse(simpleName), partitioning, new ProcedureDefinition.JavaClass(className, ""), replace);
        }
        if (name.isEmpty() || !reader.accept("AS")) {
            throw reader.unexpected(name.isEmpty() ? "FROM CLASS" : "PARTITION ON TABLE, AS or FROM CLASS");
        }
        return change(name.get(), partitioning, new ProcedureDefinition.Sql(statements()), replace);
    }

    private static CatalogChange.CreateProcedure change(
            String name,
            Optional<ProcedureDefinition.Partitioning> partitioning,
            ProcedureDefinition.Body body,
            boolean replace) {
        return new CatalogChange.CreateProcedure(new ProcedureDefinition(name, partitioning, body), replace);
    }

    private ProcedureDefinition.Partitioning partitioning() {
        reader.expect("TABLE");
        String table = reader.objectName("a table name");
        reader.expect("COLUMN");
        String column = reader.name("a column name");
        int parameter = reader.accept("PARAMETER") ? reader.integer("the parameter's number", 0, MAX_PARAMETER) : 0;
        return new ProcedureDefinition.Partitioning(table, column, parameter);
    }

    private List<String> statements() {
        if (!reader.accept("BEGIN")) {
            if (reader.isAtEnd()) {
                throw reader.unexpected("a statement");
            }
            return List.of(reader.takeRest());
        }
        List<String> statements = new ArrayList<>();
        while (!reader.accept("END")) {
            if (!reader.acceptSymbol(";")) {
                statements.add(statement());
            }
        }
        reader.expectEnd();
        if (statements.isEmpty()) {
            throw SqlErrors.syntax(reader.peek().position(), "a procedure needs at least one statement");
        }
        return statements;
    }

    /** Takes one statement of a block, up to its semicolon. */
    private String statement() {
        Token first = reader.peek();
        int openCases = 0;
        while (!reader.peek().isSymbol(";") && !(openCases == 0 && reader.peek().isWord("END"))) {
            if (reader.isAtEnd()) {
                throw reader.unexpected("';' and END");
            }
            Token token = reader.take();
            openCases += token.isWord("CASE") ? 1 : token.isWord("END") ? -1 : 0;
        }
        return reader.textSince(first);
    }
}
