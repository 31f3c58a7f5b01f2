package dev.fulmar.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CsvReaderTest {
    private static List<List<@Nullable String>> read(String text) throws IOException {
        CsvReader reader = new CsvReader(new StringReader(text), ',');
        List<List<@Nullable String>> records = new ArrayList<>();
        List<@Nullable String> record = reader.next();
        while (record != null) {
            records.add(record);
            record = reader.next();
        }
        return records;
    }

    @Test
    void fieldsAreQuotedOrNot() throws IOException {
        assertThat(read("a,\"b,\"\"c\"\"\nd\",e\r\n1,,\"\"\n\n2, x ,\n"))
                .containsExactly(
                        Arrays.asList("a", "b,\"c\"\nd", "e"),
                        Arrays.asList("1", null, ""),
                        Arrays.asList("2", " x ", null));
        assertThat(read("\uFEFFa\n")).containsExactly(List.of("a"));
        assertThat(read("")).isEmpty();
        assertThat(read("a,b")).containsExactly(List.of("a", "b"));
    }

    @Test
    void aRecordIsKnownByItsTextAndLine() throws IOException {
        CsvReader reader = new CsvReader(new StringReader("a\n\"x\ny\",1\nlast,2\n"), ',');
        reader.next();
        reader.next();
        assertThat(reader.text()).isEqualTo("\"x\ny\",1");
        assertThat(reader.line()).isEqualTo(2);
        reader.next();
        assertThat(reader.line()).isEqualTo(4);
    }

    @Test
    void whatIsNoCsvIsRefused() {
        assertThatThrownBy(() -> read("a,\"b")).isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> read("\"a\"b,c\n"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT));
    }

    @Test
    void fieldsBecomeValuesOfTheirColumn() {
        assertThat(CsvText.value(null, ColumnType.of(TypeKind.BIGINT))).isNull();
        assertThat(CsvText.value("", ColumnType.varchar(5))).isEqualTo("");
        assertThat(CsvText.value(" 7", ColumnType.of(TypeKind.INTEGER))).isEqualTo(7L);
        assertThat(CsvText.value("1.50", ColumnType.decimal(5, 2))).isEqualTo(new BigDecimal("1.50"));
        assertThat(CsvText.value("2024-02-29 12:00:01.5", ColumnType.of(TypeKind.TIMESTAMP)))
                .isEqualTo(LocalDateTime.of(2024, 2, 29, 12, 0, 1, 500_000_000));
        assertThat(CsvText.value("cafe", new ColumnType(TypeKind.VARBINARY, 8, 0)))
                .isEqualTo(new byte[] {(byte) 0xCA, (byte) 0xFE});
        assertThatThrownBy(() -> CsvText.value("x", ColumnType.of(TypeKind.BOOLEAN)))
                .isInstanceOf(FulmarException.class);
        assertThatThrownBy(() -> CsvText.value("2024-02-30", ColumnType.of(TypeKind.DATE)))
                .isInstanceOf(FulmarException.class);
    }
}
