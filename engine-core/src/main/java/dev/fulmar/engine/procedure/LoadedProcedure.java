package dev.fulmar.engine.procedure;

import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.procedure.Statement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A procedure, ready to be called in any number of executions at once. Immutable but for {@link #distrust}. Its
 * {@link Code} may be made only when it is first asked for: after a restart most procedures of a large catalog are not
 * called for long. Errors in its statements meet that caller.
 */
public final class LoadedProcedure {
    /** Name of the class loaders of procedure code, by which its frames are told from others in a stack trace. */
    public static final String CODE_LOADER_NAME = "procedures";

    /** The scope of a call. */
    public enum Scope {
        /** On the partition of one parameter's value. */
        KEYED,
        /** On any one partition: it reads replicated tables only. */
        ANYWHERE,
        /** As a multi-partition transaction. */
        MULTI_PARTITION
    }

    private final ProcedureDefinition definition;
    private final List<ProcedureParameter> parameters;
    private final @Nullable Statement[] constants;
    private final Supplier<Code> planning;

    /** Set once, by the first thread that needs it; null until then. */
    private final AtomicReference<@Nullable Code> code = new AtomicReference<>();

    /** The same, or null where a thread has not seen it yet: a record that any thread may see is whole. */
    private @Nullable Code seen;

    private final byte[] nameBytes;
    private final boolean anySnapshot;
    private final AtomicBoolean distrusted = new AtomicBoolean();

    /**
     * The statements, the entry, and the facts that follow from the statements.
     *
     * @param scope where a call runs
     * @param readOnly no statement writes
     * @param addsRows some statement adds rows or makes them larger
     */
    public record Code(
            List<ProcedureStatement> statements,
            Scope scope,
            boolean readOnly,
            boolean addsRows,
            Determinism determinism,
            ProcedureEntry entry) {
        public Code {
            statements = List.copyOf(statements);
            for (int i = 0; i < statements.size(); i++) {
                Invariants.check(
                        statements.get(i).number() == i, "a procedure's statement has the number of its place");
            }
        }

        public Code(
                List<ProcedureStatement> statements,
                Scope scope,
                boolean readOnly,
                Determinism determinism,
                ProcedureEntry entry) {
            this(
                    statements,
                    scope,
                    readOnly,
                    statements.stream().anyMatch(ProcedureStatement::addsRows),
                    determinism,
                    entry);
        }
    }

    /**
     * @param constants the statement objects by which a Java procedure names its statements, in the order of the
     *     statements; empty for a procedure written in SQL
     * @param anySnapshot where it reads several partitions, a state that was the newest a moment ago will do
     */
    public LoadedProcedure(
            ProcedureDefinition definition,
            List<ProcedureParameter> parameters,
            List<Statement> constants,
            Code code,
            boolean anySnapshot) {
        this(definition, parameters, constants, anySnapshot, () -> code);
        plan();
    }

    /**
     * Makes a procedure written in SQL whose statements are planned when they are first needed.
     *
     * @param planning may be run more than once, by any thread; only what it yields first counts
     */
    public LoadedProcedure(
            ProcedureDefinition definition, List<ProcedureParameter> parameters, Supplier<Code> planning) {
        this(definition, parameters, List.of(), false, planning);
    }

    private LoadedProcedure(
            ProcedureDefinition definition,
            List<ProcedureParameter> parameters,
            List<Statement> constants,
            boolean anySnapshot,
            Supplier<Code> planning) {
        this.definition = definition;
        this.parameters = List.copyOf(parameters);
        this.constants = constants.toArray(Statement[]::new);
        this.nameBytes = definition.name().getBytes(StandardCharsets.UTF_8);
        this.anySnapshot = anySnapshot;
        this.planning = planning;
    }

    private Code code() {
        Code known = seen;
        return known != null ? known : planned();
    }

    private Code planned() {
        Code known = code.get();
        if (known == null) {
            Code made = planning.get();
            Code first = code.compareAndExchange(null, made);
            known = first == null ? made : first;
        }
        seen = known;
        return known;
    }

    /** Plans the statements unless that was done before; fails if they cannot be. */
    public void plan() {
        code();
    }

    /** Whether the code is known, so that no caller has to wait for it. */
    public boolean isPlanned() {
        return code.get() != null;
    }

    public String name() {
        return definition.name();
    }

    /** The name in UTF-8. Not to be changed. */
    public byte[] nameBytes() {
        return nameBytes;
    }

    public ProcedureDefinition definition() {
        return definition;
    }

    public List<ProcedureParameter> parameters() {
        return parameters;
    }

    /** Its statements; {@link ProcedureStatement#number()} is the position in this list. */
    public List<ProcedureStatement> statements() {
        return code().statements;
    }

    public Scope scope() {
        return code().scope;
    }

    /** Position of the parameter that names the partition, from 0; -1 if there is none. */
    public int partitioningParameter() {
        return definition
                .partitioning()
                .map(ProcedureDefinition.Partitioning::parameter)
                .orElse(-1);
    }

    /** No statement writes. */
    public boolean isReadOnly() {
        return code().readOnly;
    }

    /** Some statement adds rows or makes them larger: it does more than to read and to delete. */
    public boolean addsRows() {
        return code().addsRows;
    }

    /** Where it reads several partitions, a state that was the newest a moment ago will do. */
    public boolean readsAnySnapshot() {
        return anySnapshot;
    }

    public Determinism determinism() {
        return code().determinism;
    }

    /** Whether a call's log record is the call; otherwise it is what the call changed. */
    public boolean isLoggedAsCommand() {
        return determinism().commandLogged() && !distrusted.get();
    }

    /** A call did not do the same again: from now on calls are logged by value. Whether this was news. */
    public boolean distrust() {
        return distrusted.compareAndSet(false, true);
    }

    /** Its code. */
    public ProcedureEntry entry() {
        return code().entry;
    }

    /** The kind of reply that a call yields. */
    public ReplyKind replyKind() {
        return entry().replyKind();
    }

    /**
     * Number of the statement that the constant names, or -1 if it is none of the procedure's own. Statements are
     * mostly used in the order of their declaration, so the search starts at the hint.
     */
    public int numberOf(Statement constant, int hint) {
        @Nullable Statement[] known = constants;
        for (int i = hint; i < known.length; i++) {
            if (known[i] == constant) {
                return i;
            }
        }
        for (int i = Math.min(hint, known.length) - 1; i >= 0; i--) {
            if (known[i] == constant) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return definition.name() + parameters;
    }
}
