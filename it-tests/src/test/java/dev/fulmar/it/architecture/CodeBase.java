package dev.fulmar.it.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the tests find the code: the compiled classes on the class path, and the sources in the checkout. */
final class CodeBase {
    private static final String GENERATED = "dev.fulmar.wire.proto";

    private CodeBase() {}

    /** The classes of all modules; imported once for all tests, which takes seconds. */
    static JavaClasses classes() {
        return Imported.CLASSES;
    }

    /** The same without those a tool wrote, for rules about how people write. */
    static JavaClasses handWritten() {
        return Imported.CLASSES.that(DescribedPredicate.not(DescribedPredicate.describe(
                "generated",
                (JavaClass type) -> type.getPackageName().equals(GENERATED)
                        || type.getPackageName().startsWith(GENERATED + "."))));
    }

    /** The root of the checkout. */
    static Path directory() {
        Path directory = Path.of("").toAbsolutePath();
        for (Path candidate = directory; candidate != null; candidate = candidate.getParent()) {
            if (Files.isDirectory(candidate.resolve(".mvn"))) {
                return candidate;
            }
        }
        throw new IllegalStateException("not inside a checkout: " + directory);
    }

    private static final class Imported {
        private static final JavaClasses CLASSES = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(Module.ROOT_PACKAGE);
    }
}
