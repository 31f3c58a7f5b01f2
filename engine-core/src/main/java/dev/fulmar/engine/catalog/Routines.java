package dev.fulmar.engine.catalog;

import dev.fulmar.engine.userfunction.UserFunction;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The procedures and functions of a catalog, by name in upper case. Invariant: no function has the name of a procedure,
 * so that one right to execute means one of them. Immutable.
 */
record Routines(SortedMap<String, ProcedureDefinition> procedures, SortedMap<String, UserFunction> functions) {
    static final Routines NONE = new Routines(Collections.emptySortedMap(), Collections.emptySortedMap());

    Routines {
        procedures = Collections.unmodifiableSortedMap(procedures);
        functions = Collections.unmodifiableSortedMap(functions);
    }

    Routines with(ProcedureDefinition procedure) {
        TreeMap<String, ProcedureDefinition> changed = new TreeMap<>(procedures);
        changed.put(procedure.name().toUpperCase(Locale.ROOT), procedure);
        return new Routines(changed, functions);
    }

    Routines withoutProcedure(String key) {
        TreeMap<String, ProcedureDefinition> changed = new TreeMap<>(procedures);
        changed.remove(key);
        return new Routines(changed, functions);
    }

    Routines changed(UnaryOperator<ProcedureDefinition> change) {
        TreeMap<String, ProcedureDefinition> changed = new TreeMap<>(procedures);
        changed.replaceAll((name, procedure) -> change.apply(procedure));
        return new Routines(changed, functions);
    }

    Routines with(UserFunction function) {
        TreeMap<String, UserFunction> changed = new TreeMap<>(functions);
        changed.put(function.name(), function);
        return new Routines(procedures, changed);
    }

    Routines withoutFunction(String name) {
        TreeMap<String, UserFunction> changed = new TreeMap<>(functions);
        changed.remove(name);
        return new Routines(procedures, changed);
    }

    Routines withFunctions(SortedMap<String, UserFunction> bound) {
        return new Routines(procedures, new TreeMap<>(bound));
    }
}
