package dev.fulmar.coordinator.advisory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Sessions 1_A, 1_B and 2_C of two nodes, and locks 1, 2 and 3. */
class LockGraphTest {
    private final LockGraph graph = new LockGraph();

    private void has(String session, long number, boolean isShared) {
        graph.add(new LockGraph.Row(new AdvisoryKey(false, number), session, isShared, 0));
    }

    private void waits(String session, long number, boolean isShared, long sinceMicros) {
        graph.add(new LockGraph.Row(new AdvisoryKey(false, number), session, isShared, sinceMicros));
    }

    @Test
    void whoBeganToWaitLastGivesUp() {
        has("1_A", 1, false);
        has("2_C", 2, false);
        waits("1_A", 2, false, 50);
        waits("2_C", 1, false, 60);

        assertThat(graph.victim("1_A")).contains("2_C");
        assertThat(graph.victim("2_C")).contains("2_C");
    }

    @Test
    void ofTwoThatBeganTogetherOneGivesUp() {
        has("1_A", 1, false);
        has("2_C", 2, false);
        waits("1_A", 2, false, 50);
        waits("2_C", 1, false, 50);

        assertThat(graph.victim("1_A")).contains("2_C");
        assertThat(graph.victim("2_C")).contains("2_C");
    }

    @Test
    void aCycleMayHaveSeveralSessions() {
        has("1_A", 1, false);
        has("1_B", 2, true);
        has("2_C", 3, false);
        waits("1_A", 2, false, 70);
        waits("1_B", 3, false, 50);
        waits("2_C", 1, true, 60);

        assertThat(graph.victim("1_B")).contains("1_A");
    }

    /** Its own wait ends with theirs. */
    @Test
    void whoWaitsForACycleIsNotInIt() {
        has("1_A", 1, false);
        has("1_B", 2, false);
        waits("1_A", 2, false, 50);
        waits("1_B", 1, false, 60);
        waits("2_C", 1, false, 70);

        assertThat(graph.victim("2_C")).isEmpty();
        assertThat(graph.victim("1_A")).contains("1_B");
    }

    @Test
    void whoeverWaitsForNobodyOrSharesIsInNone() {
        has("1_A", 1, true);
        has("1_B", 2, true);
        waits("1_A", 2, true, 50);
        waits("1_B", 1, true, 60);

        assertThat(graph.victim("1_A")).isEmpty();
        assertThat(graph.victim("2_C")).isEmpty();
    }

    /** A shares lock 1 with C and wants it alone; B shares it too, and wants the same. */
    @Test
    void twoThatShareAndWantTheSameAlone() {
        has("1_A", 1, true);
        has("2_C", 1, true);
        waits("1_A", 1, false, 50);
        waits("2_C", 1, false, 60);

        assertThat(graph.victim("1_A")).contains("2_C");
    }

    /** B waits behind A, which waits for C, which waits for B. */
    @Test
    void thePlaceInAQueueCounts() {
        has("2_C", 1, true);
        has("1_B", 2, false);
        waits("1_A", 1, false, 50);
        waits("1_B", 1, true, 60);
        waits("2_C", 2, false, 70);

        assertThat(graph.victim("1_B")).contains("2_C");
    }
}
