package dev.fulmar.engine.procedure.scan;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A procedure's class and every class of its jar that it can reach, parsed. Immutable. */
public final class ClassSet {
    private static final Pattern CLASS_IN_DESCRIPTOR = Pattern.compile("L([^;]+);");

    private final SortedMap<String, ClassModel> models;

    private ClassSet(SortedMap<String, ClassModel> models) {
        this.models = models;
    }

    /** Parses what the class reaches. Throws {@link IllegalArgumentException} if a class file is malformed. */
    public static ClassSet reachedFrom(String internalName, ClassSource source) {
        SortedMap<String, ClassModel> models = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>();
        open.add(internalName);
        while (!open.isEmpty()) {
            String name = open.remove();
            byte[] bytes = models.containsKey(name) ? null : source.find(name);
            if (bytes != null) {
                ClassModel model = ClassFile.of().parse(bytes);
                models.put(name, model);
                addReferences(model, open);
            }
        }
        return new ClassSet(models);
    }

    private static void addReferences(ClassModel model, Deque<String> open) {
        for (PoolEntry entry : model.constantPool()) {
            switch (entry) {
                case ClassEntry type -> addType(type.asInternalName(), open);
                case NameAndTypeEntry member -> addTypes(member.type().stringValue(), open);
                case MethodTypeEntry type -> addTypes(type.descriptor().stringValue(), open);
                default -> {
                    // The other kinds of entries name no class by themselves.
                }
            }
        }
        for (FieldModel field : model.fields()) {
            addTypes(field.fieldType().stringValue(), open);
        }
        for (MethodModel method : model.methods()) {
            addTypes(method.methodType().stringValue(), open);
        }
    }

    private static void addType(String nameOrArray, Deque<String> open) {
        if (nameOrArray.startsWith("[")) {
            addTypes(nameOrArray, open);
        } else {
            open.add(nameOrArray);
        }
    }

    private static void addTypes(String descriptor, Deque<String> open) {
        Matcher matcher = CLASS_IN_DESCRIPTOR.matcher(descriptor);
        while (matcher.find()) {
            open.add(matcher.group(1));
        }
    }

    /** The classes by internal name, in name order. */
    public SortedMap<String, ClassModel> models() {
        return models;
    }

    public @Nullable ClassModel find(String internalName) {
        return models.get(internalName);
    }

    public boolean contains(String internalName) {
        return models.containsKey(internalName);
    }

    /** Whether the class or a superclass of it in the set declares the method. */
    boolean declares(String internalName, String name, String descriptor) {
        ClassModel model = models.get(internalName);
        while (model != null) {
            for (MethodModel method : model.methods()) {
                if (method.methodName().equalsString(name)
                        && method.methodType().equalsString(descriptor)) {
                    return true;
                }
            }
            model = model.superclass()
                    .map(entry -> models.get(entry.asInternalName()))
                    .orElse(null);
        }
        return false;
    }
}
