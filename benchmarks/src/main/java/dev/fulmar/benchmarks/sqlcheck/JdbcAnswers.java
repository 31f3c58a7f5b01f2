package dev.fulmar.benchmarks.sqlcheck;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers that a JDBC driver gets, in the form in which trials compare them. */
final class JdbcAnswers {
    private static final Pattern BLANKS_AT_END = Pattern.compile(" +$");

    /** Whether answers tell the types of their columns, by the names that PostgreSQL gives them. */
    enum Types {
        TOLD,
        UNTOLD
    }

    private JdbcAnswers() {}

    /** Executes the text as it is. */
    static Answer of(Statement statement, String sql, Types types) throws SQLException {
        statement.setEscapeProcessing(false);
        if (!statement.execute(sql)) {
            return Answer.count(statement.getUpdateCount());
        }
        try (ResultSet result = statement.getResultSet()) {
            List<String> names = types == Types.TOLD ? names(result.getMetaData()) : List.of();
            return Answer.rows(rows(result)).of(names);
        }
    }

    /** The outcome of an error of the data or of a constraint; empty for others. */
    static Optional<Answer.Outcome> ofTheData(String state, String another) {
        if (state.startsWith("22") || state.startsWith("21") || state.equals(another)) {
            return Optional.of(Answer.Outcome.DATA_ERROR);
        }
        return state.startsWith("23") ? Optional.of(Answer.Outcome.CONSTRAINT) : Optional.empty();
    }

    /** Text of any length is one type: which of its two names an expression has means nothing to a driver. */
    private static List<String> names(ResultSetMetaData shape) throws SQLException {
        List<String> names = new ArrayList<>();
        for (int column = 1; column <= shape.getColumnCount(); column++) {
            String name = shape.getColumnTypeName(column);
            names.add(name.equals("text") ? "varchar" : name);
        }
        return names;
    }

    private static List<String> rows(ResultSet result) throws SQLException {
        ResultSetMetaData shape = result.getMetaData();
        int columns = shape.getColumnCount();
        List<String> rows = new ArrayList<>();
        while (result.next()) {
            StringBuilder row = new StringBuilder();
            for (int column = 1; column <= columns; column++) {
                row.append(column == 1 ? "" : " | ")
                        .append(text(value(result, column, shape.getColumnTypeName(column))));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    private static @Nullable Object value(ResultSet result, int column, String type) throws SQLException {
        return switch (type) {
            // H2 has a DECFLOAT, with more digits, where a literal or an average is a DOUBLE elsewhere.
            case "DECFLOAT" -> result.getObject(column, Double.class);
            // Timestamps of Java's older kind lack the hours that the summer's beginning skips.
            case "timestamp" -> result.getObject(column, LocalDateTime.class);
            case "time", "TIME" -> result.getObject(column, LocalTime.class);
            // The blanks at the end of a CHAR mean nothing, and not every engine keeps them.
            case "bpchar", "CHARACTER", "CHAR" -> withoutBlanks(result.getString(column));
            default -> result.getObject(column);
        };
    }

    private static @Nullable String withoutBlanks(@Nullable String text) {
        return text == null ? null : BLANKS_AT_END.matcher(text).replaceFirst("");
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case Timestamp time -> "TIMESTAMP " + time.toLocalDateTime();
            case LocalDateTime time -> "TIMESTAMP " + time;
            case Date date -> date.toLocalDate().toString();
            case BigInteger number -> Answer.text(new BigDecimal(number));
            case Byte number -> Answer.text(BigDecimal.valueOf(number));
            case null, default -> Answer.text(value);
        };
    }
}
