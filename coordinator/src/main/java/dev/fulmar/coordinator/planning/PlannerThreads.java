package dev.fulmar.coordinator.planning;

import dev.fulmar.coordinator.fiber.FiberFactory;

/** The threads that plan statements. Thread-safe. */
public interface PlannerThreads {
    /**
     * The number of plannings that may have begun and not ended. Fewer may run at once: the others have stepped aside.
     */
    int count();

    /** The planning of a statement. */
    @FunctionalInterface
    interface Planning {
        /** Plans it; false if that was ended before it was done. */
        boolean run();
    }

    /** Runs the planning, at once if fewer than {@link #count} are under way. */
    void execute(Planning planning);

    /**
     * Called by a planning again and again: lets others run if it has run for long, and returns after some milliseconds
     * at most. False if the planning does not go on yet: it looks whether its time is over, and asks again.
     */
    boolean goesOn();

    /**
     * Each planning is a fiber that never steps aside: for simulated nodes, where planning takes no time, but others
     * may come before it.
     */
    static PlannerThreads of(FiberFactory fibers) {
        return new PlannerThreads() {
            private static final int COUNT = 4;

            @Override
            public int count() {
                return COUNT;
            }

            @Override
            public void execute(Planning planning) {
                fibers.create("planner", planning::run).start();
            }

            @Override
            public boolean goesOn() {
                return true;
            }
        };
    }
}
