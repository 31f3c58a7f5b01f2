package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import java.util.List;

/**
 * A statement that a client has prepared.
 *
 * @param parameterTypes OIDs of the client's parameters
 * @param description of the translated statement; that of an empty one for a command of the session
 * @param before parts of the statement that are executed before the translated one, in silence
 */
record PreparedText(
        Translation translation,
        List<Integer> parameterTypes,
        StatementDescription description,
        boolean isEmpty,
        List<Translator.Part> before) {
    PreparedText {
        parameterTypes = List.copyOf(parameterTypes);
        before = List.copyOf(before);
    }

    PreparedText(
            Translation translation, List<Integer> parameterTypes, StatementDescription description, boolean isEmpty) {
        this(translation, parameterTypes, description, isEmpty, List.of());
    }

    /** The same statement as another version of the catalog describes it. */
    PreparedText with(StatementDescription other) {
        return new PreparedText(translation, parameterTypes, other, isEmpty, before);
    }

    /** The same statement with a parameter for each element of its arrays. */
    PreparedText with(Translation expanded) {
        return new PreparedText(expanded, parameterTypes, description, isEmpty, before);
    }

    boolean yieldsRows() {
        return !description.columns().isEmpty();
    }
}
