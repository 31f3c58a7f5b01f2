package dev.fulmar.benchmarks.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times and rows of files that go into tables. */
class BulkTimeTest {
    @Test
    void theMedianIsThatOfItsWay() {
        List<BulkTime> times = List.of(
                new BulkTime(BulkWay.FULMAR_COPY, 1, 5),
                new BulkTime(BulkWay.FULMAR_LOAD, 1, 50),
                new BulkTime(BulkWay.FULMAR_COPY, 2, 1),
                new BulkTime(BulkWay.FULMAR_COPY, 3, 3));
        assertThat(BulkTime.median(times, BulkWay.FULMAR_COPY)).isEqualTo(3);
        assertThatThrownBy(() -> BulkTime.median(times, BulkWay.POSTGRESQL_COPY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rowsAreWhatTheirReadersExpect(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("items.csv");
        BulkRows.items(file, 1_100);
        assertThat(Files.readAllLines(file))
                .hasSize(1_101)
                .element(1_100)
                .asString()
                .startsWith("1099,99,1099.99,");
        assertThat(BulkRows.kinds(1_100)).isEqualTo(999 * 500 + 99 * 50);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BulkRows.documents(out, 28);
        String[] rows = out.toString(StandardCharsets.US_ASCII).split("\n");
        assertThat(rows).hasSize(28);
        assertThat(rows[27]).isEqualTo("27\t27\t" + BulkRows.body(27));
        assertThat(BulkRows.body(27)).hasSize(BulkRows.BODY).containsOnlyOnce("bbbbbbbb".repeat(125));
    }
}
