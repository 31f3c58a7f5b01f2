package dev.fulmar.pmemlog.backend;

/**
 * Settings for opening a backend.
 *
 * @param directory of the operating system, in which the backend keeps what it needs; only its owner may write there
 * @param capacityBytes space to take, for a backend that takes all of it when it is new
 * @param emulated whether memory that is not persistent will do, for a test or an experiment
 */
public record BackendSettings(String directory, long capacityBytes, boolean emulated) {}
