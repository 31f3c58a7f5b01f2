'use strict';
// Checks of programs that use node-postgres; prints a line for each, in TAP's form.

const assert = require('node:assert/strict');
const { Client, Pool, types } = require('pg');

const address = { host: '127.0.0.1', port: Number(process.argv[2]), user: 'ann', database: 'fulmar' };
const checks = [];
const check = (name, run) => checks.push({ name, run });

async function fails(state, promise) {
  try {
    await promise;
  } catch (error) {
    assert.equal(error.code, state, error.message);
    return error;
  }
  throw new Error(`no error, instead of one of SQLSTATE ${state}`);
}

check('connects', async (client) => {
  const result = await client.query('SELECT $1::text AS message', ['Hello world!']);
  assert.equal(result.rows[0].message, 'Hello world!');
});

check('reads and writes', async (client) => {
  await client.query('CREATE TABLE city (id integer PRIMARY KEY, name text, people bigint)');
  const inserted = await client.query('INSERT INTO city VALUES ($1, $2, $3), (2, NULL, 0)', [1, "it's", '1099511627776']);
  assert.deepEqual([inserted.command, inserted.rowCount], ['INSERT', 2]);
  const found = await client.query('SELECT * FROM city ORDER BY id');
  assert.deepEqual(found.rows, [
    { id: 1, name: "it's", people: '1099511627776' },
    { id: 2, name: null, people: '0' },
  ]);
  assert.deepEqual(found.fields.map((field) => [field.name, field.dataTypeID]), [['id', 23], ['name', 25], ['people', 20]]);
  const updated = await client.query('UPDATE city SET people = people + $1 WHERE id = $2 RETURNING people', [1, 2]);
  assert.deepEqual([updated.command, updated.rowCount, updated.rows], ['UPDATE', 1, [{ people: '1' }]]);
  assert.equal((await client.query('DELETE FROM city')).rowCount, 2);
});

check('has all types', async (client) => {
  await client.query(`CREATE TABLE kinds (id integer PRIMARY KEY, b boolean, s smallint, l bigint, r real, d double precision,
      n numeric(20, 5), c char(4), v varchar(40), t text, x bytea, da date, ti time, ts timestamp, u uuid)`);
  types.setTypeParser(1082, (text) => text); // else a Date of the machine's own time
  const stamp = new Date(2024, 1, 29, 1, 2, 3, 4);
  const values = [1, true, -32768, '-9223372036854775808', 0.5, 5e-324, '-123456789012345.54321', 'ab', 'ü€😀', 'two\nlines\\',
    Buffer.from([0, 255, 39, 92]), '2024-02-29', '23:59:59.999999', stamp, '0f0e0d0c-0b0a-0908-0706-050403020100'];
  await client.query(`INSERT INTO kinds VALUES (${values.map((_, i) => `$${i + 1}`).join(', ')})`, values);
  const nulls = [2, ...values.slice(1).map(() => null)];
  await client.query(`INSERT INTO kinds VALUES (${values.map((_, i) => `$${i + 1}`).join(', ')})`, nulls);
  const read = await client.query({ text: 'SELECT * FROM kinds ORDER BY id', rowMode: 'array' });
  const expected = [...values];
  expected[7] = 'ab  ';
  assert.deepEqual(read.rows, [expected, nulls]);
  const prepared = await client.query({ name: 'by-stamp', text: 'SELECT id FROM kinds WHERE ts = $1 AND x = $2', values: [stamp, values[10]] });
  assert.deepEqual(prepared.rows, [{ id: 1 }]);
});

check('prepares by name', async (client) => {
  await client.query('CREATE TABLE prepared (id integer PRIMARY KEY, t text)');
  for (let i = 0; i < 20; i++) {
    await client.query({ name: 'add', text: 'INSERT INTO prepared VALUES ($1, $2)', values: [i, `row ${i}`] });
  }
  for (let i = 0; i < 20; i++) {
    const found = await client.query({ name: 'get', text: 'SELECT t FROM prepared WHERE id = $1', values: [i] });
    assert.deepEqual(found.rows, [{ t: `row ${i}` }]);
  }
  await fails('23505', client.query({ name: 'add', text: 'INSERT INTO prepared VALUES ($1, $2)', values: [3, 'x'] }));
  assert.equal((await client.query({ name: 'get', text: 'SELECT t FROM prepared WHERE id = $1', values: [3] })).rows[0].t, 'row 3');
});

check('runs several statements of one text', async (client) => {
  const results = await client.query("SELECT 1 AS a; INSERT INTO prepared VALUES (100, 'x'); SELECT count(*) AS n FROM prepared");
  assert.deepEqual(results.map((result) => result.command), ['SELECT', 'INSERT', 'SELECT']);
  assert.equal(results[2].rows[0].n, '21');
  await fails('23505', client.query("INSERT INTO prepared VALUES (101, 'y'); INSERT INTO prepared VALUES (1, 'z')"));
  assert.equal((await client.query('SELECT count(*) AS n FROM prepared')).rows[0].n, '21');
});

