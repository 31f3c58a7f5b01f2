package dev.fulmar.engine.procedure.loading;

import dev.fulmar.engine.procedure.scan.ClassSet;
import dev.fulmar.procedure.Statement;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the statements that a procedure's code names: constants of its own class and of those that it uses. Their order
 * follows the names of classes and the declarations in them, so that a statement has the same number in every copy.
 */
final class StatementConstants {
    private static final String STATEMENT = Statement.class.descriptorString();

    private StatementConstants() {}

    /** A constant and where it is declared. */
    record Constant(String place, Statement statement) {}

    static List<Constant> find(ClassSet classes, String procedureClass, ClassLoader loader)
            throws ReflectiveOperationException {
        Set<String> used = used(classes);
        List<ClassModel> ordered = new ArrayList<>(classes.models().values());
        ordered.sort(Comparator.comparing(
                model -> !model.thisClass().asInternalName().equals(procedureClass)));
        List<Constant> constants = new ArrayList<>();
        for (ClassModel model : ordered) {
            for (FieldModel field : model.fields()) {
                String owner = model.thisClass().asInternalName();
                String name = field.fieldName().stringValue();
                if (field.fieldType().equalsString(STATEMENT)
                        && field.flags().has(AccessFlag.STATIC)
                        && used.contains(owner + "." + name)) {
                    constants.add(new Constant(owner.replace('/', '.') + "." + name, read(owner, name, loader)));
                }
            }
        }
        return constants;
    }

    private static Set<String> used(ClassSet classes) {
        Set<String> used = new HashSet<>();
        for (ClassModel model : classes.models().values()) {
            for (MethodModel method : model.methods()) {
                for (CodeElement element :
                        method.code().map(code -> code.elementList()).orElse(List.of())) {
                    if (element instanceof FieldInstruction access
                            && access.opcode() == Opcode.GETSTATIC
                            && access.type().equalsString(STATEMENT)) {
                        used.add(declaredIn(classes, access) + "."
                                + access.name().stringValue());
                    }
                }
            }
        }
        return used;
    }

    /** A constant may be named through a subclass or an implementing class. */
    private static String declaredIn(ClassSet classes, FieldInstruction access) {
        return declaredIn(
                classes, access.owner().asInternalName(), access.name().stringValue());
    }

    private static String declaredIn(ClassSet classes, String owner, String name) {
        ClassModel model = classes.find(owner);
        if (model == null
                || model.fields().stream().anyMatch(field -> field.fieldName().equalsString(name))) {
            return owner;
        }
        List<String> parents = new ArrayList<>();
        model.superclass().ifPresent(parent -> parents.add(parent.asInternalName()));
        model.interfaces().forEach(parent -> parents.add(parent.asInternalName()));
        for (String parent : parents) {
            String found = declaredIn(classes, parent, name);
            ClassModel candidate = classes.find(found);
            if (candidate != null
                    && candidate.fields().stream()
                            .anyMatch(field -> field.fieldName().equalsString(name))) {
                return found;
            }
        }
        return owner;
    }

    private static Statement read(String owner, String name, ClassLoader loader) throws ReflectiveOperationException {
        Field field = Class.forName(owner.replace('/', '.'), true, loader).getDeclaredField(name);
        field.setAccessible(true);
        Statement statement = (Statement) field.get(null);
        if (statement == null) {
            throw new NoSuchFieldException("the constant " + owner.replace('/', '.') + "." + name + " is null");
        }
        return statement;
    }
}
