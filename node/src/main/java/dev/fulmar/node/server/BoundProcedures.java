package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.Bound;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Procedures that have numbers on one connection, so that calls need no names. The client learns which parameter of
 * each says where it runs. On the connection's event loop.
 */
final class BoundProcedures {
    private static final int FIRST_CAPACITY = 16;
    private static final BoundProcedure UNBOUND = new BoundProcedure("", null, false);

    /**
     * A procedure by its name; a system procedure comes with what runs it.
     *
     * @param isForOperators whether its calls may use what is kept for operators
     */
    record BoundProcedure(String name, @Nullable SystemProcedure system, boolean isForOperators) {}

    private final ServerContext server;
    private final ReplyPath replies;
    private final Caller caller;
    private final int version;
    private BoundProcedure[] bound = new BoundProcedure[FIRST_CAPACITY];

    /** Routing keys last sent to the client, by the procedure's number. */
    private final Map<Integer, Bound> told = new TreeMap<>();

    /** @param version of the protocol that the client speaks */
    BoundProcedures(ServerContext server, ReplyPath replies, Caller caller, int version) {
        this.server = server;
        this.replies = replies;
        this.caller = caller;
        this.version = version;
        Arrays.fill(bound, UNBOUND);
    }

    void bind(Bind message) {
        int most = server.configuration.limits().boundProcedures();
        int number = message.getNumber();
        if (number < 1 || number > most) {
            throw Messages.malformed("a procedure gets the number " + number + ", but numbers go from 1 to " + most);
        }
        if (number >= bound.length) {
            int old = bound.length;
            bound = Arrays.copyOf(bound, Math.min(most + 1, Math.max(2 * old, number + 1)));
            Arrays.fill(bound, old, bound.length, UNBOUND);
        }
        bound[number] = named(message.getProcedure());
        tellKey(number);
    }

    /** The procedure of a call: by its number, or by the name if that is 0. */
    BoundProcedure of(int number, String name) {
        BoundProcedure procedure = UNBOUND;
        if (number == 0) {
            procedure = named(name);
        } else if (number > 0 && number < bound.length) {
            procedure = bound[number];
        }
        if (procedure.name().isEmpty()) {
            throw Messages.malformed(
                    "a call names no procedure, or one by the number " + number + ", which was not bound");
        }
        return procedure;
    }

    private BoundProcedure named(String name) {
        SystemProcedure system = name.startsWith("@") ? server.systemProcedures.named(name) : null;
        return new BoundProcedure(name, system, system != null && server.systemProcedures.isForOperators(name));
    }

    /** Tells the client again which parameters say where its procedures run, where that has changed. */
    void tellKeys() {
        for (int number = 1; number < bound.length; number++) {
            if (!bound[number].name().isEmpty()) {
                tellKey(number);
            }
        }
        replies.flushDirect();
    }

    private void tellKey(int number) {
        if (version < FrameFormat.ROUTING_VERSION) {
            return;
        }
        Bound known = server.keys.keyOf(bound[number].name(), caller);
        Bound key = (known == null ? Bound.newBuilder() : known.toBuilder())
                .setNumber(number)
                .build();
        Bound before = told.put(number, key);
        if (before == null ? known != null : !key.equals(before)) {
            replies.writeDirect(FrameKind.BOUND, key);
        }
    }
}
