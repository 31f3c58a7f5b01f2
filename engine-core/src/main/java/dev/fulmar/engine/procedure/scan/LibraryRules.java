package dev.fulmar.engine.procedure.scan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds the engine's allow-list of JDK members for procedures, and looks up the effect of a class or member in it. The
 * list is the resource {@code library-rules.txt}. {@link MemberRules} adds the members of the API and of a procedure's
 * jar. Immutable.
 */
public final class LibraryRules {
    private static final String RESOURCE = "library-rules.txt";

    private final Map<String, ClassRules> classes;
    private final Map<String, Effect> anyClass;
    private final Map<String, Effect> packages;

    private LibraryRules(Map<String, ClassRules> classes, Map<String, Effect> anyClass, Map<String, Effect> packages) {
        this.classes = classes;
        this.anyClass = anyClass;
        this.packages = packages;
    }

    /** Members by name, or by name and parameter descriptors, which is stronger. */
    private static final class ClassRules {
        private Effect otherwise = Effect.UNLISTED;
        private final Map<String, Effect> members = new HashMap<>();
    }

    /** Reads the rules that come with the engine. */
    public static LibraryRules load() {
        try (InputStream stream = LibraryRules.class.getResourceAsStream(RESOURCE)) {
            if (stream == null) {
                throw new IllegalStateException("the resource " + RESOURCE + " is missing from the engine's jar");
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
            return parse(reader.lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException("the resource " + RESOURCE + " cannot be read", e);
        }
    }

    static LibraryRules parse(List<String> lines) {
        Map<String, ClassRules> classes = new HashMap<>();
        Map<String, Effect> anyClass = new HashMap<>();
        // The longest prefix comes first.
        Map<String, Effect> packages = new TreeMap<>(Collections.reverseOrder());
        List<ClassRules> current = List.of();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> words = Arrays.asList(line.strip().split("\\s+"));
            switch (words.getFirst()) {
                case "class" -> current = startClasses(words, classes);
                case "any" -> put(anyClass, words.subList(1, words.size()));
                case "package" -> packages.put(words.get(1).replace('.', '/'), Effect.named(words.get(2)));
                default -> current.forEach(rules -> put(rules.members, words));
            }
        }
        return new LibraryRules(classes, anyClass, packages);
    }

    private static List<ClassRules> startClasses(List<String> words, Map<String, ClassRules> classes) {
        List<ClassRules> started = new ArrayList<>();
        int end = words.indexOf("default");
        for (String name : words.subList(1, end < 0 ? words.size() : end)) {
            ClassRules rules = classes.computeIfAbsent(name.replace('.', '/'), key -> new ClassRules());
            if (end >= 0) {
                rules.otherwise = Effect.named(words.get(end + 1));
            }
            started.add(rules);
        }
        return started;
    }

    private static void put(Map<String, Effect> members, List<String> words) {
        Effect effect = Effect.named(words.getFirst());
        for (String member : words.subList(1, words.size())) {
            members.put(member, effect);
        }
    }

    /** Whether the class itself may be named: as a type, in a cast, as a superclass. */
    public Effect ofClass(String internalName) {
        ClassRules rules = classes.get(internalName);
        if (rules != null) {
            return rules.otherwise.severity() == Effect.Severity.NONE || !rules.members.isEmpty()
                    ? Effect.ALLOW
                    : rules.otherwise;
        }
        return ofPackage(internalName);
    }

    /**
     * The effect of using the member.
     *
     * @param parameters descriptors between the parentheses of a method's descriptor; null for a field
     */
    public Effect ofMember(String internalName, String name, @Nullable String parameters) {
        String exact = parameters == null ? name : name + "(" + parameters + ")";
        ClassRules rules = classes.get(internalName);
        if (rules != null) {
            Effect effect = rules.members.get(exact);
            if (effect == null) {
                effect = rules.members.get(name);
            }
            if (effect != null) {
                return effect;
            }
            if (rules.otherwise.severity() != Effect.Severity.NONE) {
                return rules.otherwise;
            }
        }
        Effect general = anyClass.get(exact);
        if (general == null) {
            general = anyClass.get(name);
        }
        if (general != null) {
            return general;
        }
        return rules != null ? rules.otherwise : ofPackage(internalName);
    }

    private Effect ofPackage(String internalName) {
        for (Map.Entry<String, Effect> entry : packages.entrySet()) {
            if (internalName.startsWith(entry.getKey())) {
                return entry.getValue();
            }
        }
        return Effect.UNLISTED;
    }
}
