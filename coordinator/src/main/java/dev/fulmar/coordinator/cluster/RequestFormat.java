package dev.fulmar.coordinator.cluster;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.access.CallerListener;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.MessageForm;
import dev.fulmar.foundation.data.MessageReader;
import dev.fulmar.foundation.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Forwarded requests, their answers and what nodes tell each other about themselves, as bytes: version, kind, fields,
 * big-endian.
 */
final class RequestFormat {
    private static final byte VERSION = 1;
    private static final byte CALL = 1;
    private static final byte STATEMENT = 2;
    private static final byte COMMITTED = 3;
    private static final byte FAILED = 4;
    private static final byte INTRODUCTION = 5;

    /** The form of what version 1 did not have; who knows version 1 only refuses it with the reason. */
    private static final byte CANCEL_VERSION = 2;

    private static final byte CANCEL = 6;

    /** The form of a request whose sender says which version of the catalog it knew. */
    private static final byte CATALOG_VERSION = 3;

    /**
     * The form in which a node says that it broke; who does not know it ends the link, which is about to end anyway.
     */
    private static final byte BREAKING_VERSION = 4;

    private static final byte BREAKING = 7;

    /** The form in which a node says that a client is gone; who does not know it refuses it with the reason. */
    private static final byte DEPARTED_VERSION = 5;

    private static final byte DEPARTED = 8;

    /** The form of a session's transaction; who does not know it refuses it with the reason. */
    private static final byte SCRIPT_VERSION = 6;

    private static final byte SCRIPT = 9;

    /** The form of a session's transaction that has a number. */
    private static final byte NUMBERED_VERSION = 7;

    /** The form of one that compares the rows that it changes; who does not know it refuses it with the reason. */
    private static final byte IMAGES_VERSION = 8;

    /** The form in which a session's statement is cancelled; who does not know it refuses it with the reason. */
    private static final byte CANCEL_SESSION_VERSION = 9;

    private static final byte CANCEL_SESSION = 10;

    /** The form of a session's transaction in which a statement's text may be that of the one before. */
    private static final byte REPEATING_VERSION = 10;

    /**
     * The form of {@link #REPEATING_VERSION} for statements that commit at once, all or none; who does not know it
     * refuses it with the reason.
     */
    private static final byte AT_ONCE_VERSION = 11;

    private static final int FIXED_BYTES = 80;

    private static final MessageForm FORM = new MessageForm(
            "requests and answers",
            Set.of(
                    (int) VERSION,
                    (int) CANCEL_VERSION,
                    (int) CATALOG_VERSION,
                    (int) BREAKING_VERSION,
                    (int) DEPARTED_VERSION,
                    (int) SCRIPT_VERSION,
                    (int) NUMBERED_VERSION,
                    (int) IMAGES_VERSION,
                    (int) CANCEL_SESSION_VERSION,
                    (int) REPEATING_VERSION,
                    (int) AT_ONCE_VERSION));

    private RequestFormat() {}

    /** Message on the channel of requests. */
    sealed interface Message {
        /** A request for a partition that the receiver serves. The number is the sender's own. */
        record Forwarded(long number, TransactionRequest request) implements Message {}

        /** The answer to the request with the number. */
        record Answered(long number, TransactionResponse response) implements Message {}

        /** Address at which clients reach the sender, {@code host:port}. */
        record Introduction(String clientAddress) implements Message {}

        /** The request with the number, which the sender forwarded, shall end. */
        record Cancel(long number) implements Message {}

        /** The client of the request with the number, which the sender forwarded, is gone: nobody takes its answer. */
        record Departed(long number) implements Message {}

        /** The statement of the receiver's session with the key shall end. */
        record CancelSession(int process, int secret) implements Message {
            /** The message without its secret, which nobody is to read in a log. */
            @Override
            public String toString() {
                return "CancelSession[process=" + process + "]";
            }
        }

