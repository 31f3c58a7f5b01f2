package dev.fulmar.engine.procedure.scan;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The exception handlers of a method, and which of them catch exceptions of others. A cycle would catch the budget's
 * signal for ever: the check at a handler's start throws it again, into the next handler.
 */
public final class HandlerGraph {
    private final List<CodeElement> elements;
    private final List<ExceptionCatch> handlers;
    private final Map<Label, Integer> positions = new HashMap<>();

    private HandlerGraph(CodeModel code) {
        elements = code.elementList();
        handlers = code.exceptionHandlers();
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof LabelTarget target) {
                positions.put(target.label(), i);
            }
        }
    }

    public static HandlerGraph of(CodeModel code) {
        return new HandlerGraph(code);
    }

    private int position(Label label) {
        return positions.getOrDefault(label, elements.size());
    }

    private boolean covers(ExceptionCatch handler, Label label) {
        int position = position(label);
        return position(handler.tryStart()) <= position && position < position(handler.tryEnd());
    }

    /**
     * Whether the entry covers the start of its own handler, but nothing there that can throw. Compilers let the range
     * of a {@code finally} reach over the store of what it caught.
     */
    public boolean coversOwnStore(ExceptionCatch handler) {
        if (!covers(handler, handler.handler())) {
            return false;
        }
        return elements.subList(position(handler.handler()), position(handler.tryEnd())).stream()
                .noneMatch(element -> element instanceof Instruction && !(element instanceof StoreInstruction));
    }

    boolean hasCycle() {
        Map<Label, List<Label>> next = new HashMap<>();
        for (ExceptionCatch thrower : handlers) {
            for (ExceptionCatch catcher : handlers) {
                if (covers(catcher, thrower.handler())
                        && !(catcher.handler().equals(thrower.handler()) && coversOwnStore(catcher))) {
                    next.computeIfAbsent(thrower.handler(), label -> new ArrayList<>())
                            .add(catcher.handler());
                }
            }
        }
        Set<Label> finished = new HashSet<>();
        for (Label start : next.keySet()) {
            if (leadsToCycle(start, next, new HashSet<>(), finished)) {
                return true;
            }
        }
        return false;
    }

    private static boolean leadsToCycle(
            Label label, Map<Label, List<Label>> next, Set<Label> path, Set<Label> finished) {
        if (finished.contains(label)) {
            return false;
        }
        if (!path.add(label)) {
            return true;
        }
        for (Label following : next.getOrDefault(label, List.of())) {
            if (leadsToCycle(following, next, path, finished)) {
                return true;
            }
        }
        path.remove(label);
        finished.add(label);
        return false;
    }
}
