package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This node's in-doubt parts: asks the primary of each part's base partition for the decision, until it is known. Their
 * log has no decision, or they have voted and do not hear from their coordinator. The primary is asked at once and then
 * from time to time. Thread-safe.
 */
final class InDoubtParticipants {
    /** Between two times of asking: long against a round trip, short against a request's patience. */
    private static final long AGAIN_NANOS = 200_000_000;

    /**
     * Of one part.
     *
     * @param verdict who wants to hear, if not the partition's lock
     */
    private record Doubt(PartitionId base, InDoubtResolver.@Nullable Verdict verdict) {}

    private final PrimaryMap primaries;
    private final Scheduler scheduler;
    private final Probes probes;
    private final Post post;
    private final BiConsumer<RemoteMessage.Question, Consumer<RemoteMessage.Answer>> own;
    private final BiConsumer<PartitionId, PartitionMessage> partitions;
    private final BiFunction<PartitionId, TransactionId, CoordinatorPort> acknowledgement;
    private final ConcurrentSkipListMap<PartKey, Doubt> bases = new ConcurrentSkipListMap<>();
    private final AtomicBoolean waiting = new AtomicBoolean();

    /**
     * @param own answers, now or later, for base partitions that this node answers for
     * @param partitions takes what is decided
     * @param acknowledgement makes, for a base partition and a transaction, who tells the base partition's primary that
     *     the decision is durable
     */
    InDoubtParticipants(
            PrimaryMap primaries,
            Scheduler scheduler,
            Probes probes,
            Post post,
            BiConsumer<RemoteMessage.Question, Consumer<RemoteMessage.Answer>> own,
            BiConsumer<PartitionId, PartitionMessage> partitions,
            BiFunction<PartitionId, TransactionId, CoordinatorPort> acknowledgement) {
        this.primaries = primaries;
        this.scheduler = scheduler;
        this.probes = probes;
        this.post = post;
        this.own = own;
        this.partitions = partitions;
        this.acknowledgement = acknowledgement;
    }

    /** The part is in doubt. */
    void add(PartKey part, PartitionId base) {
        add(part, base, null);
    }

    /**
     * The same for a part of which the verdict's taker makes what it will; null for one that the partition holds its
     * lock for.
     */
    void add(PartKey part, PartitionId base, InDoubtResolver.@Nullable Verdict verdict) {
        Doubt earlier = bases.put(part, new Doubt(base, verdict));
        Invariants.check(
                earlier == null || earlier.verdict() == null || verdict != null,
                "a participant in doubt that a new primary waits for stays so until it is decided");
        ask(part, base);
        askLater();
    }

    boolean has(PartKey part) {
        return bases.containsKey(part);
    }

    int count() {
        return bases.size();
    }

    /** Takes a decision that came by itself. Returns whether a verdict took it instead of the partition's lock. */
    boolean told(PartKey part, boolean commit, long commitTimestamp) {
        Doubt doubt = bases.remove(part);
        InDoubtResolver.Verdict taker = doubt == null ? null : doubt.verdict();
        if (taker == null) {
            return false;
        }
        taker.decided(commit, commitTimestamp);
        return true;
    }

    void askAll() {
        for (Map.Entry<PartKey, Doubt> doubt : bases.entrySet()) {
            ask(doubt.getKey(), doubt.getValue().base());
        }
    }

    private void askLater() {
        if (!bases.isEmpty() && waiting.compareAndSet(false, true)) {
            scheduler.schedule(AGAIN_NANOS, () -> {
                waiting.set(false);
                askAll();
                askLater();
            });
        }
    }

    private void ask(PartKey part, PartitionId base) {
        RemoteMessage.Question question =
                new RemoteMessage.Question(part.partition(), part.transaction(), part.attempt(), base);
        if (primaries.answersFor(base)) {
            own.accept(question, this::answered);
            return;
        }
        NodeId node = primaries.primaryOf(base);
        if (node != null && !primaries.self().equals(node)) {
            post.send(node, question);
        }
    }

    void answered(RemoteMessage.Answer answer) {
        PartKey part = new PartKey(answer.transaction(), answer.attempt(), answer.partition());
        Doubt doubt = answer.verdict() == RemoteMessage.Verdict.WAIT ? null : bases.remove(part);
        if (doubt == null) {
            return;
        }
        boolean commit = answer.verdict() == RemoteMessage.Verdict.COMMIT;
        probes.reached(commit ? "doubts: a part is told to commit" : "doubts: a part is told to undo");
        InDoubtResolver.Verdict taker = doubt.verdict();
        if (taker != null) {
            taker.decided(commit, answer.commitTimestamp());
            return;
        }
        partitions.accept(
                part.partition(),
                new PartitionMessage.Decision(
                        part.transaction(),
                        part.attempt(),
                        commit,
                        answer.commitTimestamp(),
                        commit ? acknowledgement.apply(doubt.base(), part.transaction()) : null,
                        null));
    }
}
