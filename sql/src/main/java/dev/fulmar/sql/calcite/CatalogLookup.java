package dev.fulmar.sql.calcite;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** A function whose values the catalog says: of a number, a text; of a text, a number. Null for what it has not. */
public final class CatalogLookup extends SqlFunction {
    private final Supplier<? extends Map<?, ?>> values;

    private CatalogLookup(String name, boolean isOfText, Supplier<? extends Map<?, ?>> values) {
        super(
                name,
                SqlKind.OTHER_FUNCTION,
                isOfText
                        ? ReturnTypes.INTEGER.andThen(org.apache.calcite.sql.type.SqlTypeTransforms.FORCE_NULLABLE)
                        : DialectFunctions.TEXT_OR_NULL,
                null,
                OperandTypes.family(isOfText ? SqlTypeFamily.CHARACTER : SqlTypeFamily.NUMERIC),
                SqlFunctionCategory.SYSTEM);
        this.values = values;
    }

    static CatalogLookup ofNumber(String name, Supplier<Map<Long, String>> values) {
        return new CatalogLookup(name, false, values);
    }

    static CatalogLookup ofText(String name, Supplier<Map<String, Long>> values) {
        return new CatalogLookup(name, true, values);
    }

    /** All that the catalog has. */
    public Map<?, ?> values() {
        return values.get();
    }
}
