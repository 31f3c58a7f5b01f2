package dev.fulmar.sql.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import java.lang.reflect.Method;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.runtime.CalciteResource;
import org.apache.calcite.runtime.Resources.BaseMessage;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** No message of the SQL library, whatever stands in its gaps, brings the library's own names into one of ours. */
class LibraryMessagesTest {
    private static final String SQL = "SELECT A FROM B";
    private static final int FEWEST = 300;

    /** Words that the library puts into its messages, or could: names of its classes, types, columns and operators. */
    private static final List<String> INSIDE = List.of(
            "org.apache.calcite.sql.SqlDynamicParam",
            "SqlDynamicParam",
            "RexCall",
            "RelRecordType",
            "LogicalProject",
            "class java.lang.Integer",
            "RecordType(INTEGER EXPR$0)",
            "EXPR$0",
            "$SCALAR_QUERY",
            "rel#12:LogicalFilter",
            "java.lang.ClassCastException: x",
            "dev.fulmar.sql.calcite.CharType@1f2a3b4c");

    /** Names that no table, column or function has are those that the statement has: they are shown as they are. */
    private static final Pattern NAMES =
            Pattern.compile("^(?:1:8: )?(?:there is no (?:column|table|function)|this query has no table) ");

    private static final Pattern SHOWN = Pattern.compile(
            "org\\.apache|java\\.|dev\\.fulmar|SqlD|Rex[A-Z]|Rel[A-Z]|LogicalP|EXPR[$]|[$]SCALAR|rel#|(?i)RecordType|Supported form");

    @Test
    void noMessageOfTheLibraryShowsHowItIsMade() {
        SoftAssertions all = new SoftAssertions();
        List<String> messages = messages();
        for (String message : messages) {
            ours(message)
                    .filter(shown -> !NAMES.matcher(shown).find())
                    .forEach(shown -> all.assertThat(SHOWN.matcher(shown).find())
                            .as(message + " became: " + shown)
                            .isFalse());
        }
        all.assertAll();
        assertThat(messages).hasSizeGreaterThan(FEWEST * INSIDE.size());
    }

    @Test
    void aMessageWithoutThemIsPassedOn() {
        assertThat(CalciteErrors.ofCalcite(new CalciteException("Something of yours is wrong", null))
                        .getMessage())
                .isEqualTo("Something of yours is wrong");
    }

    private static Stream<String> ours(String message) {
        CalciteException error = new CalciteException(message, null);
        SqlParserPos place = new SqlParserPos(1, 8, 1, 8);
        return Stream.of(
                        CalciteErrors.ofCalcite(error),
                        CalciteErrors.ofDefect(new IllegalStateException(message)),
                        CalciteErrors.ofValidator(
                                SQL, Catalog.empty(), new CalciteContextException("at", error, 1, 8, 1, 8)),
                        ParserErrors.of(SQL, new SqlParseException(message, place, new int[0][], new String[0], null)))
                .map(each -> String.valueOf(each.getMessage()));
    }

    /** Each message of the library with each of the names in all its gaps. */
    private static List<String> messages() {
        List<String> messages = new ArrayList<>();
        for (Method method : CalciteResource.class.getMethods()) {
            BaseMessage base = method.getAnnotation(BaseMessage.class);
            if (base != null) {
                for (String name : INSIDE) {
                    Object[] arguments = new Object[method.getParameterCount()];
                    Arrays.fill(arguments, name);
                    messages.add(MessageFormat.format(base.value().replaceAll("\\{(\\d+)[^}]*}", "{$1}"), arguments));
                }
            }
        }
        return messages;
    }
}
