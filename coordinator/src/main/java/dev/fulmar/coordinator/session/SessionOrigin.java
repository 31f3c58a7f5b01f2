package dev.fulmar.coordinator.session;

/**
 * Origin of a session.
 *
 * @param client the client's address, for people; empty if it has none
 * @param user the client's name; empty where clients do not log in
 * @param number by which the client tells its transactions apart
 */
record SessionOrigin(String client, String user, long number) {}
