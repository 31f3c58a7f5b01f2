package dev.fulmar.node.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private Path log() {
        return folder.resolve(AuditFile.NAME);
    }

    private Path aside(int number) {
        return folder.resolve("audit.log.damaged-" + number);
    }

    private void write(int events) {
        try (AuditFile file = new AuditFile(log(), Runnable::run)) {
            for (int number = 0; number < events; number++) {
                file.note(new AuditEvent(AuditEvent.Kind.CHANGE, "ann", "here", "ünïcode " + number, AuditEvent.DONE));
            }
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aWholeLogIsWrittenOn() throws IOException {
        write(3);
        write(2);
        assertThat(AuditFile.verify(log())).satisfies(found -> {
            assertThat(found.lines()).isEqualTo(5);
            assertThat(found.incompleteBytes()).isZero();
        });
        assertThat(names()).containsExactly("audit.log");
    }

    @Test
    void aDamagedLogIsSetAsideAndTheNewOneSaysSo() throws IOException {
        write(20);
        byte[] whole = Files.readAllBytes(log());
        Random random = new Random(7);
        for (int round = 1; round <= 40; round++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length - 1)] ^= (byte) (1 << random.nextInt(8));
            Files.write(log(), damaged);

            write(1);

            assertThat(Files.readAllBytes(aside(round))).isEqualTo(damaged);
            assertThat(AuditFile.verify(log()).lines()).isEqualTo(2);
            assertThat(Files.readString(log())).contains("audit.log.damaged-" + round, "DAMAGED", "ünïcode 0");
            assertThatThrownBy(() -> AuditFile.verify(folder.resolve("audit.log.damaged-1")))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("does not follow");
        }
    }

    @Test
    void aLineThatWasTakenOutIsDamage() throws IOException {
        write(5);
        List<String> lines = Files.readAllLines(log());
        Files.write(log(), Stream.of(0, 1, 3, 4).map(lines::get).toList());
        assertThatThrownBy(() -> AuditFile.verify(log())).hasMessageContaining("line 3 of");
        write(1);
        assertThat(aside(1)).exists();
    }

    @Test
    void aLastLineThatIsNotWholeIsCutWhateverItsBytes() throws IOException {
        write(3);
        Files.write(log(), new byte[] {(byte) 0xff}, StandardOpenOption.APPEND);
        assertThat(AuditFile.verify(log()).incompleteBytes()).isEqualTo(1);

        write(1);

        assertThat(names()).containsExactly("audit.log");
        assertThat(AuditFile.verify(log()).lines()).isEqualTo(5);
        assertThat(Files.readString(log())).contains("1 bytes of a last line");
    }

    @Test
    void whatIsNoFileIsSetAsideToo() throws IOException {
        Files.createDirectories(log().resolve("within"));
        write(1);
        assertThat(aside(1)).isDirectory();
        assertThat(AuditFile.verify(log()).lines()).isEqualTo(2);
    }

    @Test
    void ofALargeLogTheEndIsChecked() throws IOException {
        write(50);
        long size = Files.size(log());
        AuditScan end = AuditScan.of(log(), size / 2);
        assertThat(end.isWhole()).isTrue();
        assertThat(end.lines()).isBetween(20L, 26L);
        assertThat(end.chain()).isEqualTo(AuditScan.of(log()).chain());
        assertThat(end.wholeBytes()).isEqualTo(size);

        String text = Files.readString(log(), StandardCharsets.UTF_8);
        Files.writeString(log(), text.replace("code 48", "code 84"));
        assertThat(AuditScan.of(log(), size / 2).isWhole()).isFalse();
    }

    @Test
    void aLogThatNobodyCanSetAsideIsNamed() {
        Path nowhere = Path.of("/proc/version/audit.log");
        assertThatThrownBy(() -> new AuditFile(nowhere, Runnable::run))
                .isInstanceOf(FulmarException.class)
                .hasMessageContaining(nowhere.toString())
                .hasMessageContaining("audit");
    }
}
