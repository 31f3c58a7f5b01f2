package dev.fulmar.benchmarks.sqlcheck;

import java.util.ArrayList;
import java.util.List;

/** Columns that an expression may name: of the query itself, and of the queries around it. */
record Scope(List<Name> own, List<Name> outer) {
    /** A column as it is written. */
    record Name(String text, ValueType type) {}

    Scope {
        own = List.copyOf(own);
        outer = List.copyOf(outer);
    }

    static Scope empty() {
        return new Scope(List.of(), List.of());
    }

    /** Names that a subquery sees: those of its own tables and those of the queries around it. */
    List<Name> all() {
        List<Name> names = new ArrayList<>(own);
        names.addAll(outer);
        return names;
    }

    List<Name> of(ValueType type) {
        return own.stream().filter(name -> name.type() == type).toList();
    }

    List<Name> outerOf(ValueType type) {
        return outer.stream().filter(name -> name.type() == type).toList();
    }
}
