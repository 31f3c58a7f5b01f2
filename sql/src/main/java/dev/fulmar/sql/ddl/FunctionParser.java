package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.engine.userfunction.UserFunction.Parameter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Parses what follows CREATE FUNCTION: {@code name ([[parameter] type, ...]) RETURNS type [LANGUAGE JAVA | SQL]
 * [DETERMINISTIC | IMMUTABLE] [RETURNS NULL ON NULL INPUT | STRICT | CALLED ON NULL INPUT]}, in any order of these, and
 * then {@code FROM CLASS x.y.Z [METHOD m]}, {@code RETURN expression} or {@code AS 'SELECT expression'}.
 */
final class FunctionParser {
    private static final int MOST_PARAMETERS = 100;

    private final TokenReader reader;
    private final DdlExpressions expressions;

    /** Whether a null argument makes a null result; empty where nothing is said. */
    private Optional<Boolean> strict = Optional.empty();

    private String language = "";

    FunctionParser(TokenReader reader, DdlExpressions expressions) {
        this.reader = reader;
        this.expressions = expressions;
    }

    CatalogChange.CreateFunction parse(boolean replace) {
        String name = name();
        List<Parameter> parameters = parameters();
        reader.expect("RETURNS");
        ColumnType result = type();
        while (acceptProperty()) {
            // Each says something of the function.
        }
        Token begin = reader.peek();
        UserFunction function = reader.accept("FROM", "CLASS")
                ? java(name, parameters, result, begin)
                : formula(name, parameters, result, begin);
        reader.expectEnd();
        return new CatalogChange.CreateFunction(function, replace, expressions.isBuiltIn(name));
    }

    /** The name behind DROP FUNCTION [IF EXISTS]; the types of parameters may follow, and say nothing more. */
    String parseDropped() {
        String name = name();
        if (reader.acceptSymbol("(")) {
            while (!reader.isAtEnd() && !reader.peek().isSymbol(")")) {
                reader.take();
            }
            reader.expectSymbol(")");
        }
        return name;
    }

    /** The name of a function. */
    String name() {
        if (reader.isQualified(1)) {
            reader.expect("PUBLIC");
            reader.expectSymbol(".");
        }
        return reader.name("a function name").toUpperCase(Locale.ROOT);
    }

    List<Parameter> parameters() {
        List<Parameter> parameters = new ArrayList<>();
        reader.expectSymbol("(");
        while (!reader.peek().isSymbol(")")) {
            if (!parameters.isEmpty()) {
                reader.expectSymbol(",");
            }
            Token first = reader.peek();
            reader.accept("IN");
            boolean isNamed = !TypeParser.isType(reader.peek()) || TypeParser.isType(reader.peek(1));
            String name = isNamed ? reader.name("a parameter's name") : "P" + (parameters.size() + 1);
            Parameter parameter = new Parameter(name, type());
            if (parameters.stream().anyMatch(other -> other.name().equals(name))) {
                throw SqlErrors.syntax(first.position(), "two parameters are called " + name + "; rename one");
            }
            parameters.add(parameter);
        }
        if (parameters.size() > MOST_PARAMETERS) {
            throw SqlErrors.at(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    reader.peek().position(),
                    "a function has at most " + MOST_PARAMETERS + " parameters; take fewer");
        }
        reader.expectSymbol(")");
        return parameters;
    }

