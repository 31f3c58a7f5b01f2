package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formats that a client binds for the columns of a result. */
class ResultFormatsTest {
    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE t SET a = 1|UPDATE 1",
                "SET application_name = 'x'|SET",
                "DROP TABLE a, b|DROP TABLE",
                "BEGIN|BEGIN"
            })
    void formatsOfAResultThatThereIsNotAreTaken(String statement, String tag) {
        database.changes("UPDATE t SET a = 1", 1);
        ValueFormats several = new ValueFormats(List.of(ValueFormat.TEXT, ValueFormat.BINARY, ValueFormat.TEXT));

        assertThat(client.says(
                        parse("", statement),
                        new FrontendMessage.Bind("", "", ValueFormats.TEXT, new byte[0][], several),
                        execute("", 0),
                        sync()))
                .contains("BindComplete", tag)
                .noneMatch(answer -> answer.startsWith("ERROR"));
    }

    @Test
    void formatsOfAResultAreAsManyAsItsColumns() {
        database.yields("SELECT id FROM t", 1);
        ValueFormats several = new ValueFormats(List.of(ValueFormat.TEXT, ValueFormat.BINARY));

        assertThat(client.says(
                        parse("", "SELECT id FROM t"),
                        new FrontendMessage.Bind("", "", ValueFormats.TEXT, new byte[0][], several),
                        sync()))
                .containsExactly("ParseComplete", "ERROR 08P01", "ready I");
    }
}
