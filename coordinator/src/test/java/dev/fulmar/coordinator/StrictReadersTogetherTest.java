package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.portal.PortalLimits;
import dev.fulmar.coordinator.portal.Portals;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.PartitionSnapshotRead;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.coordinator.transaction.SnapshotReadTask;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.time.HybridLogicalClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A strict reader that sees what another one holds back lets nothing behind it be heard of while any partition's clock
 * is behind its timestamp: the other reader, which does not see the one, could see there what somebody made who had
 * heard of the other.
 */
class StrictReadersTogetherTest {
    private static final int PARTITIONS = 3;
    private static final PartitionId LATE = new PartitionId(2);
    private static final long AHEAD_MICROS = 3_600_000_000L;

    private final SteppedDatabase database = new SteppedDatabase(PARTITIONS, Delaying::new);
    private final long[] keys = new long[PARTITIONS];
    private boolean delays;
    private @Nullable Runnable delayed;
    private final List<PartitionSnapshotRead> comers = new ArrayList<>();
    private int leavers;

    /** The way of a reader to the last partition is long. */
    private final class Delaying implements PartitionTransport {
        private final PartitionTransport way;

        Delaying(PartitionTransport way) {
            this.way = way;
        }

        @Override
        public void send(PartitionId partition, PartitionMessage message) {
            leavers += message instanceof SnapshotReadTask.Leave ? 1 : 0;
            boolean comes = delays && message instanceof SnapshotReadTask.Arrive;
            if (comes) {
                comers.add(((SnapshotReadTask) message).visit());
            }
            if (comes && delayed == null && partition.equals(LATE)) {
                delayed = () -> way.send(partition, message);
            } else {
                way.send(partition, message);
            }
        }
    }

    private void open() {
        SteppedDatabase.createBank(database.database, database::settle);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            long key = 1;
            while (database.database.configuration().plan().partitionOf(key) != partition) {
                key++;
            }
            keys[partition] = key;
        }
        database.open(0, keys);
        long ahead = HybridLogicalClock.ofMicros(database.time.wallMicros() + AHEAD_MICROS);
        for (int partition = 0; partition < LATE.number(); partition++) {
            database.database
                    .runtime(new PartitionId(partition))
                    .partition()
                    .timestamps()
                    .observe(ahead);
        }
        delays = true;
    }

    private List<TransactionResponse> strictly(int one, int other) {
        return submit(new TransactionRequest.AdHoc(
                0,
                0,
                0,
                ReadConsistency.STRICT,
                "SELECT SUM(balance) FROM account WHERE id IN (?, ?)",
                SteppedDatabase.list(keys[one], keys[other])));
    }

    private List<TransactionResponse> add(long amount, int partition) {
        return submit(new TransactionRequest.AdHoc(
                0,
                0,
                0,
                "UPDATE account SET balance = balance + ? WHERE id = ?",
                SteppedDatabase.list(amount, keys[partition])));
    }

    private List<TransactionResponse> submit(TransactionRequest request) {
        List<TransactionResponse> responses = new ArrayList<>();
        database.database.submit(request, SteppedDatabase.sink(responses));
        database.settle();
        return responses;
    }

    private void deliver() {
        Runnable message = delayed;
        assertThat(message).isNotNull();
        message.run();
        database.settle();
    }

    @Test
    void whatIsBehindAReaderIsNotHeardOfBeforeWhatItSees() {
        open();
        List<TransactionResponse> slow = strictly(0, 2);
        List<TransactionResponse> hidden = add(1, 0);
        List<TransactionResponse> quick = strictly(0, 1);
        assertThat(add(10, 1))
                .as("it waits for the quick reader, which waits for nobody")
                .hasSize(1);
        assertThat(add(100, 2)).as("it has heard of that").hasSize(1);
        assertThat(hidden).isEmpty();
        assertThat(quick).isEmpty();
        PartitionSnapshotRead elsewhere = comers.getLast();
        assertThat(elsewhere.partition()).isEqualTo(LATE);
        assertThat(elsewhere.isStrict())
                .as("it reads nothing there, so it need not hold anything back or wait for votes")
                .isFalse();
        assertThat(elsewhere.mayReadCopy())
                .as("only the primary's clock counts")
                .isFalse();
        assertThat(leavers).as("its reading may take long").isOne();

        deliver();
        assertThat(slow).singleElement().isInstanceOf(Committed.class);
        assertThat(SteppedDatabase.cell(slow.getFirst()))
                .as("the last without the first")
                .isNotEqualTo(100);
        assertThat(hidden).hasSize(1);
        assertThat(SteppedDatabase.cell(quick.getFirst())).isOne();
        assertThat(database.total()).isEqualTo(111);
    }

    /** It has read nothing when it registers, and holds nothing back from then on. */
    @Test
    void aPortalThatSeesWhatAnotherReaderHoldsBackHasAllPartitionsPass() {
        open();
        List<TransactionResponse> slow = strictly(0, 2);
        List<TransactionResponse> hidden = add(1, 0);
        ByteBudget memory = new ByteBudget(1 << 20);
        Portals portals = new Portals(
                database.database, database.database.portals(), database.time, PortalLimits.DEFAULT, memory);
        List<TransactionResponse> parts = new ArrayList<>();
        portals.open(
                1,
                10,
                new TransactionRequest.AdHoc(
                        0, 0, 0, "SELECT balance FROM account WHERE id = ?", SteppedDatabase.list(keys[0])),
                SteppedDatabase.sink(parts));
        database.settle();
        assertThat(comers.getLast().partition()).isEqualTo(LATE);
        assertThat(comers.getLast().isStrict()).isFalse();
        assertThat(parts).isEmpty();
        assertThat(hidden).isEmpty();
        assertThat(add(100, 2)).as("no reply waits for a portal").hasSize(1);

        deliver();
        assertThat(slow).singleElement().isInstanceOf(Committed.class);
        assertThat(hidden).hasSize(1);
        assertThat(SteppedDatabase.cell(parts.getFirst())).isOne();
        assertThat(portals.openPortals()).isZero();
    }

    @Test
    void aReaderThatSeesNothingOfTheKindComesOnlyWhereItReads() {
        open();
        strictly(0, 2);
        List<TransactionResponse> quick = strictly(0, 1);
        assertThat(SteppedDatabase.cell(quick.getFirst())).isZero();
        assertThat(comers).hasSize(4);
        deliver();
    }
}
