package dev.fulmar.simulator.cluster;

import dev.fulmar.simulator.workload.Mix;
import dev.fulmar.simulator.workload.Wish;

/**
 * A transaction that moves money: one balance is computed by the client, the other one by the database or by the client
 * too. Now and then it adds up all money before or after, in two queries, which must show one state with its changes.
 */
final class TransferExchange extends SessionExchange {
    private static final int AUDIT_ONE_IN = 4;
    private static final String READ = "SELECT balance FROM account WHERE id = ?";
    private static final String SET = "UPDATE account SET balance = ? WHERE id = ?";
    private static final String ADD = "UPDATE account SET balance = balance + ? WHERE id = ?";
    private static final String DELETE = "DELETE FROM account WHERE id = ?";
    private static final String INSERT = "INSERT INTO account (id, balance) VALUES (?, ?)";
    private static final String LOWER = "SELECT COALESCE(SUM(balance), 0) FROM account WHERE id <= ?";
    private static final String UPPER = "SELECT COALESCE(SUM(balance), 0) FROM account WHERE id > ?";

    private final Wish.Transfer wish;
    private final Mix mix;
    private final boolean auditsBefore;
    private final boolean auditsAfter;
    private int step;

    TransferExchange(SessionClient client, Wish.Transfer wish) {
        super(client, wish);
        this.wish = wish;
        this.mix = cluster().scenario().mix();
        this.auditsBefore = random().nextInt(AUDIT_ONE_IN) == 0;
        this.auditsAfter = random().nextInt(AUDIT_ONE_IN) == 0;
    }

    @Override
    void goOn() {
        switch (step++) {
            case 0 -> audit(auditsBefore);
            case 1 -> send(counting(READ), done -> take(first(done)), wish.from());
            case 2 -> {
                if (wish.anew()) {
                    send(counting(READ), done -> replace(first(done)), wish.to());
                } else {
                    send(ADD, added -> think(), wish.amount(), wish.to());
                }
            }
            case 3 -> audit(auditsAfter);
            default -> commit();
        }
    }

    private void take(long balance) {
        if (balance < wish.amount()) {
            rollBack();
        } else {
            send(SET, set -> think(), balance - wish.amount(), wish.from());
        }
    }

    private void replace(long balance) {
        send(DELETE, gone -> send(INSERT, there -> think(), wish.to(), balance + wish.amount()), wish.to());
    }

    private void audit(boolean happens) {
        if (!happens) {
            goOn();
            return;
        }
        long middle = mix.accounts() / 2;
        send(
                counting(LOWER),
                lower -> send(
                        counting(UPPER),
                        upper -> {
                            long found = first(lower) + first(upper);
                            long expected = (long) mix.accounts() * mix.balance();
                            if (found != expected) {
                                cluster()
                                        .violation("a session was shown accounts with " + found + " in all, not "
                                                + expected);
                            }
                            cluster().probes().reached(SessionPath.ADDED_UP.name());
                            think();
                        },
                        middle),
                middle);
    }
}
