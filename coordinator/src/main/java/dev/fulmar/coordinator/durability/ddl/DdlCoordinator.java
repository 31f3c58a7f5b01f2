package dev.fulmar.coordinator.durability.ddl;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Attempt;
import dev.fulmar.coordinator.durability.ddl.ChangeFormat.Message;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.durability.replica.PartitionReplicas;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coordinator of catalog changes over all nodes: a two-phase commit whose decision is the change's record in the
 * catalog stream. The node that makes the changes lets all nodes that lead partitions prepare, then lock their
 * partitions and make the change there. When every partition is ready it writes the record. When that counts, which
 * each node hears with the stream, all commit. A node that is ready waits for that, or for a primary of the catalog to
 * say that the attempt came to nothing. That primary is of the same epoch or a later one, has no such record and does
 * not try it. Either may come by way of another node, for the link to the primary may be cut. An attempt not decided in
 * time is given up, for all partitions are locked; one that is written down goes forward. Invariant: an attempt is said
 * to have come to nothing only when it never can count any more; who hears it when, or from whom, does not matter.
 * Methods are for the catalog's thread unless they say otherwise.
 */
public final class DdlCoordinator {
    private static final long ASK_NANOS = 200_000_000;

    /** After so long without an answer others are asked too. */
    private static final long SEEK_NANOS = 1_000_000_000;

    /** Attempts of which other nodes are told what the primary says; they ask again. */
    private static final int MOST_SOUGHT = 100;

    /** However soon requests are given up: a change waits for logs and copies of all nodes. */
    private static final long LEAST_LOCK_NANOS = 10_000_000_000L;

    /** The reason for which the log of this node takes no more, or none. */
    private final Supplier<@Nullable FulmarException> shortage;

    private final PartitionReplicas copies;
    private final CatalogHistory history;
    private final ChangeQueue queue;
    private final ChangeLimit limit;
    private final long lockNanos;
    private final TreeMap<Attempt, DdlParticipant> foreign = new TreeMap<>();
    private final CatalogBarrier primaries;

    /** Nodes that the primary does not reach, perhaps, by the attempt of which they wait for its word. */
    private final TreeMap<Attempt, Set<NodeId>> seekers = new TreeMap<>();

    /** The epochs of partitions whose primaries no undecided change passes by. */
    private final TreeMap<PartitionId, Long> counted = new TreeMap<>();

    private volatile @Nullable Links links;
    private volatile boolean hasForeign;
    private @Nullable DdlAttempt ddlAttempt;
    private long lastNumber;

    /** How nodes are reached, and which ones there are. For any thread. */
    public interface Links {
        /** Sends a message to {@link #received} of the other node; false if it is lost. */
        boolean send(NodeId to, ByteBuffer message);

        /** The other nodes that lead partitions, as far as is known. */
        Set<NodeId> leaders();

        /**
         * Whether any copy ever led the partition, as far as is known. One that never was led is empty, and begins with
         * the newest catalog.
         */
        boolean isFounded(PartitionId partition);

        /** The node that makes the changes; null if none is known. */
        @Nullable NodeId changer();

        /** The other nodes that have all changes that count, as far as is known. */
        Set<NodeId> witnesses();
    }

    /** This coordinator, as an attempt of this node sees it. */
    private final class Surroundings implements DdlAttempt.Surroundings {
        @Override
        public boolean send(NodeId to, Message message) {
            return DdlCoordinator.this.send(to, message);
        }

        @Override
        public long nowNanos() {
            return copies.catalog().nowNanos();
        }

        @Override
        public boolean isOneMissing(Set<PartitionId> tried) {
            Links known = links;
            return known != null
                    && copies.all().stream()
                            .anyMatch(copy -> !tried.contains(copy.partition())
                                    && (known.isFounded(copy.partition()) || counted.containsKey(copy.partition())));
        }

        @Override
        public void ended() {
            ddlAttempt = null;
        }
    }