    /** Methods take and return documents, intervals, arrays and labels as texts. */
    ColumnType type() {
        Token first = reader.peek();
        ColumnType type = TypeParser.parse(reader);
        if (type.kind().hasEqualForms() || type.isArray() || type.kind() == TypeKind.ENUM) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    first.position(),
                    "a function takes and returns no " + type + "; declare VARCHAR, and cast");
        }
        return type;
    }

    private boolean acceptProperty() {
        if (reader.accept("RETURNS", "NULL", "ON", "NULL", "INPUT") || reader.accept("STRICT")) {
            strict = Optional.of(true);
            return true;
        }
        if (reader.accept("CALLED", "ON", "NULL", "INPUT")) {
            strict = Optional.of(false);
            return true;
        }
        if (reader.accept("LANGUAGE")) {
            Token word = reader.peek();
            language = reader.name("JAVA or SQL").toUpperCase(Locale.ROOT);
            if (!language.equals("JAVA") && !language.equals("SQL")) {
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        word.position(),
                        "functions are written in JAVA or SQL, not in " + language);
            }
            return true;
        }
        Token word = reader.peek();
        if (word.isWord("VOLATILE") || (word.isWord("NOT") && reader.peek(1).isWord("DETERMINISTIC"))) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    word.position(),
                    "a function yields the same for the same arguments; pass what changes as an argument");
        }
        return reader.accept("DETERMINISTIC")
                || reader.accept("IMMUTABLE")
                || reader.accept("STABLE")
                || reader.accept("PARALLEL", "SAFE");
    }

    private UserFunction java(String name, List<Parameter> parameters, ColumnType result, Token begin) {
        checkLanguage("JAVA", begin);
        String className = reader.dottedName("a class name");
        String method = reader.accept("METHOD") ? reader.dottedName("a method's name") : "";
        return new UserFunction(
                name, parameters, result, !strict.orElse(true), new UserFunction.JavaMethod(className, method, ""));
    }

    private UserFunction formula(String name, List<Parameter> parameters, ColumnType result, Token begin) {
        checkLanguage("SQL", begin);
        if (strict.orElse(false)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    begin.position(),
                    "an expression takes nulls as its operators do; leave STRICT out, or write CASE WHEN ... IS NULL");
        }
        List<Column> columns = new ArrayList<>();
        parameters.forEach(parameter -> columns.add(new Column(parameter.name(), parameter.type(), true, null)));
        if (reader.accept("RETURN")) {
            Token first = reader.peek();
            String text = rest(first);
            Expression value = expressions.formula(name, columns, first.start(), first.start() + text.length());
            checkResult(value, result, begin);
            return new UserFunction(name, parameters, result, true, new UserFunction.Formula(text, value));
        }
        if (!reader.accept("AS")) {
            throw reader.unexpected("FROM CLASS, RETURN or AS");
        }
        String text = selected(reader.string("'SELECT expression'"), begin);
        while (acceptProperty()) {
            // PostgreSQL's own order has them last.
        }
        checkLanguage("SQL", begin);
        Expression value = expressions.formula(name, columns, text);
        checkResult(value, result, begin);
        return new UserFunction(name, parameters, result, true, new UserFunction.Formula(text, value));
    }

    private void checkResult(Expression value, ColumnType result, Token begin) {
        if (!(value instanceof Expression.Literal) && !expressions.isAssignable(value.type(), result)) {
            throw SqlErrors.at(
                    ErrorCode.TYPE_MISMATCH,
                    begin.position(),
                    "the function returns " + result + ", and its expression is " + value.type() + "; write a CAST");
        }
    }

    private String rest(Token first) {
        if (reader.isAtEnd()) {
            throw reader.unexpected("an expression");
        }
        reader.takeRest();
        return reader.textSince(first);
    }

    /** The expression of a query without tables. */
    private static String selected(String query, Token begin) {
        String text = query.strip();
        while (text.endsWith(";")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        if (text.length() < 8 || !text.substring(0, 6).equalsIgnoreCase("SELECT") || !isBlank(text.charAt(6))) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    begin.position(),
                    "a function of SQL is one expression; write RETURN expression, or AS 'SELECT expression'");
        }
        return text.substring(7).strip();
    }

    private static boolean isBlank(char character) {
        return Character.isWhitespace(character);
    }

    private void checkLanguage(String wanted, Token place) {
        if (!language.isEmpty() && !language.equals(wanted)) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED,
                    place.position(),
                    language.equals("JAVA")
                            ? "a function in JAVA is FROM CLASS x.y.Z"
                            : "a function in SQL is RETURN expression, or AS 'SELECT expression'");
        }
    }
}
