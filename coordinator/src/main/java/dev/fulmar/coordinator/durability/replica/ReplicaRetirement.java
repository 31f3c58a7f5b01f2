package dev.fulmar.coordinator.durability.replica;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.leadership.Leadership;
import dev.fulmar.foundation.check.Probes;
import org.jspecify.annotations.Nullable;

/**
 * The end of a copy in whose place another one is built. As long as the record names it as in sync it may be the last
 * that has what was acknowledged, and may be promoted: it stays until it is out. For the partition's thread.
 */
final class ReplicaRetirement {
    private final Probes probes;
    private @Nullable Wanted wanted;

    ReplicaRetirement(Probes probes) {
        this.probes = probes;
    }

    private record Wanted(CopyId next, Runnable done) {}

    /** @param done to be run when it is given up */
    void want(CopyId next, Runnable done) {
        probes.reached("copies: one is to be given up");
        wanted = new Wanted(next, done);
    }

    /** The copy stays. */
    void forget() {
        wanted = null;
    }

    /** To be called often. */
    void look(Leadership.Role role, ReplicaLog stream) {
        Wanted due = wanted;
        if (due != null && role == Leadership.Role.LEARNER) {
            wanted = null;
            stream.giveUp(due.next.life());
            due.done.run();
        }
    }
}
