package dev.fulmar.benchmarks.failstop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cluster of one node that says what it is told to. */
final class FakeTarget implements StrikeCampaign.Target {
    static final Outcome GOOD = new Outcome(Outcome.Kind.SERVES, 1_600, "9 answers");

    final List<String> struck = new ArrayList<>();
    final List<String> losses = new ArrayList<>();
    private final Map<String, Outcome> outcomes;

    /** @param outcomes of the threads that come to another end than a good one */
    FakeTarget(Map<String, Outcome> outcomes) {
        this.outcomes = outcomes;
    }

    @Override
    public Set<String> threads(int node) {
        return Set.of("site-0", "timer");
    }

    @Override
    public int leader() {
        return 1;
    }

    @Override
    public @Nullable Outcome strike(int node, String thread, Strike strike) {
        struck.add(thread);
        return thread.equals("gone") ? null : outcomes.getOrDefault(thread, GOOD);
    }

    @Override
    public void restore(int node, @Nullable Outcome outcome) {}

    @Override
    public List<String> finish() {
        return losses;
    }

    @Override
    public void close() {}
}
