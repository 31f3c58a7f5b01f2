package dev.fulmar.it.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * An agent in a node's process: calls of one procedure meet a class that is gone, before the procedure itself runs.
 * That ends the node, as the defect that it is.
 */
public final class PlantedDefect {
    /** The procedure. */
    static final String PROCEDURE = "BREAKER";

    private static final String STRUCK = "dev/fulmar/coordinator/transaction/LocalCall";

    private PlantedDefect() {}

    /** The option of the JVM that loads the agent. */
    static String option(Path folder) throws IOException {
        Path jar = folder.resolve("defect.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", PlantedDefect.class.getName());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return "-javaagent:" + jar;
    }

    /** Called by the JVM. */
    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    String name,
                    @Nullable Class<?> redefined,
                    ProtectionDomain domain,
                    byte[] bytes) {
                return name.equals(STRUCK) ? struck(bytes) : null;
            }
        });
    }

    private static byte[] struck(byte[] bytes) {
        CodeTransform strike = new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                code.aload(0);
                code.invokestatic(
                        ClassDesc.of(PlantedDefect.class.getName()),
                        "strike",
                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object));
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        };
        ClassFile classes = ClassFile.of();
        return classes.transformClass(
                classes.parse(bytes),
                ClassTransform.transformingMethodBodies(
                        method -> method.methodName().equalsString("execute"), strike));
    }

    /** Called by the class that is struck, with itself. */
    public static void strike(Object work) throws ReflectiveOperationException {
        Field request = work.getClass().getDeclaredField("request");
        request.setAccessible(true);
        if (request.get(work) instanceof dev.fulmar.coordinator.request.TransactionRequest.Call call
                && call.procedure().equalsIgnoreCase(PROCEDURE)) {
            throw new NoClassDefFoundError("a class that is gone");
        }
    }
}
