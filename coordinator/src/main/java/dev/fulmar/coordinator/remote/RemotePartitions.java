package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.remote.RemoteMessage.Piece;
import dev.fulmar.coordinator.remote.RemoteMessage.Work;
import dev.fulmar.coordinator.transaction.ConfirmedRelease;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.PartitionSnapshotRead;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.coordinator.transaction.SnapshotConfirmation;
import dev.fulmar.coordinator.transaction.SnapshotReadTask;
import dev.fulmar.coordinator.transaction.SnapshotSource;
import dev.fulmar.coordinator.transaction.StatementFragment;
import dev.fulmar.coordinator.transaction.StatementPlace;
import dev.fulmar.coordinator.transaction.VoteGivenBack;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transport of this node's coordinators to partitions: into the inboxes of those led here, as messages to others.
 * Remembers the participants of each transaction, and tells coordinators of participants that are lost. Thread-safe.
 */
final class RemotePartitions implements PartitionTransport {
    /**
     * A partition that takes part in an attempt.
     *
     * @param epoch in which its first fragments were sent
     * @param endsWithVote nothing follows its vote
     */
    private record Participant(
            NodeId node, int attempt, long epoch, CoordinatorPort coordinator, boolean endsWithVote) {
        Participant endingWithVote() {
            return new Participant(node, attempt, epoch, coordinator, true);
        }
    }

    private final PrimaryMap primaries;
    private final PartitionRuntimes runtimes;
    private final Post post;
    private final Function<PartitionId, @Nullable SnapshotSource> copies;
    private final ConcurrentSkipListMap<PartKey, Participant> participants = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<PartKey, RemoteSnapshotRead> visits = new ConcurrentSkipListMap<>();
    private volatile Predicate<NodeId> isBroken = node -> false;

    /**
     * @param copies this node's copies of partitions, as readers of snapshots use them; null for those that are not to
     *     be read
     */
    RemotePartitions(
            PrimaryMap primaries,
            PartitionRuntimes runtimes,
            Post post,
            Function<PartitionId, @Nullable SnapshotSource> copies) {
        this.copies = copies;
        this.primaries = primaries;
        this.runtimes = runtimes;
        this.post = post;
    }

    @Override
    public boolean isRemote(PartitionId partition) {
        return !primaries.isOwn(partition);
    }

    @Override
    public boolean mustConfirm(PartitionId partition) {
        return primaries.isMovable() || isRemote(partition);
    }

    @Override
    public void send(PartitionId partition, PartitionMessage message) {
        switch (message) {
            case PartitionMessage.FragmentBatch batch -> fragments(partition, batch);
            case PartitionMessage.UndoStatements undo -> {
                NodeId node = nodeOf(partition, undo.transaction(), undo.attempt());
                if (isHere(node)) {
                    here(partition, undo);
                } else if (node != null) {
                    post.send(
                            node,
                            new RemoteMessage.Undo(
                                    partition, undo.transaction(), undo.attempt(), undo.firstStatement()));
                }
            }
            case PartitionMessage.Prepare prepare -> prepare(partition, prepare);
            case PartitionMessage.Decision decision -> decision(partition, decision);
            case PartitionMessage.BaseDecision decision -> {
                participants.remove(PartKey.ofAnyAttempt(decision.transaction(), partition));
                if (primaries.isOwn(partition)) {
                    here(partition, decision);
                } else {
                    decision.turnedAway(partition);
                }
            }
            case VoteGivenBack back -> {
                NodeId node = nodeOf(partition, back.transaction(), back.attempt());
                if (isHere(node)) {
                    here(partition, back);
                } else if (node != null) {
                    post.send(node, new RemoteMessage.VoteBack(partition, back.transaction(), back.attempt()));
                }
            }
            case PartitionMessage.Abandon abandon ->
                participants.remove(PartKey.ofAnyAttempt(abandon.transaction(), partition));
            case SnapshotReadTask order -> snapshot(partition, order);
            default -> throw Invariants.breach("a coordinator sends what can cross: " + message);
        }
    }

    private boolean isHere(@Nullable NodeId node) {
        return primaries.self().equals(node);
    }

    private void here(PartitionId partition, PartitionMessage message) {
        runtimes.of(partition).partition().inbox().put(message);
    }

