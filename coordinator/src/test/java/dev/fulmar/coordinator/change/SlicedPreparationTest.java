package dev.fulmar.coordinator.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.SteppedPartition;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.TableAlteration;
import dev.fulmar.engine.partition.CommandLog;
import dev.fulmar.engine.partition.CommitGate;
import dev.fulmar.engine.partition.LeadershipGuard;
import dev.fulmar.engine.partition.PartitionExecutor;
import dev.fulmar.engine.partition.ReplyBatch;
import dev.fulmar.engine.partition.ReplyOutlet;
import dev.fulmar.engine.partition.TurnListener;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What is prepared of a table counts on being told of every change of its rows. Where another node leads the partition
 * nobody tells it: the log of that one brings the rows, or a copy of them is loaded.
 */
class SlicedPreparationTest {
    private static final long VERSION = 2;
    private static final ColumnType BIGINT = ColumnType.of(TypeKind.BIGINT);

    private final SteppedPartition here = new SteppedPartition();
    private final PartitionStorage storage = here.storage;
    private final PartitionRuntime runtime = here.runtime;
    private final PartitionExecutor executor = new PartitionExecutor(
            here.partition,
            CommandLog.none(),
            CommitGate.open(new ReplyOutlet(new ReplyBatch())),
            LeadershipGuard.alwaysLeads(),
            TurnListener.none());
    private final List<Optional<FulmarException>> ends = new ArrayList<>();
    private boolean leads = true;

    @AfterEach
    void giveBack() {
        here.close();
    }

    /** A column more for a table that is there. */
    private StorageStep conversion() {
        CatalogEdit created = CatalogEdit.of(
                new CatalogChange.CreateTable(
                        "T",
                        List.of(new Column("ID", BIGINT, false, null)),
                        List.of("ID"),
                        Optional.empty(),
                        List.of(),
                        Presence.STRICT),
                Catalog.empty());
        storage.createTable(created.catalog().table("T"));
        CatalogEdit altered = CatalogEdit.of(
                new CatalogChange.AlterTable(
                        "T",
                        Presence.STRICT,
                        Optional.of(created.catalog().table("T")),
                        new TableAlteration.AddColumn(
                                new Column("X", BIGINT, true, null),
                                List.of(),
                                List.of(),
                                List.of(),
                                Presence.STRICT,
                                new TableAlteration.DefaultTime.Any())),
                created.catalog());
        return SlicedPreparation.of(altered.steps()).orElseThrow();
    }

    private void ended(@Nullable FulmarException failure) {
        ends.add(Optional.ofNullable(failure));
    }

    private void prepare() {
        new SlicedPreparation(List.of(runtime), conversion(), VERSION, number -> leads, this::ended).start();
        executor.run(10);
    }

    @Test
    void itBeginsWhereThePartitionIsLed() {
        prepare();
        assertThat(storage.preparation()).isNotNull();
        assertThat(ends).containsExactly(Optional.empty());
    }

    @Test
    void itBeginsNowhereElse() {
        leads = false; // since it was asked for
        prepare();
        assertThat(storage.preparation()).isNull();
        assertThat(ends)
                .singleElement()
                .satisfies(end -> assertThat(end.orElseThrow().code()).isEqualTo(ErrorCode.TRANSACTION_RESTART));
    }

    /**
     * The log of a partition that is led here since a moment ago may be further than what transactions know. The table
     * may have another id by then.
     */
    @Test
    void nothingIsPreparedWhereItIsMade() {
        runtime.storageStands(VERSION);
        prepare();
        assertThat(storage.preparation()).isNull();
        assertThat(ends).containsExactly(Optional.empty());
    }

    @Test
    void itGoesWhenAnotherNodeLeads() {
        prepare();
        runtime.deposed();
        assertThat(storage.preparation()).isNull();
    }
}
