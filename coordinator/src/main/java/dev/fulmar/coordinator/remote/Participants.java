package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.remote.RemoteMessage.Arrive;
import dev.fulmar.coordinator.remote.RemoteMessage.Fragments;
import dev.fulmar.coordinator.remote.RemoteMessage.Leave;
import dev.fulmar.coordinator.remote.RemoteMessage.Piece;
import dev.fulmar.coordinator.remote.RemoteMessage.Prepare;
import dev.fulmar.coordinator.remote.RemoteMessage.Read;
import dev.fulmar.coordinator.remote.RemoteMessage.Release;
import dev.fulmar.coordinator.remote.RemoteMessage.Undo;
import dev.fulmar.coordinator.remote.RemoteMessage.VoteBack;
import dev.fulmar.coordinator.remote.RemoteMessage.Work;
import dev.fulmar.coordinator.transaction.ConfirmedRelease;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.PartitionSnapshotRead;
import dev.fulmar.coordinator.transaction.ReceivedFragment;
import dev.fulmar.coordinator.transaction.SnapshotReadRequest;
import dev.fulmar.coordinator.transaction.SnapshotReadTask;
import dev.fulmar.coordinator.transaction.TargetSource.Planned;
import dev.fulmar.coordinator.transaction.VoteGivenBack;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentReply;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.PartitionMessage;
import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Participants at the partitions that this node leads, in transactions of one other node's coordinators. One message or
 * event of the node's link at a time.
 */
final class Participants {
    private final NodeId node;
    private final PrimaryMap primaries;
    private final PartitionRuntimes runtimes;
    private final PlannedOrders orders;
    private final Consumer<TransactionId> clock;
    private final Post post;
    private final InDoubtParticipants inDoubtParticipants;

    /** By transaction and partition, the newest attempt's key. */
    private final TreeMap<PartKey, Integer> attempts = new TreeMap<>();

    private final TreeMap<PartKey, PartitionSnapshotRead> visits = new TreeMap<>();

    /** @param clock takes notice of ids of the other node */
    Participants(
            NodeId node,
            PrimaryMap primaries,
            PartitionRuntimes runtimes,
            PlannedOrders orders,
            Consumer<TransactionId> clock,
            Post post,
            InDoubtParticipants inDoubtParticipants) {
        this.node = node;
        this.primaries = primaries;
        this.runtimes = runtimes;
        this.orders = orders;
        this.clock = clock;
        this.post = post;
        this.inDoubtParticipants = inDoubtParticipants;
    }

    /** Passes a message on once all earlier ones of the transaction at that partition are. */
    private void pass(RemoteMessage order, PartitionMessage message) {
        orders.pass(partOf(order), () -> put(order.partition(), message));
    }

    private void put(PartitionId partition, PartitionMessage message) {
        runtimes.of(partition).partition().inbox().put(message);
    }

    private RemoteCoordinator coordinator(TransactionId transaction) {
        return new RemoteCoordinator(node, transaction, post, inDoubtParticipants);
    }

    void ordered(RemoteMessage.Order order) {
        switch (order) {
            case Fragments fragments -> fragments(fragments);
            case Undo undo ->
                pass(
                        undo,
                        new PartitionMessage.UndoStatements(undo.transaction(), undo.attempt(), undo.firstStatement()));
            case Prepare prepare -> prepare(prepare);
            case RemoteMessage.Decision decision -> decision(decision);
            case VoteBack back -> pass(back, new VoteGivenBack(back.transaction(), back.attempt()));
            case Arrive arrive -> arrive(arrive);
            case Read read -> read(read);
            case Release release -> {
                PartitionSnapshotRead visit = visits.get(keyOf(release));
                if (visit == null) {
                    post.send(
                            node,
                            new RemoteMessage.Broken(release.partition(), release.transaction(), release.attempt()));
                } else {
                    pass(
                            release,
                            new ConfirmedRelease(
                                    visit,
                                    () -> post.send(
                                            node,
                                            new RemoteMessage.Released(
                                                    release.partition(), release.transaction(), release.attempt())),
                                    () -> post.send(
                                            node,
                                            new RemoteMessage.Broken(
                                                    release.partition(), release.transaction(), release.attempt()))));
                }
            }
            case Leave leave -> {
                PartitionSnapshotRead visit = visits.remove(keyOf(leave));
                if (visit != null) {
                    orders.abandon(partOf(leave));
                    pass(leave, new SnapshotReadTask.Leave(visit));
                }
            }
        }
    }

