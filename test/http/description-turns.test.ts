// The descriptions are written while other requests run.
import { expect, it } from 'vitest';
import { convertInTurns } from '../../src/http/description/openapi.ts';
import { outputSchema } from '../../src/http/description/json-schema.ts';
import { routes } from '../../src/routes/index.ts';

it('gives other requests a turn after each route, and converts each schema once', async () => {
  let turns = 0;
  let isOver = false;
  const other = () => {
    turns += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await convertInTurns(routes);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(routes.length - 1);
  for (const route of routes) {
    const schema = route.kind === 'list' ? route.row : route.data;
    expect(outputSchema(schema)).toBe(outputSchema(schema));
  }
});
