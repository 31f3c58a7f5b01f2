package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A piece of a statement with the pieces that may replace it.
 *
 * @param kind phrases of one kind are exchangeable as far as grammar goes; empty for those that are not
 * @param optional whether the statement may do without
 * @param separator between the parts
 * @param parts strings and phrases
 */
record Phrase(String kind, boolean optional, String separator, List<Object> parts) {
    private static final Phrase NOTHING = new Phrase("", false, " ", List.of());

    Phrase {
        parts = List.copyOf(parts);
    }

    static Phrase of(String kind, Object... parts) {
        return new Phrase(kind, false, " ", Arrays.asList(parts));
    }

    static Phrase of(ValueType type, Object... parts) {
        return of(type.name(), parts);
    }

    /** A part that can be left out. */
    static Phrase clause(Object... parts) {
        return new Phrase("", true, " ", Arrays.asList(parts));
    }

    /** Items, each of which can be left out. */
    static Phrase list(List<Phrase> items) {
        return new Phrase(
                "", false, ", ", items.stream().<Object>map(Phrase::clause).toList());
    }

    String text() {
        return parts.stream()
                .map(part -> part instanceof Phrase phrase ? phrase.text() : (String) part)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(separator));
    }

    /** The phrase with one part simpler, in every way; the largest cuts come first. */
    List<Phrase> simpler() {
        List<Phrase> all = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Phrase part) {
                for (Phrase replacement : replacements(part)) {
                    all.add(with(i, replacement));
                }
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) instanceof Phrase part) {
                for (Phrase smaller : part.simpler()) {
                    all.add(with(i, smaller));
                }
            }
        }
        return all;
    }

    private static List<Phrase> replacements(Phrase part) {
        List<Phrase> found = new ArrayList<>();
        if (part.optional) {
            found.add(NOTHING);
        }
        if (!part.kind.isEmpty()) {
            for (ValueType type : ValueType.values()) {
                if (type.name().equals(part.kind) && part.parts.size() > 1) {
                    found.add(of(type, type.simplestLiteral()));
                }
            }
            collect(part, part.kind, found);
        }
        return found;
    }

    private static void collect(Phrase phrase, String kind, List<Phrase> found) {
        for (Object part : phrase.parts) {
            if (part instanceof Phrase child) {
                if (child.kind.equals(kind)) {
                    found.add(child);
                } else {
                    collect(child, kind, found);
                }
            }
        }
    }

    private Phrase with(int position, Phrase part) {
        List<Object> changed = new ArrayList<>(parts);
        changed.set(position, part);
        return new Phrase(kind, optional, separator, changed);
    }
}
