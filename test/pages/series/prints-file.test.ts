// The file of all prints: one table for one or two series, each row with the entity that the interface was asked for.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/series/prints-file.js')).href;
const { printsFile } = (await import(address)) as {
  readonly printsFile: (parts: readonly { readonly entity: string; readonly text: string }[]) => string;
};

describe('the file of all prints', () => {
  it('has the rows of both series below one head, each with its entity', () => {
    const payrolls = { entity: 'us', text: 'indicatorId,indicatorName,actual\r\nus_payrolls,"All Employees, ""Total""",-1.5\r\n' };
    const rate = { entity: 'de', text: 'indicatorId,indicatorName,actual\nde_rate,Rate,\n' };
    expect(printsFile([payrolls, rate])).toBe(
      'entityId,indicatorId,indicatorName,actual\r\nus,us_payrolls,"All Employees, ""Total""",-1.5\r\nde,de_rate,Rate,\r\n',
    );
  });

  it('of a series without prints is its head alone', () => {
    expect(printsFile([{ entity: 'us', text: 'indicatorId,actual\r\n' }])).toBe('entityId,indicatorId,actual\r\n');
  });
});
