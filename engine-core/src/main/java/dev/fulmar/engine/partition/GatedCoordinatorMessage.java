package dev.fulmar.engine.partition;

import dev.fulmar.engine.partition.CommitGate.GatedReply;
import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Function;

/**
 * A message to a coordinator that waits at the gate.
 *
 * @param otherwise what it hears if the message can never leave
 */
record GatedCoordinatorMessage(
        CoordinatorPort coordinator,
        CoordinatorMessage message,
        Function<FulmarException, CoordinatorMessage> otherwise)
        implements GatedReply {
    @Override
    public void leave(ReplyBatch replies) {
        coordinator.deliver(message);
    }

    @Override
    public void lost(FulmarException cause, ReplyBatch replies) {
        coordinator.deliver(otherwise.apply(cause));
    }
}
