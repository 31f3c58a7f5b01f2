package dev.fulmar.postgres.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** COPY as text. */
class CopyCommandsTest {
    private static CopyCommand read(String statement) {
        return CopyCommands.of(
                Translator.translate(new Translator.Part(statement, 0), FixedFacts.OF_ANN), FixedFacts.OF_ANN);
    }

    @Test
    void aTableIsNamedInBothDialects() {
        CopyCommand.In command = (CopyCommand.In) read("COPY public.\"Mixed\" (a, \"B\", \"Cd\") FROM STDIN");

        assertThat(command.table().sql()).isEqualTo("public.\"Mixed\"");
        assertThat(command.table().label()).isEqualTo("Mixed");
        assertThat(command.table().columns()).containsExactly("a", "B", "Cd");
        assertThat(command.options()).isEqualTo(CopyOptions.of(CopyFormat.TEXT));
    }

    @Test
    void aQueryIsTranslated() {
        CopyCommand.OutOfQuery command =
                (CopyCommand.OutOfQuery) read("COPY (SELECT \"a\" FROM t WHERE (b) = E'x\\ny') TO STDOUT CSV HEADER");

        assertThat(command.query().sql()).isEqualTo("SELECT \"A\" FROM t WHERE (b) = 'x\ny'");
        assertThat(command.query().message("1:8: no column").position()).isEqualTo(14);
        assertThat(command.options().format()).isEqualTo(CopyFormat.CSV);
        assertThat(command.options().header()).isEqualTo(CopyHeader.NAMES);
    }

    @Test
    void bothFormsOfOptionsMeanTheSame() {
        CopyOptions options =
                read("COPY t FROM STDIN WITH (FORMAT csv, DELIMITER ';', NULL 'nil', HEADER true, QUOTE '''',"
                                + " ESCAPE '\\', FORCE_NULL (a), FORCE_NOT_NULL (b, c), ENCODING 'UTF8', FREEZE)")
                        .options();

        assertThat(options)
                .isEqualTo(
                        read("COPY t FROM STDIN WITH CSV DELIMITER AS ';' NULL 'nil' HEADER QUOTE '''' ESCAPE AS '\\'"
                                        + " FORCE NULL a FORCE NOT NULL b, c ENCODING 'utf-8' FREEZE")
                                .options());
        assertThat(options.delimiter()).isEqualTo((byte) ';');
        assertThat(options.quote()).isEqualTo((byte) '\'');
        assertThat(options.escape()).isEqualTo((byte) '\\');
        assertThat(options.nullQuoted()).containsExactly("a");
        assertThat(options.neverNull()).containsExactly("b", "c");
        assertThat(read("COPY BINARY t FROM STDIN").options()).isEqualTo(CopyOptions.of(CopyFormat.BINARY));
        assertThat(read("COPY t FROM STDIN USING DELIMITERS '|' WITH NULL AS 'x'")
                        .options()
                        .delimiter())
                .isEqualTo((byte) '|');
        assertThat(read("COPY t FROM STDIN (HEADER MATCH)").options().header()).isEqualTo(CopyHeader.MATCH);
        assertThat(read("COPY t FROM STDIN (HEADER off)").options().header()).isEqualTo(CopyHeader.NONE);
        assertThat(read("COPY t TO STDOUT CSV FORCE QUOTE *").options().quotesAll())
                .isTrue();
        assertThat(read("COPY t TO STDOUT (FORMAT csv, FORCE_QUOTE (a))")
                        .options()
                        .quoted())
                .containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '~',
            value = {
                "COPY t! syntax error at or near end of input",
                "COPY t FROM x! syntax error at or near \"x\"",
                "COPY (SELECT 1) FROM STDIN! syntax error at or near \"FROM\"",
                "COPY (SELECT 1! '(' is not closed",
                "COPY t FROM '/x'! files of the server",
                "COPY t TO PROGRAM 'x'! runs no program",
                "COPY t FROM STDIN WHERE a = 1! WHERE is not supported",
                "COPY t FROM STDIN (FORMAT xml)! format \"xml\" not recognized",
                "COPY t FROM STDIN (FORMAT csv, FORMAT csv)! conflicting or redundant options",
                "COPY t FROM STDIN (NEW)! option \"new\" not recognized",
                "COPY t FROM STDIN (DELIMITER 'ab')! single one-byte character",
                "COPY t FROM STDIN (DELIMITER 'a')! delimiter cannot be \"a\"",
                "COPY t FROM STDIN (DELIMITER E'\\n')! cannot be newline",
                "COPY t FROM STDIN (NULL E'\\n')! cannot use newline",
                "COPY t FROM STDIN (DELIMITER '|', NULL 'a|b')! must not appear in the NULL",
                "COPY t FROM STDIN (FORMAT csv, NULL '\"')! quote character must not appear",
                "COPY t FROM STDIN (FORMAT csv, QUOTE ',')! must be different",
                "COPY t FROM STDIN (QUOTE 'x')! only in CSV mode",
                "COPY t FROM STDIN (FORMAT binary, DELIMITER ',')! cannot specify delimiter in BINARY mode",
                "COPY t FROM STDIN (FORMAT binary, HEADER)! cannot specify header in BINARY mode",
                "COPY t FROM STDIN (FORMAT csv, FORCE_QUOTE *)! only available using COPY TO",
                "COPY t TO STDOUT (FORMAT csv, FORCE_NULL (a))! only available using COPY FROM",
                "COPY t TO STDOUT (HEADER MATCH)! cannot use \"match\"",
                "COPY t FROM STDIN (HEADER 3)! requires a Boolean value",
                "COPY t FROM STDIN (ENCODING 'LATIN1')! UTF8 only",
                "COPY t FROM STDIN WITH NOTHING! syntax error at or near \"NOTHING\"",
                "COPY (SELECT $1) TO STDOUT! no parameters"
            })
    void whatItIsNotIsRefused(String statement, String message) {
        assertThatThrownBy(() -> read(statement))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "COPY t TO STDOUT|false",
                "copy s.\"from\" (a, b) to stdout|false",
                "COPY (SELECT a FROM t) TO STDOUT|false",
                "COPY /* all */ ( WITH w AS (SELECT 1) TABLE w) TO STDOUT (FORMAT csv)|false",
                "COPY t FROM STDIN|true",
                "COPY t (a) FROM /* here */ STDIN|true",
                "COPY (DELETE FROM t RETURNING a) TO STDOUT|true",
                "COPY (SELECT * FROM p(1)) TO STDOUT|true",
                "COPY (SELECT /* c */ * FROM p /* d */ (1)) TO STDOUT|true",
                "COPY (SELECT setval('s', 1)) TO STDOUT|true"
            })
    void tellsWhatMayChangeSomething(String sql, boolean mayChange) {
        assertThat(CopyCommands.mayChange(Translator.translate(new Translator.Part(sql, 0), FixedFacts.OF_ANN)))
                .isEqualTo(mayChange);
    }
}
