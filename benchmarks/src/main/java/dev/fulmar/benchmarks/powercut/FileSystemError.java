package dev.fulmar.benchmarks.powercut;

import java.io.IOException;

/** Error of a file system's call: an {@code errno} of Linux. */
final class FileSystemError extends IOException {
    static final int NO_ENTRY = 2;
    static final int BAD_ADDRESS = 14;
    static final int EXISTS = 17;
    static final int OTHER_DEVICE = 18;
    static final int NO_DIRECTORY = 20;
    static final int IS_DIRECTORY = 21;
    static final int INVALID = 22;
    static final int NO_SPACE = 28;
    static final int NOT_IMPLEMENTED = 38;
    static final int NOT_EMPTY = 39;

    private static final long serialVersionUID = 1;

    private final int errorNumber;

    FileSystemError(int errorNumber, String what) {
        super(what);
        this.errorNumber = errorNumber;
    }

    int errorNumber() {
        return errorNumber;
    }
}
