// Checks of programs that use pgx; prints a line for each, in TAP's form.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

type check struct {
	name string
	run  func(ctx context.Context, conn *pgx.Conn) error
}

func same(found, expected any) error {
	if reflect.DeepEqual(found, expected) {
		return nil
	}
	return fmt.Errorf("%#v instead of %#v", found, expected)
}

func first(failures ...error) error {
	for _, failure := range failures {
		if failure != nil {
			return failure
		}
	}
	return nil
}

func stateOf(err error) string {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said.Code
	}
	return fmt.Sprint(err)
}

func execute(ctx context.Context, conn *pgx.Conn, statements ...string) error {
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func one[T any](ctx context.Context, conn *pgx.Conn, sql string, arguments ...any) (T, error) {
	var value T
	err := conn.QueryRow(ctx, sql, arguments...).Scan(&value)
	return value, err
}

func all[T any](ctx context.Context, conn *pgx.Conn, sql string, arguments ...any) ([]T, error) {
	rows, err := conn.Query(ctx, sql, arguments...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

func readsAndWrites(ctx context.Context, conn *pgx.Conn) error {
	if err := execute(ctx, conn, "CREATE TABLE city (id integer PRIMARY KEY, name text, people bigint)"); err != nil {
		return err
	}
	tag, err := conn.Exec(ctx, "INSERT INTO city VALUES ($1, $2, $3), (2, NULL, 0)", 1, "it's", int64(1)<<40)
	if err != nil {
		return err
	}
	names, err := all[*string](ctx, conn, "SELECT name FROM city ORDER BY id")
	if err != nil {
		return err
	}
	people, err := one[int64](ctx, conn, "UPDATE city SET people = people + $1 WHERE id = $2 RETURNING people", 1, 1)
	return first(err, same(tag.String(), "INSERT 0 2"), same(*names[0], "it's"), same(names[1] == nil, true), same(people, int64(1)<<40+1))
}

func hasAllTypes(ctx context.Context, conn *pgx.Conn) error {
	failure := execute(ctx, conn, `CREATE TABLE kinds (id integer PRIMARY KEY, b boolean, s smallint, l bigint, r real,
		d double precision, n numeric(20, 5), c char(4), v varchar(40), t text, x bytea, da date, ti time, ts timestamp, u uuid)`)
	if failure != nil {
		return failure
	}
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	stamp := time.Date(1969, 7, 20, 20, 17, 40, 123456000, time.UTC)
	number := pgtype.Numeric{}
	if err := number.Scan("-123456789012345.54321"); err != nil {
		return err
	}
	clock := pgtype.Time{Microseconds: 86399999999, Valid: true}
	uuid := pgtype.UUID{Bytes: [16]byte{15, 14, 13, 12}, Valid: true}
	// pgx writes bytes into the text of the simple protocol without their type, so they are cast here.
	insert := "INSERT INTO kinds VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::bytea, $12, $13, $14, $15)"
	modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe,
		pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol}
	for id, mode := range modes {
		arguments := []any{mode, id, true, int16(-32768), int64(math.MinInt64), float32(0.5), 5e-324, number, "ab", "ü€😀", "two\nlines\\",
			[]byte{0, 255, 39, 92}, pgtype.Date{Time: day, Valid: true}, clock, pgtype.Timestamp{Time: stamp, Valid: true}, uuid}
		if _, err := conn.Exec(ctx, insert, arguments...); err != nil {
			return fmt.Errorf("%v: %w", mode, err)
		}
		var b bool
		var s int16
		var l int64
		var r float32
		var d float64
		var n pgtype.Numeric
		var c, v, t string
		var x []byte
		var da, ts time.Time
		var ti pgtype.Time
		var u pgtype.UUID
		row := conn.QueryRow(ctx, "SELECT b, s, l, r, d, n, c, v, t, x, da, ti, ts, u FROM kinds WHERE id = $1", mode, id)
		if err := row.Scan(&b, &s, &l, &r, &d, &n, &c, &v, &t, &x, &da, &ti, &ts, &u); err != nil {
			return fmt.Errorf("%v: %w", mode, err)
		}
		text, _ := n.Value()
		failure := first(same(b, true), same(s, int16(-32768)), same(l, int64(math.MinInt64)), same(r, float32(0.5)), same(d, 5e-324),
			same(text, "-123456789012345.54321"), same(c, "ab  "), same(v, "ü€😀"), same(t, "two\nlines\\"),
			same(x, []byte{0, 255, 39, 92}), same(da.UTC(), day), same(ts.UTC(), stamp),
			same(ti, clock), same(u, uuid))
		if failure != nil {
			return fmt.Errorf("%v: %w", mode, failure)
		}
	}
	return nil
}

func preparesByName(ctx context.Context, conn *pgx.Conn) error {
	described, err := conn.Prepare(ctx, "by id", "SELECT name FROM city WHERE id = $1")
	if err != nil {
		return err
	}
	name, err := one[string](ctx, conn, "by id", 1)
	return first(err, same(described.ParamOIDs, []uint32{23}), same(len(described.Fields), 1), same(name, "it's"), conn.Deallocate(ctx, "by id"))
}

func callsProcedures(ctx context.Context, conn *pgx.Conn) error {
	err := execute(ctx, conn, "CREATE TABLE purse (id integer PRIMARY KEY, amount bigint NOT NULL)",
		"CREATE PROCEDURE fill AS INSERT INTO purse VALUES (?, ?)",
		"CREATE PROCEDURE amounts AS SELECT amount FROM purse WHERE id = ?")
	if err != nil {
		return err
	}
	modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe,
		pgx.QueryExecModeDescribeExec, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol}
	for i, mode := range modes {
		tag, err := conn.Exec(ctx, "CALL fill($1, $2)", mode, i, 7)
		called, failure := one[int](ctx, conn, "CALL amounts($1)", mode, i)
		read, again := one[int](ctx, conn, "SELECT * FROM amounts($1)", mode, i)
		err = first(err, failure, again, same(tag.String(), "CALL"), same(called, 7), same(read, 7))
		if err != nil {
			return err
		}
	}
	return nil
}

func preparesAgainAfterChanges(ctx context.Context, conn *pgx.Conn) error {
	sql := "SELECT * FROM changing WHERE id = $1"
	if err := execute(ctx, conn, "CREATE TABLE changing (id integer PRIMARY KEY)", "INSERT INTO changing VALUES (1)"); err != nil {
		return err
	}
	for range 3 {
		if _, err := one[int](ctx, conn, sql, 1); err != nil {
			return err
		}
	}
	if err := execute(ctx, conn, "ALTER TABLE changing ADD COLUMN more integer DEFAULT 7"); err != nil {
		return err
	}
	var id, more int
	err := conn.QueryRow(ctx, sql, 1).Scan(&id, &more)
	failure := same(stateOf(err), "0A000") // pgx forgets the statement then, as with PostgreSQL
	return first(failure, conn.QueryRow(ctx, sql, 1).Scan(&id, &more), same(more, 7))
}

func sendsBatches(ctx context.Context, conn *pgx.Conn) error {
	if err := execute(ctx, conn, "CREATE TABLE batch (id integer PRIMARY KEY)"); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	for i := range 100 {
		batch.Queue("INSERT INTO batch VALUES ($1)", i)
	}
	batch.Queue("SELECT count(*) FROM batch")
	results := conn.SendBatch(ctx, batch)
	for range 100 {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	var counted int
	if err := first(results.QueryRow().Scan(&counted), results.Close(), same(counted, 100)); err != nil {
		return err
	}
	batch = &pgx.Batch{}
	batch.Queue("INSERT INTO batch VALUES (100)")
	batch.Queue("INSERT INTO batch VALUES (1)")
	failure := same(stateOf(conn.SendBatch(ctx, batch).Close()), "23505")
	counted, err := one[int](ctx, conn, "SELECT count(*) FROM batch")
	return first(failure, err, same(counted, 100)) // a batch is all or nothing
}

func copies(ctx context.Context, conn *pgx.Conn) error {
	if err := execute(ctx, conn, "CREATE TABLE copied (id integer PRIMARY KEY, t text, n numeric(8, 2), ts timestamp)"); err != nil {
		return err
	}
	stamp := time.Date(2024, 2, 29, 1, 2, 3, 4000, time.UTC)
	number := pgtype.Numeric{}
	if err := number.Scan("-1.25"); err != nil {
		return err
	}
	count, err := conn.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"id", "t", "n", "ts"},
		pgx.CopyFromSlice(1000, func(i int) ([]any, error) {
			if i%2 == 0 {
				return []any{i, nil, nil, nil}, nil
			}
			return []any{i, fmt.Sprint("row ", i), number, stamp}, nil
		}))
	if err != nil {
		return err
	}
	odd, err := one[int](ctx, conn, "SELECT count(*) FROM copied WHERE t IS NOT NULL AND n = -1.25 AND ts = $1", pgtype.Timestamp{Time: stamp, Valid: true})
	if err != nil {
		return err
	}
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"id"}, pgx.CopyFromRows([][]any{{2000}, {1}}))
	failure := same(stateOf(err), "23505")
	var out bytes.Buffer
	_, err = conn.PgConn().CopyTo(ctx, &out, "COPY (SELECT id, t FROM copied WHERE id < 3 ORDER BY id) TO STDOUT")
	return first(failure, err, same(count, int64(1000)), same(odd, 500), same(out.String(), "0\t\\N\n1\trow 1\n2\t\\N\n"))
}

