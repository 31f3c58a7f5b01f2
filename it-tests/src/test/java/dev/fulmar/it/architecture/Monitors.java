package dev.fulmar.it.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.List;

/** Finds {@code synchronized}, modifier or block. ArchUnit does not keep the instructions of a method. */
final class Monitors {
    private Monitors() {}

    static List<String> methodsThatTakeOne(JavaClass type) {
        return ClassFile.of().parse(bytesOf(type)).methods().stream()
                .filter(Monitors::takesOne)
                .map(method -> type.getName() + "." + method.methodName().stringValue())
                .toList();
    }

    private static boolean takesOne(MethodModel method) {
        if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
            return true;
        }
        return method.code().stream()
                .flatMap(code -> code.elementStream())
                .anyMatch(element -> element instanceof MonitorInstruction instruction
                        && instruction.opcode() == Opcode.MONITORENTER);
    }

    private static byte[] bytesOf(JavaClass type) {
        var source = type.getSource()
                .orElseThrow(() -> new IllegalStateException("no class file known of " + type.getName()));
        try (InputStream in = source.getUri().toURL().openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
