package dev.fulmar.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarNamesTest {
    @ParameterizedTest
    @CsvSource({
        "NME, NAME", // a letter left out
        "NAMEE, NAME", // one too many
        "NAMW, NAME", // another one
        "NMAE, NAME", // two in the wrong order
        "name, NAME", // case only
        "CUSTMOERID, CUSTOMER_ID",
        "CUSTOMRE_IDS, CUSTOMER_ID",
    })
    void aTypingErrorIsFound(String wrong, String meant) {
        assertThat(SimilarNames.nearest(wrong, List.of("AMOUNT", "CUSTOMER_ID", "NAME")))
                .contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"ID, IT", "A, B", "AB, BA", "NAME, GAZE", "PRICE, PLACE", "CUSTOMER, ORDER_LINE", "'', A"})
    void anotherNameIsNoTypingError(String wrong, String other) {
        assertThat(SimilarNames.nearest(wrong, List.of(other))).isEmpty();
    }

    @Test
    void theNearestIsFoundAndOfEquallyNearOnesTheFirst() {
        assertThat(SimilarNames.nearest("ORDERZ", List.of("ORDAR", "ORDERS"))).contains("ORDERS");
        assertThat(SimilarNames.nearest("ITEMX", List.of("ITEMB", "ITEMA"))).contains("ITEMB");
    }

    @Test
    void theNameItselfIsNoOther() {
        assertThat(SimilarNames.nearest("NAME", List.of("NAME"))).isEmpty();
        assertThat(SimilarNames.nearest("NAME", List.of("NAME", "NAMES"))).contains("NAMES");
        assertThat(SimilarNames.nearest("NAME", Collections.emptyList())).isEmpty();
    }

    @Test
    void theHintWritesTheNameAsAStatementMust() {
        List<String> names = List.of("ORDERS", "Mixed", "two words", "SALES.ITEM", "Q\"Q\"Q", "1ST_ROW");
        assertThat(SimilarNames.hint("ORDRES", names, "; none")).isEqualTo("; did you mean ORDERS?");
        assertThat(SimilarNames.hint("MIXED", names, "; none")).isEqualTo("; did you mean \"Mixed\"?");
        assertThat(SimilarNames.hint("TWO_WORDS", names, "; none")).isEqualTo("; did you mean \"two words\"?");
        assertThat(SimilarNames.hint("SALES.ITEMS", names, "; none")).isEqualTo("; did you mean SALES.ITEM?");
        assertThat(SimilarNames.hint("1ST_ROV", names, "; none")).isEqualTo("; did you mean \"1ST_ROW\"?");
        assertThat(SimilarNames.hint("ELSEWHERE", names, "; none")).isEqualTo("; none");
        assertThat(SimilarNames.written("Q\"Q")).isEqualTo("\"Q\"\"Q\"");
    }
}