        /** The sender broke and is about to end: a request that it has may be why. */
        record Breaking() implements Message {}
    }

    static ByteBuffer write(Message message) {
        return switch (message) {
            case Message.Forwarded(long number, TransactionRequest.Script script) ->
                ScriptFormat.write(versionOf(script), SCRIPT, number, script);
            case Message.Forwarded(long number, TransactionRequest.Call call) -> writeRequest(CALL, number, call);
            case Message.Forwarded(long number, TransactionRequest.AdHoc adHoc) ->
                writeRequest(STATEMENT, number, adHoc);
            case Message.Answered(long number, TransactionResponse.Committed committed) -> {
                byte[] results = committed.results();
                yield begin(COMMITTED, results.length)
                        .putLong(number)
                        .put((byte) committed.kind().ordinal())
                        .putLong(committed.value())
                        .putLong(committed.snapshot())
                        .putInt(results.length)
                        .put(results)
                        .flip();
            }
            case Message.Answered(long number, TransactionResponse.Failed(ErrorCode code, String text, var _)) -> {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                yield begin(FAILED, bytes.length)
                        .putLong(number)
                        .putInt(code.number())
                        .putInt(bytes.length)
                        .put(bytes)
                        .flip();
            }
            case Message.Cancel(long number) -> writeNumber(CANCEL_VERSION, CANCEL, number);
            case Message.Departed(long number) -> writeNumber(DEPARTED_VERSION, DEPARTED, number);
            case Message.CancelSession(int process, int secret) ->
                ByteBuffer.allocate(FIXED_BYTES)
                        .put(CANCEL_SESSION_VERSION)
                        .put(CANCEL_SESSION)
                        .putInt(process)
                        .putInt(secret)
                        .flip();
            case Message.Breaking() ->
                ByteBuffer.allocate(2).put(BREAKING_VERSION).put(BREAKING).flip();
            case Message.Introduction(String address) -> {
                byte[] bytes = address.getBytes(StandardCharsets.UTF_8);
                yield begin(INTRODUCTION, bytes.length)
                        .putInt(bytes.length)
                        .put(bytes)
                        .flip();
            }
        };
    }

    private static ByteBuffer writeRequest(byte kind, long number, TransactionRequest request) {
        byte[] text = request.subject().getBytes(StandardCharsets.UTF_8);
        byte[] parameters = request.parameters();
        byte[] user = request.caller().user().getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = begin(kind, text.length + parameters.length + user.length);
        if (request.catalogVersion() != 0) {
            message.put(0, CATALOG_VERSION).putLong(request.catalogVersion());
        }
        return message.putLong(number)
                .putLong(request.clientId())
                .putLong(request.requestId())
                .putLong(request.timeoutNanos())
                .put((byte) request.consistency().ordinal())
                .put((byte) (request.caller().isTrusted() ? 1 : 0))
                .putInt(user.length)
                .put(user)
                .putInt(text.length)
                .put(text)
                .putInt(parameters.length)
                .put(parameters)
                .flip();
    }

    private static ByteBuffer writeNumber(byte version, byte kind, long number) {
        return ByteBuffer.allocate(FIXED_BYTES)
                .put(version)
                .put(kind)
                .putLong(number)
                .flip();
    }

    private static ByteBuffer begin(byte kind, int contentBytes) {
        return ByteBuffer.allocate(FIXED_BYTES + contentBytes).put(VERSION).put(kind);
    }

    /** The message that the rest of the buffer is; refuses anything else. */
    static Message read(ByteBuffer in) {
        return FORM.readWhole(in, RequestFormat::read);
    }

