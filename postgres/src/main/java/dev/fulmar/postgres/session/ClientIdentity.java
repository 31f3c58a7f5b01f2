package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.access.Caller;

/**
 * Identity of a session's client.
 *
 * @param user the name that it has given; empty for none
 * @param database the name of the database that it has given
 * @param clientId first half of the handles of its requests, never 0
 * @param origin its address, for people
 */
public record ClientIdentity(Caller caller, String user, String database, long clientId, String origin) {}
