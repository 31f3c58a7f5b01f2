package dev.fulmar.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Names that say nothing, packages that say nothing about themselves, and Java's own serialization: none of them. */
class NamesTest {
    private static final Set<String> EMPTY_WORDS = Set.of("manager", "util", "utils", "common", "helper", "helpers");
    /** Coined words that the field has a term for; docs/GLOSSARY.md has the terms. */
    private static final Set<String> RETIRED_WORDS = Set.of(
            "hosted",
            "lane",
            "door",
            "census",
            "weighing",
            "weighed",
            "shadow",
            "doubts",
            "doubtful",
            "guest",
            "visit",
            "departure",
            "departures",
            "hopping",
            "narrowing",
            "applies",
            "heir",
            "placement");

    /** Words of other meaning: a guest site is a term, and placement is that of partitions on sites alone. */
    private static final Set<String> NOT_RETIRED = Set.of("GuestAgentRunner", "SitePlacement");

    private static final Pattern BETWEEN_WORDS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_|\\$");

    @Test
    void classNamesSayWhatTheClassDoes() {
        assertThat(CodeBase.handWritten().stream()
                        .map(JavaClass::getName)
                        .filter(name -> saysNothing(BETWEEN_WORDS.split(name.substring(name.lastIndexOf('.') + 1)))))
                .isEmpty();
    }

    @Test
    void classNamesAreTheFieldsTerms() {
        assertThat(CodeBase.handWritten().stream()
                        .filter(type -> !NOT_RETIRED.contains(type.getSimpleName()))
                        .map(JavaClass::getName)
                        .filter(name -> isRetired(BETWEEN_WORDS.split(name.substring(name.lastIndexOf('.') + 1)))))
                .isEmpty();
    }

    @Test
    void packageNamesSayWhatIsInside() {
        assertThat(CodeBase.handWritten().stream()
                        .map(JavaClass::getPackageName)
                        .distinct()
                        .filter(name -> saysNothing(name.split("\\."))))
                .isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIsAndIsNullMarked() {
        Set<String> silent = new TreeSet<>();
        for (JavaClass type : CodeBase.handWritten()) {
            JavaPackage home = type.getPackage();
            if (!home.isAnnotatedWith(NullMarked.class)) {
                silent.add(home.getName());
            }
        }
        assertThat(silent).isEmpty();
    }

    @Test
    void nothingIsSerializedByJava() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectOutputStream")
                .because("bytes are written by the wire and log modules, which version them")
                .check(CodeBase.handWritten());
    }

    private static boolean isRetired(String... words) {
        return Arrays.stream(words).anyMatch(word -> RETIRED_WORDS.contains(word.toLowerCase(Locale.ROOT)));
    }

    private static boolean saysNothing(String... words) {
        return Arrays.stream(words).anyMatch(word -> EMPTY_WORDS.contains(word.toLowerCase(Locale.ROOT)));
    }
}
