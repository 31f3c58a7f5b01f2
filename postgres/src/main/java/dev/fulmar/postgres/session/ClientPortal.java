package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.postgres.value.ParameterForms;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.ValueFormats;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A prepared statement with its parameters, and the place to which its client has read the result. */
final class ClientPortal {
    private final PreparedText statement;
    private final byte[] parameters;

    /** Values of the parts of its statement, if there are several. */
    private final List<ParameterForms.Values> parts;

    private final ValueFormats formats;
    private final HeldMemory memory;
    private long parameterBytes;

    /** Rows that are there; null before it is executed. */
    private @Nullable ResultFeed rows;

    private boolean isDone;
    private boolean hasBegun;

    /** Its client awaits the description of its rows. */
    private boolean describesRows;

    /** Its client also awaits the answer to the Bind, which comes behind. */
    private boolean answersBind;

    /** @param parameters of the translated statement */
    ClientPortal(PreparedText statement, byte[] parameters, ValueFormats formats, HeldMemory memory) {
        this(statement, parameters, List.of(), formats, memory);
    }

    /** One of a statement of several parts. */
    ClientPortal(PreparedText statement, List<ParameterForms.Values> parts, ValueFormats formats, HeldMemory memory) {
        this(statement, Bound.NO_PARAMETERS, parts, formats, memory);
    }

    private ClientPortal(
            PreparedText statement,
            byte[] parameters,
            List<ParameterForms.Values> parts,
            ValueFormats formats,
            HeldMemory memory) {
        this.memory = memory;
        this.parts = List.copyOf(parts);
        this.parameterBytes = memory.hold(parameters.length
                + parts.stream().mapToLong(part -> part.parameters().length).sum());
        this.statement = statement;
        this.parameters = parameters;
        this.formats = formats;
    }

    PreparedText statement() {
        return statement;
    }

    byte[] parameters() {
        return parameters;
    }

    List<ParameterForms.Values> parts() {
        return parts;
    }

    ValueFormats formats() {
        return formats;
    }

    @Nullable ResultFeed rows() {
        return rows;
    }

    /** The parts of its statement that come before it; none from the second time on. */
    List<Translator.Part> begin() {
        List<Translator.Part> parts = hasBegun ? List.of() : statement.before();
        hasBegun = true;
        return parts;
    }

    /**
     * Has its rows, or its end, described when they are there.
     *
     * @param withBind whether the answer to its Bind comes behind that
     */
    void describeRows(boolean withBind) {
        describesRows = true;
        answersBind = withBind;
    }

    /** Describes what is there, if its client awaits that. */
    void describe(ClientOutput output, Supplier<BackendMessage> description) {
        if (describesRows) {
            output.send(description.get());
        }
        if (answersBind) {
            output.send(new BackendMessage.BindComplete());
        }
        describesRows = false;
        answersBind = false;
    }

    void opened(ResultFeed result) {
        rows = result;
    }

    /** It has been executed, and yields nothing more. */
    void done() {
        rows = null;
        isDone = true;
    }

    /** Its client needs no more of it. */
    void close(Supplier<TransactionRequest.AdHoc> request) {
        ResultFeed open = rows;
        if (open != null) {
            open.close(request);
        }
        memory.release(parameterBytes);
        parameterBytes = 0;
        done();
    }

    boolean isDone() {
        return isDone;
    }
}
