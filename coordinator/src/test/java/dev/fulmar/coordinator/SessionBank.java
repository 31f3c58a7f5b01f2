package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.session.SessionLimits;
import dev.fulmar.coordinator.session.Sessions;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A bank of six accounts with 100 each, and clients with sessions. In the end no session may be open. */
abstract class SessionBank {
    static final String READ = "SELECT balance FROM account WHERE id = ?";
    static final String SET = "UPDATE account SET balance = ? WHERE id = ?";
    static final String ADD = "UPDATE account SET balance = balance + ? WHERE id = ?";
    static final String INSERT = "INSERT INTO account VALUES (?, ?)";
    static final String DELETE = "DELETE FROM account WHERE id = ?";
    static final String TOTAL = "SELECT SUM(balance) FROM account";
    static final int LONGEST_WAIT_MILLIS = 1_500;
    static final SessionLimits LIMITS = new SessionLimits(20, 100_000, 5_000_000_000L, 60_000_000_000L, 2);

    static final int PARTITIONS = 3;

    final SteppedDatabase bank;
    final ByteBudget memory = new ByteBudget(1 << 20);
    final CountingRouter router = new CountingRouter();
    final Sessions sessions;
    private int clients;

    SessionBank() {
        bank = SteppedDatabase.withBank(configuration());
        sessions = new Sessions(
                router, bank.database.portals(), bank.time, bank.time, new SeededRandom(1), LIMITS, memory, 10);
    }

    /** A test of which one partition has all rows, and no client may ask what became of a COMMIT. */
    interface OnOnePartition {}

    /** How the database is made. Called before a subclass has fields. */
    DatabaseConfiguration configuration() {
        int partitions = this instanceof OnOnePartition ? 1 : PARTITIONS;
        return DatabaseConfiguration.of(partitions, partitions);
    }

    /** Whether clients may ask what became of a COMMIT. */
    boolean clientsAsk() {
        return !(this instanceof OnOnePartition);
    }

    /** Counts what sessions ask of the database. */
    final class CountingRouter implements TransactionRouter {
        int count;
        boolean isBroken;

        /** With which it refuses every request; null for none. */
        @Nullable ErrorCode refusal;

        /** Term of leadership of the partition that remembers the clients' transactions. */
        long term;

        /** Hears of what sessions ask before the database does. */
        Consumer<TransactionRequest.Script> before = script -> {};

        /** Hears of it when the database has it. */
        Consumer<TransactionRequest.Script> after = script -> {};

        @Override
        public void submit(TransactionRequest request, ResponseSink sink) {
            count++;
            if (request instanceof TransactionRequest.Script script) {
                before.accept(script);
            }
            ErrorCode code = refusal;
            if (code != null) {
                sink.respond(request, new TransactionResponse.Failed(code, "it is refused"));
                return;
            }
            if (isBroken) {
                throw new IllegalStateException("a defect");
            }
            bank.database.submit(request, sink);
            if (request instanceof TransactionRequest.Script script) {
                after.accept(script);
            }
        }

        @Override
        public void cancel(long clientId, long requestId) {
            bank.database.cancel(clientId, requestId);
        }

        @Override
        public long term(long clientId) {
            return term;
        }

        @Override
        public void departed(ResponseSink sink) {
            bank.database.departed(sink);
        }
    }

    /** A client with one transaction after another. */
    final class Client implements ResponseSink {
        private final long id = ++clients;
        final List<TransactionResponse> answers = new ArrayList<>();
        long requests;
        long transaction;
        boolean isGone;
        boolean hasMemory = true;
        private boolean asksForOutcomes = clientsAsk();
        Runnable atAnswer = () -> {};

        @Override
        public boolean reserve(TransactionRequest request, long bytes) {
            return hasMemory;
        }

        @Override
        public void respond(TransactionRequest request, TransactionResponse response) {
            assertThat(request).isInstanceOf(TransactionRequest.AdHoc.class);
            answers.add(response);
            atAnswer.run();
        }

        @Override
        public boolean isGone() {
            return isGone;
        }

        @Override
        public boolean asksForOutcomes() {
            return asksForOutcomes;
        }

        Client asking() {
            asksForOutcomes = true;
            return this;
        }

        @Override
        public String origin() {
            return "client " + id;
        }

        Client begin() {
            return begin("BEGIN");
        }

        Client begin(String sql) {
            transaction++;
            assertThat(run(sql)).isInstanceOf(Committed.class);
            return this;
        }

        void send(String sql, Object... parameters) {
            sessions.execute(transaction, request(++requests, sql, parameters), this);
        }

        TransactionRequest.AdHoc request(long number, String sql, Object... parameters) {
            return new TransactionRequest.AdHoc(id, number, 0, sql, SteppedDatabase.list(parameters));
        }

        TransactionResponse run(String sql, Object... parameters) {
            int before = answers.size();
            send(sql, parameters);
            bank.settle();
            for (int i = 0; i < LONGEST_WAIT_MILLIS && answers.size() == before; i++) { // it may queue for a row
                bank.time.advance(1_000_000);
                bank.settle();
            }
            assertThat(answers).as("an answer to " + sql).hasSize(before + 1);
            return answers.getLast();
        }

        long read(long account) {
            return SteppedDatabase.cell(run(READ, account));
        }

        void fails(ErrorCode code, String sql, Object... parameters) {
            assertThat(SteppedDatabase.code(run(sql, parameters))).as(sql).isEqualTo(code);
        }

        void changes(String sql, Object... parameters) {
            assertThat(SteppedDatabase.value(run(sql, parameters))).as(sql).isEqualTo(1);
        }

        void commits() {
            assertThat(run("COMMIT")).isInstanceOf(Committed.class);
        }

        /** Cancels what was sent last. */
        void cancels() {
            sessions.cancel(id, requests);
            bank.settle();
        }

        void leaves() {
            isGone = true;
            sessions.departed(this);
            bank.settle();
        }
    }

    /** Readers of snapshots that are registered at partitions. */
    long readers() {
        bank.settle();
        return IntStream.range(0, bank.database.runtimes().all().size())
                .mapToLong(p ->
                        bank.database.figures().partition(p).snapshotsActive.get())
                .sum();
    }

    /** Bytes of versions that partitions keep for readers. */
    long heldVersions() {
        bank.settle();
        return bank.database.runtimes().all().stream()
                .mapToLong(runtime -> runtime.storage().undoLog().heldBytes())
                .sum();
    }

    @BeforeEach
    void openAccounts() {
        for (long id = 0; id < 6; id++) {
            bank.sql(INSERT, id, 100L);
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(sessions.openTransactions()).isZero();
        assertThat(readers()).isZero();
        assertThat(heldVersions()).isZero();
        assertThat(bank.database.figures().liveTransactions()).isZero();
        assertThat(sessions.takenBytes()).isZero();
    }
}
