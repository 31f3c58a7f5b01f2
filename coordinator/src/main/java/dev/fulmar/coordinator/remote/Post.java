package dev.fulmar.coordinator.remote;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.NodeId;

/**
 * Encodes each {@link RemoteMessage} about a transaction, gives it to the {@link NodeSender}, and returns whether it
 * was sent. Thread-safe.
 */
record Post(NodeSender sender) {
    /** Fate of a message. */
    enum Fate {
        SENT,
        UNREACHABLE,
        TOO_LARGE;

        ErrorCode code() {
            return this == TOO_LARGE ? ErrorCode.FRAME_TOO_LARGE : ErrorCode.NOT_CONNECTED;
        }
    }

    Fate send(NodeId to, RemoteMessage message) {
        byte[] bytes = RemoteFormat.write(message);
        if (bytes.length > NodeSender.MAX_MESSAGE_BYTES) {
            return Fate.TOO_LARGE;
        }
        return sender.send(to, bytes) ? Fate.SENT : Fate.UNREACHABLE;
    }
}
