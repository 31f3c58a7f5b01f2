package dev.fulmar.simulator.postgres;

import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.simulator.postgres.Question.Statement;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import java.util.List;
import java.util.function.Consumer;

/** A client that inserts a row after another, beside the hostile ones, and counts those that it was told of. */
final class GoodClient {
    private static final long THINK_NANOS = 3_000_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final SimulatedWorld world;
    private final Consumer<String> wrong;
    private final Driver driver;
    private final ServerEnd server;
    private final SimulatedProcess process;
    private long inserted;
    private long asked;
    private boolean isResting;
    private boolean isDone;

    GoodClient(SimulatedWorld world, SimulatedProcess process, SessionServices services, Consumer<String> wrong) {
        this.world = world;
        this.process = process;
        this.wrong = wrong;
        this.server = new ServerEnd(
                services,
                1,
                task -> process.execute(0, "a session goes on", task),
                this::hears,
                () -> wrong.accept("the good client's connection is closed"));
        this.driver =
                new Driver(bytes -> process.execute(1, "bytes of the good client", () -> server().take(bytes)), wrong);
    }

    private ServerEnd server() {
        return server;
    }

    private void hears(byte[] bytes) {
        world.schedule(1, "bytes for the good client", () -> {
            process.execute(0, "bytes have arrived", server::arrived);
            driver.take(bytes);
        });
    }

    void work() {
        driver.begin();
        next();
    }

    private void next() {
        if (isResting) {
            isDone = true;
            driver.close();
            process.execute(0, "departure", server::leave);
            return;
        }
        long number = ++asked;
        world.schedule(PATIENCE_NANOS, "the good client loses patience", () -> {
            if (asked == number && !isDone) {
                wrong.accept("no answer comes to statement " + number + " of the good client");
            }
        });
        driver.ask(
                new Question.Extended(
                        List.of(new Statement("INSERT INTO work (id) VALUES (?)", number)), number % 2 == 0, 0),
                answer -> {
                    if (answer.error() != null || answer.status() != TransactionStatus.IDLE) {
                        wrong.accept("the good client is answered " + answer);
                    } else {
                        inserted++;
                    }
                    world.schedule(THINK_NANOS, "the good client thinks", this::next);
                });
    }

    void rest() {
        isResting = true;
    }

    boolean isDone() {
        return isDone;
    }

    long inserted() {
        return inserted;
    }
}
