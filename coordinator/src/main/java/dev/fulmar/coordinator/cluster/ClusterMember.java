package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.membership.AssignmentRecord;
import dev.fulmar.coordinator.membership.ChangeOutcome;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.NodeRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.coordinator.membership.detection.FailureDetector;
import dev.fulmar.coordinator.membership.detection.HeartbeatExchange;
import dev.fulmar.coordinator.membership.enrollment.ClusterView;
import dev.fulmar.coordinator.membership.enrollment.Enrollment;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.coordinator.membership.leadership.LeadershipEvent;
import dev.fulmar.coordinator.replication.RecordStore;
import dev.fulmar.foundation.agent.Agent;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.network.Network;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Agent that enrolls this process in its cluster, exchanges heartbeats, and notifies the process's copies of partitions
 * of changed records and suspected nodes. All of it happens in the agent's steps, of which there must be one per period
 * at least.
 */
public final class ClusterMember implements Agent {
    private static final int WAITING_HEARTBEATS = 1_024;

    private final ClusterState state;
    private final NodeMessages messages;
    private final MemberLinks links;
    private final Clock clock;
    private final Scheduler scheduler;
    private final MemberSettings settings;
    private final MemberListener listener;
    private final NodeId self;
    private final ClusterView view;
    private final Enrollment enrollment;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Offered> offered = new TreeMap<>();
    private final Map<Integer, Offered> hosted = new TreeMap<>();
    private final Map<NodeId, FailureDetector.Change> trust = new ConcurrentSkipListMap<>();
    private final Map<NodeId, NodeRecord> nodes = new ConcurrentSkipListMap<>();
    private final Map<Integer, AssignmentRecord> assignments = new TreeMap<>();
    private final Map<Integer, Versioned<PartitionRecord>> lastFound = new TreeMap<>();
    private volatile Runnable wakeUp = () -> {};
    private volatile @Nullable HeartbeatExchange heartbeats;
    private volatile @Nullable Topology topology;
    private volatile @Nullable ClusterRecord cluster;
    private volatile SessionState session = SessionState.SUSPENDED;
    private @Nullable FailureDetector detector;
    private volatile long incarnation;
    private long nextPeriodNanos;
    private boolean begun;
    private boolean leaves;
    private boolean stopped;

    /** A copy here. */
    private static final class Offered {
        private final MemberCopy copy;
        private final long life;
        private final PartitionId partition;
        private final Runnable turns;
        private Set<NodeId> others = Set.of();
        private boolean isAbsent;
        private boolean isFounding;
        private long absentSinceNanos;

        Offered(MemberCopy copy, long life, Runnable turns) {
            this.copy = copy;
            this.life = life;
            this.turns = turns;
            this.partition = copy.partition();
        }
    }

    /**
     * @param messages of this process; its channel of heartbeats becomes this object's
     * @param applicant this process's node
     */
    public ClusterMember(
            ClusterState state,
            NodeMessages messages,
            MemberLinks links,
            Clock clock,
            Scheduler scheduler,
            Enrollment.Applicant applicant,
            MemberSettings settings,
            MemberListener listener) {
        this.state = state;
        this.messages = messages;
        this.links = links;
        this.clock = clock;
        this.scheduler = scheduler;
        this.settings = settings;
        this.listener = listener;
        this.self = applicant.node();
        this.view = new ClusterView(state, this::execute, scheduler, settings.retryNanos(), new Found());
        this.enrollment =
                new Enrollment(state, this::execute, scheduler, applicant, settings.retryNanos(), new Enrolled());
        Network channel = messages.on(NodeChannel.HEARTBEAT);
        channel.onMessage((from, message) -> {
            HeartbeatExchange exchange = heartbeats;
            if (exchange != null) {
                exchange.received(from, message);
                wakeUp.run();
            }
        });
        channel.onLink(new Broken());
    }

    /** Wakes the agent's runner when there is something to do. Before {@link #start}. */
    public void wakeWith(Runnable newWakeUp) {
        wakeUp = newWakeUp;
    }

    /** Begins to take the process's place. */
    public void start() {
        execute(() -> {
            view.start();
            enrollment.start();
        });
    }

    /**
     * Has these copies, one of every partition and one of the catalog: those take part that the plan wants here, from
     * when it does. After {@link MemberListener#enrolled}. Any thread.
     *
     * @param life of a copy that this process has
     * @param copyTurns lets the threads of all copies take a turn, each once
     */
    public <C extends MemberCopy> void offer(Collection<C> copies, ToLongFunction<C> life, Runnable copyTurns) {
        execute(() -> {
            copies.forEach(copy ->
                    offered.put(copy.partition().number(), new Offered(copy, life.applyAsLong(copy), copyTurns)));
            hostWhatIsPlanned();
        });
    }

