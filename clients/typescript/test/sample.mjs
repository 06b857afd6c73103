// The installed package against a service of the sample, at ASOF_URL with the key ASOF_KEY; the service's own JSON is the measure.
import assert from 'node:assert/strict';
import { AsofError, openAsof } from '@asof/client';

const { ASOF_URL: url, ASOF_KEY: key } = process.env;
const PAYROLLS = 'us_nonfarm_payrolls';
const served = async (query) => {
  const answer = await fetch(`${url}/observations?${query}`, { headers: { 'x-api-key': key } });
  return (await answer.json()).data;
};
const asof = openAsof();

for (const day of ['2020-04-30', '2020-05-31', '2020-06-30', '2025-12-31']) {
  const query = { indicator_id: PAYROLLS, as_of: day, period: '2020-04' };
  const { rows, asOf } = await asof.rows('/observations', { query }).all();
  assert.deepEqual(rows, await served(new URLSearchParams(query)));
  assert.equal(asOf, `${day}T23:59:59.999Z`);
  console.log('typescript', JSON.stringify([day, rows.map((row) => row.actual)]));
}

const ids = [];
let pages = 0;
for await (const page of asof.pages('/observations', { query: { indicator_id: PAYROLLS, vintage: 'all', limit: 7 } })) {
  pages += 1;
  for (const row of page.data) ids.push(row.observationId);
}
const every = await served(`indicator_id=${PAYROLLS}&vintage=all&limit=500`);
assert.deepEqual(
  ids,
  every.map((row) => row.observationId),
);
assert.ok(pages > 3);

const refused = async (ask) =>
  ask().then(
    () => assert.fail('was answered'),
    (error) => {
      assert.ok(error instanceof AsofError);
      return error.code;
    },
  );
assert.equal(await refused(() => asof.get('/observations', { query: { indicatorr: PAYROLLS } })), 'bad_request');
assert.equal(await refused(() => openAsof({ key: 'asof_none' }).get('/observations', { query: {} })), 'unauthorized');
assert.equal(await refused(() => asof.get('/entities/{idOrSlug}', { path: { idOrSlug: 'no such one' } })), 'not_found');
console.log(`ok typescript: ${ids.length} vintages in ${pages} pages`);
