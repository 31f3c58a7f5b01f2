package dev.fulmar.coordinator.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.storage.real.FileStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberIdentityTest {
    @Test
    void whatIsWrittenIsRead(@TempDir Path folder) throws IOException {
        FileStorage storage = new FileStorage(folder);
        assertThat(MemberIdentity.read(storage)).isEmpty();
        MemberIdentity identity = new MemberIdentity(new UUID(1, 2), 3, 4);
        identity.write(storage);
        assertThat(MemberIdentity.read(storage)).contains(identity);
        assertThat(MemberIdentity.read(new FileStorage(folder))).contains(identity);
    }

    @Test
    void oneFlippedBitIsMended(@TempDir Path folder) throws IOException {
        MemberIdentity identity = new MemberIdentity(new UUID(1, 2), 3, 4);
        identity.write(new FileStorage(folder));
        Path file = folder.resolve("member.properties");
        byte[] whole = Files.readAllBytes(file);
        for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            Files.write(file, flipped);
            assertThat(MemberIdentity.read(new FileStorage(folder)))
                    .as("bit " + bit)
                    .contains(identity);
            assertThat(Files.readAllBytes(file)).as("mended bit " + bit).isEqualTo(whole);
        }
    }

    @Test
    void theFirstVersionIsReadAndWrittenAnew(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("member.properties");
        Files.writeString(
                file,
                "# Whose data this directory holds. Written by Fulmar; not to be changed.\n"
                        + "cluster=00000000-0000-0001-0000-000000000002\nnode=3\nlife=4\n");
        MemberIdentity identity = new MemberIdentity(new UUID(1, 2), 3, 4);
        assertThat(MemberIdentity.read(new FileStorage(folder))).contains(identity);
        assertThat(Files.readString(file)).contains("member 2 ");
        assertThat(MemberIdentity.read(new FileStorage(folder))).contains(identity);
    }

    @Test
    void whatIsDamagedTwiceIsRefused(@TempDir Path folder) throws IOException {
        new MemberIdentity(new UUID(1, 2), 3, 4).write(new FileStorage(folder));
        Path file = folder.resolve("member.properties");
        Files.writeString(file, Files.readString(file).replace(" 3 4 ", " 5 4 "));
        FileStorage storage = new FileStorage(folder);
        assertThatThrownBy(() -> MemberIdentity.read(storage)).hasMessageContaining("is damaged");
    }
}
