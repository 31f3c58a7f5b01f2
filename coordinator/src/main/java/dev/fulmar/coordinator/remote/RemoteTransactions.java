package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.recovery.InDoubtResolver;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.transaction.DecidedAttempt;
import dev.fulmar.coordinator.transaction.DistributedCalls;
import dev.fulmar.coordinator.transaction.InDoubtPart;
import dev.fulmar.coordinator.transaction.KeptDecision;
import dev.fulmar.coordinator.transaction.LiveTransactions;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.coordinator.transaction.PartitionRuntimes;
import dev.fulmar.coordinator.transaction.PartitionTransport;
import dev.fulmar.coordinator.transaction.TargetSource;
import dev.fulmar.engine.partition.CoordinatorMessage;
import dev.fulmar.engine.partition.CoordinatorPort;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.VotedPart;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.schedule.Scheduler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Connects this node's coordinators with partitions on other nodes, and other nodes' coordinators with its own
 * partitions, by messages. Messages and events of a node's link come one at a time and in order; otherwise thread-safe.
 */
public final class RemoteTransactions implements Durability.Heritage {
    /**
     * Between two looks at what may have been lost without a word: long against a transaction, short against a
     * request's patience.
     */
    private static final long TENDING_NANOS = 500_000_000;

    private final PrimaryMap primaries;
    private final PartitionRuntimes runtimes;
    private final TargetSource targets;
    private final PlanningQueue planning;
    private final Post post;
    private final RemotePartitions way;
    private final Decisions decisions;
    private final InDoubtParticipants inDoubtParticipants;
    private final ConcurrentSkipListMap<NodeId, Participants> participants = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListSet<NodeId> linked = new ConcurrentSkipListSet<>();
    private final Scheduler scheduler;
    private final Probes probes;

    /** By partition, who had voted there when it was last looked. Touched by the partition's thread only. */
    private final AtomicReferenceArray<@Nullable VotedPart> voted;

    private volatile boolean isOver;
    private @Nullable DistributedCalls calls;
    private List<InDoubtPart> inherited = List.of();

    /** @param copies of the database's partitions; null if they have none on other nodes */
    public RemoteTransactions(
            ClusterPorts ports,
            @Nullable PartitionReplicas copies,
            PartitionRuntimes runtimes,
            TargetSource targets,
            PlanningQueue planning,
            Scheduler scheduler) {
        this.primaries = ports.primaries().apply(copies);
        this.scheduler = scheduler;
        this.voted = new AtomicReferenceArray<>(runtimes.count());
        this.runtimes = runtimes;
        this.targets = targets;
        this.planning = planning;
        this.post = new Post(ports.sender());
        this.way = new RemotePartitions(
                primaries,
                runtimes,
                post,
                partition -> copies == null ? null : copies.of(partition).reads());
        this.probes = ports.probes();
        this.decisions = new Decisions(
                primaries,
                probes,
                (base, decided) -> runtimes.of(base).decisions().settle(decided));
        this.inDoubtParticipants = new InDoubtParticipants(
                primaries,
                scheduler,
                probes,
                post,
                this::answer,
                (partition, message) ->
                        runtimes.of(partition).partition().inbox().put(message),
                this::acknowledgement);
    }

    /** Gives it the transactions of this node; once, before anything is sent or received. */
    public void attach(DistributedCalls newCalls) {
        Invariants.check(calls == null, "a node's coordinators are attached once");
        calls = newCalls;
    }

    private DistributedCalls calls() {
        DistributedCalls attached = calls;
        if (attached == null) {
            throw Invariants.breach("transactions are attached before messages come");
        }
        return attached;
    }

    /** To partitions wherever they are led. */
    public PartitionTransport way() {
        return way;
    }

    /** Decisions of this node's base partitions. */
    public Decisions decisions() {
        return decisions;
    }

    /** Parts of this node's partitions that wait to hear what became of them. */
    public int doubtCount() {
        return inDoubtParticipants.count();
    }

    /** Partitions that take part in transactions of this node's coordinators that have not come to their end. */
    public int underWay() {
        return way.underWay();
    }

    // The beginning.

    @Override
    public void inherited(List<KeptDecision> newDecisions, List<InDoubtPart> parts) {
        newDecisions.forEach(decisions::keep);
        parts.forEach(part -> restore(runtimes.of(part.partition()).partition(), part));
        inherited = List.copyOf(parts);
    }

    /** The partitions run: asks for what is in doubt, and tells what was decided. */
    public void start() {
        inherited.forEach(this::doubt);
        inherited = List.of();
        decisions.tell(primaries.self(), way);
        scheduler.schedule(TENDING_NANOS, this::tend);
    }

