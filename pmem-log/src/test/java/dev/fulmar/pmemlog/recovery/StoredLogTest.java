package dev.fulmar.pmemlog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import dev.fulmar.pmemlog.segment.SegmentNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Files of format version 1, which another program made by the tables in docs/OPERATION-LOG.md, can be read for ever.
 */
class StoredLogTest {
    private final Storage storage =
            new SimulatedWorld(1).startProcess(new NodeId(0)).storage();

    private void store(String resource, String name) throws IOException {
        try (InputStream stream = StoredLogTest.class.getResourceAsStream(resource);
                StorageFile file = storage.open(name)) {
            file.write(0, ByteBuffer.wrap(Objects.requireNonNull(stream).readAllBytes()));
        }
    }

    @Test
    void theStoredLogIsRead() throws IOException {
        store("log-v1-control.bin", SegmentNames.control("olog"));
        store("log-v1-segment.bin", SegmentNames.segment("olog", 1));
        LogScan scan = LogReader.scan(storage, "olog");
        assertThat(scan.verdict()).isInstanceOf(LogVerdict.Closed.class);
        assertThat(scan.remarks()).isEmpty();
        assertThat(scan.lastGroup()).isEqualTo(4);
        assertThat(scan.life()).isEqualTo(1);
        assertThat(scan.streams()).isEqualTo(Map.of(0, new StreamSummary(0, 2, 0), 4, new StreamSummary(0, 1, 0)));
        List<String> records = new ArrayList<>();
        scan.replay(
                stream -> true,
                (record, segment, offset) -> records.add(record.stream() + " " + record.sequence()
                        + " " + record.kind() + " " + record.clientId() + " " + record.requestId() + " "
                        + record.catalogVersion() + " " + record.procedureTimeMicros() + " " + record.commitTimestamp()
                        + " "
                        + record.digest() + " '" + new String(record.payload(), StandardCharsets.UTF_8) + "' in "
                        + segment));
        assertThat(records)
                .containsExactly(
                        "0 1 COMMAND 9 101 5 7 8 6 'first' in 1",
                        "4 1 VALUES 9 102 5 7 9 6 '' in 1",
                        "0 2 DECISION 9 103 5 7 10 6 'decided' in 1");
    }
}
