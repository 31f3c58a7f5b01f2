package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.JavaKind;
import dev.fulmar.engine.userfunction.FunctionArguments;
import dev.fulmar.engine.userfunction.FunctionEntry;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;

/**
 * Generates the class that reads a function's arguments as their types and calls its method directly, so that nothing
 * is boxed.
 */
final class FunctionEntryGenerator {
    private static final ClassDesc ENTRY = ClassDesc.of(FunctionEntry.class.getName());
    private static final ClassDesc ARGUMENTS = ClassDesc.of(FunctionArguments.class.getName());

    private FunctionEntryGenerator() {}

    /** The class file of an entry, whose name is that of a procedure's entry. */
    static byte[] generate(FunctionMethod function) {
        return ClassFile.of().build(ClassDesc.of(EntryGenerator.CLASS_NAME), type -> {
            type.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL);
            type.withInterfaceSymbols(ENTRY);
            type.withMethodBody(
                    "<init>",
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_PUBLIC,
                    code -> code.aload(0)
                            .invokespecial(ConstantDescs.CD_Object, "<init>", ConstantDescs.MTD_void)
                            .return_());
            type.withMethodBody(
                    "call",
                    MethodTypeDesc.of(ConstantDescs.CD_void, ARGUMENTS),
                    ClassFile.ACC_PUBLIC,
                    code -> call(code, function));
        });
    }

    private static void call(CodeBuilder code, FunctionMethod function) {
        Method method = function.method();
        Class<?>[] types = method.getParameterTypes();
        code.aload(1);
        for (int i = 0; i < types.length; i++) {
            code.aload(1)
                    .loadConstant(i)
                    .invokevirtual(
                            ARGUMENTS,
                            reader(function.kinds().get(i), types[i].isPrimitive()),
                            MethodTypeDesc.of(EntryGenerator.describe(types[i]), ConstantDescs.CD_int));
        }
        code.invokestatic(
                ClassDesc.of(method.getDeclaringClass().getName()),
                method.getName(),
                MethodTypeDesc.ofDescriptor(EntryGenerator.descriptor(method)),
                method.getDeclaringClass().isInterface());
        keep(code, method.getReturnType());
        code.return_();
    }

    private static String reader(JavaKind kind, boolean isPrimitive) {
        EntryGenerator.Readers readers = EntryGenerator.readers(kind);
        return isPrimitive ? readers.plain() : readers.boxed();
    }

    private static void keep(CodeBuilder code, Class<?> type) {
        ClassDesc kept = ConstantDescs.CD_Object;
        if (type == boolean.class) {
            kept = ConstantDescs.CD_boolean;
        } else if (type == long.class || type == double.class) {
            kept = EntryGenerator.describe(type);
        } else if (type == float.class) {
            code.f2d();
            kept = ConstantDescs.CD_double;
        } else if (type.isPrimitive()) {
            code.i2l();
            kept = ConstantDescs.CD_long;
        }
        code.invokevirtual(ARGUMENTS, "result", MethodTypeDesc.of(ConstantDescs.CD_void, kept));
    }
}
