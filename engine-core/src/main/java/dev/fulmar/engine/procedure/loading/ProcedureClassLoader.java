package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.CallReply;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ParameterSource;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.engine.procedure.budget.ExecutionBudget;
import dev.fulmar.engine.procedure.budget.Guarded;
import dev.fulmar.engine.procedure.scan.Effect;
import dev.fulmar.engine.procedure.scan.LibraryRules;
import dev.fulmar.engine.procedure.scan.MemberRules;
import dev.fulmar.engine.userfunction.FunctionArguments;
import dev.fulmar.engine.userfunction.FunctionEntry;
import dev.fulmar.procedure.Procedure;
import java.util.Map;
import java.util.Set;

/**
 * The class loader of one procedure. Its classes see nothing but each other, the API, the allowed part of the JDK, and
 * the few classes of the engine that woven code calls. The scan is the first fence, this is the second. Unreachable
 * once the last call has ended, and then collected.
 */
final class ProcedureClassLoader extends ClassLoader {
    private static final Set<String> WOVEN = Set.of(
            ExecutionBudget.class.getName(),
            Guarded.class.getName(),
            ProcedureEntry.class.getName(),
            FunctionEntry.class.getName(),
            FunctionArguments.class.getName(),
            ParameterSource.class.getName(),
            CallReply.class.getName(),
            ReplyKind.class.getName());
    private static final String API_PREFIX = Procedure.class.getPackageName() + ".";

    /**
     * Packages that link lambdas, concatenations, records and switches; code cannot call them directly, as the scan
     * sees to.
     */
    private static final String[] LINKAGE = {"java/lang/invoke/", "java/lang/runtime/", "java/lang/constant/"};

    private final Map<String, byte[]> classFiles;
    private final LibraryRules library;

    /** @param classFiles woven class files by name with dots */
    ProcedureClassLoader(Map<String, byte[]> classFiles, LibraryRules library) {
        super(LoadedProcedure.CODE_LOADER_NAME, ClassLoader.getPlatformClassLoader());
        this.classFiles = Map.copyOf(classFiles);
        this.library = library;
        setDefaultAssertionStatus(false);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] own = classFiles.get(name);
        if (own != null) {
            // No lock is needed: all classes are defined by the thread that loads the procedure, before another one can
            // call it.
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, own, 0, own.length);
        }
        if (name.startsWith(API_PREFIX) || WOVEN.contains(name)) {
            return Class.forName(name, false, ProcedureClassLoader.class.getClassLoader());
        }
        if (isVisible(name.replace('.', '/'))) {
            return super.loadClass(name, resolve);
        }
        throw new ClassNotFoundException(name + " is not visible to procedures");
    }

    private boolean isVisible(String internalName) {
        if (!MemberRules.isLibrary(internalName)) {
            return false;
        }
        for (String prefix : LINKAGE) {
            if (internalName.startsWith(prefix)) {
                return true;
            }
        }
        return library.ofClass(internalName).severity() != Effect.Severity.FORBIDDEN;
    }

    /** Defines a further class, which the engine made. */
    Class<?> defineEntry(String name, byte[] classFile) {
        return defineClass(name, classFile, 0, classFile.length);
    }
}