    /**
     * @param mostImageBytes what all changes together may take, so that a copy of the catalog can be built from them
     * @param lockNanos how long partitions may be locked for a change that is not decided
     */
    public DdlCoordinator(
            PartitionReplicas copies,
            CatalogHistory history,
            ChangeQueue queue,
            int mostImageBytes,
            Supplier<@Nullable FulmarException> shortage,
            long lockNanos) {
        this.shortage = shortage;
        this.limit = new ChangeLimit(history, mostImageBytes);
        this.lockNanos = Math.max(lockNanos, LEAST_LOCK_NANOS);
        this.copies = copies;
        this.history = history;
        this.queue = queue;
        this.primaries = new CatalogBarrier(history::settled);
    }

    /** From now on changes are made with other nodes. For any thread. */
    public void connect(Links newLinks) {
        links = newLinks;
    }

    /** For any thread. */
    public boolean isConnected() {
        return links != null && copies.hasCatalog();
    }

    /**
     * Whether the node has all changes that were decided without this term of the partition, so that it may be served.
     * Asks the primary of the catalog, often. For the partition's thread.
     */
    public boolean isCounted(PartitionId partition, long epoch) {
        return !isConnected()
                || primaries.isCounted(partition, epoch, copies.catalog().nowNanos(), this::askToCount);
    }

    private void askToCount(PartitionId partition, long epoch) {
        Links known = links;
        NodeId changer = known == null ? null : known.changer();
        if (copies.catalog().status().serves()) {
            post(() -> count(partition, epoch, version -> decided(partition, epoch, version)));
        } else if (changer != null) {
            send(changer, new Message.TermBegun(partition, epoch));
        }
    }

    /**
     * Counts a new primary of a partition in, and ends the attempt under way, which may have heard that its predecessor
     * is ready. No later one can: a predecessor says so only when all copies in sync have confirmed to it since, and
     * the new primary confirms to none. A term that another one has followed is not counted any more.
     */
    private void count(PartitionId partition, long epoch, LongConsumer answer) {
        PartitionReplica catalog = copies.catalog();
        if (!catalog.serves() || !catalog.leads()) {
            return;
        }
        Long before = counted.get(partition);
        if (before != null && before > epoch) {
            return; // another node has begun to lead it since, and changes are made with that
        }
        counted.put(partition, epoch);
        DdlAttempt made = ddlAttempt;
        if (made != null && (before == null || before < epoch)) {
            made.fail(unreachable(partition + " is led by another node from now on"));
        }
        long version = history.catalog().version();
        catalog.onceSafe(() -> answer.accept(version)); // another node may make changes already
    }

    private void decided(PartitionId partition, long epoch, long version) {
        primaries.decided(partition, epoch, version);
        copies.wake(partition.number());
    }

    private void post(Runnable task) {
        copies.catalog().post(task);
    }

    private boolean send(NodeId to, Message message) {
        Links known = links;
        return known != null && known.send(to, ChangeFormat.write(message));
    }

    static FulmarException unreachable(String why) {
        return new FulmarException(ErrorCode.NOT_CONNECTED, why + "; nothing was changed, send the statement again");
    }

    /** A change is about to be made here. For any thread. */
    public void announce(long version, CatalogEntry entry, Consumer<@Nullable FulmarException> ended) {
        post(() -> {
            Links known = links;
            PartitionReplica catalog = copies.catalog();
            if (known == null || !catalog.serves()) {
                ended.accept(known == null ? null : unreachable("another node makes the changes of the catalog now"));
                return;
            }
            if (version
                    <= history.catalog().version()) { // a node that makes the other change never answers to this one
                ended.accept(unreachable("a change of an earlier primary of the catalog comes first"));
                return;
            }
            byte[] kept = CatalogRecord.of(Math.toIntExact(version), entry);
            FulmarException full = shortage.get();
            FulmarException refusal = full != null ? full : limit.excess(kept, entry.isEnding());
            if (refusal != null) {
                ended.accept(refusal);
                return;
            }
            Attempt attempt = new Attempt(catalog.status().epoch(), ++lastNumber);
            DdlAttempt made = new DdlAttempt(new Surroundings(), attempt, known.leaders(), ended);
            ddlAttempt = made;
            made.announce(kept);
        });
    }

