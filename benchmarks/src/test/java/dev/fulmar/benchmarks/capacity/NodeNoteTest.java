package dev.fulmar.benchmarks.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeNoteTest {
    @Test
    void notesAreFoundAmongOtherLines() {
        NodeNote freeze = new NodeNote(NodeNote.Kind.FROZEN, "site 1", 123_456_789_012L, 5_000_000);

        List<NodeNote> found = NodeNote.in(List.of(
                "10:16:19.455 INFO  FulmarNode: the reconfiguration is RUNNING",
                freeze.line(),
                "emulated-capacity WORKED site-0 671", // the node ended in the midst of it
                ""));

        assertThat(found).containsExactly(new NodeNote(NodeNote.Kind.FROZEN, "site-1", 123_456_789_012L, 5_000_000));
    }
}
