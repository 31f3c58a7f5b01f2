package dev.fulmar.benchmarks.tatp.procedure;

import dev.fulmar.procedure.Arguments;
import dev.fulmar.procedure.Procedure;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Statement;
import java.util.random.RandomGenerator;

/** Inserts a subscriber with access infos, facilities and forwardings. */
public final class LoadSubscriber implements Procedure {
    static final Statement SUBSCRIBER = Statement.of("INSERT INTO subscriber VALUES (?, ?,"
            + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    static final Statement ACCESS_INFO = Statement.of("INSERT INTO access_info VALUES (?, ?, ?, ?, ?, ?)");
    static final Statement FACILITY = Statement.of("INSERT INTO special_facility VALUES (?, ?, ?, ?, ?, ?)");
    static final Statement FORWARDING = Statement.of("INSERT INTO call_forwarding VALUES (?, ?, ?, ?, ?)");

    private static final int NUMBER_DIGITS = 15;

    public long run(ProcedureContext context, int subscriber) {
        RandomGenerator random = context.random();
        queueSubscriber(context, random, subscriber);
        int firstAccess = random.nextInt(4);
        int accesses = 1 + random.nextInt(4);
        for (int i = 0; i < accesses; i++) {
            context.queue(ACCESS_INFO)
                    .with(subscriber)
                    .with(1 + (firstAccess + i) % 4)
                    .with(random.nextInt(256))
                    .with(random.nextInt(256))
                    .with(letters(random, 3))
                    .with(letters(random, 5));
        }
        int firstFacility = random.nextInt(4);
        int facilities = 1 + random.nextInt(4);
        for (int i = 0; i < facilities; i++) {
            queueFacility(context, random, subscriber, 1 + (firstFacility + i) % 4);
        }
        context.execute();
        return 1;
    }

    private static void queueSubscriber(ProcedureContext context, RandomGenerator random, int subscriber) {
        Arguments row = context.queue(SUBSCRIBER).with(subscriber).with(number(subscriber));
        for (int i = 0; i < 10; i++) {
            row = row.with(random.nextInt(2));
        }
        for (int i = 0; i < 10; i++) {
            row = row.with(random.nextInt(16));
        }
        for (int i = 0; i < 10; i++) {
            row = row.with(random.nextInt(256));
        }
        row.with(random.nextInt(Integer.MAX_VALUE)).with(random.nextInt(Integer.MAX_VALUE));
    }

    private static void queueFacility(ProcedureContext context, RandomGenerator random, int subscriber, int type) {
        context.queue(FACILITY)
                .with(subscriber)
                .with(type)
                .with(random.nextInt(100) < 85 ? 1 : 0)
                .with(random.nextInt(256))
                .with(random.nextInt(256))
                .with(letters(random, 5));
        int first = random.nextInt(3);
        int forwardings = random.nextInt(4);
        for (int i = 0; i < forwardings; i++) {
            int start = (first + i) % 3 * 8;
            context.queue(FORWARDING)
                    .with(subscriber)
                    .with(type)
                    .with(start)
                    .with(start + 1 + random.nextInt(8))
                    .with(number(random.nextInt(Integer.MAX_VALUE)));
        }
    }

    /** A subscriber's number: its id with leading zeros. */
    static String number(int subscriber) {
        String digits = Integer.toString(subscriber);
        return "0".repeat(NUMBER_DIGITS - digits.length()) + digits;
    }

    private static String letters(RandomGenerator random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('A' + random.nextInt(26)));
        }
        return text.toString();
    }
}
