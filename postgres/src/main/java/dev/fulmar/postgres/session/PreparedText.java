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
 * @param path schemas of the session's plain names when it was described
 * @param before parts of the statement that are executed before the translated one, in silence
 */
record PreparedText(
        Translation translation,
        List<Integer> parameterTypes,
        StatementDescription description,
        boolean isEmpty,
        List<String> path,
        List<Translator.Part> before) {
    PreparedText {
        parameterTypes = List.copyOf(parameterTypes);
        path = List.copyOf(path);
        before = List.copyOf(before);
    }

    PreparedText(
            Translation translation,
            List<Integer> parameterTypes,
            StatementDescription description,
            boolean isEmpty,
            List<String> path) {
        this(translation, parameterTypes, description, isEmpty, path, List.of());
    }

    /** The same statement as another version of the catalog, or another path, describes it. */
    PreparedText with(StatementDescription other, List<String> otherPath) {
        return new PreparedText(translation, parameterTypes, other, isEmpty, otherPath, before);
    }

    /** The same statement with a parameter for each element of its arrays. */
    PreparedText with(Translation expanded) {
        return new PreparedText(expanded, parameterTypes, description, isEmpty, path, before);
    }

    boolean yieldsRows() {
        return !description.columns().isEmpty();
    }
}
