package dev.fulmar.engine.procedure.budget;

import dev.fulmar.engine.procedure.scan.ClassSet;
import dev.fulmar.engine.procedure.scan.MemberRules;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.Set;

/** Weaves the checks of {@link ExecutionBudget} into the classes of a procedure. Immutable. */
public final class BudgetTransform {
    private final ClassSet classes;
    private final MemberRules rules;
    private final ClassFile classFile;

    /** Methods that the JDK may call: bodies of lambdas and targets of method references. */
    private final Set<String> handles = new HashSet<>();

    public BudgetTransform(ClassSet classes, MemberRules rules) {
        this.classes = classes;
        this.rules = rules;
        this.classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                hierarchy().orElse(ClassHierarchyResolver.ofClassLoading(BudgetTransform.class.getClassLoader()))));
        for (ClassModel model : classes.models().values()) {
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof LoadableConstantEntry && entry instanceof MethodHandleEntry handle) {
                    handles.add(MethodShape.key(
                            handle.reference().owner().asInternalName(),
                            handle.reference().name().stringValue(),
                            handle.reference().type().stringValue()));
                }
            }
        }
    }

    private ClassHierarchyResolver hierarchy() {
        return type -> {
            ClassModel model = classes.find(internalName(type));
            if (model == null) {
                return null;
            }
            return model.flags().has(AccessFlag.INTERFACE)
                    ? ClassHierarchyInfo.ofInterface()
                    : ClassHierarchyInfo.ofClass(
                            model.superclass().map(parent -> parent.asSymbol()).orElse(null));
        };
    }

    private static String internalName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return type.isClassOrInterface() ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
    }

    /** The class file with the checks. */
    public byte[] apply(ClassModel model) {
        boolean calledByLibrary = hasLibraryAncestor(model);
        return classFile.transformClass(model, (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                CodeModel code = method.code().get();
                MethodShape shape = MethodShape.of(model, method, code, classes, rules, calledByLibrary, handles);
                builder.transformMethod(
                        method,
                        shape.needsBudget()
                                ? MethodTransform.transformingCode(new BudgetWeaver(shape, rules))
                                : MethodTransform.ACCEPT_ALL);
            } else {
                builder.with(element);
            }
        });
    }

    /** Whether the JDK may know objects of the class by a type of its own, and so call methods that override its. */
    private boolean hasLibraryAncestor(ClassModel model) {
        return model.interfaces().stream().anyMatch(entry -> isForeign(entry.asInternalName()))
                || model.superclass()
                        .map(entry -> entry.asInternalName())
                        .filter(parent -> !parent.equals("java/lang/Object") && !parent.equals("java/lang/Record"))
                        .filter(this::isForeign)
                        .isPresent();
    }

    private boolean isForeign(String name) {
        ClassModel own = classes.find(name);
        return own == null ? !name.startsWith("dev/fulmar/procedure/") : hasLibraryAncestor(own);
    }
}
