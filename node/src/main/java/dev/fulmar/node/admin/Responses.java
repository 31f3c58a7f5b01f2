package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Answers of the node's own procedures. */
final class Responses {
    private static final byte[] NO_BLOCKS = {};

    private Responses() {}

    static TransactionResponse nothing() {
        return new TransactionResponse.Committed(TransactionResponse.Kind.NOTHING, 0, NO_BLOCKS);
    }

    static TransactionResponse value(long value) {
        return new TransactionResponse.Committed(TransactionResponse.Kind.VALUE, value, NO_BLOCKS);
    }

    static TransactionResponse table(byte[] block) {
        return new TransactionResponse.Committed(TransactionResponse.Kind.TABLE, 0, block);
    }

    static TransactionResponse failed(FulmarException error) {
        return new TransactionResponse.Failed(error.code(), String.valueOf(error.getMessage()));
    }

    static FulmarException wrongParameters(String procedure, String usage) {
        return new FulmarException(ErrorCode.WRONG_PARAMETERS, procedure + " is called as " + usage);
    }
}
