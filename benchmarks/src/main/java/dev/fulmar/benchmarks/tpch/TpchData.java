package dev.fulmar.benchmarks.tpch;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Makes the rows of the eight tables, the same for the same scale. */
public final class TpchData {
    /** The tables, in the order in which they are made. */
    public static final List<String> TABLES =
            List.of("region", "nation", "supplier", "part", "partsupp", "customer", "orders", "lineitem");

    private static final int SUPPLIERS_PER_PART = 4;
    private static final int ORDERS_PER_CUSTOMER = 10;
    private static final LocalDate FIRST_ORDER = LocalDate.of(1992, 1, 1);
    private static final int DAYS_OF_ORDERS = 2_406;
    private static final LocalDate TODAY = LocalDate.of(1995, 6, 17);
    /** One order in so many is of large quantities only, so that there are large orders at small scales too. */
    private static final int LARGE_ORDERS = 60;

    private final int suppliers;
    private final int parts;
    private final int customers;

    /** @param scale 1 stands for about six million lines of orders */
    public TpchData(double scale) {
        suppliers = Math.max(20, (int) (10_000 * scale));
        parts = Math.max(80, (int) (200_000 * scale));
        customers = Math.max(60, (int) (150_000 * scale));
    }

    /** Passes each row of the table on: integers, decimals, dates and texts. */
    public void rows(String table, Consumer<Object[]> sink) {
        SplittableRandom random = new SplittableRandom(table.hashCode());
        switch (table) {
            case "region" -> regions(sink);
            case "nation" -> nations(sink);
            case "supplier" -> suppliers(random, sink);
            case "part" -> parts(random, sink);
            case "partsupp" -> suppliersOfParts(random, sink);
            case "customer" -> customers(random, sink);
            case "orders", "lineitem" -> orders(table.equals("orders"), sink);
            default -> throw new IllegalArgumentException("TPC-H has no table " + table);
        }
    }

    private static void regions(Consumer<Object[]> sink) {
        for (int i = 0; i < TpchWords.REGIONS.size(); i++) {
            sink.accept(new Object[] {i, TpchWords.REGIONS.get(i), "region " + i});
        }
    }

    private static void nations(Consumer<Object[]> sink) {
        for (int i = 0; i < TpchWords.NATIONS.size(); i++) {
            TpchWords.Nation nation = TpchWords.NATIONS.get(i);
            sink.accept(new Object[] {i, nation.name(), nation.region(), "nation " + i});
        }
    }

    private void suppliers(SplittableRandom random, Consumer<Object[]> sink) {
        for (int key = 1; key <= suppliers; key++) {
            int nation = random.nextInt(TpchWords.NATIONS.size());
            String comment = key % 20 == 7 ? "slow Customer and other Complaints" : TpchWords.text(random, 4);
            sink.accept(new Object[] {
                key,
                String.format(Locale.ROOT, "Supplier#%09d", key),
                TpchWords.text(random, 2),
                nation,
                phone(random, nation),
                cents(random.nextInt(-99_999, 1_000_000)),
                comment
            });
        }
    }

    private void parts(SplittableRandom random, Consumer<Object[]> sink) {
        for (int key = 1; key <= parts; key++) {
            int maker = random.nextInt(1, 6);
            sink.accept(new Object[] {
                key,
                TpchWords.pick(random, TpchWords.COLORS) + " " + TpchWords.pick(random, TpchWords.COLORS) + " "
                        + TpchWords.pick(random, TpchWords.COLORS),
                "Manufacturer#" + maker,
                "Brand#" + maker + random.nextInt(1, 6),
                TpchWords.pick(random, TpchWords.TYPE_SIZES) + " " + TpchWords.pick(random, TpchWords.TYPE_FINISHES)
                        + " " + TpchWords.pick(random, TpchWords.TYPE_METALS),
                random.nextInt(1, 51),
                TpchWords.pick(random, TpchWords.CONTAINER_SIZES) + " " + TpchWords.pick(random, TpchWords.CONTAINERS),
                price(key),
                TpchWords.text(random, 1)
            });
        }
    }

    private static BigDecimal price(int part) {
        return cents(90_000 + part / 10 % 20_001 + 100 * (part % 1_000));
    }

    /** The supplier of a part, of whom each part has four different ones. */
    private int supplierOf(int part, int number) {
        return (part + number * (suppliers / SUPPLIERS_PER_PART + (part - 1) / suppliers)) % suppliers + 1;
    }

