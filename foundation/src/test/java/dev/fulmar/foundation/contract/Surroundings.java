package dev.fulmar.foundation.contract;

import java.util.function.BooleanSupplier;

/** How a contract suite lets time pass for the twin that it tests. */
public interface Surroundings {
    /** Waits until the condition holds; returns whether it did before too long. */
    boolean await(BooleanSupplier condition);

    /** Lets so much time pass. */
    void pass(long nanos);

    /** Real time, in which other threads work. */
    Surroundings REAL = new Surroundings() {
        private static final long PATIENCE_NANOS = 20_000_000_000L;

        @Override
        public boolean await(BooleanSupplier condition) {
            long start = System.nanoTime();
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - start > PATIENCE_NANOS) {
                    return false;
                }
                pass(1_000_000);
            }
            return true;
        }

        @Override
        public void pass(long nanos) {
            try {
                Thread.sleep(nanos / 1_000_000, (int) (nanos % 1_000_000));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    };
}
