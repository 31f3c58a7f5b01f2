package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Decides on a connection's calls that were sent and not answered when it ends. Invariants: no call is sent again that
 * was under way at a node which said that it broke; and none is sent a third time that was under way at two nodes which
 * were lost, since it may be what ended them. On the connection's event loop.
 */
final class UnansweredCalls {
    /** Reasons for which a server closes a connection that are the same after a repetition. */
    private static final Set<ErrorCode> IN_VAIN =
            EnumSet.of(ErrorCode.MALFORMED_REQUEST, ErrorCode.FRAME_TOO_LARGE, ErrorCode.VERSION_MISMATCH);

    private final OutstandingCalls outstanding;
    private final BiConsumer<PendingCall, FulmarException> settle;

    UnansweredCalls(OutstandingCalls outstanding, BiConsumer<PendingCall, FulmarException> settle) {
        this.outstanding = outstanding;
        this.settle = settle;
    }

    /** The server closes the connection, and says why. */
    void refused(FulmarException reason) {
        if (reason.code() == ErrorCode.NODE_BROKEN) {
            abandon(
                    reason.getMessage() + " before it replied; the call may be why, and is not sent to another node",
                    call -> !call.isOffWire);
        } else if (IN_VAIN.contains(reason.code())) {
            refusedInVain(reason);
        }
    }

    /**
     * It cannot understand or will not take what came, and would do so again. Which call it was is certain if there is
     * one only; the others are repeated once, in case that they are innocent.
     */
    private void refusedInVain(FulmarException reason) {
        List<PendingCall> calls = outstanding.inOrder();
        for (PendingCall call : calls) {
            if (calls.size() == 1) {
                settle.accept(call, new FulmarException(reason.code(), String.valueOf(reason.getMessage())));
            } else if (++call.refusals > 1) {
                settle.accept(
                        call,
                        new FulmarException(
                                ErrorCode.OUTCOME_UNKNOWN,
                                "the server refused this call or one sent beside it, twice: " + reason.getMessage()
                                        + "; the call may have taken effect: read the data to find out"));
            }
            if (call.settled) {
                outstanding.remove(call.requestId);
            }
        }
    }

    /** The connection is gone. */
    void lost() {
        outstanding.forEach(call -> {
            call.inDoubt |= !call.isOffWire;
            call.wasOnWire |= !call.isOffWire;
        });
    }

    /**
     * Another process is at the other end of the next connection than was before.
     *
     * @param before number of the node that was there, or {@link KeyPlaces#ANY}
     * @param knowsRequests whether it belongs to the same cluster: one of its nodes executes nothing again that another
     *     one has
     */
    void metAnotherProcess(int before, boolean knowsRequests) {
        abandon("the server restarted before it replied", call -> !knowsRequests || call.isForOneNode());
        abandon(PendingCall.TWO_NODES_LOST, call -> call.wasOnWire && call.nodeWasLost(before, false));
    }

    /** The call went out on the next connection. */
    void sentAgain(PendingCall call) {
        call.wasOnWire = false;
    }

    void abandon(String why, Predicate<PendingCall> which) {
        for (PendingCall call : outstanding.inOrder()) {
            if (which.test(call)) {
                outstanding.remove(call.requestId);
                String message = why + "; the call may have taken effect: read the data to find out";
                settle.accept(call, new FulmarException(ErrorCode.OUTCOME_UNKNOWN, message));
            }
        }
    }
}
