package dev.fulmar.coordinator.remote;

import dev.fulmar.coordinator.planning.PlanningClaim;
import dev.fulmar.coordinator.planning.PlanningQueue;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.transaction.FragmentSource;
import dev.fulmar.coordinator.transaction.TargetSource;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.check.Probes;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes the orders of another node's coordinators, such as fragments and decisions, on to partitions, after planning
 * any new SQL in them. A partition's thread never plans. Until the text of an order is planned, all later orders of the
 * same transaction for the same partition wait behind it; those of others do not. Its methods are called one at a time;
 * an order is passed on by their caller, or by a planner's thread.
 */
final class PlannedOrders {
    private static final byte[] NO_PARAMETERS = {0, 0};

    private final TargetSource targets;
    private final PlanningQueue planning;
    private final Probes probes;

    /** The parts for which a text is planned, by transaction and partition; others need none. */
    private final TreeMap<PartKey, Line> lines = new TreeMap<>();

    PlannedOrders(TargetSource targets, PlanningQueue planning, Probes probes) {
        this.targets = targets;
        this.planning = planning;
        this.probes = probes;
    }

    /** The order is passed on once all earlier ones of the part are. */
    void pass(PartKey part, Runnable order) {
        Line line = lines.isEmpty() ? null : lines.get(part);
        if (line == null || line.isDone()) {
            order.run();
        } else {
            line.add(new Order.Plain(order));
        }
    }

    /**
     * As the other, but not before the statement is planned, if it is an ad hoc text.
     *
     * @param order hears what the planning came to; null if there was nothing to plan
     */
    void passPlanned(PartKey part, @Nullable FragmentSource source, Consumer<TargetSource.@Nullable Planned> order) {
        if (source == null || !source.isAdHoc()) {
            pass(part, () -> order.accept(null));
            return;
        }
        TransactionRequest.AdHoc request = new TransactionRequest.AdHoc(0, 0, 0, source.text(), NO_PARAMETERS);
        TargetSource.Prepared known = targets.find(request);
        if (known != null) {
            pass(part, () -> order.accept(known));
            return;
        }
        probes.reached("participants: an order waits until its text is planned");
        lines.values().removeIf(Line::isDone);
        lines.computeIfAbsent(part, key -> new Line()).add(new Order.WithText(request, order::accept));
    }

    /**
     * The coordinator waits no more for orders that the part has been sent until now: planning for them ends, and they
     * are passed on. Later ones are planned, as when the transaction is tried again.
     */
    void abandon(PartKey part) {
        Line line = lines.get(part);
        if (line != null) {
            line.abandon();
        }
    }

    /** An order that waits. */
    private sealed interface Order {
        record Plain(Runnable order) implements Order {}

        /** One whose text is planned before, for a coordinator that waits until it is abandoned. */
        final class WithText implements Order, PlanningClaim {
            private final TransactionRequest.AdHoc request;
            private final Consumer<TargetSource.Planned> order;
            private volatile boolean isAbandoned;

            WithText(TransactionRequest.AdHoc request, Consumer<TargetSource.Planned> order) {
                this.request = request;
                this.order = order;
            }

            @Override
            public Object session() {
                return this;
            }

            /** The coordinator's node ends the transaction when its time is over. */
            @Override
            public boolean isLate(long nowNanos) {
                return false;
            }

            @Override
            public @Nullable FulmarException abandoned() {
                return isAbandoned
                        ? new FulmarException(
                                ErrorCode.NOT_CONNECTED,
                                "the coordinator's node has ended the attempt, or is not reached; send the request again")
                        : null;
            }
        }
    }

    /** Orders of one part, in the order in which they came. */
    private final class Line {
        /** Those that are not passed on yet; the first one is passed on, or its text is planned. */
        private final ConcurrentLinkedQueue<Order> waiting = new ConcurrentLinkedQueue<>();

        /** How many there are. The thread that adds the first one passes orders on until there is none. */
        private final AtomicInteger open = new AtomicInteger();

        /** Whether all are passed on; that stays so until another one is added. */
        boolean isDone() {
            return open.get() == 0;
        }

        void add(Order order) {
            waiting.add(order);
            if (open.getAndIncrement() == 0) {
                next();
            }
        }

        void abandon() {
            for (Order order : waiting) {
                if (order instanceof Order.WithText text) {
                    text.isAbandoned = true;
                }
            }
        }

        private void next() {
            switch (waiting.element()) {
                case Order.Plain(Runnable order) -> {
                    order.run();
                    ended();
                }
                case Order.WithText text ->
                    planning.submit(
                            text,
                            text.request.sql().length(),
                            () -> plan(text),
                            refusal -> planned(text, new TargetSource.Refused(refusal, null)));
            }
        }

        private void plan(Order.WithText text) {
            TargetSource.Planned planned;
            try {
                planned = targets.plan(text.request);
            } catch (Throwable defect) { // the coordinator waits for an answer of the partition
                FulmarException why = new FulmarException(
                        ErrorCode.INTERNAL, "a defect was met while a statement was planned: " + defect);
                planned(text, new TargetSource.Refused(why, null));
                FatalErrors.handIfFatal(defect);
                return;
            }
            planned(text, planned);
        }

        private void planned(Order.WithText text, TargetSource.Planned planned) {
            Invariants.check(text.equals(waiting.peek()), "a participant gets its orders in the order of their coming");
            text.order.accept(planned);
            ended();
        }

        private void ended() {
            waiting.remove();
            if (open.decrementAndGet() > 0) {
                next();
            }
        }
    }
}
