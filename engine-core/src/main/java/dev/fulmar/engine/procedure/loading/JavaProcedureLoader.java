package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.catalog.ProcedureDefinition.JavaClass;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.Determinism;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.engine.procedure.budget.BudgetTransform;
import dev.fulmar.engine.procedure.budget.ExecutionBudget;
import dev.fulmar.engine.procedure.invocation.FunctionExecution;
import dev.fulmar.engine.procedure.scan.ClassSource;
import dev.fulmar.engine.procedure.scan.Finding;
import dev.fulmar.engine.procedure.scan.LibraryRules;
import dev.fulmar.engine.procedure.scan.ProcedureScan;
import dev.fulmar.engine.userfunction.FunctionCode;
import dev.fulmar.engine.userfunction.FunctionEntry;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.engine.userfunction.UserFunction.JavaMethod;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.time.Clock;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Loads procedures written in Java: scan, weave, define, initialize. */
final class JavaProcedureLoader {
    private static final int SHOWN_FINDINGS = 20;

    private final LibraryRules library = LibraryRules.load();
    private final ClassSource builtin;
    private final Clock clock;
    private final LoadingLimits limits;
    private final Weaving weaving;
    private final SharedCode shared;

    JavaProcedureLoader(ClassSource builtin, Clock clock, LoadingLimits limits, Weaving weaving, SharedCode shared) {
        this.builtin = builtin;
        this.clock = clock;
        this.limits = limits;
        this.weaving = weaving;
        this.shared = shared;
    }

    /** A procedure's code, ready to be called but for its statements. */
    record JavaCode(
            RunMethod run,
            ProcedureEntry entry,
            List<StatementConstants.Constant> constants,
            Determinism determinism,
            boolean readOnly,
            boolean anySnapshot) {}

    JavaCode load(JavaClass code, ProcedureJars jars) {
        ClassSource source = source(code, jars);
        return shared.of(code, () -> load(code, source));
    }

    private JavaCode load(JavaClass code, ClassSource source) {
        String internalName = code.className().replace('.', '/');
        ProcedureScan scan = scan(code, source, internalName, Purpose.PROCEDURE);
        return initialized(code, scan, loader -> {
            RunMethod run = RunMethod.of(Class.forName(code.className(), true, loader));
            List<StatementConstants.Constant> constants = StatementConstants.find(scan.classes(), internalName, loader);
            Class<?> entryClass = loader.defineEntry(EntryGenerator.CLASS_NAME, EntryGenerator.generate(run));
            ProcedureEntry entry =
                    (ProcedureEntry) entryClass.getDeclaredConstructor().newInstance();
            return new JavaCode(run, entry, constants, determinism(scan), scan.readOnly(), scan.anySnapshot());
        });
    }

    /** Makes something of classes that are defined and initialized. */
    @FunctionalInterface
    private interface Making<T> {
        T of(ProcedureClassLoader loader) throws ReflectiveOperationException;
    }

    /** The use of classes: only procedures may be logged by value. */
    private enum Purpose {
        PROCEDURE,
        FUNCTION
    }

