package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.verify.Operation;
import dev.fulmar.simulator.workload.Wish;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A transaction that reads lists and appends to them. It computes the places of what it appends from what it has read.
 */
final class ListExchange extends SessionExchange {
    private static final int ROLL_BACK_ONE_IN = 8;
    private static final int SAVEPOINT_ONE_IN = 4;
    private static final int BURST_ONE_IN = 3;
    private static final int LOCKS_OF = 9;
    private static final String READ = "SELECT v FROM entry WHERE k = ? ORDER BY n";
    private static final String LENGTH = "SELECT COUNT(*) FROM entry WHERE k = ?";
    private static final String FIRST = "SELECT v FROM entry WHERE k = ? AND n = 0 FOR UPDATE";
    private static final String TAIL = "SELECT COUNT(*) FROM entry WHERE k = ? AND n >= 0 FOR UPDATE";
    private static final String SPAN = "SELECT COUNT(*) FROM entry WHERE k BETWEEN ? AND ? FOR UPDATE";
    private static final String APPEND = "INSERT INTO entry (k, n, v) VALUES (?, ?, ?)";

    /** The leases for which it asks first. */
    private enum Locks {
        NOTHING,
        /** The first rows of the lists to which it appends, which may not be there. */
        ROWS,
        /** These lists, each as a range of one partition. */
        LISTS,
        /** All lists from the first of these to the last, wherever they are. */
        SPAN
    }

    private final Wish.Transact wish;
    private final boolean rollsBack;
    private final boolean bursts;
    private final Locks locks;
    private final List<Long> lengths = new ArrayList<>();
    private int locked;
    private int reads;
    private int appends;

    ListExchange(SessionClient client, Wish.Transact wish) {
        super(client, wish);
        this.wish = wish;
        this.rollsBack = random().nextInt(ROLL_BACK_ONE_IN) == 0;
        this.bursts = !rollsBack && random().nextInt(BURST_ONE_IN) == 0;
        this.locks = switch (random().nextInt(LOCKS_OF)) {
            case 0 -> Locks.ROWS;
            case 1 -> Locks.LISTS;
            case 2 -> Locks.SPAN;
            default -> Locks.NOTHING;
        };
    }

    @Override
    void goOn() {
        if (locks != Locks.NOTHING && locked < wish.appends().length) {
            lock();
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

    private void lock() {
        switch (locks) {
            case LISTS -> send(TAIL, done -> locked(SessionPath.QUEUED_FOR_RANGE), wish.appends()[locked++]);
            case SPAN -> {
                locked = wish.appends().length;
                long least = Arrays.stream(wish.appends()).min().orElseThrow();
                long greatest = Arrays.stream(wish.appends()).max().orElseThrow();
                send(SPAN, done -> locked(SessionPath.QUEUED_FOR_SPAN), least, greatest);
            }
            case ROWS, NOTHING -> send(FIRST, done -> locked(SessionPath.QUEUED), wish.appends()[locked++]);
        }
    }

    private void locked(SessionPath path) {
        cluster().probes().reached(path.name());
        think();
    }

    private void read(long key, List<long[]> done) {
        List<Long> values = new ArrayList<>();
        done.forEach(row -> values.add(row[0]));
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