    private @Nullable Participant participant(PartitionId partition, TransactionId transaction, int attempt) {
        Participant known = participants.get(PartKey.ofAnyAttempt(transaction, partition));
        return known != null && known.attempt == attempt ? known : null;
    }

    /** Node of the attempt's part; null if it is lost. */
    private @Nullable NodeId nodeOf(PartitionId partition, TransactionId transaction, int attempt) {
        Participant known = participant(partition, transaction, attempt);
        return known == null ? null : known.node;
    }

    private void fragments(PartitionId partition, PartitionMessage.FragmentBatch batch) {
        Participant known = participant(partition, batch.transaction(), batch.attempt());
        if (known == null) {
            NodeId node = primaries.primaryOf(partition);
            if (node == null) {
                batch.coordinator()
                        .deliver(new CoordinatorMessage.Lost(
                                partition,
                                batch.attempt(),
                                ErrorCode.NOT_CONNECTED,
                                "no node leads partition " + partition
                                        + " now; send the request again after a moment"));
                return;
            }
            known = new Participant(node, batch.attempt(), primaries.epochOf(partition), batch.coordinator(), false);
            Participant earlier = participants.put(PartKey.ofAnyAttempt(batch.transaction(), partition), known);
            Invariants.check(
                    earlier == null || earlier.attempt < batch.attempt(),
                    "a coordinator's attempts at a transaction have growing numbers");
        }
        if (isHere(known.node)) {
            here(partition, batch);
            return;
        }
        if (!isOfOneText(batch.work())) { // the partition was led here when the statements were put together
            lose(PartKey.ofAnyAttempt(batch.transaction(), partition), ErrorCode.NOT_CONNECTED);
            return;
        }
        Post.Fate fate = post.send(
                known.node,
                new RemoteMessage.Fragments(
                        partition, batch.transaction(), batch.attempt(), known.epoch, workOf(batch.work())));
        if (fate != Post.Fate.SENT) {
            lose(PartKey.ofAnyAttempt(batch.transaction(), partition), fate.code());
        }
    }

    private static boolean isOfOneText(List<FragmentWork> fragments) {
        LoadedProcedure first = null;
        for (FragmentWork work : fragments) {
            if (work instanceof StatementFragment fragment) {
                LoadedProcedure procedure = fragment.procedure();
                if (first != null && first != procedure) {
                    return false;
                }
                first = procedure;
            }
        }
        return true;
    }

    private static Work workOf(List<FragmentWork> fragments) {
        if (fragments.isEmpty()) {
            return Work.NONE;
        }
        List<Piece> pieces = new ArrayList<>(fragments.size());
        StatementFragment first = null;
        for (FragmentWork work : fragments) {
            if (!(work instanceof StatementFragment fragment)) {
                throw Invariants.breach("only statements cross nodes");
            }
            first = first == null ? fragment : first;
            pieces.add(new Piece(
                    fragment.statement(),
                    StatementPlace.of(fragment.procedureStatement(), fragment.procedure()),
                    fragment.fragment(),
                    fragment.parameters()));
        }
        return new Work(first == null ? null : FragmentSource.of(first), pieces);
    }

    private void prepare(PartitionId partition, PartitionMessage.Prepare prepare) {
        Participant known = participant(partition, prepare.transaction(), prepare.attempt());
        PartitionId base = prepare.base();
        if (known == null || base == null) { // lost, and the coordinator has been told
            return;
        }
        if (prepare.mode() == PrepareMode.COMMIT && !isHere(known.node)) {
            // It leads the base partition in a term in which those who ask are told that the transaction is undone.
            prepare.coordinator()
                    .deliver(new CoordinatorMessage.Lost(
                            partition,
                            prepare.attempt(),
                            ErrorCode.NOT_CONNECTED,
                            "another node leads partition " + partition
                                    + ", where the request began; send the request again"));
            return;
        }
        boolean ends = prepare.mode() != PrepareMode.SPECULATE && prepare.mode() != PrepareMode.WAIT;
        PartKey key = PartKey.ofAnyAttempt(prepare.transaction(), partition);
        if (ends && isHere(known.node)) {
            participants.remove(key); // nothing can be lost on the way of the vote
        } else if (ends) {
            participants.put(key, known.endingWithVote());
        }
        if (!isHere(known.node)) {
            post.send(
                    known.node,
                    new RemoteMessage.Prepare(
                            partition,
                            prepare.transaction(),
                            prepare.attempt(),
                            known.epoch,
                            prepare.mode(),
                            base,
                            prepare.read()));
        } else if (primaries.isOwn(partition) && primaries.epochOf(partition) == known.epoch) {
            here(partition, prepare);
        } else {
            prepare.refused(partition);
        }
    }

