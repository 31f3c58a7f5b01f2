package dev.fulmar.simulator.crash;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.catalog.View;
import dev.fulmar.foundation.data.Enumeration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a catalog. The plan of a query or a write depends on the parts that its text names, and on no other. A
 * part is tables and views that mention each other, directly or over others. Types, functions, schemas and sequences
 * are one part, which every text names. Any word of a text counts as a name, so a text may name more parts than its
 * plan needs, and never fewer. Immutable.
 */
final class CatalogParts {
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}_$#]+");

    /** In every text, and the only word of a name that has no other. */
    private static final String NO_WORD = "";

    /** The schema of tables whose rows are the catalog itself. */
    private static final String INFORMATION = "INFORMATION_SCHEMA";

    private static final String POSTGRES = "PG_";

    /** Begins a name that stands in a text in other characters. */
    private static final String ESCAPED = "U&\"";

    /** The number of a part with a view of the catalog itself. */
    private static final int UNKNOWN = -1;

    /** Numbers of parts by the words of the names in them. */
    private final Map<String, SortedSet<Integer>> parts = new HashMap<>();

    private final int rest;

    /** Objects on which the plan of any text may depend. Tables refer to sequences by number, which no text has. */
    private record Rest(
            SortedMap<String, ?> functions,
            SortedMap<String, Enumeration> enumerations,
            SortedSet<String> schemas,
            List<Table> sequences) {}

    /** @param words of its description, which has the names of all tables and views that it mentions */
    private record Described(String name, Object object, Set<String> words) {}

    /** @param number of a part, which is the same for equal ones */
    CatalogParts(Catalog catalog, ToIntFunction<Object> number) {
        List<Table> sequences =
                catalog.tables().values().stream().filter(Table::isSequence).toList();
        rest = number.applyAsInt(new Rest(catalog.functions(), catalog.enumerations(), catalog.schemas(), sequences));
        List<Described> objects = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            objects.add(new Described(table.name(), table, words(table.toString())));
        }
        for (View view : catalog.views().values()) {
            objects.add(new Described(view.name(), view, words(view.toString())));
        }
        for (SortedMap<String, Described> part : connected(objects)) {
            boolean isKnown = part.values().stream()
                    .allMatch(object -> object.words().stream().noneMatch(CatalogParts::isOfCatalog));
            int numbered = isKnown
                    ? number.applyAsInt(
                            part.values().stream().map(Described::object).toList())
                    : UNKNOWN;
            for (Described each : part.values()) {
                names(each)
                        .forEach(name -> wordsOfName(name)
                                .forEach(word -> parts.computeIfAbsent(word, any -> new TreeSet<>())
                                        .add(numbered)));
            }
        }
    }

    /** Plain names of a session with a path may be those of indexes. */
    private static List<String> names(Described object) {
        List<String> names = new ArrayList<>(List.of(object.name()));
        if (object.object() instanceof Table table) {
            table.indexes().forEach(index -> names.add(index.name()));
        }
        return names;
    }

    private static boolean isOfCatalog(String word) {
        return word.equals(INFORMATION) || word.startsWith(POSTGRES);
    }

    /** Each of them alone mentions the name. */
    private static Set<String> wordsOfName(String name) {
        Set<String> words = words(name);
        if (words.size() > 1) {
            words.remove(NO_WORD);
        }
        return words;
    }

    /** All words of the text in upper case, and one that every text has. */
    private static Set<String> words(String text) {
        Set<String> words = new HashSet<>(List.of(BETWEEN_WORDS.split(text.toUpperCase(Locale.ROOT))));
        words.add(NO_WORD);
        return words;
    }

    /**
     * Numbers of the parts that the text names, in their order. Null if it asks what is in the catalog, or has names
     * that are no words of it.
     */
    @Nullable List<Integer> named(String text) {
        if (text.toUpperCase(Locale.ROOT).contains(ESCAPED)) {
            return null;
        }
        Set<String> words = words(text);
        SortedSet<Integer> named = new TreeSet<>();
        for (String word : words) {
            if (isOfCatalog(word)) {
                return null;
            }
            SortedSet<Integer> found = parts.get(word);
            if (found != null) {
                named.addAll(found);
            }
        }
        named.add(rest);
        return named.contains(UNKNOWN) ? null : List.copyOf(named);
    }

    private static List<SortedMap<String, Described>> connected(List<Described> objects) {
        Map<String, List<Described>> byWord = new HashMap<>();
        for (Described object : objects) {
            wordsOfName(object.name())
                    .forEach(word -> byWord.computeIfAbsent(word, any -> new ArrayList<>())
                            .add(object));
        }
        Map<String, List<Described>> neighbours = new HashMap<>();
        for (Described object : objects) {
            for (String word : object.words()) {
                for (Described other : byWord.getOrDefault(word, List.of())) {
                    neighbours
                            .computeIfAbsent(object.name(), any -> new ArrayList<>())
                            .add(other);
                    neighbours
                            .computeIfAbsent(other.name(), any -> new ArrayList<>())
                            .add(object);
                }
            }
        }
        Set<String> placed = new HashSet<>();
        List<SortedMap<String, Described>> all = new ArrayList<>();
        for (Described object : objects) {
            if (placed.add(object.name())) {
                all.add(around(object, neighbours, placed));
            }
        }
        return all;
    }

    private static SortedMap<String, Described> around(
            Described first, Map<String, List<Described>> neighbours, Set<String> placed) {
        SortedMap<String, Described> part = new TreeMap<>(Map.of(first.name(), first));
        Deque<Described> open = new ArrayDeque<>(List.of(first));
        while (!open.isEmpty()) {
            for (Described next : neighbours.getOrDefault(open.remove().name(), List.of())) {
                if (placed.add(next.name())) {
                    part.put(next.name(), next);
                    open.add(next);
                }
            }
        }
        return part;
    }
}
