package dev.fulmar.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.simulator.verify.Operation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.jar.JarInputStream;
import org.junit.jupiter.api.Test;

class ProcedureEditionsTest {
    private static final Wish.Transact READS =
            new Wish.Transact(false, 1, new long[] {1}, new long[0], new long[0], false, false);

    @Test
    void editionsDifferInTheirNumberOnly() throws IOException {
        String first = content(ProcedureEditions.jar(ProcedureEditions.FIRST));
        String later = content(ProcedureEditions.jar(ProcedureEditions.FIRST + 17));

        assertThat(first).contains("SELECT v, 100000 FROM");
        assertThat(later).isEqualTo(first.replace("SELECT v, 100000 FROM", "SELECT v, 100017 FROM"));
    }

    private static String content(byte[] jar) throws IOException {
        StringBuilder content = new StringBuilder();
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar))) {
            while (in.getNextEntry() != null) {
                content.append(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return content.toString();
    }

    @Test
    void aRowTellsTheEditionThatReadIt() {
        assertThat(READS.done(new Wish.Reply(0, List.of(List.of(new long[] {5, ProcedureEditions.FIRST + 2})))))
                .containsExactly(
                        new Operation.ReadRegister(0, OptionalLong.of(ProcedureEditions.FIRST + 2)),
                        new Operation.ReadList(1, List.of(5L)));
        assertThat(READS.done(new Wish.Reply(0, List.of(List.of(new long[] {5, ProcedureEditions.FIRST})))))
                .contains(new Operation.ReadRegister(0, OptionalLong.empty()));
    }

    @Test
    void twoEditionsInOneAnswerAreWrong() {
        Wish.Reply mixed = new Wish.Reply(0, List.of(List.of(new long[] {5, ProcedureEditions.FIRST + 1}, new long[] {
            6, ProcedureEditions.FIRST + 2
        })));

        assertThatThrownBy(() -> READS.done(mixed)).hasMessageContaining("one edition");
    }
}
