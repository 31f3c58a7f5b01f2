package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.simulator.postgres.Answer;
import dev.fulmar.simulator.postgres.Question;
import dev.fulmar.simulator.postgres.Question.Statement;
import dev.fulmar.simulator.verify.HistoryRecorder;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A transaction on lists, of a form that only PostgreSQL's clients have. It is statements that come together, a COPY,
 * or a transaction in which a statement fails. Nothing of what is to fail may ever be seen.
 */
final class PostgresExchange {
    private static final String READ = "SELECT v FROM entry WHERE k = ? ORDER BY n";
    private static final String LENGTH = "SELECT COUNT(*) FROM entry WHERE k = ?";
    private static final String APPEND =
            "INSERT INTO entry (k, n, v) SELECT CAST(? AS BIGINT), COUNT(*), CAST(? AS BIGINT) FROM entry WHERE k = ?";
    private static final String FAIL = "SELECT 1 / CAST(? AS BIGINT)";
    private static final String HARMLESS = "SELECT CAST(? AS BIGINT)";
    private static final String COPY = "COPY entry (k, n, v) FROM STDIN";
    private static final int FAIL_ONE_IN = 3;

    private final SessionClient client;
    private final SimulatedCluster cluster;
    private final Wish.Transact wish;
    private final PostgresLink over;
    private final HistoryRecorder.Pending record;
    private final List<Operation> operations = new ArrayList<>();

    PostgresExchange(SessionClient client, Wish.Transact wish, PostgresLink over) {
        this.client = client;
        this.cluster = client.cluster();
        this.wish = wish;
        this.over = over;
        this.record = client.recorder().invoke(client.number(), wish.writes());
    }

    void begin() {
        switch (client.random().nextInt(4)) {
            case 0 -> together(client.random().nextInt(FAIL_ONE_IN) == 0);
            case 1 -> lengths(0, new ArrayList<>(), client.random().nextInt(FAIL_ONE_IN) == 0);
            case 2 -> fails(false);
            default -> fails(true);
        }
    }

    private RandomSource random() {
        return client.random();
    }

    private Statement append(int which, boolean counts) {
        long key = wish.appends()[which];
        return new Statement(APPEND, key, counts ? wish.values()[which] : -wish.values()[which], key);
    }

    /** All reads and all changes come together: they are one transaction, which ends with them. */
    private void together(boolean fails) {
        List<Statement> statements = new ArrayList<>();
        for (long key : wish.reads()) {
            statements.add(new Statement(READ, key));
        }
        for (int i = 0; i < wish.appends().length; i++) {
            statements.add(append(i, true));
        }
        if (fails) {
            statements.add(random().nextInt(statements.size() + 1), new Statement(FAIL, 0));
        }
        ask(over.question(statements.toArray(Statement[]::new)), answer -> {
            checkStatus(answer, TransactionStatus.IDLE);
            Diagnostic error = answer.error();
            if (error == null) {
                reads(answer.results());
                appended();
                committed(SessionPath.IMPLICIT);
            } else if (fails && isDivision(error)) {
                cluster.probes().reached(SessionPath.IMPLICIT_FAILED.name());
                failed();
            } else {
                ended(error);
            }
        });
    }

    private void reads(List<Answer.Result> results) {
        for (int i = 0; i < wish.reads().length; i++) {
            List<Long> values = new ArrayList<>();
            results.get(i).rows().forEach(row -> values.add(row[0]));
            operations.add(new Operation.ReadList(wish.reads()[i], values));
        }
    }

    private void appended() {
        for (int i = 0; i < wish.appends().length; i++) {
            operations.add(new Operation.Append(wish.appends()[i], wish.values()[i]));
        }
    }

    /** A COPY by itself counts as a whole, or not at all: another one may have had one of its places. */
    private void lengths(int which, List<String> lines, boolean fails) {
        if (which == wish.appends().length) {
            copy(lines, fails);
            return;
        }
        long key = wish.appends()[which];
        ask(over.question(new Statement(LENGTH, key)), false, answer -> {
            checkStatus(answer, TransactionStatus.IDLE);
            Diagnostic error = answer.error();
            if (error != null) {
                checks(error);
                failed();
            } else {
                long length = answer.results().getFirst().rows().getFirst()[0];
                lines.add(key + "\t" + length + "\t" + wish.values()[which]);
                lengths(which + 1, lines, fails);
            }
        });
    }

    private void copy(List<String> lines, boolean fails) {
        if (lines.isEmpty()) {
            failed();
            return;
        }
        ask(new Question.Copy(COPY, lines, fails), answer -> {
            checkStatus(answer, TransactionStatus.IDLE);
            Diagnostic error = answer.error();
            if (error == null) {
                if (fails || !answer.results().getFirst().tag().equals("COPY " + lines.size())) {
                    cluster.violation("a COPY of " + lines + ", taken back: " + fails + ", is answered with "
                            + answer.results().getFirst().tag());
                }
                appended();
                committed(SessionPath.COPIED);
            } else if (error.sqlState().equals(ErrorCode.UNIQUE_VIOLATION.sqlState())
                    || (fails && PostgresLink.code(error) == ErrorCode.TIMEOUT)) {
                failed(); // 57014 is what a COPY that is taken back fails with
            } else {
                ended(error);
            }
        });
    }

