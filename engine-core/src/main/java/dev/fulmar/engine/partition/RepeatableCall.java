package dev.fulmar.engine.partition;

/**
 * The data of a procedure call that the log keeps so that a replay repeats its effects: name, parameters, time and
 * seed. Good until the call's partition runs the next one.
 */
public interface RepeatableCall {
    /** Name of the procedure in UTF-8. Not to be changed. */
    byte[] procedureName();

    /** The parameters as they were received. Not to be changed. */
    byte[] parameters();

    /** The present as the procedure read it, in microseconds since 1970. */
    long procedureTimeMicros();

    /** Whether it drew random numbers; otherwise the seed says nothing. */
    boolean drewRandom();

    /** Seed of its random numbers. */
    long seed();

    /** The client by which the request is recognised when it is sent again; 0 if it cannot be. */
    long clientId();

    long requestId();
}
