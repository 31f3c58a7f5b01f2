package dev.fulmar.foundation.storage;

/** Names of files, checked the same way by every storage. */
public final class StorageNames {
    private StorageNames() {}

    /** Fails unless the name is relative, stays within its root and means one file. Returns the name. */
    public static String checkFile(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a file has no name");
        }
        return checkDirectory(name);
    }

    /** As {@link #checkFile}; the empty name is the root. */
    public static String checkDirectory(String name) {
        if (name.isEmpty()) {
            return name;
        }
        for (String part : name.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..") || hasForbiddenCharacter(part)) {
                throw new IllegalArgumentException(
                        "'" + name + "' is no name of a file: a name is relative, has / between its parts, and no"
                                + " part is empty, . or .., or holds \\, : or a control character");
            }
        }
        return name;
    }

    private static boolean hasForbiddenCharacter(String part) {
        return part.chars().anyMatch(c -> c == '\\' || c == ':' || Character.isISOControl(c));
    }

    /** The directory of a file; empty for the root. */
    public static String directoryOf(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    /** The last part of a name. */
    public static String lastPart(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }
}
