package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.portal.PortalLimits;
import dev.fulmar.coordinator.portal.Portals;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.CallLimits;
import dev.fulmar.coordinator.transaction.SliceLimits;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Results that clients fetch in parts. In the end nothing of them is left, here nor at the partitions. */
class PortalTest {
    private static final String ALL = "SELECT id, balance FROM account";
    private static final String ORDERED = ALL + " ORDER BY 1";
    private static final int ACCOUNTS = 60;
    private static final int PARTITIONS = 3;
    private static final long IDLE_NANOS = 60_000_000_000L;
    private static final int MAX_RESULT_BYTES = 4000;

    private final SteppedDatabase bank = SteppedDatabase.withBank(DatabaseConfiguration.of(PARTITIONS, PARTITIONS)
            .withCalls(new CallLimits(30_000_000_000L, BudgetLimits.DEFAULT, MAX_RESULT_BYTES, 1 << 20, false)
                    .withSlices(new SliceLimits(1_000_000, 5))));
    private final ByteBudget memory = new ByteBudget(1 << 20);
    private final Portals portals = portals(new PortalLimits(IDLE_NANOS, 1 << 20, 3, 4));
    private int clients;

    private Portals portals(PortalLimits limits) {
        return new Portals(bank.database, bank.database.portals(), bank.time, limits, memory);
    }

    /** A client with one portal after another. */
    private final class Client implements ResponseSink {
        private final Portals door;
        private final long id = ++clients;
        private final List<TransactionResponse> answers = new ArrayList<>();
        private long requests;
        private boolean isGone;
        private boolean hasMemory = true;

        Client(Portals door) {
            this.door = door;
        }

        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            answers.add(response);
        }

        @Override
        public boolean reserve(TransactionRequest request, long bytes) {
            return hasMemory;
        }

        @Override
        public boolean isGone() {
            return isGone;
        }

        void sendOpen(long number, int rows, String sql, Object... parameters) {
            door.open(number, rows, query(sql, parameters), this);
        }

        private TransactionRequest.AdHoc query(String sql, Object... parameters) {
            return new TransactionRequest.AdHoc(id, ++requests, 0, sql, SteppedDatabase.list(parameters));
        }

        void sendFetch(long number, int rows) {
            door.fetch(number, rows, query(""), this);
        }

        TransactionResponse open(long number, int rows, String sql, Object... parameters) {
            sendOpen(number, rows, sql, parameters);
            return answer();
        }

        TransactionResponse fetch(long number, int rows) {
            sendFetch(number, rows);
            return answer();
        }

        TransactionResponse close(long number) {
            door.close(number, query(""), this);
            return answer();
        }

        private TransactionResponse answer() {
            for (int i = 0; i < 100 && answers.isEmpty(); i++) {
                bank.settle();
                bank.time.advance(100_000);
            }
            assertThat(answers).hasSize(1);
            return answers.removeFirst();
        }

        void fails(ErrorCode code, String text, TransactionResponse response) {
            assertThat(response).isInstanceOfSatisfying(Failed.class, failed -> {
                assertThat(failed.code()).as(failed.message()).isEqualTo(code);
                assertThat(failed.message()).contains(text);
            });
        }