func hasTransactions(ctx context.Context, conn *pgx.Conn) error {
	if err := execute(ctx, conn, "CREATE TABLE entry (id integer PRIMARY KEY)"); err != nil {
		return err
	}
	broken := errors.New("taken back")
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(outer pgx.Tx) error {
		if _, err := outer.Exec(ctx, "INSERT INTO entry VALUES (1)"); err != nil {
			return err
		}
		inner := pgx.BeginFunc(ctx, outer, func(savepoint pgx.Tx) error {
			if _, err := savepoint.Exec(ctx, "INSERT INTO entry VALUES (2)"); err != nil {
				return err
			}
			return broken
		})
		return same(inner, broken)
	})
	if err != nil {
		return err
	}
	reader, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	_, err = reader.Exec(ctx, "INSERT INTO entry VALUES (3)")
	failure := first(same(stateOf(err), "25006"), reader.Rollback(ctx))
	ids, err := all[int](ctx, conn, "SELECT id FROM entry")
	return first(failure, err, same(ids, []int{1}))
}

func failsWhereAnotherWasFaster(ctx context.Context, conn *pgx.Conn) error {
	if err := execute(ctx, conn, "CREATE TABLE counter (id integer PRIMARY KEY, n integer)", "INSERT INTO counter VALUES (1, 0)"); err != nil {
		return err
	}
	other, err := pgx.ConnectConfig(ctx, conn.Config())
	if err != nil {
		return err
	}
	defer other.Close(ctx)
	transaction, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.Serializable})
	if err != nil {
		return err
	}
	var n int
	failure := first(transaction.QueryRow(ctx, "SELECT n FROM counter").Scan(&n), execute(ctx, other, "UPDATE counter SET n = 5"))
	_, err = transaction.Exec(ctx, "UPDATE counter SET n = 1")
	if err == nil {
		err = transaction.Commit(ctx)
	} else if rollback := transaction.Rollback(ctx); rollback != nil {
		return rollback
	}
	return first(failure, same(stateOf(err), "40001"))
}

