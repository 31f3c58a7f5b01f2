package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.Wish;
import dev.fulmar.wire.session.TransactionMode;
import java.util.List;

/**
 * A transaction that only reads: it adds up all money in two queries, and once more in the parts of a cursor. All must
 * be of one state, however long it thinks and whatever happens meanwhile.
 */
final class AuditExchange extends SessionExchange {
    private static final String LOWER = "SELECT COALESCE(SUM(balance), 0) FROM account WHERE id <= ?";
    private static final String UPPER = "SELECT COALESCE(SUM(balance), 0) FROM account WHERE id > ?";
    private static final String DECLARE = "DECLARE money CURSOR FOR SELECT id, balance FROM account";
    private static final String FETCH = "FETCH 3 FROM money";

    private final Mix mix;
    private long queried;
    private long fetched;
    private long accounts;
    private int step;

    /** @param wish that the client drops for it */
    AuditExchange(SessionClient client, Wish.Transfer wish) {
        super(client, wish);
        this.mix = cluster().scenario().mix();
    }

    @Override
    String beginning() {
        return TransactionMode.READ_ONLY.begin();
    }

    @Override
    void goOn() {
        long middle = mix.accounts() / 2;
        switch (step++) {
            case 0 -> send(LOWER, this::add, middle);
            case 1 -> send(DECLARE, done -> think());
            case 2 -> send(UPPER, this::add, middle);
            default -> send(FETCH, this::fetch);
        }
    }

    private void add(List<long[]> sum) {
        queried += first(sum);
        think();
    }

    private void fetch(List<long[]> rows) {
        for (long[] row : rows) {
            accounts++;
            fetched += row[1];
        }
        if (!rows.isEmpty()) {
            think();
            return;
        }
        long expected = (long) mix.accounts() * mix.balance();
        if (queried != expected || fetched != expected || accounts != mix.accounts()) {
            cluster()
                    .violation("a transaction that only reads was shown " + accounts + " accounts with " + queried
                            + " and " + fetched + " in all, not " + mix.accounts() + " with " + expected);
        }
        cluster().probes().reached(SessionPath.AUDITED.name());
        rollBack();
    }
}
