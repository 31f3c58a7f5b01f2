package dev.fulmar.it.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hibernate makes its tables, and stores, finds and changes entities. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HibernateTest {
    private FulmarNode node;
    private SessionFactory sessions;

    /** Its keys come from a sequence, fifty at a time. */
    @Entity(name = "Customer")
    @Table(name = "customer")
    static class Customer {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @Nullable Long id;

        @Column(nullable = false, length = 40)
        String name = "";

        @Version
        long version;

        @OneToMany(mappedBy = "customer")
        List<Purchase> purchases = new ArrayList<>();
    }

    /** Its keys are drawn by the database. */
    @Entity(name = "Purchase")
    @Table(name = "purchase")
    static class Purchase {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable Long id;

        @ManyToOne(fetch = FetchType.LAZY, optional = false)
        @Nullable Customer customer;

        @Column(precision = 12, scale = 2)
        BigDecimal amount = BigDecimal.ZERO;

        Instant placed = Instant.EPOCH;
        boolean paid;

        @Nullable String note;
    }

    @BeforeEach
    void start() {
        node = SmallNode.start(3);
        sessions = factory("create");
    }

    private SessionFactory factory(String schema) {
        return new Configuration()
                .addAnnotatedClass(Customer.class)
                .addAnnotatedClass(Purchase.class)
                .setProperty(
                        "hibernate.connection.url",
                        "jdbc:postgresql://127.0.0.1:"
                                + node.postgresAddress().orElseThrow().port() + "/fulmar")
                .setProperty("hibernate.connection.username", "ann")
                .setProperty("hibernate.hbm2ddl.auto", schema)
                .setProperty("hibernate.jdbc.batch_size", "20")
                .buildSessionFactory();
    }

    @AfterEach
    void stop() {
        sessions.close();
        node.close();
    }

    private static Customer customer(String name) {
        Customer customer = new Customer();
        customer.name = name;
        return customer;
    }

    private static Purchase purchase(Customer by, String amount) {
        Purchase purchase = new Purchase();
        purchase.customer = by;
        purchase.amount = new BigDecimal(amount);
        purchase.placed = Instant.parse("2026-11-29T10:15:30.123456Z");
        return purchase;
    }

    @Test
    void entitiesComeBackAsTheyWereStored() {
        sessions.inTransaction(session -> {
            Customer ann = customer("ann");
            session.persist(ann);
            session.persist(purchase(ann, "12.50"));
            session.persist(purchase(ann, "0.01"));
        });
        sessions.inSession(session -> {
            Customer ann = session.createSelectionQuery("from Customer where name = :name", Customer.class)
                    .setParameter("name", "ann")
                    .getSingleResult();
            assertThat(Hibernate.isInitialized(ann.purchases)).isFalse();
            assertThat(ann.purchases)
                    .extracting(purchase -> purchase.amount)
                    .containsExactlyInAnyOrder(new BigDecimal("12.50"), new BigDecimal("0.01"));
            assertThat(ann.purchases.getFirst().placed).isEqualTo(Instant.parse("2026-11-29T10:15:30.123456Z"));
        });
    }

    @Test
    void queriesJoinGroupAndPage() {
        sessions.inTransaction(session -> {
            for (int i = 0; i < 30; i++) {
                Customer each = customer("customer " + i);
                session.persist(each);
                for (int j = 0; j < i % 3; j++) {
                    session.persist(purchase(each, j + ".25"));
                }
            }
        });
        sessions.inSession(session -> {
            assertThat(session.createSelectionQuery(
                                    "select c.name, count(p), sum(p.amount) from Customer c join c.purchases p"
                                            + " group by c.id, c.name having count(p) > 1 order by c.name",
                                    Object[].class)
                            .setMaxResults(2)
                            .getResultList())
                    .extracting(row -> row[0] + " " + row[1] + " " + row[2])
                    .containsExactly("customer 11 2 1.50", "customer 14 2 1.50");
            assertThat(session.createSelectionQuery(
                                    "from Customer c where exists (from Purchase p where p.customer = c) order by c.id",
                                    Customer.class)
                            .setFirstResult(10)
                            .setMaxResults(5)
                            .getResultList())
                    .hasSize(5);
            assertThat(session.createSelectionQuery(
                                    "select c from Customer c left join fetch c.purchases where c.name like 'customer 2%'",
                                    Customer.class)
                            .getResultList())
                    .hasSize(11);
        });
        sessions.inTransaction(session -> {
            assertThat(session.createMutationQuery("update Purchase set paid = true where amount > 1")
                            .executeUpdate())
                    .isEqualTo(10);
            assertThat(session.createMutationQuery("delete from Purchase where paid = false")
                            .executeUpdate())
                    .isEqualTo(20);
        });
    }

    /** The version of a row that another transaction has changed is another one. */
    @Test
    void theSecondOfTwoChangesIsRefused() {
        sessions.inTransaction(session -> session.persist(customer("ann")));
        Customer mine = sessions.fromSession(session ->
                session.createSelectionQuery("from Customer", Customer.class).getSingleResult());
        sessions.inTransaction(session ->
                session.createSelectionQuery("from Customer", Customer.class).getSingleResult().name = "ann b.");
        mine.name = "ann c.";
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.merge(mine)))
                .isInstanceOf(OptimisticLockException.class);
        sessions.inSession(session -> assertThat(session.createSelectionQuery("select name from Customer", String.class)
                        .getSingleResult())
                .isEqualTo("ann b."));
    }

    /** The tables that were made are those that are expected; a further start changes nothing. */
    @Test
    void theSchemaIsRecognised() {
        sessions.inTransaction(session -> session.persist(customer("ann")));
        factory("validate").close();
        factory("update").close();
        sessions.inSession(
                session -> assertThat(session.createSelectionQuery("select count(*) from Customer", Long.class)
                                .getSingleResult())
                        .isEqualTo(1));
    }
}
