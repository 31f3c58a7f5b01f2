package dev.fulmar.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors of constraints name their objects in fields of their own. */
class ErrorObjectTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "UNIQUE_VIOLATION|table GUEST has a row with (ID = 1) already, and primary key GUEST_PRIMARY_KEY allows one|public|guest|-|guest_primary_key",
                "UNIQUE_VIOLATION|table SHOP.ITEM has a row with (N = ', and') already, and unique index \"Own\" allows one|shop|item|-|Own",
                "UNIQUE_VIOLATION|table PG_TEMP_1_0123456789ABCDEF.T has a row with (N = 1) already, and unique index PG_TEMP_1_0123456789ABCDEF.ONCE allows one|pg_temp_1_0123456789abcdef|t|-|once",
                "UNIQUE_VIOLATION|table SHOP.ITEM has a row with (N = 1) already, and primary key SHOP.ITEM_PKEY allows one|shop|item|-|item_pkey",
                "CHECK_VIOLATION|a row of GUEST breaks the constraint OLD: AGE > 17|public|guest|-|old",
                "FOREIGN_KEY_VIOLATION|a row of STAY with (G = 7) refers by OF_GUEST to a row of GUEST that is not there|public|stay|-|of_guest",
                "FOREIGN_KEY_VIOLATION|a row of STAY refers by OF_GUEST to a row of GUEST that is not there|public|stay|-|of_guest",
                "FOREIGN_KEY_VIOLATION|a row of GUEST is referred to by a row of STAY (OF_GUEST)|public|stay|-|of_guest",
                "NOT_NULL_VIOLATION|column NAME of GUEST is NOT NULL and takes no NULL|public|guest|name|-",
                "DIVISION_BY_ZERO|column NAME of GUEST is NOT NULL and takes no NULL|-|-|-|-"
            })
    void namesItsObjects(
            ErrorCode code, String message, String schema, String table, String column, String constraint) {
        assertThat(ErrorObject.of(code, message)).isEqualTo(new ErrorObject(schema, table, column, constraint));
    }
}
