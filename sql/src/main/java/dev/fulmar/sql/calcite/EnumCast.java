package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.SchemaName;
import dev.fulmar.foundation.data.Enumeration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.jspecify.annotations.Nullable;

/** CAST to a type with labels: a call, so that no rule for texts takes it away. */
public final class EnumCast extends SqlFunction {
    private final transient Enumeration enumeration;

    EnumCast(Enumeration enumeration) {
        super(
                "#ENUM " + enumeration.id(),
                SqlKind.OTHER_FUNCTION,
                binding -> EnumType.of(binding.getTypeFactory(), enumeration, true),
                null,
                OperandTypes.ANY,
                SqlFunctionCategory.USER_DEFINED_FUNCTION);
        this.enumeration = enumeration;
    }

    /** The type to which it casts. */
    public Enumeration enumeration() {
        return enumeration;
    }

    /** The type of a parameter that it is given. */
    RelDataType parameter(RelDataTypeFactory types) {
        return EnumType.of(types, enumeration, true);
    }

    /** The casts to the types of a catalog. */
    static SqlOperatorTable table(Catalog catalog) {
        List<SqlOperator> operators = new ArrayList<>();
        catalog.enumerations().values().forEach(each -> operators.add(new EnumCast(each)));
        return SqlOperatorTables.of(operators);
    }

    /** The type that a CAST names; null if it is none with labels. */
    static @Nullable Enumeration named(SqlDataTypeSpec spec, Catalog catalog) {
        return spec.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec name
                ? catalog.enumerations().get(name(name.getTypeName()))
                : null;
    }

    private static String name(SqlIdentifier name) {
        boolean isOfPublic = name.names.size() == 2
                && name.names.getFirst().toUpperCase(Locale.ROOT).equals(SchemaName.PUBLIC);
        return isOfPublic ? name.names.getLast() : String.join(".", name.names);
    }
}
