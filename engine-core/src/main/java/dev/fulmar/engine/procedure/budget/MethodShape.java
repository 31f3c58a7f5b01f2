package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.scan.ClassSet;
import dev.fulmar.engine.procedure.scan.Effect;
import dev.fulmar.engine.procedure.scan.HandlerGraph;
import dev.fulmar.engine.procedure.scan.MemberRules;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The facts of a method that the weaver needs before it reads it.
 *
 * @param needsBudget the method loops, calls, allocates arrays or can be called by the JDK; any other method is short
 *     and calls nothing that is not
 * @param stackSlots what a call of it takes of the stack, in slots, frames of the JDK between it and its caller
 *     included
 * @param freeLocal the first local variable that the method does not use
 * @param trimmed entries that must end before their own handler, or they would catch what the check there throws
 */
record MethodShape(boolean needsBudget, int stackSlots, int freeLocal, Set<Label> handlers, Set<Range> trimmed) {
    /** An entry of the exception table; the parser makes a new object for it at each look. */
    record Range(Label start, Label end, Label handler) {
        static Range of(ExceptionCatch entry) {
            return new Range(entry.tryStart(), entry.tryEnd(), entry.handler());
        }
    }

    /** A frame holds more than locals and operands. */
    private static final int FRAME_SLOTS = 16;

    /** Frames of collections and streams between the caller and a lambda's body. */
    private static final int LIBRARY_SLOTS = 128;

    static MethodShape of(
            ClassModel owner,
            MethodModel method,
            CodeModel code,
            ClassSet classes,
            MemberRules rules,
            boolean ownerKnownToLibrary,
            Set<String> handles) {
        CodeAttribute attribute = (CodeAttribute) code;
        boolean hidden = method.flags().has(AccessFlag.PRIVATE)
                || method.flags().has(AccessFlag.STATIC)
                || method.methodName().stringValue().startsWith("<")
                || !(ownerKnownToLibrary || overridesObject(method));
        boolean fromLibrary = !hidden
                || handles.contains(key(
                        owner.thisClass().asInternalName(),
                        method.methodName().stringValue(),
                        method.methodType().stringValue()));
        Set<Label> handlers = new HashSet<>();
        Set<Range> trimmed = new HashSet<>();
        HandlerGraph graph = HandlerGraph.of(code);
        for (ExceptionCatch handler : code.exceptionHandlers()) {
            handlers.add(handler.handler());
            if (graph.coversOwnStore(handler)) {
                trimmed.add(Range.of(handler));
            }
        }
        boolean needed = fromLibrary || !handlers.isEmpty() || worksLong(code, classes, rules);
        int slots = attribute.maxLocals() + attribute.maxStack() + FRAME_SLOTS + (fromLibrary ? LIBRARY_SLOTS : 0);
        return new MethodShape(needed, slots, attribute.maxLocals(), handlers, trimmed);
    }

    private static boolean overridesObject(MethodModel method) {
        String name = method.methodName().stringValue();
        return "toString".equals(name) || "equals".equals(name) || "hashCode".equals(name);
    }

    private static boolean worksLong(CodeModel code, ClassSet classes, MemberRules rules) {
        Set<Label> passed = new HashSet<>();
        for (CodeElement element : code) {
            if (element instanceof LabelTarget target) {
                passed.add(target.label());
            } else if (jumpsBack(element, passed) || isWork(element, classes, rules)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWork(CodeElement element, ClassSet classes, MemberRules rules) {
        return switch (element) {
            case InvokeInstruction call ->
                classes.contains(call.owner().asInternalName()) || effect(call, rules) != Effect.ALLOW;
            case InvokeDynamicInstruction call -> true;
            case NewPrimitiveArrayInstruction creation -> true;
            case NewReferenceArrayInstruction creation -> true;
            case NewMultiArrayInstruction creation -> true;
            default -> false;
        };
    }

    static Effect effect(InvokeInstruction call, MemberRules rules) {
        return rules.ofMember(
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue());
    }

    /** Whether the element may continue at one of the labels, all of which lie before it. */
    static boolean jumpsBack(CodeElement element, Set<Label> passed) {
        return switch (element) {
            case BranchInstruction branch -> passed.contains(branch.target());
            case LookupSwitchInstruction choice -> jumpsBack(choice.cases(), choice.defaultTarget(), passed);
            case TableSwitchInstruction choice -> jumpsBack(choice.cases(), choice.defaultTarget(), passed);
            default -> false;
        };
    }

    private static boolean jumpsBack(List<SwitchCase> cases, Label otherwise, Set<Label> passed) {
        return passed.contains(otherwise) || cases.stream().anyMatch(target -> passed.contains(target.target()));
    }

    static String key(String owner, String name, String descriptor) {
        return owner + "." + name + descriptor;
    }
}
