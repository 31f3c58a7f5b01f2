package dev.fulmar.node.health;

import dev.fulmar.coordinator.health.ProbeRound;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Readiness of this node: whether an empty transaction commits on each partition that it leads. All questions within a
 * second share one round of probes. No caller waits longer than {@link #LIMIT_NANOS}, and no round begins while one
 * waits: partitions that hang hold one probe each. Thread-safe.
 */
public final class Readiness {
    /** From the beginning of one round to the next. */
    static final long APART_NANOS = 1_000_000_000;

    /** A partition that takes longer does not commit, as far as a supervisor is concerned. */
    public static final long LIMIT_NANOS = 2_000_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final Supplier<ProbeRound> rounds;
    private final Circumstances circumstances;
    private final Clock clock;
    private @Nullable ProbeRound round;
    private long begunNanos;

    /** The node's own state, which decides beside the partitions' answers. Thread-safe, and quick. */
    public interface Circumstances {
        /** The reason for which no transaction commits, independent of the partitions. */
        Optional<String> obstacle();

        /**
         * Further problems, once the partitions have answered or had their time.
         *
         * @param leads whether the node leads a partition
         */
        List<String> problems(boolean leads);

        /** Whether the node leads the partition now. */
        boolean leads(PartitionId partition);
    }

    /** @param rounds begins a round */
    public Readiness(Supplier<ProbeRound> rounds, Circumstances circumstances, Clock clock) {
        this.rounds = rounds;
        this.circumstances = circumstances;
        this.clock = clock;
    }

    /** Ends within the limit, perhaps on a partition's thread: what follows goes elsewhere. */
    public CompletableFuture<Verdict> ask() {
        Optional<String> blocked = circumstances.obstacle();
        if (blocked.isPresent()) {
            return CompletableFuture.completedFuture(new Verdict(List.of(blocked.get())));
        }
        Asked asked = current();
        long leftNanos = asked.begunNanos + LIMIT_NANOS - clock.monotonicNanos();
        return asked.round
                .over()
                .completeOnTimeout(asked.round, Math.max(leftNanos, 0), TimeUnit.NANOSECONDS)
                .thenApply(ended -> judged(asked));
    }

    /** As {@link #ask}; waits for the answer. */
    public boolean isReady() {
        return ask().join().isGood();
    }

    private record Asked(ProbeRound round, long begunNanos) {}

    private synchronized Asked current() {
        long now = clock.monotonicNanos();
        ProbeRound newest = round;
        if (newest == null || (newest.isOver() && (now - begunNanos >= APART_NANOS || isOutdated(newest)))) {
            newest = rounds.get();
            round = newest;
            begunNanos = now;
        }
        return new Asked(newest, begunNanos);
    }

    /** A round says nothing of partitions that the node has begun to lead since. */
    private boolean isOutdated(ProbeRound ended) {
        return ended.answers().stream()
                .anyMatch(answer ->
                        answer.state() == ProbeRound.State.LED_ELSEWHERE && circumstances.leads(answer.partition()));
    }

    private Verdict judged(Asked asked) {
        List<String> problems = new ArrayList<>();
        boolean leads = false;
        for (ProbeRound.Answer answer : asked.round.answers()) {
            leads |= answer.state() != ProbeRound.State.LED_ELSEWHERE;
            switch (answer.state()) {
                case WAITS ->
                    problems.add(String.format(
                            Locale.ROOT,
                            "partition %s has not answered for %.1f s",
                            answer.partition(),
                            (clock.monotonicNanos() - asked.begunNanos) / NANOS_PER_SECOND));
                case FAILED ->
                    problems.add("partition " + answer.partition() + ": "
                            + (answer.cause() == null
                                    ? "failed"
                                    : answer.cause().getMessage()));
                case COMMITS, LED_ELSEWHERE -> {}
            }
        }
        problems.addAll(circumstances.problems(leads));
        return new Verdict(problems);
    }
}
