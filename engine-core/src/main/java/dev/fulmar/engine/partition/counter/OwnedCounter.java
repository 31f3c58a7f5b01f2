package dev.fulmar.engine.partition.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that one thread advances and others may read. */
public final class OwnedCounter {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(OwnedCounter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long value;

    public void increment() {
        add(1);
    }

    public void add(long amount) {
        VALUE.setOpaque(this, value + amount);
    }

    /** Replaces the value; for figures that go up and down. */
    public void set(long newValue) {
        VALUE.setOpaque(this, newValue);
    }

    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
