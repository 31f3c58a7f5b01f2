package dev.fulmar.sql.calcite;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;

/** Types whose text is UTF-8. */
final class DialectTypeFactory extends JavaTypeFactoryImpl {
    DialectTypeFactory() {
        super(new DialectTypeSystem());
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }
}