    private void fragments(Fragments fragments) {
        RemoteCoordinator coordinator = coordinator(fragments.transaction());
        FragmentFailure refusal = refusal(fragments);
        if (refusal != null) {
            coordinator.deliver(new FragmentReply(fragments.partition(), fragments.attempt(), refusal));
            return;
        }
        clock.accept(fragments.transaction());
        PartKey part = partOf(fragments);
        attempts.put(part, fragments.attempt());
        orders.passPlanned(
                part,
                fragments.work().source(),
                planned -> put(
                        fragments.partition(),
                        new PartitionMessage.FragmentBatch(
                                fragments.transaction(),
                                fragments.attempt(),
                                coordinator,
                                work(fragments.work(), planned))));
    }

    private @Nullable FragmentFailure refusal(Fragments fragments) {
        int statement = fragments.work().pieces().isEmpty()
                ? 0
                : fragments.work().pieces().getFirst().statement();
        if (!leads(fragments.partition(), fragments.epoch())) {
            return new FragmentFailure(
                    statement,
                    ErrorCode.NOT_CONNECTED,
                    "node " + primaries.self() + " does not lead partition " + fragments.partition()
                            + " any more; send the request again");
        }
        return null;
    }

    private boolean leads(PartitionId partition, long epoch) {
        return primaries.isOwn(partition) && primaries.epochOf(partition) == epoch;
    }

    private List<FragmentWork> work(Work work, @Nullable Planned planned) {
        FragmentSource source = work.source();
        if (source == null) {
            return List.of();
        }
        List<FragmentWork> fragments = new ArrayList<>(work.pieces().size());
        for (Piece piece : work.pieces()) {
            fragments.add(new ReceivedFragment(
                    runtimes, planned, source, piece.statement(), piece.place(), piece.fragment(), piece.parameters()));
        }
        return fragments;
    }