    /** The change that was announced last begins to lock partitions here. For any thread. */
    public void begun(Consumer<FulmarException> end) {
        post(() -> {
            DdlAttempt made = ddlAttempt;
            if (made != null) {
                made.begun(end);
            }
        });
    }

    private FulmarException overdue() {
        return new FulmarException(
                ErrorCode.SERVER_BUSY,
                "not all partitions were ready for the change of the catalog within " + lockNanos / 1_000_000
                        + " ms, for which the others were locked; nothing was changed, send the statement again, or raise requests.timeout");
    }

    /** The change that was announced last is not made. For any thread. */
    public void withdraw() {
        post(() -> {
            DdlAttempt made = ddlAttempt;
            ddlAttempt = null;
            if (made != null) {
                made.withdraw();
            }
        });
    }

    /**
     * Decides the change once all partitions are ready; those that this node leads are.
     *
     * @param promised timestamp that these have promised to commit at, or later
     * @param write writes the change down, above the timestamp that it gets; run once all partitions are ready
     */
    public void decide(List<PartitionId> tried, long promised, LongConsumer write, Consumer<FulmarException> lost) {
        DdlAttempt made = ddlAttempt;
        if (links == null) {
            write.accept(promised);
        } else if (made == null || made.failure() != null) {
            ddlAttempt = null;
            FulmarException failure = made == null ? null : made.failure();
            lost.accept(failure == null ? unreachable("another node makes the changes of the catalog now") : failure);
        } else {
            made.prepare(served(tried), promised, write, lost);
        }
    }

    /** The session with a node ended. For any thread. */
    public void linkLost(NodeId node) {
        post(() -> {
            DdlAttempt made = ddlAttempt;
            if (made != null && made.isTarget(node)) {
                made.fail(unreachable(node + ", which leads partitions, is not reached any more"));
            }
        });
    }

    /** Takes a message, for any thread; refuses by throwing what is none. */
    public void received(NodeId from, ByteBuffer in) {
        Message message = ChangeFormat.read(in);
        List<PartitionId> named = switch (message) {
            case Message.Ready(var _, List<PartitionId> tried, long _) -> tried;
            case Message.TermBegun(PartitionId partition, long _) -> List.of(partition);
            case Message.Decided(PartitionId partition, long _, long _) -> List.of(partition);
            case Message.OfAttempt _ -> List.of();
        };
        if (named.stream()
                .anyMatch(partition -> partition.number() >= copies.all().size())) {
            throw ChangeFormat.malformed("a partition that there is not");
        }
        if (message instanceof Message.Announce(var _, byte[] kept)) {
            CatalogRecord.check(kept);
        }
        post(() -> take(from, message));
    }

    private void take(NodeId from, Message message) {
        switch (message) {
            case Message.TermBegun(PartitionId partition, long epoch) ->
                count(partition, epoch, version -> send(from, new Message.Decided(partition, epoch, version)));
            case Message.Decided(PartitionId partition, long epoch, long version) -> decided(partition, epoch, version);
            case Message.OfAttempt ofAttempt -> take(from, ofAttempt);
        }
    }

