package dev.fulmar.pmemlog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.SeededRandom;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy.Reason;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a checkpointer does when. */
class CheckpointerTest {
    private static final long SECOND = 1_000_000_000;

    private final SimulatedProcess process = new SimulatedWorld(1).startProcess(new NodeId(0));
    private final Storage storage = process.storage();
    private final SeededRandom random = new SeededRandom(1);

    @Test
    void nothingIsPublishedBeforeTheLogIsDurable() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        fixture.durable = false;
        fixture.checkpoint();
        assertThat(fixture.published).isEmpty();
        assertThat(CheckpointFixture.load(storage, random)).isEmpty();
        fixture.durable = true;
        fixture.run();
        assertThat(fixture.published).hasSize(1);
    }

    @Test
    void theLogIsReleasedOneCheckpointLater() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        fixture.put(1, 10, 1);
        fixture.checkpoint();
        assertThat(fixture.released).isEmpty();
        fixture.put(1, 10, 2);
        fixture.checkpoint();
        assertThat(fixture.released).containsExactly(new CheckpointPosition(1, 0, 1, 0));
    }

    @Test
    void itBeginsByItselfWhenTheLogHasGrown() {
        CheckpointPolicy policy = new CheckpointPolicy(1000, 500, 2 * SECOND, 400);
        assertThat(policy.due(0, 0)).isEqualTo(Reason.NONE);
        assertThat(policy.due(1000, 0)).isEqualTo(Reason.LOG_SIZE);
        assertThat(policy.due(10, 500)).isEqualTo(Reason.DIRTY_MEMORY);
        assertThat(policy.due(800, 0)).isEqualTo(Reason.RECOVERY_TIME);
        assertThatThrownBy(() -> new CheckpointPolicy(0, 1, 1, 1)).isInstanceOf(FulmarException.class);
        CheckpointFixture fixture =
                new CheckpointFixture(storage, process.clock(), random, CheckpointFixture.SETTINGS, policy);
        fixture.put(1, 10, 1);
        fixture.run();
        assertThat(fixture.published).isEmpty();
        fixture.logBytes = 1000;
        fixture.run();
        assertThat(fixture.published).hasSize(1);
        assertThat(fixture.checkpointer().lastReason()).isEqualTo(Reason.LOG_SIZE);
        fixture.run();
        assertThat(fixture.published).hasSize(1);
    }

    /** Rows of changing sizes, for ever: the files stay as large as what is alive needs. */
    @Test
    void spaceIsUsedAgain() throws IOException {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        long most = 0;
        for (int round = 0; round < 400; round++) {
            int size = round % 100 < 50 ? 50 : 700;
            for (int change = 0; change < 8; change++) {
                fixture.put(random.nextInt(40), size + random.nextInt(300), round);
            }
            fixture.checkpoint();
            long bytes = 0;
            for (String name : storage.list("checkpoint")) {
                try (Storage.StorageFile file = storage.open("checkpoint/" + name)) {
                    bytes += name.equals("superblock") ? 0 : file.size();
                }
            }
            most = Math.max(most, bytes);
        }
        assertThat(most).isLessThan(200_000);
        assertThat(fixture.checkpointer().counters().clogBytes()).isGreaterThan(1_000_000);
        CheckpointCounters counters = fixture.checkpointer().counters();
        assertThat(counters.superseded()).isPositive();
        assertThat(counters.writtenBack()).isPositive();
    }

    /** Rows that are written again and again never reach the master heap. */
    @Test
    void hotRowsAreNotWrittenBack() {
        CheckpointFixture fixture = new CheckpointFixture(storage, process.clock(), random);
        for (int round = 0; round < 100; round++) {
            for (int row = 0; row < 4; row++) {
                fixture.put(row, 100, round);
            }
            fixture.checkpoint();
        }
        CheckpointCounters counters = fixture.checkpointer().counters();
        assertThat(counters.rowImages()).isEqualTo(400);
        assertThat(counters.writtenBack()).isZero();
        assertThat(counters.superseded()).isGreaterThan(300);
    }

    @Test
    void realFilesHoldIt(@TempDir Path directory) throws IOException {
        FileStorage files = new FileStorage(directory);
        CheckpointFixture fixture = new CheckpointFixture(files, process.clock(), random);
        for (int round = 0; round < 10; round++) {
            for (int row = 0; row < 20; row++) {
                fixture.put(row, 100 + 100 * row, round);
            }
            fixture.checkpoint();
        }
        fixture.close();
        assertThat(CheckpointFixture.same(fixture.rows(), CheckpointFixture.load(files, random)))
                .isTrue();
    }
}
