package dev.fulmar.engine.procedure;

import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.procedure.Statement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A procedure, ready to be called in any number of executions at once. Immutable but for {@link #distrust}. */
public final class LoadedProcedure {
    /** Name of the class loaders of procedure code, by which its frames are told from others in a stack trace. */
    public static final String CODE_LOADER_NAME = "procedures";

    /** Where a call runs. */
    public enum Placement {
        /** On the partition of one parameter's value. */
        KEYED,
        /** On any one partition: it reads replicated tables only. */
        ANYWHERE,
        /** As a multi-partition transaction. */
        MULTI_PARTITION
    }

    private final ProcedureDefinition definition;
    private final List<ProcedureParameter> parameters;
    private final List<ProcedureStatement> statements;
    private final @Nullable Statement[] constants;
    private final Placement placement;
    private final boolean readOnly;
    private final boolean addsRows;
    private final Determinism determinism;
    private final ProcedureEntry entry;
    private final byte[] nameBytes;
    private final boolean anySnapshot;
    private final AtomicBoolean distrusted = new AtomicBoolean();

    /**
     * @param constants the statement objects by which a Java procedure names its statements, in the order of the statements; empty for a
     *     procedure written in SQL
     * @param anySnapshot where it reads several partitions, a state that was the newest a moment ago will do
     */
    public LoadedProcedure(
            ProcedureDefinition definition,
            List<ProcedureParameter> parameters,
            List<ProcedureStatement> statements,
            List<Statement> constants,
            Placement placement,
            boolean readOnly,
            Determinism determinism,
            ProcedureEntry entry,
            boolean anySnapshot) {
        this.definition = definition;
        this.parameters = List.copyOf(parameters);
        this.statements = List.copyOf(statements);
        this.constants = constants.toArray(Statement[]::new);
        this.placement = placement;
        this.readOnly = readOnly;
        this.addsRows = statements.stream().anyMatch(ProcedureStatement::addsRows);
        this.determinism = determinism;
        this.entry = entry;
        this.nameBytes = definition.name().getBytes(StandardCharsets.UTF_8);
        this.anySnapshot = anySnapshot;
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
        return statements;
    }

    public Placement placement() {
        return placement;
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
        return readOnly;
    }

    /** Some statement adds rows or makes them larger: it does more than to read and to delete. */
    public boolean addsRows() {
        return addsRows;
    }

    /** Where it reads several partitions, a state that was the newest a moment ago will do. */
    public boolean readsAnySnapshot() {
        return anySnapshot;
    }

    public Determinism determinism() {
        return determinism;
    }

    /** Whether a call's log record is the call; otherwise it is what the call changed. */
    public boolean isLoggedAsCommand() {
        return determinism.commandLogged() && !distrusted.get();
    }

    /** A call did not do the same again: from now on calls are logged by value. Whether this was news. */
    public boolean distrust() {
        return distrusted.compareAndSet(false, true);
    }

    /** Its code. */
    public ProcedureEntry entry() {
        return entry;
    }

    /**
     * Number of the statement that the constant names, or -1 if it is none of the procedure's own. Statements are mostly used in the order of
     * their declaration, so the search starts at the hint.
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
