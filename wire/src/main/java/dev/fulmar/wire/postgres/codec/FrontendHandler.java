package dev.fulmar.wire.postgres.codec;

import dev.fulmar.wire.postgres.message.FrontendMessage;

/** Takes the messages of one client in order. */
@FunctionalInterface
public interface FrontendHandler {
    /**
     * Takes one message.
     *
     * @return whether to go on; false when the connection is to be closed, so that no later message is delivered
     */
    boolean message(FrontendMessage message);
}