    private void take(NodeId from, Message.OfAttempt message) {
        DdlAttempt made = ownOf(message.attempt());
        boolean isPart = made != null && made.isTarget(from);
        DdlParticipant change = foreign.get(message.attempt());
        switch (message) {
            case Message.Announce(Attempt attempt, byte[] kept) -> announced(from, attempt, kept);
            case Message.Announced _ -> {
                if (made != null && isPart) {
                    made.planned(from);
                }
            }
            case Message.Prepare _ -> {
                if (change != null && change.maker().equals(from)) {
                    change.proceed();
                }
            }
            case Message.Ready(var _, List<PartitionId> tried, long promised) -> {
                if (made != null && isPart) {
                    made.ready(from, tried, promised);
                }
            }
            case Message.Failed(var _, ErrorCode code, String text) -> {
                if (made != null && isPart) {
                    made.fail(new FulmarException(code, text));
                }
            }
            case Message.Abort(Attempt attempt, long epoch) -> {
                if (change != null && epoch >= attempt.epoch()) {
                    end(change);
                }
                Set<NodeId> told = seekers.remove(attempt);
                if (told != null) {
                    told.forEach(node -> send(node, message));
                }
            }
            case Message.StatusQuery statusQuery -> sought(from, made, statusQuery);
            case Message.ResolveRequest(Attempt attempt, long version) -> {
                if (made == null) {
                    onceVoid(attempt, version, () -> sendAbort(from, attempt));
                }
            }
        }
    }

    /**
     * A node is ready for an attempt and hears nothing of it: the link to the primary may be cut for it only. What
     * counts here counts everywhere, so the node gets the records; that the attempt came to nothing nobody says but the
     * primary, whose word stays true and may come by way of another node.
     */
    private void sought(NodeId from, @Nullable DdlAttempt made, Message.StatusQuery statusQuery) {
        Links known = links;
        NodeId changer = known == null ? null : known.changer();
        Attempt attempt = statusQuery.attempt();
        if (history.settled() >= statusQuery.version()) {
            copies.catalog().with(copy -> copy.passOn(from, statusQuery.epoch(), statusQuery.end()));
        } else if (made == null && isVoid(attempt, statusQuery.version())) {
            onceVoid(attempt, statusQuery.version(), () -> sendAbort(from, attempt));
        } else if (changer != null && send(changer, new Message.ResolveRequest(attempt, statusQuery.version()))) {
            seekers.computeIfAbsent(attempt, _ -> new TreeSet<>()).add(from);
            if (seekers.size() > MOST_SOUGHT) {
                seekers.pollFirstEntry();
            }
        }
    }

    private void seek(DdlParticipant change, Links known) {
        PartitionReplica.Holding here = copies.catalog().holding();
        if (here != null) {
            Message.StatusQuery question = new Message.StatusQuery(
                    change.attempt(),
                    change.version(),
                    here.state().epoch(),
                    here.state().end());
            known.witnesses().forEach(node -> send(node, question));
        }
    }

    private @Nullable DdlAttempt ownOf(Attempt attempt) {
        DdlAttempt made = ddlAttempt;
        return made != null && made.attempt().equals(attempt) ? made : null;
    }

    /** Whether this node makes the changes, and can say that this one never will count. */
    private boolean isVoid(Attempt attempt, long version) {
        PartitionReplica catalog = copies.catalog();
        return catalog.serves()
                && catalog.leads()
                && catalog.status().epoch() >= attempt.epoch()
                && history.catalog().version() < version;
    }

    /**
     * Runs the task once the attempt can never count. One of an earlier term may count, if a copy in sync that has it
     * in its log leads next.
     */
    private void onceVoid(Attempt attempt, long version, Runnable task) {
        PartitionReplica catalog = copies.catalog();
        if (!isVoid(attempt, version)) {
            return;
        }
        if (catalog.status().epoch() == attempt.epoch()) {
            task.run();
        } else {
            catalog.onceConfirmed(task, () -> {});
        }
    }

    private void sendAbort(NodeId to, Attempt attempt) {
        send(to, new Message.Abort(attempt, copies.catalog().status().epoch()));
    }

