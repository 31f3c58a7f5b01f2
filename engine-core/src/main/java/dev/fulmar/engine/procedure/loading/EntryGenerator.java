package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.CallReply;
import dev.fulmar.engine.procedure.JavaKind;
import dev.fulmar.engine.procedure.ParameterSource;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;

/**
 * Generates the class that reads a procedure's parameters as their types and calls {@code run} directly, so that
 * nothing is boxed.
 */
final class EntryGenerator {
    static final String CLASS_NAME = "dev.fulmar.engine.procedure.generated.Entry";

    private static final ClassDesc ENTRY = ClassDesc.of(ProcedureEntry.class.getName());
    private static final ClassDesc CONTEXT = ClassDesc.of(ProcedureContext.class.getName());
    private static final ClassDesc PARAMETERS = ClassDesc.of(ParameterSource.class.getName());
    private static final ClassDesc REPLY = ClassDesc.of(CallReply.class.getName());
    private static final ClassDesc KIND = ClassDesc.of(ReplyKind.class.getName());
    private static final ClassDesc ROWS = ClassDesc.of(Rows.class.getName());

    /** Reader of a value of the kind, of its box, and of an array of it. */
    record Readers(String plain, String boxed, String array) {}

    private EntryGenerator() {}

    static Readers readers(JavaKind kind) {
        return switch (kind) {
            case BOOLEAN -> new Readers("toBoolean", "boxedBoolean", "booleans");
            case BYTE -> new Readers("toByte", "boxedByte", "");
            case SHORT -> new Readers("toShort", "boxedShort", "shorts");
            case INT -> new Readers("toInt", "boxedInt", "ints");
            case LONG -> new Readers("toLong", "boxedLong", "longs");
            case FLOAT -> new Readers("toFloat", "boxedFloat", "floats");
            case DOUBLE -> new Readers("toDouble", "boxedDouble", "doubles");
            case STRING -> new Readers("string", "string", "strings");
            case BYTES -> new Readers("bytes", "bytes", "byteArrays");
            case DECIMAL -> new Readers("decimal", "decimal", "decimals");
            case DATE -> new Readers("date", "date", "dates");
            case TIME -> new Readers("time", "time", "times");
            case TIMESTAMP -> new Readers("timestamp", "timestamp", "timestamps");
            case INSTANT -> new Readers("instant", "instant", "instants");
            case UUID -> new Readers("uuid", "uuid", "uuids");
        };
    }

    /** The class file of an entry that makes a new object for each call and calls its method. */
    static byte[] generate(RunMethod run) {
        return ClassFile.of().build(ClassDesc.of(CLASS_NAME), type -> {
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
                    MethodTypeDesc.of(ConstantDescs.CD_void, CONTEXT, PARAMETERS, REPLY),
                    ClassFile.ACC_PUBLIC,
                    code -> call(code, run));
            type.withMethodBody(
                    "replyKind",
                    MethodTypeDesc.of(KIND),
                    ClassFile.ACC_PUBLIC,
                    code -> code.getstatic(
                                    KIND, kind(run.method().getReturnType()).name(), KIND)
                            .areturn());
        });
    }

    private static void call(CodeBuilder code, RunMethod run) {
        Method method = run.method();
        ClassDesc owner = ClassDesc.of(method.getDeclaringClass().getName());
        ClassDesc created = ClassDesc.of(run.procedureClass().getName());
        code.aload(3)
                .new_(created)
                .dup()
                .invokespecial(created, "<init>", ConstantDescs.MTD_void)
                .aload(1);
        Class<?>[] types = method.getParameterTypes();
        for (int i = 1; i < types.length; i++) {
            readParameter(code, run, i - 1, types[i]);
        }
        code.invokevirtual(owner, method.getName(), MethodTypeDesc.ofDescriptor(descriptor(method)));
        reply(code, method.getReturnType());
        code.return_();
    }

    private static void readParameter(CodeBuilder code, RunMethod run, int position, Class<?> type) {
        Readers readers = readers(run.parameters().get(position).kind());
        String reader;
        if (run.parameters().get(position).array()) {
            reader = readers.array();
        } else {
            reader = type.isPrimitive() ? readers.plain() : readers.boxed();
        }
        code.aload(2)
                .loadConstant(position)
                .invokevirtual(PARAMETERS, reader, MethodTypeDesc.of(describe(type), ConstantDescs.CD_int));
    }

    private static ReplyKind kind(Class<?> type) {
        if (type == void.class) {
            return ReplyKind.NOTHING;
        } else if (type == long.class) {
            return ReplyKind.VALUE;
        }
        return type == Rows.class ? ReplyKind.TABLE : ReplyKind.TABLES;
    }

    private static void reply(CodeBuilder code, Class<?> type) {
        switch (kind(type)) {
            case NOTHING -> code.invokeinterface(REPLY, "nothing", ConstantDescs.MTD_void);
            case VALUE ->
                code.invokeinterface(REPLY, "value", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
            case TABLE -> code.invokeinterface(REPLY, "table", MethodTypeDesc.of(ConstantDescs.CD_void, ROWS));
            case TABLES ->
                code.invokeinterface(REPLY, "tables", MethodTypeDesc.of(ConstantDescs.CD_void, ROWS.arrayType()));
        }
    }

    static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes()) {
            text.append(type.descriptorString());
        }
        return text.append(')')
                .append(method.getReturnType().descriptorString())
                .toString();
    }

    static ClassDesc describe(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }
}
