package dev.fulmar.engine.partition;

/**
 * The outcome of a client's committed request, as a log record keeps it so that a retry finds it after a restart. A
 * call that is logged by command needs none in its record: the replay yields it again.
 *
 * @param home partition whose memory of requests has it
 * @param outcome the answer, in a form that its owner can read again
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record RequestOutcome(long clientId, long requestId, int home, byte[] outcome) {}
