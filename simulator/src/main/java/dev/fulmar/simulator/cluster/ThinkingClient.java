package dev.fulmar.simulator.cluster;

import dev.fulmar.foundation.simulated.SimulatedWorld;

/** A client that thinks, does something, and thinks again when that has ended, until it is told to rest. */
abstract class ThinkingClient {
    private final SimulatedWorld world;
    private final String thought;
    private boolean isResting;
    private boolean isBusy;

    /** @param thought that the diary of the world names */
    ThinkingClient(SimulatedWorld world, String thought) {
        this.world = world;
        this.thought = thought;
    }

    /** Begins, or goes on. */
    void work() {
        isResting = false;
        if (!isBusy) {
            isBusy = true;
            think();
        }
    }

    /** Wants nothing more. */
    void rest() {
        isResting = true;
    }

    /** Whether it waits for nothing. */
    boolean isIdle() {
        return !isBusy;
    }

    /** Thinks, and then acts. */
    final void think() {
        world.schedule(pauseNanos(), thought, () -> {
            if (isResting) {
                isBusy = false;
            } else {
                act();
            }
        });
    }

    /** How long it thinks. */
    abstract long pauseNanos();

    /** Does something, and thinks when it has ended. */
    abstract void act();
}
