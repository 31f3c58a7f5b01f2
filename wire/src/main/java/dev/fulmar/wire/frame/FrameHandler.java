package dev.fulmar.wire.frame;

import io.netty.buffer.ByteBuf;

/** Takes the frames of one connection in order. */
@FunctionalInterface
public interface FrameHandler {
    /**
     * Takes one frame. The buffer is valid only during the call, its indexes must be left alone.
     *
     * @param offset where the message begins
     * @param length bytes of the message
     * @return whether to go on; false when the connection is to be closed, so that no later frame is delivered
     */
    boolean frame(FrameKind kind, ByteBuf buffer, int offset, int length);
}
