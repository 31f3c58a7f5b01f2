package dev.fulmar.engine.spi;

/** The time that must pass between two slices of long reading beside much other work, as a multiple of a slice's. */
public enum SliceHaste {
    /** Reading that has time: a twenty-fifth of the site's time. */
    USUAL(24),
    /** Reading that delays an operator: a ninth. */
    BRISK(8),
    /** Reading that must keep up with changes, though that slows other work down: half of it. */
    URGENT(1);

    private final int ratio;

    SliceHaste(int ratio) {
        this.ratio = ratio;
    }

    /** The multiple. */
    public int ratio() {
        return ratio;
    }
}
