/**
 * Fulmar's own statements: DDL to {@link dev.fulmar.engine.catalog.CatalogChange}. Entry:
 * {@link dev.fulmar.sql.ddl.DdlParser}. Invariant: the parser asks the catalog only what expressions mean
 * ({@link dev.fulmar.sql.ddl.DdlExpressions}); whether a change is possible is the engine's question, which has the
 * newest catalog.
 */
@NullMarked
package dev.fulmar.sql.ddl;

import org.jspecify.annotations.NullMarked;
