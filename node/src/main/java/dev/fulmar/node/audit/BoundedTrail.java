package dev.fulmar.node.audit;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An audit trail that clients cannot fill before they log in. Of failed log-ins a few a minute are noted one by one,
 * the others by their number. Thread-safe.
 */
public final class BoundedTrail implements AuditTrail {
    /** Log-ins that fail, in one minute, of which each is noted. */
    static final int EACH_MINUTE = 10;

    static final long MINUTE_NANOS = 60_000_000_000L;

    /** More addresses than this are not told apart. */
    private static final int MOST_ADDRESSES = 1_000;

    private final AuditTrail trail;
    private final LongSupplier clockNanos;
    private long beginNanos;
    private int failures;
    private final Set<String> addresses = new HashSet<>();

    /** @param trail where events go */
    public BoundedTrail(AuditTrail trail, LongSupplier clockNanos) {
        this.trail = trail;
        this.clockNanos = clockNanos;
    }

    @Override
    public void note(AuditEvent event) {
        boolean isFailure =
                event.kind() == AuditEvent.Kind.LOGIN && !event.outcome().equals(AuditEvent.DONE);
        if (!isFailure || counted(event)) {
            trail.note(event);
        }
    }

    private synchronized boolean counted(AuditEvent failure) {
        noteOthers();
        if (failures == 0) {
            beginNanos = clockNanos.getAsLong();
        }
        failures++;
        if (failures <= EACH_MINUTE) {
            return true;
        }
        if (addresses.size() < MOST_ADDRESSES) {
            addresses.add(hostOf(failure.address()));
        }
        return false;
    }

    private static String hostOf(String address) {
        int port = address.lastIndexOf(':');
        return port < 0 ? address : address.substring(0, port);
    }

    /** Notes how many there were beyond the first in a minute that is over; to be called now and then. */
    public synchronized void noteOthers() {
        if (failures > 0 && clockNanos.getAsLong() - beginNanos >= MINUTE_NANOS) {
            end();
        }
    }

    /** The same for a minute that is not over yet. */
    public synchronized void end() {
        AuditEvent others = others();
        failures = 0;
        addresses.clear();
        if (others != null) {
            trail.note(others);
        }
    }

    private @Nullable AuditEvent others() {
        int more = failures - EACH_MINUTE;
        return more <= 0
                ? null
                : new AuditEvent(
                        AuditEvent.Kind.LOGIN,
                        "",
                        addresses.size() == 1
                                ? addresses.iterator().next()
                                : addresses.size() + (addresses.size() < MOST_ADDRESSES ? "" : " or more")
                                        + " addresses",
                        more + " more log-ins within a minute",
                        "AUTHENTICATION_FAILED");
    }
}
