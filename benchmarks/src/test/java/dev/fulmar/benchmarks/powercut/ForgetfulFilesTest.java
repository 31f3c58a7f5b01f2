package dev.fulmar.benchmarks.powercut;

import static dev.fulmar.benchmarks.powercut.ForgetfulFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ForgetfulFilesTest {
    private final ForgetfulFiles files = new ForgetfulFiles();

    @Test
    void aFileNeedsItsBytesAndItsNameForced() throws IOException {
        long both = file(ROOT, "both");
        long bytesOnly = file(ROOT, "bytes-only");
        files.force(both);
        files.force(bytesOnly);
        assertThat(files.cut(Survivors.none()).list(ROOT)).isEmpty();
    }

    @Test
    void aForcedNameKeepsAFileOfNoBytes() throws IOException {
        file(ROOT, "name-only");
        files.forceDirectory(ROOT);
        ForgetfulFiles left = files.cut(Survivors.none());
        assertThat(text(left, "name-only")).isEmpty();
    }

    @Test
    void whatIsForcedInADirectoryWithoutNameIsLost() throws IOException {
        long directory = files.createDirectory(ROOT, "data").number();
        files.force(file(directory, "a"));
        files.forceDirectory(directory);
        assertThat(files.cut(Survivors.none()).list(ROOT)).isEmpty();
    }

    @Test
    void aRenameThatIsNotForcedIsUndone() throws IOException {
        files.force(file(ROOT, "old"));
        files.forceDirectory(ROOT);
        long newer = file(ROOT, "new");
        files.write(newer, 0, "newer".getBytes(StandardCharsets.UTF_8));
        files.force(newer);
        files.rename(ROOT, "new", ROOT, "old");
        assertThat(text(files, "old")).isEqualTo("newer");
        ForgetfulFiles left = files.cut(Survivors.none());
        assertThat(left.list(ROOT)).containsOnlyKeys("old");
        assertThat(text(left, "old")).isEqualTo("some");
    }

    @Test
    void aForcedRenameStays() throws IOException {
        files.force(file(ROOT, "old"));
        files.rename(ROOT, "old", ROOT, "new");
        files.forceDirectory(ROOT);
        ForgetfulFiles left = files.cut(Survivors.none());
        assertThat(left.list(ROOT)).containsOnlyKeys("new");
        assertThat(text(left, "new")).isEqualTo("some");
    }

    @Test
    void aRemovalThatIsNotForcedIsUndone() throws IOException {
        files.force(file(ROOT, "a"));
        files.forceDirectory(ROOT);
        files.removeFile(ROOT, "a");
        assertThat(files.list(ROOT)).isEmpty();
        assertThat(text(files.cut(Survivors.none()), "a")).isEqualTo("some");
    }

    @Test
    void survivorsOfADirectoryAreItsFirstChanges() throws IOException {
        files.force(file(ROOT, "a"));
        files.rename(ROOT, "a", ROOT, "b");
        assertThat(files.cut(Survivors.all()).list(ROOT)).containsOnlyKeys("b");
    }

    @Test
    void nobodyGetsAnAnswerAfterTheCut() throws IOException {
        long file = file(ROOT, "a");
        files.cut(Survivors.all());
        assertThatThrownBy(() -> files.force(file)).isInstanceOf(PowerIsOut.class);
        assertThatThrownBy(() -> files.list(ROOT)).isInstanceOf(PowerIsOut.class);
    }

    @Test
    void refusesWhatAFileSystemRefuses() throws IOException {
        file(ROOT, "a");
        long directory = files.createDirectory(ROOT, "d").number();
        file(directory, "b");
        refused(FileSystemError.EXISTS, () -> files.createFile(ROOT, "a"));
        refused(FileSystemError.NO_ENTRY, () -> files.lookUp(ROOT, "none"));
        refused(FileSystemError.NOT_EMPTY, () -> files.removeDirectory(ROOT, "d"));
        refused(FileSystemError.IS_DIRECTORY, () -> files.removeFile(ROOT, "d"));
        refused(FileSystemError.OTHER_DEVICE, () -> files.rename(ROOT, "a", directory, "a"));
    }

    private interface Call {
        void make() throws IOException;
    }

    private static void refused(int error, Call call) {
        assertThatThrownBy(call::make)
                .isInstanceOfSatisfying(
                        FileSystemError.class,
                        refusal -> assertThat(refusal.errorNumber()).isEqualTo(error));
    }

    private long file(long parent, String name) throws IOException {
        long number = files.createFile(parent, name).number();
        files.write(number, 0, "some".getBytes(StandardCharsets.UTF_8));
        return number;
    }

    private static String text(ForgetfulFiles files, String name) throws IOException {
        return new String(files.read(files.lookUp(ROOT, name).number(), 0, 1000), StandardCharsets.UTF_8);
    }
}
