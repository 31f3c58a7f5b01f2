package dev.fulmar.coordinator.durability.recovery;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import java.util.List;

/** For catalogs of which no change that is told has a text. */
final class NoSql implements SqlFrontend {
    @Override
    public List<String> split(String script) {
        throw new IllegalStateException(script);
    }

    @Override
    public Compiled compile(String sql, Catalog catalog) {
        throw new IllegalStateException(sql);
    }
}
