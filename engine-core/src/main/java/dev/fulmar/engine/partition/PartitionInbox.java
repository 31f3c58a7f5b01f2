package dev.fulmar.engine.partition;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.id.PartitionId;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Messages for a partition from any thread. Single-partition transactions are bounded by {@link #hasRoom()}. All other
 * messages are not: their number is bounded by that of the multi-partition transactions under way, and losing one would
 * leave the lock held. These come first, because other partitions wait for what they lead to.
 */
public final class PartitionInbox {
    private static final int CHUNK = 1024;

    private final PartitionId partition;
    private final int capacity;
    private final MpscUnboundedVarHandleArrayQueue<PartitionMessage> urgent =
            new MpscUnboundedVarHandleArrayQueue<>(CHUNK);
    private final MpscUnboundedVarHandleArrayQueue<SinglePartitionWork> requests =
            new MpscUnboundedVarHandleArrayQueue<>(CHUNK);
    private final AtomicBoolean refusing = new AtomicBoolean();
    private volatile Runnable waker = () -> {};
    private volatile boolean closed;
    private volatile int deferred;

    /** Transactions that wait for data; they take no room from others. */
    private volatile int parked;

    /** Waiting requests that may take long. */
    private final AtomicInteger longRequests = new AtomicInteger();

    PartitionInbox(PartitionId partition, int capacity) {
        this.partition = partition;
        this.capacity = capacity;
    }

    public PartitionId partition() {
        return partition;
    }

    /** The number of client requests that may wait. */
    public int capacity() {
        return capacity;
    }

    /** Single-partition transactions that wait, roughly. */
    public int depth() {
        return requests.size() + deferred;
    }

    /** Whether no message waits, of whatever kind, and no transaction for data. */
    public boolean isEmpty() {
        return depth() == 0 && parked == 0 && urgent.isEmpty();
    }

    /** Whether one more client request may wait. */
    public boolean hasRoom() {
        return depth() < capacity;
    }

    /** Puts the message behind all others of its kind. After {@link #close()} it is refused at once. */
    public void put(PartitionMessage message) {
        if (message instanceof SinglePartitionWork work) {
            work.countsAsLong = work.mayTakeLong();
            if (work.countsAsLong) {
                longRequests.incrementAndGet();
            }
            requests.offer(work);
        } else {
            urgent.offer(message);
        }
        if (closed) {
            refuseAll();
        }
        waker.run();
    }

    /** The next message, or null; for the partition's thread. */
    @Nullable PartitionMessage poll() {
        PartitionMessage message = urgent.poll();
        if (message != null) {
            return message;
        }
        SinglePartitionWork request = requests.poll();
        if (request != null && request.countsAsLong) {
            int left = longRequests.decrementAndGet();
            Invariants.check(left >= 0, "an inbox counts each long request before it is taken out");
        }
        return request;
    }

    /**
     * Whether something waits here that may take long: a request that is not known to be quick, or anything but a
     * request. Any thread.
     */
    boolean mayTakeLong() {
        return longRequests.get() > 0 || !urgent.isEmpty();
    }

    /** Requests that the partition took out and keeps waiting. */
    void deferred(int count) {
        deferred = count;
    }

    /** Transactions that the partition keeps until their data is here. */
    void parked(int count) {
        parked = count;
    }

    /** Lets the site take a turn though nothing came. Any thread. */
    public void wake() {
        waker.run();
    }

    /** Called when a message arrives; ends the site's idle wait. */
    void wakeWith(Runnable newWaker) {
        waker = newWaker;
    }

    /** Refuses what waits and whatever comes; the partition's thread takes no more. */
    void close() {
        closed = true;
        refuseAll();
    }

    /**
     * One thread at a time empties the queues. A producer that adds a message after {@link #close()} began sees
     * {@code closed}. The closing thread sees messages that were added before, since a queue publishes its producer
     * index with a full fence.
     */
    private void refuseAll() {
        while (!(urgent.isEmpty() && requests.isEmpty()) && refusing.compareAndSet(false, true)) {
            try {
                for (PartitionMessage message = poll(); message != null; message = poll()) {
                    message.refused(partition);
                }
            } finally {
                refusing.set(false);
            }
        }
    }
}
