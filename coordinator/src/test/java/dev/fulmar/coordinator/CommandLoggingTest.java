package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.durability.log.RecordText;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.recovery.LogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What goes into the log instead of rows, and what a replay makes of it. */
class CommandLoggingTest {
    private static final NodeId NODE = new NodeId(0);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private SimulatedProcess process = world.startProcess(NODE);
    private List<CatalogChange> changes = changes("Stamp", "TimeStamp");

    private static List<CatalogChange> changes(String first, String second) {
        List<CatalogChange> changes = new ArrayList<>(BankSql.CHANGES.subList(0, 4));
        changes.add(stamp(first));
        changes.add(stamp(second));
        changes.add(SteppedDatabase.procedure("Valued", true));
        changes.add(SteppedDatabase.procedure("Insistence", true));
        changes.add(new CatalogChange.AlterProcedure("stamp", true));
        changes.add(new CatalogChange.AlterProcedure("stamp", false));
        return changes;
    }

    /** The procedure Stamp from one of several classes. */
    private static CatalogChange stamp(String className) {
        return new CatalogChange.CreateProcedure(
                new ProcedureDefinition(
                        "Stamp",
                        Optional.of(new ProcedureDefinition.Partitioning("ACCOUNT", "ID", 0)),
                        new ProcedureDefinition.JavaClass("dev.fulmar.coordinator.bank." + className, "")),
                true);
    }

    private SteppedDatabase start() {
        return new SteppedDatabase(
                DatabaseConfiguration.of(2, 2), new BankSql(changes), process.storage(), DurabilityMode.SYNC, 1L << 40);
    }

    private SteppedDatabase bank() {
        SteppedDatabase db = start();
        for (int change : new int[] {0, 1, 2, 3, 4, 6, 7}) {
            assertThat(db.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        db.open(1000, 1, 2, 3, 4);
        return db;
    }

    private SteppedDatabase restart() {
        losePower();
        return start();
    }

    private void losePower() {
        process.crash();
        process = world.startProcess(NODE);
    }

    /** Lines of the partitions' records whose text has the words. */
    private List<String> records(String words) {
        List<String> lines = new ArrayList<>();
        LogReader.scan(process.storage(), "log")
                .replay(stream -> stream >= 0, (record, segment, offset) -> lines.add(RecordText.of(record)));
        return lines.stream().filter(line -> line.contains(words)).toList();
    }

    @Test
    void aProvenProcedureIsLoggedAsItsCall() {
        SteppedDatabase db = bank();
        db.call("Transfer", 1L, 1L, 5L);
        losePower();
        assertThat(records("COMMAND")).singleElement().asString().contains("Transfer(1, 1, 5)");
        db = start();
        assertThat(db.balance(1)).isEqualTo(1000);
    }

    @Test
    void timeAndChanceAreThoseOfTheFirstRun() {
        SteppedDatabase db = bank();
        db.time.advance(123_456_789);
        long first = SteppedDatabase.value(db.call("Stamp", 1L));
        db.time.advance(1_000_000);
        long second = SteppedDatabase.value(db.call("Stamp", 2L));
        assertThat(first).isNotEqualTo(second);
        db = restart();
        assertThat(db.balance(1)).isEqualTo(first);
        assertThat(db.balance(2)).isEqualTo(second);
    }

    @Test
    void aRepeatedRequestFindsTheAnswerThatTheReplayMade() {
        SteppedDatabase db = bank();
        TransactionRequest request = SteppedDatabase.numbered(7, 1, "Stamp", 3L);
        long answer = SteppedDatabase.value(db.run(request));
        db = restart();
        db.time.advance(7_000_000); // executed anew, it would come to another number
        TransactionResponse again = db.run(request);
        assertThat(SteppedDatabase.value(again)).isEqualTo(answer);
        assertThat(db.balance(3)).isEqualTo(answer);
    }

    @Test
    void eachCallRunsTheEditionThatRanBefore() {
        SteppedDatabase db = bank();
        long early = SteppedDatabase.value(db.call("Stamp", 1L));
        assertThat(db.sql(BankSql.PREFIX + 5)).isInstanceOf(Committed.class);
        long late = SteppedDatabase.value(db.call("Stamp", 2L));
        db = restart();
        assertThat(db.balance(1)).isEqualTo(early);
        assertThat(db.balance(2)).isEqualTo(late);
        assertThat(SteppedDatabase.value(db.call("Stamp", 3L)))
                .as("the newest edition runs now")
                .isEqualTo(db.time.wallMicros());
    }

    @Test
    void whatIsMarkedOrFailedInsideIsLoggedByValue() {
        SteppedDatabase db = bank();
        assertThat(SteppedDatabase.value(db.call("Valued", 1L, 7L))).isEqualTo(1);
        assertThat(SteppedDatabase.value(db.call("Insistence", 2L, 8L)))
                .as("its first statement fails")
                .isEqualTo(1);
        assertThat(SteppedDatabase.value(db.call("Insistence", 9L, 9L))).isEqualTo(1);
        db.sql("UPDATE account SET balance = ? WHERE id = ?", 10L, 3L);
        losePower();
        assertThat(records("COMMAND")).singleElement().asString().contains("Insistence(9, 9)");
        db = start();
        assertThat(List.of(db.balance(1), db.balance(2), db.balance(9), db.balance(3)))
                .containsExactly(7L, 8L, 9L, 10L);
    }

    @Test
    void otherChangesThanBeforeEndTheRecovery() {
        SteppedDatabase db = bank();
        db.call("Stamp", 1L);
        changes = changes("TimeStamp", "TimeStamp");
        assertThatThrownBy(this::restart)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLAY_DIVERGED))
                .hasMessageContaining("log/segment-")
                .hasMessageContaining("offset")
                .hasMessageContaining("Stamp")
                .hasMessageContaining("digest");
    }

