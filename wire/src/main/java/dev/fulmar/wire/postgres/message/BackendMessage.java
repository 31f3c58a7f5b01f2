package dev.fulmar.wire.postgres.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages that a server sends. */
public sealed interface BackendMessage {
    /** The answer to a request for encryption: one byte that is no message. */
    record EncryptionAnswer(boolean isAccepted) implements BackendMessage {}

    record AuthenticationOk() implements BackendMessage {}

    /** Asks the client to choose one of the mechanisms, best first. */
    record AuthenticationSasl(List<String> mechanisms) implements BackendMessage {
        public AuthenticationSasl {
            mechanisms = List.copyOf(mechanisms);
        }
    }

    record AuthenticationSaslContinue(byte[] data) implements BackendMessage {}

    record AuthenticationSaslFinal(byte[] data) implements BackendMessage {}

    record ParameterStatus(String name, String value) implements BackendMessage {}

    /** The key with which another connection can cancel a statement of this session. */
    record BackendKeyData(int processId, int secret) implements BackendMessage {
        /** The message without its secret, which nobody is to read in a log. */
        @Override
        public String toString() {
            return "BackendKeyData[processId=" + processId + "]";
        }
    }

    /**
     * Refuses a newer minor version, or options of the protocol, and goes on without.
     *
     * @param newestVersion the newest version of the protocol that the server speaks, major and minor
     */
    record NegotiateProtocolVersion(int newestVersion, List<String> unknownOptions) implements BackendMessage {
        public NegotiateProtocolVersion {
            unknownOptions = List.copyOf(unknownOptions);
        }
    }

    record ReadyForQuery(TransactionStatus status) implements BackendMessage {}

    record RowDescription(List<FieldDescription> fields) implements BackendMessage {
        public RowDescription {
            fields = List.copyOf(fields);
        }
    }

    /**
     * A row as objects. Servers write rows without them, see {@code codec.RowWriter}.
     *
     * @param values a null for a NULL
     */
    record DataRow(byte[] @Nullable [] values) implements BackendMessage {}

    /** @param tag the command, with the count of its rows for some: {@code INSERT 0 1} */
    record CommandComplete(String tag) implements BackendMessage {}

    record EmptyQueryResponse() implements BackendMessage {}

    record ErrorResponse(Diagnostic diagnostic) implements BackendMessage {}

    record NoticeResponse(Diagnostic diagnostic) implements BackendMessage {}

    record ParseComplete() implements BackendMessage {}

    record BindComplete() implements BackendMessage {}

    record CloseComplete() implements BackendMessage {}

    record NoData() implements BackendMessage {}

    record PortalSuspended() implements BackendMessage {}

    /** @param typeOids of all parameters, inferred ones too */
    record ParameterDescription(List<Integer> typeOids) implements BackendMessage {
        public ParameterDescription {
            typeOids = List.copyOf(typeOids);
        }
    }

    /** The server waits for a COPY's data, in the format and with so many columns. */
    record CopyInResponse(ValueFormat format, int columns) implements BackendMessage {}

    /** The data of a COPY follows, in the format and with so many columns. */
    record CopyOutResponse(ValueFormat format, int columns) implements BackendMessage {}

    record CopyData(byte[] bytes) implements BackendMessage {}

    record CopyDone() implements BackendMessage {}
}
