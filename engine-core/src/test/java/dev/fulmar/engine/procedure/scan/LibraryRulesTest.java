package dev.fulmar.engine.procedure.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.procedure.budget.Guarded;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds the list against the JDK that runs the test. */
class LibraryRulesTest {
    private static final LibraryRules RULES = LibraryRules.load();

    private static List<String> lines() throws IOException {
        try (InputStream stream = LibraryRules.class.getResourceAsStream("library-rules.txt")) {
            assertThat(stream).isNotNull();
            return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .toList();
        }
    }

    private static List<String> classNames() throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith("class ")) {
                List<String> words = Arrays.asList(line.split(" "));
                int end = words.indexOf("default");
                names.addAll(words.subList(1, end < 0 ? words.size() : end));
            }
        }
        return names;
    }

    private static String parameters(Executable executable) {
        StringBuilder text = new StringBuilder();
        for (Class<?> type : executable.getParameterTypes()) {
            text.append(type.descriptorString());
        }
        return text.toString();
    }

    @Test
    void everyNamedClassExists() throws Exception {
        for (String name : classNames()) {
            assertThat(Class.forName(name, false, null)).isNotNull();
        }
    }

    /** A misspelt member would silently fall under its class's default. */
    @Test
    void everyNamedMemberExistsInOneOfItsClasses() throws Exception {
        Set<String> unknown = new TreeSet<>();
        List<Class<?>> current = List.of();
        for (String line : lines()) {
            String[] words = line.split(" ");
            if (line.startsWith("class ")) {
                List<Class<?>> types = new ArrayList<>();
                for (int i = 1; i < words.length && !words[i].equals("default"); i++) {
                    types.add(Class.forName(words[i], false, null));
                }
                current = types;
            } else if (!line.isBlank()
                    && !line.startsWith("#")
                    && !line.startsWith("any")
                    && !line.startsWith("package")) {
                for (int i = 1; i < words.length; i++) {
                    String member = words[i];
                    if (current.stream().noneMatch(type -> hasMember(type, member))) {
                        unknown.add(current + " " + member);
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static boolean hasMember(Class<?> type, String member) {
        String name = member.contains("(") ? member.substring(0, member.indexOf('(')) : member;
        List<Executable> executables = new ArrayList<>(
                name.equals("<init>")
                        ? Arrays.asList(type.getDeclaredConstructors())
                        : Arrays.asList(type.getMethods()));
        if (name.equals("<init>") && type.isInterface()) {
            return false;
        }
        executables.addAll(Arrays.asList(type.getDeclaredMethods()));
        boolean method = executables.stream()
                .filter(executable -> executable instanceof Constructor
                        || executable.getName().equals(name))
                .anyMatch(executable ->
                        !member.contains("(") || member.equals(name + "(" + parameters(executable) + ")"));
        return method
                || Arrays.stream(type.getFields()).map(Field::getName).anyMatch(name::equals)
                || (type.isInterface() && name.equals("toString"));
    }

    /** What the weaver replaces must have something to be replaced by. */
    @Test
    void everyGuardedMethodHasAStandIn() throws Exception {
        Set<String> standIns = new TreeSet<>();
        for (Method method : Guarded.class.getMethods()) {
            if (Modifier.isStatic(method.getModifiers())) {
                standIns.add(method.getName() + "(" + parameters(method) + ")"
                        + method.getReturnType().descriptorString());
            }
        }
        Set<String> missing = new TreeSet<>();
        for (String name : classNames()) {
            Class<?> type = Class.forName(name, false, null);
            for (Method method : type.getMethods()) {
                boolean guarded =
                        RULES.ofMember(name.replace('.', '/'), method.getName(), parameters(method)) == Effect.GUARD;
                if (guarded && !method.getName().equals("toString") && !method.isBridge()) {
                    String receiver = Modifier.isStatic(method.getModifiers()) ? "" : type.descriptorString();
                    String wanted = method.getName() + "(" + receiver + parameters(method) + ")"
                            + method.getReturnType().descriptorString();
                    if (!standIns.contains(wanted)) {
                        missing.add(wanted);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** No method of an allowed class may take the code of another one to a thread, a file or the like. */
    @Test
    void allowedMethodsReturnAllowedClasses() throws Exception {
        Set<String> leaks = new TreeSet<>();
        for (String name : classNames()) {
            Class<?> type = Class.forName(name, false, null);
            for (Method method : type.getMethods()) {
                Effect effect = RULES.ofMember(name.replace('.', '/'), method.getName(), parameters(method));
                Class<?> result = method.getReturnType();
                while (result.isArray()) {
                    result = result.getComponentType();
                }
                if (effect.severity() == Effect.Severity.NONE
                        && !result.isPrimitive()
                        && Set.of(Effect.THREAD, Effect.IO, Effect.PROCESS)
                                .contains(RULES.ofClass(result.getName().replace('.', '/')))) {
                    leaks.add(type.getName() + "." + method.getName() + " " + result.getName());
                }
            }
        }
        assertThat(leaks).isEmpty();
    }

    @Test
    void whatIsNotNamedIsRefused() {
        assertThat(RULES.ofMember("java/beans/Introspector", "flushCaches", "")).isEqualTo(Effect.UNLISTED);
        assertThat(RULES.ofClass("java/util/BitSet")).isEqualTo(Effect.UNLISTED);
        assertThat(RULES.ofMember("java/util/concurrent/ConcurrentHashMap", "get", "Ljava/lang/Object;"))
                .isEqualTo(Effect.THREAD);
    }
}
