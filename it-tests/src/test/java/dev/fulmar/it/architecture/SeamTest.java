package dev.fulmar.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Time, threads, sockets, files and chance are reached only through the seam, so that a whole cluster runs in one
 * thread from one seed. Only the seam's real twins are exempt: packages that end in {@code real}, and the log's
 * backends on files and on LLPL's pools.
 */
class SeamTest {
    private static final String[] INSIDE = {
        "dev.fulmar.foundation..",
        "dev.fulmar.pmemlog..",
        "dev.fulmar.allocator..",
        "dev.fulmar.engine..",
        "dev.fulmar.coordinator..",
        "dev.fulmar.reconfig..",
        "dev.fulmar.postgres..",
        "dev.fulmar.placement.."
    };
    private static final String[] REAL_TWINS = {
        "dev.fulmar.foundation..real..",
        "dev.fulmar.coordinator..real..",
        "dev.fulmar.pmemlog.backend.file..",
        "dev.fulmar.pmemlog.backend.llpl.."
    };

    /** Each is a class and a method of it, or a class and all its methods where the method is an asterisk. */
    private static final Set<String> REAL_TIME = Set.of(
            "java.lang.System#nanoTime",
            "java.lang.System#currentTimeMillis",
            "java.time.Clock#*",
            "java.time.Instant#now",
            "java.time.LocalDate#now",
            "java.time.LocalDateTime#now",
            "java.time.LocalTime#now",
            "java.time.OffsetDateTime#now",
            "java.time.ZonedDateTime#now",
            "java.util.Date#<init>()",
            "java.util.concurrent.CompletableFuture#completeOnTimeout",
            "java.util.concurrent.CompletableFuture#delayedExecutor",
            "java.util.concurrent.CompletableFuture#orTimeout",
            "java.lang.Thread#sleep",
            "java.util.concurrent.locks.LockSupport#parkNanos",
            "java.util.concurrent.locks.LockSupport#parkUntil");

    private static final Set<String> REAL_THREADS = Set.of(
            "java.lang.Thread#<init>",
            "java.lang.Thread#ofPlatform",
            "java.lang.Thread#ofVirtual",
            "java.lang.Thread#startVirtualThread",
            "java.util.Timer#<init>",
            "java.util.Arrays#parallelPrefix",
            "java.util.Arrays#parallelSetAll",
            "java.util.Arrays#parallelSort",
            "java.util.concurrent.Executors#*",
            "java.util.concurrent.ForkJoinPool#*",
            "java.util.concurrent.ScheduledThreadPoolExecutor#<init>",
            "java.util.concurrent.ThreadPoolExecutor#<init>",
            "java.util.concurrent.StructuredTaskScope#open");

    private static final Set<String> REAL_CHANCE = Set.of(
            "java.lang.Math#random",
            "java.lang.StrictMath#random",
            "java.lang.System#identityHashCode",
            "java.security.SecureRandom#*",
            "java.util.Collections#shuffle(java.util.List)",
            "java.util.Random#<init>()",
            "java.util.SplittableRandom#<init>()",
            "java.util.UUID#randomUUID",
            "java.util.concurrent.ThreadLocalRandom#*");

    @Test
    void timeIsTheClockOfTheSeam() {
        check(insideTheSeam().should().accessTargetWhere(targetIn(REAL_TIME)).as("no time but the seam's"));
    }

    @Test
    void threadsAreTheSchedulerOfTheSeam() {
        check(insideTheSeam().should().accessTargetWhere(targetIn(REAL_THREADS)).as("no threads but the seam's"));
    }

    @Test
    void chanceIsTheRandomSourceOfTheSeam() {
        check(insideTheSeam().should().accessTargetWhere(targetIn(REAL_CHANCE)).as("no chance but the seam's"));
    }

    @Test
    void nothingRunsInParallelOrOnTheSharedPool() {
        DescribedPredicate<JavaAccess<?>> parallel = describe("parallel or on the shared pool", access -> {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return switch (name) {
                case "parallel" -> assignableTo("java.util.stream.BaseStream").test(owner);
                case "parallelStream" -> assignableTo("java.util.Collection").test(owner);
                default ->
                    name.endsWith("Async")
                            && !parametersOf(access).endsWith("java.util.concurrent.Executor)")
                            && assignableTo("java.util.concurrent.CompletionStage")
                                    .test(owner);
            };
        });
        check(insideTheSeam().should().accessTargetWhere(parallel).as("no hidden threads"));
    }

    @Test
    void filesAndSocketsAreThoseOfTheSeam() {
        DescribedPredicate<JavaClass> real = describe("a file or a socket", type -> {
            String name = type.getName();
            return name.startsWith("java.io.File")
                    || name.equals("java.io.RandomAccessFile")
                    || name.equals("java.nio.file.Files")
                    || type.getPackageName().equals("java.net")
                    || type.getPackageName().startsWith("java.net.")
                    || type.getPackageName().equals("java.nio.channels");
        });
        check(insideTheSeam().should().dependOnClassesThat(real).as("no files and sockets but the seam's"));
    }

    @Test
    void nothingTakesAMonitor() {
        DescribedPredicate<JavaClass> inside = JavaClass.Predicates.resideInAnyPackage(INSIDE)
                .and(JavaClass.Predicates.resideOutsideOfPackages(REAL_TWINS));
        Set<String> found = new TreeSet<>();
        for (JavaClass type : CodeBase.handWritten().that(inside)) {
            found.addAll(Monitors.methodsThatTakeOne(type));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void monitorsAreSeenWhereTheyAre() {
        assertThat(Monitors.methodsThatTakeOne(new ClassFileImporter().importClass(TakesMonitors.class)))
                .containsExactlyInAnyOrder(
                        TakesMonitors.class.getName() + ".modifier", TakesMonitors.class.getName() + ".block");
    }

    private static GivenClassesConjunction insideTheSeam() {
        return noClasses().that().resideInAnyPackage(INSIDE).and().resideOutsideOfPackages(REAL_TWINS);
    }

    private static void check(ArchRule rule) {
        rule.because("a run must replay from its seed").allowEmptyShould(true).check(CodeBase.classes());
    }

    private static DescribedPredicate<JavaAccess<?>> targetIn(Set<String> banned) {
        return describe("one of " + new TreeSet<>(banned), access -> {
            String owner = access.getTargetOwner().getName();
            String member = owner + "#" + access.getTarget().getName();
            return banned.contains(owner + "#*")
                    || banned.contains(member)
                    || banned.contains(member + parametersOf(access));
        });
    }

    private static String parametersOf(JavaAccess<?> access) {
        if (access.getTarget() instanceof CodeUnitAccessTarget target) {
            List<String> types = target.getRawParameterTypes().stream()
                    .map(JavaClass::getName)
                    .toList();
            return "(" + String.join(",", types) + ")";
        }
        return "";
    }

    /** What the scan for monitors must find, and a method it must not. */
    @SuppressWarnings("unused")
    private static final class TakesMonitors {
        private final Object lock = new Object();

        synchronized void modifier() {}

        int block() {
            synchronized (lock) {
                return 1;
            }
        }

        void neither() {}
    }
}
