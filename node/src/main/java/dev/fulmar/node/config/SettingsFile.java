package dev.fulmar.node.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings in a file, by name. One that ends in {@code .yaml} or {@code .yml} is YAML, where a setting {@code a.b} may
 * be written as {@code b} within {@code a}, and the setting {@code a} beside it as {@code value} within it; any other
 * is a properties file.
 */
final class SettingsFile {
    private static final String OWN_VALUE = "value";

    private SettingsFile() {}

    static Map<String, String> read(Path file) {
        String name = String.valueOf(file.getFileName());
        try (Reader reader = Files.newBufferedReader(file)) {
            return name.endsWith(".yaml") || name.endsWith(".yml") ? yaml(reader, file) : properties(reader);
        } catch (JsonProcessingException e) {
            throw unreadable(file, e.getOriginalMessage() + " in line " + line(e), e);
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(file, String.valueOf(e.getMessage()), e);
        }
    }

    private static int line(JsonProcessingException e) {
        return e.getLocation() == null ? 0 : e.getLocation().getLineNr();
    }

    private static FulmarException unreadable(Path file, String why, @Nullable Exception cause) {
        return new FulmarException(
                ErrorCode.INVALID_CONFIGURATION,
                "the settings in " + file + " cannot be read (" + why + "); check path, permissions and form",
                cause);
    }

    private static Map<String, String> properties(Reader reader) throws IOException {
        Properties properties = new Properties();
        properties.load(reader);
        TreeMap<String, String> texts = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> texts.put(name, properties.getProperty(name)));
        return texts;
    }

    private static Map<String, String> yaml(Reader reader, Path file) throws IOException {
        // The second of two values for one name would silently be the one that counts.
        JsonNode root = YAMLMapper.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build()
                .readTree(reader);
        TreeMap<String, String> texts = new TreeMap<>();
        if (root.isObject()) {
            flatten("", root, texts, file);
        } else if (!root.isMissingNode() && !root.isNull()) {
            throw unreadable(file, "it is no mapping of names to values", null);
        }
        return texts;
    }

    private static void flatten(String prefix, JsonNode node, Map<String, String> texts, Path file) {
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            String name = prefix + entry.getKey();
            JsonNode value = entry.getValue();
            if (value.isObject()) {
                flatten(name + ".", value, texts, file);
            } else if (value.isValueNode() && !value.isNull()) {
                boolean isOwn = !prefix.isEmpty() && entry.getKey().equals(OWN_VALUE);
                String setting = isOwn ? prefix.substring(0, prefix.length() - 1) : name;
                if (texts.put(setting, value.asText()) != null) {
                    throw unreadable(file, setting + " is there twice", null);
                }
            } else {
                throw unreadable(file, "the value of " + name + " is neither a text nor a number", null);
            }
        }
    }
}
