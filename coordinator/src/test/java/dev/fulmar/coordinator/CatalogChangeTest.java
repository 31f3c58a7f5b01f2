package dev.fulmar.coordinator;

import static dev.fulmar.coordinator.SteppedDatabase.code;
import static dev.fulmar.coordinator.SteppedDatabase.request;
import static dev.fulmar.coordinator.SteppedDatabase.sink;
import static dev.fulmar.coordinator.SteppedDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The catalog changes everywhere or nowhere, between transactions. Accounts 0 to 9 are on partition 0, the others on 1.
 */
class CatalogChangeTest {
    private final SteppedDatabase db =
            SteppedDatabase.withBank(DatabaseConfiguration.of(PartitionPlan.ranges(0, 10), 2));
    private final List<TransactionResponse> responses = new ArrayList<>();

    private static CatalogChange uniqueBalances() {
        return new CatalogChange.CreateIndex(
                "BALANCES",
                "ACCOUNT",
                IndexKind.ORDERED,
                true,
                List.of(new CatalogChange.NamedColumn("BALANCE", false), new CatalogChange.NamedColumn("ID", false)),
                CatalogChange.Presence.STRICT);
    }

    @Test
    void anIndexThatCannotBeBuiltOnOnePartitionIsBuiltNowhere() {
        db.change(new CatalogChange.CreateTable(
                "SALE",
                List.of(
                        new Column("ID", SteppedDatabase.BIGINT, false, null),
                        new Column("BALANCE", SteppedDatabase.BIGINT, true, null)),
                List.of(),
                Optional.empty(),
                List.of(),
                CatalogChange.Presence.STRICT));
        db.change(new CatalogChange.PartitionTable("SALE", "ID"));
        db.sql("INSERT INTO sale VALUES (?, ?)", 1L, 5L);
        db.sql("INSERT INTO sale VALUES (?, ?)", 11L, 5L);
        db.sql("INSERT INTO sale VALUES (?, ?)", 11L, 5L);
        Catalog before = db.database.catalog();
        CatalogChange unique = new CatalogChange.CreateIndex(
                "SALES",
                "SALE",
                IndexKind.HASH,
                true,
                List.of(new CatalogChange.NamedColumn("ID", false), new CatalogChange.NamedColumn("BALANCE", false)),
                CatalogChange.Presence.STRICT);
        assertThat(code(db.change(unique))).isEqualTo(ErrorCode.UNIQUE_VIOLATION);
        assertThat(db.database.catalog()).isSameAs(before);
        // With the index on partition 0 alone this insert would fail there.
        assertThat(value(db.sql("INSERT INTO sale VALUES (?, ?)", 1L, 5L))).isOne();
        assertThat(SteppedDatabase.cell(db.sql("SELECT SUM(balance) FROM sale")))
                .isEqualTo(20);
    }

    @Test
    void anIndexServesAfterwardsAndGoesWhenItIsDropped() {
        db.open(100, 1, 2, 11);
        assertThat(db.change(uniqueBalances())).isInstanceOf(Committed.class);
        assertThat(db.database.catalog().table("ACCOUNT").indexes()).hasSize(2);
        assertThat(value(db.call("Transfer", 1L, 11L, 30L))).isEqualTo(70);
        assertThat(db.change(new CatalogChange.DropIndex("BALANCES", CatalogChange.Presence.STRICT)))
                .isInstanceOf(Committed.class);
        assertThat(value(db.call("Transfer", 1L, 11L, 30L))).isEqualTo(40);
    }

    @Test
    void aTableWithRowsIsNotPartitioned() {
        db.change(SteppedDatabase.table("RATE"));
        db.sql("INSERT INTO rate VALUES (?, ?)", 1L, 5L);
        assertThat(code(db.change(new CatalogChange.PartitionTable("RATE", "ID"))))
                .isEqualTo(ErrorCode.NOT_SUPPORTED);
        assertThat(db.database.catalog().table("RATE").isReplicated()).isTrue();
        assertThat(SteppedDatabase.cell(db.sql("SELECT SUM(balance) FROM rate")))
                .isEqualTo(5);
        db.sql("DELETE FROM rate WHERE id = ?", 1L);
        assertThat(db.change(new CatalogChange.PartitionTable("RATE", "ID"))).isInstanceOf(Committed.class);
        assertThat(value(db.sql("INSERT INTO rate VALUES (?, ?)", 11L, 5L))).isOne();
    }