    private void decision(PartitionId partition, PartitionMessage.Decision decision) {
        Participant known = participants.remove(PartKey.ofAnyAttempt(decision.transaction(), partition));
        NodeId node = known != null ? known.node : primaries.primaryOf(partition);
        if (isHere(node)) {
            here(partition, decision);
        } else if (node != null) {
            post.send(
                    node,
                    new RemoteMessage.Decision(
                            partition,
                            decision.transaction(),
                            decision.attempt(),
                            decision.commit(),
                            decision.commitTimestamp(),
                            decision.acknowledge() != null));
        }
    }

    /** Partitions that take part in something that has not come to its end. */
    int underWay() {
        return participants.size() + visits.size();
    }

    /** Whether the coordinator is to hear the report of the node: not what one says that does not take part. */
    boolean admits(NodeId from, RemoteMessage.Report report) {
        PartKey key = PartKey.ofAnyAttempt(report.transaction(), report.partition());
        Participant known = participants.get(key);
        if (known == null || known.attempt != report.attempt() || !known.node.equals(from)) {
            return false;
        }
        if (known.endsWithVote && report.message() instanceof CoordinatorMessage.Vote) {
            participants.remove(key);
        }
        return true;
    }

    // Readers of snapshots.

    private static PartKey keyOf(SnapshotReadTask order) {
        return new PartKey(
                order.visit().reader(), order.visit().attempt(), order.visit().partition());
    }

    /** A copy that cannot serve the first attempt is not asked again. */
    private boolean goesToCopy(PartitionId partition, PartitionSnapshotRead visit) {
        SnapshotSource copy = visit.mayReadCopy() && isRemote(partition) ? copies.apply(partition) : null;
        if (copy == null || !copy.isOpen()) {
            return false;
        }
        visit.readAt(copy);
        return true;
    }

    private void snapshot(PartitionId partition, SnapshotReadTask order) {
        if (order.visit().isAtCopy()
                || (order instanceof SnapshotReadTask.Arrive && goesToCopy(partition, order.visit()))) {
            here(partition, order);
            return;
        }
        PartKey key = keyOf(order);
        RemoteSnapshotRead visit = visits.get(key);
        if (visit == null && order instanceof SnapshotReadTask.Arrive && isRemote(partition)) {
            NodeId node = primaries.primaryOf(partition);
            visit = new RemoteSnapshotRead(node == null ? primaries.self() : node);
            visits.put(key, visit);
        }
        if (visit == null) {
            boolean confirms = primaries.isMovable() && order instanceof SnapshotReadTask.Release;
            here(partition, confirms ? confirmed((SnapshotReadTask.Release) order) : order);
            return;
        }
        forward(order, key, visit);
    }

    /**
     * Forwards an order to a visited partition. A reader that was told that a visit is lost took its timestamp without
     * that partition; so nothing more is asked there, where the visit may live, with a later timestamp. It is told to
     * leave only.
     */
    private void forward(SnapshotReadTask order, PartKey key, RemoteSnapshotRead visit) {
        RemoteMessage message = translate(order, key, visit); // which answers a question if the visit is lost
        boolean leaves = order instanceof SnapshotReadTask.Leave;
        if (leaves) {
            visits.remove(key);
        } else if (visit.isLost()) {
            return;
        }
        boolean isElsewhere = !isHere(visit.node()); // else nobody led the partition when the reader came
        Post.Fate fate = isElsewhere ? post.send(visit.node(), message) : Post.Fate.UNREACHABLE;
        if (!leaves && fate != Post.Fate.SENT) {
            visit.lost(fate.code(), "partition " + key.partition() + " cannot be reached; send the request again");
        }
    }

