package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.LibraryWords;
import dev.fulmar.sql.text.Position;
import dev.fulmar.sql.text.SqlErrors;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's complaints about the meaning of a statement, in Fulmar's words: code, place, what to do. Invariant: no
 * message shows how the library is made, as names of classes or of operators that nobody writes.
 */
final class CalciteErrors {
    private static final String OF_RIGHT_JOIN = "Correlate has invalid join type";

    private static final Pattern APPLIED =
            Pattern.compile("^Cannot apply '(.*?)' to arguments of type '(.*)'\\. Supported form.*$");
    private static final Pattern TYPE = Pattern.compile("<([A-Z ]+(?:\\([^<>]*\\))?)>");
    private static final Pattern CAST =
            Pattern.compile("^Cast function cannot convert value of type (.*) to type (.*)$");
    private static final Pattern ASSIGNED =
            Pattern.compile("^Cannot assign to target field '(.*)' of type (.*) from source field '.*' of type (.*)$");
    private static final Pattern UNGROUPED = Pattern.compile("^Expression '(.*)' is not being grouped$");
    private static final Pattern ARGUMENTS =
            Pattern.compile("^Invalid number of arguments to function '(.*)'\\. Was expecting (\\d+) arguments$");
    private static final Pattern LITERAL =
            Pattern.compile("^Illegal (TIMESTAMP|DATE|TIME).*? literal '(.*)': not in format '(.*)'$");
    /** Numbers where those of a date, a time or both stand. */
    private static final Pattern WRITTEN = Pattern.compile(
            "\\d+-\\d{1,2}-\\d{1,2}( \\d{1,2}:\\d{1,2}:\\d{1,2}(\\.\\d*)?)?" + "|\\d{1,2}:\\d{1,2}:\\d{1,2}(\\.\\d*)?");

    private static final Pattern AMBIGUOUS = Pattern.compile("^Column '(.*)' is ambiguous$");
    private static final Pattern WINDOW = Pattern.compile("^Window '(.*)' not found$");
    private static final Pattern NO_RETURN_TYPE =
            Pattern.compile("^Cannot infer return type for (.*); operand types: \\[(.*)]$");
    /** Dates, times and what has no number or truth in it: no CAST makes them what an operator of numbers takes. */
    private static final Pattern UNLIKE_NUMBERS =
            Pattern.compile("\\b(?:DATE|TIME|TIMESTAMP|UUID|VARBINARY|BINARY|row)\\b");

    private static final Pattern COUNTS = Pattern.compile(
            "^Number of INSERT target columns \\((\\d+)\\) does not equal number of source items \\((\\d+)\\)$");
    private static final Pattern SET_OPERATION = Pattern.compile("^Column count mismatch in (.*)$");

    private static final String OUTER_AGGREGATE =
            "an aggregate in a subquery is of the subquery's own rows; that of the query around it is computed by a query in FROM";
    private static final String AGGREGATE_IN_WHERE =
            "WHERE takes no aggregate; HAVING does, behind GROUP BY, and in a subquery a column that a query in FROM has aggregated";

    private CalciteErrors() {}

    static FulmarException ofValidator(String sql, Catalog catalog, CalciteContextException error) {
        Throwable cause = error.getCause();
        String message = firstLine((cause == null ? error : cause).getMessage());
        if (error.getPosLine() <= 0) {
            return meant(message, error).orElseGet(() -> plain("", message, error));
        }
        Position place = new Position(error.getPosLine(), error.getPosColumn());
        return MissingNames.of(sql, catalog)
                .error(place, message)
                .or(() -> meant(message, error)
                        .map(known -> SqlErrors.at(known.code(), place, String.valueOf(known.getMessage()))))
                .orElseGet(() -> plain(place + ": ", message, error));
    }

    static FulmarException ofCalcite(CalciteException error) {
        String message = firstLine(error.getMessage());
        return meant(message, error).orElseGet(() -> plain("", message, error));
    }

