package dev.fulmar.engine.procedure.scan;

import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.List;

/**
 * The determinism scan of a procedure's classes, with its verdict.
 *
 * @param classes its class and those that it reaches
 * @param anySnapshot it only reads, and an old state will do
 * @param findings all that speaks against it, in the order of classes and lines
 */
public record ProcedureScan(
        ClassSet classes,
        MemberRules rules,
        List<Finding> findings,
        boolean logValues,
        boolean readOnly,
        boolean anySnapshot) {
    private static final String LOG_VALUES = "Ldev/fulmar/procedure/LogValues;";
    private static final String READ_ONLY = "Ldev/fulmar/procedure/ReadOnly;";

    public ProcedureScan {
        findings = List.copyOf(findings);
    }

    /** Scans the class and all that it reaches; the class must be in the source. */
    public static ProcedureScan of(String internalName, ClassSource source, LibraryRules library) {
        ClassSet classes = ClassSet.reachedFrom(internalName, source);
        MemberRules rules = new MemberRules(library, classes);
        List<Finding> findings = new ArrayList<>();
        StateScanner state = new StateScanner(classes, findings);
        for (ClassModel model : classes.models().values()) {
            state.scan(model, model.thisClass().asInternalName().equals(internalName));
            new ClassScanner(model, classes, rules, findings).scan();
        }
        ClassModel procedure = classes.models().get(internalName);
        return new ProcedureScan(
                classes,
                rules,
                findings,
                procedure != null && ClassScanner.isAnnotated(procedure, LOG_VALUES),
                procedure != null && ClassScanner.isAnnotated(procedure, READ_ONLY),
                procedure != null && ClassScanner.isAnnotated(procedure, READ_ONLY, "consistency", "SNAPSHOT"));
    }

    /** Findings for which the procedure must be refused. */
    public List<Finding> refusals() {
        return findings.stream()
                .filter(finding -> !logValues || finding.effect().severity() == Effect.Severity.FORBIDDEN)
                .toList();
    }
}
