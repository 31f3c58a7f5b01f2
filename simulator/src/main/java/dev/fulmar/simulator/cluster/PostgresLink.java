package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.postgres.Answer;
import dev.fulmar.simulator.postgres.Driver;
import dev.fulmar.simulator.postgres.Question;
import dev.fulmar.simulator.postgres.ServerEnd;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.SqlState;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection of PostgreSQL's protocol. Its bytes travel in pieces, in their order; one that does not arrive ends all,
 * as nothing behind it can be read.
 */
final class PostgresLink implements SessionLink {
    private static final int MOST_NOTICE_NANOS = 50_000_000;
    private static final int MOST_PIECES = 3;
    private static final int FEW_ROWS = 2;

    private final SimulatedCluster cluster;
    private final FaultInjector faults;
    private final RandomSource random;
    private final SimulatedNode node;
    private final int life;
    private final long clientId;
    private final Driver driver;
    private final TreeMap<Long, Hearing> waiting = new TreeMap<>();
    private @Nullable ServerEnd server;
    private long lastQuestion;
    private long lastArrivalNanos;
    private long lastReturnNanos;

    /** A piece has been lost. */
    private boolean isCut;

    private boolean isGone;

    /** Hears the answer to a question, or that none comes. */
    interface Hearing {
        void answered(Answer answer);

        void lost();
    }

    PostgresLink(SimulatedCluster cluster, FaultInjector faults, RandomSource random, NodeId to) {
        this.cluster = cluster;
        this.faults = faults;
        this.random = random;
        this.node = cluster.node(to);
        this.life = node.life();
        this.clientId = random.nextLong() | 1;
        this.driver = new Driver(this::travel, what -> cluster.violation("over PostgreSQL's protocol: " + what));
        driver.begin();
    }

    @Override
    public NodeId node() {
        return node.node();
    }

    @Override
    public boolean isGone() {
        return isGone;
    }

    @Override
    public boolean answersQuestions() {
        return false;
    }

    private long travelNanos() {
        return 1L + random.nextInt(cluster.scenario().maxTravelNanos());
    }

    private void travel(byte[] bytes) {
        int from = 0;
        for (int piece = random.nextInt(MOST_PIECES); piece > 0 && from < bytes.length; piece--) {
            int to = from + random.nextInt(bytes.length - from);
            travelAsOne(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
        travelAsOne(Arrays.copyOfRange(bytes, from, bytes.length));
    }

    private void travelAsOne(byte[] piece) {
        long now = cluster.world().nowNanos();
        lastArrivalNanos = Math.max(lastArrivalNanos + 1, now + travelNanos());
        cluster.world().schedule(lastArrivalNanos - now, "bytes of a client travel", () -> {
            if (!node.takesClients() || node.life() != life) {
                breaks();
            } else if (!isGone && passes()) {
                node.process().execute(0, "bytes of a client", () -> end().take(piece));
            }
        });
    }

    private boolean passes() {
        isCut |= !faults.isReached(node.node());
        return !isCut;
    }

    private ServerEnd end() {
        ServerEnd known = server;
        if (known == null) {
            known = new ServerEnd(
                    node.postgres(),
                    clientId,
                    task -> node.process().execute(0, "a session goes on", task),
                    this::comesBack,
                    this::closes);
            server = known;
        }
        return known;
    }

    private void comesBack(byte[] piece) {
        returns("bytes of a server travel", () -> {
            if (passes()) {
                node.process().execute(0, "bytes have arrived", end()::arrived);
                driver.take(piece);
            }
        });
    }

    private void closes() {
        returns("a server closes a connection", this::breaks);
    }

    private void returns(String what, Runnable then) {
        long now = cluster.world().nowNanos();
        lastReturnNanos = Math.max(lastReturnNanos + 1, now + travelNanos());
        cluster.world().schedule(lastReturnNanos - now, what, () -> {
            if (!isGone) {
                then.run();
            }
        });
    }

    @Override
    public void breaks() {
        if (isGone) {
            return;
        }
        isGone = true;
        ServerEnd known = server;
        if (known != null && node.takesClients() && node.life() == life) {
            node.process().execute(0, "departure", known::leave);
        }
        driver.close();
        TreeMap<Long, Hearing> left = new TreeMap<>(waiting);
        waiting.clear();
        left.values().forEach(this::loses);
    }

    private void loses(Hearing hearing) {
        cluster.world().schedule(random.nextInt(MOST_NOTICE_NANOS), "a session's connection breaks", hearing::lost);
    }

    /** Asks; the answer comes within the client's patience, or never. */
    void ask(Question question, Hearing hearing) {
        if (isGone) {
            loses(hearing);
            return;
        }
        long number = ++lastQuestion;
        waiting.put(number, hearing);
        driver.ask(question, answer -> {
            if (waiting.remove(number, hearing)) {
                hearing.answered(answer);
            }
        });
        cluster.world().schedule(cluster.scenario().patienceNanos(), "a client waits for its statement", () -> {
            if (waiting.containsKey(number)) {
                breaks();
            }
        });
    }

    /** Statements as a Query, or as extended ones up to one Sync. */
    Question question(Question.Statement... statements) {
        List<Question.Statement> all = List.of(statements);
        return switch (random.nextInt(3)) {
            case 0 -> new Question.Simple(all);
            case 1 -> new Question.Extended(all, false, rowLimit(all));
            default -> new Question.Extended(all, true, rowLimit(all));
        };
    }

    /** Within a transaction a query may be read a few rows at a time. */
    private int rowLimit(List<Question.Statement> statements) {
        boolean mayBe = statements.size() == 1
                && statements.getFirst().sql().startsWith("SELECT")
                && driver.status() == TransactionStatus.IN_TRANSACTION;
        return mayBe && random.nextInt(2) == 0 ? FEW_ROWS : 0;
    }

    @Override
    public void send(
            long transaction,
            TransactionRequest.AdHoc request,
            long[] arguments,
            long patienceNanos,
            Listener listener) {
        String sql = request.sql();
        ask(question(new Question.Statement(sql, arguments)), new Hearing() {
            @Override
            public void answered(Answer answer) {
                Diagnostic error = answer.error();
                if (error != null) {
                    listener.refused(code(error), error.message());
                } else if (sql.equals("COMMIT")
                        && !answer.results().getFirst().tag().equals("COMMIT")) {
                    listener.refused(ErrorCode.FAILED_TRANSACTION, "COMMIT has rolled a failed transaction back");
                } else {
                    listener.answered(answer.results().getFirst().rows());
                }
            }

            @Override
            public void lost() {
                listener.lost();
            }
        });
    }

    /** The code of an error, or the first of those that have the same SQLSTATE for PostgreSQL's clients. */
    static ErrorCode code(Diagnostic error) {
        if (error.sqlState().equals(SqlState.of(ErrorCode.TIMEOUT))) {
            return ErrorCode.TIMEOUT;
        }
        return Arrays.stream(ErrorCode.values())
                .filter(code -> SqlState.of(code).equals(error.sqlState()))
                .findFirst()
                .orElse(ErrorCode.INTERNAL);
    }
}