    private void prepare(Prepare prepare) {
        if (prepare.mode() == PrepareMode.COMMIT) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST, "a node wants another one's partition to commit with its vote");
        }
        if (prepare.mode() == PrepareMode.RELEASE || prepare.mode() == PrepareMode.UNDO) {
            attempts.remove(partOf(prepare));
            orders.abandon(partOf(prepare));
        }
        RemoteCoordinator coordinator = coordinator(prepare.transaction());
        PartitionMessage.Prepare asked = new PartitionMessage.Prepare(
                prepare.transaction(),
                prepare.attempt(),
                coordinator,
                prepare.mode(),
                null,
                prepare.base(),
                prepare.read());
        if (leads(prepare.partition(), prepare.epoch())) {
            pass(prepare, asked);
        } else {
            asked.refused(prepare.partition());
        }
    }

    private void decision(RemoteMessage.Decision decision) {
        attempts.remove(partOf(decision));
        orders.abandon(partOf(decision));
        if (decision.commit() && !primaries.isOwn(decision.partition()) && !inDoubtParticipants.has(keyOf(decision))) {
            return; // who leads it now will ask
        }
        if (inDoubtParticipants.told(keyOf(decision), decision.commit(), decision.commitTimestamp())) {
            return; // it is told again, and acknowledged once it is written
        }
        pass(
                decision,
                new PartitionMessage.Decision(
                        decision.transaction(),
                        decision.attempt(),
                        decision.commit(),
                        decision.commitTimestamp(),
                        decision.acknowledge() ? coordinator(decision.transaction()) : null,
                        null));
    }

    // Readers of snapshots.

    private static PartKey keyOf(RemoteMessage message) {
        return new PartKey(message.transaction(), message.attempt(), message.partition());
    }

    private static PartKey partOf(RemoteMessage message) {
        return PartKey.ofAnyAttempt(message.transaction(), message.partition());
    }

    private void arrive(Arrive arrive) {
        PartitionSnapshotRead visit = new PartitionSnapshotRead(
                runtimes.of(arrive.partition()), arrive.transaction(), arrive.attempt(), arrive.strict());
        if (!primaries.isOwn(arrive.partition())) {
            turnAway(
                    new ReaderQuestion(arrive, arrive.question(), arrive.timestamp(), List.of(), null, 0),
                    arrive.partition());
            return;
        }
        if (visits.putIfAbsent(keyOf(arrive), visit) != null) {
            throw new FulmarException(ErrorCode.MALFORMED_REQUEST, "a reader comes to a partition that it visits");
        }
        orders.passPlanned(partOf(arrive), arrive.work().source(), planned -> {
            ReaderQuestion question = new ReaderQuestion(
                    arrive, arrive.question(), arrive.timestamp(), work(arrive.work(), planned), null, 0);
            put(arrive.partition(), new SnapshotReadTask.Arrive(visit, question));
        });
    }

    private void read(Read read) {
        PartitionSnapshotRead visit = visits.get(keyOf(read));
        if (visit == null) { // as when it came, which it may not have heard yet
            turnAway(new ReaderQuestion(read, read.question(), read.timestamp(), List.of(), null, 0), read.partition());
            return;
        }
        orders.passPlanned(partOf(read), read.work().source(), planned -> {
            ReaderQuestion question = new ReaderQuestion(
                    read, read.question(), read.timestamp(), work(read.work(), planned), read.part(), read.reading());
            put(read.partition(), new SnapshotReadTask.Read(visit, question));
        });
    }

    /** Every question is answered: a reader that waits for ever holds back replies for ever. */
    private void turnAway(ReaderQuestion question, PartitionId partition) {
        question.read(
                List.of(),
                new FragmentFailure(
                        0,
                        ErrorCode.NOT_CONNECTED,
                        "node " + primaries.self() + " does not lead partition " + partition
                                + " any more; send the request again"));
        question.passed(question.timestamp(), true);
    }

    /** Answers go back as messages. */
    private final class ReaderQuestion implements SnapshotReadRequest {
        private final RemoteMessage order;
        private final int number;
        private final long timestamp;
        private final List<FragmentWork> work;
        private final @Nullable PartSize part;
        private final int reading;

        ReaderQuestion(
                RemoteMessage order,
                int number,
                long timestamp,
                List<FragmentWork> work,
                @Nullable PartSize part,
                int reading) {
            this.part = part;
            this.reading = reading;
            this.order = order;
            this.number = number;
            this.timestamp = timestamp;
            this.work = work;
        }

        @Override
        public long timestamp() {
            return timestamp;
        }

        @Override
        public List<FragmentWork> work() {
            return work;
        }

        @Override
        public @Nullable PartSize part() {
            return part;
        }

        @Override
        public int reading() {
            return reading;
        }

        @Override
        public void passed(long clock, boolean isClear) {
            post.send(
                    node,
                    new RemoteMessage.Passed(
                            order.partition(), order.transaction(), order.attempt(), number, clock, isClear));
        }

        @Override
        public void read(List<FragmentResult> results, @Nullable FragmentFailure failure) {
            Post.Fate fate = post.send(node, found(results, failure));
            if (fate == Post.Fate.TOO_LARGE) {
                FragmentFailure tooLarge = new FragmentFailure(
                        0,
                        ErrorCode.RESULT_TOO_LARGE,
                        "partition " + order.partition() + " yields more than " + NodeSender.MAX_MESSAGE_BYTES
                                + " bytes for one batch; read less at once");
                post.send(node, found(List.of(), tooLarge));
            }
        }

        private RemoteMessage.Found found(List<FragmentResult> results, @Nullable FragmentFailure failure) {
            return new RemoteMessage.Found(
                    order.partition(), order.transaction(), order.attempt(), number, results, failure);
        }
    }

    // Loss.

    /** The session with the node has ended: nothing more comes of what is under way. */
    void linkLost() {
        attempts.forEach((key, attempt) -> passLast(key, new PartitionMessage.Abandon(key.transaction(), attempt)));
        attempts.clear();
        visits.forEach((key, visit) ->
                passLast(PartKey.ofAnyAttempt(key.transaction(), key.partition()), new SnapshotReadTask.Leave(visit)));
        visits.clear();
    }

    private void passLast(PartKey part, PartitionMessage message) {
        orders.abandon(part);
        orders.pass(part, () -> put(part.partition(), message));
    }
}
