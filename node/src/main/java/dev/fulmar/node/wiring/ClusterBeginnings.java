package dev.fulmar.node.wiring;

import dev.fulmar.coordinator.Database;
import dev.fulmar.foundation.error.ErrorCode.Category;
import dev.fulmar.foundation.error.FulmarException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * First tables, procedures and administrator of a new cluster. They are made once: the tables by the node that changes
 * the catalog while there are none, the administrator by any node that was given one.
 */
final class ClusterBeginnings {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterBeginnings.class);

    /** A node that cannot learn the catalog for so long goes on without: other nodes may have to come first. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration WARNING = Duration.ofSeconds(30);
    private static final long PERIOD_MILLIS = 10;

    private final Database database;
    private final NodeSecurity security;
    private final InitialSchema schema;
    private final BooleanSupplier isClosing;
    private volatile boolean makesSchema;
    private final CompletableFuture<Void> begun = new CompletableFuture<>();

    ClusterBeginnings(Database database, NodeSecurity security, List<String> schema, BooleanSupplier isClosing) {
        this.database = database;
        this.security = security;
        this.schema = new InitialSchema(database, schema);
        this.isClosing = isClosing;
    }

    /**
     * Waits until this node knows the catalog with the first tables and users, or until waiting is over. A node that
     * makes the first tables goes on waiting, for without them the cluster is of no use. Fails if the tables or users
     * are refused meanwhile.
     */
    void await() {
        Thread.ofPlatform().daemon().name("fulmar-beginnings").start(this::begin);
        try {
            while (!isBegun() && makesSchema) {
                LOG.info(
                        "the first tables and procedures are being made; the nodes that lead partitions have to come first");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof FulmarException refused ? refused : new IllegalStateException(e.getCause());
        }
        if (!begun.isDone()) {
            LOG.warn(
                    "the cluster's tables and users are not known here yet; the node serves what it can when they are");
        }
    }

    private boolean isBegun() throws InterruptedException, ExecutionException {
        try {
            begun.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return isClosing.getAsBoolean();
        }
    }

    private void begin() {
        try {
            long warningNanos = System.nanoTime() + WARNING.toNanos();
            while (!isClosing.getAsBoolean() && !isDone()) {
                if (System.nanoTime() - warningNanos > 0) {
                    warningNanos += WARNING.toNanos();
                    LOG.warn("{}", waitsFor());
                }
                Thread.sleep(PERIOD_MILLIS);
            }
            security.noteStart();
            begun.complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Error e) {
            begun.completeExceptionally(e);
            throw e; // to the thread's handler of what nobody caught
        } catch (RuntimeException e) {
            if (!begun.completeExceptionally(e)) {
                LOG.error("what the cluster is to begin with could not be made: {}", e.getMessage(), e);
            }
        }
    }

    private String waitsFor() {
        if (!database.copies().hasCatalog()) {
            return "the plan of the cluster does not say where its catalog is; a cluster that an older version of Fulmar made has"
                    + " no tables and procedures that all nodes share";
        }
        return database.copies().knowsCatalog()
                ? "nobody can log in, for there is no user with ADMIN yet; name a file with NAME:PASSWORD with --administrator"
                        + " on one node"
                : "the cluster's tables and users are not known here yet; start the nodes that ran last";
    }

    private boolean isDone() {
        if (!database.copies().hasCatalog() || !database.copies().knowsCatalog()) {
            return false;
        }
        try {
            // Once it has begun a node goes on, wherever changes are made meanwhile: nobody else begins when there is
            // something.
            boolean begins = schema.hasMore() && database.catalog().version() == 0;
            if (begins && !database.copies().changesCatalog()) {
                return false;
            }
            if (begins || schema.isBegun()) {
                makesSchema = true;
                schema.apply();
                makesSchema = false;
            }
            return security.openShared(database);
        } catch (FulmarException e) {
            if (e.code().category() == Category.RETRYABLE) {
                return false;
            }
            throw e;
        }
    }
}