    @Test
    void aCallThatDoesNotCommitAgainEndsTheRecovery() {
        SteppedDatabase db = bank();
        db.call("Stamp", 1L);
        changes = changes("Refusal", "TimeStamp");
        assertThatThrownBy(this::restart)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.REPLAY_DIVERGED))
                .hasMessageContaining("did not commit again: no stamp for 1");
    }

    @Test
    void whatDoesSomethingElseWhenItIsRepeatedIsLoggedByValueAtOnceAndForEver() {
        changes = changes("CountingStamp", "TimeStamp");
        SteppedDatabase db = bank();
        long checkpoints = checkpoints(db);
        long answer = SteppedDatabase.value(db.call("Stamp", 1L));
        assertThat(db.balance(1)).as("it counts once").isEqualTo(answer).isEqualTo(2);
        assertThat(db.progress).anyMatch(line -> line.contains("Stamp") && line.contains("changed other rows"));
        assertThat(db.progress).noneMatch(line -> line.contains("could not be marked"));
        db.settle();
        assertThat(checkpoints(db)).isGreaterThan(checkpoints);
        assertThat(records("COMMAND")).isEmpty();
        db = restart();
        assertThat(db.balance(1)).isEqualTo(answer);
        assertThat(db.database.valueReasons("Stamp")).isNotEmpty();
        db.call("Stamp", 2L);
        assertThat(records("COMMAND")).isEmpty();
    }

    private static long checkpoints(SteppedDatabase db) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(db.database.durability()).checkpoints())
                .counters()
                .rounds();
    }

    @Test
    void someCallsAreRepeatedAndCountOnce() {
        SteppedDatabase db = bank();
        for (int call = 0; call < 10; call++) {
            db.time.advance(1_000_000);
            long answer = SteppedDatabase.value(db.call("Stamp", 1L));
            assertThat(db.balance(1)).isEqualTo(answer);
        }
        assertThat(db.progress).noneMatch(line -> line.contains("Stamp"));
        for (long other = 2; other <= 4; other++) {
            long before = db.balance(other);
            db.call("Transfer", 1L, other, 5L);
            assertThat(db.balance(other)).isEqualTo(before + 5);
        }
        losePower();
        assertThat(records("Stamp(1)")).hasSize(10);
        assertThat(records("Transfer(1, ")).isNotEmpty();
    }

    @Test
    void aProcedureThatIsAlteredIsLoggedByValueFromThenOn() {
        SteppedDatabase db = bank();
        assertThat(db.sql(BankSql.PREFIX + 8)).isInstanceOf(Committed.class);
        long balance = SteppedDatabase.value(db.call("Stamp", 1L));
        db = restart();
        assertThat(db.balance(1)).isEqualTo(balance);
        long later = SteppedDatabase.value(db.call("Stamp", 2L));
        assertThat(records("COMMAND")).isEmpty();
        assertThat(db.sql(BankSql.PREFIX + 9)).isInstanceOf(Committed.class);
        db.call("Stamp", 3L);
        assertThat(records("COMMAND")).singleElement().asString().contains("Stamp(3)");
        db = restart();
        assertThat(db.balance(2)).isEqualTo(later);
    }
}
