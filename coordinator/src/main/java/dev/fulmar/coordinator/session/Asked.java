package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;

/** A statement that a session is to execute, and the receiver of its answer. */
record Asked(TransactionRequest.AdHoc request, ResponseSink sink) {}
