/**
 * The interface between a stored procedure and the database; nothing else of Fulmar is visible to a procedure.
 * Invariant: one call is one transaction: it commits when {@code run} returns and leaves no trace when {@code run}
 * throws.
 *
 * <p>A procedure is a public class with a public constructor without parameters that implements
 * {@link dev.fulmar.procedure.Procedure}. It declares its statements as {@code static final}
 * {@link dev.fulmar.procedure.Statement} fields. It has exactly one public method {@code run}, whose first parameter is
 * a {@link dev.fulmar.procedure.ProcedureContext}. The caller passes the other parameters:
 * {@code boolean, byte, short, int, long, float, double}, their boxes,
 * {@code String, byte[], BigDecimal, LocalDate, LocalTime, LocalDateTime, Instant, UUID}, and one-dimensional arrays of
 * these except of the boxes. It returns {@code void}, {@code long}, {@link dev.fulmar.procedure.Rows} or
 * {@code Rows[]}.
 */
@NullMarked
package dev.fulmar.procedure;

import org.jspecify.annotations.NullMarked;
