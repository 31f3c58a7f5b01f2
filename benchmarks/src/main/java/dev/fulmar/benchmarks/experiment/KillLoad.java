package dev.fulmar.benchmarks.experiment;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a node that is killed again and again know: which appends, which updates over all partitions, and which changes
 * of the catalog were acknowledged. It is compared with what the node has after each restart.
 */
final class KillLoad {
    static final int APPENDERS = 4;
    private static final int PAIRS = 16;
    private static final int WINDOW = 32;

    private final List<Appender> appenders = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long updatesAcknowledged;
    private boolean updateUnknown;
    private long acknowledged;
    private @Nullable String table;
    private @Nullable String dropped;
    private int life;

    /** One client's numbers: those below the base are known to be there or not; above it, those in the set were acknowledged. */
    private static final class Appender {
        private final int id;
        private final ReentrantLock lock = new ReentrantLock();
        private final BitSet acknowledged = new BitSet();
        private long presentBelowBase;
        private int base;
        private int next;

        Appender(int id) {
            this.id = id;
        }

        void acknowledged(int number) {
            lock.lock();
            try {
                acknowledged.set(number - base);
            } finally {
                lock.unlock();
            }
        }
    }

    KillLoad() {
        for (int id = 0; id < APPENDERS; id++) {
            appenders.add(new Appender(id));
        }
    }

    static void create(FulmarClient client) {
        client.execute(
                "CREATE TABLE kill_log (appender BIGINT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (appender, n))");
        client.execute("PARTITION TABLE kill_log ON COLUMN appender");
        client.execute("CREATE TABLE kill_pair (id BIGINT NOT NULL PRIMARY KEY, v BIGINT NOT NULL)");
        client.execute("PARTITION TABLE kill_pair ON COLUMN id");
        for (long id = 0; id < PAIRS; id++) {
            client.call("KILL_PAIR.insert", id, 0L);
        }
    }

    List<String> problems() {
        return problems;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** Loads the node until it is gone. The flag says that it is about to be killed, so failures are no news. */
    void run(FulmarClient client, AtomicBoolean killed) throws InterruptedException {
        life++;
        changeCatalog(client);
        List<Thread> threads = new ArrayList<>();
        for (Appender appender : appenders) {
            threads.add(Thread.ofPlatform().start(() -> append(client, appender, killed)));
        }
        threads.add(Thread.ofPlatform().start(() -> update(client, killed)));
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** A table for this life; the one of the life before goes. Whatever the kill leaves unanswered is not asked for later. */
    private void changeCatalog(FulmarClient client) {
        String before = table;
        String name = "kill_life_" + life;
        dropped = null;
        try {
            client.execute("CREATE TABLE " + name + " (id BIGINT NOT NULL PRIMARY KEY)");
            client.execute("INSERT INTO " + name + " VALUES (1)");
            table = name;
            if (before != null) {
                client.execute("DROP TABLE " + before);
                dropped = before;
            }
        } catch (FulmarException gone) {
            problemUnlessGone(gone);
        }
    }

    private void problemUnlessGone(FulmarException failure) {
        switch (failure.code()) {
            case OUTCOME_UNKNOWN, NOT_CONNECTED, NODE_STOPPING, TIMEOUT -> {}
            default -> problems.add("life " + life + ": " + failure.code() + ": " + failure.getMessage());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the handler takes every outcome
    private static void append(FulmarClient client, Appender appender, AtomicBoolean killed) {
        Semaphore window = new Semaphore(WINDOW);
        while (!killed.get()) {
            window.acquireUninterruptibly();
            int number = appender.next++;
            client.callAsync("KILL_LOG.insert", (long) appender.id, (long) number)
                    .whenComplete((result, failure) -> {
                        if (failure == null) {
                            appender.acknowledged(number);
                        } else {
                            killed.set(true);
                        }
                        window.release();
                    });
        }
        window.acquireUninterruptibly(WINDOW);
    }

    private void update(FulmarClient client, AtomicBoolean killed) {
        while (!killed.get()) {
            try {
                CallResult result = client.execute("UPDATE kill_pair SET v = v + 1");
                if (result.longValue() == PAIRS) {
                    updatesAcknowledged++;
                }
            } catch (FulmarException gone) {
                updateUnknown = true;
                return;
            }
        }
    }

    /** Compares what the restarted node has with what was acknowledged. */
    void check(FulmarClient client) {
        for (Appender appender : appenders) {
            checkAppender(client, appender);
        }
        checkPairs(client);
        String present = table;
        if (present != null && longOf(client, "SELECT COUNT(*) FROM " + present) != 1) {
            problems.add("life " + life + ": table " + present + " has lost its row");
        }
        String gone = dropped;
        if (gone != null && exists(client, gone)) {
            problems.add("life " + life + ": table " + gone + " is back");
        }
    }

    private void checkAppender(FulmarClient client, Appender appender) {
        long below =
                longOf(client, "SELECT COUNT(*) FROM kill_log WHERE appender = ? AND n < ?", (long) appender.id, (long)
                        appender.base);
        if (below != appender.presentBelowBase) {
            problems.add("life " + life + ": appender " + appender.id + " had " + appender.presentBelowBase
                    + " rows after an earlier restart and has " + below);
        }
        BitSet present = new BitSet();
        ResultTable rows = client.execute(
                        "SELECT n FROM kill_log WHERE appender = ? AND n >= ?", (long) appender.id, (long)
                                appender.base)
                .table();
        while (rows.next()) {
            present.set((int) rows.getLong(0) - appender.base);
        }
        acknowledged += appender.acknowledged.cardinality();
        BitSet lost = (BitSet) appender.acknowledged.clone();
        lost.andNot(present);
        if (!lost.isEmpty()) {
            problems.add("life " + life + ": appender " + appender.id + " has lost " + lost.cardinality()
                    + " acknowledged rows, the first " + (appender.base + lost.nextSetBit(0)));
        }
        if (present.length() > appender.next - appender.base) {
            problems.add("life " + life + ": appender " + appender.id + " has rows that nobody sent");
        }
        appender.presentBelowBase = below + present.cardinality();
        appender.base = appender.next;
        appender.acknowledged.clear();
    }

    private void checkPairs(FulmarClient client) {
        long least = longOf(client, "SELECT MIN(v) FROM kill_pair");
        long most = longOf(client, "SELECT MAX(v) FROM kill_pair");
        long rows = longOf(client, "SELECT COUNT(*) FROM kill_pair");
        if (least != most || rows != PAIRS) {
            problems.add("life " + life + ": an update over all partitions is torn: " + rows + " rows from " + least
                    + " to " + most);
        }
        if (least < updatesAcknowledged || most > updatesAcknowledged + (updateUnknown ? 1 : 0)) {
            problems.add("life " + life + ": " + updatesAcknowledged + " updates were acknowledged and " + least
                    + " are there");
        }
        acknowledged += updatesAcknowledged;
        updatesAcknowledged = most;
        acknowledged -= updatesAcknowledged;
        updateUnknown = false;
    }

    private static boolean exists(FulmarClient client, String name) {
        try {
            client.execute("SELECT COUNT(*) FROM " + name);
            return true;
        } catch (FulmarException unknown) {
            return false;
        }
    }

    private static long longOf(FulmarClient client, String query, Object... parameters) {
        ResultTable result = client.execute(query, parameters).table();
        result.next();
        return result.getLong(0);
    }
}
