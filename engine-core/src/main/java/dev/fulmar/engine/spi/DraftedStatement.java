package dev.fulmar.engine.spi;

import java.util.Optional;

/**
 * A statement about tables that a transaction has made or altered, as a query of the tables of before.
 *
 * @param query yields what the statement yields, or in one row how many rows it changes; with the parameters of the
 *     statement
 * @param countsRows whether it is that number
 * @param content query of the rows of the statement's table after it, in the order of the table's columns; empty if
 *     the statement changes none, or if there is no such query
 */
public record DraftedStatement(String query, boolean countsRows, Optional<String> content) {}
