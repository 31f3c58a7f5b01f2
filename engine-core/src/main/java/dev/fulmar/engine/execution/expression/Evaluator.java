package dev.fulmar.engine.execution.expression;

/** A compiled expression, by the way its values are held ({@code TypeKind.Storage}). */
public sealed interface Evaluator permits LongEvaluator, DoubleEvaluator, WideEvaluator, BytesEvaluator {}