    private void suppliersOfParts(SplittableRandom random, Consumer<Object[]> sink) {
        for (int part = 1; part <= parts; part++) {
            List<Integer> known = new ArrayList<>();
            for (int number = 0; number < SUPPLIERS_PER_PART; number++) {
                int supplier = supplierOf(part, number);
                if (!known.contains(supplier)) {
                    known.add(supplier);
                    sink.accept(new Object[] {
                        part,
                        supplier,
                        random.nextInt(1, 10_000),
                        cents(random.nextInt(100, 100_001)),
                        TpchWords.text(random, 5)
                    });
                }
            }
        }
    }

    private void customers(SplittableRandom random, Consumer<Object[]> sink) {
        for (int key = 1; key <= customers; key++) {
            int nation = random.nextInt(TpchWords.NATIONS.size());
            sink.accept(new Object[] {
                key,
                String.format(Locale.ROOT, "Customer#%09d", key),
                TpchWords.text(random, 2),
                nation,
                phone(random, nation),
                cents(random.nextInt(-99_999, 1_000_000)),
                TpchWords.pick(random, TpchWords.SEGMENTS),
                TpchWords.text(random, 4)
            });
        }
    }

    /** One row for each order, or those of its lines. A third of the customers never order. */
    private void orders(boolean heads, Consumer<Object[]> sink) {
        SplittableRandom random = new SplittableRandom("orders".hashCode());
        int count = customers * ORDERS_PER_CUSTOMER;
        for (int number = 0; number < count; number++) {
            // Keys are sparse: eight of each thirty-two.
            int key = number / 8 * 32 + number % 8 + 1;
            int customer = random.nextInt(customers) / 3 * 3 + 1 + random.nextInt(2);
            LocalDate date = FIRST_ORDER.plusDays(random.nextInt(DAYS_OF_ORDERS));
            List<Object[]> lines = lines(random, key, date);
            Object[] head = head(random, key, Math.min(customer, customers), date, lines);
            if (heads) {
                sink.accept(head);
            } else {
                lines.forEach(sink);
            }
        }
    }

    private static Object[] head(SplittableRandom random, int key, int customer, LocalDate date, List<Object[]> lines) {
        BigDecimal total = BigDecimal.ZERO.setScale(2);
        int open = 0;
        for (Object[] line : lines) {
            total = total.add((BigDecimal) line[5]);
            open += line[9].equals("O") ? 1 : 0;
        }
        String status = open == 0 ? "F" : open == lines.size() ? "O" : "P";
        String comment = random.nextInt(20) == 0 ? "some special quick requests" : TpchWords.text(random, 3);
        return new Object[] {
            key,
            customer,
            status,
            total,
            date,
            TpchWords.pick(random, TpchWords.PRIORITIES),
            String.format(Locale.ROOT, "Clerk#%09d", random.nextInt(1, 1_000)),
            0,
            comment
        };
    }

    private List<Object[]> lines(SplittableRandom random, int order, LocalDate ordered) {
        boolean large = random.nextInt(LARGE_ORDERS) == 0;
        int count = large ? 7 : random.nextInt(1, 8);
        List<Object[]> lines = new ArrayList<>(count);
        for (int number = 1; number <= count; number++) {
            int part = random.nextInt(1, parts + 1);
            int quantity = large ? random.nextInt(40, 51) : random.nextInt(1, 51);
            LocalDate shipped = ordered.plusDays(random.nextInt(1, 122));
            LocalDate received = shipped.plusDays(random.nextInt(1, 31));
            lines.add(new Object[] {
                order,
                part,
                supplierOf(part, random.nextInt(SUPPLIERS_PER_PART)),
                number,
                cents(100L * quantity),
                price(part).multiply(BigDecimal.valueOf(quantity)),
                cents(random.nextInt(11)),
                cents(random.nextInt(9)),
                received.isAfter(TODAY) ? "N" : random.nextBoolean() ? "R" : "A",
                shipped.isAfter(TODAY) ? "O" : "F",
                shipped,
                ordered.plusDays(random.nextInt(30, 91)),
                received,
                TpchWords.pick(random, TpchWords.INSTRUCTIONS),
                TpchWords.pick(random, TpchWords.MODES),
                TpchWords.text(random, 2)
            });
        }
        return lines;
    }

    private static String phone(SplittableRandom random, int nation) {
        return String.format(
                Locale.ROOT,
                "%d-%03d-%03d-%04d",
                nation + 10,
                random.nextInt(100, 1_000),
                random.nextInt(100, 1_000),
                random.nextInt(1_000, 10_000));
    }

    private static BigDecimal cents(long cents) {
        return BigDecimal.valueOf(cents, 2);
    }
}
