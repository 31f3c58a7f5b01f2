package dev.fulmar.foundation.data;

import java.util.Optional;

/**
 * A column of a result.
 *
 * @param origin where its values come from, if the statement's plan tells it; results that are sent do not
 */
public record ResultColumn(String name, ColumnType type, boolean nullable, Optional<ColumnOrigin> origin) {
    public ResultColumn(String name, ColumnType type, boolean nullable) {
        this(name, type, nullable, Optional.empty());
    }
}
