package dev.fulmar.postgres.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.FixedFacts;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ParameterFormsTest {
    /** A command of the session, for which the engine infers no types. */
    private static Translation bound(int oid, String array) {
        Translation translation = Translator.translate(
                new Translator.Part("DECLARE c CURSOR FOR SELECT * FROM t WHERE id = ANY($1)", 0), FixedFacts.OF_ANN);
        byte[][] values = {array.getBytes(StandardCharsets.UTF_8)};
        FrontendMessage.Bind bind = new FrontendMessage.Bind("", "", ValueFormats.TEXT, values, ValueFormats.TEXT);
        return ParameterForms.bound(translation, List.of(oid), List.of(), bind, ZoneOffset.UTC)
                .translation();
    }

    @Test
    void anArrayOfACursorHasTheTypeThatItsClientSays() {
        assertThat(bound(PostgresType.INT4.arrayOid(), "{1,2}").sql()).contains("id IN ( ?, ? )");
        assertThat(bound(PostgresType.INT4.arrayOid(), "{}").sql()).contains("CAST(NULL AS INTEGER)");
        assertThat(bound(PostgresType.NUMERIC.arrayOid(), "{1.5}").sql()).contains("id IN ( ? )");
    }

    private static @Nullable Object written(PostgresType type, ColumnType column, @Nullable String text) {
        Translation translation =
                Translator.translate(new Translator.Part("INSERT INTO t VALUES ($1)", 0), FixedFacts.OF_ANN);
        byte[] @Nullable [] values = {text == null ? null : text.getBytes(StandardCharsets.UTF_8)};
        FrontendMessage.Bind bind = new FrontendMessage.Bind("", "", ValueFormats.TEXT, values, ValueFormats.TEXT);
        byte[] list = ParameterForms.bound(translation, List.of(type.oid()), List.of(column), bind, ZoneOffset.UTC)
                .parameters();
        return new ParameterReader(1).wrap(list, 0, list.length).object(0);
    }

    /** PostgreSQL casts a bigint that is assigned to a column of texts. */
    @Test
    void aColumnOfTextsTakesTheDigitsOfANumber() {
        assertThat(written(PostgresType.INT8, ColumnType.varchar(20), "-77")).isEqualTo("-77");
        assertThat(written(PostgresType.NUMERIC, ColumnType.varchar(20), "6.50"))
                .isEqualTo("6.50");
        assertThat(written(PostgresType.INT4, ColumnType.varchar(20), null)).isNull();
        assertThat(written(PostgresType.INT4, ColumnType.of(TypeKind.BIGINT), "7"))
                .isEqualTo(7L);
    }

    @Test
    void anArrayWhoseTypeNothingTellsIsRefused() {
        for (int oid : new int[] {PostgresType.TEXT.oid(), PostgresType.BYTEA.arrayOid()}) {
            assertThatThrownBy(() -> bound(oid, "{1,2}"))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INDETERMINATE_TYPE));
        }
    }
}
