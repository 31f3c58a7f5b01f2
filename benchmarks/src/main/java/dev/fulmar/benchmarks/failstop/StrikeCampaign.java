package dev.fulmar.benchmarks.failstop;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The strikes on clusters of one size, in rounds. A round has a cluster of its own, at the end of which it is judged
 * whether anything acknowledged was lost: only then its strikes are done. For one thread.
 */
final class StrikeCampaign {
    /** Number of strikes that may have to be repeated when a run is ended at any moment. */
    private static final int ROUND = 24;

    /** A thread that comes and goes may not be there, or an earlier strike ended it and its node served without. */
    private static final int ATTEMPTS = 2;

    private final int nodes;
    private final StrikeLedger ledger;
    private final BooleanSupplier isOver;
    private final Consumer<String> output;
    private final Set<Trial> planned = new LinkedHashSet<>();
    private final Set<Trial> tried = new LinkedHashSet<>();

    /** A cluster under load, whose threads can be struck. */
    interface Target extends AutoCloseable {
        Set<String> threads(int node) throws IOException, InterruptedException;

        /** A node that leads. */
        int leader();

        /** Null if the node has no such thread now. */
        @Nullable Outcome strike(int node, String thread, Strike strike) throws IOException, InterruptedException;

        /** Has the node well again; the outcome is null if it lacks a thread. */
        void restore(int node, @Nullable Outcome outcome) throws IOException, InterruptedException;

        /** Ends the load, once; returns what was lost, or was there twice. */
        List<String> finish() throws InterruptedException;

        @Override
        void close() throws IOException;
    }

    /** Starts the cluster of a round. */
    @FunctionalInterface
    interface Start {
        Target start() throws IOException, InterruptedException;
    }

    /** The strikes to make on a node with these threads. */
    @FunctionalInterface
    interface Choice {
        List<Trial> of(Set<String> living) throws IOException;
    }

    /**
     * @param isOver whether the time is over: no strike begins then
     */
    StrikeCampaign(int nodes, StrikeLedger ledger, BooleanSupplier isOver, Consumer<String> output) {
        this.nodes = nodes;
        this.ledger = ledger;
        this.isOver = isOver;
        this.output = output;
    }

    /** All strikes that were to be made by now, those that an earlier run made included. */
    Set<Trial> planned() {
        return Set.copyOf(planned);
    }

    /** Number of strikes that were not tried. */
    long left() {
        return planned.stream().filter(this::isOpen).count();
    }

    private boolean isOpen(Trial trial) {
        return !ledger.isDone(trial) && !tried.contains(trial);
    }

    /**
     * A round: makes strikes that are not done. The first one chooses them for all, by the threads of its cluster, as
     * names that are new in each start would otherwise add rounds without end. Returns whether all was well.
     */
    boolean round(Start start, Choice choice) throws IOException, InterruptedException {
        try (Target target = start.start()) {
            if (planned.isEmpty()) {
                planned.addAll(choice.of(target.threads(target.leader())));
            }
            Map<Trial, Outcome> good = new LinkedHashMap<>();
            boolean isWell = true;
            List<Trial> open =
                    planned.stream().filter(this::isOpen).limit(ROUND).toList();
            for (Trial trial : open) {
                if (isOver.getAsBoolean()) {
                    break;
                }
                tried.add(trial);
                Outcome outcome = strike(target, trial);
                if (outcome != null && outcome.isGood()) {
                    good.put(trial, outcome);
                } else if (outcome != null) {
                    isWell = false;
                    ledger.note(trial, outcome);
                }
            }
            return judge(target, good) && isWell;
        }
    }

    private @Nullable Outcome strike(Target target, Trial trial) throws IOException, InterruptedException {
        int node = target.leader();
        Outcome outcome = target.strike(node, trial.thread(), trial.strike());
        for (int again = 1; outcome == null && again < ATTEMPTS; again++) {
            target.restore(node, null);
            node = target.leader();
            outcome = target.strike(node, trial.thread(), trial.strike());
        }
        if (outcome == null) {
            output.accept(trial + ": there is no such thread now");
            return null;
        }
        output.accept(trial + ": " + outcome);
        target.restore(node, outcome);
        return outcome;
    }

    private boolean judge(Target target, Map<Trial, Outcome> good) throws IOException, InterruptedException {
        List<String> losses = target.finish();
        for (String loss : losses) {
            output.accept(loss);
            ledger.noteLoss(nodes, loss);
        }
        if (losses.isEmpty()) {
            for (Map.Entry<Trial, Outcome> strike : good.entrySet()) {
                ledger.note(strike.getKey(), strike.getValue());
            }
        }
        return losses.isEmpty();
    }
}
