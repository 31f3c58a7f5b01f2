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
    void aDamagedFileIsRefused(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("member.properties"), "cluster=x\n");
        FileStorage storage = new FileStorage(folder);
        assertThatThrownBy(() -> MemberIdentity.read(storage)).hasMessageContaining("is damaged");
    }
}
