package dev.fulmar.it.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring's JdbcTemplate and transactions, over a pool of HikariCP. Its JdbcTransactionManager translates an error of
 * COMMIT, which its older DataSourceTransactionManager does not.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SpringJdbcTest {
    private FulmarNode node;
    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TransactionTemplate transaction;

    @BeforeEach
    void start() {
        node = SmallNode.start(3);
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl("jdbc:postgresql://127.0.0.1:"
                + node.postgresAddress().orElseThrow().port() + "/fulmar");
        configuration.setUsername("ann");
        configuration.setMaximumPoolSize(4);
        pool = new HikariDataSource(configuration);
        jdbc = new JdbcTemplate(pool);
        transaction = new TransactionTemplate(new JdbcTransactionManager(pool));
        jdbc.execute(
                "CREATE TABLE account (id BIGINT PRIMARY KEY, owner VARCHAR(20) NOT NULL, balance BIGINT NOT NULL)");
        jdbc.execute("CREATE TABLE visit (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, place VARCHAR(20))");
        jdbc.batchUpdate(
                "INSERT INTO account VALUES (?, ?, ?)",
                List.of(new Object[] {1L, "ann", 100L}, new Object[] {2L, "bob", 100L}));
    }

    @AfterEach
    void stop() {
        pool.close();
        node.close();
    }

    private long balance(long id) {
        return Objects.requireNonNull(jdbc.queryForObject("SELECT balance FROM account WHERE id = ?", Long.class, id));
    }

    private void transfer(long from, long to, long amount) {
        long balance = balance(from);
        if (balance < amount) {
            throw new IllegalStateException("account " + from + " has only " + balance);
        }
        jdbc.update("UPDATE account SET balance = balance - ? WHERE id = ?", amount, from);
        jdbc.update("UPDATE account SET balance = balance + ? WHERE id = ?", amount, to);
    }

    @Test
    void queriesMapRowsAndKeysComeBack() {
        assertThat(jdbc.query(
                        "SELECT owner, balance FROM account ORDER BY id",
                        (row, number) -> row.getString("owner") + " " + row.getLong("balance")))
                .containsExactly("ann 100", "bob 100");
        assertThat(jdbc.queryForList(
                        "SELECT id FROM account WHERE owner IN (?, ?) ORDER BY id", Long.class, "ann", "eve"))
                .containsExactly(1L);
        GeneratedKeyHolder key = new GeneratedKeyHolder();
        jdbc.update(
                connection -> {
                    PreparedStatement insert =
                            connection.prepareStatement("INSERT INTO visit (place) VALUES (?)", new String[] {"id"});
                    insert.setString(1, "Oslo");
                    return insert;
                },
                key);
        assertThat(jdbc.queryForObject("SELECT place FROM visit WHERE id = ?", String.class, key.getKey()))
                .isEqualTo("Oslo");
    }

    @Test
    void errorsAreTranslated() {
        assertThatThrownBy(() -> jdbc.update("INSERT INTO account VALUES (1, 'eve', 0)"))
                .isInstanceOf(DuplicateKeyException.class);
        assertThatThrownBy(() -> jdbc.update("INSERT INTO account VALUES (3, NULL, 0)"))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThatThrownBy(() -> jdbc.execute("SELEC 1")).isInstanceOf(BadSqlGrammarException.class);
        assertThatThrownBy(() -> jdbc.execute("SELECT * FROM nowhere")).isInstanceOf(BadSqlGrammarException.class);
    }

    @Test
    void aTransactionThatThrowsLeavesNothing() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    transfer(1, 2, 70);
                    transfer(1, 2, 70);
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(balance(1)).isEqualTo(100);

        transaction.executeWithoutResult(status -> transfer(1, 2, 70));
        assertThat(balance(2)).isEqualTo(170);
        transaction.executeWithoutResult(status -> {
            transfer(2, 1, 70);
            status.setRollbackOnly();
        });
        assertThat(balance(2)).isEqualTo(170);
    }

    /** As the documentation says: run it again if another transaction was in its way. */
    private void withRetry(Runnable work) {
        for (int attempt = 1; ; attempt++) {
            try {
                transaction.executeWithoutResult(status -> work.run());
                return;
            } catch (ConcurrencyFailureException e) {
                if (attempt == 100) {
                    throw e;
                }
            }
        }
    }

    @Test
    void transactionsThatMeetAreTriedAgain() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long from = 1L + i % 2;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        for (int round = 0; round < 10; round++) {
                            withRetry(() -> transfer(from, 3 - from, 1));
                        }
                    },
                    Thread::startVirtualThread));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        assertThat(balance(1) + balance(2)).isEqualTo(200);
        assertThat(balance(1)).isEqualTo(100);
    }

    @Test
    void readOnlyTransactionsReadOneState() {
        TransactionTemplate reading = new TransactionTemplate(new JdbcTransactionManager(pool));
        reading.setReadOnly(true);
        Long sum = reading.execute(status -> {
            long first = balance(1);
            transfer();
            return first + balance(2);
        });
        assertThat(sum).isEqualTo(200);
    }

    /** By another connection. */
    private void transfer() {
        CompletableFuture.runAsync(
                        () -> transaction.executeWithoutResult(status -> transfer(1, 2, 10)),
                        Thread::startVirtualThread)
                .join();
    }
}
