package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.transaction.CommitBase;
import dev.fulmar.coordinator.transaction.DecidedAttempt;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The decisions to commit of base partitions that this node leads, each until all participants have acknowledged it.
 * Thread-safe.
 */
public final class Decisions implements CommitBase.Keeper {
    private final PrimaryMap primaries;
    private final Probes probes;
    private final BiConsumer<PartitionId, DecidedAttempt> forgotten;
    private final ConcurrentSkipListMap<DecidedAttempt, KeptDecision> kept = new ConcurrentSkipListMap<>();

    /** Decisions of earlier terms in the logs of partitions whose terms begin: they may still come to nothing. */
    private final ConcurrentSkipListMap<DecidedAttempt, KeptDecision> unconfirmed = new ConcurrentSkipListMap<>();

    /** Those that were kept already when it was last {@linkplain #tellAgain looked}. */
    private final ConcurrentSkipListSet<DecidedAttempt> waiting = new ConcurrentSkipListSet<>();

    /** @param forgotten hears of decisions that nobody can ask for any more, with their base partitions */
    Decisions(PrimaryMap primaries, Probes probes, BiConsumer<PartitionId, DecidedAttempt> forgotten) {
        this.probes = probes;
        this.forgotten = forgotten;
        this.primaries = primaries;
    }

    @Override
    public void keep(
            TransactionId transaction,
            int attempt,
            long commitTimestamp,
            PartitionId base,
            List<PartitionId> participants) {
        keep(new KeptDecision(transaction, attempt, commitTimestamp, base, participants));
    }

    /** Takes over what a log or a checkpoint knows. */
    void keep(KeptDecision decision) {
        if (!decision.participants().isEmpty()) {
            kept.put(decision.decided(), decision);
        }
    }

    /**
     * Takes over what the log of a base partition knows whose term begins. It counts once it is
     * {@linkplain #confirmed}.
     */
    void inherit(List<KeptDecision> decisions) {
        decisions.stream()
                .filter(decision -> !decision.participants().isEmpty())
                .forEach(decision -> {
                    probes.reached("decisions: one of an earlier term is not confirmed");
                    unconfirmed.put(decision.decided(), decision);
                });
    }

    /** All copies in sync have what earlier terms of the base partition left. On its thread. */
    void confirmed(PartitionId base) {
        List<KeptDecision> known = unconfirmed.values().stream()
                .filter(decision -> decision.base().equals(base))
                .toList();
        if (!known.isEmpty()) {
            probes.reached("decisions: those of an earlier term are confirmed");
        }
        known.forEach(this::keep);
        known.forEach(decision -> unconfirmed.remove(decision.decided()));
    }

    /** Whether no participant may be told the outcome yet. On the thread of its base partition. */
    boolean isUnconfirmed(DecidedAttempt asked) {
        return unconfirmed.containsKey(asked);
    }

    @Override
    public long epochOf(PartitionId partition) {
        return primaries.epochOf(partition);
    }

    @Override
    public void acknowledged(DecidedAttempt decided, PartitionId participant) {
        KeptDecision known = kept.get(decided);
        if (known != null && kept.computeIfPresent(decided, (key, left) -> left.without(participant)) == null) {
            forgotten.accept(known.base(), decided);
        }
    }

    /** Number of decisions that are kept. */
    public int count() {
        return kept.size();
    }

    @Nullable KeptDecision find(DecidedAttempt asked) {
        return kept.get(asked);
    }

    /** The base partition is led by another node now, which has its decisions. */
    public void forget(PartitionId base) {
        if (kept.values().removeIf(decision -> decision.base().equals(base))) {
            probes.reached("decisions: a former primary forgets its own");
        }
        unconfirmed.values().removeIf(decision -> decision.base().equals(base));
    }

    /** Tells the participants that the node leads, as if for the first time. */
    void tell(NodeId node, RemotePartitions way) {
        for (KeptDecision decision : kept.values()) {
            for (PartitionId participant : decision.participants()) {
                if (node.equals(primaries.primaryOf(participant))) {
                    tell(decision, participant, way);
                }
            }
        }
    }

    /**
     * From time to time: tells what participants have not acknowledged since the last time, for their nodes may be
     * others than those that were told.
     */
    void tellAgain(RemotePartitions way) {
        for (KeptDecision decision : kept.values()) {
            if (!waiting.add(decision.decided())) {
                probes.reached("decisions: one is told again");
                decision.participants().forEach(participant -> tell(decision, participant, way));
            }
        }
        waiting.removeIf(decided -> !kept.containsKey(decided));
    }

    private void tell(KeptDecision decision, PartitionId participant, RemotePartitions way) {
        if (!primaries.answersFor(decision.base())) {
            return;
        }
        CoordinatorPort teller = message -> {
            if (message instanceof CoordinatorMessage.Decided decided) {
                acknowledged(decision.decided(), decided.partition());
            }
        };
        way.send(
                participant,
                new PartitionMessage.Decision(
                        decision.transaction(), decision.attempt(), true, decision.commitTimestamp(), teller, null));
    }
}
