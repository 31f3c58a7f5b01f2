package dev.fulmar.engine.partition;

/**
 * The outcome of a request, which a retry must find after a restart.
 *
 * @param home partition whose memory of requests has it
 * @param outcome the answer, in a form that its owner can read again
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record RequestOutcome(long clientId, long requestId, int home, byte[] outcome) {}
