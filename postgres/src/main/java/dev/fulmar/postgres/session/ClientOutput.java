package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.Severity;
import io.netty.buffer.ByteBuf;

/** Port to the client's connection. On the session's thread. */
public interface ClientOutput {
    /** Appends a message to what is sent. */
    void send(BackendMessage message);

    /** Appends a warning. */
    default void warn(ErrorCode code, String text) {
        send(new BackendMessage.NoticeResponse(
                PostgresSession.diagnostic(Severity.WARNING, new FulmarException(code, text), Places.NONE)));
    }

    /** The buffer to which rows are appended; it may be another one after each {@link #isWritable}. */
    ByteBuf rows();

    /** Whether the client takes more; if not, {@link PostgresSession#writable} is called once it does. */
    boolean isWritable();

    /** The place behind all that was appended so far. */
    long place();

    /** Whether nothing that was appended behind the place has been sent. */
    boolean holds(long place);

    /** Forgets what was appended behind the place, of which nothing has been sent. */
    void takeBack(long place);

    /** Sends what was collected. */
    void flush();

    /** Closes the connection when everything has been sent. */
    void close();
}
