package dev.fulmar.coordinator.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEntry;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** How checkpoints keep a change of users, roles or rights: version 1 of it, which must stay readable. */
class KeptAccessChangeTest {
    @Test
    void theFormIsTheStoredOne() {
        byte[] kept = CatalogHistory.kept(7, new CatalogEntry.Access("DROP ROLE \"R\""));
        assertThat(HexFormat.of().formatHex(kept)).isEqualTo("0700000003" + "44524f5020524f4c4520225222");
    }

    @Test
    void itIsShownToNobody() {
        assertThat(new CatalogEntry.Access("DROP ROLE \"R\"").toString()).doesNotContain("DROP");
    }
}
