package dev.fulmar.pmemlog.backend;

/** The worst failure that durable data survive. Each level survives what the later ones do. */
public enum DurabilityLevel {
    POWER_FAIL("a power failure"),
    OS_CRASH("a crash of the operating system, but no power failure"),
    PROCESS_CRASH("the end of the process, but no crash of the operating system and no power failure");

    private final String description;

    DurabilityLevel(String description) {
        this.description = description;
    }

    /** Failures that forced bytes survive, in words for messages. */
    public String description() {
        return description;
    }
}
