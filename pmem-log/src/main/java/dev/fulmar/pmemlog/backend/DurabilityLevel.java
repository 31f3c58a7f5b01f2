package dev.fulmar.pmemlog.backend;

/** The worst that something durable survives. Each level survives what the later ones do. */
public enum DurabilityLevel {
    POWER_FAIL("a power failure"),
    OS_CRASH("a crash of the operating system, but no power failure"),
    PROCESS_CRASH("the end of the process, but no crash of the operating system and no power failure");

    private final String description;

    DurabilityLevel(String description) {
        this.description = description;
    }

    /** What is survived, for messages. */
    public String description() {
        return description;
    }
}