        void leaves() {
            isGone = true;
            door.departed(this);
            bank.settle();
        }
    }

    @BeforeEach
    void openAccounts() {
        for (long id = 0; id < ACCOUNTS; id++) {
            bank.sql("INSERT INTO account VALUES (?, ?)", id, 100L);
        }
    }

    @AfterEach
    void nothingIsLeft() {
        bank.settle();
        assertThat(portals.openPortals()).isZero();
        assertThat(memory.underWayBytes()).isZero();
        assertThat(bank.database.figures().liveTransactions()).isZero();
        assertThat(readers()).isZero();
        assertThat(heldVersions()).isZero();
    }

    private long readers() {
        return partitions()
                .map(p -> bank.database
                        .figures()
                        .partition((int) p)
                        .snapshotsActive
                        .get())
                .sum();
    }

    private long heldVersions() {
        return partitions()
                .map(p -> bank.database
                        .runtimes()
                        .all()
                        .get((int) p)
                        .storage()
                        .undoLog()
                        .heldBytes())
                .sum();
    }

    private static LongStream partitions() {
        return LongStream.range(0, PARTITIONS);
    }

    private static List<Long> ids(TransactionResponse part) {
        assertThat(part).isInstanceOf(Committed.class);
        byte[] rows = ((Committed) part).results();
        ResultBlock block = new ResultBlock().wrap(rows, 0, rows.length);
        List<Long> ids = new ArrayList<>();
        while (block.next()) {
            ids.add(block.getLong(0));
            assertThat(block.getLong(1)).isEqualTo(100);
        }
        return ids;
    }

    private static boolean hasMore(TransactionResponse part) {
        return ((Committed) part).value() == 1;
    }

    private static List<Long> everybody() {
        return LongStream.range(0, ACCOUNTS).boxed().toList();
    }

    private void changeEverything() {
        for (long id = 0; id < ACCOUNTS; id++) {
            assertThat(SteppedDatabase.value(bank.sql("UPDATE account SET balance = ? WHERE id = ?", 5L, id)))
                    .isEqualTo(1);
            if (id % 3 == 0) {
                bank.sql("DELETE FROM account WHERE id = ?", id);
            }
            bank.sql("INSERT INTO account VALUES (?, ?)", 1000 + id, 100L);
        }
    }

    @Test
    void rowsComeInPartsAndAreThoseOfTheBeginning() {
        Client client = new Client(portals);
        TransactionResponse part = client.open(1, 7, ALL);
        List<Long> found = new ArrayList<>(ids(part));
        assertThat(found).hasSize(7);
        assertThat(portals.openPortals()).isEqualTo(1);
        assertThat(memory.underWayBytes()).isPositive();
        changeEverything();
        long snapshot = ((Committed) part).snapshot();
        assertThat(snapshot).isPositive();
        int parts = 1;
        while (hasMore(part)) {
            part = client.fetch(1, 7);
            assertThat(ids(part)).hasSizeLessThanOrEqualTo(7);
            assertThat(((Committed) part).snapshot()).isEqualTo(snapshot);
            found.addAll(ids(part));
            parts++;
        }
        assertThat(parts).isEqualTo(ACCOUNTS / 7 + 1);
        assertThat(found).containsExactlyInAnyOrderElementsOf(everybody());
        client.fails(ErrorCode.PORTAL_ENDED, "no portal", client.fetch(1, 7));
        assertThat(portals.opened()).isEqualTo(1);
    }

    @Test
    void nothingIsReadThatIsNotFetched() {
        Client client = new Client(portals);
        client.open(1, 1, ALL);
        long slices = slices();
        bank.time.advance(IDLE_NANOS / 2);
        bank.settle();
        assertThat(slices()).isEqualTo(slices);
        assertThat(readers()).isEqualTo(PARTITIONS);
        int left = PARTITIONS;
        for (int i = 1; i < ACCOUNTS; i++) { // a partition is left with its last row
            client.fetch(1, 1);
            assertThat(readers()).isLessThanOrEqualTo(left);
            left = (int) readers();
        }
        assertThat(left).isEqualTo(1);
        assertThat(hasMore(client.fetch(1, 1))).isFalse();
    }

    private long slices() {
        return partitions()
                .map(p -> bank.database
                        .figures()
                        .partition((int) p)
                        .snapshotSlices
                        .get())
                .sum();
    }

    @Test
    void manyPortalsGoOnBesideEachOther() {
        Client one = new Client(portals);
        Client other = new Client(portals);
        List<Long> found = new ArrayList<>(ids(one.open(1, 10, ALL)));
        List<Long> foundToo = new ArrayList<>(ids(other.open(1, 25, ALL)));
        List<Long> foundAsWell = new ArrayList<>(ids(one.open(2, 40, ALL)));
        for (int i = 0; i < 5; i++) {
            found.addAll(ids(one.fetch(1, 10)));
        }
        found.addAll(ids(one.fetch(1, 1)));
        foundToo.addAll(ids(other.fetch(1, 100)));
        foundAsWell.addAll(ids(one.fetch(2, 100)));
        assertThat(found).containsExactlyInAnyOrderElementsOf(everybody());
        assertThat(foundToo).containsExactlyInAnyOrderElementsOf(everybody());
        assertThat(foundAsWell).containsExactlyInAnyOrderElementsOf(everybody());
    }

    @Test
    void aPartEndsWithTheRowThatReachesItsBytes() {
        Client client = new Client(portals(new PortalLimits(IDLE_NANOS, 150, 3, 3)));
        TransactionResponse part = client.open(1, 1000, ALL);
        List<Long> found = new ArrayList<>(ids(part));
        assertThat(found).hasSizeBetween(1, 8);
        while (hasMore(part)) {
            part = client.fetch(1, 1000);
            found.addAll(ids(part));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(everybody());
        client = new Client(portals(new PortalLimits(IDLE_NANOS, 1, 3, 3)));
        for (int i = 0; i < ACCOUNTS; i++) { // not even the header fits, and there is a row in each part nevertheless
            assertThat(ids(i == 0 ? client.open(1, 10, ALL) : client.fetch(1, 10)))
                    .hasSize(1);
        }
        assertThat(hasMore(client.fetch(1, 10))).isFalse();
    }

    @Test
    void aRowOfOneKeyComesAtOnce() {
        Client client = new Client(portals);
        TransactionResponse part = client.open(1, 5, "SELECT id, balance FROM account WHERE id = ?", 7L);
        assertThat(ids(part)).containsExactly(7L);
        assertThat(hasMore(part)).isFalse();
        assertThat(ids(client.open(2, 5, "SELECT id, balance FROM account WHERE id = ?", 70L)))
                .isEmpty();
        assertThat(hasMore(client.open(3, 1, "SELECT id, balance FROM account WHERE id = ?", 7L)))
                .isTrue();
        assertThat(readers()).as("it is at its own partition only").isOne();
        assertThat(ids(client.fetch(3, 1))).isEmpty();
    }

    @Test
    void rowsThatAreMergedAreHeldAndTheSnapshotIsNot() {
        Client client = new Client(portals);
        TransactionResponse part = client.open(1, 25, ORDERED);
        List<Long> found = new ArrayList<>(ids(part));
        assertThat(found).hasSize(25);
        assertThat(readers()).isZero();
        assertThat(bank.database.figures().liveTransactions()).isZero();
        assertThat(memory.underWayBytes()).isGreaterThan(16 << 10);
        changeEverything();
        while (hasMore(part)) {
            part = client.fetch(1, 25);
            found.addAll(ids(part));
        }
        assertThat(found).isEqualTo(everybody());
        client.open(2, 25, ORDERED);
        assertThat(client.close(2)).isEqualTo(Committed.DONE);
    }

    @Test
    void moreThanCanBeMergedIsRefusedAndMoreThanThatIsStreamed() {
        for (long id = ACCOUNTS; id < 5L * ACCOUNTS; id++) {
            bank.sql("INSERT INTO account VALUES (?, ?)", id, 100L);
        }
        Client client = new Client(portals);
        client.fails(ErrorCode.RESULT_TOO_LARGE, "put together", client.open(1, 25, ORDERED));
        client.fails(ErrorCode.PORTAL_ENDED, "open it again", client.fetch(1, 25));
        int found = 0;
        TransactionResponse part = client.open(2, 25, ALL);
        for (; hasMore(part); part = client.fetch(2, 25)) {
            found += ids(part).size();
        }
        assertThat(found + ids(part).size()).isEqualTo(5 * ACCOUNTS);
    }

    @Test
    void aResultThatPortalsHaveNoRoomForIsRefused() {
        memory.takeAlways((1 << 20) - (16 << 10) - 700); // enough for a portal, and not for its result
        Client client = new Client(portals);
        client.fails(ErrorCode.SERVER_BUSY, "portals.memory-limit", client.open(1, 25, ORDERED));
        memory.takeAlways(700);
        client.fails(ErrorCode.SERVER_BUSY, "portals.memory-limit", client.open(2, 25, ALL));
        memory.giveBack((1 << 20) - (16 << 10));
    }

    @Test
    void aPortalThatIsNotFetchedFromEnds() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        changeEverything();
        assertThat(heldVersions()).isPositive();
        bank.time.advance(IDLE_NANOS - 20_000_000);
        bank.settle();
        client.fetch(1, 5);
        bank.time.advance(IDLE_NANOS - 20_000_000);
        bank.settle();
        assertThat(portals.timedOut()).isZero();
        bank.time.advance(20_000_000);
        bank.settle();
        assertThat(portals.timedOut()).isEqualTo(1);
        assertThat(readers()).isZero();
        assertThat(heldVersions()).isZero();
        client.fails(ErrorCode.PORTAL_ENDED, "portals.idle-timeout", client.fetch(1, 5));
        assertThat(portals.openPortals()).isZero();
        client.open(2, 5, ORDERED); // nor is one forgotten whose client never asks
        bank.time.advance(IDLE_NANOS);
        bank.settle();
        assertThat(portals.openPortals()).isEqualTo(1);
        bank.time.advance(IDLE_NANOS);
        bank.settle();
        assertThat(portals.openPortals()).isZero();
    }

    @Test
    void aPortalEndsWithItsConnection() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        client.open(2, 5, ORDERED);
        changeEverything();
        client.leaves();
        assertThat(portals.openPortals()).isZero();
        Client gone = new Client(portals);
        gone.isGone = true;
        gone.sendOpen(1, 5, ALL);
        bank.settle();
        Client leaving = new Client(portals);
        leaving.sendOpen(1, 5, ALL); // it leaves while the part is read
        leaving.leaves();
    }

    @Test
    void aPortalIsClosed() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        changeEverything();
        assertThat(client.close(1)).isEqualTo(Committed.DONE);
        bank.settle();
        assertThat(heldVersions()).isZero();
        assertThat(client.close(1)).isEqualTo(Committed.DONE);
        client.sendOpen(2, 5, ALL);
        assertThat(client.door).isSameAs(portals);
        portals.close(2, client.query(""), client); // before its first part is there
        bank.settle();
        assertThat(client.answers).hasSize(2);
        client.fails(ErrorCode.PORTAL_ENDED, "closed", client.answers.getFirst());
    }

    @Test
    void fetchesThatAreSentTogetherAreAnsweredInTheirOrder() {
        Client client = new Client(portals);
        client.sendOpen(1, 20, ALL);
        client.sendFetch(1, 20);
        client.sendFetch(1, 30);
        client.sendFetch(1, 20);
        for (int i = 0; i < 30; i++) {
            bank.settle();
            bank.time.advance(100_000);
        }
        assertThat(client.answers).hasSize(4);
        List<Long> found = new ArrayList<>();
        client.answers.subList(0, 3).forEach(part -> found.addAll(ids(part)));
        assertThat(found).containsExactlyInAnyOrderElementsOf(everybody());
        client.fails(ErrorCode.PORTAL_ENDED, "no portal", client.answers.getLast());
    }

    @Test
    void thereAreSoManyPortalsOnly() {
        Client client = new Client(portals);
        for (int number = 1; number <= 3; number++) {
            client.open(number, 1, ALL);
        }
        client.fails(ErrorCode.WRONG_PARAMETERS, "number of its own", client.open(3, 1, ALL));
        client.fails(ErrorCode.TOO_MANY_PORTALS, "portals.per-connection", client.open(4, 1, ALL));
        Client other = new Client(portals);
        other.open(1, 1, ALL);
        other.fails(ErrorCode.TOO_MANY_PORTALS, "portals.max-open", other.open(2, 1, ALL));
        client.close(2);
        assertThat(ids(other.open(2, 1, ALL))).hasSize(1);
        other.leaves();
        client.leaves();
    }

    @Test
    void fetchesBeyondTheBoundAreRefused() {
        Client client = new Client(portals);
        client.sendOpen(1, 1, ALL);
        for (int i = 0; i < 20; i++) {
            client.sendFetch(1, 1);
        }
        assertThat(client.answers).hasSize(4);
        client.fails(ErrorCode.TOO_MANY_PORTALS, "fetch the next part", client.answers.getFirst());
        client.leaves();
    }

    @Test
    void aSnapshotThatIsGivenUpEndsThePortal() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        bank.change(SteppedDatabase.table("OTHER")); // the tables are others, and the plan may not fit them
        client.fails(ErrorCode.SNAPSHOT_TOO_OLD, "open it again", client.fetch(1, 5));
        client.fails(ErrorCode.PORTAL_ENDED, "no portal", client.fetch(1, 5));
        assertThat(ids(client.open(2, 100, ALL))).hasSize(ACCOUNTS);
    }

    @Test
    void aPartThatFitsIntoNoReplyIsRefused() {
        for (long id = ACCOUNTS; id < 5L * ACCOUNTS; id++) {
            bank.sql("INSERT INTO account VALUES (?, ?)", id, 100L);
        }
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        client.fails(ErrorCode.RESULT_TOO_LARGE, "fetch fewer rows", client.fetch(1, 1000));
        client.fails(ErrorCode.PORTAL_ENDED, "no portal", client.fetch(1, 5));
        assertThat(new PortalLimits(1, 1 << 20, 2, 3).withPartsUpTo(100)).isEqualTo(new PortalLimits(1, 100, 2, 3));
        assertThat(new PortalLimits(1, 10, 2, 3).withPartsUpTo(100)).isEqualTo(new PortalLimits(1, 10, 2, 3));
    }

    @Test
    void aPartWithoutMemoryIsFetchedAgain() {
        Client client = new Client(portals);
        List<Long> found = new ArrayList<>(ids(client.open(1, 20, ALL)));
        client.hasMemory = false;
        client.fails(ErrorCode.SERVER_BUSY, "fetch it again", client.fetch(1, 20));
        client.hasMemory = true;
        found.addAll(ids(client.fetch(1, 100)));
        assertThat(found).containsExactlyInAnyOrderElementsOf(everybody());
    }

    @Test
    void aFetchThatTakesTooLongEndsThePortal() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        client.sendFetch(1, 5);
        bank.settleFibers(); // and no partition answers
        bank.time.advance(30_000_000_000L);
        client.fails(ErrorCode.TIMEOUT, "smaller parts", client.answer());
        client.fails(ErrorCode.PORTAL_ENDED, "no portal", client.fetch(1, 5));
    }

    @Test
    void aFetchIsCancelled() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        client.sendFetch(1, 5);
        portals.cancel(client.id, client.requests + 1);
        bank.settleFibers();
        assertThat(client.answers).isEmpty();
        portals.cancel(client.id, client.requests);
        client.fails(ErrorCode.CANCELLED, "cancelled", client.answer());
    }

    @Test
    void onlyQueriesHavePortals() {
        Client client = new Client(portals);
        client.fails(
                ErrorCode.NOT_SUPPORTED,
                "rows of a query",
                client.open(1, 5, "UPDATE account SET balance = ? WHERE id = ?", 1L, 1L));
        client.fails(ErrorCode.NOT_SUPPORTED, "rows of a query", client.open(2, 5, "EXPLAIN " + ALL));
        client.fails(ErrorCode.SYNTAX, "not understood", client.open(3, 5, "SELECT"));
        client.fails(
                ErrorCode.WRONG_PARAMETERS,
                "1 parameter",
                client.open(4, 5, "SELECT id, balance FROM account WHERE id = ?"));
        assertThat(bank.balance(1)).isEqualTo(100);
    }

    @Test
    void aStoppingDatabaseEndsItsPortals() {
        Client client = new Client(portals);
        client.open(1, 5, ALL);
        CompletableFuture<Void> stopped = bank.database.stop(IDLE_NANOS);
        for (int i = 0; i < 10; i++) {
            bank.settle();
            bank.time.advance(1_000_000);
        }
        assertThat(stopped).as("it waits for no client").isDone();
        client.fails(ErrorCode.NODE_STOPPING, "another node", client.fetch(1, 5));
        client.fails(ErrorCode.NODE_STOPPING, "another node", client.open(2, 5, ALL));
    }
}