    private void hostWhatIsPlanned() {
        for (Offered copy : offered.values()) {
            if (!hosted.containsKey(copy.partition.number())
                    && (placeOf(copy.partition).contains(self) || isInSyncHere(copy.partition))) {
                hosted.put(copy.partition.number(), copy);
                host(copy);
            }
        }
    }

    /**
     * Whether the record names this node's copy as in sync. A primary that counts on it must hear of it, even if the
     * plan does not want it any more.
     */
    private boolean isInSyncHere(PartitionId partition) {
        Versioned<PartitionRecord> found = lastFound.get(partition.number());
        PartitionRecord record = found == null ? null : found.record();
        return record != null && record.inSyncOn(self).isPresent();
    }

    private void host(Offered added) {
        added.copy.join(
                new Leadership.Self(
                        new CopyId(self, added.life),
                        incarnation,
                        cluster().minInSync(),
                        settings.retryNanos(),
                        settings.candidacyNanos(),
                        settings.returnNanos()),
                othersOf(added.partition));
        trust.values().forEach(change -> tell(added, change));
        if (leaves) {
            added.copy.tell(new LeadershipEvent.Leaving(self, incarnation));
        }
        tellPlan(added);
        Versioned<PartitionRecord> found = lastFound.get(added.partition.number());
        if (found != null) {
            found(added, found);
        }
    }

    /** Store of a partition's record, for the copy of it. Any thread. */
    public RecordStore storeOf(PartitionId partition) {
        StateKey.Partition key = new StateKey.Partition(partition);
        return new RecordStore() {
            @Override
            public void change(
                    Versioned<PartitionRecord> expected,
                    PartitionRecord next,
                    Consumer<ChangeOutcome<Versioned<PartitionRecord>>> ended) {
                state.compareAndSet(key, expected, next, outcome -> {
                    ended.accept(outcome);
                    view.readAgain(key);
                });
            }

            @Override
            public void readAgain() {
                view.readAgain(key);
            }
        };
    }

    /** Map of the partitions' primaries; null before the process has its place. Any thread. */
    public @Nullable Topology topology() {
        return topology;
    }

    /** Records of the cluster's nodes that are known, by number. Any thread. */
    public Map<NodeId, NodeRecord> nodes() {
        return Map.copyOf(nodes);
    }

    /** Nodes that this process trusts or suspects now. Any thread. */
    public List<FailureDetector.Change> trust() {
        return List.copyOf(trust.values());
    }

    /** State of this process's session with the store, as far as it is known. Any thread. */
    public SessionState session() {
        return session;
    }

    /** The number that this process has, and no other of its node; 0 before it has its place. */
    public long incarnation() {
        return incarnation;
    }

    /**
     * The process is about to end: others are to lead what it leads, and to do without its copies. It takes part until
     * {@link #stop}. Any thread.
     */
    public void leave() {
        execute(() -> {
            leaves = true;
            HeartbeatExchange exchange = heartbeats;
            if (exchange != null) {
                exchange.leave();
            }
            hosted.values().forEach(copy -> copy.copy.tell(new LeadershipEvent.Leaving(self, incarnation)));
        });
    }

    /**
     * Whether no partition waits for this process when it ends, but for those that no other node could serve. Any
     * thread.
     */
    public boolean isDispensable() {
        Topology known = topology;
        for (int partition = 0; known != null && partition <= known.partitions(); partition++) {
            PartitionRecord record = known.recordOf(new PartitionId(partition));
            if (record != null
                    && record.inSyncOn(self).isPresent()
                    && record.inSync().stream().anyMatch(copy -> stays(copy.node()))) {
                return false;
            }
        }
        return true;
    }

    private boolean stays(NodeId node) {
        FailureDetector.Change known = trust.get(node);
        return known != null && !known.suspected() && !known.leaves();
    }

    /** Takes part no more. Any thread. */
    public void stop() {
        execute(() -> {
            stopped = true;
            view.close();
        });
    }

    private ClusterRecord cluster() {
        ClusterRecord record = cluster;
        if (record == null) {
            throw new IllegalStateException("the process has no place in its cluster yet");
        }
        return record;
    }

    private void execute(Runnable task) {
        tasks.add(task);
        wakeUp.run();
    }

