package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.postgres.dialect.Translation;
import java.util.List;

/**
 * A statement that a client has prepared.
 *
 * @param parameterTypes OIDs of the client's parameters
 * @param description of the translated statement; that of an empty one for a command of the session
 */
record PreparedText(
        Translation translation, List<Integer> parameterTypes, StatementDescription description, boolean isEmpty) {
    PreparedText {
        parameterTypes = List.copyOf(parameterTypes);
    }

    /** The same statement as another version of the catalog describes it. */
    PreparedText with(StatementDescription other) {
        return new PreparedText(translation, parameterTypes, other, isEmpty);
    }

    /** The same statement with a parameter for each element of its arrays. */
    PreparedText with(Translation expanded) {
        return new PreparedText(expanded, parameterTypes, description, isEmpty);
    }

    boolean yieldsRows() {
        return !description.columns().isEmpty();
    }
}
