package dev.fulmar.simulator.campaign;

import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.simulator.verify.ProbeCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Many runs, one after another, some of them twice to see whether they repeat. */
public final class Campaign {
    private final SqlFrontend sql;
    private final int repeatEvery;
    private final Consumer<SeedReport> listener;
    private final ProbeCounts probes = new ProbeCounts();
    private final List<SeedReport> bad = new ArrayList<>();
    private final List<Long> different = new ArrayList<>();
    private int seeds;
    private int repeated;
    private long committed;
    private long events;

    /**
     * @param repeatEvery which runs are made twice: each so many-th, beginning with the first; 0 for none
     * @param listener told of each run
     */
    public Campaign(SqlFrontend sql, int repeatEvery, Consumer<SeedReport> listener) {
        this.sql = sql;
        this.repeatEvery = repeatEvery;
        this.listener = listener;
    }

    /** Runs one more seed. */
    public SeedReport run(long seed) {
        SeedReport report = new SeedRun(seed, sql).run();
        if (repeatEvery > 0 && seeds % repeatEvery == 0) {
            repeated++;
            if (new SeedRun(seed, sql).run().hash() != report.hash()) {
                different.add(seed);
            }
        }
        seeds++;
        committed += report.committed();
        events += report.events();
        probes.add(report.probes());
        if (!report.isGood()) {
            bad.add(report);
        }
        listener.accept(report);
        return report;
    }

    public int seeds() {
        return seeds;
    }

    /** Runs that were made twice. */
    public int repeated() {
        return repeated;
    }

    /** Seeds whose second run was not like the first one. */
    public List<Long> different() {
        return List.copyOf(different);
    }

    /** Runs that showed a breach. */
    public List<SeedReport> bad() {
        return List.copyOf(bad);
    }

    /** Transactions that were committed in all runs. */
    public long committed() {
        return committed;
    }

    public long events() {
        return events;
    }

    public ProbeCounts probes() {
        return probes;
    }

    /** Rare paths that no run reached: a campaign with one of them shows nothing. */
    public List<String> missingPaths() {
        return probes.missing(RarePath.names());
    }

    /** No breach, every repetition alike, every rare path reached. */
    public boolean isGood() {
        return bad.isEmpty() && different.isEmpty() && missingPaths().isEmpty();
    }
}