    private static Message read(int version, int kind, MessageReader in) {
        if (version != versionOf(kind)
                && !(version == CATALOG_VERSION && isRequest(kind))
                && !(kind == SCRIPT && isOfScripts(version))) {
            throw new IllegalArgumentException("kind " + kind + " in form " + version);
        }
        return switch (kind) {
            case CALL, STATEMENT -> request(kind, version == CATALOG_VERSION ? in.getLong() : 0, in);
            case COMMITTED -> new Message.Answered(in.getLong(), committed(in));
            case FAILED ->
                new Message.Answered(
                        in.getLong(), new TransactionResponse.Failed(ErrorCode.ofNumber(in.getInt()), in.text()));
            case INTRODUCTION -> new Message.Introduction(in.text());
            case CANCEL -> new Message.Cancel(in.getLong());
            case DEPARTED -> new Message.Departed(in.getLong());
            case SCRIPT ->
                new Message.Forwarded(
                        in.getLong(),
                        ScriptFormat.read(
                                version >= NUMBERED_VERSION,
                                version >= IMAGES_VERSION,
                                version >= REPEATING_VERSION,
                                in));
            case CANCEL_SESSION -> new Message.CancelSession(in.getInt(), in.getInt());
            case BREAKING -> new Message.Breaking();
            default -> throw MessageReader.unknownKind(kind);
        };
    }

    private static boolean isOfScripts(int version) {
        return switch (version) {
            case NUMBERED_VERSION, IMAGES_VERSION, REPEATING_VERSION, AT_ONCE_VERSION -> true;
            default -> false;
        };
    }

    private static byte versionOf(TransactionRequest.Script script) {
        if (ScriptFormat.commitsAtOnce(script)) {
            return AT_ONCE_VERSION;
        }
        if (ScriptFormat.repeatsTexts(script)) {
            return REPEATING_VERSION;
        }
        return script.comparesImages() ? IMAGES_VERSION : NUMBERED_VERSION;
    }

    private static boolean isRequest(int kind) {
        return kind == CALL || kind == STATEMENT;
    }

    /** The form in which a kind first came, and which it has if nothing is added to it. */
    private static int versionOf(int kind) {
        return switch (kind) {
            case CANCEL -> CANCEL_VERSION;
            case BREAKING -> BREAKING_VERSION;
            case DEPARTED -> DEPARTED_VERSION;
            case SCRIPT -> SCRIPT_VERSION;
            case CANCEL_SESSION -> CANCEL_SESSION_VERSION;
            default -> VERSION;
        };
    }

    private static Message request(int kind, long catalogVersion, MessageReader in) {
        long number = in.getLong();
        long clientId = in.getLong();
        long requestId = in.getLong();
        long timeoutNanos = in.getLong();
        ReadConsistency consistency = in.constant(ReadConsistency.values(), ReadConsistency::ordinal);
        boolean isTrusted = in.getByte() != 0;
        String user = in.text();
        String text = in.text();
        byte[] parameters = in.bytes();
        if (timeoutNanos < 0) {
            throw new IllegalArgumentException("a time-out of " + timeoutNanos);
        }
        Caller caller = caller(isTrusted, user);
        return new Message.Forwarded(
                number,
                kind == CALL
                        ? new TransactionRequest.Call(
                                clientId,
                                requestId,
                                timeoutNanos,
                                consistency,
                                text,
                                parameters,
                                caller,
                                catalogVersion)
                        : new TransactionRequest.AdHoc(
                                clientId,
                                requestId,
                                timeoutNanos,
                                consistency,
                                text,
                                parameters,
                                caller,
                                catalogVersion));
    }

    /** The rights are looked up here: the other node has only made sure who it is. */
    static Caller caller(boolean isTrusted, String user) {
        return isTrusted ? Caller.TRUSTED : Caller.user(user, CallerListener.none());
    }

    private static TransactionResponse committed(MessageReader in) {
        TransactionResponse.Kind kind =
                in.constant(TransactionResponse.Kind.values(), TransactionResponse.Kind::ordinal);
        long value = in.getLong();
        long snapshot = in.getLong();
        return new TransactionResponse.Committed(kind, value, in.bytes(), snapshot);
    }
}
