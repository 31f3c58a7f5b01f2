package dev.fulmar.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A part gets its ports and callbacks from its constructor. A field for one that a method sets later may be used too
 * early; the ratchet file counts these fields by class, and a count may only shrink.
 */
class LateBindingTest {
    private static final String RATCHET = "it-tests/late-binding-ratchet.txt";

    /** Modules whose parts are assembled; command lines, benchmarks and the simulator set their fields as they go. */
    private static final Set<String> ASSEMBLED =
            Set.of("foundation", "engine", "pmemlog", "coordinator", "client", "node");

    @Test
    void lateBoundFieldsBecomeFewer() throws IOException {
        Map<String, Integer> allowed = Ratchet.read(RATCHET);
        Map<String, Integer> found = lateBound();
        Set<String> names = new TreeSet<>(allowed.keySet());
        names.addAll(found.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            int count = found.getOrDefault(name, 0);
            int most = allowed.getOrDefault(name, 0);
            if (count > most) {
                differences.add(
                        name + " has " + count + " late-bound fields, " + most + " allowed: use its constructor");
            } else if (count < most) {
                differences.add(name + " has only " + count + " now; say so in " + RATCHET);
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    void aPortThatIsSetLaterIsCounted() {
        JavaClass sample = new ClassFileImporter().importClass(Sample.class);
        assertThat(sample.getFields().stream()
                        .filter(LateBindingTest::isLateBound)
                        .map(JavaField::getName))
                .containsExactly("late");
    }

    /** What the rule sees: one port in time, one late, and a state that changes. */
    @SuppressWarnings("unused")
    private static final class Sample {
        private final Runnable inTime;
        private Runnable late;
        private String state;

        Sample(Runnable inTime) {
            this.inTime = inTime;
            this.late = inTime;
            this.state = "";
        }

        void bind(Runnable port) {
            late = port;
            state = "bound";
        }
    }

    private static Map<String, Integer> lateBound() {
        return CodeBase.handWritten().stream()
                .filter(type -> ASSEMBLED.contains(type.getPackageName().split("\\.", 4)[2]))
                .flatMap(type -> type.getFields().stream())
                .filter(LateBindingTest::isLateBound)
                .collect(Collectors.toMap(field -> field.getOwner().getName(), _ -> 1, Integer::sum, TreeMap::new));
    }

    private static boolean isLateBound(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.FINAL)
                && !field.getModifiers().contains(JavaModifier.STATIC)
                && isPort(field.getRawType())
                && field.getAccessesToSelf().stream().anyMatch(LateBindingTest::isLateSet);
    }

    /** An interface that anybody may implement: a sealed one has states and messages. */
    private static boolean isPort(JavaClass type) {
        Class<?> itself = type.reflect(); // classes of libraries are not looked up by the import
        return itself.isInterface() && !itself.isSealed() && !isValue(type);
    }

    private static boolean isValue(JavaClass type) {
        return type.getPackageName().startsWith("java.util")
                && !type.getPackageName().equals("java.util.function");
    }

    private static boolean isLateSet(JavaFieldAccess access) {
        JavaCodeUnit setter = access.getOrigin();
        return access.getAccessType() == JavaFieldAccess.AccessType.SET && !(setter instanceof JavaConstructor);
    }
}
