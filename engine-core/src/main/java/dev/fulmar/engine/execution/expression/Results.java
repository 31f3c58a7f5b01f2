package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.memory.OffHeap;

/** Stores the text or bytes that an evaluator computes in the frame's temporary memory, as the evaluator's result. */
final class Results {
    private Results() {}

    static void text(Frame frame, String text) {
        long target = frame.temporary.allocate(NativeText.maxBytes(text));
        bytes(frame, target, NativeText.encode(text, target));
    }

    static void bytes(Frame frame, long address, int length) {
        frame.isNull = false;
        frame.bytesAddress = address;
        frame.bytesLength = length;
    }

    /** Copies what was evaluated last to the address; returns its length. */
    static int copy(Frame frame, long target) {
        OffHeap.copy(frame.bytesAddress, target, frame.bytesLength);
        return frame.bytesLength;
    }
}
