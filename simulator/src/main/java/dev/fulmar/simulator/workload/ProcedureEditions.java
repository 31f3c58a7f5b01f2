package dev.fulmar.simulator.workload;

import dev.fulmar.benchmarks.listappend.procedure.Observe;
import dev.fulmar.benchmarks.listappend.procedure.Transact;
import dev.fulmar.benchmarks.listappend.procedure.Transfer;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import dev.fulmar.simulator.verify.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;

/**
 * The procedures in editions that tell themselves apart: every row that {@link Transact} reads names the edition that
 * read it. To a history the edition is a register: a change of the procedures writes it, and a transaction that saw a
 * row has read it.
 */
public final class ProcedureEditions {
    /** The edition of the class path, which no change wrote. */
    public static final long FIRST = 100_000;

    /** The register. */
    private static final long KEY = 0;

    /** Texts before the number in statements. */
    private static final List<String> MARKS = List.of("SELECT v, ", "edition = ");

    private ProcedureEditions() {}

    /** The jar of an edition. */
    public static byte[] jar(long edition) {
        return jar(edition, List.of(Transact.class, Transfer.class, Observe.class));
    }

    /** The jar of an edition of the classes. */
    public static byte[] jar(long edition, List<Class<?>> classes) {
        return ProcedureJar.of(classes, bytes -> edition(bytes, edition));
    }

    /** Puts the number in the place of the first one, which has as many digits; a class without it stays as it is. */
    private static byte[] edition(byte[] classFile, long edition) {
        String text = new String(classFile, StandardCharsets.ISO_8859_1);
        for (String mark : MARKS) {
            text = text.replace(mark + FIRST, mark + edition);
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Write of the change to an edition. */
    public static Operation written(long edition) {
        return new Operation.Write(KEY, edition);
    }

    /** Read by a transaction that ran in an edition. */
    static Operation seen(long edition) {
        return new Operation.ReadRegister(KEY, edition == FIRST ? OptionalLong.empty() : OptionalLong.of(edition));
    }
}
