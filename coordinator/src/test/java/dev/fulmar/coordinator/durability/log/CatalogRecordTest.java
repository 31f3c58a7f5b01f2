package dev.fulmar.coordinator.durability.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.foundation.error.FulmarException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How logs and checkpoints keep changes of the catalog: version 1 of each kind, which must stay readable. */
class CatalogRecordTest {
    private static final String DROP_ROLE = "44524f5020524f4c4520225222";
    private static final CatalogEntry.Access ACCESS = new CatalogEntry.Access("DROP ROLE \"R\"");

    private static Stream<Arguments> stored() {
        return Stream.of(
                Arguments.of(new CatalogEntry.Statement("DROP ROLE \"R\""), "0700000001" + DROP_ROLE),
                Arguments.of(ACCESS, "0700000003" + DROP_ROLE),
                Arguments.of(
                        ACCESS.askedUnder(new ChangeHandle(0x1122334455667788L, 9)),
                        "0700000004" + "8877665544332211" + "0900000000000000" + "03" + DROP_ROLE));
    }

    @ParameterizedTest
    @MethodSource("stored")
    void theFormIsTheStoredOne(CatalogEntry entry, String stored) {
        assertThat(HexFormat.of().formatHex(CatalogRecord.of(7, entry))).isEqualTo(stored);
        assertThat(CatalogRecord.entry(HexFormat.of().parseHex(stored))).isEqualTo(entry);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0700000004",
                "07000000041122",
                "0700000009",
                "0700000004" + "8877665544332211" + "0900000000000000" + "04"
            })
    void whatIsNoneIsRefused(String stored) {
        assertThatThrownBy(() -> CatalogRecord.entry(HexFormat.of().parseHex(stored)))
                .isInstanceOf(FulmarException.class);
    }

    @Test
    void itIsShownToNobody() {
        assertThat(ACCESS.toString()).doesNotContain("DROP");
    }
}