    private void announced(NodeId from, Attempt attempt, byte[] kept) {
        if (foreign.containsKey(attempt)) {
            return;
        }
        PartitionReplica catalog = copies.catalog();
        if (catalog.serves() && catalog.leads() && catalog.status().epoch() > attempt.epoch()) {
            // Here it would wait behind the change that this node makes, which may wait for that node, behind this one.
            FulmarException reason = unreachable("another node makes the changes of the catalog now");
            send(from, new Message.Failed(attempt, reason.code(), String.valueOf(reason.getMessage())));
            return;
        }
        FulmarException full = shortage.get();
        if (full != null) { // all partitions would be locked until the copy here has the change
            send(from, new Message.Failed(attempt, full.code(), String.valueOf(full.getMessage())));
            return;
        }
        DdlParticipant change = new DdlParticipant(this, from, attempt, kept);
        // Its maker tries one after another. What another maker began before may count yet, and is asked for.
        for (DdlParticipant other : List.copyOf(foreign.values())) {
            if (other.version() >= change.version() && other.attempt().isEarlierInTerm(attempt)) {
                end(other);
            }
        }
        change.heard(copies.catalog().nowNanos());
        foreign.put(attempt, change);
        hasForeign = true;
        queue.tryOut(change.version(), CatalogRecord.entry(kept), change, change::answered);
    }

    private void end(DdlParticipant change) {
        if (foreign.remove(change.attempt()) != null) {
            change.abort();
        }
    }

    /**
     * A change counts. Returns whether it was tried here, and is made with that.
     *
     * @param timestamp of its record or a later one
     */
    public boolean settled(long version, byte[] kept, long timestamp) {
        boolean isMade = false;
        for (DdlParticipant change : List.copyOf(foreign.values())) {
            if (change.version() == version && Arrays.equals(change.kept(), kept) && change.isReady()) {
                foreign.remove(change.attempt());
                change.commit(timestamp);
                isMade = true;
            } else if (change.version() <= version) {
                end(change);
            }
        }
        return isMade;
    }

    /** Sends a change's message to the node that makes it. For any thread. */
    void tell(DdlParticipant change, Message message) {
        post(() -> {
            if (foreign.containsKey(change.attempt())) {
                change.heard(copies.catalog().nowNanos());
                send(change.maker(), message);
            }
        });
    }

    /** Those that are served here; the others of a node are none of the cluster's. */
    List<PartitionId> served(List<PartitionId> tried) {
        return tried.stream()
                .filter(partition -> copies.isHere(partition.number()))
                .toList();
    }

    /** Runs the task on the catalog's thread. */
    void run(Runnable task) {
        post(task);
    }

    /** The change failed here, or has ended. */
    void forget(DdlParticipant change) {
        foreign.remove(change.attempt());
    }

    private void ask(DdlParticipant change, Links known, long nowNanos) {
        NodeId changer = known.changer();
        if (changer != null && change.takeAsk(nowNanos, ASK_NANOS)) {
            send(changer, new Message.ResolveRequest(change.attempt(), change.version()));
        }
        if (change.takeSeek(nowNanos, SEEK_NANOS)) {
            seek(change, known);
        }
    }

    /** Whether no change is under way here, so that nothing is to be asked. */
    public boolean isCalm() {
        return ddlAttempt == null && !hasForeign;
    }

    /** Asks what became of changes of which nothing is heard. Often, while it is not {@link #isCalm calm}. */
    public void look() {
        DdlAttempt made = ddlAttempt;
        PartitionReplica catalog = copies.catalog();
        if (made != null
                && (!catalog.serves()
                        || catalog.status().epoch() != made.attempt().epoch())) {
            made.fail(unreachable("another node makes the changes of the catalog now"));
        } else if (made != null && made.isLockedFor(lockNanos)) {
            made.fail(overdue());
        }
        if (!hasForeign) {
            return;
        }
        hasForeign = !foreign.isEmpty();
        Links known = links;
        long nowNanos = catalog.nowNanos();
        for (DdlParticipant change : new ArrayList<>(foreign.values())) {
            if (isVoid(change.attempt(), change.version())) {
                if (change.beginsToWait(catalog.status().epoch())) {
                    onceVoid(change.attempt(), change.version(), () -> end(change));
                }
            } else if (known != null) {
                ask(change, known, nowNanos);
            }
        }
    }
}
