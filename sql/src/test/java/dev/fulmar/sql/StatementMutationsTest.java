package dev.fulmar.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.Token;
import dev.fulmar.sql.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Statements that are almost right: every one gets a sound plan or an error of its author, never a defect. */
class StatementMutationsTest {
    private static final long SEED = Long.getLong("fulmar.mutations.seed", 20_261_121);
    private static final int MUTATIONS = Integer.getInteger("fulmar.mutations", 300);

    @Test
    void mutatedStatementsAreAnsweredInOrder() {
        SqlCompiler compiler = new SqlCompiler();
        Catalog catalog = CatalogFixture.of(compiler, PlanFiles.resource("dialect.ddl"));
        List<String> statements = PlanFiles.blocks("dialect").stream()
                .map(PlanFiles.Block::statement)
                .toList();
        Random random = new Random(SEED);
        List<String> defects = new ArrayList<>();
        for (int i = 0; i < MUTATIONS; i++) {
            String mutated = mutate(random, statements);
            try {
                if (compiler.compile(mutated, catalog) instanceof SqlFrontend.Compiled.Runnable runnable) {
                    PlanInvariants.check(runnable.plan(), catalog);
                }
            } catch (FulmarException e) {
                assertThat(e.getMessage()).isNotBlank();
                if (e.code() == ErrorCode.INTERNAL) {
                    defects.add(mutated + "\n    " + e.getMessage());
                }
            } catch (AssertionError e) {
                defects.add(mutated + "\n    " + e);
            }
        }
        assertThat(defects).isEmpty();
    }

    private static String mutate(Random random, List<String> statements) {
        List<String> words = new ArrayList<>(words(statements.get(random.nextInt(statements.size()))));
        int changes = 1 + random.nextInt(2);
        for (int i = 0; i < changes; i++) {
            int place = random.nextInt(words.size());
            List<String> others = words(statements.get(random.nextInt(statements.size())));
            String other = others.get(random.nextInt(others.size()));
            switch (random.nextInt(4)) {
                case 0 -> words.set(place, other);
                case 1 -> words.add(place, other);
                case 2 -> words.set(place, words.get(random.nextInt(words.size())));
                default -> {
                    if (words.size() > 1) {
                        words.remove(place);
                    }
                }
            }
        }
        return String.join(" ", words);
    }

    private static List<String> words(String statement) {
        return Tokenizer.tokens(statement).stream()
                .filter(token -> token.kind() != Token.Kind.END)
                .map(Token::text)
                .toList();
    }
}
