package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.node.wiring.DamagedDirectory.Damage;
import dev.fulmar.node.wiring.DamagedDirectory.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every cell of the table in OPERATIONS.md, and every file of a directory is in the table. */
@Timeout(120)
class DirectoryDamageTest {
    private static final String HEADLINE = "## Files that are not whole";
    private static final String FILE_OF_CLUSTER = "member.properties";

    /** Which of its files is damaged it does not say. */
    private static final String ZOOKEEPER = "zookeeper/";

    /** In columns 2 to 6, after the file and what it is. */
    private static final List<Damage> COLUMNS = List.of(Damage.values());

    @TempDir
    private static Path folder = Path.of("replaced by JUnit");

    /** Words of the table's cells, by the file's name as it stands there. */
    private static final Map<String, List<String>> TABLE = new TreeMap<>();

    private static String single = "";
    private static String ofCluster = "";

    @BeforeAll
    static void makeImages() throws Exception {
        readTable();
        single = DirectoryImage.make(folder.resolve("single-image"), folder.resolve("single"));
        ofCluster = DirectoryImage.make(folder.resolve("cluster-image"), folder.resolve("cluster"));
        assertThat(single).isEqualTo(ofCluster).startsWith("60 1770");
    }

    private static void readTable() throws IOException {
        Path docs = Stream.of("docs", "../docs")
                .map(Path::of)
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow();
        String text = Files.readString(docs.resolve("OPERATIONS.md"));
        String section = text.substring(text.indexOf(HEADLINE) + HEADLINE.length());
        section = section.substring(0, section.indexOf("\n## "));
        List<String> head = List.of();
        for (String line : section.lines().filter(row -> row.startsWith("|")).toList()) {
            List<String> cells =
                    Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList();
            if (head.isEmpty()) {
                head = cells;
            } else if (cells.getFirst().startsWith("`")) {
                TABLE.put(cells.getFirst().replace("`", ""), cells.subList(2, cells.size()));
            }
        }
        assertThat(head.subList(2, head.size()))
                .isEqualTo(COLUMNS.stream()
                        .map(damage -> damage.name().toLowerCase(Locale.ROOT))
                        .toList());
        assertThat(TABLE).hasSizeGreaterThan(8);
    }

    private static List<String> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    /** How the table calls a file. */
    private static String rowOf(String file) {
        return file.replaceAll("(version-2/(?:log|snapshot))\\.[0-9a-f]+$", "$1.N")
                .replaceAll("segment-\\d+$", "segment-N")
                .replaceAll("clog--?\\d+-\\d+$", "clog-P-N")
                .replaceAll("master--?\\d+$", "master-P");
    }

    private static Path image(String file) {
        return folder.resolve(
                file.equals(FILE_OF_CLUSTER) || file.startsWith(ZOOKEEPER) ? "cluster-image" : "single-image");
    }

    /** The files that the rows are tried on; of several that a row is for, the first, but ZooKeeper's last. */
    private static Map<String, String> tried() throws IOException {
        Map<String, String> byRow = new TreeMap<>();
        for (String kind : List.of("single-image", "cluster-image")) {
            for (String file : files(folder.resolve(kind))) {
                byRow.merge(rowOf(file), file, (first, next) -> file.startsWith(ZOOKEEPER) ? next : first);
            }
        }
        return byRow;
    }

    @Test
    void everyFileHasARowAndEveryRowAFile() throws IOException {
        assertThat(new TreeSet<>(tried().keySet())).isEqualTo(new TreeSet<>(TABLE.keySet()));
    }

    @Test
    void eachCellIsWhatComesOfIt() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> row : tried().entrySet()) {
            String file = row.getValue();
            DamagedDirectory directory = new DamagedDirectory(image(file), work(file));
            for (Damage damage : COLUMNS) {
                if (damage != Damage.UNREADABLE) {
                    judge(row.getKey(), file, damage, directory.outcome(file, damage), wrong);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static Path work(String file) {
        return folder.resolve(image(file).endsWith("cluster-image") ? "cluster-work" : "single-work");
    }

    private static void judge(String row, String file, Damage damage, Outcome outcome, List<String> wrong) {
        String wanted = Objects.requireNonNull(TABLE.get(row), row).get(damage.ordinal());
        String name = file.startsWith(ZOOKEEPER)
                ? "zookeeper"
                : Objects.requireNonNull(Path.of(file).getFileName()).toString();
        boolean isNamed = outcome.said().contains(name);
        String found;
        if (!outcome.started()) {
            boolean saysWhatToDo = outcome.said().matches("(?s).*(restore|check|mend|begin with an empty).*");
            found = isNamed && saysWhatToDo ? "refuses" : "refuses without a word on " + name;
        } else if (!outcome.contents().equals(single)) {
            found = "starts with other data: " + outcome.contents();
        } else {
            found = isNamed ? "warns" : "starts";
        }
        if (!found.equals(wanted)) {
            wrong.add(file + " " + damage + ": " + found + " instead of " + wanted + "; " + outcome.said());
        }
    }

    /**
     * In a process that may not read what nobody may read; to the user root only without a capability everything is
     * readable.
     */
    @Test
    void whatCannotBeReadIsNamed() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (String kind : List.of("single", "cluster")) {
            Map<String, String> rows = new TreeMap<>(tried());
            rows.values().removeIf(file -> !image(file).endsWith(kind + "-image"));
            for (String line : unreadable(kind, List.copyOf(rows.values()))) {
                String[] parts = line.split("\t", -1);
                Outcome outcome = new Outcome(Boolean.parseBoolean(parts[1]), parts[2], parts[3]);
                judge(rowOf(parts[0]), parts[0], Damage.UNREADABLE, outcome, wrong);
                rows.values().remove(parts[0]);
            }
            assertThat(rows).isEmpty();
        }
        assertThat(wrong).isEmpty();
    }

    private static List<String> unreadable(String kind, List<String> files) throws Exception {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            String all = "-dac_override,-dac_read_search";
            command.addAll(List.of("setpriv", "--bounding-set=" + all, "--inh-caps=" + all));
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DamagedDirectory.class.getName(),
                folder.resolve(kind + "-image").toString(),
                folder.resolve(kind + "-unreadable").toString()));
        command.addAll(files);
        Path errors = folder.resolve(kind + "-errors");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(() -> read(errors)).isZero();
        // Lines of a log may come between.
        return output.lines()
                .filter(line -> files.contains(line.split("\t", 2)[0]))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