    /** The partitions end. */
    public void stop() {
        isOver = true;
    }

    /** Map of the partitions' primaries. */
    public PrimaryMap primaries() {
        return primaries;
    }

    /**
     * Looks for events that no link reports: a primary was deposed, or a coordinator has ended without knowing its
     * decision.
     */
    private void tend() {
        if (isOver) {
            return;
        }
        way.loseDeposed();
        decisions.tellAgain(way);
        for (PartitionRuntime runtime : runtimes.all()) {
            if (runtime.partition().isLocked()
                    && primaries.isOwn(runtime.partition().id())) {
                runtime.partition().inbox().put((PartitionTask) this::lookForDoubt);
            }
        }
        scheduler.schedule(TENDING_NANOS, this::tend);
    }

    /** Asks for the decision of a part that has waited for it since the last look. */
    private void lookForDoubt(Partition partition) {
        VotedPart before = voted.get(partition.id().number());
        VotedPart now = partition.votedPart();
        voted.set(partition.id().number(), now);
        if (now != null && now.equals(before)) {
            probes.reached("doubts: a part waits for long");
            inDoubtParticipants.add(new PartKey(now.transaction(), now.attempt(), partition.id()), now.base());
        }
    }

    /** This node leads the partition no more, whose decisions another one has. On the partition's thread. */
    public void deposed(PartitionId partition) {
        decisions.forget(partition);
    }

    /** For copies that begin to lead: takes over their decisions, and asks for what is in doubt there. */
    public InDoubtResolver promotions() {
        return (partition, doubt, verdict) -> {
            if (partition.number() >= runtimes.count()) { // the catalog has no transactions
                verdict.decided(false, 0);
                return;
            }
            inherit(runtimes.of(partition));
            PartitionId base = doubt == null ? null : doubt.base();
            if (doubt == null || base == null || base.equals(partition)) { // its own decision would be in its log
                verdict.decided(false, 0);
            } else {
                probes.reached("doubts: a new primary has a part in doubt");
                inDoubtParticipants.add(new PartKey(doubt.transaction(), doubt.attempt(), partition), base, verdict);
            }
        };
    }

    /**
     * Takes over the decisions of earlier terms. They count only once all copies in sync have them: if another copy
     * leads before, there may be no such decisions.
     */
    private void inherit(PartitionRuntime runtime) {
        PartitionId base = runtime.partition().id();
        decisions.inherit(runtime.decisions().all());
        runtime.partition().inbox().put((PartitionTask)
                partition -> partition.readers().onceConfirmed(replies -> decisions.confirmed(base)));
    }

    private void restore(Partition partition, InDoubtPart part) {
        partition.restorePrepared(
                part.transaction(), part.attempt(), message -> {}, part.proposal(), part.base(), part.work());
    }

    private void doubt(InDoubtPart part) {
        inDoubtParticipants.add(new PartKey(part.transaction(), part.attempt(), part.partition()), part.base());
    }

    // Links.

    /**
     * Takes what comes over the channel of transactions; before the network reaches anybody.
     *
     * @param isBroken whether a node that is lost had said that it broke
     */
    public void listenTo(Network channel, Predicate<NodeId> isBroken) {
        way.distrust(isBroken);
        channel.onMessage(this::received);
        channel.onLink(new Network.LinkListener() {
            @Override
            public void linkUp(NodeId node) {
                RemoteTransactions.this.linkUp(node);
            }

            @Override
            public void linkLost(NodeId node) {
                RemoteTransactions.this.linkLost(node);
            }
        });
    }

    /** A session with the node has begun. */
    public void linkUp(NodeId node) {
        linked.add(node);
        decisions.tell(node, way);
        inDoubtParticipants.askAll();
    }

    /** The session with the node has ended: what was outstanding counts as lost. */
    public void linkLost(NodeId node) {
        linked.remove(node);
        Participants theirs = participants.get(node);
        if (theirs != null) {
            theirs.linkLost();
        }
        way.linkLost(node);
    }

    /** The nodes with which there is a session, for one that asks of single nodes; none without a cluster. */
    public static Predicate<NodeId> reach(@Nullable RemoteTransactions transactions) {
        return node -> transactions != null && transactions.linked.contains(node);
    }

