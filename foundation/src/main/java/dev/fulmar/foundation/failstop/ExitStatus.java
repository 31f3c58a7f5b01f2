package dev.fulmar.foundation.failstop;

/**
 * Exit statuses of a node's process, as numbered in {@code sysexits.h} where that fits. The supervisor of the process
 * goes by them.
 */
public enum ExitStatus {
    /** Stopped as asked. */
    STOPPED(0),

    /** EX_SOFTWARE: a thread broke, or memory ran out. Another start helps: what was acknowledged is in the log. */
    BROKEN(70),

    /** EX_IOERR: the device of the data failed. Another start does not help before somebody has looked at it. */
    DEVICE_FAILED(74),

    /** EX_TEMPFAIL: the node was asked to start again. */
    TO_RESTART(75),

    /** EX_NOPERM: the cluster does not accept the node any more, so another start would not help. */
    NOT_TAKEN(77);

    private final int number;

    ExitStatus(int number) {
        this.number = number;
    }

    /** The process's exit status. */
    public int number() {
        return number;
    }
}
