package dev.fulmar.wire.postgres.codec;

import dev.fulmar.wire.postgres.message.BackendMessage;

/** Takes the messages of one server in order. */
@FunctionalInterface
public interface BackendHandler {
    /**
     * Takes one message.
     *
     * @return whether to go on
     */
    boolean message(BackendMessage message);
}
