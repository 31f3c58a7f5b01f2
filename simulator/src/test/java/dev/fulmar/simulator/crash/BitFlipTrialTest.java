package dev.fulmar.simulator.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.sql.SqlCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BitFlipTrialTest {
    private static final int HEADER_BYTES = 512;
    private static final int PROBES = 32;

    private final PlanCache sql = new PlanCache(new SqlCompiler());

    @TempDir
    Path scratch;

    private BitFlipTrial.Result flip(BitFlipTrial trial, String name, int position) throws IOException {
        return trial.flip(Files.createTempDirectory(scratch, "copy"), name, position, 3);
    }

    private BitFlipTrial trial(boolean stopped) throws IOException {
        BitFlipTrial trial = new BitFlipTrial(11, stopped, sql);
        BitFlipTrial.Result unharmed = flip(trial, "", 0);
        assertThat(unharmed.outcome()).as(unharmed.text()).isEqualTo(FlipOutcome.HARMLESS);
        trial.noteUnharmed(unharmed);
        return trial;
    }

    @Test
    void onlyTheLastGroupOfAKilledDirectoryIsCut() throws IOException {
        BitFlipTrial trial = trial(false);
        FlipJudge.Place last = trial.lastGroup();

        BitFlipTrial.Result inLast = flip(trial, last.file(), last.offset() + last.bytes() - 1);
        BitFlipTrial.Result inFirst = flip(trial, last.file(), HEADER_BYTES + 100);

        assertThat(inLast.outcome()).as(inLast.text()).isEqualTo(FlipOutcome.TAIL_CUT);
        assertThat(inLast.text()).contains("cut in " + last.file() + " at offset " + last.offset());
        assertThat(inFirst.outcome()).as(inFirst.text()).isEqualTo(FlipOutcome.REFUSED);
    }

    @Test
    void aStoppedDirectoryTellsEvenOfItsLastGroup() throws IOException {
        BitFlipTrial trial = trial(true);
        FlipJudge.Place last = trial.lastGroup();

        BitFlipTrial.Result inLast = flip(trial, last.file(), last.offset() + last.bytes() - 1);

        assertThat(inLast.outcome()).as(inLast.text()).isEqualTo(FlipOutcome.TAIL_CUT);
    }

    /** Somewhere: what is at the beginning of a file of extents may be behind by now. */
    private boolean isRead(BitFlipTrial trial, String name) throws IOException {
        int length = Objects.requireNonNull(trial.files().get(name)).length;
        for (int position = 0; position < length; position += Math.max(1, length / PROBES)) {
            if (flip(trial, name, position).read()) {
                return true;
            }
        }
        return false;
    }

    /** What nobody reads may be missing: a spare segment, or what a checkpoint had begun that was never published. */
    @Test
    void aMissingFileIsRefusedByName() throws IOException {
        Set<String> refusedKinds = new TreeSet<>();
        for (boolean stopped : new boolean[] {true, false}) {
            BitFlipTrial trial = trial(stopped);
            for (String name : trial.files().keySet()) {
                BitFlipTrial.Result result = trial.lose(Files.createTempDirectory(scratch, "copy"), name);

                boolean isNeeded = !name.contains("/spare-") && isRead(trial, name);
                assertThat(result.outcome())
                        .as("%s: %s", name, result.text())
                        .isEqualTo(isNeeded ? FlipOutcome.REFUSED : FlipOutcome.HARMLESS);
                if (isNeeded) {
                    refusedKinds.add(name.replaceAll(".*/|-.*", ""));
                }
            }
        }
        assertThat(refusedKinds).contains("clog", "control", "master", "segment", "superblock");
    }

    @Test
    void aShorterFileIsRefusedByName() throws IOException {
        BitFlipTrial trial = trial(true);
        for (String name : trial.files().keySet()) {
            int half = trial.liveBytes(name) / 2;
            BitFlipTrial.Result result = trial.shorten(Files.createTempDirectory(scratch, "copy"), name, half);

            assertThat(result.outcome()).as("%s: %s", name, result.text()).isNotEqualTo(FlipOutcome.WRONG);
            if (name.contains("/segment-") || name.contains("/clog-") || name.contains("/master-")) {
                assertThat(result.outcome()).as("%s: %s", name, result.text()).isEqualTo(FlipOutcome.REFUSED);
            }
        }
    }

    /** One seed may end without a spare segment: that follows from the sizes of what is logged. */
    @Test
    void everyKindOfFileIsThere() {
        List<String> names = new ArrayList<>();
        for (int seed = 11; seed < 19; seed++) {
            names.addAll(new BitFlipTrial(seed, true, sql).files().keySet());
        }
        assertThat(names)
                .anyMatch(name -> name.endsWith("/control"))
                .anyMatch(name -> name.contains("/segment-"))
                .anyMatch(name -> name.contains("/spare-"))
                .anyMatch(name -> name.endsWith("/superblock"))
                .anyMatch(name -> name.contains("/clog-"))
                .anyMatch(name -> name.contains("/master-"));
    }
}
