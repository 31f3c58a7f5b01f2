package dev.fulmar.engine.procedure.scan;

import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of using members, wherever they are declared: in a procedure's jar, in the API or in the JDK. Immutable.
 */
public final class MemberRules {
    private static final String API_PREFIX = "dev/fulmar/procedure/";

    private final LibraryRules library;
    private final ClassSet classes;

    public MemberRules(LibraryRules library, ClassSet classes) {
        this.library = library;
        this.classes = classes;
    }

    /** The effect of naming the class; arrays count as their elements. */
    public Effect ofClass(String nameOrArray) {
        String name = elementOf(nameOrArray);
        if (name.isEmpty() || classes.contains(name) || isApi(name)) {
            return Effect.ALLOW;
        }
        if (!isLibrary(name)) {
            return Effect.MISSING;
        }
        return library.ofClass(name);
    }

    /** The class of an array's elements, empty if they are primitive; any other name as it is. */
    private static String elementOf(String nameOrArray) {
        if (!nameOrArray.startsWith("[")) {
            return nameOrArray;
        }
        int type = nameOrArray.lastIndexOf('[') + 1;
        return nameOrArray.charAt(type) == 'L' ? nameOrArray.substring(type + 1, nameOrArray.length() - 1) : "";
    }

    /**
     * The effect of using the member.
     *
     * @param descriptor of the method; null for a field
     */
    public Effect ofMember(String owner, String name, @Nullable String descriptor) {
        String parameters = descriptor == null ? null : descriptor.substring(1, descriptor.indexOf(')'));
        if (owner.startsWith("[")) {
            return "clone".equals(name) ? Effect.LINEAR : library.ofMember("java/lang/Object", name, parameters);
        }
        if (isApi(owner)) {
            return Effect.ALLOW;
        }
        if (!classes.contains(owner)) {
            return isLibrary(owner) ? checked(library.ofMember(owner, name, parameters), parameters) : Effect.MISSING;
        }
        if ("toString".equals(name) && "".equals(parameters)) {
            return Effect.GUARD;
        }
        if (descriptor == null || classes.declares(owner, name, descriptor)) {
            return Effect.ALLOW;
        }
        return inherited(owner, name, parameters);
    }

    /** An effect that looks at the last argument holds only where that is of the expected type. */
    private static Effect checked(Effect effect, @Nullable String parameters) {
        String types = parameters == null ? "" : parameters;
        boolean fits = switch (effect) {
            case SIZED, SCALE -> types.endsWith("I") && !types.endsWith("[I");
            case COPIES -> types.endsWith(";");
            case DIGITS -> types.endsWith("Ljava/lang/String;");
            default -> true;
        };
        return fits ? effect : Effect.UNLISTED;
    }

    /** The worst that any of the JDK's classes and interfaces above the class says. */
    private Effect inherited(String owner, String name, @Nullable String parameters) {
        Effect worst = Effect.ALLOW;
        for (String ancestor : libraryAncestors(owner)) {
            Effect effect = checked(library.ofMember(ancestor, name, parameters), parameters);
            // A method that an ancestor does not have is not listed there; another one has it.
            if (effect != Effect.UNLISTED
                    && effect.severity().compareTo(worst.severity()) >= 0
                    && effect != Effect.ALLOW) {
                worst = effect;
            }
        }
        return worst;
    }

    private List<String> libraryAncestors(String owner) {
        List<String> ancestors = new ArrayList<>();
        collectAncestors(owner, ancestors);
        return ancestors;
    }

    private void collectAncestors(String name, List<String> ancestors) {
        ClassModel model = classes.find(name);
        if (model == null) {
            if (isLibrary(name)) {
                ancestors.add(name);
            }
            return;
        }
        model.superclass().ifPresent(entry -> collectAncestors(entry.asInternalName(), ancestors));
        for (ClassEntry entry : model.interfaces()) {
            collectAncestors(entry.asInternalName(), ancestors);
        }
    }

    static boolean isApi(String internalName) {
        return internalName.startsWith(API_PREFIX);
    }

    /** Names that belong to the JDK; no jar may define a class there. */
    public static boolean isLibrary(String internalName) {
        return internalName.startsWith("java/")
                || internalName.startsWith("javax/")
                || internalName.startsWith("jdk/")
                || internalName.startsWith("sun/")
                || internalName.startsWith("com/sun/");
    }
}
