package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A type whose values are labels in an order that is declared. A value is held as the code of its label. Invariants:
 * codes have the order of their labels, and the code of a label never changes, so that what is stored stays right.
 * Immutable.
 */
public final class Enumeration {
    /** Most labels of a type. */
    public static final int MOST_LABELS = 10_000;

    /** Most bytes of a label, as PostgreSQL has it. */
    public static final int MOST_LABEL_BYTES = 63;

    /** Distance of codes whose labels are declared together or added at an end: there is room for more between. */
    static final long GAP = 1L << 40;

    private final int id;
    private final String name;
    private final List<Value> values;
    private final Map<String, Long> codes = new HashMap<>();
    private final long[] ordered;
    private final byte[][] labels;
    private final String fingerprint;

    /** A label with its code. */
    public record Value(long code, String label) {}

    private Enumeration(int id, String name, List<Value> values) {
        this.id = id;
        this.name = name;
        this.values = List.copyOf(values);
        ordered = new long[values.size()];
        labels = new byte[ordered.length][];
        for (int i = 0; i < ordered.length; i++) {
            Value value = values.get(i);
            ordered[i] = value.code();
            labels[i] = value.label().getBytes(StandardCharsets.UTF_8);
            check(value.label(), labels[i].length);
            if (codes.put(value.label(), value.code()) != null) {
                throw exists(value.label());
            }
        }
        if (ordered.length > MOST_LABELS) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "type " + name + " would have " + ordered.length + " labels and may have " + MOST_LABELS
                            + "; keep so many in a table, with a foreign key to it");
        }
        fingerprint = fingerprint(name, values);
    }

    private static String fingerprint(String name, List<Value> values) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(name.getBytes(StandardCharsets.UTF_8));
            for (Value value : values) {
                digest.update((" " + value.code() + " " + value.label().length() + " " + value.label())
                        .getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A text that no other type has, nor this one with other labels. */
    public String fingerprint() {
        return fingerprint;
    }

    /**
     * A new type.
     *
     * @param id unique in the database among tables, indexes and types, and never reused
     * @param name as the catalog has it
     * @param labels in their order; there may be none
     */
    public static Enumeration of(int id, String name, List<String> labels) {
        List<Value> values = new ArrayList<>();
        for (String label : labels) {
            values.add(new Value((values.size() + 1) * GAP, label));
        }
        return new Enumeration(id, name, values);
    }

    private void check(String label, int bytes) {
        if (bytes > MOST_LABEL_BYTES) {
            throw new FulmarException(
                    ErrorCode.INVALID_ARGUMENT,
                    "invalid enum label \"" + label + "\" of " + name + ": it has " + bytes + " bytes and may have "
                            + MOST_LABEL_BYTES + "; choose a shorter one");
        }
    }

    private FulmarException exists(String label) {
        return new FulmarException(
                ErrorCode.OBJECT_EXISTS, "enum label \"" + label + "\" of " + name + " already exists; say it once");
    }

    /** Unique in the database among tables, indexes and types, and never reused. */
    public int id() {
        return id;
    }

    /** The name as the catalog has it. */
    public String name() {
        return name;
    }

    /** The labels with their codes, in order. */
    public List<Value> values() {
        return values;
    }

    /** The code of the label; empty if there is no such label. */
    public OptionalLong find(String label) {
        Long code = codes.get(label);
        return code == null ? OptionalLong.empty() : OptionalLong.of(code);
    }

    /** The code of the label; an error that names the type if there is none. */
    public long code(String label) {
        Long code = codes.get(label);
        if (code == null) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "invalid input value for enum " + shownName() + ": \"" + label
                            + "\"; write one of its labels as it was declared");
        }
        return code;
    }

    /** The label of the code in UTF-8, which is not to be changed. */
    public byte[] label(long code) {
        int place = Arrays.binarySearch(ordered, code);
        if (place < 0) {
            throw new FulmarException(
                    ErrorCode.CATALOG_CHANGED,
                    "no label of type " + shownName() + " has the code " + code
                            + ", for the type has changed meanwhile; run the statement again");
        }
        return labels[place];
    }

    /** The label of the code. */
    public String text(long code) {
        return new String(label(code), StandardCharsets.UTF_8);
    }

    /** The place of the label in the order, from 0, or -1. */
    private int place(String label) {
        Long code = codes.get(label);
        return code == null ? -1 : Arrays.binarySearch(ordered, code);
    }

    /** The same with one more label, behind all others. */
    public Enumeration with(String label) {
        return with(label, values.size());
    }

    /** The same with one more label, next to another one. */
    public Enumeration with(String label, String neighbour, boolean isBefore) {
        int place = place(neighbour);
        if (place < 0) {
            throw noLabel(neighbour);
        }
        return with(label, isBefore ? place : place + 1);
    }

    private Enumeration with(String label, int place) {
        if (codes.containsKey(label)) {
            throw exists(label);
        }
        List<Value> changed = new ArrayList<>(values);
        changed.add(place, new Value(codeAt(place), label));
        return new Enumeration(id, name, changed);
    }

    /** A code for a label that comes to the place. */
    private long codeAt(int place) {
        long code;
        if (ordered.length == 0) {
            return GAP;
        } else if (place == 0) {
            code = ordered[0] - GAP;
        } else if (place == ordered.length) {
            code = ordered[place - 1] + GAP;
        } else {
            code = ordered[place - 1] + (ordered[place] - ordered[place - 1]) / 2;
            if (code == ordered[place - 1]) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED,
                        "between \"" + values.get(place - 1).label() + "\" and \""
                                + values.get(place).label() + "\" of " + shownName()
                                + " there is no place for one more label; make another type with all of them");
            }
        }
        return code;
    }

    /** The same with another word for a label. */
    public Enumeration renamed(String label, String other) {
        int place = place(label);
        if (place < 0) {
            throw noLabel(label);
        }
        List<Value> changed = new ArrayList<>(values);
        changed.set(place, new Value(ordered[place], other));
        return new Enumeration(id, name, changed);
    }

    private FulmarException noLabel(String label) {
        return new FulmarException(
                ErrorCode.INVALID_ARGUMENT,
                "\"" + label + "\" is not an existing enum label of " + shownName()
                        + "; write one of its labels as it was declared");
    }

    /** The name as messages have it: as PostgreSQL's clients write it. */
    private String shownName() {
        return sqlName().indexOf('"') < 0 ? name.toLowerCase(Locale.ROOT) : name;
    }

    /** The name as SQL writes it. */
    public String sqlName() {
        int dot = name.indexOf('.');
        return dot < 0 ? quoted(name) : quoted(name.substring(0, dot)) + "." + quoted(name.substring(dot + 1));
    }

    private static String quoted(String part) {
        boolean isPlain = !part.isEmpty()
                && (Character.isLetter(part.charAt(0)) || part.charAt(0) == '_')
                && part.chars()
                        .allMatch(c -> c < 128 && (Character.isUpperCase(c) || Character.isDigit(c) || c == '_'));
        return isPlain ? part : "\"" + part.replace("\"", "\"\"") + "\"";
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Enumeration same
                        && id == same.id
                        && name.equals(same.name)
                        && values.equals(same.values));
    }

    @Override
    public int hashCode() {
        return id;
    }

    @Override
    public String toString() {
        return sqlName();
    }
}
