package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.failstop.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code, the unit for systemd and the table of OPERATIONS.md say the same of how a node ends. */
final class ExitStatusesTest {
    private static final Path ROOT = root();
    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| .* \\| (yes|no) \\|");

    /** A start that fails; of the command line as a whole, not of nodes. */
    private static final int NOT_STARTED = 1;

    private static Path root() {
        Path module = Path.of("").toAbsolutePath();
        return Files.exists(module.resolve("packaging"))
                ? module
                : module.resolve("..").normalize();
    }

    private static Map<Integer, Boolean> documented() throws IOException {
        Map<Integer, Boolean> restarts = new TreeMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/OPERATIONS.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                restarts.put(Integer.valueOf(row.group(1)), row.group(2).equals("yes"));
            }
        }
        return restarts;
    }

    private static String unit(String setting) throws IOException {
        return Files.readAllLines(ROOT.resolve("packaging/fulmar.service")).stream()
                .filter(line -> line.startsWith(setting + "="))
                .map(line -> line.substring(setting.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everyStatusOfTheCodeIsInTheTable() throws IOException {
        Map<Integer, Boolean> documented = documented();
        documented.remove(NOT_STARTED);

        assertThat(documented.keySet())
                .containsExactlyElementsOf(Arrays.stream(ExitStatus.values())
                        .map(ExitStatus::number)
                        .sorted()
                        .toList());
    }

    @Test
    void theUnitRestartsWhatTheTableSays() throws IOException {
        assertThat(unit("Restart")).isEqualTo("on-failure");
        List<Integer> prevented = Arrays.stream(unit("RestartPreventExitStatus").split(" "))
                .map(Integer::valueOf)
                .toList();

        documented()
                .forEach((status, restarts) -> assertThat(status != 0 && !prevented.contains(status))
                        .as("restart after status %d", status)
                        .isEqualTo(restarts));
    }

    @Test
    void onlyWhatADeviceOrTheClusterDecidedIsLeftAlone() throws IOException {
        List<Integer> prevented = EnumSet.of(ExitStatus.DEVICE_FAILED, ExitStatus.NOT_TAKEN).stream()
                .map(ExitStatus::number)
                .toList();

        assertThat(unit("RestartPreventExitStatus").split(" "))
                .containsExactlyElementsOf(
                        prevented.stream().map(String::valueOf).toList());
    }
}
