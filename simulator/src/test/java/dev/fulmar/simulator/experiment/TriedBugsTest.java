package dev.fulmar.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.mutation.MutatedCampaign.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TriedBugsTest {
    private static final Outcome FOUND = new Outcome(true, 17, 12.5, "a\tcycle\nof two");

    @TempDir
    private Path directory;

    @Test
    void whatWasTriedIsKnownLater() throws IOException {
        new TriedBugs(directory, "bugs", "code 1").add("forgets", FOUND);
        TriedBugs later = new TriedBugs(directory, "bugs", "code 1");
        assertThat(later.of("forgets")).isEqualTo(new Outcome(true, 17, 12.5, "a cycle of two"));
        assertThat(later.of("remembers")).isNull();
    }

    @Test
    void whatWasTriedOnOtherCodeDoesNotCount() throws IOException {
        new TriedBugs(directory, "bugs", "code 1").add("forgets", FOUND);
        assertThat(new TriedBugs(directory, "bugs", "code 2").of("forgets")).isNull();
    }

    @Test
    void aLineThatWasNotWrittenWholeIsPassedOver() throws IOException {
        new TriedBugs(directory, "bugs", "code 1").add("forgets", FOUND);
        Files.writeString(directory.resolve("bugs.tsv"), "code 1\tremembers\ttr", StandardOpenOption.APPEND);
        TriedBugs later = new TriedBugs(directory, "bugs", "code 1");
        assertThat(later.of("forgets")).isNotNull();
        assertThat(later.of("remembers")).isNull();
    }

    @Test
    void withoutADirectoryNothingIsKept() throws IOException {
        new TriedBugs(null, "bugs", "code 1").add("forgets", FOUND);
        assertThat(directory).isEmptyDirectory();
    }
}
