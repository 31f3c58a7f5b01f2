package dev.fulmar.wire.postgres.message;

import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Messages that a client sends. */
public sealed interface FrontendMessage {
    /**
     * The first message of a session.
     *
     * @param protocolVersion major version in the upper 16 bits, minor version in the lower ones
     * @param parameters in the order in which they were sent
     */
    record StartupMessage(int protocolVersion, SequencedMap<String, String> parameters) implements FrontendMessage {
        /** The version that this code speaks, 3.0. */
        public static final int VERSION_3_0 = 3 << 16;

        public int majorVersion() {
            return protocolVersion >>> 16;
        }

        public int minorVersion() {
            return protocolVersion & 0xFFFF;
        }
    }

    /** The client asks for TLS before it starts up; the answer is one byte, {@link BackendMessage.EncryptionAnswer}. */
    record SslRequest() implements FrontendMessage {}

    /** The client asks for encryption by GSSAPI; the answer is one byte, {@link BackendMessage.EncryptionAnswer}. */
    record GssEncryptionRequest() implements FrontendMessage {}

    /** Cancels the statement of another session; the connection has nothing else, and gets no answer. */
    record CancelRequest(int processId, int secret) implements FrontendMessage {
        /** The message without its secret, which nobody is to read in a log. */
        @Override
        public String toString() {
            return "CancelRequest[processId=" + processId + "]";
        }
    }

    /**
     * A step of the client's authentication: a password, or a SASL response. The state of the authentication decides
     * which, see {@link SaslInitialResponse}.
     */
    record AuthenticationResponse(byte[] body) implements FrontendMessage {
        /** The message without its body, which may be a password. */
        @Override
        public String toString() {
            return "AuthenticationResponse[" + body.length + " bytes]";
        }
    }

    /** Statements as one text, with text results. */
    record Query(String sql) implements FrontendMessage {}

    /**
     * Prepares a statement.
     *
     * @param name empty for the unnamed statement
     * @param parameterTypes OIDs of the first parameters; 0 and those that are missing are to be inferred
     */
    record Parse(String name, String sql, List<Integer> parameterTypes) implements FrontendMessage {
        public Parse {
            parameterTypes = List.copyOf(parameterTypes);
        }
    }

    /**
     * Opens a portal: a prepared statement with its parameters.
     *
     * @param portal empty for the unnamed portal
     * @param values a null for a NULL
     */
    record Bind(
            String portal,
            String statement,
            ValueFormats parameterFormats,
            byte[] @Nullable [] values,
            ValueFormats resultFormats)
            implements FrontendMessage {
        /** The message without its values. */
        @Override
        public String toString() {
            return "Bind[portal=" + portal + ", statement=" + statement + ", " + values.length + " values]";
        }
    }

    record Describe(Target target, String name) implements FrontendMessage {}

    /** @param rowLimit most rows to be sent now; 0 for all */
    record Execute(String portal, int rowLimit) implements FrontendMessage {}

    record Close(Target target, String name) implements FrontendMessage {}

    record Sync() implements FrontendMessage {}

    record Flush() implements FrontendMessage {}

    record Terminate() implements FrontendMessage {}

    /** A part of a COPY's data. */
    record CopyData(byte[] bytes) implements FrontendMessage {
        @Override
        public String toString() {
            return "CopyData[" + bytes.length + " bytes]";
        }
    }

    record CopyDone() implements FrontendMessage {}

    /** The client gives up its COPY. */
    record CopyFail(String reason) implements FrontendMessage {}

    /**
     * A message of which only the length could be understood, so that the next one can be read. It is to be answered
     * with an error 08P01; if it is of the extended query, all messages until Sync are skipped then.
     *
     * @param type the letter at its start
     * @param reason says what is wrong with it
     */
    record Unreadable(char type, String reason) implements FrontendMessage {
        /** Whether it was to be one of the messages after whose failure all others until Sync are skipped. */
        public boolean isOfExtendedQuery() {
            return "PBDEC".indexOf(type) >= 0;
        }
    }

    /** A call of a function by its OID, an interface that PostgreSQL keeps for old clients; to be refused. */
    record FunctionCall(int functionOid) implements FrontendMessage {}
}
