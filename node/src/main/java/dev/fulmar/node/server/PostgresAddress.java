package dev.fulmar.node.server;

import dev.fulmar.wire.address.HostAddress;

/**
 * The address at which the node listens for clients of PostgreSQL's protocol.
 *
 * @param isRequired whether the node ends if it cannot listen there; else it goes on without these clients
 */
public record PostgresAddress(HostAddress address, boolean isRequired) {}
