package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.CatalogChange.AlterTable;
import dev.fulmar.engine.catalog.CatalogChange.CreateTable;
import dev.fulmar.engine.catalog.CatalogChange.PartitionTable;
import dev.fulmar.engine.catalog.CatalogChange.Presence;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.TableAlteration.SetExpiry;
import dev.fulmar.engine.catalog.TablePartitioning;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rows that are too old go by themselves, a batch at a time, and no others. */
class ExpiryTest {
    private static final long SECOND = 1_000_000_000;
    private static final int PARTITIONS = 2;

    private static CatalogChange events(Optional<Expiry> expiry) {
        return new CreateTable(
                "EVENT",
                List.of(
                        new Column("ID", BIGINT, false, null),
                        new Column("BORN", ColumnType.of(TypeKind.TIMESTAMP), true, null)),
                List.of("ID"),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                expiry,
                new TablePartitioning.Unsaid(),
                Presence.STRICT);
    }

    private static void change(SteppedDatabase db, CatalogChange change) {
        assertThat(db.change(change)).isInstanceOf(Committed.class);
    }

    private static SteppedDatabase withEvents(Optional<Expiry> expiry) {
        SteppedDatabase db = new SteppedDatabase(PARTITIONS);
        change(db, events(expiry));
        change(db, new PartitionTable("EVENT", "ID"));
        return db;
    }

    private static void insert(SteppedDatabase db, int from, int to) {
        LocalDateTime now =
                LocalDateTime.ofInstant(Instant.ofEpochSecond(0, db.time.wallMicros() * 1000), ZoneOffset.UTC);
        for (long id = from; id < to; id++) {
            assertThat(db.call("EVENT.insert", id, now)).isInstanceOf(Committed.class);
        }
    }

    private static void insertWithoutTime(SteppedDatabase db, long id) {
        ParameterWriter parameters = new ParameterWriter(64, 1024);
        parameters.begin();
        parameters.addObject(id);
        parameters.addObject(null);
        parameters.end();
        TransactionRequest insert = new TransactionRequest.Call(0, 0, 0, "EVENT.insert", parameters.toByteArray());
        assertThat(db.run(insert)).isInstanceOf(Committed.class);
    }

    private static long rows(SteppedDatabase db) {
        return db.await(db.database.figures().tables()).stream()
                .mapToLong(TableContents::rows)
                .sum();
    }

    private static long expired(SteppedDatabase db) {
        long rows = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            rows += db.database.figures().partition(partition).expiredRows.get();
        }
        return rows;
    }

    private static void pass(SteppedDatabase db, long nanos) {
        for (long passed = 0; passed < nanos; passed += SECOND / 100) {
            db.time.advance(SECOND / 100);
            db.settle();
        }
    }

    private static Table table(SteppedDatabase db) {
        return db.database.catalog().table("EVENT");
    }

    private static void alter(SteppedDatabase db, Optional<Expiry> expiry) {
        change(db, new AlterTable("EVENT", Presence.STRICT, Optional.of(table(db)), new SetExpiry(expiry)));
    }

    @Test
    void rowsGoWhenTheyAreTooOldAndNotBefore() {
        SteppedDatabase db = withEvents(Optional.of(new Expiry("BORN", 10, 3)));
        insert(db, 0, 20);
        pass(db, 5 * SECOND);
        insert(db, 20, 30);
        insertWithoutTime(db, 99);
        pass(db, 4 * SECOND);
        assertThat(rows(db)).isEqualTo(31);
        pass(db, 3 * SECOND);
        assertThat(rows(db)).isEqualTo(11);
        assertThat(expired(db)).isEqualTo(20);
        pass(db, 5 * SECOND);
        assertThat(rows(db)).as("a row without a time stays").isEqualTo(1);
        assertThat(table(db).indexes()).extracting(Index::name).contains("EVENT_TTL");
    }

    @Test
    void aBatchIsTheMostThatGoesAtOnce() {
        SteppedDatabase db = withEvents(Optional.of(new Expiry("BORN", 10, 3)));
        insert(db, 0, 40);
        long before = 0;
        boolean hasGone = false;
        for (int step = 0; step < 20_000 && before < 40; step++) {
            db.time.advance(SECOND / 1000);
            db.settle();
            long now = expired(db);
            assertThat(now - before).isBetween(0L, 3L * PARTITIONS);
            hasGone |= now > before;
            before = now;
        }
        assertThat(hasGone).isTrue();
        assertThat(rows(db)).isZero();
    }

    @Test
    void aTableGetsAndLosesIt() {
        SteppedDatabase db = withEvents(Optional.empty());
        insert(db, 0, 10);
        assertThat(db.time.taskCount()).as("nothing ticks without need").isZero();
        pass(db, 20 * SECOND);
        assertThat(rows(db)).isEqualTo(10);
        alter(db, Optional.of(new Expiry("BORN", 60, 100)));
        pass(db, 5 * SECOND);
        assertThat(rows(db)).isEqualTo(10);
        alter(db, Optional.of(new Expiry("BORN", 10, 100)));
        pass(db, 2 * SECOND);
        assertThat(rows(db)).isZero();
        alter(db, Optional.empty());
        assertThat(table(db).indexes()).extracting(Index::name).doesNotContain("EVENT_TTL");
        insert(db, 0, 10);
        pass(db, 30 * SECOND);
        assertThat(rows(db)).isEqualTo(10);
        assertThat(db.time.taskCount()).isZero();
    }
}