    @Test
    void aTableThatAProcedureUsesIsNotDropped() {
        db.open(100, 1);
        assertThat(code(db.change(new CatalogChange.DropTable("ACCOUNT", CatalogChange.Presence.STRICT))))
                .isEqualTo(ErrorCode.DEPENDENT_OBJECTS);
        assertThat(db.total()).isEqualTo(100);
        db.change(new CatalogChange.DropProcedure("Transfer", CatalogChange.Presence.STRICT));
        db.change(new CatalogChange.DropProcedure("OpenAccounts", CatalogChange.Presence.STRICT));
        assertThat(db.change(new CatalogChange.DropTable("ACCOUNT", CatalogChange.Presence.STRICT)))
                .isInstanceOf(Committed.class);
        assertThat(code(db.sql("SELECT SUM(balance) FROM account"))).isEqualTo(ErrorCode.UNKNOWN_OBJECT);
        assertThat(code(db.call("ACCOUNT.insert", 1L, 1L))).isEqualTo(ErrorCode.UNKNOWN_PROCEDURE);
    }

    @Test
    void requestsThatWaitedForAChangeRunWithTheNewCatalog() {
        db.open(100, 1, 2);
        CompletableFuture<TransactionResponse> changed = db.database.applyChange(uniqueBalances());
        db.settleFibers(); // both partitions are asked for their locks
        db.database.submit(request("Transfer", 1L, 2L, 10L), sink(responses));
        db.database.submit(request("Transfer", 1L, 11L, 10L), sink(responses));
        db.settle();
        assertThat(changed.join()).isInstanceOf(Committed.class);
        assertThat(responses).hasSize(2).allMatch(Committed.class::isInstance);
    }

    @Test
    void aDistributedCallInBetweenStartsAgainWithTheNewCatalog() {
        db.open(100, 1, 11);
        db.database.submit(request("Transfer", 1L, 11L, 10L), sink(responses));
        db.turn(0); // finds out that it needs partition 1; its control code is ready to run under the old catalog
        CompletableFuture<TransactionResponse> changed = db.database.applyChange(uniqueBalances());
        assertThat(db.await(changed)).isInstanceOf(Committed.class);
        assertThat(responses).hasSize(1).allMatch(response -> value(response) == 90);
        assertThat(db.total()).isEqualTo(200);
    }

    /** Lets every site do a turn, one after the other, and then the fibers. */
    private void round() {
        db.turn(0);
        db.turn(1);
        db.settleFibers();
    }

    private static CatalogChange drop(String procedure) {
        return new CatalogChange.DropProcedure(procedure, CatalogChange.Presence.STRICT);
    }

    @Test
    void aCallThatWaitedForAChangeDoesNotRunUnderTheProgramItWasRoutedBy() {
        db.open(100, 1, 2);
        CompletableFuture<TransactionResponse> changed = db.database.applyChange(drop("Transfer"));
        db.settleFibers(); // both partitions are asked for their locks
        db.database.submit(request("Transfer", 1L, 2L, 10L), sink(responses));
        db.settle();
        assertThat(changed.join()).isInstanceOf(Committed.class);
        assertThat(responses).hasSize(1).allMatch(response -> code(response) == ErrorCode.UNKNOWN_PROCEDURE);
        assertThat(db.balance(1)).isEqualTo(100);
    }

    @Test
    void nothingIsSpeculatedOnAChangeThatMayYetBeUndone() {
        db.open(100, 1, 2);
        CompletableFuture<TransactionResponse> changed = db.database.applyChange(drop("Transfer"));
        db.settleFibers();
        round(); // the locks are held
        round(); // the work is done
        db.database.submit(request("Transfer", 1L, 2L, 10L), sink(responses));
        db.turn(0); // partition 0 votes and has a call waiting
        assertThat(db.database.figures().partition(0).deferred.get()).isOne();
        assertThat(changed).isNotDone();
        db.settle();
        assertThat(db.database.figures().partition(0).speculated.get()).isZero();
        assertThat(changed.join()).isInstanceOf(Committed.class);
        assertThat(responses).hasSize(1).allMatch(response -> code(response) == ErrorCode.UNKNOWN_PROCEDURE);
        assertThat(db.balance(1)).isEqualTo(100);
    }

