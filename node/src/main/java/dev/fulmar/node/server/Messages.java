package dev.fulmar.node.server;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.frame.FrameKind;
import io.netty.buffer.ByteBuf;

/**
 * Parses clients' Protocol Buffers messages, and makes the errors for malformed ones and for frames that only servers
 * send.
 */
final class Messages {
    private Messages() {}

    /** Reads a message from a frame; refuses bytes that are none. */
    static <T> T parse(Parser<T> parser, ByteBuf buffer, int offset, int length) {
        try {
            return parser.parseFrom(buffer.nioBuffer(offset, length));
        } catch (InvalidProtocolBufferException e) {
            throw malformed("a message cannot be read: " + e.getMessage());
        }
    }

    static FulmarException malformed(String what) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                what + "; connect with a client of Fulmar, and see docs/PROTOCOL.md to write one");
    }

    /** The error for a frame of a kind that only servers send. */
    static FulmarException fromServer(FrameKind kind) {
        return malformed("a " + kind + " came, which only servers send");
    }
}
