package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.Severity;
import java.util.List;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagnosticsTest {
    /** Names with the words by which messages say what is missing, as messages write them. */
    private static final List<String> NAMES = List.of(
            "T",
            "COLUMN_STATS",
            "FUNCTION_LOG",
            "PARAMETERS",
            "COLUMNS_META",
            "TYPE",
            "SCHEMA",
            "SHOP.TYPE",
            "NO_COLUMN",
            "\"column\"",
            "\"no column \"",
            "\"a type ; b\"",
            "\"schema \"\" type \"",
            "SHOP.\"two functions\"");

    private static String state(ErrorCode code, String message) {
        return Diagnostics.of(Severity.ERROR, code, new Translation.Message(message, 0))
                .sqlState();
    }

    /** The messages of the code, with N for a name and M for another one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "42P01|there is no table N; did you mean M?",
                "42P01|there is no table N; CREATE TABLE makes one",
                "42P01|there is no table N; @Catalog('TABLES') lists them",
                "42P01|there is no view N",
                "42P01|there is no sequence N; CREATE SEQUENCE makes one",
                "42P01|there is no sequence of N",
                "42P01|there is no N",
                "42P01|this query has no table N; name it in FROM, or use the name that FROM gives it",
                "42P01|OF names what FROM has, which has no N; where a table has another name there, use that",
                "42P01|there are no temporary tables N of this session; CREATE TEMPORARY TABLE makes one",
                "42P01|relation \"N\" does not exist",
                "42703|there is no column N in M; did you mean M?",
                "42703|there is no column N in what this statement reads; table M has one",
                "42703|table M has no column N",
                "42703|table M has no column N; did you mean M?",
                "42703|a key of table M names N, which is none of its columns",
                "42703|the result has no column N, only M",
                "42703|FORCE_QUOTE column \"N\" not referenced by COPY; name columns that it has",
                "42703|Column 'N' not found in any table",
                "42883|there is no function N; did you mean M?",
                "42883|there is no function N; docs/SQL.md lists the functions",
                "42883|N does not take INTEGER, TIMESTAMP; docs/SQL.md lists the functions",
                "42883|there is N(INTEGER), which does not take no arguments",
                "42883|there is no procedure that was created called N",
                "3F000|there is no schema N; CREATE SCHEMA makes one",
                "3F000|there is no schema N; CREATE SCHEMA makes one (a name with a dot names a schema)",
                "3F000|there is no schema of the search path to create N in; CREATE SCHEMA makes one, or name a schema"
                        + " before it",
                "3F000|schema N is always there",
                "42704|there is no type N; CREATE TYPE ... AS ENUM makes one",
                "42704|type \"N\" does not exist; docs/POSTGRESQL.md lists the types",
                "42704|unrecognized configuration parameter \"N\"; SHOW ALL lists those that there are",
                "42704|there is no index N",
                "42704|there is no user or role N; CREATE USER or CREATE ROLE makes one",
                "42704|there is no role N",
                "42704|there is no window N; WINDOW name AS (...) behind FROM and WHERE names one",
                "42704|there is no such window; WINDOW name AS (...) behind FROM and WHERE names one",
                "42704|table M has no constraint N"
            })
    void theKindOfWhatIsMissingIsThatOfTheSentence(String state, String message) {
        for (String name : NAMES) {
            for (String other : NAMES) {
                assertThat(state(ErrorCode.UNKNOWN_OBJECT, filled(message, name, other)))
                        .as(filled(message, name, other))
                        .isEqualTo(state);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "42P07|table N exists already; drop it first or choose another name",
                "42P07|view N exists already; drop it first or choose another name",
                "42P07|index N exists already; drop it first or choose another name",
                "42P07|table or sequence N exists already; drop it first or choose another name",
                "42P07|there is a table or view N already; drop it first or choose another name",
                "42701|column N exists already; drop it first or choose another name",
                "42701|table M has two columns N",
                "42710|type N exists already; drop it first or choose another name",
                "42710|a type and a table or view would both be called N; choose another name",
                "42710|enum label \"N\" of M already exists; say it once",
                "42710|constraint N exists already; drop it first or choose another name",
                "42710|table M has two constraints N",
                "42710|user N exists already; choose another name",
                "42P06|schema N exists already; drop it first or choose another name",
                "42723|function N exists already; drop it first or choose another name",
                "42723|procedure N exists already; drop it first or choose another name",
                "42723|N is a function of SQL; choose another name"
            })
    void theKindOfWhatExistsIsThatOfTheSentence(String state, String message) {
        for (String name : NAMES) {
            for (String other : NAMES) {
                assertThat(state(ErrorCode.OBJECT_EXISTS, filled(message, name, other)))
                        .as(filled(message, name, other))
                        .isEqualTo(state);
            }
        }
    }

    /** A name that a message puts into quotes has none of its own. */
    private static String filled(String message, String name, String other) {
        boolean isQuoted = message.contains("\"N\"") || message.contains("'N'");
        return message.replaceAll("\\bM\\b", "\0")
                .replaceAll("\\bN\\b", Matcher.quoteReplacement(isQuoted ? name.replace("\"", "") : name))
                .replace("\0", other);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "there is no table T; CREATE TABLE makes one|there is no table T|CREATE TABLE makes one.",
                "'a; b' is no DATE; write it as 2000-01-31|'a; b' is no DATE|Write it as 2000-01-31.",
                "value 'it''s; so' is wrong; leave it out|value 'it''s; so' is wrong|Leave it out.",
                "value 'it's; so' is wrong; leave it out|value 'it's; so' is wrong|Leave it out.",
                "table \"a; b\" has no column \"c; \"\"d\"; did you mean E?|table \"a; b\" has no column \"c; \"\"d\""
                        + "|Did you mean E?.",
                "the table's row is gone; read the others' rows|the table's row is gone|Read the others' rows.",
                "the clients' row is gone; read it|the clients' row is gone|Read it.",
                "'(' is not closed; close it|'(' is not closed|Close it.",
                "this text does not end; close it with '|this text does not end|Close it with '.",
                "a 'quote that does not end; close it|a 'quote that does not end|Close it.",
                "a \"quote and 'another; close them|a \"quote and 'another|Close them.",
                "syntax error at or near \";\"|syntax error at or near \";\"|-",
                "nothing to do; |nothing to do|-"
            })
    void theHintIsBehindTheFirstSemicolonThatIsNoQuotation(String message, String text, String hint) {
        Diagnostic diagnostic = Diagnostics.of(
                Severity.ERROR,
                ErrorCode.SYNTAX,
                new Translation.Message(message.endsWith(";") ? message + " " : message, 0));

        assertThat(diagnostic.message()).isEqualTo(text);
        assertThat(diagnostic.hint()).isEqualTo(hint);
    }

    @Test
    @Timeout(20)
    void aLongMessageIsReadOnce() {
        String message = "'" + " \"a 'b".repeat(500_000);

        assertThat(Diagnostics.of(Severity.ERROR, ErrorCode.SYNTAX, new Translation.Message(message, 0))
                        .message())
                .isEqualTo(message);
    }
}
