package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CatalogKnowledgeTest {
    private static final String OLD = "table OLD";
    private static final String NEW = "table NEW";

    private final CatalogKnowledge knowledge = new CatalogKnowledge();

    private List<String> contradictions(String... found) {
        return knowledge.contradictions(new TreeSet<>(Set.of(OLD)), new TreeSet<>(Set.of(found)));
    }

    @Test
    void whatWasAcknowledgedIsThere() {
        knowledge.begin(List.of(NEW), List.of()).done();

        assertThat(knowledge.isThere(NEW)).isTrue();
        assertThat(contradictions(OLD, NEW)).isEmpty();
        assertThat(contradictions(OLD)).containsExactly(NEW + " was acknowledged and is not there");
    }

    @Test
    void whatWasRefusedIsNot() {
        knowledge.begin(List.of(NEW), List.of()).refused();

        assertThat(contradictions(OLD)).isEmpty();
        assertThat(contradictions(OLD, NEW)).containsExactly(NEW + " is there, which was refused or dropped");
    }

    @Test
    void whatHasNoKnownOutcomeMayBeThereOrNot() {
        knowledge.begin(List.of(NEW), List.of());

        assertThat(knowledge.isThere(NEW)).isFalse();
        assertThat(contradictions(OLD)).isEmpty();
        assertThat(contradictions(OLD, NEW)).isEmpty();
    }

    @Test
    void whatWasDroppedIsGoneUnlessThatWasRefused() {
        knowledge.begin(List.of(NEW), List.of()).done();
        knowledge.begin(List.of(), List.of(NEW)).refused();
        assertThat(contradictions(OLD, NEW)).isEmpty();

        knowledge.begin(List.of(), List.of(NEW)).done();
        assertThat(contradictions(OLD, NEW)).hasSize(1);
        assertThat(contradictions(OLD)).isEmpty();
    }

    @Test
    void nothingComesOrGoesByItself() {
        assertThat(contradictions()).containsExactly(OLD + " is gone, which nobody dropped");
        assertThat(contradictions(OLD, NEW)).containsExactly(NEW + " is there, which nobody made");
    }
}
