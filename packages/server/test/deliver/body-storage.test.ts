// How bodies lie on disk: written once, so that their pages are full; small ones as they are, large ones compressed.

import { expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';

const { pool } = useTestDatabase();

test('two bodies of 3,000 bytes share a page, uncompressed; one of 100,000 takes a fraction of that', async () => {
  await pool.query(
    `insert into flaghoist_system.notification_body (notification_key, created_date, head, body)
     select n, flaghoist_system.utc_second(), '', repeat('{"voyageStatus":"EST"}', case when n <= 100 then 136
       else 4545 end) from generate_series(1, 101) n`,
  );
  const { rows } = await pool.query(
    `select octet_length(body) as bytes, pg_column_size(body) as stored, (ctid::text::point)[0]::int as page
     from flaghoist_system.notification_body order by notification_key`,
  );
  const { stored, bytes } = rows[100];
  expect(bytes / stored).toBeGreaterThan(10);
  const small = rows.slice(0, 100);
  expect(small.every((row) => row.stored >= row.bytes)).toBe(true);
  expect(new Set(small.map(({ page }) => page)).size).toBe(50);
});