    @Override
    public int doWork() {
        int work = 0;
        Runnable task = tasks.poll();
        while (task != null) {
            task.run();
            work++;
            task = tasks.poll();
        }
        HeartbeatExchange exchange = heartbeats;
        if (exchange != null && !stopped) {
            work += exchange.doWork();
        }
        long nowNanos = clock.monotonicNanos();
        if (!stopped && (!begun || nowNanos - nextPeriodNanos >= 0)) {
            begun = true;
            nextPeriodNanos = nowNanos + settings.periodNanos();
            @Nullable Runnable due = null;
            for (Offered copy : hosted.values()) {
                due = copy.copy.timePassed() ? copy.turns : due;
                found(copy, nowNanos);
            }
            if (due != null) {
                due.run();
            }
            work++;
        }
        return work;
    }

    @Override
    public boolean mayTakeLong() {
        return false;
    }

    @Override
    public String roleName() {
        return "member";
    }

    private final class Enrolled implements Enrollment.Listener {
        @Override
        public void enrolled(ClusterRecord record, long itsIncarnation) {
            incarnation = itsIncarnation;
            cluster = record;
            topology = new Topology(record.partitions());
            FailureDetector made = new FailureDetector(settings.detection(), record.clusterId(), itsIncarnation);
            detector = made;
            heartbeats = new HeartbeatExchange(
                    made,
                    settings.detection(),
                    clock,
                    messages.on(NodeChannel.HEARTBEAT),
                    new ArrayBlockingQueue<>(WAITING_HEARTBEATS),
                    ClusterMember.this::trustChanged);
            links.begin(record.clusterId(), itsIncarnation);
            // The catalog is behind the last partition.
            for (int partition = 0; partition <= record.partitions(); partition += AssignmentRecord.PARTITIONS) {
                view.follow(AssignmentRecord.keyOf(partition));
            }
            for (int partition = 0; partition <= record.partitions(); partition++) {
                view.follow(new StateKey.Partition(new PartitionId(partition)));
            }
            readNodes();
            listener.enrolled(record, itsIncarnation);
        }

        @Override
        public void refused(String message) {
            stopped = true;
            listener.refused(message);
        }
    }

    private void readNodes() {
        if (cluster == null || stopped) {
            return;
        }
        state.readNodes(outcome -> execute(() -> {
            switch (outcome) {
                case ReadOutcome.Found<List<StateKey.Node>>(var found) -> found.forEach(view::follow);
                // Whoever does not know the others sends them no heartbeats, and is suspected by all of them.
                case ReadOutcome.Unanswered<?> _, ReadOutcome.SessionLost<?> _ ->
                    scheduler.schedule(settings.retryNanos(), () -> execute(this::readNodes));
                case ReadOutcome.Refused<?>(String message) -> listener.complaint(message);
            }
        }));
    }

    private void trustChanged(FailureDetector.Change change) {
        trust.put(change.node(), change);
        hosted.values().forEach(copy -> tell(copy, change));
    }

    private static void tell(Offered copy, FailureDetector.Change change) {
        copy.copy.tell(
                change.suspected()
                        ? new LeadershipEvent.Suspected(change.node())
                        : new LeadershipEvent.Trusted(change.node(), change.incarnation()));
        if (change.leaves()) {
            copy.copy.tell(new LeadershipEvent.Leaving(change.node(), change.incarnation()));
        }
    }

    /** Listener for the view's findings. */
    private final class Found implements ClusterView.Listener {
        @Override
        public void found(StateKey<?> key, Versioned<?> found) {
            switch (key) {
                case StateKey.Node(NodeId node) -> {
                    if (found.record() instanceof NodeRecord record) {
                        nodeFound(node, record);
                    }
                }
                case StateKey.Partition(PartitionId partition) -> partitionFound(partition, typed(found));
                case StateKey.Assignment(int chunk) -> {
                    if (found.record() instanceof AssignmentRecord record) {
                        assignments.put(chunk, record);
                        hosted.values().forEach(ClusterMember.this::tellPlan);
                        hostWhatIsPlanned();
                    }
                }
                case StateKey.Cluster _, StateKey.Catalog _, StateKey.Plan _ -> {}
            }
        }

        @SuppressWarnings("unchecked") // a record is of the kind that its key says
        private static Versioned<PartitionRecord> typed(Versioned<?> found) {
            return (Versioned<PartitionRecord>) found;
        }

        @Override
        public void present(List<Presence> found) {
            readNodes();
        }

