package dev.fulmar.it.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.simulator.mutation.MutatedCampaign;
import dev.fulmar.simulator.mutation.SourcePatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.StandardJavaFileManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlantedBugsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PATCHES = ROOT.resolve("it-tests/mutations");
    private static final int LEAST_PATCHES = 60;

    private static List<SourcePatch> all() throws IOException {
        List<SourcePatch> patches = new ArrayList<>(SourcePatch.all(PATCHES));
        patches.addAll(SourcePatch.all(PATCHES.resolve("cluster")));
        patches.addAll(SourcePatch.all(PATCHES.resolve("moves")));
        patches.addAll(SourcePatch.all(PATCHES.resolve("sessions")));
        return patches;
    }

    @Test
    void everyPatchAppliesAndCompiles(@TempDir Path scratch) throws IOException {
        List<SourcePatch> patches = all();

        assertThat(patches).hasSizeGreaterThanOrEqualTo(LEAST_PATCHES);
        try (StandardJavaFileManager manager =
                MutatedCampaign.compiler().getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            for (SourcePatch patch : patches) {
                Path own = Files.createDirectory(scratch.resolve(patch.name()));
                Path classes = MutatedCampaign.compile(patch, ROOT, own, manager);
                assertThat(classes).as(patch.name()).isNotEmptyDirectory();
            }
        }
    }

    @Test
    void everyPatchIsInTheDocuments() throws IOException {
        for (SourcePatch patch : all()) {
            String page = switch (patch.campaign()) {
                case SERIALIZABILITY -> "docs/SIMULATION.md";
                case DURABILITY -> "docs/DURABILITY.md";
                case CLUSTER, CATALOG, MOVES -> "docs/RELIABILITY.md";
            };
            assertThat(Files.readString(ROOT.resolve(page))).contains("`" + patch.name() + "`");
        }
    }
}