    /** A message of the node; fails for what makes no sense. The buffer is not kept. */
    public void received(NodeId from, ByteBuffer bytes) {
        RemoteMessage message = RemoteFormat.read(bytes);
        checkPartition(message.partition());
        switch (message) {
            case RemoteMessage.Order order -> participants(from).ordered(order);
            case RemoteMessage.Report report -> reported(from, report);
            case RemoteMessage.Passed passed -> {
                RemoteSnapshotRead visit = way.visit(from, passed);
                if (visit != null) {
                    visit.passed(passed.question(), passed.clock(), passed.isClear());
                }
            }
            case RemoteMessage.Found found -> {
                RemoteSnapshotRead visit = way.visit(from, found);
                if (visit != null) {
                    visit.found(found.question(), found.results(), found.failure());
                }
            }
            case RemoteMessage.Released released -> {
                RemoteSnapshotRead visit = way.visit(from, released);
                if (visit != null) {
                    visit.released();
                }
            }
            case RemoteMessage.Broken broken -> {
                RemoteSnapshotRead visit = way.visit(from, broken);
                if (visit != null) {
                    visit.lost(
                            ErrorCode.NOT_CONNECTED,
                            "another node leads partition " + broken.partition() + " now; send the request again");
                }
            }
            case RemoteMessage.Question question -> {
                checkPartition(question.base());
                answer(question, answer -> post.send(from, answer));
            }
            case RemoteMessage.Answer answer -> inDoubtParticipants.answered(answer);
        }
    }

    private void checkPartition(PartitionId partition) {
        if (partition.number() >= runtimes.count()) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "a node sent a message about partition " + partition + ", which is none");
        }
    }

    private Participants participants(NodeId from) {
        return participants.computeIfAbsent(
                from,
                node -> new Participants(
                        node,
                        primaries,
                        runtimes,
                        new PlannedOrders(targets, planning, probes),
                        id -> calls().observe(id),
                        post,
                        inDoubtParticipants));
    }

    private void reported(NodeId from, RemoteMessage.Report report) {
        LiveTransactions.Live transaction = calls().live().find(report.transaction());
        if (report.message() instanceof CoordinatorMessage.Decided decided) {
            decisions.acknowledged(new DecidedAttempt(report.transaction(), decided.attempt()), decided.partition());
        } else if (transaction != null && way.admits(from, report)) {
            transaction.deliver(report.message());
        }
    }

    // Doubt.

    /**
     * Finds out what became of the attempt, on the thread of its base partition, where leadership begins and ends. That
     * it is undone is said only once it is sure that this node leads the base partition still: another one might have
     * committed it meanwhile.
     */
    private void answer(RemoteMessage.Question question, Consumer<RemoteMessage.Answer> taker) {
        runtimes.of(question.base()).partition().inbox().put((PartitionTask) partition -> {
            RemoteMessage.Answer answer = known(question);
            if (answer.verdict() == RemoteMessage.Verdict.ABORT) {
                partition.readers().onceConfirmed(replies -> taker.accept(answer));
            } else {
                taker.accept(answer);
            }
        });
    }

    /**
     * Answers a question about an attempt; transactions under way are looked at first. A transaction leaves those only
     * after its decision is kept, and the decision is kept only once it is durable. An attempt that a later one has
     * followed is undone: the later one may itself wait for the partition whose vote is in doubt.
     */
    private RemoteMessage.Answer known(RemoteMessage.Question question) {
        LiveTransactions.Live live = calls().live().find(question.transaction());
        boolean underWay = live != null && !live.isPast(question.attempt());
        DecidedAttempt asked = new DecidedAttempt(question.transaction(), question.attempt());
        KeptDecision decision = decisions.find(asked);
        boolean knows = primaries.answersFor(question.base()) && !decisions.isUnconfirmed(asked);
        RemoteMessage.Verdict verdict = RemoteMessage.Verdict.ABORT;
        if (!knows || underWay) {
            verdict = RemoteMessage.Verdict.WAIT;
        } else if (decision != null) {
            verdict = RemoteMessage.Verdict.COMMIT;
        }
        probes.reached(
                switch (verdict) {
                    case WAIT -> "doubts: another node is told to wait";
                    case COMMIT -> "doubts: another node is told of a commit";
                    case ABORT -> "doubts: another node is told that nothing was decided";
                });
        return new RemoteMessage.Answer(
                question.partition(),
                question.transaction(),
                question.attempt(),
                verdict,
                decision == null ? 0 : decision.commitTimestamp());
    }

    /** Port that tells the base partition's primary that a decision is durable here. */
    private CoordinatorPort acknowledgement(PartitionId base, TransactionId transaction) {
        return message -> {
            NodeId node = primaries.primaryOf(base);
            if (primaries.self().equals(node)) {
                decisions.acknowledged(new DecidedAttempt(transaction, message.attempt()), message.partition());
            } else if (node != null) {
                post.send(node, new RemoteMessage.Report(transaction, message));
            }
        };
    }
}
