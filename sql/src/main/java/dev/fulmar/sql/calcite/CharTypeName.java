package dev.fulmar.sql.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;

/** CHAR(n) as a CAST names it. */
final class CharTypeName extends SqlBasicTypeNameSpec {
    CharTypeName(SqlBasicTypeNameSpec written) {
        super(SqlTypeName.CHAR, written.getPrecision(), written.getParserPos());
    }

    /** CHAR alone has one character (ISO 9075-2, 6.1). */
    @Override
    public RelDataType deriveType(SqlValidator validator) {
        RelDataType written = super.deriveType(validator);
        return CharType.of(validator.getTypeFactory(), Math.max(1, written.getPrecision()), written.isNullable());
    }
}