        @Override
        public void session(SessionState newSession) {
            session = newSession;
            enrollment.session(newSession);
        }

        @Override
        public void refused(String message) {
            listener.complaint(message);
        }
    }

    private void nodeFound(NodeId node, NodeRecord record) {
        nodes.put(node, record);
        if (node.equals(self)) {
            enrollment.found(record);
            return;
        }
        FailureDetector watching = detector;
        if (watching == null) {
            return;
        }
        if (record.standing() == NodeRecord.Standing.REMOVED) {
            watching.forget(node);
            links.forget(node);
            trustChanged(new FailureDetector.Change(node, record.incarnation(), true));
        } else {
            watching.watch(node, record.incarnation());
            links.reach(node, record.address(), record.incarnation());
        }
    }

    private void partitionFound(PartitionId partition, Versioned<PartitionRecord> found) {
        lastFound.put(partition.number(), found);
        PartitionRecord record = found.record();
        Topology known = topology;
        if (record != null && known != null) {
            known.found(partition, record);
        }
        Offered copy = hosted.get(partition.number());
        if (copy != null) {
            found(copy, found);
            return;
        }
        Offered waiting = offered.get(partition.number());
        if (waiting != null && isInSyncHere(partition)) {
            hosted.put(partition.number(), waiting);
            host(waiting);
        }
    }

    private void tellPlan(Offered copy) {
        Set<NodeId> others = othersOf(copy.partition);
        copy.others = others;
        copy.copy.nodes(others);
        List<NodeId> place = placeOf(copy.partition);
        Topology known = topology;
        if (known != null) {
            known.planned(copy.partition, new TreeSet<>(place));
        }
        copy.copy.tell(new LeadershipEvent.Planned(place));
    }

    private void found(Offered copy, Versioned<PartitionRecord> found) {
        if (found.isPresent()) {
            copy.isAbsent = false;
            Set<NodeId> others = othersOf(copy.partition);
            if (!others.equals(copy.others)) {
                copy.others = others;
                copy.copy.nodes(others);
            }
            copy.copy.tell(new LeadershipEvent.RecordFound(found));
        } else {
            copy.isAbsent = true;
            copy.absentSinceNanos = clock.monotonicNanos();
        }
    }

    /** The nodes that the partition's copies are to be on, the one that should lead first. */
    private List<NodeId> placeOf(PartitionId partition) {
        AssignmentRecord record =
                assignments.get(AssignmentRecord.keyOf(partition.number()).chunk());
        int index = partition.number() % AssignmentRecord.PARTITIONS;
        return record == null || index >= record.copies().size()
                ? List.of()
                : record.copies().get(index);
    }

    /** Those of the plan, and those that are in sync although the plan does not want them any more. */
    private Set<NodeId> othersOf(PartitionId partition) {
        Set<NodeId> others = new TreeSet<>(placeOf(partition));
        Versioned<PartitionRecord> found = lastFound.get(partition.number());
        PartitionRecord record = found == null ? null : found.record();
        if (record != null) {
            record.inSync().forEach(copy -> others.add(copy.node()));
        }
        others.remove(self);
        return others;
    }

    /** A partition that never was is founded by the first of its nodes that lives; a second one meets a conflict. */
    private void found(Offered copy, long nowNanos) {
        int turn = placeOf(copy.partition).indexOf(self);
        if (copy.isAbsent
                && !copy.isFounding
                && !leaves
                && turn >= 0
                && nowNanos - copy.absentSinceNanos >= turn * settings.foundingNanos()) {
            copy.isFounding = true;
            CopyId first = new CopyId(self, copy.life);
            StateKey.Partition key = new StateKey.Partition(copy.partition);
            state.compareAndSet(
                    key,
                    Versioned.absent(),
                    new PartitionRecord(1, first, incarnation, new ArrayList<>(List.of(first))),
                    outcome -> execute(() -> {
                        copy.isFounding = false;
                        if (outcome instanceof ChangeOutcome.Refused<?>(String message)) {
                            listener.complaint(message);
                        }
                        view.readAgain(key);
                    }));
        }
    }

    /** A broken connection says that a node may be gone. */
    private final class Broken implements Network.LinkListener {
        @Override
        public void linkUp(NodeId node) {}

        @Override
        public void linkLost(NodeId node) {
            HeartbeatExchange exchange = heartbeats;
            if (exchange != null) {
                exchange.connectionBroke(node);
                wakeUp.run();
            }
        }
    }
}
