package dev.fulmar.engine.procedure.scan;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for state that outlives a call: static fields that can change or hold something that can, and instance fields
 * of the procedure's own class.
 */
final class StateScanner {
    private static final Set<String> IMMUTABLE = Set.of(
            "java/lang/String",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Short",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Boolean",
            "java/lang/Double",
            "java/lang/Float",
            "java/lang/Class",
            "java/math/BigDecimal",
            "java/math/BigInteger",
            "java/math/MathContext",
            "java/math/RoundingMode",
            "java/util/UUID",
            "java/util/Locale",
            "java/util/regex/Pattern",
            "java/util/HexFormat",
            "java/time/LocalDate",
            "java/time/LocalTime",
            "java/time/LocalDateTime",
            "java/time/Instant",
            "java/time/Duration",
            "java/time/Period",
            "java/time/DayOfWeek",
            "java/time/Month",
            "java/time/Year",
            "java/time/YearMonth",
            "java/time/MonthDay",
            "java/time/OffsetDateTime",
            "java/time/ZoneOffset",
            "java/time/temporal/ChronoUnit",
            "java/time/format/DateTimeFormatter",
            "java/nio/charset/Charset",
            "dev/fulmar/procedure/Statement",
            "dev/fulmar/procedure/Expectation");

    /** Superclasses without state. */
    private static final Set<String> ROOTS = Set.of("java/lang/Object", "java/lang/Record", "java/lang/Enum");

    /** Factories of collections that cannot change. */
    private static final Set<String> FACTORIES = Set.of(
            "java/util/List.of",
            "java/util/List.copyOf",
            "java/util/Set.of",
            "java/util/Set.copyOf",
            "java/util/Map.of",
            "java/util/Map.ofEntries",
            "java/util/Map.copyOf",
            "java/util/Map.entry",
            "java/util/Collections.emptyList",
            "java/util/Collections.emptyMap",
            "java/util/Collections.emptySet",
            "java/util/Collections.singletonList",
            "java/util/Collections.unmodifiableList",
            "java/util/Collections.unmodifiableMap",
            "java/util/Collections.unmodifiableSortedMap",
            "java/util/Collections.unmodifiableSortedSet",
            "java/util/Comparator.naturalOrder",
            "java/util/Comparator.reverseOrder",
            "java/util/Comparator.comparing",
            "java/util/Comparator.comparingInt",
            "java/util/Comparator.comparingLong");

    private final ClassSet classes;
    private final List<Finding> findings;

    StateScanner(ClassSet classes, List<Finding> findings) {
        this.classes = classes;
        this.findings = findings;
    }

    /** @param procedure the class is the procedure's own, not one that it uses */
    void scan(ClassModel model, boolean procedure) {
        String className = model.thisClass().asInternalName().replace('/', '.');
        Map<String, Integer> lines = new HashMap<>();
        Set<String> constants = new HashSet<>();
        for (MethodModel method : model.methods()) {
            if (method.methodName().equalsString("<clinit>")) {
                collectConstants(method, lines, constants);
            }
        }
        for (FieldModel field : model.fields()) {
            String name = field.fieldName().stringValue();
            int line = lines.getOrDefault(name, 0);
            boolean isFinal = field.flags().has(AccessFlag.FINAL);
            boolean fixed = isFinal
                    && (isImmutable(field.fieldType().stringValue(), new HashSet<>()) || constants.contains(name));
            if (field.flags().has(AccessFlag.STATIC)) {
                // The compiler's own arrays: constants of an enum, and tables of a switch.
                if (!fixed && !(isFinal && field.flags().has(AccessFlag.SYNTHETIC))) {
                    findings.add(new Finding(Effect.STATE, className, "", line, "the static field " + name));
                }
            } else if (procedure && !fixed) {
                findings.add(new Finding(Effect.STATE, className, "", line, "the field " + name));
            }
        }
    }

    /**
     * Static fields that are set once from a factory of immutable objects or a lambda that captures nothing, and their
     * lines.
     */
    private static void collectConstants(MethodModel initializer, Map<String, Integer> lines, Set<String> constants) {
        int line = 0;
        boolean immutable = false;
        for (CodeElement element : initializer.code().orElseThrow()) {
            switch (element) {
                case LineNumber number -> line = number.line();
                case InvokeInstruction call ->
                    immutable = FACTORIES.contains(
                            call.owner().asInternalName() + "." + call.name().stringValue());
                case InvokeDynamicInstruction call ->
                    immutable = call.typeSymbol().parameterCount() == 0;
                case FieldInstruction access -> {
                    String name = access.name().stringValue();
                    lines.putIfAbsent(name, line);
                    if (immutable) {
                        constants.add(name);
                    }
                    immutable = false;
                }
                case TypeCheckInstruction check -> {
                    // A cast of the factory's result changes nothing.
                }
                case Instruction other -> immutable = false;
                default -> {
                    // Labels and the like stand between instructions.
                }
            }
        }
    }

    private boolean isImmutable(String descriptor, Set<String> visited) {
        if (descriptor.length() == 1) {
            return true;
        }
        if (descriptor.startsWith("[")) {
            return false;
        }
        return isImmutableClass(descriptor.substring(1, descriptor.length() - 1), visited);
    }

    /** A class of the jar is immutable if its fields are final and immutable, and so are those of its superclass. */
    private boolean isImmutableClass(String name, Set<String> visited) {
        if (IMMUTABLE.contains(name) || !visited.add(name)) {
            return true;
        }
        ClassModel model = classes.find(name);
        if (model == null || model.flags().has(AccessFlag.INTERFACE)) {
            return false;
        }
        // A subclass could add state; enums with bodies are the exception that the compiler makes.
        boolean closed = model.flags().has(AccessFlag.FINAL) || model.flags().has(AccessFlag.ENUM);
        return closed
                && model.superclass()
                        .map(ClassEntry::asInternalName)
                        .filter(parent -> !ROOTS.contains(parent) && !isImmutableClass(parent, visited))
                        .isEmpty()
                && model.fields().stream()
                        .filter(field -> !field.flags().has(AccessFlag.STATIC))
                        .allMatch(field -> field.flags().has(AccessFlag.FINAL)
                                && isImmutable(field.fieldType().stringValue(), visited));
    }
}
