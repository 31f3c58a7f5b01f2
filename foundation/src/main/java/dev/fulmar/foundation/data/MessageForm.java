package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decoder of the messages that nodes send each other about one subject: checks the version, then has the fields parsed.
 * A message is a byte for the version, a byte for the kind, and fields. Whatever the bytes are, reading them ends with
 * a message, or with {@link ErrorCode#VERSION_MISMATCH} or {@link ErrorCode#MALFORMED_REQUEST}.
 *
 * @param subject of the sentence "a node sends ...", for people
 * @param versions that can be read
 */
public record MessageForm(String subject, Set<Integer> versions) {
    public MessageForm {
        versions = Set.copyOf(versions);
    }

    /** Reads what is behind version and kind. */
    public interface Body<T> {
        T read(int version, int kind, MessageReader in);
    }

    /** The message that the rest of the buffer is. */
    public <T> T readWhole(ByteBuffer in, Body<T> body) {
        return read(in, body, true);
    }

    /** The message that the buffer begins with; leaves the buffer at what follows it. */
    public <T> T readHead(ByteBuffer in, Body<T> body) {
        return read(in, body, false);
    }

    private <T> T read(ByteBuffer in, Body<T> body, boolean isWhole) {
        try {
            int version = in.get();
            if (!versions.contains(version)) {
                throw new FulmarException(
                        ErrorCode.VERSION_MISMATCH,
                        "a node sends " + subject + " in form " + version
                                + ", which this version of Fulmar does not know; run the same version on all nodes");
            }
            T message = body.read(version, in.get(), new MessageReader(in));
            if (isWhole && in.hasRemaining()) {
                throw new IllegalArgumentException(in.remaining() + " bytes too many");
            }
            return message;
        } catch (BufferUnderflowException e) {
            throw malformed("it is too short", e);
        } catch (IllegalArgumentException e) {
            throw malformed(String.valueOf(e.getMessage()), e);
        }
    }

    /** The error for bytes that are no message. */
    public FulmarException malformed(String why, @Nullable Throwable cause) {
        return new FulmarException(
                ErrorCode.MALFORMED_REQUEST,
                "a node sends " + subject + ", and one is malformed: " + why
                        + "; run the same version of Fulmar on all nodes, and report this if they do",
                cause);
    }
}
