package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.checkpoint.CheckpointCounters;
import dev.fulmar.pmemlog.log.LogCounters;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A bank that runs so long that the log forgets its beginning. */
class CheckpointedBankTest {
    private static final int ACCOUNTS = 12;
    private static final long BALANCE = 1000;
    private static final int TRANSFERS = 1200;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private SimulatedProcess process = world.startProcess(new NodeId(0));

    private SteppedDatabase start() {
        return new SteppedDatabase(
                DatabaseConfiguration.of(3, 3), new BankSql(), process.storage(), DurabilityMode.SYNC);
    }

    private static long[] accounts() {
        long[] ids = new long[ACCOUNTS];
        for (int i = 0; i < ACCOUNTS; i++) {
            ids[i] = i;
        }
        return ids;
    }

    @Test
    void theLogForgetsWhatCheckpointsHave() throws IOException {
        SteppedDatabase db = start();
        for (int i = 0; i < 4; i++) {
            assertThat(db.sql("CHANGE " + i)).isInstanceOf(Committed.class);
        }
        db.open(BALANCE, accounts());
        Map<Long, Committed> answers = new HashMap<>();
        for (int life = 0; life < 3; life++) {
            for (int i = 0; i < TRANSFERS; i++) {
                long id = (long) life * TRANSFERS + i + 1;
                answers.put(id, (Committed) db.run(transfer(id)));
            }
            LogCounters log = Objects.requireNonNull(
                    Objects.requireNonNull(db.database.durability()).counters());
            CheckpointCounters checkpoints = Objects.requireNonNull(
                            db.database.durability().checkpoints())
                    .counters();
            assertThat(checkpoints.rounds()).isGreaterThan(10);
            assertThat(log.rotations()).isGreaterThan(30);
            assertThat(log.liveSegments()).isLessThan(10);
            assertThat(process.storage().list("log")).hasSizeLessThan(20);
            assertThat(process.storage().list("log-checkpoints")).hasSizeLessThan(30);
            process.crash();
            process = world.startProcess(new NodeId(0));
            db = start();
            assertThat(db.progress).anyMatch(line -> line.contains("from checkpoints"));
            assertThat(db.total()).isEqualTo(ACCOUNTS * BALANCE);
        }
        for (Map.Entry<Long, Committed> answer : answers.entrySet()) {
            TransactionResponse again = db.run(transfer(answer.getKey()));
            assertThat(again).isInstanceOf(Committed.class);
            assertThat(((Committed) again).value())
                    .as("request " + answer.getKey())
                    .isEqualTo(answer.getValue().value());
        }
        assertThat(db.failures).isEmpty();
        assertThat(db.progress).noneMatch(line -> line.contains("no more checkpoints"));
    }

    /** The same request for the same id, whenever it is asked for. */
    private static TransactionRequest transfer(long id) {
        return numbered(7, id, "Transfer", id % ACCOUNTS, id * 7 % ACCOUNTS, id % 9);
    }
}
