package dev.fulmar.engine.procedure.scan;

import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Set;

/** Scans one class for {@link ProcedureScan}. */
final class ClassScanner {
    private static final Set<String> BOOTSTRAPS = Set.of(
            "java/lang/invoke/LambdaMetafactory.metafactory",
            "java/lang/invoke/LambdaMetafactory.altMetafactory",
            "java/lang/invoke/StringConcatFactory.makeConcat",
            "java/lang/invoke/StringConcatFactory.makeConcatWithConstants",
            "java/lang/runtime/ObjectMethods.bootstrap",
            "java/lang/runtime/SwitchBootstraps.typeSwitch",
            "java/lang/runtime/SwitchBootstraps.enumSwitch",
            "java/lang/invoke/ConstantBootstraps.invoke");

    /** The methods by which the compiler describes enum constants in a switch over patterns. */
    private static final Set<String> DESCRIBERS =
            Set.of("java/lang/constant/ClassDesc.of", "java/lang/Enum$EnumDesc.of");

    private static final String CONCATENATION = "java/lang/invoke/StringConcatFactory";

    /** Types whose text is the same everywhere. */
    private static final Set<String> TEXT_TYPES = Set.of(
            "java.lang.String",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Boolean",
            "java.lang.Double",
            "java.lang.Float",
            "java.lang.StringBuilder",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.math.RoundingMode",
            "java.util.UUID",
            "java.time.LocalDate",
            "java.time.LocalTime",
            "java.time.LocalDateTime",
            "java.time.Instant",
            "java.time.Duration",
            "java.time.Period",
            "java.time.DayOfWeek",
            "java.time.Month",
            "java.time.Year",
            "java.time.YearMonth",
            "java.time.MonthDay",
            "java.time.OffsetDateTime",
            "java.time.ZoneOffset");

    private final ClassModel model;
    private final ClassSet classes;
    private final MemberRules rules;
    private final List<Finding> findings;
    private final String className;
    private String methodName = "";
    private int line;

    ClassScanner(ClassModel model, ClassSet classes, MemberRules rules, List<Finding> findings) {
        this.model = model;
        this.classes = classes;
        this.rules = rules;
        this.findings = findings;
        this.className = model.thisClass().asInternalName().replace('/', '.');
    }

    void scan() {
        model.superclass().ifPresent(this::checkType);
        model.interfaces().forEach(this::checkType);
        for (MethodModel method : model.methods()) {
            scanMethod(method);
        }
    }