check('has transactions', async (client) => {
  await client.query('BEGIN');
  await client.query("UPDATE prepared SET t = 'changed'");
  await client.query('SAVEPOINT place');
  await fails('23505', client.query("INSERT INTO prepared VALUES (1, 'z')"));
  await fails('25P02', client.query('SELECT 1'));
  await client.query('ROLLBACK TO SAVEPOINT place');
  assert.equal((await client.query("SELECT count(*) AS n FROM prepared WHERE t = 'changed'")).rows[0].n, '21');
  await client.query('ROLLBACK');
  assert.equal((await client.query("SELECT count(*) AS n FROM prepared WHERE t = 'changed'")).rows[0].n, '0');
  assert.equal((await client.query('COMMIT')).command, 'COMMIT');
});

check('fails where another was faster', async (client) => {
  const other = new Client(address);
  await other.connect();
  try {
    await client.query('CREATE TABLE counter (id integer PRIMARY KEY, n integer)');
    await client.query('INSERT INTO counter VALUES (1, 0)');
    await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
    assert.equal((await client.query('SELECT n FROM counter')).rows[0].n, 0);
    await other.query('UPDATE counter SET n = 5');
    await fails('40001', client.query('UPDATE counter SET n = 1').then(() => client.query('COMMIT')));
    await client.query('ROLLBACK');
    assert.equal((await client.query('SELECT n FROM counter')).rows[0].n, 5);
  } finally {
    await other.end();
  }
});

check('tells errors with their fields', async (client) => {
  await client.query('CREATE TABLE guest (id integer PRIMARY KEY, name text NOT NULL, age integer CONSTRAINT old CHECK (age > 17))');
  await client.query("INSERT INTO guest VALUES (1, 'ann', 30)");
  const unique = await fails('23505', client.query("INSERT INTO guest VALUES (1, 'bob', 30)"));
  assert.deepEqual([unique.severity, unique.schema, unique.table], ['ERROR', 'public', 'guest']);
  assert.ok(unique.constraint);
  const missing = await fails('23502', client.query('INSERT INTO guest VALUES (2, NULL, 30)'));
  assert.deepEqual([missing.table, missing.column], ['guest', 'name']);
  assert.equal((await fails('23514', client.query('INSERT INTO guest VALUES ($1, $2, $3)', [2, 'cid', 3]))).constraint, 'old');
  assert.equal((await fails('42P01', client.query('SELECT * FROM nowhere'))).position, '15');
  assert.equal((await fails('42601', client.query('SELEC 1'))).position, '1');
  await fails('22P02', client.query('SELECT * FROM guest WHERE id = $1', ['one']));
});

check('queues queries', async (client) => {
  const results = await Promise.all([...Array(100).keys()].map((i) => client.query('SELECT $1::integer AS n', [i])));
  assert.deepEqual(results.map((result) => result.rows[0].n), [...Array(100).keys()]);
});

check('pools connections', async () => {
  const pool = new Pool({ ...address, max: 5 });
  try {
    await pool.query('CREATE TABLE pooled (id integer PRIMARY KEY)');
    await Promise.all([...Array(100).keys()].map((i) => pool.query('INSERT INTO pooled VALUES ($1)', [i])));
    assert.equal((await pool.query('SELECT count(*)::integer AS n FROM pooled')).rows[0].n, 100);
  } finally {
    await pool.end();
  }
});

check('calls procedures', async (client) => {
  await client.query('CREATE TABLE purse (id integer PRIMARY KEY, amount bigint NOT NULL)');
  await client.query('CREATE PROCEDURE fill AS INSERT INTO purse VALUES (?, ?)');
  await client.query('CREATE PROCEDURE purses AS SELECT id FROM purse WHERE amount >= ? ORDER BY id');
  assert.equal((await client.query('CALL fill($1, $2)', [1, 7])).command, 'CALL');
  await client.query({ name: 'fill', text: 'CALL fill($1, $2)', values: [2, 8] });
  assert.deepEqual((await client.query('CALL purses($1)', [8])).rows, [{ id: 2 }]);
  assert.deepEqual((await client.query('SELECT * FROM purses(7)')).rows, [{ id: 1 }, { id: 2 }]);
});

check('obeys a time limit', async (plain) => {
  const client = new Client({ ...address, statement_timeout: 1000 });
  await client.connect();
  try {
    await plain.query('CREATE TABLE wide (id integer PRIMARY KEY)');
    await plain.query('INSERT INTO wide SELECT n FROM generate_series(1, 3000) n');
    await fails('57014', client.query('SELECT count(*) FROM wide a, wide b, wide c WHERE a.id + b.id + c.id > 8000'));
    assert.equal((await client.query('SELECT 1 AS one')).rows[0].one, 1);
  } finally {
    await client.end();
  }
});

check('hears notices', async (client) => {
  const heard = [];
  client.on('notice', (notice) => heard.push([notice.severity, notice.code]));
  await client.query('ROLLBACK');
  assert.deepEqual(heard, [['WARNING', '25P01']]);
});

async function main() {
  let failures = 0;
  const client = new Client(address);
  await client.connect();
  for (const { name, run } of checks) {
    try {
      await run(client);
      console.log(`ok - ${name}`);
    } catch (error) {
      failures++;
      console.log(`not ok - ${name}: ${String(error.stack).replace(/\s+/g, ' ')}`);
      await client.query('ROLLBACK').catch(() => {});
    }
  }
  await client.end();
  console.log(`1..${checks.length}`);
  process.exitCode = failures ? 1 : 0;
}

main();
