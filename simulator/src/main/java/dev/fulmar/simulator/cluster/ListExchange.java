package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.simulator.campaign.Replies;
import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Wish;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction that reads lists and appends to them. It computes the places of what it appends from what it has read.
 */
final class ListExchange extends SessionExchange {
    private static final int ROLL_BACK_ONE_IN = 8;
    private static final int SAVEPOINT_ONE_IN = 4;
    private static final int BURST_ONE_IN = 3;
    private static final int LOCK_ONE_IN = 3;
    private static final String READ = "SELECT v FROM entry WHERE k = ? ORDER BY n";
    private static final String LENGTH = "SELECT COUNT(*) FROM entry WHERE k = ?";
    private static final String FIRST = "SELECT v FROM entry WHERE k = ? AND n = 0 FOR UPDATE";
    private static final String APPEND = "INSERT INTO entry (k, n, v) VALUES (?, ?, ?)";

    private final Wish.Transact wish;
    private final boolean rollsBack;
    private final boolean bursts;
    private final boolean locks;
    private final List<Long> lengths = new ArrayList<>();
    private int locked;
    private int reads;
    private int appends;

    ListExchange(SessionClient client, Wish.Transact wish) {
        super(client, wish);
        this.wish = wish;
        this.rollsBack = random().nextInt(ROLL_BACK_ONE_IN) == 0;
        this.bursts = !rollsBack && random().nextInt(BURST_ONE_IN) == 0;
        this.locks = random().nextInt(LOCK_ONE_IN) == 0;
    }

    @Override
    void goOn() {
        if (locks && locked < wish.appends().length) {
            send(FIRST, this::locked, wish.appends()[locked++]);
        } else if (reads < wish.reads().length) {
            long key = wish.reads()[reads++];
            send(counting(READ), done -> read(key, done), key);
        } else if (bursts) {
            burst();
        } else if (appends < wish.appends().length) {
            append(appends++);
        } else if (rollsBack) {
            rollBack();
        } else {
            commit();
        }
    }

    private void locked(Committed done) {
        cluster().probes().reached(SessionPath.QUEUED.name());
        think();
    }

    private void read(long key, Committed done) {
        List<Long> values = new ArrayList<>();
        Replies.decode(done).tables().getFirst().forEach(row -> values.add(row[0]));
        did(new Operation.ReadList(key, values));
        think();
    }

    /** Asks for all lengths, and sends all that is appended, and the COMMIT, without waiting for answers. */
    private void burst() {
        if (lengths.size() < wish.appends().length) {
            long key = wish.appends()[lengths.size()];
            send(
                    counting(LENGTH),
                    done -> {
                        lengths.add(first(done));
                        burst();
                    },
                    key);
            return;
        }
        for (int i = 0; i < wish.appends().length; i++) {
            long key = wish.appends()[i];
            long value = wish.values()[i];
            did(new Operation.Append(key, value));
            sendAhead(APPEND, key, lengths.get(i), value);
        }
        commit();
    }

    private void append(int which) {
        long key = wish.appends()[which];
        long value = wish.values()[which];
        boolean wavers = random().nextInt(SAVEPOINT_ONE_IN) == 0;
        send(
                counting(LENGTH),
                done -> {
                    long length = first(done);
                    Runnable appends = () -> send(
                            APPEND,
                            appended -> {
                                did(new Operation.Append(key, value));
                                think();
                            },
                            key,
                            length,
                            value);
                    if (wavers) {
                        waver(key, length, value, appends);
                    } else {
                        appends.run();
                    }
                },
                key);
    }

    /** Appends something that nobody is to see, and takes it back. */
    private void waver(long key, long length, long value, Runnable then) {
        send(
                "SAVEPOINT before",
                set -> send(APPEND, appended -> send("ROLLBACK TO before", back -> then.run()), key, length, -value));
    }
}
