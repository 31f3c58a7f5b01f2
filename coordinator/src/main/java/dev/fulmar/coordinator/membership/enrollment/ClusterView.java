package dev.fulmar.coordinator.membership.enrollment;

import dev.fulmar.coordinator.membership.ClusterState;
import dev.fulmar.coordinator.membership.Presence;
import dev.fulmar.coordinator.membership.ReadOutcome;
import dev.fulmar.coordinator.membership.SessionState;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.StateListener;
import dev.fulmar.coordinator.membership.StateRecord;
import dev.fulmar.coordinator.membership.Versioned;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.schedule.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * View of the cluster's records and presences, which reads again those that may have changed. There is one read of each
 * at a time; it is repeated after a change meanwhile, and later if there was no answer. The view is the one listener of
 * its {@link ClusterState}.
 */
public final class ClusterView {
    private final ClusterState state;
    private final Executor home;
    private final Scheduler scheduler;
    private final long retryNanos;
    private final Listener listener;
    private final Map<StateKey<?>, Followed> records = new LinkedHashMap<>();
    private final Followed presences = new Followed(this::readPresences);
    private boolean closed;

    /** Listener for findings of the view, on the view's thread. */
    public interface Listener {
        /** The record as it was found, if it is news. */
        void found(StateKey<?> key, Versioned<?> found);

        /** The nodes that live, if they are news. */
        void present(List<Presence> found);

        /** The state of the node's session, as far as the node knows. */
        void session(SessionState session);

        /** An operator must act; reading goes on. */
        void refused(String message);
    }

    /** Something to read, with what was found last. */
    private static final class Followed {
        private final Runnable reading;
        private boolean underWay;
        private boolean again;
        private Object last = "";

        Followed(Runnable reading) {
            this.reading = reading;
        }
    }

    /**
     * @param home runs one task after another; everything here happens on it
     * @param retryNanos after a read without an answer
     */
    public ClusterView(ClusterState state, Executor home, Scheduler scheduler, long retryNanos, Listener listener) {
        this.state = state;
        this.home = home;
        this.scheduler = scheduler;
        this.retryNanos = retryNanos;
        this.listener = listener;
    }

    /** Begins to follow the presences, and all records that it is told to. */
    public void start() {
        state.watch(new StateListener() {
            @Override
            public void changed(StateKey<?> key) {
                home.execute(() -> {
                    Followed followed = records.get(key);
                    if (followed != null) {
                        read(followed);
                    }
                });
            }

            @Override
            public void presencesChanged() {
                home.execute(() -> read(presences));
            }

            @Override
            public void sessionChanged(SessionState session) {
                home.execute(() -> followSession(session));
            }
        });
    }

    private void followSession(SessionState session) {
        if (closed) {
            return;
        }
        listener.session(session);
        if (session == SessionState.CONNECTED) {
            new ArrayList<>(records.values()).forEach(this::read);
            read(presences);
        }
    }

    /** Follows the record from now on. */
    public void follow(StateKey<?> key) {
        home.execute(() -> {
            if (!records.containsKey(key)) {
                Followed followed = new Followed(() -> readRecord(key));
                records.put(key, followed);
                read(followed);
            }
        });
    }

    /** Reads the record again, which is followed, although nobody said that it changed. */
    public void readAgain(StateKey<?> key) {
        home.execute(() -> {
            Followed followed = records.get(key);
            if (followed != null) {
                read(followed);
            }
        });
    }

    /** Tells nothing any more. */
    public void close() {
        home.execute(() -> closed = true);
    }

    private void read(Followed followed) {
        if (closed) {
            return;
        }
        if (followed.underWay) {
            followed.again = true;
        } else {
            followed.underWay = true;
            followed.again = false;
            followed.reading.run();
        }
    }

    private <R extends StateRecord> void readRecord(StateKey<R> key) {
        state.read(
                key,
                outcome -> home.execute(() -> {
                    Followed followed = records.get(key);
                    if (followed != null) {
                        ended(followed, outcome, found -> {
                            boolean isNews =
                                    !(followed.last instanceof Versioned<?> last) || last.version() < found.version();
                            if (isNews) {
                                followed.last = found;
                                listener.found(key, found);
                            }
                        });
                    }
                }));
    }

    private void readPresences() {
        state.readPresences(outcome -> home.execute(() -> ended(presences, outcome, found -> {
            if (!found.equals(presences.last)) {
                presences.last = found;
                listener.present(found);
            }
        })));
    }

    private <T> void ended(Followed followed, ReadOutcome<T> outcome, Consumer<T> take) {
        if (closed) {
            return;
        }
        Invariants.check(followed.underWay, "a reader of a record gets one answer to a question");
        followed.underWay = false;
        switch (outcome) {
            case ReadOutcome.Found<T>(T value) -> take.accept(value);
            case ReadOutcome.Unanswered<T> _, ReadOutcome.SessionLost<T> _ -> readLater(followed);
            case ReadOutcome.Refused<T>(String message) -> {
                listener.refused(message);
                readLater(followed);
            }
        }
        if (followed.again) {
            read(followed);
        }
    }

    private void readLater(Followed followed) {
        scheduler.schedule(retryNanos, () -> home.execute(() -> read(followed)));
    }
}