    private static ConfirmedRelease confirmed(SnapshotReadTask.Release release) {
        SnapshotConfirmation confirmation = release.confirmation();
        return new ConfirmedRelease(release.visit(), confirmation::confirmed, confirmation::broken);
    }

    private static RemoteMessage translate(SnapshotReadTask order, PartKey key, RemoteSnapshotRead visit) {
        return switch (order) {
            case SnapshotReadTask.Arrive arrive ->
                new RemoteMessage.Arrive(
                        key.partition(),
                        key.transaction(),
                        key.attempt(),
                        visit.ask(arrive.question()),
                        arrive.visit().isStrict(),
                        arrive.question().timestamp(),
                        workOf(arrive.question().work()));
            case SnapshotReadTask.Read read ->
                new RemoteMessage.Read(
                        key.partition(),
                        key.transaction(),
                        key.attempt(),
                        visit.ask(read.question()),
                        read.question().timestamp(),
                        workOf(read.question().work()),
                        read.question().part(),
                        read.question().reading());
            case SnapshotReadTask.Release release -> {
                visit.release(release.confirmation());
                yield new RemoteMessage.Release(key.partition(), key.transaction(), key.attempt());
            }
            case SnapshotReadTask.Leave _ -> new RemoteMessage.Leave(key.partition(), key.transaction(), key.attempt());
        };
    }

    /** The visit that the message is about, if it comes from where that is. */
    @Nullable RemoteSnapshotRead visit(NodeId from, RemoteMessage message) {
        RemoteSnapshotRead visit =
                visits.get(new PartKey(message.transaction(), message.attempt(), message.partition()));
        return visit != null && visit.node().equals(from) ? visit : null;
    }

    // Loss.

    /** A part that was lost with a node which had said that it broke is not executed again unasked: it may be why. */
    void distrust(Predicate<NodeId> nodes) {
        isBroken = nodes;
    }

    /**
     * From time to time: who leads partitions that take part no more, as far as is known, may be cut off, and never say
     * so.
     */
    void loseDeposed() {
        for (Map.Entry<PartKey, Participant> entry : participants.entrySet()) {
            Participant participant = entry.getValue();
            PartitionId partition = entry.getKey().partition();
            NodeId node = primaries.primaryOf(partition);
            boolean isDeposed = node != null
                    && (!node.equals(participant.node) || primaries.epochOf(partition) > participant.epoch);
            if (isDeposed && !isHere(participant.node)) {
                lose(entry.getKey(), ErrorCode.NOT_CONNECTED);
            }
        }
    }

    /** The session with the node has ended. */
    void linkLost(NodeId node) {
        for (Map.Entry<PartKey, Participant> entry : participants.entrySet()) {
            if (entry.getValue().node.equals(node)) {
                lose(entry.getKey(), ErrorCode.NOT_CONNECTED);
            }
        }
        for (RemoteSnapshotRead visit : visits.values()) {
            if (visit.node().equals(node)) {
                if (isBroken.test(node)) {
                    visit.lost(ErrorCode.NODE_BROKEN, broke(node));
                } else {
                    visit.lost(
                            ErrorCode.NOT_CONNECTED,
                            "node " + node + " was lost while it was read from; send the request again");
                }
            }
        }
    }

    private void lose(PartKey key, ErrorCode code) {
        Participant lost = participants.remove(key);
        if (lost == null) {
            return;
        }
        if (code == ErrorCode.NOT_CONNECTED && isBroken.test(lost.node)) {
            lost.coordinator.deliver(new CoordinatorMessage.Lost(
                    key.partition(), lost.attempt, ErrorCode.NODE_BROKEN, broke(lost.node)));
            return;
        }
        String message = code == ErrorCode.FRAME_TOO_LARGE
                ? "a batch for partition " + key.partition() + " takes more than " + NodeSender.MAX_MESSAGE_BYTES
                        + " bytes; execute fewer or smaller statements at once"
                : "node " + lost.node + " was lost, and the transaction is undone; send the request again";
        lost.coordinator.deliver(new CoordinatorMessage.Lost(key.partition(), lost.attempt, code, message));
    }

    private static String broke(NodeId node) {
        return "node " + node + " broke and ended itself while it had a part of the request, which may be why: the"
                + " request is undone and not sent to another node";
    }
}
