package dev.fulmar.foundation.storage;

import java.io.IOException;
import java.util.Locale;

/**
 * Recognises errors of an operating system without free resources, for which the seam has no types of its own. Nothing
 * is broken then.
 */
public final class Scarcity {
    private Scarcity() {}

    /** Whether the device has no space. */
    public static boolean isOfSpace(IOException cause) {
        String message = messageOf(cause);
        return message.contains("no space left") || message.contains("quota exceeded");
    }

    /**
     * Whether the process, or the machine, has as many files open as it may. The call had no effect, and can be made
     * again.
     */
    public static boolean isOfDescriptors(IOException cause) {
        return messageOf(cause).contains("too many open files");
    }

    private static String messageOf(IOException cause) {
        return String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    }
}
