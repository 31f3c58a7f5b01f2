package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.scan.Effect;
import dev.fulmar.engine.procedure.scan.MemberRules;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.Set;

/** Weaves the checks into one method. Two new locals hold the budget and the depth of the method's frame. */
final class BudgetWeaver implements CodeTransform {
    private static final int LINEAR_STEPS = 64;
    private static final int REFERENCE_BYTES = 8;

    private static final ClassDesc BUDGET = ClassDesc.of(ExecutionBudget.class.getName());
    private static final ClassDesc GUARDED = ClassDesc.of(Guarded.class.getName());
    private static final ClassDesc OBJECT = ConstantDescs.CD_Object;
    private static final ClassDesc STRING = ConstantDescs.CD_String;
    private static final ClassDesc INT = ConstantDescs.CD_int;
    private static final ClassDesc LONG = ConstantDescs.CD_long;
    private static final ClassDesc VOID = ConstantDescs.CD_void;

    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(VOID);
    private static final MethodTypeDesc OF_INT = MethodTypeDesc.of(VOID, INT);
    private static final MethodTypeDesc OF_OBJECT = MethodTypeDesc.of(VOID, OBJECT, BUDGET);

    /** Results whose size the caller can choose. */
    private static final Set<String> SIZED_RESULTS =
            Set.of("Ljava/lang/String;", "Ljava/lang/Object;", "Ljava/math/BigInteger;", "Ljava/math/BigDecimal;");

    private final MethodShape shape;
    private final MemberRules rules;
    private final int budget;
    private final int depth;
    private final int firstScratch;
    private final Set<Label> passed = new HashSet<>();

    BudgetWeaver(MethodShape shape, MemberRules rules) {
        this.shape = shape;
        this.rules = rules;
        this.budget = shape.freeLocal();
        this.depth = shape.freeLocal() + 1;
        this.firstScratch = shape.freeLocal() + 2;
    }

    @Override
    public void atStart(CodeBuilder code) {
        code.loadConstant(shape.stackSlots())
                .invokestatic(BUDGET, "enter", MethodTypeDesc.of(BUDGET, INT))
                .astore(budget);
        if (!shape.handlers().isEmpty()) {
            code.aload(budget)
                    .invokevirtual(BUDGET, "depth", MethodTypeDesc.of(INT))
                    .istore(depth);
        }
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
        if (MethodShape.jumpsBack(element, passed)) {
            code.aload(budget).invokevirtual(BUDGET, "step", NOTHING);
        }
        switch (element) {
            case LabelTarget target -> {
                passed.add(target.label());
                code.with(element);
                if (shape.handlers().contains(target.label())) {
                    caught(code);
                }
            }
            case ReturnInstruction end -> {
                code.aload(budget).loadConstant(shape.stackSlots()).invokevirtual(BUDGET, "leave", OF_INT);
                code.with(element);
            }
            case NewObjectInstruction creation -> {
                code.aload(budget).invokevirtual(BUDGET, "object", NOTHING);
                code.with(creation);
            }
            case NewPrimitiveArrayInstruction creation -> {
                beforeArray(code, bytesOf(creation.typeKind()));
                code.with(element);
            }
            case NewReferenceArrayInstruction creation -> {
                beforeArray(code, REFERENCE_BYTES);
                code.with(element);
            }
            case NewMultiArrayInstruction creation -> {
                beforeArrays(code, creation.dimensions());
                code.with(element);
            }
            case ExceptionCatch entry -> handler(code, entry);
            case InvokeInstruction call -> call(code, call);
            case InvokeDynamicInstruction call -> dynamicCall(code, call);
            default -> code.with(element);
        }
    }

    private void handler(CodeBuilder code, ExceptionCatch entry) {
        if (!shape.trimmed().contains(MethodShape.Range.of(entry))) {
            code.with(entry);
        } else if (!entry.tryStart().equals(entry.handler())) {
            code.with(ExceptionCatch.of(entry.handler(), entry.tryStart(), entry.handler(), entry.catchType()));
        }
    }

    private void caught(CodeBuilder code) {
        code.dup()
                .aload(budget)
                .swap()
                .iload(depth)
                .invokevirtual(BUDGET, "caught", MethodTypeDesc.of(VOID, ConstantDescs.CD_Throwable, INT));
    }

