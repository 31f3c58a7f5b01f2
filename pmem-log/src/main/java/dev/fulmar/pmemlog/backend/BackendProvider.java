package dev.fulmar.pmemlog.backend;

/**
 * Makes backends of a kind. A service: what is on the class path can be chosen. Must load without the libraries that
 * its backends need.
 */
public interface BackendProvider {
    /** Name by which it is chosen. */
    String name();

    /** Opens the backend, creating what is absent. Fails with what to do if it cannot give what it is made for. */
    Backend open(BackendSettings settings);
}
