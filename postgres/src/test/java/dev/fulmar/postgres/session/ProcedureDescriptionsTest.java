package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.describe;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.message.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Statements that call procedures: their columns may be known only when they have run. */
class ProcedureDescriptionsTest {
    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    /** The description of the portal waits for what it is executed with. */
    @Test
    void columnsThatOnlyTheExecutionTellsAreDescribedThen() {
        database.yieldsUntold("CALL p()", 2);

        assertThat(client.says(parse("", "CALL p()"), bind("", ""), describe(Target.PORTAL, "")))
                .containsExactly("ParseComplete", "BindComplete");
        assertThat(client.says(execute("", 0), sync()))
                .containsExactly("columns id:23", "row 1", "row 2", "CALL", "ready I");
        assertThat(database.asked).containsExactly("0: CALL p()");
    }

    @Test
    void theyAreDescribedOnceWhereThePortalPauses() {
        database.yieldsUntold("CALL p()", 2);

        assertThat(client.says(
                        parse("", "CALL p()"),
                        bind("", ""),
                        describe(Target.PORTAL, ""),
                        execute("", 1),
                        execute("", 0),
                        sync()))
                .containsExactly(
                        "ParseComplete",
                        "BindComplete",
                        "columns id:23",
                        "row 1",
                        "PortalSuspended",
                        "row 2",
                        "CALL",
                        "ready I");
    }

    /** Answers keep the order of their messages. */
    @Test
    void aStatementThatIsBoundAndExecutedBehindIsDescribedByItsRows() {
        database.yieldsUntold("CALL p()", 1);
        client.says(parse("s", "CALL p()"), sync());

        assertThat(client.says(describe(Target.STATEMENT, "s"))).isEmpty();
        assertThat(client.says(bind("", "s"))).isEmpty();
        assertThat(client.says(execute("", 0))).containsExactly("parameters []");
        assertThat(client.says(sync())).containsExactly("columns id:23", "BindComplete", "row 1", "CALL", "ready I");
        assertThat(client.says(bind("", "s"), execute("", 0), sync()))
                .containsExactly("BindComplete", "row 1", "CALL", "ready I");
    }

    @Test
    void aStatementThatIsExecutedElsewhereIsNotDescribed() {
        database.yieldsUntold("CALL p()", 1);
        client.says(parse("s", "CALL p()"), parse("r", "CALL p()"), sync());

        assertThat(client.says(describe(Target.STATEMENT, "s"), bind("", "r"), execute("", 0), sync()))
                .containsExactly("ERROR 0A000", "ready I");
        assertThat(client.says(describe(Target.STATEMENT, "s"), bind("", "s"), execute("other", 0), sync()))
                .containsExactly("ERROR 0A000", "ready I");
        assertThat(client.says(bind("", "s"), execute("", 0), sync()))
                .containsExactly("BindComplete", "row 1", "CALL", "ready I");
    }

    @Test
    void aPortalWithoutRowsIsDescribedAtItsEnd() {
        database.untold("CALL p()");

        assertThat(client.says(
                        parse("", "CALL p()"), bind("", ""), describe(Target.PORTAL, ""), execute("", 0), sync()))
                .containsExactly("ParseComplete", "BindComplete", "NoData", "CALL", "ready I");
    }

    @Test
    void aDescriptionWithoutAnExecutionIsRefused() {
        database.yieldsUntold("CALL p()", 2);

        assertThat(client.says(parse("s", "CALL p()"), describe(Target.STATEMENT, "s"), sync()))
                .containsExactly("ParseComplete", "ERROR 0A000", "ready I");
        assertThat(client.says(bind("", "s"), describe(Target.PORTAL, ""), sync()))
                .containsExactly("BindComplete", "ERROR 0A000", "ready I");
        assertThat(database.asked).isEmpty();
    }

    @Test
    void aFailedExecutionTakesThePlaceOfItsDescription() {
        database.untold("CALL p()");
        database.fails("CALL p()", ErrorCode.USER_ABORT);

        assertThat(client.says(
                        parse("", "CALL p()"), bind("", ""), describe(Target.PORTAL, ""), execute("", 0), sync()))
                .containsExactly("ParseComplete", "BindComplete", "ERROR 45000", "ready I");
    }

    /** A procedure that runs anew in parts would do twice what it does. */
    @Test
    void aLargeResultOfAProcedureIsNotReadInParts() {
        database.fails("SELECT * FROM p()", ErrorCode.RESULT_TOO_LARGE);

        assertThat(client.asks("SELECT * FROM p()")).containsExactly("ERROR 54000", "ready I");
        assertThat(database.asked).containsExactly("0: SELECT * FROM p()");
    }

    @Test
    void anArrayThatAProcedureTakesIsInferred() {
        database.descriptions.put(
                "CALL p(?, ?)",
                new StatementDescription(
                        List.of(),
                        List.of(ColumnType.of(TypeKind.BIGINT), ColumnType.of(TypeKind.INTEGER)),
                        List.of(1),
                        true,
                        false,
                        1));

        assertThat(client.says(parse("s", "CALL p($2, $1)"), describe(Target.STATEMENT, "s"), sync()))
                .containsExactly("ParseComplete", "parameters [1007, 20]", "NoData", "ready I");
    }
}