    /** A statement fails between BEGIN and COMMIT. */
    private void fails(boolean recovers) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(new Statement("BEGIN"), TransactionStatus.IN_TRANSACTION));
        for (int i = 0; recovers && i < wish.appends().length; i++) {
            steps.add(new Step(append(i, true), TransactionStatus.IN_TRANSACTION));
        }
        if (recovers) {
            steps.add(new Step(new Statement("SAVEPOINT before"), TransactionStatus.IN_TRANSACTION));
        }
        for (int i = 0; i < wish.appends().length; i++) {
            steps.add(new Step(append(i, false), TransactionStatus.IN_TRANSACTION));
        }
        steps.add(new Step(new Statement(FAIL, 0), TransactionStatus.FAILED));
        steps.add(new Step(new Statement(HARMLESS, 1), TransactionStatus.FAILED));
        if (recovers) {
            steps.add(new Step(new Statement("ROLLBACK TO before"), TransactionStatus.IN_TRANSACTION));
            steps.add(new Step(new Statement(HARMLESS, 1), TransactionStatus.IN_TRANSACTION));
        }
        steps.add(new Step(new Statement("COMMIT"), TransactionStatus.IDLE));
        take(steps, 0, recovers);
    }

    /** @param then the state behind it */
    private record Step(Statement statement, TransactionStatus then) {}

    private void take(List<Step> steps, int next, boolean recovers) {
        Step step = steps.get(next);
        boolean isLast = next == steps.size() - 1;
        ask(over.question(step.statement()), isLast && recovers, answer -> {
            Diagnostic error = answer.error();
            boolean isMeant = step.then() == TransactionStatus.FAILED;
            if (error != null && isMeant) {
                boolean isRight = step.statement().sql().equals(FAIL)
                        ? isDivision(error)
                        : PostgresLink.code(error) == ErrorCode.FAILED_TRANSACTION;
                if (!isRight) {
                    leaves(error);
                    return;
                }
                checkStatus(answer, TransactionStatus.FAILED);
            } else if (error != null && isLast) {
                checkStatus(answer, TransactionStatus.IDLE);
                ended(error);
                return;
            } else if (error != null) {
                leaves(error);
                return;
            } else {
                checkStatus(answer, step.then());
            }
            if (!isLast) {
                client.think(() -> take(steps, next + 1, recovers));
            } else {
                atTheEnd(answer.results().getFirst().tag(), recovers);
            }
        });
    }

    private void atTheEnd(String tag, boolean recovers) {
        if (!tag.equals(recovers ? "COMMIT" : "ROLLBACK")) {
            cluster.violation("the COMMIT of a transaction in which a statement failed, and that went back to a"
                    + " savepoint: " + recovers + ", is answered with " + tag);
        }
        if (recovers) {
            appended();
            committed(SessionPath.RECOVERED);
        } else {
            cluster.probes().reached(SessionPath.COMMIT_ROLLED_BACK.name());
            failed();
        }
    }

    /** Something else has ended the transaction before its time. */
    private void leaves(Diagnostic error) {
        checks(error);
        ask(over.question(new Statement("ROLLBACK")), false, answer -> failed());
    }

    private static boolean isDivision(Diagnostic error) {
        return error.sqlState().equals(ErrorCode.DIVISION_BY_ZERO.sqlState());
    }

    private void checkStatus(Answer answer, TransactionStatus expected) {
        if (answer.status() != expected) {
            cluster.violation("a session of client " + client.number() + " is " + answer.status() + " and not "
                    + expected + " behind " + answer);
        }
    }

    private void checks(Diagnostic error) {
        client.check("a statement over PostgreSQL's protocol", PostgresLink.code(error), error.toString());
    }

    private void ask(Question question, Consumer<Answer> then) {
        ask(question, true, then);
    }

    /** @param mayCommit whether the transaction may be committed though no answer comes */
    private void ask(Question question, boolean mayCommit, Consumer<Answer> then) {
        over.ask(question, new PostgresLink.Hearing() {
            @Override
            public void answered(Answer answer) {
                then.accept(answer);
            }

            @Override
            public void lost() {
                if (mayCommit) {
                    unknown();
                } else {
                    failed();
                }
            }
        });
    }

    /** A commit has failed. */
    private void ended(Diagnostic error) {
        checks(error);
        if (SessionClient.mayBeCommitted(PostgresLink.code(error))) {
            unknown();
        } else {
            failed();
        }
    }

    private void committed(SessionPath path) {
        cluster.probes().reached(path.name());
        record.ok(operations, OptionalLong.empty());
        client.ledger().committed(wish);
        client.think(client::next);
    }

    private void unknown() {
        record.unknown();
        client.ledger().unknown(wish);
        client.think(client::next);
    }

    private void failed() {
        record.failed();
        client.think(client::next);
    }
}
