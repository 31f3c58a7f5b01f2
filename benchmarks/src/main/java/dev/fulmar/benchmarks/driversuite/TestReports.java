package dev.fulmar.benchmarks.driversuite;

import dev.fulmar.benchmarks.driversuite.TestResult.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reader of the reports that Maven's Surefire writes, a file for each class. */
final class TestReports {
    private static final int MOST_SHOWN = 200;

    private TestReports() {}

    /** Results by class and test, as {@code org.postgresql.test.jdbc2.ArrayTest.retrieveArrays}. */
    static SortedMap<String, TestResult> read(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .toList();
        }
        SortedMap<String, TestResult> results = new TreeMap<>();
        for (Path file : files) {
            NodeList tests = parse(file).getElementsByTagName("testcase");
            for (int i = 0; i < tests.getLength(); i++) {
                Element test = (Element) tests.item(i);
                results.merge(name(test), result(test), TestResult::and);
            }
        }
        return results;
    }

    private static Document parse(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().parse(file.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("the report " + file + " cannot be read", e);
        }
    }

    /** Parameters of a test count, but not how an object among them is shown, which has its address. */
    private static String name(Element test) {
        String name = test.getAttribute("name").replaceAll("@[0-9a-f]{5,}", "@").replaceAll("\\s+", " ");
        return test.getAttribute("classname") + "." + name;
    }

    private static TestResult result(Element test) {
        for (String kind : List.of("failure", "error")) {
            NodeList failures = test.getElementsByTagName(kind);
            if (failures.getLength() > 0) {
                return new TestResult(Kind.FAILED, message((Element) failures.item(0)));
            }
        }
        NodeList skipped = test.getElementsByTagName("skipped");
        return skipped.getLength() > 0
                ? new TestResult(Kind.SKIPPED, message((Element) skipped.item(0)))
                : new TestResult(Kind.PASSED, "");
    }

    private static String message(Element end) {
        String message = end.hasAttribute("message") ? end.getAttribute("message") : end.getAttribute("type");
        String line = message.strip().replaceAll("\\s+", " ");
        return line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "..." : line;
    }
}
