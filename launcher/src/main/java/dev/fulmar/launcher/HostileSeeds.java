package dev.fulmar.launcher;

import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.simulator.postgres.HostileRun;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs of a node whose clients of PostgreSQL's protocol send what they should not. */
final class HostileSeeds implements SimulatedSeeds {
    private final SqlFrontend sql;
    private final List<Long> failed = new ArrayList<>();
    private final List<Long> different = new ArrayList<>();
    private final int repeatEvery;
    private long seeds;
    private long messages;
    private HostileRun.@Nullable Report last;

    /** @param repeatEvery one of so many seeds runs twice */
    HostileSeeds(SqlFrontend sql, int repeatEvery) {
        this.sql = sql;
        this.repeatEvery = repeatEvery;
    }

    @Override
    public Made make(long seed, long number) {
        HostileRun.Report report = new HostileRun(seed, sql).run();
        boolean isSame =
                number % repeatEvery != 0 || new HostileRun(seed, sql).run().hash() == report.hash();
        return () -> {
            last = report;
            seeds++;
            messages += report.messages();
            List<String> wrong = new ArrayList<>(report.violations());
            if (!isSame) {
                different.add(seed);
                wrong.add("two runs of the seed differ");
            }
            if (!wrong.isEmpty()) {
                failed.add(seed);
            }
            return wrong;
        };
    }

    @Override
    public boolean mayShareTime() {
        return true;
    }

    @Override
    public void tell(PrintWriter out) {
        HostileRun.Report report = last;
        if (report != null) {
            out.printf(
                    Locale.ROOT,
                    "%,d events, hash %016x; %,d messages of hostile clients%n",
                    report.events(),
                    report.hash(),
                    report.messages());
            report.violations().forEach(out::println);
        }
    }

    @Override
    public void minimise(long seed, PrintWriter out) {
        out.println("no faults happen in these runs, so nothing can be left out");
    }

    @Override
    public String progress() {
        return String.format(Locale.ROOT, "%,d seeds, %,d messages; %d seeds failed", seeds, messages, failed.size());
    }

    @Override
    public List<String> lines() {
        return List.of(
                progress(),
                failed.isEmpty()
                        ? "nothing was found"
                        : "failed: " + failed + "; replay one with bin/fulmar simulate --hostile --seed N");
    }

    @Override
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("seeds", seeds);
        map.put("messages", messages);
        map.put("failed", failed);
        map.put("different", different);
        map.put("passed", passed());
        return map;
    }

    @Override
    public boolean passed() {
        return failed.isEmpty();
    }
}
