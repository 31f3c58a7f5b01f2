package dev.fulmar.foundation.agent.real;

import dev.fulmar.foundation.agent.Agent;

/** Breaks at its first duty cycle, after which it cannot be logged: asking for its name fails too. */
final class Unnameable implements Agent {
    private volatile boolean broken;

    @Override
    public int doWork() {
        broken = true;
        throw new StackOverflowError("of the test");
    }

    @Override
    public String roleName() {
        if (broken) {
            throw new NoClassDefFoundError("ch/qos/logback/classic/spi/ThrowableProxy");
        }
        return "unnameable";
    }
}
