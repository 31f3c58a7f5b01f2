package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.scan.ClassSource;
import dev.fulmar.engine.procedure.scan.MemberRules;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** A jar of procedures, unpacked. Immutable. */
public final class ProcedureJar implements ClassSource {
    private static final String CLASS_SUFFIX = ".class";
    private static final String[] RESERVED = {"dev/fulmar/procedure/", "dev/fulmar/engine/", "dev/fulmar/foundation/"};

    private final byte[] bytes;
    private final String digest;
    private final SortedMap<String, byte[]> classes;

    private ProcedureJar(byte[] bytes, String digest, SortedMap<String, byte[]> classes) {
        this.bytes = bytes;
        this.digest = digest;
        this.classes = classes;
    }

    /** Unpacks a jar; one that is none, or exceeds a limit, is a {@link ErrorCode#PROCEDURE_REFUSED} error. */
    public static ProcedureJar of(byte[] bytes, LoadingLimits limits) {
        if (bytes.length > limits.jarBytes()) {
            throw refused("the jar has " + bytes.length + " bytes, more than the limit of " + limits.jarBytes()
                    + "; leave out what procedures do not need");
        }
        return new ProcedureJar(
                bytes.clone(), digestOf(bytes), Collections.unmodifiableSortedMap(unpack(bytes, limits)));
    }

    private static SortedMap<String, byte[]> unpack(byte[] bytes, LoadingLimits limits) {
        SortedMap<String, byte[]> classes = new TreeMap<>();
        int room = limits.unpackedBytes();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = entry.getName();
                if (!name.endsWith(CLASS_SUFFIX)
                        || name.startsWith("META-INF/")
                        || name.endsWith("module-info.class")) {
                    continue;
                }
                byte[] content = zip.readNBytes(room + 1);
                room -= content.length;
                if (room < 0 || classes.size() == limits.classes()) {
                    throw refused("the jar has more than " + limits.classes() + " classes or " + limits.unpackedBytes()
                            + " bytes of them; leave out what procedures do not need");
                }
                String className = name.substring(0, name.length() - CLASS_SUFFIX.length());
                checkName(className);
                classes.put(className, content);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new FulmarException(
                    ErrorCode.PROCEDURE_REFUSED, "the jar cannot be read (" + e.getMessage() + "); build it again", e);
        }
        if (classes.isEmpty()) {
            throw refused("the file is no jar with classes; build it with \"mvn package\" or \"jar cf\"");
        }
        return classes;
    }

    private static void checkName(String className) {
        boolean reserved = MemberRules.isLibrary(className);
        for (String prefix : RESERVED) {
            reserved |= className.startsWith(prefix);
        }
        if (reserved) {
            throw refused("the jar brings its own " + className.replace('/', '.')
                    + "; leave out the JDK's and Fulmar's classes (scope \"provided\" in Maven)");
        }
    }

    private static String digestOf(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static FulmarException refused(String message) {
        return new FulmarException(ErrorCode.PROCEDURE_REFUSED, message);
    }

    /** SHA-256 of the file in hexadecimal. */
    public String digest() {
        return digest;
    }

    /** The file, copied. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Names of its classes, with dots, in order. */
    public SortedSet<String> classNames() {
        SortedSet<String> names = new TreeSet<>();
        classes.keySet().forEach(name -> names.add(name.replace('/', '.')));
        return names;
    }

    /** @param className with dots */
    public boolean contains(String className) {
        return classes.containsKey(className.replace('.', '/'));
    }

    @Override
    public byte @Nullable [] find(String internalName) {
        return classes.get(internalName);
    }
}