    private void scanMethod(MethodModel method) {
        methodName = method.methodName().stringValue();
        line = firstLine(method);
        if (method.flags().has(AccessFlag.NATIVE)) {
            report(Effect.NATIVE, "the method");
        }
        if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
            report(Effect.THREAD, "the synchronized method");
        }
        if ("finalize".equals(methodName) && method.methodType().equalsString("()V")) {
            report(Effect.THREAD, "the finalizer");
        }
        method.code().ifPresent(this::scanCode);
        methodName = "";
        line = 0;
    }

    private static int firstLine(MethodModel method) {
        return method.code()
                .flatMap(code -> code.elementStream()
                        .filter(LineNumber.class::isInstance)
                        .map(LineNumber.class::cast)
                        .findFirst())
                .map(LineNumber::line)
                .orElse(0);
    }

    private void scanCode(CodeModel code) {
        for (CodeElement element : code) {
            switch (element) {
                case LineNumber number -> line = number.line();
                case InvokeInstruction call -> checkCall(call);
                case InvokeDynamicInstruction call -> checkDynamicCall(call);
                case FieldInstruction access ->
                    checkMember(
                            access.owner().asInternalName(),
                            access.name().stringValue(),
                            rules.ofMember(
                                    access.owner().asInternalName(),
                                    access.name().stringValue(),
                                    null));
                case NewObjectInstruction creation -> checkType(creation.className());
                case NewReferenceArrayInstruction creation -> checkType(creation.componentType());
                case NewMultiArrayInstruction creation -> checkType(creation.arrayType());
                case TypeCheckInstruction check -> checkType(check.type());
                case ConstantInstruction.LoadConstantInstruction load -> checkConstant(load.constantEntry());
                case MonitorInstruction monitor -> report(Effect.THREAD, "synchronized");
                case DiscontinuedInstruction discontinued -> report(Effect.MALFORMED, "a subroutine in the byte code");
                default -> {
                    // Arithmetic, jumps and moves between locals and stack can do no harm; loops are the budget's
                    // business.
                }
            }
        }
        checkHandlers(code);
    }

    private void checkCall(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        Effect effect = rules.ofMember(owner, name, call.type().stringValue());
        if (effect == Effect.GUARD && call.opcode() == Opcode.INVOKESPECIAL) {
            effect = Effect.IDENTITY;
        }
        if ("hashCode".equals(name) && call.type().equalsString("()I") && isRecord(owner)) {
            // Of unknown components; the compiler's hash code asks each for its own.
            effect = Effect.IDENTITY;
        }
        checkMember(owner, name, effect);
    }

    private boolean isRecord(String owner) {
        ClassModel own = classes.find(owner);
        return own != null
                && own.superclass()
                        .filter(parent -> parent.asInternalName().equals("java/lang/Record"))
                        .isPresent();
    }

    private void checkMember(String owner, String name, Effect effect) {
        if (effect.severity() != Effect.Severity.NONE) {
            String shown = "<init>".equals(name) ? "new " + readable(owner) : readable(owner) + "." + name;
            report(effect, shown);
        }
    }

    private void checkType(ClassEntry type) {
        String name = type.asInternalName();
        Effect effect = rules.ofClass(name);
        if (effect.severity() != Effect.Severity.NONE) {
            report(effect, readable(name));
        }
    }

    private void checkDynamicCall(InvokeDynamicInstruction call) {
        if (!checkBootstrap(
                call.bootstrapMethod().owner().displayName(),
                call.invokedynamic().bootstrap().bootstrapMethod())) {
            return;
        }
        MethodHandleEntry bootstrap = call.invokedynamic().bootstrap().bootstrapMethod();
        if (bootstrap.reference().owner().asInternalName().equals(CONCATENATION)) {
            call.typeSymbol().parameterList().forEach(this::checkText);
            return;
        }
        call.invokedynamic().bootstrap().arguments().forEach(this::checkBootstrapArgument);
    }

    private boolean checkBootstrap(String owner, MethodHandleEntry handle) {
        String name = handle.reference().owner().asInternalName() + "."
                + handle.reference().name().stringValue();
        if (!BOOTSTRAPS.contains(name)) {
            report(Effect.REFLECTION, "the dynamic call through " + owner);
            return false;
        }
        return true;
    }

    private void checkBootstrapArgument(LoadableConstantEntry argument) {
        if (argument instanceof MethodHandleEntry handle) {
            checkReference(handle);
        } else if (argument instanceof ConstantDynamicEntry constant) {
            checkDynamicConstant(constant);
        } else if (argument instanceof ClassEntry type) {
            checkType(type);
        }
    }

    private void checkDynamicConstant(ConstantDynamicEntry constant) {
        MethodHandleEntry bootstrap = constant.bootstrap().bootstrapMethod();
        if (checkBootstrap(readable(bootstrap.reference().owner().asInternalName()), bootstrap)) {
            constant.bootstrap().arguments().forEach(this::checkBootstrapArgument);
        }
    }

    /** A method reference, or the body of a lambda. */
    private void checkReference(MethodHandleEntry handle) {
        String owner = handle.reference().owner().asInternalName();
        String name = handle.reference().name().stringValue();
        String descriptor = handle.reference().type().stringValue();
        if (DESCRIBERS.contains(owner + "." + name)) {
            return;
        }
        Effect effect = rules.ofMember(owner, name, descriptor.startsWith("(") ? descriptor : null);
        switch (effect) {
            case GUARD, SIZED, COPIES, DIGITS, SCALE, GROWS -> effect = Effect.REFERENCE;
            default -> {
                // Short work needs no check, and what is refused is refused here too.
            }
        }
        checkMember(owner, name, effect);
    }

    private void checkText(ClassDesc type) {
        if (type.isPrimitive() || (type.isClassOrInterface() && isText(type))) {
            return;
        }
        report(
                Effect.IDENTITY,
                "turning a value of type " + type.displayName() + " into text by + (String.valueOf may know how)");
    }

    private boolean isText(ClassDesc type) {
        String descriptor = type.descriptorString();
        String internalName = descriptor.substring(1, descriptor.length() - 1);
        ClassModel own = classes.find(internalName);
        return TEXT_TYPES.contains(internalName.replace('/', '.'))
                || (own != null && own.flags().has(AccessFlag.ENUM));
    }

    private void checkConstant(LoadableConstantEntry constant) {
        switch (constant) {
            case ClassEntry type -> checkType(type);
            case ConstantDynamicEntry dynamic -> checkDynamicConstant(dynamic);
            case MethodHandleEntry handle -> report(Effect.REFLECTION, "a method handle");
            case MethodTypeEntry type -> report(Effect.REFLECTION, "a method type");
            default -> {
                // Numbers and texts.
            }
        }
    }

    private void checkHandlers(CodeModel code) {
        if (HandlerGraph.of(code).hasCycle()) {
            report(Effect.MALFORMED, "an exception handler that covers itself");
        }
    }

    private void report(Effect effect, String what) {
        Finding finding = new Finding(effect, className, methodName, line, what);
        if (!findings.contains(finding)) {
            findings.add(finding);
        }
    }

    private static String readable(String internalName) {
        return internalName.replace('/', '.');
    }

    /** Whether the annotation says so of an element whose values are constants of an enum. */
    static boolean isAnnotated(ClassModel model, String descriptor, String element, String constant) {
        return model.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(attribute -> attribute.annotations().stream()
                        .filter(annotation -> annotation.className().equalsString(descriptor))
                        .flatMap(annotation -> annotation.elements().stream())
                        .anyMatch(found -> found.name().equalsString(element)
                                && found.value() instanceof AnnotationValue.OfEnum value
                                && value.constantName().equalsString(constant)))
                .orElse(false);
    }

    /** Whether the class carries the annotation. */
    static boolean isAnnotated(ClassModel model, String descriptor) {
        return model.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(attribute -> attribute.annotations().stream()
                        .anyMatch(annotation -> annotation.className().equalsString(descriptor)))
                .orElse(false);
    }
}
