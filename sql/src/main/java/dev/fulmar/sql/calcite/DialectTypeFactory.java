package dev.fulmar.sql.calcite;

import dev.fulmar.engine.spi.PlanningTurn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;

/** Types whose text is UTF-8. */
final class DialectTypeFactory extends JavaTypeFactoryImpl {
    DialectTypeFactory() {
        super(new DialectTypeSystem());
    }

    /** Rows have as many types as columns, and queries as many rows as steps: with them grows what planning takes. */
    @Override
    protected RelDataType canonize(RelDataType type) {
        PlanningTurn.goOn();
        return super.canonize(type);
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }
}
