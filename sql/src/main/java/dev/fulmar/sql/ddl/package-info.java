/**
 * Fulmar's own statements: DDL to {@link dev.fulmar.engine.catalog.CatalogChange}. Entry: {@link dev.fulmar.sql.ddl.DdlParser}.
 * Invariant: DDL is parsed without a catalog; whether its names exist is the engine's question.
 */
@NullMarked
package dev.fulmar.sql.ddl;

import org.jspecify.annotations.NullMarked;