func tellsErrors(ctx context.Context, conn *pgx.Conn) error {
	if err := execute(ctx, conn, "CREATE TABLE guest (id integer PRIMARY KEY, age integer CONSTRAINT old CHECK (age > 17))"); err != nil {
		return err
	}
	var said *pgconn.PgError
	_, err := conn.Exec(ctx, "INSERT INTO guest VALUES (1, $1)", 3)
	if !errors.As(err, &said) {
		return fmt.Errorf("no error of the server: %v", err)
	}
	failure := first(same(said.Code, "23514"), same(said.ConstraintName, "old"), same(said.TableName, "guest"), same(said.SchemaName, "public"))
	_, err = conn.Exec(ctx, "SELECT nothing FROM guest")
	if !errors.As(err, &said) {
		return fmt.Errorf("no error of the server: %v", err)
	}
	return first(failure, same(said.Code, "42703"), same(said.Position, int32(8)))
}

func cancels(ctx context.Context, conn *pgx.Conn) error {
	other, err := pgx.ConnectConfig(ctx, conn.Config())
	if err != nil {
		return err
	}
	defer other.Close(ctx)
	over := make(chan struct{})
	ended := make(chan struct{})
	go func() { // a cancel that comes before the query ends nothing
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case <-time.After(50 * time.Millisecond):
				_ = other.PgConn().CancelRequest(ctx)
			}
		}
	}()
	_, err = one[int](ctx, other, "SELECT count(*) FROM copied a, copied b, copied c WHERE a.id + b.id + c.id > 2500")
	close(over)
	<-ended
	failure := same(stateOf(err), "57014")
	value, err := one[int](ctx, other, "SELECT 1")
	return first(failure, err, same(value, 1))
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, "postgres://ann@127.0.0.1:"+os.Args[1]+"/fulmar")
	if err != nil {
		fmt.Println("not ok - connects:", err)
		os.Exit(1)
	}
	defer conn.Close(ctx)
	checks := []check{
		{"reads and writes", readsAndWrites},
		{"has all types in all modes", hasAllTypes},
		{"prepares by name", preparesByName},
		{"prepares again after changes", preparesAgainAfterChanges},
		{"calls procedures", callsProcedures},
		{"sends batches", sendsBatches},
		{"copies", copies},
		{"has transactions", hasTransactions},
		{"fails where another was faster", failsWhereAnotherWasFaster},
		{"tells errors with their fields", tellsErrors},
		{"cancels", cancels},
	}
	for _, each := range checks {
		if err := each.run(ctx, conn); err != nil {
			fmt.Printf("not ok - %s: %s\n", each.name, strings.Join(strings.Fields(err.Error()), " "))
		} else {
			fmt.Println("ok -", each.name)
		}
	}
	fmt.Printf("1..%d\n", len(checks))
}
