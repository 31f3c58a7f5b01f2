package dev.fulmar.engine.procedure;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles procedures from source in memory, as their author would, and packs them into a jar. */
public final class SourceJar {
    private final Map<String, String> sources = new LinkedHashMap<>();

    /**
     * Adds a class of the package {@code shop}; the text needs neither package nor imports of the API and of java.util.
     */
    public SourceJar add(String simpleName, String text) {
        // On one line, so that line numbers are those of the text.
        String header = "package shop; import dev.fulmar.procedure.*; import java.util.*; import java.util.function.*;"
                + " import java.math.*; import java.time.*; ";
        sources.put("shop." + simpleName, header + text);
        return this;
    }

    /** Class files by internal name. */
    public Map<String, byte[]> compile() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        Output output = new Output(compiler.getStandardFileManager(problems, null, null));
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        List<String> options = List.of("-parameters", "-proc:none", "-nowarn", "--release", "25");
        if (!compiler.getTask(null, output, problems, options, null, units).call()) {
            throw new IllegalArgumentException(problems.getDiagnostics().toString());
        }
        Map<String, byte[]> classes = new TreeMap<>();
        output.files.forEach((name, bytes) -> classes.put(name.replace('.', '/'), bytes.toByteArray()));
        return classes;
    }

    /** The classes as a jar. */
    public byte[] jar() {
        return pack(compile());
    }

    /** A jar of these entries, whose names lack the suffix. */
    public static byte[] pack(Map<String, byte[]> classes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey() + ".class"));
                zip.write(entry.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> files = new TreeMap<>();

        Output(JavaFileManager manager) {
            super(manager);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mem:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream stream = new ByteArrayOutputStream();
                    files.put(className, stream);
                    return stream;
                }
            };
        }
    }
}
