package dev.fulmar.benchmarks.survival;

import dev.fulmar.benchmarks.survival.procedure.CurrentEdition;
import dev.fulmar.benchmarks.survival.procedure.Extend;
import dev.fulmar.benchmarks.survival.procedure.ExtendMany;
import dev.fulmar.benchmarks.workload.ProcedureJar;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The procedures in editions that tell themselves apart. */
final class Editions {
    /** The one of the class path. */
    static final long FIRST = 100_000;

    private static final String MARK = "SELECT links, ";

    private Editions() {}

    /** The jar of an edition. */
    static byte[] jar(long edition) {
        return ProcedureJar.of(
                List.of(Extend.class, ExtendMany.class, CurrentEdition.class), bytes -> edition(bytes, edition));
    }

    /** Puts the number in the place of the first one, which has as many digits. */
    private static byte[] edition(byte[] classFile, long edition) {
        String text = new String(classFile, StandardCharsets.ISO_8859_1);
        return text.replace(MARK + FIRST, MARK + edition).getBytes(StandardCharsets.ISO_8859_1);
    }
}