    /**
     * A partition that halts does no more slices of what is made ready for a change, and begins none; the next change
     * would wait behind it for good.
     */
    @Test
    void aChangeFailsWhereAPartitionHasHalted() {
        db.open(100, 1, 2, 11);
        CompletableFuture<TransactionResponse> begun = db.database.applyChange(uniqueBalances());
        db.settleFibers();
        halt(1);
        db.settle();
        assertThat(begun).isDone();
        assertThat(code(begun.join())).isEqualTo(ErrorCode.NODE_STOPPING);
        CompletableFuture<TransactionResponse> next = db.database.applyChange(uniqueBalances());
        db.settle();
        assertThat(next).isDone();
        assertThat(code(next.join())).isEqualTo(ErrorCode.NODE_STOPPING);
    }

    /** A reader of snapshots whose next slice never comes hears so. */
    @Test
    void aReaderIsTurnedAwayWhereAPartitionHalts() {
        db.open(100, LongStream.range(0, 4_000).toArray());
        db.database.submit(
                new TransactionRequest.AdHoc(0, 0, 0, "SELECT SUM(balance) FROM account", SteppedDatabase.list()),
                sink(responses));
        db.settleFibers();
        db.turn(1); // partition 1 reads its first slices
        db.turn(0);
        db.settleFibers();
        assertThat(responses).isEmpty();
        halt(1);
        db.settle();
        assertThat(responses).hasSize(1);
        assertThat(code(responses.getFirst())).as("%s", responses).isEqualTo(ErrorCode.NODE_STOPPING);
    }

    private void halt(int partition) {
        db.database.runtime(new PartitionId(partition)).partition().inbox().put((PartitionTask) halting -> {
            throw new IllegalStateException("broken");
        });
    }

    @Test
    void aFragmentThatWaitedForAChangeDoesNotRunUnderTheProgramItWasMadeFor() {
        CompletableFuture<TransactionResponse> changed = db.database.applyChange(drop("OpenAccounts"));
        db.settleFibers();
        db.database.submit(request("OpenAccounts", new long[] {1, 11}, 5L), sink(responses));
        db.settleFibers(); // its fragments wait behind the older change
        db.settle();
        assertThat(changed.join()).isInstanceOf(Committed.class);
        assertThat(responses).hasSize(1).allMatch(response -> code(response) == ErrorCode.UNKNOWN_PROCEDURE);
        assertThat(db.balance(1)).isEqualTo(-1);
        assertThat(db.balance(11)).isEqualTo(-1);
    }

    @Test
    void aRepeatedStatementThatChangesTheCatalogGetsTheFirstOutcome() {
        SteppedDatabase stepped = new SteppedDatabase(
                DatabaseConfiguration.of(PartitionPlan.ranges(0, 10), 2), new BankSql(), null, DurabilityMode.NONE);
        stepped.database.submit(statement(1, BankSql.PREFIX + 0), sink(responses));
        stepped.database.submit(statement(1, BankSql.PREFIX + 0), sink(responses)); // while the first is under way
        stepped.settle();
        stepped.database.submit(statement(1, BankSql.PREFIX + 0), sink(responses));
        stepped.settle();
        assertThat(responses).hasSize(3).allMatch(Committed.class::isInstance);
        stepped.database.submit(statement(2, BankSql.PREFIX + 0), sink(responses));
        stepped.settle();
        assertThat(code(responses.get(3))).isEqualTo(ErrorCode.OBJECT_EXISTS);
    }

    private static TransactionRequest statement(long requestId, String text) {
        return new TransactionRequest.AdHoc(7, requestId, 0, text, SteppedDatabase.list());
    }

    @Test
    void changesComeOneAfterTheOther() {
        List<CompletableFuture<TransactionResponse>> answers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(db.database.applyChange(SteppedDatabase.table("T" + i)));
        }
        answers.add(db.database.applyChange(SteppedDatabase.table("T3")));
        db.settle();
        for (int i = 0; i < 5; i++) {
            assertThat(answers.get(i).join()).isInstanceOf(Committed.class);
        }
        assertThat(code(answers.get(5).join())).isEqualTo(ErrorCode.OBJECT_EXISTS);
        assertThat(db.database.catalog().tables()).hasSize(6);
    }

    @Test
    void aJarThatIsNoneIsRefused() {
        CompletableFuture<TransactionResponse> answer = db.database.loadClasses(new byte[] {1, 2, 3});
        db.settle();
        assertThat(answer.join()).isNotNull();
        assertThat(db.database.catalog().procedures()).hasSize(2);
    }
}