    private void beforeArray(CodeBuilder code, int elementBytes) {
        code.aload(budget)
                .loadConstant(elementBytes)
                .invokestatic(BUDGET, "array", MethodTypeDesc.of(INT, INT, BUDGET, INT));
    }

    /** The lengths move to locals and back, because the check needs them all. */
    private void beforeArrays(CodeBuilder code, int dimensions) {
        for (int i = dimensions - 1; i >= 0; i--) {
            code.istore(firstScratch + i);
        }
        code.lconst_1();
        for (int i = 0; i < dimensions; i++) {
            code.iload(firstScratch + i).invokestatic(GUARDED, "product", MethodTypeDesc.of(LONG, LONG, INT));
        }
        code.aload(budget).invokestatic(GUARDED, "arrays", MethodTypeDesc.of(VOID, LONG, BUDGET));
        for (int i = 0; i < dimensions; i++) {
            code.iload(firstScratch + i);
        }
    }

    private void call(CodeBuilder code, InvokeInstruction call) {
        Effect effect = MethodShape.effect(call, rules);
        switch (effect) {
            case GUARD -> guarded(code, call);
            case LINEAR -> {
                spend(code);
                code.with(call);
                checkResult(code, call.typeSymbol().returnType());
            }
            case GROWS -> {
                code.with(call);
                if (!call.typeSymbol().returnType().equals(VOID)
                        && !call.typeSymbol().returnType().isPrimitive()) {
                    code.dup().aload(budget).invokestatic(GUARDED, "grown", OF_OBJECT);
                }
            }
            case SIZED -> {
                spend(code);
                code.aload(budget).invokestatic(BUDGET, "size", MethodTypeDesc.of(INT, INT, BUDGET));
                code.with(call);
            }
            case COPIES -> {
                code.dup().aload(budget).invokestatic(GUARDED, "copied", OF_OBJECT);
                code.with(call);
            }
            case DIGITS -> {
                code.dup().aload(budget).invokestatic(GUARDED, "digits", MethodTypeDesc.of(VOID, STRING, BUDGET));
                code.with(call);
            }
            case SCALE -> {
                code.dup().aload(budget).invokestatic(GUARDED, "scale", MethodTypeDesc.of(VOID, INT, BUDGET));
                code.with(call);
                checkResult(code, call.typeSymbol().returnType());
            }
            default -> code.with(call);
        }
    }

    private void spend(CodeBuilder code) {
        code.aload(budget).loadConstant(LINEAR_STEPS).invokevirtual(BUDGET, "spend", OF_INT);
    }

    private void checkResult(CodeBuilder code, ClassDesc type) {
        if (type.isArray() || SIZED_RESULTS.contains(type.descriptorString())) {
            code.dup().aload(budget).invokestatic(GUARDED, "checkMade", OF_OBJECT);
        }
    }

    private static void guarded(CodeBuilder code, InvokeInstruction call) {
        if (call.opcode() == Opcode.INVOKESPECIAL) {
            // super.toString(), which the scan let pass for a procedure that is logged by value.
            code.with(call);
            return;
        }
        String name = call.name().stringValue();
        MethodTypeDesc type = call.typeSymbol();
        if ("toString".equals(name) && type.parameterCount() == 0) {
            code.invokestatic(GUARDED, "text", MethodTypeDesc.of(STRING, OBJECT));
            return;
        }
        MethodTypeDesc standIn = call.opcode() == Opcode.INVOKESTATIC
                ? type
                : type.insertParameterTypes(0, call.owner().asSymbol());
        code.invokestatic(GUARDED, name, standIn);
    }

    private void dynamicCall(CodeBuilder code, InvokeDynamicInstruction call) {
        String bootstrap = call.invokedynamic()
                .bootstrap()
                .bootstrapMethod()
                .reference()
                .owner()
                .asInternalName();
        if (bootstrap.equals("java/lang/runtime/ObjectMethods") && call.name().equalsString("toString")) {
            code.invokestatic(GUARDED, "record", MethodTypeDesc.of(STRING, OBJECT));
            return;
        }
        code.with(call);
        checkResult(code, call.typeSymbol().returnType());
    }

    private static int bytesOf(TypeKind kind) {
        return switch (kind) {
            case BOOLEAN, BYTE -> 1;
            case CHAR, SHORT -> 2;
            case INT, FLOAT -> 4;
            case LONG, DOUBLE, REFERENCE -> 8;
            case VOID -> 0;
        };
    }
}
