package dev.fulmar.reconfig.move;

import dev.fulmar.foundation.error.FulmarException;

/** Listener for a move's progress and end. Told by tasks. */
interface MoveListener {
    /** So many more bytes are staged, and so many rows in all. */
    void sent(int bytes, long stagedRows);

    /** Few rows are left, and the hand-off is announced. */
    void announced();

    /** The hand-off came too early, for so many times so far. */
    void refused(int times);

    /** The bucket is handed over; calls on its keys waited for so long. */
    void handedOver(long rows, long pauseNanos);

    /** The bucket is where it was, for the reason. */
    void undone(FulmarException cause);
}
