package dev.fulmar.sql.ddl;

import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.engine.userfunction.UserFunction.Parameter;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses what follows CREATE AGGREGATE, in PostgreSQL's form: {@code name (type, ...) (SFUNC = function, STYPE = type
 * [, FINALFUNC = function] [, INITCOND = 'text'])}.
 */
final class AggregateParser {
    private final TokenReader reader;
    private final DdlExpressions expressions;

    private @Nullable String step;
    private @Nullable ColumnType state;
    private Optional<String> last = Optional.empty();
    private @Nullable Token initial;
    private String initialText = "";

    AggregateParser(TokenReader reader, DdlExpressions expressions) {
        this.reader = reader;
        this.expressions = expressions;
    }

    CatalogChange.CreateFunction parse(boolean replace) {
        Token begin = reader.peek();
        FunctionParser parts = new FunctionParser(reader, expressions);
        String name = parts.name();
        List<Parameter> parameters = parts.parameters();
        if (parameters.isEmpty()) {
            throw SqlErrors.at(
                    ErrorCode.NOT_SUPPORTED, begin.position(), "an aggregate takes an argument; COUNT(*) counts rows");
        }
        reader.expectSymbol("(");
        do {
            attribute(parts);
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        reader.expectEnd();
        String stepName = step;
        ColumnType stateType = state;
        if (stepName == null || stateType == null) {
            throw SqlErrors.syntax(begin.position(), "an aggregate has SFUNC = function and STYPE = type");
        }
        UserFunction.Aggregate body = new UserFunction.Aggregate(stepName, stateType, initial(stateType), last);
        ColumnType result = last.map(expressions.functions()::get)
                .map(UserFunction::result)
                .orElse(stateType); // without the function the aggregate is refused anyway
        UserFunction function = new UserFunction(name, parameters, result, true, body);
        return new CatalogChange.CreateFunction(function, replace, expressions.isBuiltIn(name));
    }

    private void attribute(FunctionParser parts) {
        Token word = reader.peek();
        String attribute = reader.name("SFUNC, STYPE, FINALFUNC or INITCOND").toUpperCase(Locale.ROOT);
        reader.expectSymbol("=");
        switch (attribute) {
            case "SFUNC" -> step = parts.name();
            case "STYPE" -> state = parts.type();
            case "FINALFUNC" -> last = Optional.of(parts.name());
            case "INITCOND" -> {
                initial = reader.peek();
                initialText = reader.string("'text'");
            }
            case "PARALLEL" -> reader.name("SAFE"); // says nothing of the result
            default ->
                throw SqlErrors.at(
                        ErrorCode.NOT_SUPPORTED,
                        word.position(),
                        "an aggregate has no " + attribute + "; it has SFUNC, STYPE, FINALFUNC and INITCOND");
        }
    }

    private Optional<UserFunction.Initial> initial(ColumnType stateType) {
        Token literal = initial;
        if (literal == null) {
            return Optional.empty();
        }
        return Optional.of(
                new UserFunction.Initial(initialText, expressions.valueOf(initialText, stateType, literal.position())));
    }
}
