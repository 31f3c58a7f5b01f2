package dev.fulmar.pmemlog.backend;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The backends on the class path. */
public final class Backends {
    private Backends() {}

    /** Opens a backend of the kind. */
    public static Backend open(String kind, BackendSettings settings) {
        TreeMap<String, BackendProvider> providers = new TreeMap<>();
        ServiceLoader.load(BackendProvider.class, Backends.class.getClassLoader())
                .forEach(provider -> providers.put(provider.name(), provider));
        BackendProvider provider = providers.get(kind);
        if (provider == null) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "there is no backend '" + kind + "'; choose one of " + String.join(", ", providers.keySet()));
        }
        return provider.open(settings);
    }
}
