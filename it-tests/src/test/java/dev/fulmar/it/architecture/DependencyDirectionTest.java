package dev.fulmar.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The arrows between modules, and no cycle between packages. */
class DependencyDirectionTest {
    @ParameterizedTest
    @FieldSource("dev.fulmar.it.architecture.Module#ALL")
    void usesOnlyWhatItMay(Module module) {
        Set<String> reachable = module.reachable();
        String[] forbidden = Module.ALL.stream()
                .filter(other -> !other.equals(module))
                .filter(other -> !reachable.contains(other.name()))
                .map(Module::packages)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(module.packages())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .as(module.name() + " may use only " + reachable)
                .allowEmptyShould(true)
                .check(CodeBase.classes());
    }

    @ParameterizedTest
    @FieldSource("dev.fulmar.it.architecture.Module#ALL")
    void pomNamesTheSameModules(Module module) throws Exception {
        List<String> named = texts(
                CodeBase.directory().resolve(module.name()).resolve("pom.xml"),
                "/project/dependencies/dependency[groupId='dev.fulmar' and not(scope='test')]/artifactId");
        assertThat(named).allMatch(artifact -> artifact.startsWith("fulmar-"));
        assertThat(named.stream().map(artifact -> artifact.substring("fulmar-".length())))
                .containsExactlyInAnyOrderElementsOf(module.uses());
    }

    @Test
    void everyModuleHasItsLine() throws Exception {
        assertThat(texts(CodeBase.directory().resolve("pom.xml"), "/project/modules/module"))
                .containsExactlyInAnyOrderElementsOf(
                        Module.ALL.stream().map(Module::name).toList());
    }

    @ParameterizedTest
    @FieldSource("dev.fulmar.it.architecture.Module#ALL")
    void sourcesLiveInThePackageOfTheirModule(Module module) throws IOException {
        Path home = Path.of("dev", "fulmar", module.shortPackage());
        Set<Path> strangers = new TreeSet<>();
        for (String tree : List.of("src/main/java", "src/test/java")) {
            Path sources = CodeBase.directory().resolve(module.name()).resolve(tree);
            if (Files.isDirectory(sources)) {
                try (var files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .map(sources::relativize)
                            .filter(not(file -> file.startsWith(home)))
                            .forEach(strangers::add);
                }
            }
        }
        assertThat(strangers).isEmpty();
    }

    @Test
    void packagesHaveNoCycle() {
        slices().matching("dev.fulmar.(**)").should().beFreeOfCycles().check(CodeBase.classes());
    }

    /** A builder names the client that it makes, and the client its builder: these two are one. */
    @Test
    void filesOfTheClientHaveNoCycle() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        String file = outermost(type).getSimpleName();
                        return !type.getPackageName().equals("dev.fulmar.client")
                                ? SliceIdentifier.ignore()
                                : SliceIdentifier.of(file.equals("Builder") ? "FulmarClient" : file);
                    }

                    @Override
                    public String getDescription() {
                        return "files of the client";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CodeBase.classes());
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(DependencyDirectionTest::outermost).orElse(type);
    }

    private static List<String> texts(Path xml, String expression) throws Exception {
        Document document =
                DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(xml.toFile());
        NodeList nodes = (NodeList)
                XPathFactory.newDefaultInstance().newXPath().evaluate(expression, document, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent());
        }
        return texts;
    }
}