    private <T> T initialized(JavaClass code, ProcedureScan scan, Making<T> making) {
        ProcedureClassLoader loader = new ProcedureClassLoader(classFiles(scan), library);
        ExecutionBudget budget = new ExecutionBudget(clock, () -> -1);
        budget.begin(limits.initialization());
        try {
            for (String name : scan.classes().models().keySet()) {
                Class.forName(name.replace('/', '.'), true, loader);
            }
            return making.of(loader);
        } catch (ReflectiveOperationException | LinkageError | ControlSignal | VirtualMachineError e) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_REFUSED,
                    "the class " + code.className() + " cannot be loaded: " + reason(e),
                    e);
        } finally {
            budget.end();
        }
    }

    /** The code of a function, by the same scan, checks and limits; what its class may do is no less restricted. */
    FunctionCode load(UserFunction function, JavaMethod body, ProcedureJars jars) {
        JavaClass code = new JavaClass(body.className(), body.jarDigest());
        ProcedureScan scan = scan(code, source(code, jars), body.className().replace('.', '/'), Purpose.FUNCTION);
        return initialized(code, scan, loader -> {
            FunctionMethod method = FunctionMethod.of(Class.forName(body.className(), true, loader), function, body);
            Class<?> entryClass =
                    loader.defineEntry(EntryGenerator.CLASS_NAME, FunctionEntryGenerator.generate(method));
            FunctionEntry entry =
                    (FunctionEntry) entryClass.getDeclaredConstructor().newInstance();
            List<ColumnType> types = function.parameters().stream()
                    .map(UserFunction.Parameter::type)
                    .toList();
            return () -> new FunctionExecution(function.name(), entry, types, clock, limits.call());
        });
    }

    private ClassSource source(JavaClass code, ProcedureJars jars) {
        if (code.jarDigest().isEmpty()) {
            return builtin;
        }
        ProcedureJar jar = jars.find(code.jarDigest());
        if (jar == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT,
                    "the jar " + code.jarDigest() + " is not there; LOAD CLASSES brings it in");
        }
        return jar;
    }

    private ProcedureScan scan(JavaClass code, ClassSource source, String internalName, Purpose purpose) {
        if (source.find(internalName) == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_OBJECT,
                    "there is no class " + code.className()
                            + " in the jars that were loaded; LOAD CLASSES brings one in");
        }
        ProcedureScan scan;
        try {
            scan = ProcedureScan.of(internalName, source, library);
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_REFUSED,
                    "a class file is malformed (" + e.getMessage() + "); build the jar again",
                    e);
        }
        List<Finding> refusals = switch (purpose) {
            case PROCEDURE -> scan.refusals();
            case FUNCTION -> scan.findings();
        };
        if (!refusals.isEmpty()) {
            throw new FulmarException(ErrorCode.PROCEDURE_REFUSED, refusal(refusals, purpose));
        }
        return scan;
    }

    private static String refusal(List<Finding> refusals, Purpose purpose) {
        String text = refusals.stream()
                .limit(SHOWN_FINDINGS)
                .map(Finding::toString)
                .collect(Collectors.joining("\n  ", "the class is refused:\n  ", ""));
        if (refusals.size() > SHOWN_FINDINGS) {
            text += "\n  and " + (refusals.size() - SHOWN_FINDINGS) + " more";
        }
        boolean forbidden = refusals.stream()
                .anyMatch(finding -> finding.effect().severity().isForbidden());
        return forbidden || purpose == Purpose.FUNCTION
                ? text
                : text + "\nor mark the class @LogValues, so that its effects are logged instead of its calls";
    }

    private Map<String, byte[]> classFiles(ProcedureScan scan) {
        BudgetTransform transform = new BudgetTransform(scan.classes(), scan.rules());
        Map<String, byte[]> classFiles = new LinkedHashMap<>();
        for (Map.Entry<String, ClassModel> entry : scan.classes().models().entrySet()) {
            byte[] classFile = switch (weaving) {
                case ON -> transform.apply(entry.getValue());
                case OFF -> ClassFile.of().transformClass(entry.getValue(), ClassTransform.ACCEPT_ALL);
            };
            classFiles.put(entry.getKey().replace('/', '.'), classFile);
        }
        return classFiles;
    }

    private static Determinism determinism(ProcedureScan scan) {
        if (scan.findings().isEmpty() && !scan.logValues()) {
            return Determinism.PROVEN;
        }
        List<String> reasons = scan.findings().stream().map(Finding::toString).toList();
        return new Determinism(reasons.isEmpty() ? List.of("the class is marked @LogValues") : reasons);
    }

    private static String reason(Throwable thrown) {
        Throwable cause =
                thrown instanceof ExceptionInInitializerError && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause.toString();
    }
}
