package dev.fulmar.coordinator.health;

import dev.fulmar.coordinator.routing.PartitionHomes;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** One probe of each partition, all at once. Thread-safe. */
public final class ProbeRound {
    /** The state of one probe. */
    public enum State {
        /** No answer yet. */
        WAITS,
        /** The partition is led here, and a transaction commits. */
        COMMITS,
        /** Another node leads the partition, or it has no primary. */
        LED_ELSEWHERE,
        /** The partition is here, and a transaction fails. */
        FAILED
    }

    /**
     * One partition's answer.
     *
     * @param cause why it fails; null unless it does
     */
    public record Answer(
            PartitionId partition, State state, @Nullable FulmarException cause) {}

    private final AtomicReferenceArray<Answer> answers;
    private final AtomicInteger waiting;
    private final CompletableFuture<ProbeRound> over = new CompletableFuture<>();

    /** Partitions, from 0 on, that have yet to answer. */
    public ProbeRound(int partitions) {
        answers = new AtomicReferenceArray<>(partitions);
        waiting = new AtomicInteger(partitions);
        for (int i = 0; i < partitions; i++) {
            answers.set(i, new Answer(new PartitionId(i), State.WAITS, null));
        }
        if (partitions == 0) {
            over.complete(this);
        }
    }

    /**
     * Asks the partitions that this node leads. One that it has no copy of would answer too, for its thread runs, and
     * mean nothing.
     */
    public static ProbeRound begin(PartitionRuntimes runtimes, PartitionHomes homes) {
        ProbeRound round = new ProbeRound(runtimes.count());
        for (int i = 0; i < runtimes.count(); i++) {
            PartitionId partition = new PartitionId(i);
            if (homes.isHere(i)) {
                runtimes.of(partition).partition().inbox().put(new PartitionProbe(partition, round));
            } else {
                round.answered(partition, State.LED_ELSEWHERE, null);
            }
        }
        return round;
    }

    /** Takes the answer to a probe; the first one of each partition counts. Any thread. */
    public void answered(PartitionId partition, State state, @Nullable FulmarException cause) {
        Answer before = answers.get(partition.number());
        boolean isFirst = before.state() == State.WAITS
                && answers.compareAndSet(partition.number(), before, new Answer(partition, state, cause));
        if (isFirst && waiting.decrementAndGet() == 0) {
            over.complete(this);
        }
    }

    /**
     * Ends when all partitions have answered, on the thread of the last one: what follows is to be brief, or to go
     * elsewhere.
     */
    public CompletableFuture<ProbeRound> over() {
        return over.copy();
    }

    public boolean isOver() {
        return over.isDone();
    }

    /** The answers, by partition. */
    public List<Answer> answers() {
        List<Answer> all = new ArrayList<>();
        for (int i = 0; i < answers.length(); i++) {
            all.add(answers.get(i));
        }
        return all;
    }
}
