package dev.fulmar.benchmarks.capacity;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Weaves calls of {@link CapacityAgent} into classes of a node: around a site's work, and where a partition begins and
 * ends to hold calls up.
 */
final class NodeWeaver {
    static final String SITE = "dev/fulmar/engine/partition/Site";
    static final String EXECUTOR = "dev/fulmar/engine/partition/PartitionExecutor";
    static final String LOCK = "dev/fulmar/engine/partition/PartitionLock";
    static final String CATALOG_CHANGE = "dev/fulmar/coordinator/change/ProgramWork";
    static final String FREEZE = "dev/fulmar/reconfig/move/FrozenData";

    private static final ClassDesc AGENT = ClassDesc.of(CapacityAgent.class.getName());
    private static final MethodTypeDesc TOLD_WHO = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    private static final String TURN = "doWork";
    private static final String INNER_TURN = "doWork$uncharged";

    /** How each class changes, by its internal name. */
    private static final Map<String, List<ClassTransform>> CHANGES = Map.of(
            SITE, List.of(new TurnTransform()),
            EXECUTOR,
                    List.of(
                            atStart("handle", code -> call(code, "messageBegins")),
                            atStart("runSlice", code -> call(code, "messageBegins")),
                            atEnd(Set.of("handle", "runWaiting", "runSlice"), code -> call(code, "worked"))),
            LOCK, List.of(atStart("grant", code -> tell(code.aload(0), "locked"))),
            CATALOG_CHANGE, List.of(atStart("committed", code -> tell(code.aload(1), "changed"))),
            FREEZE,
                    List.of(
                            atEnd(Set.of("<init>"), code -> tell(code.aload(0), "frozen")),
                            atStart("thaw", code -> tell(code.aload(0), "thawed"))));

    /** The calls that each has afterwards: the method, and what it calls. */
    private static final Map<String, Set<String>> CALLS = Map.of(
            SITE, Set.of("doWork turnBegins", "doWork turnEnded"),
            EXECUTOR,
                    Set.of(
                            "handle messageBegins",
                            "handle worked",
                            "runWaiting worked",
                            "runSlice messageBegins",
                            "runSlice worked"),
            LOCK, Set.of("grant locked"),
            CATALOG_CHANGE, Set.of("committed changed"),
            FREEZE, Set.of("<init> frozen", "thaw thawed"));

    private NodeWeaver() {}

    /** Names of the classes that change. */
    static Set<String> names() {
        return CHANGES.keySet();
    }

    /** Whether the class, by its internal name, is one that changes. */
    static boolean changes(String name) {
        return CHANGES.containsKey(name);
    }

    /** The class with the calls; fails if it has not the methods that are known here. */
    static byte[] weave(String name, byte[] original) {
        List<ClassTransform> changes = CHANGES.get(name);
        if (changes == null) {
            throw new IllegalArgumentException(name + " does not change");
        }
        ClassFile classes = ClassFile.of();
        byte[] woven = original;
        for (ClassTransform change : changes) {
            woven = classes.transformClass(classes.parse(woven), change);
        }
        Set<String> made = calls(classes.parse(woven));
        if (!made.equals(CALLS.get(name))) {
            throw new IllegalStateException(name + " has no longer the methods that the emulated capacity needs");
        }
        return woven;
    }

    /** Calls of the agent that the class has. */
    private static Set<String> calls(ClassModel type) {
        Set<String> calls = new TreeSet<>();
        for (MethodModel method : type.methods()) {
            method.code()
                    .ifPresent(code -> code.forEach(element -> {
                        if (element instanceof InvokeInstruction call
                                && call.owner().asSymbol().equals(AGENT)) {
                            calls.add(method.methodName().stringValue() + " "
                                    + call.name().stringValue());
                        }
                    }));
        }
        return calls;
    }

    private static void tell(CodeBuilder code, String what) {
        code.invokestatic(AGENT, what, TOLD_WHO);
    }

    private static ClassTransform atStart(String method, Consumer<CodeBuilder> told) {
        CodeTransform start = new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                told.accept(code);
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        };
        return ClassTransform.transformingMethodBodies(model -> is(model, method), start);
    }

    private static ClassTransform atEnd(Set<String> methods, Consumer<CodeBuilder> told) {
        CodeTransform end = (code, element) -> {
            if (element instanceof ReturnInstruction) {
                told.accept(code);
            }
            code.with(element);
        };
        return ClassTransform.transformingMethodBodies(
                model -> methods.contains(model.methodName().stringValue()), end);
    }

    private static void call(CodeBuilder code, String what) {
        code.invokestatic(AGENT, what, MethodTypeDesc.of(ConstantDescs.CD_void));
    }

    private static boolean is(MethodModel model, String name) {
        return model.methodName().equalsString(name);
    }

    /** Gives the turn another name, and puts one in its place that charges it. */
    private static final class TurnTransform implements ClassTransform {
        @Override
        public void accept(ClassBuilder type, ClassElement element) {
            if (!(element instanceof MethodModel method && is(method, TURN))) {
                type.with(element);
                return;
            }
            MethodTypeDesc shape = method.methodTypeSymbol();
            ClassDesc site = ClassDesc.ofInternalName(SITE);
            type.withMethod(
                    INNER_TURN,
                    shape,
                    ClassFile.ACC_PRIVATE,
                    inner -> method.code().ifPresent(inner::with));
            type.withMethodBody(TURN, shape, ClassFile.ACC_PUBLIC, code -> {
                call(code, "turnBegins");
                code.aload(0).invokevirtual(site, INNER_TURN, shape).istore(1);
                code.iload(1)
                        .invokestatic(
                                AGENT, "turnEnded", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int));
                code.iload(1).ireturn();
            });
        }
    }
}
