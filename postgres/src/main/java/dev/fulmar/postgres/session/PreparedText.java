package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.dialect.Translator;
import dev.fulmar.postgres.with.WithPlan;
import java.util.List;
import java.util.Optional;

/**
 * A statement that a client has prepared.
 *
 * @param parameterTypes OIDs of the client's parameters
 * @param description of the translated statement; that of an empty one for a command of the session
 * @param path schemas of the session's plain names when it was described
 * @param before parts of the statement that are executed before the translated one, in silence
 * @param parts of a statement that begins with WITH and changes rows; the translated one is the last of these
 */
record PreparedText(
        Translation translation,
        List<Integer> parameterTypes,
        StatementDescription description,
        boolean isEmpty,
        List<String> path,
        List<Translator.Part> before,
        Optional<WithPlan> parts) {
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
        this(translation, parameterTypes, description, isEmpty, path, List.of(), Optional.empty());
    }

    /** A statement of several parts, with the whole text of the client. */
    static PreparedText ofParts(String source, WithPlan plan, List<String> path) {
        return new PreparedText(
                plan.main().writtenAs(source),
                plan.parameterTypes(),
                plan.description(),
                false,
                path,
                List.of(),
                Optional.of(plan));
    }

    /** The same statement as another version of the catalog, or another path, describes it. */
    PreparedText with(StatementDescription other, List<String> otherPath) {
        return new PreparedText(translation, parameterTypes, other, isEmpty, otherPath, before, parts);
    }

    /** The same statement with a parameter for each element of its arrays. */
    PreparedText with(Translation expanded) {
        return new PreparedText(expanded, parameterTypes, description, isEmpty, path, before, parts);
    }

    boolean yieldsRows() {
        return !description.columns().isEmpty();
    }
}
