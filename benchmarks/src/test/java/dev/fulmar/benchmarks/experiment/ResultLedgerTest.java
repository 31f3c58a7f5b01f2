package dev.fulmar.benchmarks.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultLedgerTest {
    @TempDir
    private Path directory;

    private ResultLedger ledger(String way) throws IOException {
        return new ResultLedger(directory, "any", way, 2);
    }

    @Test
    void resultsOfTheSameWayAreReadLater() throws IOException {
        ledger("code 1").add(List.of("a", "with\ta tab\nand a line"));
        ledger("code 2").add(List.of("b", "other"));
        assertThat(ledger("code 1").lines()).containsExactly(List.of("a", "with a tab and a line"));
    }

    @Test
    void aTornLineCostsNoLaterOne() throws IOException {
        Files.writeString(directory.resolve("any.tsv"), "code 1\ta\tto", StandardOpenOption.CREATE);
        ledger("code 1").add(List.of("b", "later"));
        assertThat(ledger("code 1").lines()).containsExactly(List.of("b", "later"));
    }

    @Test
    void aResultHasAllItsColumns() throws IOException {
        ResultLedger ledger = ledger("code 1");
        assertThatThrownBy(() -> ledger.add(List.of("a"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutADirectoryNothingIsKept() throws IOException {
        ResultLedger ledger = new ResultLedger(null, "any", "code 1", 1);
        ledger.add(List.of("a"));
        assertThat(ledger.lines()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }
}
