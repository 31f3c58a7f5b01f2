package dev.fulmar.it.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Lines of each file and of each method, read with javac's parser: a method from its first annotation to its brace. */
final class SourceSizes {
    private final Map<String, Integer> files = new TreeMap<>();
    private final Map<String, Integer> methods = new TreeMap<>();

    private SourceSizes() {}

    /** Lines of a file, by its name. */
    Map<String, Integer> files() {
        return files;
    }

    /** Lines of a method, by {@code file#Class.method}; of overloads, the longest. */
    Map<String, Integer> methods() {
        return methods;
    }

    static SourceSizes ofFiles(Path directory, List<Path> sources) throws IOException {
        JavaCompiler javac = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "tests run on a JDK");
        try (var manager = javac.getStandardFileManager(null, null, null)) {
            return measure(
                    javac,
                    manager.getJavaFileObjectsFromPaths(sources),
                    file -> directory.relativize(Path.of(file.toUri())).toString());
        }
    }

    static SourceSizes ofText(String name, String text) throws IOException {
        JavaCompiler javac = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "tests run on a JDK");
        var source = new SimpleJavaFileObject(URI.create("text:///" + name), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        return measure(javac, List.of(source), file -> name);
    }

    private static SourceSizes measure(
            JavaCompiler javac, Iterable<? extends JavaFileObject> sources, Function<JavaFileObject, String> nameOf)
            throws IOException {
        SourceSizes sizes = new SourceSizes();
        JavacTask task =
                (JavacTask) javac.getTask(null, null, null, List.of("-proc:none", "-Xlint:none"), null, sources);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            JavaFileObject file = unit.getSourceFile();
            String name = nameOf.apply(file);
            sizes.files.put(
                    name, (int) file.getCharContent(true).toString().lines().count());
            sizes.new MethodScan(name, unit, positions).scan(unit, null);
        }
        return sizes;
    }

    private final class MethodScan extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final String file;
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Deque<String> enclosing = new ArrayDeque<>();

        private MethodScan(String file, CompilationUnitTree unit, SourcePositions positions) {
            this.file = file;
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            enclosing.addLast(type.getSimpleName().toString());
            super.visitClass(type, nothing);
            enclosing.removeLast();
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            LineMap lines = unit.getLineMap();
            long end = positions.getEndPosition(unit, method);
            if (end >= 0) {
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                int count = (int) (lines.getLineNumber(end) - first + 1);
                methods.merge(file + "#" + String.join(".", enclosing) + "." + method.getName(), count, Math::max);
            }
            return super.visitMethod(method, nothing);
        }
    }
}
