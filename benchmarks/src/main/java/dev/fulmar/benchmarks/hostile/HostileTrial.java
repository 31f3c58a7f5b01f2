package dev.fulmar.benchmarks.hostile;

import dev.fulmar.benchmarks.hostile.procedure.Bystander;
import dev.fulmar.benchmarks.hostile.procedure.DeepRecursion;
import dev.fulmar.benchmarks.hostile.procedure.EndlessLoop;
import dev.fulmar.benchmarks.hostile.procedure.HugeArray;
import dev.fulmar.benchmarks.hostile.procedure.SwallowingLoop;
import dev.fulmar.benchmarks.hostile.procedure.Thrower;
import dev.fulmar.benchmarks.hostile.procedure.TooMuch;
import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.benchmarks.workload.Statements;
import dev.fulmar.benchmarks.workload.WorkloadScript;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends every wrong request to one node while an honest client works on it, and notes every surprise. */
public final class HostileTrial {
    private static final int KEYS = 64;
    private static final int CROWD = 2_000;
    private static final int CONNECTIONS = 500;
    private static final int QUICK_CONNECTIONS = 100;

    private final FulmarClient honest;
    private final AtomicLong honestCalls = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> honestFailure = new AtomicReference<>();
    private volatile boolean stopping;

    private HostileTrial(FulmarClient honest) {
        this.honest = honest;
    }

    /**
     * Outcome of a trial.
     *
     * @param surprises what was not as it must be
     */
    public record Outcome(int cases, int connections, long bystanderCalls, List<String> surprises) {
        public Outcome {
            surprises = List.copyOf(surprises);
        }
    }

    /** Runs the trial against a node of its own. */
    public static Outcome run(boolean quick, long seed, Consumer<String> output)
            throws IOException, InterruptedException {
        Map<String, String> settings =
                Map.of("partitions", "4", "sites", "2", "procedures.time-budget", "500ms", "memory.limit", "1g");
        try (LocalDatabase database = LocalDatabase.start(settings);
                FulmarClient honest = database.connect(8);
                FulmarClient hostile = database.connect(8)) {
            prepare(honest);
            return new HostileTrial(honest).run(database, hostile, quick, seed, output);
        }
    }

    private static void prepare(FulmarClient client) {
        client.call("@LoadClasses", (Object) ProcedureJar.of(List.of(
                Bystander.class,
                DeepRecursion.class,
                EndlessLoop.class,
                HugeArray.class,
                SwallowingLoop.class,
                Thrower.class,
                TooMuch.class)));
        Statements.executeScript(client, WorkloadScript.of(HostileTrial.class));
        for (long key = 0; key < KEYS; key++) {
            client.execute("INSERT INTO victims VALUES (?, 0, 'text')", key);
            client.execute("INSERT INTO bystanders VALUES (?, 0)", key);
        }
        for (long key = 0; key < CROWD; key++) {
            client.execute("INSERT INTO crowd VALUES (?)", key);
        }
    }

    private Outcome run(LocalDatabase database, FulmarClient hostile, boolean quick, long seed, Consumer<String> output)
            throws IOException, InterruptedException {
        Thread worker = Thread.ofPlatform().name("bystander").start(this::workHonestly);
        List<String> surprises = new ArrayList<>();
        List<HostileCase> cases = HostileCases.all();
        for (HostileCase each : cases) {
            output.accept(each.name());
            each.surprise(hostile).ifPresent(surprises::add);
        }
        HostileFrames frames = new HostileFrames("127.0.0.1", database.port(), new SplittableRandom(seed));
        int connections = frames.send(quick ? QUICK_CONNECTIONS : CONNECTIONS);
        stopping = true;
        worker.join();
        Throwable failure = honestFailure.get();
        if (failure != null) {
            surprises.add("the bystander failed: " + failure.getMessage());
        }
        if (Statements.longOf(honest, "SELECT SUM(v) FROM bystanders") != honestCalls.get()) {
            surprises.add("the bystander's rows do not show what it committed");
        }
        if (Statements.longOf(honest, "SELECT SUM(v) FROM victims") != 0) {
            surprises.add("a failed request left a trace in the rows it touched");
        }
        return new Outcome(cases.size(), connections, honestCalls.get(), surprises);
    }

    private void workHonestly() {
        long key = 0;
        try {
            while (!stopping) {
                CallResult result = honest.call("Bystander", key++ % KEYS);
                honestCalls.addAndGet(result.longValue());
            }
        } catch (RuntimeException e) {
            honestFailure.set(e);
        }
    }
}
