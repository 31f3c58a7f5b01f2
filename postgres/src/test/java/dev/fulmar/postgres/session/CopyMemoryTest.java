package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.data;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The node's budget has the bytes of a COPY's row that has not ended, and gets them back however the COPY ends. */
class CopyMemoryTest {
    private static final int PIECES = 4;
    private static final int PIECE_BYTES = 256 << 10;

    private final FakeDatabase database = new FakeDatabase();
    private TalkingClient client = new TalkingClient(database);

    /** A format, and the begin of a long row in it. */
    enum Format {
        TEXT("COPY t FROM STDIN", "\n"),
        CSV("COPY t FROM STDIN CSV", "\""),
        BINARY("COPY t FROM STDIN (FORMAT binary)", "PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0\0\1\0\u00f0\0\0");

        private final String statement;
        private final String begin;

        Format(String statement, String begin) {
            this.statement = statement;
            this.begin = begin;
        }
    }

    private static FrontendMessage piece() {
        byte[] bytes = new byte[PIECE_BYTES];
        Arrays.fill(bytes, (byte) 'x');
        return new FrontendMessage.CopyData(bytes);
    }

    private void begin(Format format, ByteBudget budget) {
        List<ResultColumn> columns = List.of(new ResultColumn("A", ColumnType.varchar(1 << 20), true));
        database.descriptions.put("SELECT \"#WRITTEN\" FROM t", new StatementDescription(columns, List.of(), true, 1));
        database.descriptions.put(
                "INSERT INTO t (\"A\") OVERRIDING SYSTEM VALUE VALUES (?)",
                new StatementDescription(List.of(), List.of(ColumnType.varchar(1 << 20)), false, 1));
        database.budget = budget;
        client = new TalkingClient(database);
        assertThat(client.asks(format.statement)).hasSize(1);
        client.says(new FrontendMessage.CopyData(format.begin.getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(budget.underWayBytes()).as("little is not counted").isZero();
    }

    private void endsBy(Format format, Consumer<TalkingClient> end) {
        begin(format, ByteBudget.unlimited());
        for (int i = 1; i <= PIECES; i++) {
            assertThat(client.says(piece())).isEmpty();
            assertThat(database.budget.underWayBytes()).isBetween((long) i * PIECE_BYTES, 2L * (i + 1) * PIECE_BYTES);
        }
        end.accept(client);
        client.answers();
        assertThat(database.budget.underWayBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void memoryGoesBackHoweverTheCopyEnds(Format format) {
        endsBy(format, copying -> copying.says(new FrontendMessage.CopyDone()));
        endsBy(format, copying -> copying.says(new FrontendMessage.CopyFail("no")));
        endsBy(format, copying -> copying.asks("SELECT 1"));
        endsBy(format, copying -> copying.session().cancel());
        endsBy(format, copying -> copying.session().leave());
        endsBy(format, copying -> copying.session().stop(new FulmarException(ErrorCode.NODE_STOPPING, "it stops")));
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void aRowIsRefusedIfThereIsNoMemoryForIt(Format format) {
        begin(format, new ByteBudget(1 << 20));
        List<String> answers = List.of();
        for (int i = 0; i < PIECES && answers.isEmpty(); i++) {
            answers = client.says(piece());
        }
        assertThat(answers).containsExactly("ERROR 53400", "ready I");
        assertThat(database.budget.refused()).isEqualTo(1);
        assertThat(database.budget.underWayBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = Format.class, names = "TEXT")
    void dataThatAreWrongGiveItBackToo(Format format) {
        endsBy(format, copying -> copying.says(data("\t\n")));
        endsBy(format, copying -> copying.says(data("\n"), new FrontendMessage.CopyDone()));
        database.fails("INSERT INTO t (\"A\") OVERRIDING SYSTEM VALUE VALUES (?)", ErrorCode.UNIQUE_VIOLATION);
        endsBy(format, copying -> copying.says(data("\n"), new FrontendMessage.CopyDone()));
    }
}