    /** Calcite stumbled; it does so on statements that no database would understand. */
    static FulmarException ofDefect(Throwable error) {
        String message = firstLine(error.getMessage());
        if (message.endsWith("is not a group expr")) {
            return new FulmarException(ErrorCode.NOT_SUPPORTED, OUTER_AGGREGATE, error);
        }
        if (message.startsWith(OF_RIGHT_JOIN)) {
            return worded(message, error).orElseThrow();
        }
        String shown = LibraryWords.areOfTheInside(message) ? "" : " (" + message + ")";
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "the statement is not understood" + shown + "; check its syntax, or write it differently",
                error);
    }

    private static FulmarException plain(String place, String message, Throwable error) {
        ErrorCode code = code(message);
        String shown = LibraryWords.areOfTheInside(message)
                ? "the statement is not understood; check it, or write it differently"
                : message;
        return new FulmarException(code, place + shown + hint(code, message), error);
    }

    static String firstLine(@Nullable String message) {
        if (message == null) {
            return "the statement is not valid";
        }
        int end = message.indexOf('\n');
        return (end < 0 ? message : message.substring(0, end)).strip();
    }

    /** The words for errors of types, counts and groups. */
    private static Optional<FulmarException> meant(String message, Throwable error) {
        Matcher applied = APPLIED.matcher(message);
        if (applied.matches()) {
            return Optional.of(ofOperator(applied.group(1), applied.group(2), error));
        }
        Matcher cast = CAST.matcher(message);
        if (cast.matches()) {
            return made(ErrorCode.TYPE_MISMATCH, type(cast.group(1)) + " cannot become " + type(cast.group(2)), error);
        }
        Matcher assigned = ASSIGNED.matcher(message);
        if (assigned.matches()) {
            return made(
                    ErrorCode.TYPE_MISMATCH, assigned(assigned.group(1), assigned.group(2), assigned.group(3)), error);
        }
        Matcher literal = LITERAL.matcher(message);
        if (literal.matches()) {
            return Optional.of(ofLiteral(literal, error));
        }
        return counted(message, error);
    }

    /** The words for a value of a type that its column does not take. */
    static String assigned(String column, String target, String given) {
        return LibraryWords.shown("column " + column, "the column") + " is " + type(target) + " and the value is "
                + type(given) + conversion("", type(target) + " and " + type(given));
    }

    private static Optional<FulmarException> counted(String message, Throwable error) {
        Matcher ungrouped = UNGROUPED.matcher(message);
        if (ungrouped.matches()) {
            String shown = LibraryWords.areOfTheInside(ungrouped.group(1)) ? "this expression" : ungrouped.group(1);
            return made(
                    ErrorCode.SYNTAX,
                    shown
                            + " is neither in GROUP BY nor in an aggregate; add it to GROUP BY, or aggregate it, as in MAX(...)",
                    error);
        }
        Matcher arguments = ARGUMENTS.matcher(message);
        if (arguments.matches()) {
            String count = arguments.group(2);
            return made(
                    ErrorCode.SYNTAX,
                    LibraryWords.shown(arguments.group(1), "this function") + " takes " + count
                            + (count.equals("1") ? " argument" : " arguments"),
                    error);
        }
        Matcher counts = COUNTS.matcher(message);
        if (counts.matches()) {
            return made(
                    ErrorCode.SYNTAX,
                    "the query has " + number(Integer.parseInt(counts.group(2)), "column") + " for "
                            + number(Integer.parseInt(counts.group(1)), "column")
                            + " of the table; name the columns in the INSERT",
                    error);
        }
        Matcher operation = SET_OPERATION.matcher(message);
        if (operation.matches()) {
            return made(
                    ErrorCode.SYNTAX,
                    "the queries of this " + LibraryWords.shown(operation.group(1), "operation")
                            + " have different numbers of columns",
                    error);
        }
        return named(message, error).or(() -> worded(message, error));
    }

    /** Messages about one name. */
    private static Optional<FulmarException> named(String message, Throwable error) {
        Matcher ambiguous = AMBIGUOUS.matcher(message);
        if (ambiguous.matches()) {
            return made(
                    ErrorCode.SYNTAX,
                    LibraryWords.shown("column " + ambiguous.group(1), "this column")
                            + " is in several tables of this query; write the table's name and a dot before it",
                    error);
        }
        Matcher window = WINDOW.matcher(message);
        if (window.matches()) {
            return made(
                    ErrorCode.UNKNOWN_OBJECT,
                    LibraryWords.shown("there is no window " + window.group(1), "there is no such window")
                            + "; WINDOW name AS (...) behind FROM and WHERE names one",
                    error);
        }
        Matcher untyped = NO_RETURN_TYPE.matcher(message);
        if (untyped.matches()) {
            String types = LibraryWords.shown(untyped.group(2), "these values");
            return made(
                    ErrorCode.TYPE_MISMATCH,
                    LibraryWords.shown(untyped.group(1).replace("#", ""), "this function")
                            + " does not take values of the types " + types + " together" + conversion("", types),
                    error);
        }
        return Optional.empty();
    }

    /** Messages that come in one form. */
    private static Optional<FulmarException> worded(String message, Throwable error) {
        if (message.startsWith("Illegal mixing of types in CASE")) {
            return made(
                    ErrorCode.TYPE_MISMATCH,
                    "the values of this CASE or COALESCE are of types that do not meet; CAST them to one",
                    error);
        }
        if (message.equals("Expected a boolean type")) {
            return made(
                    ErrorCode.TYPE_MISMATCH,
                    "a condition comes here, and this is none; compare it with a value",
                    error);
        }
        if (message.startsWith("Ordinal out of range")) {
            return made(ErrorCode.SYNTAX, "the query has no column with this number; count from 1", error);
        }
        if (message.contains("join requires a condition")) {
            return made(
                    ErrorCode.SYNTAX, "this JOIN needs ON condition or USING (columns); CROSS JOIN has none", error);
        }
        if (message.equals("Incompatible types")) {
            return made(ErrorCode.SYNTAX, "the rows of VALUES have different numbers of values", error);
        }
        if (message.startsWith("Aggregate expression is illegal in WHERE")) {
            return made(ErrorCode.SYNTAX, AGGREGATE_IN_WHERE, error);
        }
        if (message.startsWith(OF_RIGHT_JOIN)) {
            return made(
                    ErrorCode.INVALID_COLUMN_REFERENCE,
                    "what stands on the right of a RIGHT or FULL JOIN refers to no column of its left side",
                    error);
        }
        if (message.startsWith("ROW expression encountered")) {
            return made(ErrorCode.NOT_SUPPORTED, "a row of several values is not a value; select its parts", error);
        }
        return Optional.empty();
    }

    /** {@code 1 value}, {@code 2 values}. */
    static String number(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static Optional<FulmarException> made(ErrorCode code, String message, Throwable error) {
        return Optional.of(new FulmarException(code, message, error));
    }

    private static FulmarException ofOperator(String operator, String call, Throwable error) {
        if (operator.equals("$SCALAR_QUERY")) {
            return new FulmarException(
                    ErrorCode.SYNTAX, "a subquery that stands for a value has one column; select one", error);
        }
        if (operator.equals("EXTRACT")) {
            return new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "EXTRACT does not find this field in a value of this type", error);
        }
        StringBuilder types = new StringBuilder();
        Matcher each = TYPE.matcher(call);
        while (each.find()) {
            types.append(types.isEmpty() ? "" : " and ").append(type(each.group(1)));
        }
        String what =
                types.isEmpty() || LibraryWords.areOfTheInside(types.toString()) ? "these values" : types.toString();
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH,
                LibraryWords.shown(operator, "this operator") + " does not take " + what + conversion(operator, what),
                error);
    }

    /** Advice about types that do not meet; nothing where nothing general helps. */
    private static String conversion(String operator, String types) {
        boolean hasText = types.contains("CHAR");
        if (hasText || !UNLIKE_NUMBERS.matcher(types).find()) {
            return "; CAST(value AS type) converts explicitly";
        }
        boolean isDay = types.matches("(?:DATE|TIMESTAMP).* and (?:DATE|TIMESTAMP).*");
        return switch (operator) {
            case "-" ->
                isDay
                        ? "; TIMESTAMPDIFF(DAY, earlier, later) counts what is between"
                        : "; subtract an interval, as INTERVAL '1' DAY";
            case "+" -> isDay ? "" : "; add an interval, as INTERVAL '1' DAY";
            default -> "";
        };
    }

    private static FulmarException ofLiteral(Matcher literal, Throwable error) {
        boolean isWritten = WRITTEN.matcher(literal.group(2).strip()).matches();
        return new FulmarException(
                isWritten ? ErrorCode.DATETIME_OUT_OF_RANGE : ErrorCode.INVALID_TEXT,
                "'" + literal.group(2) + "' is no " + literal.group(1)
                        + (isWritten ? ", for one of its parts is out of range; write it as " : "; write it as ")
                        + literal.group(3).toUpperCase(Locale.ROOT),
                error);
    }

    /** A type as CREATE TABLE has it. */
    private static String type(String shown) {
        String bare = shown.replace(" NOT NULL", "").replaceAll(" CHARACTER SET \"[^\"]*\"", "");
        return bare.startsWith("RECORDTYPE") || bare.startsWith("RecordType")
                ? "row"
                : LibraryWords.shown(bare, "another type");
    }

    private static ErrorCode code(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("has no default value")) {
            return ErrorCode.NOT_NULL_VIOLATION;
        }
        if (lower.startsWith("windowed aggregate expression is illegal")
                || lower.startsWith("order by expression should not contain over")
                || lower.startsWith("duplicate window names")) {
            return ErrorCode.MISPLACED_WINDOW;
        }
        if (lower.startsWith("numeric literal")) {
            return ErrorCode.VALUE_OUT_OF_RANGE;
        }
        if (lower.contains("not found")
                || lower.contains("unknown target column")
                || lower.contains("no match found")) {
            return ErrorCode.UNKNOWN_OBJECT;
        }
        if (lower.startsWith("cannot apply")
                || lower.startsWith("cannot assign")
                || lower.contains("illegal use of dynamic parameter")
                || lower.contains("type mismatch")
                || lower.contains("incompatible")
                || lower.contains("compatible type")
                || lower.contains("type inference")
                || lower.contains("boolean type")
                || lower.contains("out of range")) {
            return ErrorCode.TYPE_MISMATCH;
        }
        return ErrorCode.SYNTAX;
    }

    private static String hint(ErrorCode code, String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("dynamic parameter")) {
            return "; write CAST(? AS type) to say what it is";
        }
        if (lower.contains("compatible type")) {
            return "; CAST(value AS type) converts explicitly";
        }
        if (code == ErrorCode.NOT_NULL_VIOLATION) {
            return "; name the column in the INSERT or give it a DEFAULT";
        }
        return "";
    }
}
