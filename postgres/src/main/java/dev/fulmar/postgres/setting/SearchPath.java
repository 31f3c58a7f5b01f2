package dev.fulmar.postgres.setting;

import dev.fulmar.engine.catalog.MirroredName;
import dev.fulmar.engine.catalog.SchemaName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads values of {@code search_path}: schemas in which plain names are looked for, one after another. */
public final class SearchPath {
    /** Each text of a session carries its path. */
    private static final int MOST_SCHEMAS = 32;

    private static final int MOST_CHARACTERS = 128;

    /** Schemas in which a client's plain names find nothing more: these come first, or are no tables' here. */
    private static final Set<String> ELSEWHERE = Set.of("$user", "pg_catalog", "pg_temp");

    private SearchPath() {}

    /** The schemas by the catalog's names; none if plain names are those of PUBLIC alone. */
    public static List<String> schemas(String value) {
        List<String> schemas = names(value).orElse(List.of()).stream()
                .filter(name -> !name.isEmpty() && !ELSEWHERE.contains(name))
                .map(MirroredName::of)
                .distinct()
                .toList();
        return schemas.equals(List.of(SchemaName.PUBLIC)) ? List.of() : schemas;
    }

    /** The reason why a value is none; empty if it is one. */
    static Optional<String> problem(String value) {
        List<String> names = names(value).orElse(null);
        if (names == null) {
            return Optional.of("it is a list of schemas with commas between them");
        }
        boolean isNone = names.equals(List.of("")); // as dumps have it, which name all schemas
        if (!isNone && ELSEWHERE.containsAll(names)) {
            return Optional.of("it has a schema for plain names, as public, or nothing");
        }
        if (names.getFirst().equals("pg_temp")) {
            return Optional.of("new tables are not temporary unless CREATE TEMPORARY TABLE says so");
        }
        if (names.size() > MOST_SCHEMAS || names.stream().anyMatch(name -> name.length() > MOST_CHARACTERS)) {
            return Optional.of("it has " + MOST_SCHEMAS + " schemas at most, and no longer names than there are");
        }
        boolean isOfNode = new TreeSet<>(names).stream().map(MirroredName::of).anyMatch(SearchPath::isOfNode);
        return isOfNode
                ? Optional.of("its schemas are those that CREATE SCHEMA makes; name others in statements")
                : Optional.empty();
    }

    private static boolean isOfNode(String schema) {
        return SchemaName.isTemporary(schema)
                || schema.equals(SchemaName.LOCKS)
                || schema.equals(SchemaName.INFORMATION)
                || schema.indexOf('.') >= 0;
    }

    /** The names as PostgreSQL folds them; empty if it is no list. */
    private static Optional<List<String>> names(String value) {
        List<String> names = new ArrayList<>();
        int place = 0;
        do {
            StringBuilder name = new StringBuilder();
            place = next(value, place, name);
            if (place < 0) {
                return Optional.empty();
            }
            names.add(name.toString());
            place++; // the comma
        } while (place <= value.length());
        return Optional.of(names);
    }

    /** Reads a name up to its comma, or the end; a place below 0 if it is none. */
    private static int next(String value, int start, StringBuilder name) {
        int place = start;
        while (place < value.length() && Character.isWhitespace(value.charAt(place))) {
            place++;
        }
        if (place < value.length() && value.charAt(place) == '"') {
            place = quoted(value, place + 1, name);
        } else {
            int end = value.indexOf(',', place);
            String plain =
                    value.substring(place, end < 0 ? value.length() : end).strip();
            name.append(plain.toLowerCase(Locale.ROOT));
            return plain.indexOf('"') >= 0 ? -1 : end < 0 ? value.length() : end;
        }
        while (place >= 0 && place < value.length() && Character.isWhitespace(value.charAt(place))) {
            place++;
        }
        return place < 0 || place == value.length() || value.charAt(place) == ',' ? place : -1;
    }

    /** Reads a name behind its quote; the place behind the closing quote, or below 0 if there is none. */
    private static int quoted(String value, int start, StringBuilder name) {
        for (int place = start; place < value.length(); place++) {
            if (value.charAt(place) != '"') {
                name.append(value.charAt(place));
            } else if (place + 1 < value.length() && value.charAt(place + 1) == '"') {
                name.append('"');
                place++;
            } else {
                return place + 1;
            }
        }
        return -1;
    }
}
